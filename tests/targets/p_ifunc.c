/* SPDX-License-Identifier: MIT */
/* p_ifunc.c - IFUNCs, used and not used. p_ifunc STOP [LIBC-NAME...]
 * Prints the address that the loader gave each ("NAME ADDRESS"), then works until the file STOP
 * exists, and prints how often `rare`'s resolver ran since. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "keep.h"

static volatile int asked;

static int one(int x)
{
    return x + 1;
}
static int two(int x)
{
    return x + 2;
}
static int (*choose_used(void))(int)
{
    return two;
}
static int (*choose_rare(void))(int)
{
    asked++;
    return one;
}
/* what no loader would bear: nobody calls these three */
static int (*choose_none(void))(int)
{
    return 0;
}
static int (*choose_data(void))(int)
{
    return (int (*)(int))1;
}
static int (*choose_never(void))(int)
{
    return *(int (*volatile *)(int))8;
}
int none(int) __attribute__((ifunc("choose_none")));
int data(int) __attribute__((ifunc("choose_data")));
int never(int) __attribute__((ifunc("choose_never")));
/* only the slot of its own IRELATIVE relocation holds the choice */
int used(int) __attribute__((ifunc("choose_used")));
/* a variable was a pointer to it, and points to `used` now: no slot holds the choice */
int moved(int) __attribute__((ifunc("choose_rare")));
int (*volatile moving)(int) = moved;
/* no relocation refers to it */
int rare(int) __attribute__((ifunc("choose_rare")));

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 2; i < argc; i++)
        printf("%s %p\n", argv[i], dlsym(RTLD_DEFAULT, argv[i]));
    printf("used %p\nrare %p\nmoved %p\nready\n", (void *)two, (void *)one, (void *)one);
    fflush(stdout);
    moving = used;
    asked = 0;
    while (argc > 1 && access(argv[1], F_OK)) {
        sum += used(moving(sum));
        usleep(100);
    }
    printf("asked %d\n", asked);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* p_names.c - names that are not UTF-8, and some that are: of a function, and of four threads. The
 * kernel cuts a thread's name at 15 bytes, which may be within a character. p_names STOP works
 * until there is a file STOP. */
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "keep.h"

static const char *stop;
static volatile long work[4];

/* The first two bytes of a character of three. */
KEEP void odd_name(volatile long *n) __asm__("odd\344\270name");
KEEP void odd_name(volatile long *n)
{
    ++*n;
}
KEEP void good_name(volatile long *n)
{
    ++*n;
}

static void *worker(void *name)
{
    static int next;
    volatile long *mine = &work[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)];
    prctl(PR_SET_NAME, name);
    while (access(stop, F_OK)) {
        good_name(mine);
        odd_name(mine);
        usleep(200);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static char *const name[4] = {
        "12345678901234\344\270\226", /* cut behind its first byte */
        "\377\376", "t\303\244tig\303",
        "\344\270\226\347\225\214", /* two characters of two columns each */
    };
    pthread_t id[4];
    long sum = 0;
    stop = argc > 1 ? argv[1] : "stop";
    for (int i = 0; i < 4; i++)
        if (pthread_create(&id[i], NULL, worker, name[i]))
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < 4; i++)
        sum += work[i] < 2;
    puts(sum ? "wrong" : "right");
    return 0;
}

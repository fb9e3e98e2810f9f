/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_budget.c - one hot function and one rare one: p_budget. While there is no file "cold" in the working folder,
 * hot() is called all the time; then hardly ever. With a file "end" it ends, and tells the calls on standard
 * error, and whether all results were right on standard output. */
#include <stdio.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noclone))

static CALLED int spin(int n)
{
    for (volatile int i = 0; i < 300; i++)
        continue;
    return n;
}
CALLED int hot(int n)
{
    return spin(n) + 1;
}
CALLED int rare(int n)
{
    __asm__ volatile("");
    return n * 2;
}

int main(void)
{
    unsigned long hots = 0, rares = 0, wrong = 0;
    while (access("end", F_OK)) {
        int calls = access("cold", F_OK) ? 10000 : 1;
        for (int i = 0; i < calls; i++)
            wrong += hot(i) != i + 1;
        for (int i = calls; i < 10000; i++)
            wrong += spin(i) != i;
        wrong += rare((int)rares) != (int)rares * 2;
        hots += (unsigned long)calls;
        rares++;
    }
    fprintf(stderr, "hot %lu\nrare %lu\n", hots, rares);
    printf("%lu wrong\n", wrong);
    return 0;
}

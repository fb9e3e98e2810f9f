/* SPDX-License-Identifier: MIT */
/* p_pages.c - calls the functions of p_pages.S until the file STOP exists.
 * p_pages STOP READY: makes READY when all were called once; prints how often each was, and
 * "right" or what was wrong. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { FUNCTIONS = 1000, THREADS = 2 };
extern const struct crossing {
    int (*f)(int);
    long adds;
} crossing[FUNCTIONS];

static const char *stop, *ready;
static volatile int wrong;
static unsigned long rounds[THREADS];

static void *work(void *arg)
{
    unsigned long *n = arg;
    do {
        for (int i = 0; i < FUNCTIONS; i++)
            if (crossing[i].f((int)*n & 0xffff) != (int)(*n & 0xffff) + crossing[i].adds)
                wrong = i + 1;
        ++*n;
        if (arg == rounds && *n == 1)
            fclose(fopen(ready, "w"));
        usleep(50);
    } while (*n % 16 || access(stop, F_OK));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    unsigned long all = 0;
    if (argc < 3)
        return 2;
    stop = argv[1];
    ready = argv[2];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, &rounds[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        all += rounds[i];
    }
    printf("rounds %lu\n", all);
    if (wrong)
        printf("cross_%d is wrong\n", wrong - 1);
    else
        puts("right");
    return !!wrong;
}

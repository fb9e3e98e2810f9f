/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_papi.c - threads that work, by units of which fake_papi.c counts as many events as it says; a forked
 * child works, too, and so does a handler of signals.
 *   p_papi THREADS CALLS [FILE]      each thread calls work(1) ... work(CALLS); the child, work(3) twice
 * With FILE it waits, when it is ready, until the file is there. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __thread volatile long done;
static int calls;

long p_work_done(void)
{
    return done;
}

__attribute__((noinline)) void work(int units)
{
    void *volatile p = malloc((size_t)units);
    done += units;
    free(p);
}

__attribute__((noinline)) void outer(int units)
{
    work(units);
    done++;
    work(units);
    __asm__ volatile("");
}

static void handler(int sig)
{
    (void)sig;
    work(1);
}

static void *run(void *unused)
{
    for (int i = 1; i <= calls; i++)
        work(i);
    return unused;
}

static int child(void)
{
    int status = -1;
    pid_t pid = fork();
    if (!pid) {
        work(3);
        work(3);
        exit(0);
    }
    waitpid(pid, &status, 0);
    return status == 0;
}

int main(int argc, char **argv)
{
    int threads = atoi(argv[1]);
    static pthread_t t[64]; /* on the stack, old words look like return addresses into the loader */
    calls = atoi(argv[2]);
    signal(SIGUSR1, handler);
    puts("ready");
    fflush(stdout);
    for (const struct timespec ms = { 0, 1000000 }; argc > 3 && access(argv[3], F_OK);)
        nanosleep(&ms, NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    outer(5);
    raise(SIGUSR1);
    puts(child() && done == 12 ? "right" : "wrong");
    return 0;
}

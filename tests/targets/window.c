/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch_region.c - threads that stand inside the window when it is overwritten (fault 29).
 *
 * window              main's prologue is five one-byte pushes: step with `si`, probe
 * window parked FIFO  five threads are each interrupted by a signal at another byte of
 *                     victim's window and sleep in the handler; the shell plants, then
 *                     writes to the FIFO; each handler returns into the window */
#include "target.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#define PARKED 5 /* before victim's bytes 0 (not inside), 1, 2, 3, 4 */

long victim(long a, long b);
long stepped(long a, long b);
int real_main(int argc, char **argv);

static atomic_int parked, released;
static _Thread_local long stop_at = -1;

static void await_release(void)
{
    while (!released)
        usleep(1000);
}

/* A handler that makes many nested calls. */
NI static void await_deep(void)
{
    volatile char room[1 << 20];
    room[0] = 1;
    await_release();
    room[1] = room[0];
}

static void trap(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    long at = uc->uc_mcontext.gregs[REG_RIP] - (long)&victim;
    (void)sig;
    (void)info;
    if (at != stop_at)
        return;
    uc->uc_mcontext.gregs[REG_EFL] &= ~0x100l;
    stop_at = -1;
    parked++;
    if (at & 1)
        await_deep();
    else
        await_release();
}

static void *visitor(void *arg)
{
    stop_at = (long)arg;
    return (void *)stepped(100 + (long)arg, 7);
}

static int park(const char *fifo, const char *ready)
{
    struct sigaction sa = { .sa_sigaction = trap, .sa_flags = SA_SIGINFO };
    pthread_t t[PARKED];
    char c;
    long sum = 0;
    sigaction(SIGTRAP, &sa, NULL);
    for (long i = 0; i < PARKED; i++)
        pthread_create(&t[i], NULL, visitor, (void *)i);
    while (parked < PARKED)
        usleep(1000);
    close(open(ready, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    int fd = open(fifo, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &c, 1) != 1)
        return 1;
    released = 1;
    for (int i = 0; i < PARKED; i++) {
        void *r;
        pthread_join(t[i], &r);
        sum = sum * 1000 + (long)r;
    }
    for (long i = 0; i < 10; i++)
        sum += victim(i, i + 1);
    printf("parked %d sum %ld\n", PARKED, sum);
    claim("count", "victim", 11); /* the thread before the first byte runs the jump, and counts */
    claim("exits", "victim", 11);
    return 29;
}

int real_main(int argc, char **argv)
{
    long sum = 0;
    bounded();
    if (argc > 3 && !strcmp(argv[1], "parked"))
        return park(argv[2], argv[3]);
    for (long i = 0; i < 10; i++)
        sum += victim(i, i + 1);
    printf("%d %ld\n", argc, sum);
    claim("count", "victim", 10);
    return 29;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* altstack.c - a 5 kHz timer whose handler calls functions on an 8 KiB alternate stack
 * (fault 25). */
#include "target.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

#define ALT 8192

static volatile unsigned long ticks, bad, handled, worked;

NI long third(long x)
{
    OPAQUE;
    handled++;
    return x + 3;
}

NI long second(long x)
{
    long r = third(x) * 2;
    OPAQUE;
    return r;
}

NI void handler(int sig)
{
    (void)sig;
    ticks++;
    if (second(4) != 14)
        bad++;
}

NI long fib(long n)
{
    worked++;
    if (n < 2)
        return n;
    long a = fib(n - 1);
    long b = fib(n - 2);
    OPAQUE;
    return a + b;
}

int main(void)
{
    struct itimerspec every = { { 0, 200000 }, { 0, 200000 } }, off = { { 0, 0 }, { 0, 0 } };
    struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
    timer_t timer;
    /* a guard page below: an overrun is a crash, not a corruption */
    uint8_t *room =
        mmap(NULL, 4096 + ALT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t alt = { .ss_sp = room + 4096, .ss_size = ALT };
    struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART };
    bounded();
    if (mprotect(room, 4096, PROT_NONE) || sigaltstack(&alt, NULL))
        return 1;
    sigaction(SIGRTMIN, &sa, NULL);
    if (timer_create(CLOCK_MONOTONIC, &ev, &timer))
        return 1;
    timer_settime(timer, 0, &every, NULL);
    unsigned long wrong = 0;
    while (ticks < 2000)
        wrong += fib(16) != 987;
    timer_settime(timer, 0, &off, NULL);
    printf("wrong %lu, bad %lu\n", wrong, bad);
    claim("count", "fib", worked);
    claim("exits", "fib", worked);
    claim("count", "third", handled);
    claim("exits", "third", handled);
    claim("count", "second", ticks);
    claim("count", "handler", ticks);
    claim("exits", "handler", ticks);
    return 25;
}

/* SPDX-License-Identifier: MIT */
/* p_mask.c - holds SIGTRAP back for a while, by a plain system call, and has a handler for it.
 * Prints whether it was held back, waits in a call with a mask of its own, sends the signal to
 * itself, and prints whether its handler ran when it let it come again. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t traps;
static void on_trap(int sig)
{
    (void)sig;
    traps++;
}

static int held(void)
{
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, SIGTRAP);
}

/* Some thousand instructions. */
__attribute__((noinline, noclone)) void linger(void)
{
    for (volatile int i = 0; i < 5000;)
        i++;
}

__attribute__((noinline, noclone)) void masks(void)
{
    const struct timespec none = { 0, 1000 };
    sigset_t trap, before;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    sigprocmask(SIG_BLOCK, &trap, &before);
    int first = held();
    sigprocmask(SIG_SETMASK, &before, NULL);
    int second = held();
    ppoll(NULL, 0, &none, &trap);
    sigprocmask(SIG_BLOCK, &trap, NULL);
    linger();
    printf("held back: %d, %d, %d\n", first, second, held());
}

int main(void)
{
    sigset_t all;
    sigfillset(&all);
    signal(SIGTRAP, on_trap);
    masks();
    kill(getpid(), SIGTRAP);
    int early = traps;
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    printf("handled: %d, then %d\n", early, (int)traps);
    return 7;
}

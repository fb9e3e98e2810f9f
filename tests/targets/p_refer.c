/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_refer.c STOP WHERE - keeps an address of eztsh's code: that of the place to which work() returns, which an exit
 * probe has changed. A file "call" has it call work(), and is deleted then. Ends when the file STOP is there.
 * WHERE: none, data, heap, shared, stack (of a context that was put aside), thread (none, and a second thread sleeps). */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "keep.h"

static void *in_data;
static void **kept; /* where the address is kept; NULL = nowhere */
static ucontext_t here, aside;

/* Keeps the address to which its caller returns. */
KEEP void look(void)
{
    void **frame = __builtin_frame_address(0);
    void **caller = frame[0];
    if (kept)
        *kept = caller[1];
}

KEEP unsigned long work(unsigned long a)
{
    static volatile unsigned long sink;
    sink = a;
    look();
    return sink + 1;
}

/* Below all that main() calls while it waits, so that nothing of it is left in a frame that lives. */
KEEP unsigned long deep(unsigned long a)
{
    volatile char room[65536];
    room[0] = room[sizeof room - 1] = 1;
    return work(a) + (unsigned long)room[0] - 1;
}

static void put_aside(void)
{
    void *volatile mine = NULL;
    kept = (void **)&mine;
    for (;;)
        swapcontext(&aside, &here);
}

static void *sleeps(void *arg)
{
    pause();
    return arg;
}

static void choose(const char *where)
{
    pthread_t t;
    if (!strcmp(where, "thread") && pthread_create(&t, NULL, sleeps, NULL))
        exit(2);
    if (!strcmp(where, "data"))
        kept = &in_data;
    else if (!strcmp(where, "heap"))
        kept = calloc(1, sizeof *kept);
    else if (!strcmp(where, "shared"))
        kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    else if (!strcmp(where, "stack")) {
        getcontext(&aside);
        aside.uc_stack.ss_sp =
            mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        aside.uc_stack.ss_size = 65536;
        makecontext(&aside, put_aside, 0);
        swapcontext(&here, &aside);
    }
}

static int told(const char *file)
{
    return !access(file, F_OK);
}

int main(int argc, char **argv)
{
    unsigned long calls = 0, right = 0;
    if (argc < 3)
        return 2;
    choose(argv[2]);
    while (!told(argv[1])) {
        if (told("call")) {
            right += deep(calls) == calls + 1;
            calls++;
            unlink("call");
        }
        usleep(2000);
    }
    printf("calls %lu\n", calls);
    return calls != right;
}

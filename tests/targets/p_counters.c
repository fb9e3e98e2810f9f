/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_counters.c - calls that touch pages and sleep, and says how many page faults it had in them.
 *   p_counters CALLS PAGES */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

__attribute__((noinline)) long touch(char *p, int pages)
{
    for (int i = 0; i < pages; i++)
        ((volatile char *)p)[4096L * i] = 1;
    return p[0];
}

__attribute__((noinline)) void doze(long ns)
{
    struct timespec t = { 0, ns };
    nanosleep(&t, NULL);
    __asm__ volatile("");
}

static long faults(void)
{
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    return r.ru_minflt + r.ru_majflt;
}

int main(int argc, char **argv)
{
    int calls = atoi(argv[1]), pages = atoi(argv[2]);
    long sum = 0, all = 0;
    long before = faults(); /* twice: the first call binds the symbol */
    before = faults();
    touch(argv[0], 0); /* binds, too; whoever records it touches memory of its own */
    all += faults() - before;
    for (int i = 0; i < calls; i++) {
        char *p =
            mmap(NULL, 4096L * pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(p, 4096L * pages, MADV_NOHUGEPAGE);
        before = faults();
        sum += touch(p, pages);
        all += faults() - before;
        munmap(p, 4096L * pages);
        doze(100000);
    }
    printf("faults %ld\n%s\n", all, sum == calls ? "right" : "wrong");
    return 0;
}

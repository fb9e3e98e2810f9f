/* SPDX-License-Identifier: MIT */
/* p_place.c - a program in an unusual place, which then works until the file STOP exists.
 *
 *   p_place full STOP READY   no free page is left within 2 GiB of its text
 *   p_place huge STOP READY   its text lies in huge pages, a copy without a file
 *
 * It writes to READY how many KiB of its text are in huge pages. Prints "right" if every call
 * returned the right value, and if its text is the same at the end as at the beginning. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keep.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define HUGE 0x200000ul
#define REACH 0x90000000ul /* more than a jump's reach */

KEEP long beat(long a)
{
    static volatile long sink;
    sink = a;
    return a * 3 + 1;
}

static void fill(uint64_t lo, uint64_t hi)
{
    if (lo < hi && mmap((void *)lo, hi - lo, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                        0) == MAP_FAILED)
        perror("mmap");
}

/* Fill all free memory within reach; the heap cannot grow any more either. */
static void fill_all(void)
{
    static struct {
        uint64_t lo, hi;
    } map[4096];
    uint64_t here = (uint64_t)beat & ~4095ul, prev = here - REACH;
    size_t n = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (n < 4096 && fscanf(f, "%" SCNx64 "-%" SCNx64 "%*[^\n]", &map[n].lo, &map[n].hi) == 2)
        n++;
    fclose(f);
    for (size_t i = 0; i <= n; i++) {
        uint64_t lo = i < n ? map[i].lo : UINT64_MAX;
        fill(prev, lo < here + REACH ? lo : here + REACH);
        if (i < n && map[i].hi > prev)
            prev = map[i].hi;
    }
}

/* The whole aligned 2 MiB around `beat` are text (max-page-size), so that a huge page fits. */
__asm__(".section .text.far, \"ax\"\n.fill 0x200000, 1, 0x90\n.previous");
static char *text(void)
{
    return (char *)((uint64_t)beat & ~(HUGE - 1));
}

static void hugify(void)
{
    char *room = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *at = (char *)(((uint64_t)room + HUGE - 1) & ~(HUGE - 1));
    madvise(at, HUGE, MADV_HUGEPAGE);
    memcpy(at, text(), HUGE);
    madvise(at, HUGE, MADV_COLLAPSE);
    mprotect(at, HUGE, PROT_READ | PROT_EXEC);
    if (mremap(at, HUGE, HUGE, MREMAP_MAYMOVE | MREMAP_FIXED, text()) == MAP_FAILED)
        perror("mremap");
}

static unsigned long huge_kib(void)
{
    unsigned long lo, hi, n = 0, all = 0;
    char line[512];
    int here = 0;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &lo, &hi) == 2)
            here = lo <= (unsigned long)beat && (unsigned long)beat < hi;
        else if (here && sscanf(line, "AnonHugePages: %lu", &n) == 1)
            all += n;
    }
    fclose(f);
    return all;
}

int main(int argc, char **argv)
{
    static char before[HUGE];
    int wrong = 0, huge = argc > 3 && !strcmp(argv[1], "huge");
    if (argc < 4)
        return 2;
    if (huge)
        hugify();
    else
        fill_all();
    if (huge)
        memcpy(before, text(), HUGE);
    FILE *f = fopen(argv[3], "w");
    fprintf(f, "%lu\n", huge_kib());
    fclose(f);
    for (long i = 0; i % 1000 || access(argv[2], F_OK); i++) {
        wrong |= beat(i) != i * 3 + 1;
        if (i % 1000 == 0)
            usleep(50);
    }
    puts(wrong ? "wrong" : huge && memcmp(before, text(), HUGE) ? "changed" : "right");
    return wrong;
}

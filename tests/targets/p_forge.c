/* SPDX-License-Identifier: MIT */
/* p_forge.c - p_forge STOP SHELL [N]: maps what looks like the shared memory of an eztsh whose
 * number is SHELL (0: a child of its own, which maps it, too), N times, full of rows; then it
 * works until the file STOP exists. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/ring_abi.h"
#include "keep.h"

enum { ROWS = 1 << 17, SIZE = 4096 + ROWS * sizeof(struct ez_row) };

KEEP static unsigned forger(unsigned v)
{
    static volatile unsigned sink;
    sink = v;
    return v * 9 + 2;
}

int main(int argc, char **argv)
{
    int fd = memfd_create(EZ_SEG_NAME, MFD_CLOEXEC), child = 0, n = argc > 3 ? atoi(argv[3]) : 1;
    unsigned sum = 0;
    if (argc < 3 || fd < 0 || ftruncate(fd, SIZE))
        return 2;
    struct ez_hdr *h = NULL;
    for (int i = 0; i < n; i++) {
        h = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (h == MAP_FAILED)
            return 2;
    }
    if (!atoi(argv[2]) && !(child = fork()))
        for (;;)
            pause();
    *h = (struct ez_hdr){ .abi = EZ_ABI_VERSION,
                          .target_pid = (uint32_t)getpid(),
                          .shell_pid = child ? (uint32_t)child : (uint32_t)atoi(argv[2]),
                          .ids_max = ROWS,
                          .ids_used = ROWS,
                          .off_rows = 4096,
                          .size = SIZE,
                          .row_bytes = sizeof(struct ez_row) };
    h->owner.word = h->shell_pid;
    struct ez_row *row = (void *)((char *)h + 4096);
    for (int i = 0; i < ROWS; i++)
        row[i].planted = 1, row[i].addr = (uint64_t)forger, row[i].len = 5;
    h->magic = EZ_ABI_MAGIC;
    for (FILE *f = fopen("forged", "w"); f; f = NULL)
        fclose(f);
    for (; access(argv[1], F_OK); usleep(1000))
        sum += forger(sum) != sum * 9 + 2;
    if (child)
        kill(child, SIGKILL);
    puts(sum ? "WRONG" : "right");
    return 0;
}

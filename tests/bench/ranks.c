/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.c - traces for the page of `report`, for `make bench`.
 *
 *   ranks write FOLDER RANKS THREADS FUNCTIONS EVENTS
 *                           a trace for each rank, r0.fxt and so on: EVENTS altogether, FUNCTIONS
 *                           over all ranks, up to 6 calls inside each other
 *   ranks deep FILE DEPTH   one call inside the other */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/fxt_out.h"

enum { INSIDE = 6 };

static void must(ez_err *e)
{
    if (!e)
        return;
    fprintf(stderr, "%s\n", e->msg);
    exit(1);
}

static void define(struct ez_fxt_out *f, enum ez_def kind, uint64_t pid, const uint64_t *arg,
                   size_t n, const char *a, const char *b)
{
    char text[256];
    size_t len = (size_t)snprintf(text, sizeof text, "%s%c%s", a, 0, b);
    must(ez_fxt_out_define(f, &(struct ez_fxt_def){ kind, 1, pid, arg, n, text, len + (*b != 0) }));
}

static void define_rank(struct ez_fxt_out *f, uint64_t pid, uint64_t rank, uint64_t ranks)
{
    const uint64_t schema[] = { 1, 1000000000 }, job[] = { rank, ranks };
    define(f, EZ_DEF_SCHEMA, pid, schema, 2, "", "");
    define(f, EZ_DEF_PROCESS, pid, &pid, 1, "app", rank < ranks / 2 ? "north" : "south");
    define(f, EZ_DEF_JOB, pid, job, 2, "job", "");
}

static void define_function(struct ez_fxt_out *f, uint64_t pid, uint64_t id, uint64_t number)
{
    const uint64_t both = EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT;
    const uint64_t arg[] = { id, both, 0x1000 + id };
    char name[64];
    snprintf(name, sizeof name, "function_%llu", (unsigned long long)number);
    define(f, EZ_DEF_PROBE, pid, arg, 3, name, "app");
}

static void call(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint64_t id, bool leave)
{
    uint64_t word[] = { tick, tid, (EZ_C_PROBE + 2 * id + leave) << 8 | 1 };
    must(ez_fxt_out_events(f, word, 3));
}

static uint64_t dice(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void write_rank(const char *folder, uint64_t rank, const uint64_t *n)
{
    const uint64_t ranks = n[0], threads = n[1], functions = n[2] / ranks + 1,
                   pid = 1000 + 10 * rank;
    uint64_t now = 1000 + rank, seed = rank + 1;
    struct ez_fxt_out *f;
    char path[4096];
    snprintf(path, sizeof path, "%s/r%llu.fxt", folder, (unsigned long long)rank);
    must(ez_fxt_out_open(path, pid, &f));
    define_rank(f, pid, rank, ranks);
    for (uint64_t i = 0; i < functions; i++)
        define_function(f, pid, i, rank * functions + i);
    for (uint64_t made = 0, round = 0; made < n[3] / ranks; round++) {
        const uint64_t tid = pid + round % threads, inside = 1 + dice(&seed) % INSIDE;
        uint64_t id[INSIDE] = { dice(&seed) % 8 };
        for (uint64_t i = 0; i < inside; i++) {
            if (i) /* each function calls three others, as in a program: paths are not random */
                id[i] = (3 * id[i - 1] + 8 + dice(&seed) % 3) % functions;
            call(f, now += 20 + dice(&seed) % 900, tid, id[i], false);
        }
        for (uint64_t i = inside; i-- > 0;)
            call(f, now += 20 + dice(&seed) % 900, tid, id[i], true);
        made += 2 * inside;
    }
    must(ez_fxt_out_close(f));
}

static void write_deep(const char *path, uint64_t depth)
{
    struct ez_fxt_out *f;
    must(ez_fxt_out_open(path, 42, &f));
    define_rank(f, 42, 0, 1);
    define_function(f, 42, 0, 0);
    for (uint64_t i = 0; i < depth; i++)
        call(f, 1000 + 100 * i, 42, 0, false);
    for (uint64_t i = 0; i < depth; i++)
        call(f, 1000 + 100 * (depth + i), 42, 0, true);
    must(ez_fxt_out_close(f));
}

int main(int argc, char **argv)
{
    uint64_t n[4] = { 0 };
    for (int i = 3; i < argc && i < 7; i++)
        n[i - 3] = strtoull(argv[i], NULL, 10);
    if (argc == 4 && !strcmp(argv[1], "deep"))
        write_deep(argv[2], n[0]);
    else if (argc == 7 && !strcmp(argv[1], "write") && n[0] && n[1])
        for (uint64_t rank = 0; rank < n[0]; rank++)
            write_rank(argv[2], rank, n);
    else
        return 2;
    return 0;
}

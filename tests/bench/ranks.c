/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.c - traces for the page of `report`, for `make bench`.
 *
 *   ranks write FOLDER RANKS THREADS FUNCTIONS EVENTS
 *                           a trace for each rank, r0.fxt and so on: EVENTS altogether, FUNCTIONS
 *                           over all ranks, up to 6 calls inside each other
 *   ranks deep FILE DEPTH   one call inside the other
 *   ranks waits FOLDER RANKS EVENTS
 *                           ranks on a ring that exchange messages, and add up after 10 rounds */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/fxt_out.h"

#include "modules/builtin/mpi_events.h"

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

/* ---- ranks that wait for each other ---------------------------------------------------------------- */

enum { WAITALL = 208, INIT = 250, FINALIZE = 252, ALLREDUCE = 346, MPI = 0x53, LATENCY = 50 };

struct rank {
    struct ez_fxt_out *f;
    uint64_t pid, now, sent;
};

static void mpi(struct rank *r, uint64_t code, const uint64_t *arg, size_t n)
{
    uint64_t word[16] = { r->now, r->pid,
                          (EZ_C_MODULE + ((uint64_t)MPI << 16) + code) << 8 | (n + 1) };
    for (size_t i = 0; i < n; i++)
        word[3 + i] = arg[i];
    must(ez_fxt_out_events(r->f, word, 3 + n));
}

static void define_call(struct ez_fxt_out *f, uint64_t pid, uint64_t code, enum ez_action action,
                        const char *name, const char *words)
{
    const uint64_t arg[] = { EZ_C_MODULE + ((uint64_t)MPI << 16) + code, action, 2 };
    char text[256];
    size_t n = (size_t)snprintf(text, sizeof text, "%s%cmpi%c%s", name, 0, 0, words);
    must(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_MEANING, 1, pid, arg, 3, text, n }));
}

static void begin_rank(struct rank *r, const char *folder, uint64_t rank, uint64_t ranks)
{
    const uint64_t of[] = { rank, ranks };
    char path[4096];
    snprintf(path, sizeof path, "%s/r%llu.fxt", folder, (unsigned long long)rank);
    r->pid = 1000 + 10 * rank;
    r->now = 1000 + rank;
    must(ez_fxt_out_open(path, r->pid, &r->f));
    define_rank(r->f, r->pid, rank, ranks);
    for (uint64_t i = 0; i < 8; i++)
        define_function(r->f, r->pid, i, i);
    define_call(r->f, r->pid, MPI_EV_POP, EZ_A_POP, "", "");
    define_call(r->f, r->pid, MPI_EV_ISENDS, EZ_A_PUSH, "MPI_Isend",
                "comm:hex dest:int tag:int bytes:uint id:uint");
    define_call(r->f, r->pid, MPI_EV_IRECVS, EZ_A_PUSH, "MPI_Irecv",
                "comm:hex source:int tag:int id:uint");
    define_call(r->f, r->pid, WAITALL, EZ_A_PUSH, "MPI_Waitall", "count:int");
    define_call(r->f, r->pid, INIT, EZ_A_PUSH, "MPI_Init", "");
    define_call(r->f, r->pid, FINALIZE, EZ_A_PUSH, "MPI_Finalize", "");
    define_call(r->f, r->pid, ALLREDUCE, EZ_A_PUSH, "MPI_Allreduce", "comm:hex bytes:uint");
    mpi(r, INIT, NULL, 0);
    mpi(r, MPI_EV_RANK, of, 2);
    r->now += 10;
    mpi(r, MPI_EV_POP, NULL, 0);
}

static void pass(struct rank *r, uint64_t ns, uint64_t code, const uint64_t *arg, size_t n)
{
    r->now += ns;
    mpi(r, code, arg, n);
    r->now += 20;
    mpi(r, MPI_EV_POP, NULL, 0);
}

/* Computes, and sends to both neighbours. */
static void round_begins(struct rank *r, uint64_t rank, uint64_t ranks, uint64_t round,
                         uint64_t *seed)
{
    const uint64_t side[] = { (rank + 1) % ranks, (rank + ranks - 1) % ranks };
    for (uint64_t i = 0; i < 8; i++)
        call(r->f, r->now += 20 + dice(seed) % 300, r->pid, i, false);
    for (uint64_t i = 8; i-- > 0;)
        call(r->f, r->now += 20 + dice(seed) % 300, r->pid, i, true);
    for (uint64_t i = 0; i < 2; i++)
        pass(r, 20, MPI_EV_IRECVS, (uint64_t[]){ 1, side[i], 1 - i, 4 * round + i + 1 }, 4);
    r->sent = r->now + 20;
    for (uint64_t i = 0; i < 2; i++)
        pass(r, 20, MPI_EV_ISENDS, (uint64_t[]){ 1, side[i], i, 100, 4 * round + i + 3 }, 5);
}

static void round_ends(struct rank *all, uint64_t rank, uint64_t ranks, uint64_t round)
{
    const uint64_t side[] = { (rank + 1) % ranks, (rank + ranks - 1) % ranks };
    const uint64_t four = 4, id = 4 * round;
    struct rank *r = &all[rank];
    r->now += 20;
    mpi(r, WAITALL, &four, 1);
    for (int i = 0; i < 2; i++)
        if (all[side[i]].sent + LATENCY > r->now)
            r->now = all[side[i]].sent + LATENCY;
    mpi(r, MPI_EV_COMPLETE, (uint64_t[]){ id + 1, side[0], 1, id + 2, side[1], 0 }, 6);
    mpi(r, MPI_EV_SENT, (uint64_t[]){ id + 3, id + 4 }, 2);
    mpi(r, MPI_EV_POP, NULL, 0);
}

static void add_up(struct rank *all, uint64_t ranks)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < ranks; i++) {
        all[i].now += 20;
        mpi(&all[i], ALLREDUCE, (uint64_t[]){ 1, 8 }, 2);
        last = all[i].now > last ? all[i].now : last;
    }
    for (uint64_t i = 0; i < ranks; i++) {
        all[i].now = last + LATENCY;
        mpi(&all[i], MPI_EV_POP, NULL, 0);
    }
}

static void write_waits(const char *folder, uint64_t ranks, uint64_t events)
{
    struct rank *all = calloc(ranks, sizeof *all);
    uint64_t seed = 1;
    for (uint64_t i = 0; i < ranks; i++)
        begin_rank(&all[i], folder, i, ranks);
    for (uint64_t round = 0; round < events / ranks / 28; round++) {
        for (uint64_t i = 0; i < ranks; i++)
            round_begins(&all[i], i, ranks, round, &seed);
        for (uint64_t i = 0; i < ranks; i++)
            round_ends(all, i, ranks, round);
        if (round % 10 == 9)
            add_up(all, ranks);
    }
    for (uint64_t i = 0; i < ranks; i++) {
        pass(&all[i], 20, FINALIZE, NULL, 0);
        must(ez_fxt_out_close(all[i].f));
    }
    free(all);
}

int main(int argc, char **argv)
{
    uint64_t n[4] = { 0 };
    for (int i = 3; i < argc && i < 7; i++)
        n[i - 3] = strtoull(argv[i], NULL, 10);
    if (argc == 4 && !strcmp(argv[1], "deep"))
        write_deep(argv[2], n[0]);
    else if (argc == 5 && !strcmp(argv[1], "waits") && n[0] && n[0] <= 1024)
        write_waits(argv[2], n[0], n[1]);
    else if (argc == 7 && !strcmp(argv[1], "write") && n[0] && n[1])
        for (uint64_t rank = 0; rank < n[0]; rank++)
            write_rank(argv[2], rank, n);
    else
        return 2;
    return 0;
}

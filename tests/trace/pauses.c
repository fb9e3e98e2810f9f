/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pauses.c - `pauses FILE` writes a trace of three threads that wait for the trace, sleep and
 * are preempted, inside each other and across, in calls of which some are left by exceptions;
 * `pauses FILE gap`: and lose events; `pauses FILE many`: 180,003 calls. A tick is a
 * nanosecond. */
#include <stdio.h>
#include <string.h>

#include "engine/record/fxt_out.h"

#define BOTH (EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

enum { PID = 4242, US = 1000 };
enum { MAIN_LOOP, LOAD, COMPUTE };

static struct ez_fxt_out *out;

static void ok(ez_err *e)
{
    if (!e)
        return;
    fprintf(stderr, "%s\n", e->msg);
    exit(1);
}

static void put(uint64_t code, uint64_t tick, uint64_t tid, const uint64_t *arg, size_t n,
                const char *text, size_t len)
{
    ok(ez_fxt_out_define(
        out, &(struct ez_fxt_def){ (enum ez_def)(code - EZ_C_DEF), tick, tid, arg, n, text, len }));
}

static void definitions(void)
{
    static const char *const name[] = { "main_loop\0app", "load\0app", "compute\0lib.so" };
    const uint64_t schema[] = { 1, 1000000000 }, zero[] = { 1000, 1000 },
                   end[] = { 99001000, 99001000 };
    uint64_t pid = PID;
    put(EZ_C_DEF + EZ_DEF_SCHEMA, 1, PID, schema, 2, NULL, 0);
    put(EZ_C_DEF + EZ_DEF_CLOCK, 1000, PID, zero, 2, NULL, 0);
    put(EZ_C_DEF + EZ_DEF_CLOCK, 99001000, PID, end, 2, NULL, 0);
    put(EZ_C_DEF + EZ_DEF_PROCESS, 1, PID, &pid, 1, "app\0here", 8);
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t arg[] = { i, BOTH, 0x401000 + i };
        put(EZ_C_DEF + EZ_DEF_PROBE, 1, PID, arg, 3, name[i],
            strlen(name[i]) + 1 + strlen(name[i] + strlen(name[i]) + 1));
    }
}

static void call(uint64_t tick, uint64_t tid, uint64_t id, bool leave)
{
    put(EZ_C_PROBE + 2 * id + leave, tick, tid, NULL, 0, NULL, 0);
}

static void befalls(uint64_t tick, uint64_t tid, unsigned what, uint64_t arg)
{
    put(EZ_C_THREAD + what, tick, tid, &arg, what == EZ_T_GAP || what == EZ_T_SWITCH_OUT, NULL, 0);
}

/* A round of 300 us; what the kernel tells comes behind, as it does. */
static void one_round(uint64_t now, uint64_t tid, unsigned i, bool gap)
{
    const uint64_t unwound = EZ_EXIT_UNWOUND;
    call(now, tid, LOAD, false);
    call(now + 10 * US, tid, COMPUTE, false);
    if (i % 3) {
        call(now + 60 * US, tid, COMPUTE, true);
        call(now + 70 * US, tid, LOAD, true);
    } else {
        put(EZ_C_PROBE + 2 * COMPUTE + 1, now + 60 * US, tid, &unwound, 1, NULL, 0);
        put(EZ_C_PROBE + 2 * LOAD + 1, now + 61 * US, tid, &unwound, 1, NULL, 0);
    }
    call(now + 100 * US, tid, COMPUTE, false);
    befalls(now + 110 * US, tid, EZ_T_WAIT, 0);
    befalls(now + (150 + i % 40) * US, tid, EZ_T_WAIT_END, 0);
    if (gap && i % 100 == 50) {
        befalls(now + 200 * US, tid, EZ_T_GAP, i);
        befalls(now + 230 * US, tid, EZ_T_GAP_END, 0);
    }
    call(now + 250 * US, tid, COMPUTE, true);
    befalls(now + 120 * US, tid, EZ_T_SWITCH_OUT, 0);
    befalls(now + 140 * US, tid, EZ_T_SWITCH_IN, 0);
    befalls(now + 180 * US, tid, EZ_T_SWITCH_OUT, 1);
    befalls(now + 195 * US, tid, EZ_T_SWITCH_IN, 0);
    befalls(now + 260 * US, tid, EZ_T_SWITCH_OUT, i & 1);
    befalls(now + 290 * US, tid, EZ_T_SWITCH_IN, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    ok(ez_fxt_out_open(argv[1], PID, &out));
    bool gap = argc > 2 && !strcmp(argv[2], "gap");
    uint64_t rounds = argc > 2 && !gap ? 20000 : 300, end = (rounds + 30) * 300 * US;
    definitions();
    for (uint64_t t = 0; t < 3; t++) {
        call(1000, PID + t, MAIN_LOOP, false);
        for (unsigned i = 0; i < rounds; i++)
            one_round(2000 + (uint64_t)i * 300 * US + t * 7 * US, PID + t, i, gap);
        call(end + t, PID + t, MAIN_LOOP, true);
    }
    ok(ez_fxt_out_close(out));
    return 0;
}

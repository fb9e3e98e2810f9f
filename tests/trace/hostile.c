/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostile.c - `hostile FILE` writes a trace whose names want to be more than names, with
 * all a picture can show: 24 threads, recursion, calls that never end, points, links
 * between threads, variables. `hostile FILE empty`: no event but one; `hostile FILE short`: ten
 * nanoseconds, with a call that took less than one; `hostile FILE points`: 6,000 points and a variable. */
#include <stdio.h>
#include <string.h>

#include "engine/record/fxt_out.h"

#define BOTH (EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

enum { PID = 4242, THREADS = 24, NAMES = 11, DEEP = 300, ROUNDS = 200 };
enum { TICK = 0x500, SPEED, QUEUE, SEND, RECEIVE };

static struct ez_fxt_out *out;
static char longest[3001];
static const char *const name[NAMES] = {
    "</script><script>document.title=\"owned\"</script>",
    "<img src=x onerror='document.title=\"owned\"'>",
    "\"quoted\" 'single' `back` \\ & &lt;",
    "caf\303\251 \343\203\210\343\203\254\343\203\274\343\202\271 \360\237\224\245 "
    "\342\200\256reversed",
    "<!--<script>",
    "]]>\n\t\001{{7*7}}${8*8}",
    "bad \377\376 bytes",
    longest,
    "recurse",
    "never_ends",
    "@DATA@ @SCRIPT@ __proto__",
};

static void ok(ez_err *e)
{
    if (!e)
        return;
    fprintf(stderr, "%s\n", e->msg);
    exit(1);
}

static void define(enum ez_def kind, const uint64_t *arg, size_t narg, const char *a, const char *b)
{
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", a) + 1;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", b);
    ok(ez_fxt_out_define(out, &(struct ez_fxt_def){ kind, 1, PID, arg, narg, text, n }));
}

static void probe(uint64_t id, uint64_t flags, const char *function)
{
    uint64_t arg[] = { id, flags, 0x401000 + id };
    define(EZ_DEF_PROBE, arg, 3, function, "lib<b>evil</b>.so");
}

static void meaning(uint64_t code, enum ez_action action, uint64_t level, const char *text)
{
    uint64_t arg[] = { code, action, level };
    define(EZ_DEF_MEANING, arg, 3, text, "group");
}

static void call(uint64_t tick, uint64_t thread, uint64_t id, bool leave)
{
    uint64_t word[] = { tick, PID + thread, (EZ_C_PROBE + 2 * id + leave) << 8 | 1 };
    ok(ez_fxt_out_events(out, word, 3));
}

static void event(uint64_t tick, uint64_t thread, uint64_t code, uint64_t a, uint64_t b)
{
    uint64_t word[] = { tick, PID + thread, code << 8 | 4, a, b, 0 };
    ok(ez_fxt_out_events(out, word, 6));
}

static void definitions(void)
{
    uint64_t version[] = { 1, 1000000000 }, pid = PID, tid;
    memset(longest, 'N', sizeof longest - 1);
    define(EZ_DEF_SCHEMA, version, 2, "", "");
    define(EZ_DEF_PROCESS, &pid, 1, "</title><script>alert(1)</script>", "host");
    for (uint64_t i = 0; i < THREADS; i++) {
        char text[64];
        snprintf(text, sizeof text, i ? "a worker with rather a long name %d" : "<u>main</u>",
                 (int)i);
        tid = PID + i;
        define(EZ_DEF_THREAD, &tid, 1, text, "");
    }
    for (uint64_t i = 0; i < NAMES; i++)
        probe(i, BOTH, name[i]);
    probe(NAMES, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "<s>point</s>");
    meaning(TICK, EZ_A_EVENT, 2, "<i>tick</i>");
    meaning(SPEED, EZ_A_VAR_SET, 1, "<script>speed");
    meaning(QUEUE, EZ_A_VAR_ADD, 2, "queue");
    meaning(SEND, EZ_A_LINK_START, 2, "message");
    meaning(RECEIVE, EZ_A_LINK_END, 2, "message");
}

/* Every thread calls all names, one inside the other or after it, in its own rhythm. */
static void story(void)
{
    uint64_t now = 1000;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t thread = i % THREADS, f = i % 8, g = (i * 5 + 3) % 8;
        call(now, thread, f, false);
        call(now + 300, thread, g, false);
        event(now + 400, thread, TICK, i, 0);
        event(now + 450, thread, SEND, i, 0);
        event(now + 500, thread, SPEED, (uint64_t)((int64_t)(i * i % 97) - 40), 0);
        call(now + 900, thread, g, true);
        call(now + 900, thread, g, false); /* of no length */
        call(now + 900, thread, g, true);
        event(now + 1000, (thread + 3) % THREADS, QUEUE, i % 3 ? 1 : (uint64_t)-2, 0);
        call(now + 1500 + i, thread, f, true);
        event(now + 1900, (thread + 1) % THREADS, RECEIVE, i, 0);
        call(now + 1950, thread, NAMES, false);
        now += 2000;
    }
    for (unsigned i = 0; i < DEEP; i++)
        call(now += 10, 5, 8, false);
    for (unsigned i = 0; i < DEEP; i++)
        call(now += 10, 5, 8, true);
    call(now, 7, 9, false);
    call(now + 10, 7, 10, false);
    call(now + 20, 7, 9, false);
    call(now + 500, 8, 10, true); /* it never began */
    call(now + 5000, 9, 10, false);
    call(now + 6000, 9, 10, true);
}

static void ten_ns(void)
{
    call(1000, 0, 8, false);
    call(1003, 0, 8, true);
    call(1005, 0, 9, false);
    call(1005, 0, 9, true);
    call(1007, 0, 8, false);
    call(1010, 0, 8, true);
}

/* In two threads, one every microsecond. */
static void six_thousand(void)
{
    for (uint64_t i = 0; i < 6000; i++)
        event(1000 * (i + 1), i % 2, TICK, i, 0);
    for (uint64_t i = 0; i < 3; i++)
        event(6000001 + i, 0, QUEUE, i, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    ok(ez_fxt_out_open(argv[1], PID, &out));
    definitions();
    if (argc == 2)
        story();
    else if (!strcmp(argv[2], "short"))
        ten_ns();
    else if (!strcmp(argv[2], "points"))
        six_thousand();
    else
        event(1000, 0, TICK, 0, 0);
    ok(ez_fxt_out_close(out));
    return 0;
}

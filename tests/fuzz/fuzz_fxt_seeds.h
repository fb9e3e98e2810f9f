/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fxt_seeds.h - writes the files that fuzz_fxt.c begins with: all that a trace may have. */
#ifndef FUZZ_FXT_SEEDS_H
#define FUZZ_FXT_SEEDS_H

#include "engine/data_abi.h"
#include "engine/record/fxt_out.h"
#include "tests/unit/trace_file.h"

/* ---- probes ------------------------------------------------------------------------------ */

static void write_example(const char *path, unsigned kind, bool compress)
{
    struct ez_fxt_out *f;
    tf_ok(ez_fxt_out_begin(&(struct ez_fxt_want){ path, 42, false, compress }, &f));
    uint64_t accounting[] = { 20, 12, 3, 2, 3, 7, 1 }, schema[] = { 1, 1000000000 };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, 42, schema, 2, NULL, 0 }));
    tf_process(f, 42 + kind, "/bin/app", kind & 1 ? "here" : "there");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "lib.so");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    for (uint64_t c = 4; c < 4 + EZ_A_COUNT; c++)
        tf_meaning(f, c, (enum ez_action)(c - 4), (unsigned)(c + kind) % 3, "name");
    for (uint64_t i = 0; i < 4 * (kind + 1); i++) {
        uint64_t t = 1 + i % 3;
        tf_put(f, 100 * i + 50 * t, t, (uint32_t)i % 2, kind > 1 && i % 4 > 1);
        tf_put(f, 100 * i + 40, t, 2, false);
        if (kind != 1) /* a file without any argument, too */
            tf_event(f, 100 * i + 30, t, 4 + i % EZ_A_COUNT, t, 2);
        tf_put(f, 100 * i + 20, t, (uint32_t)i % 2, true);
        if (kind == 3) {
            tf_thread(f, 100 * i + 60, t, (unsigned)i % 6, i % 2);
            tf_unwind(f, 100 * i + 70, t, (uint32_t)i % 2);
            tf_thread(f, 100 * i + 80, t, (unsigned)(i / 2) % 6, i % 3 % 2);
        }
    }
    tf_clock(f, 2000001, 1700000000002000000u, 2000001);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, accounting, 7, NULL, 0 }));
    tf_ok(ez_fxt_out_close(f));
}

/* ---- modules ------------------------------------------------------------------------------ */

static void module(struct ez_fxt_out *f, uint64_t id, const char *name)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s%cwhat it shows", name, 0);
    tf_ok(ez_fxt_out_define(f,
                            &(struct ez_fxt_def){ EZ_DEF_MODULE, 1, 42, &id, 1, text, (size_t)n }));
}

static void event_is(struct ez_fxt_out *f, uint64_t code, enum ez_action action, unsigned level,
                     const char *name, const char *words)
{
    uint64_t arg[] = { code, action, level };
    char text[128];
    int n = snprintf(text, sizeof text, "%s%cmod%c%s", name, 0, 0, words);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_MEANING, 1, 42, arg, 3, text, (size_t)n }));
}

static uint64_t bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Subjects with names and without, amounts that are held, samples, words of all types; one event of
 * the module that has no meaning. */
static void write_words(const char *path)
{
    const uint64_t c = EZ_C_MODULE + (0x30 << 16), addr = 0x401234;
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    module(f, 0x30, "mine");
    tf_ok(
        ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SYMBOL, 1, 42, &addr, 1, "main+8", 6 }));
    event_is(f, c + 1, EZ_A_PUSH, 2, "Critical Section", "@lock:data");
    event_is(f, c + 2, EZ_A_POP, 2, "", "@lock:data");
    event_is(f, c + 3, EZ_A_EVENT, 2, "opened", "@file:int path:name");
    event_is(f, c + 4, EZ_A_HOLD, 1, "Used", "block:hex bytes:uint @caller:code");
    event_is(f, c + 5, EZ_A_RELEASE, 1, "Used", "block:hex");
    event_is(f, c + 6, EZ_A_SAMPLE, 2, "", "faults:uint cycles:uint");
    event_is(f, c + 7, EZ_A_VAR_SET, 2 | EZ_LEVEL_DOUBLE, "Ratio", "value:double @region:code");
    event_is(f, c + 8, EZ_A_VAR_ADD, 1, "Bytes", "bytes:int @file:int");
    event_is(f, c + 9, EZ_A_EVENT, 2, "said", "n:int what:text");
    event_is(f, c + 10, EZ_A_LINK_START, 2, "gave", "key:uint to:int");
    event_is(f, c + 11, EZ_A_LINK_END, 2, "gave", "key:uint from:int");
    event_is(f, c + 13, EZ_A_PUSH, 2, "Blocked on a mutex", "@lock:data");
    event_is(f, c + 14, EZ_A_POP, 2, "", "");
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t t = 200000 * i, tid = 42 + i % 2, what[5] = { i % 3 };
        memcpy(what + 1, "a name that is long", 20);
        tf_args(f, t, tid, c + 1, (uint64_t[]){ 0x7000 + i % 3 }, 1);
        tf_args(f, t + 1, tid, c + 6, (uint64_t[]){ i, 100 * i }, 2);
        tf_args(f, t + 2, tid, c + 3, what, i % 4 == 3 ? 1 : 4); /* or it has no name any more */
        tf_args(f, t + 3, tid, c + 4, (uint64_t[]){ i % 5, 100 + i, addr }, 3);
        tf_args(f, t + 4, tid, c + 5, (uint64_t[]){ (i + 3) % 5 }, 1);
        tf_args(f, t + 5, tid, c + 7, (uint64_t[]){ bits(1.5 * (double)i), addr + i % 2 }, 2);
        tf_args(f, t + 6, tid, c + 8, (uint64_t[]){ 10, i % 3 }, 2);
        tf_args(f, t + 7, tid, c + 9, what, 5);
        tf_args(f, t + 8, tid, c + 10 + i % 2, (uint64_t[]){ i / 2, 42, 7 }, 3);
        tf_args(f, t + 9, tid, c + 12, what, 3);
        tf_args(f, t + 10, tid, c + 6, NULL, 0);
        tf_args(f, t + 11, tid, c + 13, (uint64_t[]){ 0x7000 + (i + 1) % 3 }, 1);
        tf_args(f, t + 100000, tid, c + 14, NULL, 0);
        tf_args(f, t + 150000, tid, c + 6, (uint64_t[]){ i + 1, 100 * i + 50 }, 2);
        tf_args(f, t + 150001, tid, c + 2, (uint64_t[]){ 0x7000 + i % 3 }, 1);
    }
    tf_ok(ez_fxt_out_close(f));
}

/* What probes collected: every type, texts before and behind other words, lengths that are cut, values
 * that could not be read, a call that ended by a jump, an event that ends too early. */
static void write_items(const char *path)
{
    static const char *const items[] = {
        "n\tint\ns\ttext\n+s\thex\nf\tcode\np\tptr\nb\tbytes\nn\tuint\n",
        "$ret\tflags A=1,B=2/6\nd\tdouble\nw\tfloat\nc\tchar\ny\tbool\ne\tenum RED=0,BLUE=-1\n"
        "x\tcomplex\nl\tldouble\ni\tint128\nu\tuint128\nlater\tunknown\n"
    };
    const uint64_t addr = 0x401234;
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_probe(f, 1, TF_BOTH, "call", "app");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SYMBOL, 1, 42, &addr, 1, "f", 1 }));
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t code = EZ_C_PROBE + 2 + i; /* the last: of the point */
        const char *text = items[i % 2];
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_ITEMS, 1, 42, &code, 1, text, strlen(text) }));
    }
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t t = 200000 * i, tid = 42 + i % 2, bad = 1ull << EZ_DATA_BAD << i % 8;
        uint64_t in[] = { i,
                          9 | (i % 2 ? EZ_TEXT_CUT : 0),
                          0x6162636465666768,
                          0x69,
                          7,
                          addr,
                          addr + 1,
                          3,
                          0x010203,
                          i,
                          bad };
        uint64_t out[] = { i % 4 ? bad : EZ_DATA_TAIL,
                           i,
                           bits(1.5),
                           bits(0.5),
                           'A',
                           1,
                           -1ull,
                           bits(2),
                           bits(-3),
                           i,
                           0x4000,
                           -1ull,
                           i,
                           i,
                           -1ull };
        tf_args(f, t, tid, EZ_C_PROBE + 2, in, 11 - i % 12);
        tf_args(f, t + 1, tid, EZ_C_PROBE + 4, in, i % 2 ? 11 : 10);
        tf_args(f, t + 2, tid, EZ_C_PROBE + 3, out, i % 4 ? EZ_ARRAY_LEN(out) : 1);
    }
    tf_ok(ez_fxt_out_close(f));
}

/* Aggregates: each kind, keys of several types, histograms; values that come twice, for tables that nobody
 * defined, of buckets that are none, and with texts that end nowhere. */
static void write_adds(const char *path, uint64_t pid)
{
    static const char *const types[] = { "int", "text", "code", "double", "later", "ptr" };
    const uint64_t addr = 0x401234;
    struct ez_fxt_out *f = tf_open(path, (int)pid);
    tf_process(f, pid, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SYMBOL, 1, pid, &addr, 1, "f+1", 3 }));
    for (uint64_t i = 0; i < 12; i++) {
        char text[64];
        uint64_t arg[] = { i == 10 ? 1ull << 40 : i % 9, i, 1 + i % 9 + (i % 4 == 3 ? 0x100 : 0),
                           pid };
        int n = snprintf(text, sizeof text, "work%c$arg0%ckey%c%s", 0, 0, 0, types[i % 6]);
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_ADDS, 1, pid, arg, 4, text, (size_t)n }));
    }
    for (uint64_t i = 0; i < 30; i++) {
        uint64_t row[] = { i % 11, i, i % 3 ? addr : i, i % 7, i * i, -i, 1ull << i };
        uint64_t pair[] = { i % 11, row[2], 3, 1, 495, 2, i % 2 ? 496 : 8, -1ull, 9 };
        tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_ADDED, 1, pid, row, 7,
                                                         "a key that is a text", i % 20 }));
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_BUCKETS, 1, pid, pair, 2 + i % 8, NULL, 0 }));
    }
    for (uint64_t i = 0; i < 9; i++)
        tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_THROTTLE, 1, pid,
                                                         (uint64_t[]){ i % 4, i % 2, 20 * i }, 3,
                                                         "work", i % 5 }));
    tf_put(f, 100, pid, 1, false);
    tf_ok(ez_fxt_out_close(f));
}

/* A process of MPI: all kinds of calls and messages of interp_mpi.c, with the other rank. */
static void write_mpi(const char *path, uint64_t rank)
{
    const uint64_t c = EZ_C_MODULE + (0x53 << 16), me = 42 + rank, other = 1 - rank, any = -1ull;
    static const uint64_t begins[] = { 100, 120, 140, 150, 160, 170, 180 };
    uint64_t t = 10 * rank;
    struct ez_fxt_out *f = tf_open(path, (int)me);
    tf_process(f, me, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_job(f, rank, "job 1");
    module(f, 0x53, "mpi");
    event_is(f, c + 91, EZ_A_POP, 2, "", "");
    event_is(f, c + 96, EZ_A_POP, 2, "", "source:int tag:int");
    for (unsigned i = 0; i < EZ_ARRAY_LEN(begins); i++)
        event_is(f, c + begins[i], EZ_A_PUSH, 2, i % 2 ? "MPI_Isend" : "MPI_Send", "");
    tf_args(f, t += 1, me, c + 92, (uint64_t[]){ rank, 2 }, 2);
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t send[] = { 1, other, i, 100 + i }, recv[] = { 1, i == 1 ? any : other, i, 10 + i },
                 both[] = { 1, other, 7, 8, other, i == 2 ? any : 7, 20 + i };
        for (unsigned k = 0; k < EZ_ARRAY_LEN(begins); k++) {
            const uint64_t *word = k < 2 ? send : k < 4 ? recv : both;
            unsigned n = k == 2 ? 3 : k < 4 ? 4 : k == 4 ? 6 : k == 5 ? 7 : 0;
            tf_args(f, t += 20, me, c + begins[k], word, n);
            if (k == 6) /* a call that waits for what is under way */
                tf_args(f, t += 5, me, c + 93,
                        (uint64_t[]){ 10 + i, other, i, 20 + i, other, 7, 30 + i, -2ull, 0 }, 9);
            if (k == 2 || k == 4)
                tf_args(f, t += 5, me, c + 96, (uint64_t[]){ other, k == 2 ? i : 7 }, 2);
            else
                tf_args(f, t += 5, me, c + 91, NULL, 0);
        }
        tf_args(f, t += 5, me, c + 94, send, 4);
        tf_args(f, t += 5, me, c + 95, recv, 4);
    }
    tf_ok(ez_fxt_out_close(f));
}

#endif

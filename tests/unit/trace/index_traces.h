/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_traces.h - random traces for check_index.c and check_by_thread.c: calls and hits of probes, waits, gaps, context
 * switches, events of modules, and definitions anywhere. Records of a thread follow one another, as
 * the drain thread writes them; context switches come from another source. */
#ifndef INDEX_TRACES_H
#define INDEX_TRACES_H

#include "tests/unit/trace_file.h"

enum { IT_FUNCTIONS = 12, IT_THREADS = 4, IT_DEEP = 24, IT_MODULE = EZ_C_MODULE + (7 << 16) };

typedef EZ_VEC(uint64_t) it_words;

struct it_thread {
    uint64_t tid;
    uint64_t open[IT_DEEP]; /* functions */
    unsigned depth;
    unsigned busy; /* of 100: how often it acts */
    bool out, waits;
    it_words records, switches; /* not in the file yet */
};

struct it_trace {
    uint64_t seed, now, fresh_tid;
    unsigned odd;     /* of 1000 records: those that are no plain calls */
    bool switches;    /* there are context switches */
    unsigned without; /* bit i: no events of kind i of the module */
    struct it_thread thread[IT_THREADS];
    it_words words;
};

static inline unsigned it_any(struct it_trace *t, unsigned n)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(t->seed >> 33) % n;
}

static inline void it_put(it_words *w, uint64_t tick, uint64_t tid, uint64_t code,
                          const uint64_t *arg, size_t n)
{
    EZ_PUSH(w, tick);
    EZ_PUSH(w, tid);
    EZ_PUSH(w, code << 8 | (n + 1));
    EZ_APPEND(w, arg, n);
}

static inline void it_text(it_words *w, enum ez_def kind, const uint64_t *arg, size_t n,
                           const char *text, size_t len)
{
    uint64_t all[64] = { 0 };
    if (n)
        memcpy(all, arg, n * 8);
    memcpy(all + n, text, len);
    it_put(w, 1, 42, EZ_C_DEF + kind, all, n + (len + 7) / 8);
}

/* Function 8 is a point; 9 and 10 collect values; 11 has the name of function 0. */
static inline void it_probe(it_words *w, uint64_t id)
{
    char text[64];
    uint64_t arg[] = { id, id == 8 ? EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY : TF_BOTH, 0x401000 + id };
    int n = snprintf(text, sizeof text, "f%u%clib%u", (unsigned)(id % 11), 0, (unsigned)(id % 2));
    if (id == 11)
        n = snprintf(text, sizeof text, "f0%clib0", 0);
    it_text(w, EZ_DEF_PROBE, arg, 3, text, (size_t)n);
}

static inline void it_meaning(it_words *w, unsigned i, enum ez_action action, unsigned level,
                              const char *name, const char *words)
{
    char text[128];
    uint64_t arg[] = { IT_MODULE + i, action, level };
    int n = snprintf(text, sizeof text, "%s%cmod%c%s", name, 0, 0, words);
    it_text(w, EZ_DEF_MEANING, arg, 3, text, (size_t)n);
}

enum {
    IT_PUSH,
    IT_POP,
    IT_SET,
    IT_POINT,
    IT_VAR,
    IT_ADD,
    IT_START,
    IT_END,
    IT_HOLD,
    IT_RELEASE,
    IT_SAMPLE,
    IT_OPEN,
    IT_WIDE,
    IT_UNKNOWN,
    IT_MEANINGS
};

static inline void it_begin(struct it_trace *t, uint64_t pid, const char *host)
{
    char text[64];
    uint64_t schema[] = { 1, 1000000000 }, id = 7;
    int n = snprintf(text, sizeof text, "app%c%s", 0, host);
    it_put(&t->words, 1, 42, EZ_C_DEF + EZ_DEF_SCHEMA, schema, 2);
    it_text(&t->words, EZ_DEF_PROCESS, &pid, 1, text, (size_t)n);
    for (uint64_t i = 0; i < IT_FUNCTIONS - 1; i++)
        it_probe(&t->words, i);
    for (uint64_t i = 9; i < 11; i++)
        for (uint64_t k = 0; k < 2; k++)
            it_text(&t->words, EZ_DEF_ITEMS, (uint64_t[]){ EZ_C_PROBE + 2 * i + k }, 1, "n\tint",
                    5);
    it_text(&t->words, EZ_DEF_MODULE, &id, 1, "mod\0nothing", 12);
    it_meaning(&t->words, IT_PUSH, EZ_A_PUSH, 2, "Held", "@lock:hex");
    it_meaning(&t->words, IT_POP, EZ_A_POP, 2, "", "@lock:hex");
    it_meaning(&t->words, IT_SET, EZ_A_SET, 2, "Phase", "");
    it_meaning(&t->words, IT_POINT, EZ_A_EVENT, 2, "tick", "n:int");
    it_meaning(&t->words, IT_VAR, EZ_A_VAR_SET, 1, "level", "");
    it_meaning(&t->words, IT_ADD, EZ_A_VAR_ADD, 0, "sum", "");
    it_meaning(&t->words, IT_START, EZ_A_LINK_START, 2, "message", "");
    it_meaning(&t->words, IT_END, EZ_A_LINK_END, 2, "message", "");
    it_meaning(&t->words, IT_HOLD, EZ_A_HOLD, 1, "memory", "");
    it_meaning(&t->words, IT_RELEASE, EZ_A_RELEASE, 1, "memory", "");
    it_meaning(&t->words, IT_SAMPLE, EZ_A_SAMPLE, 2, "", "cycles:uint");
    it_meaning(&t->words, IT_OPEN, EZ_A_PUSH, 2, "file", "@fd:int path:name");
    it_meaning(&t->words, IT_WIDE, EZ_A_PUSH, 1, "busy", "");
}

static inline void it_flush(struct it_trace *t, it_words *w)
{
    EZ_APPEND(&t->words, w->at, w->n);
    w->n = 0;
}

/* A definition between the events. */
static inline void it_define(struct it_trace *t)
{
    unsigned what = it_any(t, 5);
    struct it_thread *th = &t->thread[it_any(t, IT_THREADS)];
    if (what == 0)
        it_put(&t->words, t->now, 42, EZ_C_DEF + EZ_DEF_CLOCK,
               (uint64_t[]){ 1000000000 + t->now, t->now }, 2);
    else if (what == 1)
        it_text(&t->words, EZ_DEF_THREAD, &th->tid, 1, "worker", 7);
    else if (what == 2) /* long runs of definitions are read from the file */
        for (unsigned i = it_any(t, 200); i; i--)
            it_text(&t->words, EZ_DEF_SYMBOL, (uint64_t[]){ 0x402000 + it_any(t, 500) }, 1, "sym",
                    4);
    else if (what == 3)
        it_text(&t->words, EZ_DEF_TEXT, NULL, 0, "the start of a name", 16);
    else
        it_put(&t->words, t->now, 42, EZ_C_DEF + EZ_DEF_EPOCH, NULL, 0);
}

static inline void it_module(struct it_trace *t, struct it_thread *th)
{
    unsigned what = it_any(t, IT_MEANINGS);
    if (t->without >> what & 1)
        return;
    uint64_t arg[4] = { it_any(t, 6), 0, 3, 4 };
    if (what == IT_START || what == IT_END) /* with the other thread, or without */
        arg[1] = it_any(t, 2) ? t->thread[it_any(t, IT_THREADS)].tid : 0;
    if (what == IT_OPEN)
        memcpy(arg + 1, "/etc/x", 7);
    it_put(&th->records, t->now, th->tid, IT_MODULE + what, arg,
           what == IT_PUSH || what == IT_POP ? 1 : 2);
}

static inline void it_switch(struct it_trace *t, struct it_thread *th)
{
    if (it_any(t, 8)) /* else it is lost */
        it_put(&th->switches, t->now - it_any(t, 30), th->tid,
               EZ_C_THREAD + (th->out ? EZ_T_SWITCH_IN : EZ_T_SWITCH_OUT),
               (uint64_t[]){ it_any(t, 2) }, !th->out);
    th->out = !th->out;
    t->now += 40; /* a thread's switches stay in order */
    if (th->out && it_any(t, 2))
        t->now += 30000; /* a call later than that shows that the thread runs */
}

static inline void it_odd(struct it_trace *t, struct it_thread *th)
{
    unsigned what = it_any(t, 13);
    if (what == 12) { /* signals come from another source, as switches */
        it_put(&th->switches, t->now, th->tid, EZ_C_THREAD + EZ_T_SIGNAL,
               (uint64_t[]){ 1 + it_any(t, 3) }, 1);
    } else if (what == 0) {
        it_put(&th->records, t->now, th->tid, EZ_C_THREAD + (th->waits ? EZ_T_WAIT_END : EZ_T_WAIT),
               NULL, 0);
        th->waits = !th->waits;
    } else if (what == 1 && !it_any(t, 4)) {
        it_put(&th->records, t->now, th->tid, EZ_C_THREAD + EZ_T_GAP, (uint64_t[]){ 5 }, 1);
        if (it_any(t, 2))
            it_put(&th->records, ++t->now, th->tid, EZ_C_THREAD + EZ_T_GAP_END, NULL, 0);
        if (it_any(t, 2))
            th->depth = 0; /* else exits without entries follow */
    } else if (what == 2) {
        it_put(&th->records, t->now, th->tid, EZ_C_PROBE + 2 * it_any(t, 8) + 1, NULL, 0);
    } else if (what == 3 && th->depth) { /* exits are missing */
        th->depth -= 1 + it_any(t, th->depth);
    } else if (what == 4) {
        it_define(t);
    } else if (what == 5 && !it_any(t, 3)) { /* another thread, from now on */
        it_flush(t, &th->records);
        it_flush(t, &th->switches);
        *th = (struct it_thread){ .tid = t->fresh_tid++,
                                  .busy = 1 + it_any(t, 100),
                                  .records = th->records,
                                  .switches = th->switches };
    } else if (what < 9 && t->switches) {
        it_switch(t, th);
    } else {
        it_module(t, th);
    }
}

/* An entry or an exit, or a hit of a point. */
static inline void it_call(struct it_trace *t, struct it_thread *th)
{
    uint64_t f, exit = th->depth == IT_DEEP || (th->depth && it_any(t, 2));
    uint64_t arg[2] = { 0, it_any(t, 3) };
    if (exit)
        f = th->open[--th->depth];
    else
        f = it_any(t, 100) ? it_any(t, 11) : 11;
    unsigned n = f == 9 || f == 10 ? 1 + (unsigned)exit : 0;
    if (exit && !it_any(t, 50)) {
        arg[0] = EZ_EXIT_UNWOUND;
        n = 1;
    }
    it_put(&th->records, t->now, th->tid, EZ_C_PROBE + 2 * f + exit, exit ? arg : arg + 1, n);
    if (!exit && f != 8)
        th->open[th->depth++] = f;
}

static inline void it_step(struct it_trace *t)
{
    struct it_thread *th = &t->thread[it_any(t, IT_THREADS)];
    t->now += it_any(t, 30);
    if (it_any(t, 100) >= th->busy)
        return;
    if (it_any(t, 1000) < t->odd)
        it_odd(t, th);
    else
        it_call(t, th);
    if (th->records.n > 3000 || !it_any(t, 400))
        it_flush(t, &th->records);
    if (!it_any(t, 400))
        it_flush(t, &t->thread[it_any(t, IT_THREADS)].switches);
}

/* Makes the words of a random trace of about n records. The caller frees them. */
static inline it_words it_make(uint64_t seed, size_t n, uint64_t pid, const char *host,
                               unsigned without)
{
    struct it_trace t = {
        .seed = seed * 1000003 + 7, .now = 1000, .fresh_tid = pid * 1000, .without = without
    };
    t.odd = it_any(&t, 4) * it_any(&t, 8);
    t.switches = it_any(&t, 2);
    for (unsigned i = 0; i < IT_THREADS; i++)
        t.thread[i] = (struct it_thread){ .tid = pid + i, .busy = 1 + it_any(&t, 100) };
    t.thread[0].busy = 100;
    it_begin(&t, pid, host);
    for (size_t at = 0; at < 3 * n; at = t.words.n) {
        it_step(&t);
        for (unsigned i = 0; i < 50; i++)
            it_step(&t);
        if (t.words.n > n && !it_any(&t, 500)) /* a probe that is defined late */
            it_probe(&t.words, 11);
    }
    for (unsigned i = 0; i < IT_THREADS; i++) {
        it_flush(&t, &t.thread[i].records);
        it_flush(&t, &t.thread[i].switches);
        EZ_VEC_FREE(&t.thread[i].records);
        EZ_VEC_FREE(&t.thread[i].switches);
    }
    return t.words;
}

/* Writes a random trace without some events of the module. */
static inline void it_write_without(const char *path, uint64_t seed, size_t n, uint64_t pid,
                                    const char *host, bool compress, unsigned without)
{
    struct ez_fxt_out *f;
    it_words w = it_make(seed, n, pid, host, without);
    const struct ez_fxt_want want = { .path = path, .traced_pid = (int)pid, .compress = compress };
    tf_ok(ez_fxt_out_begin(&want, &f));
    for (size_t at = 0; at < w.n;) {
        size_t k = 0;
        while (at + k < w.n && k < 3000)
            k += ez_fxt_words(w.at + at + k);
        tf_ok(ez_fxt_out_events(f, w.at + at, k));
        at += k;
    }
    EZ_VEC_FREE(&w);
    tf_ok(ez_fxt_out_close(f));
}

static inline void it_write(const char *path, uint64_t seed, size_t n, uint64_t pid,
                            const char *host, bool compress)
{
    it_write_without(path, seed, n, pid, host, compress, 0);
}

#endif

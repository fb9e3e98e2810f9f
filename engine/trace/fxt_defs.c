/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_defs.c - collects the definition events of a trace (fxt_defs.h). Files may be damaged: no
 * function in this file trusts an argument count, or that a text ends with a 0.
 *
 * Tests: tests/unit/record/check_fxt.c */
#include "engine/trace/fxt_defs.h"

#include <string.h>

/* Copies the two texts "a\0b" that begin in argument `from`. The caller frees *a; *b points into
 * *a. b may be NULL. */
static void fxt_defs_texts(const struct ez_fxt_event *ev, unsigned from, char **a, char **b)
{
    size_t n = ev->narg > from ? (ev->narg - from) * 8 : 0;
    *a = ez_alloc(n + 3); /* zeroed, so that a text that the file lacks is "" */
    if (n)
        memcpy(*a, ev->arg + from, n);
    if (b)
        *b = *a + strlen(*a) + 1;
}

size_t ez_fxt_defs_probe(struct ez_fxt_defs *d, uint32_t id)
{
    size_t i = ez_hash_put(&d->by_id, id, d->probes.n);
    if (i == d->probes.n) {
        struct ez_fxt_probe p = { .id = id, .flags = EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT };
        p.function = ez_sprintf("probe %u", id);
        p.library = p.function + strlen(p.function);
        EZ_PUSH(&d->probes, p);
    }
    return i;
}

size_t ez_fxt_defs_thread(struct ez_fxt_defs *d, uint64_t tid)
{
    size_t i = ez_hash_put(&d->by_tid, tid, d->threads.n);
    if (i == d->threads.n) {
        struct ez_fxt_thread t = { tid, ez_strdup("") };
        EZ_PUSH(&d->threads, t);
    }
    return i;
}

static void fxt_learn_probe(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    size_t i = ez_fxt_defs_probe(d, (uint32_t)ev->arg[0]);
    struct ez_fxt_probe *p = &d->probes.at[i];
    free(p->function);
    p->flags = (uint32_t)ev->arg[1];
    p->addr = ev->arg[2];
    fxt_defs_texts(ev, 3, &p->function, &p->library);
}

static void fxt_learn_count(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    size_t i;
    if (!ez_hash_get(&d->by_id, (uint32_t)ev->arg[0], &i))
        return;
    d->probes.at[i].entries = ev->arg[1];
    d->probes.at[i].exits = ev->arg[2];
}

static void fxt_learn_thread(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    size_t i = ez_fxt_defs_thread(d, ev->arg[0]);
    struct ez_fxt_thread *t = &d->threads.at[i];
    free(t->name);
    fxt_defs_texts(ev, 1, &t->name, NULL);
}

static void fxt_learn_clock(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_calibration c = { ev->tick, ev->arg[0], ev->arg[1] };
    EZ_PUSH(&d->clocks, c);
}

/* Stores the meaning of a code. A second meaning of a code is ignored, because a code never changes
 * its meaning. */
static void fxt_learn_meaning(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_meaning m = { .code = ev->arg[0], .action = (enum ez_action)ev->arg[1] };
    unsigned level = (unsigned)(ev->arg[2] & ~(uint64_t)EZ_LEVEL_DOUBLE);
    if (ev->arg[1] >= EZ_A_COUNT || ev->arg[2] > (EZ_LEVEL_DOUBLE | 2) || level > 2 ||
        ez_hash_put(&d->by_code, m.code, d->meanings.n) != d->meanings.n)
        return;
    m.level = level;
    m.is_double = ev->arg[2] & EZ_LEVEL_DOUBLE;
    fxt_defs_texts(ev, 3, &m.name, &m.group);
    /* if a later version wrote words that this version cannot parse, the action is used without
     * words */
    if (!ez_words_parse(m.group + strlen(m.group) + 1, &m.words))
        m.words.n = 0;
    EZ_PUSH(&d->meanings, m);
}

static void fxt_learn_module(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_module m = { .id = ev->arg[0] };
    fxt_defs_texts(ev, 1, &m.name, &m.desc);
    EZ_PUSH(&d->modules, m);
}

static void fxt_learn_items(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_items k = { .code = ev->arg[0] };
    char *text;
    if (ez_hash_put(&d->items_by_code, k.code, d->items.n) != d->items.n)
        return;
    fxt_defs_texts(ev, 1, &text, NULL);
    ez_items_parse(text, &k.items);
    free(text);
    EZ_PUSH(&d->items, k);
}

static void fxt_learn_throttle(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_throttle t = { .addr = ev->arg[0], .tick = ev->arg[2], .on = ev->arg[1] };
    fxt_defs_texts(ev, 3, &t.function, &t.library);
    EZ_PUSH(&d->throttles, t);
}

const struct ez_items *ez_fxt_defs_items(const struct ez_fxt_defs *d, uint64_t code)
{
    size_t i;
    return ez_hash_get(&d->items_by_code, code, &i) ? &d->items.at[i].items : NULL;
}

static void fxt_learn_symbol(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_symbol s = { .addr = ev->arg[0] };
    if (ez_hash_put(&d->by_addr, s.addr, d->symbols.n) != d->symbols.n)
        return;
    fxt_defs_texts(ev, 1, &s.name, NULL);
    size_t twin = ez_hash_put(&d->by_symbol, ez_hash_key(EZ_HASH_SEED, s.name), d->symbols.n);
    s.shared = twin < d->symbols.n;
    if (s.shared)
        d->symbols.at[twin].shared = true;
    EZ_PUSH(&d->symbols, s);
}

static void fxt_learn_source(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_source s = { .addr = ev->arg[0],
                               .line = (unsigned)EZ_MIN(ev->arg[1], (uint64_t)INT32_MAX),
                               .last = (unsigned)EZ_MIN(ev->arg[2], (uint64_t)INT32_MAX) };
    if (ez_hash_put(&d->source_by_addr, s.addr, d->sources.n) != d->sources.n)
        return;
    fxt_defs_texts(ev, 3, &s.file, NULL);
    EZ_PUSH(&d->sources, s);
}

const char *ez_fxt_defs_symbol(const void *defs, uint64_t addr)
{
    const struct ez_fxt_defs *d = defs;
    size_t i;
    return ez_hash_get(&d->by_addr, addr, &i) ? d->symbols.at[i].name : NULL;
}

static void fxt_learn_process(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    free(d->program);
    d->pid = ev->arg[0];
    fxt_defs_texts(ev, 1, &d->program, &d->host);
}

/* Stores the job and the rank of the process. Ignores the event if the rank is too large for 32
 * bits, because the file may be damaged. */
static void fxt_learn_job(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    if (ev->arg[0] >= EZ_NO_RANK)
        return;
    free(d->job);
    d->rank = (uint32_t)ev->arg[0];
    d->ranks = (uint32_t)EZ_MIN(ev->arg[1], (uint64_t)UINT32_MAX);
    fxt_defs_texts(ev, 2, &d->job, NULL);
}

/* number of arguments before the text, for each kind of definition; definitions with fewer are
 * ignored */
static const unsigned least[] = {
    [EZ_DEF_CLOCK] = 2,    [EZ_DEF_PROBE] = 3,      [EZ_DEF_THREAD] = 1, [EZ_DEF_PROCESS] = 1,
    [EZ_DEF_EPOCH] = 0,    [EZ_DEF_ACCOUNTING] = 7, [EZ_DEF_SCHEMA] = 2, [EZ_DEF_MEANING] = 3,
    [EZ_DEF_JOB] = 2,      [EZ_DEF_COUNT] = 3,      [EZ_DEF_MODULE] = 1, [EZ_DEF_SYMBOL] = 1,
    [EZ_DEF_ITEMS] = 1,    [EZ_DEF_ADDS] = 4,       [EZ_DEF_ADDED] = 7,  [EZ_DEF_BUCKETS] = 2,
    [EZ_DEF_THROTTLE] = 3, [EZ_DEF_TEXT] = 0,       [EZ_DEF_SOURCE] = 3,
};

static void fxt_learn_text(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    for (unsigned i = 0; i < ev->narg && d->begun.n < EZ_FXT_TEXT / 8; i++)
        EZ_PUSH(&d->begun, ev->arg[i]);
}

static void fxt_learn(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev);

/* Handles a definition. If EZ_DEF_TEXT events with the beginning of its text preceded it, joins the
 * texts. */
static void fxt_learn_whole(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev)
{
    struct ez_fxt_event whole = *ev;
    size_t more = d->begun.n, fixed = least[kind];
    if (!more) {
        fxt_learn(d, kind, ev);
        return;
    }
    EZ_FREE uint64_t *arg = ez_alloc((ev->narg + more) * sizeof *arg);
    memcpy(arg, ev->arg, fixed * sizeof *arg);
    memcpy(arg + fixed, d->begun.at, more * sizeof *arg);
    if (ev->narg > fixed)
        memcpy(arg + fixed + more, ev->arg + fixed, (ev->narg - fixed) * sizeof *arg);
    whole.arg = arg;
    whole.narg += (unsigned)more;
    d->begun.n = 0;
    fxt_learn(d, kind, &whole);
}

void ez_fxt_defs_learn(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    uint64_t kind = ev->code - EZ_C_DEF;
    if (kind == EZ_DEF_TEXT)
        fxt_learn_text(d, ev);
    else if (kind < EZ_ARRAY_LEN(least) && ev->narg >= least[kind])
        fxt_learn_whole(d, (enum ez_def)kind, ev);
    else
        d->begun.n = 0; /* the text in d->begun belongs to a definition that is ignored */
}

static void fxt_learn(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev)
{
    switch (kind) {
    case EZ_DEF_CLOCK:
        fxt_learn_clock(d, ev);
        break;
    case EZ_DEF_PROBE:
        fxt_learn_probe(d, ev);
        break;
    case EZ_DEF_THREAD:
        fxt_learn_thread(d, ev);
        break;
    case EZ_DEF_PROCESS:
        fxt_learn_process(d, ev);
        break;
    case EZ_DEF_EPOCH:
        break;
    case EZ_DEF_ACCOUNTING:
        for (unsigned i = 0; i < EZ_ACCOUNTING; i++)
            d->accounting[i] = i < ev->narg ? ev->arg[i] : 0;
        d->has_accounting = true;
        break;
    case EZ_DEF_SCHEMA:
        d->ticks_per_s = ev->arg[1];
        break;
    case EZ_DEF_MEANING:
        fxt_learn_meaning(d, ev);
        break;
    case EZ_DEF_JOB:
        fxt_learn_job(d, ev);
        break;
    case EZ_DEF_COUNT:
        fxt_learn_count(d, ev);
        break;
    case EZ_DEF_MODULE:
        fxt_learn_module(d, ev);
        break;
    case EZ_DEF_SYMBOL:
        fxt_learn_symbol(d, ev);
        break;
    case EZ_DEF_ITEMS:
        fxt_learn_items(d, ev);
        break;
    case EZ_DEF_THROTTLE:
        fxt_learn_throttle(d, ev);
        break;
    case EZ_DEF_ADDS:
    case EZ_DEF_ADDED:
    case EZ_DEF_BUCKETS:
        ez_fxt_adds_learn(d, kind, ev);
        break;
    case EZ_DEF_SOURCE:
        fxt_learn_source(d, ev);
        break;
    case EZ_DEF_TEXT:
        break;
    }
}

void ez_fxt_defs_free(struct ez_fxt_defs *d)
{
    for (size_t i = 0; i < d->probes.n; i++)
        free(d->probes.at[i].function);
    for (size_t i = 0; i < d->threads.n; i++)
        free(d->threads.at[i].name);
    for (size_t i = 0; i < d->meanings.n; i++)
        free(d->meanings.at[i].name);
    EZ_VEC_FREE(&d->probes);
    EZ_VEC_FREE(&d->threads);
    EZ_VEC_FREE(&d->meanings);
    for (size_t i = 0; i < d->modules.n; i++)
        free(d->modules.at[i].name);
    EZ_VEC_FREE(&d->modules);
    for (size_t i = 0; i < d->symbols.n; i++)
        free(d->symbols.at[i].name);
    EZ_VEC_FREE(&d->symbols);
    for (size_t i = 0; i < d->sources.n; i++)
        free(d->sources.at[i].file);
    EZ_VEC_FREE(&d->sources);
    ez_hash_free(&d->source_by_addr);
    for (size_t i = 0; i < d->throttles.n; i++)
        free(d->throttles.at[i].function);
    EZ_VEC_FREE(&d->throttles);
    EZ_VEC_FREE(&d->clocks);
    for (size_t i = 0; i < d->items.n; i++)
        ez_items_free(&d->items.at[i].items);
    EZ_VEC_FREE(&d->items);
    ez_fxt_adds_free(d);
    EZ_VEC_FREE(&d->begun);
    ez_hash_free(&d->items_by_code);
    ez_hash_free(&d->by_code);
    ez_hash_free(&d->by_addr);
    ez_hash_free(&d->by_symbol);
    ez_hash_free(&d->by_id);
    ez_hash_free(&d->by_tid);
    free(d->program);
    free(d->job);
    *d = (struct ez_fxt_defs){ 0 };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.c - checks and reads the contents of the index of a trace (index.h). */
#include "engine/trace/index.h"

#define WORD sizeof(uint64_t)
#define HEAD_WORDS (sizeof(struct ez_index_head) / WORD)
#define MARK_WORDS (sizeof(struct ez_index_mark) / WORD)
#define RANGE_WORDS (sizeof(struct ez_index_range) / WORD)
/* A record is the words {number << 10 | narg << 2 | def << 1 | all, tick, tid, code, args...}. */
#define REC_WORDS 4
#define MOST_ARGS 254
#define MOST_RECORDS ((uint64_t)1 << 48)

uint64_t ez_index_sum(const uint64_t *word, size_t n)
{
    uint64_t h = EZ_INDEX_MAGIC;
    for (size_t i = offsetof(struct ez_index_head, sum) / WORD + 1; i < n; i++)
        h = ez_index_mix(h, word[i]);
    return h;
}

/* ---- records --------------------------------------------------------------------------------- */

bool ez_index_next(const struct ez_index *x, size_t *at, struct ez_index_rec *r)
{
    const uint64_t *w = x->rec + *at;
    if (x->head->words - *at < REC_WORDS)
        return false;
    *r = (struct ez_index_rec){ .number = w[0] >> 10,
                                .tick = w[1],
                                .tid = w[2],
                                .code = w[3],
                                .narg = w[0] >> 2 & 0xff,
                                .def = w[0] >> 1 & 1,
                                .all = w[0] & 1,
                                .arg = w + REC_WORDS };
    *at += REC_WORDS + r->narg;
    return *at <= x->head->words;
}

void ez_index_put(ez_index_words *w, const struct ez_index_rec *r)
{
    EZ_PUSH(w, r->number << 10 | (uint64_t)r->narg << 2 | (uint64_t)r->def << 1 | r->all);
    EZ_PUSH(w, r->tick);
    EZ_PUSH(w, r->tid);
    EZ_PUSH(w, r->code);
    EZ_APPEND(w, r->arg, r->narg);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool index_marks_are_right(const struct ez_index *x)
{
    const struct ez_index_head *h = x->head;
    uint64_t needs = 0;
    for (size_t i = 0; i < h->marks; i++) {
        const struct ez_index_mark *m = &x->mark[i], *was = i ? m - 1 : NULL;
        if (m->number % EZ_INDEX_BLOCK || m->number >= h->survey.records || m->needs < needs ||
            m->needs > h->needs)
            return false;
        if (was && (m->number <= was->number || m->pos <= was->pos || m->greatest < was->greatest))
            return false;
        for (uint64_t k = needs; k < m->needs; k++)
            if (x->need[k] >= h->recs || (k > needs && x->need[k] <= x->need[k - 1]))
                return false;
        needs = m->needs;
    }
    return needs == h->needs;
}

static bool index_ranges_are_right(const struct ez_index *x)
{
    uint64_t next = 0;
    for (size_t i = 0; i < x->head->ranges; i++) {
        const struct ez_index_range *r = &x->range[i];
        if (r->number < next || r->n > MOST_RECORDS || r->number > MOST_RECORDS ||
            r->number + r->n > x->head->survey.records)
            return false;
        next = r->number + r->n;
    }
    return true;
}

static bool index_recs_are_right(const struct ez_index *x)
{
    struct ez_index_rec r;
    size_t at = 0;
    uint64_t next = 0, n = 0;
    for (; ez_index_next(x, &at, &r); n++) {
        if (r.number < next || r.number >= x->head->survey.records || r.narg > MOST_ARGS)
            return false;
        next = r.number + 1;
    }
    return n == x->head->recs && at == x->head->words;
}

static bool index_head_is_right(const struct ez_index_head *h, const uint64_t *word, size_t n)
{
    const uint64_t records = h->survey.records;
    if (h->magic != EZ_INDEX_MAGIC || h->version != EZ_INDEX_VERSION ||
        h->sum != ez_index_sum(word, n) || records > MOST_RECORDS || h->survey.any > 1)
        return false;
    return h->leasts <= n && h->marks <= n && h->ranges <= n && h->needs <= n && h->words <= n &&
           h->leasts == (records + EZ_INDEX_BLOCK - 1) / EZ_INDEX_BLOCK &&
           HEAD_WORDS + h->leasts + h->marks * MARK_WORDS + h->ranges * RANGE_WORDS + h->needs +
                   h->words ==
               n;
}

static bool index_is_right(const struct ez_index *x)
{
    for (size_t i = 1; i < x->head->leasts; i++)
        if (x->least[i] < x->least[i - 1])
            return false;
    return index_marks_are_right(x) && index_ranges_are_right(x) && index_recs_are_right(x);
}

struct ez_index *ez_index_of(uint64_t *word, size_t n)
{
    struct ez_index *x = ez_alloc(sizeof *x);
    const struct ez_index_head *h = (const void *)word;
    x->word = word;
    x->n = n;
    x->head = h;
    bool right = n >= HEAD_WORDS && index_head_is_right(h, word, n);
    if (right) {
        x->least = word + HEAD_WORDS;
        x->mark = (const void *)(x->least + h->leasts);
        x->range = (const void *)(x->mark + h->marks);
        x->need = (const uint64_t *)(x->range + h->ranges);
        x->rec = x->need + h->needs;
        right = index_is_right(x);
    }
    if (right)
        return x;
    ez_index_free(x);
    return NULL;
}

void ez_index_free(struct ez_index *x)
{
    if (!x)
        return;
    free(x->word);
    free(x);
}

/* ---- definitions ----------------------------------------------------------------------------- */

static bool index_learn_range(const struct ez_index_range *r, struct ez_fxt_in *in,
                              struct ez_fxt_defs *d)
{
    struct ez_fxt_event ev;
    bool got = ez_fxt_in_go(in, r->pos);
    for (uint64_t i = 0; i < r->n && got; i++) {
        ez_err *e = ez_fxt_in_next(in, &ev, &got);
        got &= !e && ez_fxt_is_def(&ev);
        ez_err_drop(e);
        if (got)
            ez_fxt_defs_learn(d, &ev);
    }
    return got;
}

bool ez_index_learn(const struct ez_index *x, struct ez_fxt_in *in, struct ez_fxt_defs *d)
{
    struct ez_index_rec r;
    size_t range = 0;
    for (size_t at = 0; ez_index_next(x, &at, &r);) {
        if (!r.def)
            continue;
        for (; range < x->head->ranges && x->range[range].number < r.number; range++)
            if (!index_learn_range(&x->range[range], in, d))
                return false;
        const struct ez_fxt_event ev = { r.tick, r.tid, r.code, r.narg, r.arg };
        ez_fxt_defs_learn(d, &ev);
    }
    for (; range < x->head->ranges; range++)
        if (!index_learn_range(&x->range[range], in, d))
            return false;
    return true;
}

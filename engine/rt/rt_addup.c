/* SPDX-License-Identifier: MIT */
/* rt_addup.c - aggregates: a hit adds a value to a row in its thread's table, and records no event
 * (engine/data_abi.h). There is no lock: the table belongs to the thread, and each change is a
 * single instruction, which a signal handler of the thread cannot interrupt.
 *
 * Tests: tests/unit/rt/check_code_adds.c, tests/procs/addup.sh */
#include "engine/rt/rt_code.h"

#include "rt_regs.h"

_Static_assert(EZ_ADDUP_KEY0 == EZ_ADDUP_NOBODY, "");
_Static_assert(offsetof(struct ez_addup_row, n) == EZ_AR_N, "");
_Static_assert(offsetof(struct ez_addup_row, sum) == EZ_AR_SUM, "");
_Static_assert(offsetof(struct ez_addup_row, least) == EZ_AR_LEAST, "");
_Static_assert(offsetof(struct ez_addup_row, most) == EZ_AR_MOST, "");
_Static_assert(offsetof(struct ez_addup_hist, bucket) == EZ_AR_BUCKET, "");

static struct ez_addup_table *addup_table(struct ez_ctl *b, uint32_t number)
{
    const struct ez_hdr *h = rt_state.hdr;
    uint64_t buffer = (uint64_t)(b->buffer - rt_buffer_of(0));
    if (number >= h->addups_ready || number >= h->naddups)
        return 0;
    return (struct ez_addup_table *)((char *)h + h->off_addups +
                                     (buffer * h->naddups + number) * EZ_ADDUP_BYTES);
}

/* Returns the row of a key, and makes the row if the key is new. Returns 0 if there is no free row
 * for the key, or if the key is EZ_ADDUP_NOBODY. */
static struct ez_addup_row *addup_row(struct rt_run *r, struct ez_addup_table *t, uint64_t key,
                                      enum ez_addup kind)
{
    uint64_t id = key ^ EZ_ADDUP_NOBODY;
    uint32_t rows = ez_addup_rows(kind), at = ez_addup_first(id, rows);
    for (uint32_t i = 0; id && i < EZ_ADDUP_TRIES && i < rows;
         i++, at = at + 1 < rows ? at + 1 : 0) {
        struct ez_addup_row *row = kind == EZ_ADDUP_HIST ? &t->hist[at].row : &t->row[at];
        if (row->id == id)
            return row;
        if (row->id || !rt_cas(&row->id, 0, id))
            continue;
        for (uint32_t k = 0; k < 3; k++)
            row->text[k] = r->name[k];
        return row;
    }
    return 0;
}

/* Returns nonzero if a is less than b. */
static int addup_less(uint64_t a, uint64_t b, unsigned of)
{
    if (of == EZ_OF_DOUBLE)
        return (int)rt_double(EZ_OP_FLT, 0, a, b);
    return of == EZ_OF_UINT ? a < b : (int64_t)a < (int64_t)b;
}

static void addup_sum(volatile uint64_t *sum, uint64_t v, unsigned of)
{
    uint64_t was;
    if (of != EZ_OF_DOUBLE) {
        rt_add(sum, v);
        return;
    }
    do
        was = *sum;
    while (!rt_cas(sum, was, rt_double(EZ_OP_FADD, 0, was, v)));
}

/* Updates `least` and `most` with v. The first value sets both: readers ignore them while n is
 * 0. */
static void addup_bounds(struct ez_addup_row *row, uint64_t v, unsigned of)
{
    uint64_t was;
    if (!row->n) {
        row->least = row->most = v;
        return;
    }
    while (addup_less(v, was = row->least, of) && !rt_cas(&row->least, was, v))
        ;
    while (addup_less(was = row->most, v, of) && !rt_cas(&row->most, was, v))
        ;
}

HIDDEN void rt_addup(struct rt_run *r, const struct ez_code_op *c, uint64_t key, uint64_t v)
{
    struct ez_addup_table *t = addup_table(r->b, (uint32_t)c->imm);
    enum ez_addup kind = c->a ? EZ_ADDUP_HIST : EZ_ADDUP_NUMBERS;
    int below = kind == EZ_ADDUP_HIST && c->b == EZ_OF_INT && (int64_t)v < 0;
    struct ez_addup_row *row = t ? addup_row(r, t, below ? key ^ EZ_ADDUP_BELOW : key, kind) : 0;
    /* Clears the words, so that a later aggregate of this hit does not get the text. */
    r->name[0] = r->name[1] = r->name[2] = 0;
    if (!t)
        return;
    if (!row) {
        rt_inc(&t->full);
        return;
    }
    addup_bounds(row, v, c->b);
    addup_sum(&row->sum, v, c->b);
    rt_inc(&row->n);
    if (kind == EZ_ADDUP_HIST)
        rt_inc(&((struct ez_addup_hist *)row)->bucket[ez_addup_bucket(below ? -v : v)]);
}

/* Returns a hash of the text at `from`, the identity of a text key. The hash depends on all bytes
 * read, 64 at most; the row stores the first 23 bytes. *ok becomes 0 if the text cannot be read. */
HIDDEN uint64_t rt_name_key(struct rt_run *r, uint64_t from, int *ok)
{
    uint64_t buf[1], hash = 0xcbf29ce484222325u;
    uint32_t got, i = 0;
    const char *s = rt_look(r, buf, from, 8, &got);
    r->name[0] = r->name[1] = r->name[2] = 0;
    for (uint32_t at = 0; got && at < 64; at += got, s = rt_look(r, buf, from + at, 8, &got)) {
        for (i = 0; i < got && s[i]; i++) {
            hash = (hash ^ (uint8_t)s[i]) * 0x100000001b3u;
            if (at + i < 23)
                ((char *)r->name)[at + i] = s[i];
        }
        if (i < got)
            return hash;
    }
    if (!got) { /* the text, or its end, cannot be read */
        r->bad |= 1u << (r->item & 31);
        *ok = 0;
    }
    return hash;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_chunks.c - all calls and points of a trace, in chunks (conv_html_chunks.h). */
#include "engine/format/conv_html_chunks.h"

#include <string.h>
#include <zlib.h>

#include "engine/base/base64.h"
#include "engine/base/hash.h"
#include "engine/base/newfile.h"
#include "engine/base/spool.h"
#include "engine/trace/hist.h"

enum { MANY_THREADS = 128, LEVEL = 6 };

typedef ez_chunks_bytes bytes;

struct node {
    uint32_t parent, name, rank, children;
    bool ours, point;
};

struct open { /* a call that has begun and not ended */
    uint32_t node;
    uint64_t start_ns;
    uint64_t ours_ns; /* `ours_ns` of the thread at the start of the call */
};

struct thread { /* a container with its open chunk */
    EZ_VEC(struct open) at_begin, stack;
    uint64_t t0, last_ns;
    /* time in pauses of eztsh up to the last event, and up to t0 */
    uint64_t ours_ns, ours_at_begin;
    uint32_t events;
    uint32_t marked, valued; /* number of events up to the last mark, and up to the last value */
    uint32_t marks, values;
    bytes op, gap, mark, value;
};

struct timed { /* a call that begins and ends in a chunk */
    uint32_t name, bucket;
    uint64_t ns;
};

struct ez_chunks {
    const struct ez_model *m;
    uint64_t most_bytes, written; /* bytes, as base64 text */
    struct ez_spool *spool;       /* stream 0: the elements of complete chunks */
    size_t n;
    bool over;
    EZ_VEC(struct node) node;
    struct ez_hash child, by_rank; /* (parent, name) and (parent, rank) -> node */
    EZ_VEC(struct thread) thread;  /* index: container */
    bytes sums;
    /* sums of one chunk. Between two chunks, all numbers in `begun`, `self` and `unwound` are 0. */
    EZ_VEC(uint64_t) begun, self, unwound; /* index: node; unwound: name */
    EZ_VEC(uint32_t) used;                 /* nodes with a sum */
    EZ_VEC(struct timed) timed;
    bytes late; /* calls that began in an earlier chunk */
    uint32_t lates;
    ez_err *err;
};

/* ---- numbers -------------------------------------------------------------------------------- */

void ez_chunks_put(ez_chunks_bytes *b, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        EZ_PUSH(b, (unsigned char)(v | 128));
    EZ_PUSH(b, (unsigned char)v);
}

static uint64_t chunks_next(const bytes *b, size_t *at)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned char c = b->at[(*at)++];
        v |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return v;
    }
}

char *ez_chunks_element(const char *id, const ez_chunks_bytes *b)
{
    z_stream z = { .next_in = b->at, .avail_in = (uInt)b->n };
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t room = deflateBound(&z, b->n);
    EZ_FREE unsigned char *packed = ez_alloc(room);
    z.next_out = packed;
    z.avail_out = (uInt)room;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    EZ_FREE char *text = ez_base64(packed, z.total_out);
    return ez_sprintf("<script type=\"b\" id=\"%s\">%s</script>\n", id, text);
}

/* ---- begin and end -------------------------------------------------------------------------- */

ez_err *ez_chunks_open(const struct ez_model *m, uint64_t most_bytes, struct ez_chunks **out)
{
    const struct node root = { .parent = 0 };
    struct ez_spool *spool;
    EZ_TRY(ez_spool_open(ez_tmp_folder(), "the page's calls", &spool));
    struct ez_chunks *c = ez_alloc(sizeof *c);
    *c = (struct ez_chunks){ .m = m, .most_bytes = most_bytes, .spool = spool };
    EZ_PUSH(&c->node, root);
    *out = c;
    return NULL;
}

static void chunks_thread_free(struct thread *t)
{
    EZ_VEC_FREE(&t->at_begin);
    EZ_VEC_FREE(&t->stack);
    EZ_VEC_FREE(&t->op);
    EZ_VEC_FREE(&t->gap);
    EZ_VEC_FREE(&t->mark);
    EZ_VEC_FREE(&t->value);
}

void ez_chunks_free(struct ez_chunks *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->thread.n; i++)
        chunks_thread_free(&c->thread.at[i]);
    EZ_VEC_FREE(&c->thread);
    EZ_VEC_FREE(&c->node);
    ez_hash_free(&c->child);
    ez_hash_free(&c->by_rank);
    EZ_VEC_FREE(&c->sums);
    EZ_VEC_FREE(&c->begun);
    EZ_VEC_FREE(&c->self);
    EZ_VEC_FREE(&c->unwound);
    EZ_VEC_FREE(&c->used);
    EZ_VEC_FREE(&c->timed);
    EZ_VEC_FREE(&c->late);
    ez_err_free(c->err);
    ez_spool_close(c->spool);
    free(c);
}

/* ---- the tree ------------------------------------------------------------------------------- */

static uint32_t chunks_child_of(struct ez_chunks *c, uint32_t parent, uint32_t name)
{
    size_t i = ez_hash_put(&c->child, (uint64_t)parent << 32 | name, c->node.n);
    if (i < c->node.n)
        return (uint32_t)i;
    const struct ez_name *n = &c->m->name.at[name];
    struct node fresh = { .parent = parent,
                          .name = name,
                          .rank = c->node.at[parent].children++,
                          .ours = n->pause == EZ_P_OURS,
                          .point = n->kind == EZ_N_EVENT };
    EZ_PUSH(&c->node, fresh);
    ez_hash_put(&c->by_rank, (uint64_t)parent << 32 | fresh.rank, i);
    return (uint32_t)i;
}

/* ---- sums of a chunk ------------------------------------------------------------------------ */

static void chunks_sums_node(struct ez_chunks *c, uint32_t node, uint64_t begun, uint64_t self)
{
    while (c->begun.n < c->node.n) {
        EZ_PUSH(&c->begun, (uint64_t)0);
        EZ_PUSH(&c->self, (uint64_t)0);
    }
    if (!c->begun.at[node] && !c->self.at[node] && (begun || self))
        EZ_PUSH(&c->used, node);
    c->begun.at[node] += begun;
    c->self.at[node] += self;
}

/* Adds a call that ends at the time `at` to the sums. old: the call began in an earlier chunk. */
static void chunks_sums_end(struct ez_chunks *c, const struct thread *t, const struct open *o,
                            bool old, uint64_t at, uint64_t ours_ns, unsigned mark)
{
    const uint32_t name = c->node.at[o->node].name;
    const uint64_t paused = c->node.at[o->node].ours ? 0 : ours_ns - o->ours_ns;
    const uint64_t ns = at - o->start_ns - paused;
    while (c->unwound.n <= name)
        EZ_PUSH(&c->unwound, (uint64_t)0);
    c->unwound.at[name] += mark & EZ_MARK_UNWOUND;
    if (old) {
        const uint64_t figures[] = { o->node, t->t0 - o->start_ns, at - t->t0, ns, mark };
        for (size_t i = 0; i < EZ_ARRAY_LEN(figures); i++)
            ez_chunks_put(&c->late, figures[i]);
        c->lates++;
    } else if (!(mark & (EZ_MARK_UNKNOWN | EZ_MARK_CUT))) {
        struct timed timed = { name, ez_hist_bucket(ns), ns };
        EZ_PUSH(&c->timed, timed);
    }
}

/* Reads the events of the chunk again, and adds them to the sums. */
static void chunks_sums_add(struct ez_chunks *c, const struct thread *t, uint64_t t1)
{
    EZ_VEC(struct open) stack = { NULL, 0, 0 };
    size_t op = 0, gap = 0, mark_at = 0, old = t->at_begin.n;
    uint64_t at = t->t0, ours_ns = t->ours_at_begin;
    uint64_t next_mark = t->marks ? chunks_next(&t->mark, &mark_at) : UINT64_MAX;
    EZ_APPEND(&stack, t->at_begin.at, t->at_begin.n);
    for (uint32_t i = 1; i <= t->events; i++) {
        uint32_t top = stack.n ? stack.at[stack.n - 1].node : 0;
        uint64_t what = chunks_next(&t->op, &op), ns = chunks_next(&t->gap, &gap);
        unsigned mark = 0;
        chunks_sums_node(c, top, 0, top ? ns : 0);
        at += ns;
        ours_ns += c->node.at[top].ours ? ns : 0;
        if (i == next_mark) {
            mark = (unsigned)chunks_next(&t->mark, &mark_at);
            next_mark = mark_at < t->mark.n ? i + chunks_next(&t->mark, &mark_at) : UINT64_MAX;
        }
        if (!what) {
            EZ_ASSUME(stack.n && stack.at); /* each exit has an entry */
            const struct open o = stack.at[--stack.n];
            chunks_sums_end(c, t, &o, stack.n < old, at, ours_ns, mark);
            old = EZ_MIN(old, stack.n);
            continue;
        }
        size_t node = 0;
        ez_hash_get(&c->by_rank, (uint64_t)top << 32 | (what - 1), &node);
        struct open o = { (uint32_t)node, at, ours_ns };
        chunks_sums_node(c, o.node, 1, 0);
        if (!c->node.at[node].point)
            EZ_PUSH(&stack, o);
    }
    if (stack.n && t1 > at)
        chunks_sums_node(c, stack.at[stack.n - 1].node, 0, t1 - at);
    EZ_VEC_FREE(&stack);
}

static int chunks_by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int chunks_by_bucket(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->bucket < y->bucket ? -1 : x->bucket > y->bucket;
}

static void chunks_put_nodes(struct ez_chunks *c, bytes *out)
{
    if (c->used.n)
        qsort(c->used.at, c->used.n, sizeof *c->used.at, chunks_by_number);
    ez_chunks_put(out, c->used.n);
    for (size_t i = 0; i < c->used.n; i++)
        ez_chunks_put(out, c->used.at[i] - (i ? c->used.at[i - 1] : 0));
    for (size_t i = 0; i < c->used.n; i++)
        ez_chunks_put(out, c->begun.at[c->used.at[i]]);
    for (size_t i = 0; i < c->used.n; i++)
        ez_chunks_put(out, c->self.at[c->used.at[i]]);
    for (size_t i = 0; i < c->used.n; i++)
        c->begun.at[c->used.at[i]] = c->self.at[c->used.at[i]] = 0;
    c->used.n = 0;
}

/* Writes the figures of n calls of one name. The calls are sorted by bucket. */
static void chunks_put_name(const struct timed *call, size_t n, bytes *out)
{
    bytes b = { NULL, 0, 0 };
    uint64_t sum = 0, least = UINT64_MAX, most = 0, different = 0;
    uint32_t last = 0;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && call[k].bucket == call[i].bucket; k++) {
            sum += call[k].ns;
            least = EZ_MIN(least, call[k].ns);
            most = EZ_MAX(most, call[k].ns);
        }
        ez_chunks_put(&b, call[i].bucket - last);
        ez_chunks_put(&b, k - i);
        last = call[i].bucket;
        different++;
    }
    const uint64_t figures[] = { n, sum, least, most, different };
    for (size_t i = 0; i < EZ_ARRAY_LEN(figures); i++)
        ez_chunks_put(out, figures[i]);
    EZ_APPEND(out, b.at, b.n);
    EZ_VEC_FREE(&b);
}

static void chunks_put_names(struct ez_chunks *c, bytes *out)
{
    bytes b = { NULL, 0, 0 };
    uint64_t names = 0;
    uint32_t last = 0;
    if (c->timed.n)
        qsort(c->timed.at, c->timed.n, sizeof *c->timed.at, chunks_by_bucket);
    for (size_t i = 0, k; i < c->timed.n; i = k) {
        for (k = i; k < c->timed.n && c->timed.at[k].name == c->timed.at[i].name;)
            k++;
        ez_chunks_put(&b, c->timed.at[i].name - last);
        chunks_put_name(&c->timed.at[i], k - i, &b);
        last = c->timed.at[i].name;
        names++;
    }
    ez_chunks_put(out, names);
    EZ_APPEND(out, b.at, b.n);
    EZ_VEC_FREE(&b);
    c->timed.n = 0;
}

static void chunks_put_unwound(struct ez_chunks *c, bytes *out)
{
    bytes b = { NULL, 0, 0 };
    uint64_t names = 0;
    for (uint32_t i = 0; i < c->unwound.n; i++) {
        if (!c->unwound.at[i])
            continue;
        ez_chunks_put(&b, i);
        ez_chunks_put(&b, c->unwound.at[i]);
        c->unwound.at[i] = 0;
        names++;
    }
    ez_chunks_put(out, names);
    EZ_APPEND(out, b.at, b.n);
    EZ_VEC_FREE(&b);
}

static void chunks_put_sums(struct ez_chunks *c, uint32_t container, const struct thread *t,
                            uint64_t t1)
{
    bytes b = { NULL, 0, 0 };
    chunks_sums_add(c, t, t1);
    chunks_put_nodes(c, &b);
    chunks_put_names(c, &b);
    chunks_put_unwound(c, &b);
    const uint64_t figures[] = { container, t->t0, t1 - t->t0, t->events, c->lates };
    for (size_t i = 0; i < EZ_ARRAY_LEN(figures); i++)
        ez_chunks_put(&c->sums, figures[i]);
    EZ_APPEND(&c->sums, c->late.at, c->late.n);
    ez_chunks_put(&c->sums, b.n);
    EZ_APPEND(&c->sums, b.at, b.n);
    c->lates = 0;
    c->late.n = 0;
    EZ_VEC_FREE(&b);
}

/* ---- chunks --------------------------------------------------------------------------------- */

static ez_err *chunks_keep(struct ez_chunks *c, const bytes *b)
{
    EZ_FREE char *id = ez_sprintf("c%zu", c->n++);
    EZ_FREE char *text = ez_chunks_element(id, b);
    if (!text)
        return ez_err_new(EZ_E_LIMIT, 0, "Cannot initialize zlib");
    size_t n = strlen(text);
    for (size_t at = 0; at < n; at += EZ_SPOOL_BLOCK)
        EZ_TRY(ez_spool_put(c->spool, 0, text + at, EZ_MIN(n - at, (size_t)EZ_SPOOL_BLOCK)));
    c->written += n;
    c->over = c->written > c->most_bytes;
    return NULL;
}

/* Completes the chunk of a container; the next one begins at t1. */
static ez_err *chunks_end(struct ez_chunks *c, uint32_t container, uint64_t t1)
{
    struct thread *t = &c->thread.at[container];
    bytes b = { NULL, 0, 0 };
    if (!t->events)
        return NULL;
    if (t->stack.n && c->node.at[t->stack.at[t->stack.n - 1].node].ours)
        t->ours_ns += t1 - t->last_ns;
    ez_chunks_put(&b, t->at_begin.n);
    for (size_t i = 0; i < t->at_begin.n; i++) {
        ez_chunks_put(&b, t->at_begin.at[i].node);
        ez_chunks_put(&b, t->t0 - t->at_begin.at[i].start_ns);
        ez_chunks_put(&b, t->ours_at_begin - t->at_begin.at[i].ours_ns);
    }
    ez_chunks_put(&b, t->events);
    EZ_APPEND(&b, t->op.at, t->op.n);
    EZ_APPEND(&b, t->gap.at, t->gap.n);
    ez_chunks_put(&b, t->marks);
    EZ_APPEND(&b, t->mark.at, t->mark.n);
    ez_chunks_put(&b, t->values);
    EZ_APPEND(&b, t->value.at, t->value.n);
    ez_err *e = chunks_keep(c, &b);
    EZ_VEC_FREE(&b);
    if (!e)
        chunks_put_sums(c, container, t, t1);
    t->at_begin.n = t->op.n = t->gap.n = t->mark.n = t->value.n = 0;
    EZ_APPEND(&t->at_begin, t->stack.at, t->stack.n);
    t->events = t->marked = t->valued = t->marks = t->values = 0;
    t->t0 = t->last_ns = t1;
    t->ours_at_begin = t->ours_ns;
    return e;
}

static struct thread *chunks_thread_of(struct ez_chunks *c, uint32_t container, uint64_t now)
{
    const struct thread none = { .t0 = 0 };
    while (c->thread.n <= container)
        EZ_PUSH(&c->thread, none);
    struct thread *t = &c->thread.at[container];
    if (!t->events && !t->stack.n && !t->t0)
        t->t0 = t->last_ns = now;
    return t;
}

/* Adds an event to the chunk of a container. what: 0 for an exit, or the number of the child + 1,
 * as in the chunk. */
static void chunks_add_event(struct ez_chunks *c, struct thread *t, uint64_t what, uint64_t ns)
{
    const uint32_t top = t->stack.n ? t->stack.at[t->stack.n - 1].node : 0;
    t->ours_ns += c->node.at[top].ours ? ns - t->last_ns : 0;
    ez_chunks_put(&t->op, what);
    ez_chunks_put(&t->gap, ns - t->last_ns);
    t->last_ns = ns;
    t->events++;
}

static void chunks_add_mark(struct thread *t, const struct ez_item *it)
{
    unsigned mark = ez_chunks_mark(it);
    if (!mark)
        return;
    ez_chunks_put(&t->mark, t->events - t->marked);
    ez_chunks_put(&t->mark, mark);
    t->marked = t->events;
    t->marks++;
}

static void chunks_add_values(struct thread *t, const char *values)
{
    if (!values)
        return;
    size_t n = strlen(values);
    ez_chunks_put(&t->value, t->events - t->valued);
    ez_chunks_put(&t->value, n);
    EZ_APPEND(&t->value, (const unsigned char *)values, n);
    t->valued = t->events;
    t->values++;
}

ez_err *ez_chunks_item(struct ez_chunks *c, const struct ez_item *it, const char *values)
{
    if (c->over || (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT))
        return NULL;
    struct thread *t = chunks_thread_of(c, it->container, it->ns);
    if (t->events >= (c->thread.n > MANY_THREADS ? EZ_CHUNK_EVENTS_MANY : EZ_CHUNK_EVENTS))
        EZ_TRY(chunks_end(c, it->container, it->ns));
    if (it->kind == EZ_I_POP) {
        chunks_add_event(c, t, 0, it->ns);
        chunks_add_mark(t, it);
        t->stack.n--;
    } else {
        const uint32_t top = t->stack.n ? t->stack.at[t->stack.n - 1].node : 0;
        const uint32_t node = chunks_child_of(c, top, it->name);
        chunks_add_event(c, t, c->node.at[node].rank + 1u, it->ns);
        struct open o = { node, it->ns, t->ours_ns };
        if (it->kind == EZ_I_PUSH)
            EZ_PUSH(&t->stack, o);
        c->over |= c->node.n > EZ_CHUNK_NODES;
    }
    chunks_add_values(t, values);
    return NULL;
}

/* ---- the page ------------------------------------------------------------------------------- */

size_t ez_chunks_finish(struct ez_chunks *c)
{
    for (uint32_t i = 0; i < c->thread.n && !c->over && !c->err; i++)
        c->err = chunks_end(c, i, c->thread.at[i].last_ns);
    return c->over ? 0 : c->n;
}

static ez_err *chunks_write_part(void *file, const char *text, size_t n)
{
    ez_outfile_write(file, text, n);
    return NULL;
}

ez_err *ez_chunks_write(struct ez_chunks *c, struct ez_outfile *f)
{
    bytes tree = { NULL, 0, 0 };
    ez_err *e = c->err;
    c->err = NULL;
    if (e || c->over)
        return e;
    ez_chunks_put(&tree, c->node.n);
    for (size_t i = 1; i < c->node.n; i++)
        ez_chunks_put(&tree, c->node.at[i].parent);
    for (size_t i = 1; i < c->node.n; i++)
        ez_chunks_put(&tree, c->node.at[i].name);
    EZ_FREE char *nodes = ez_chunks_element("tree", &tree),
                 *sums = ez_chunks_element("sums", &c->sums);
    EZ_VEC_FREE(&tree);
    if (!nodes || !sums)
        return ez_err_new(EZ_E_LIMIT, 0, "Cannot initialize zlib");
    ez_outfile_puts(f, nodes);
    ez_outfile_puts(f, sums);
    return ez_spool_each(c->spool, 0, chunks_write_part, f);
}

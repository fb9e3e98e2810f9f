/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_callgrind.c - valgrind's profile format, for KCachegrind, QCachegrind and
 * callgrind_annotate.
 *
 *   events    ns (nanoseconds) and calls
 *   fn        a function or a pause, with ob: its library, and fl: its source file. All its costs
 *             are on the line at which the function begins, because a trace has no other line. If
 *             the trace has no line, fl is ??? and the line is 0. Its own cost is its self time and
 *             the number of its calls.
 *   fn        also each thread, and each process with states of its own. A thread or a process has
 *             no cost, and calls the outermost functions.
 *   calls     calls from one function to another. Their cost is inclusive: the time of these calls,
 *             without pauses that belong to no call, and the number of these calls and of all calls
 *             inside them.
 *
 * As in callgrind's own files, a recursive call adds its inclusive cost, too: KCachegrind finds the
 * cycles. So the inclusive time of a function, for which callgrind_annotate adds up the calls to
 * the function, is the sum over all its calls, including recursive ones. Pauses are called by the
 * function in which they occur; "[waiting for the trace]", whose time is in no call, is called by
 * the thread. The format does not contain the order of calls, how calls ended, point events,
 * variables, links and collected values.
 *
 * Memory depends on the number of pairs of caller and callee, not on the number of events.
 *
 * Tests: tests/unit/format/check_formats.c, tests/trace/formats.sh */
#include <stdlib.h>
#include <string.h>

#include "engine/format/conv.h"
#include "engine/format/conv_label.h"
#include "engine/base/hash.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"

#define NO_EDGE UINT32_MAX
#define PLACE (1ull << 32) /* key of a container, as opposed to a name */

struct callgrind_fn {
    uint64_t key; /* index of a name, or of a container with the bit PLACE */
    uint64_t self_ns, calls;
    uint32_t edge;         /* the first of the edges to its callees, or NO_EDGE */
    uint32_t object, file; /* indexes of its library and its source file; set by `close` */
    bool named;            /* the output has the name already */
};

struct callgrind_edge { /* all calls from one function to another */
    uint32_t callee;    /* index in `fn` */
    uint32_t next;      /* the caller's next edge, or NO_EDGE */
    uint64_t calls;
    uint64_t ns, inner; /* inclusive: time, and number of calls */
};

struct callgrind_open { /* an open state */
    uint32_t fn, edge;
    uint64_t before; /* number of calls in the container before this call */
};

struct callgrind_place { /* a container */
    uint64_t calls;      /* number of calls that have begun so far */
    EZ_VEC(struct callgrind_open) open;
};

struct callgrind_object { /* a library or a source file */
    const char *text;
    bool named; /* the output has the name already */
};

struct callgrind {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_hash fn_of, edge_of; /* key -> fn; pair of fns -> edge */
    struct ez_hash file_of;        /* hash of a source file's name -> file */
    EZ_VEC(struct callgrind_fn) fn;
    EZ_VEC(struct callgrind_edge) edge;
    EZ_VEC(struct callgrind_place) place; /* index: container */
    EZ_VEC(struct callgrind_object) object, file;
};

/* ---- items -------------------------------------------------------------------------- */

static uint32_t callgrind_fn(struct callgrind *s, uint64_t key)
{
    size_t fresh = s->fn.n, i = ez_hash_put(&s->fn_of, key, fresh);
    if (i == fresh) {
        struct callgrind_fn f = { .key = key, .edge = NO_EDGE };
        EZ_PUSH(&s->fn, f);
    }
    return (uint32_t)i;
}

static uint32_t callgrind_edge(struct callgrind *s, uint32_t caller, uint32_t callee)
{
    size_t fresh = s->edge.n;
    size_t i = ez_hash_put(&s->edge_of, (uint64_t)caller << 32 | callee, fresh);
    if (i == fresh) {
        struct callgrind_edge e = { .callee = callee, .next = s->fn.at[caller].edge };
        EZ_PUSH(&s->edge, e);
        s->fn.at[caller].edge = (uint32_t)fresh;
    }
    return (uint32_t)i;
}

static struct callgrind_place *callgrind_place(struct callgrind *s, uint32_t container)
{
    static const struct callgrind_place none;
    while (s->place.n <= container)
        EZ_PUSH(&s->place, none);
    return &s->place.at[container];
}

static void callgrind_push(struct callgrind *s, const struct ez_item *it)
{
    struct callgrind_place *p = callgrind_place(s, it->container);
    bool ours = s->m->name.at[it->name].pause == EZ_P_OURS;
    uint32_t caller =
        p->open.n && !ours ? p->open.at[p->open.n - 1].fn : callgrind_fn(s, it->container | PLACE);
    uint32_t callee = callgrind_fn(s, it->name);
    struct callgrind_open o = { callee, callgrind_edge(s, caller, callee), p->calls };
    /* a pause of eztsh itself is not counted as a call inside the calls around it */
    p->calls += !ours;
    EZ_PUSH(&p->open, o);
}

static void callgrind_pop(struct callgrind *s, const struct ez_item *it)
{
    struct callgrind_place *p = callgrind_place(s, it->container);
    const struct callgrind_open *o = &p->open.at[--p->open.n];
    struct callgrind_fn *f = &s->fn.at[o->fn];
    struct callgrind_edge *e = &s->edge.at[o->edge];
    bool ours = s->m->name.at[it->name].pause == EZ_P_OURS;
    f->calls++;
    f->self_ns += it->self_ns;
    e->calls++;
    e->ns += it->spent_ns;
    e->inner += ours ? 1 : p->calls - o->before;
}

static ez_err *callgrind_item(void *arg, const struct ez_item *it)
{
    if (it->kind == EZ_I_PUSH)
        callgrind_push(arg, it);
    else if (it->kind == EZ_I_POP)
        callgrind_pop(arg, it);
    return NULL;
}

/* ---- names -------------------------------------------------------------------------- */

static const char *callgrind_group(const struct callgrind *s, const struct callgrind_fn *f)
{
    return f->key & PLACE ? "" : s->m->name.at[f->key].group;
}

/* Returns the index of a library in s->object; adds the library if it is new. */
static uint32_t callgrind_object(struct callgrind *s, const char *library)
{
    size_t i = 0;
    const char *text = *library ? library : "???";
    while (i < s->object.n && strcmp(s->object.at[i].text, text))
        i++;
    if (i == s->object.n) {
        struct callgrind_object o = { .text = text };
        EZ_PUSH(&s->object, o);
    }
    return (uint32_t)i;
}

/* Returns the index of a function's source file in s->file; adds the file if it is new. */
static uint32_t callgrind_file(struct callgrind *s, const struct callgrind_fn *f)
{
    const char *file = f->key & PLACE ? NULL : s->m->name.at[f->key].file;
    const char *text = file ? file : "???";
    size_t n = s->file.n, i;
    for (uint64_t h = ez_hash_key(EZ_HASH_SEED, text);; h++) {
        i = ez_hash_put(&s->file_of, h, n);
        if (i == n)
            EZ_PUSH(&s->file, ((struct callgrind_object){ .text = text }));
        if (!strcmp(s->file.at[i].text, text))
            return (uint32_t)i;
    }
}

static unsigned callgrind_line(const struct callgrind *s, const struct callgrind_fn *f)
{
    const struct ez_name *n = f->key & PLACE ? NULL : &s->m->name.at[f->key];
    return n && n->file ? n->line : 0;
}

/* Writes KEY=(NUMBER). Writes the name after it only when `named` is false, which is the first
 * time. */
static void callgrind_put_name(struct callgrind *s, const char *key, size_t number, bool named,
                               const char *name)
{
    EZ_FREE char *plain = named ? NULL : ez_str_plain(name, "", 0);
    ez_outfile_printf(s->f, "%s=(%zu)%s%s\n", key, number, named ? "" : " ", named ? "" : plain);
}

static void callgrind_put_object(struct callgrind *s, const char *key, struct callgrind_object *all,
                                 uint32_t i)
{
    struct callgrind_object *o = &all[i];
    callgrind_put_name(s, key, i + 1u, o->named, o->text);
    o->named = true;
}

static void callgrind_put_fn(struct callgrind *s, const char *key, uint32_t i)
{
    struct callgrind_fn *f = &s->fn.at[i];
    uint32_t what = (uint32_t)f->key;
    EZ_FREE char *label =
        f->key & PLACE ? ez_conv_label(s->m, what) : ez_strdup(s->m->name.at[what].text);
    callgrind_put_name(s, key, i + 1u, f->named, label);
    f->named = true;
}

/* ---- writing ------------------------------------------------------------------------ */

static void callgrind_put_cost(struct callgrind *s, unsigned line, uint64_t ns, uint64_t calls)
{
    ez_outfile_u64(s->f, line);
    ez_outfile_write(s->f, " ", 1);
    ez_outfile_u64(s->f, ns);
    ez_outfile_write(s->f, " ", 1);
    ez_outfile_u64(s->f, calls);
    ez_outfile_write(s->f, "\n", 1);
}

static void callgrind_put_function(struct callgrind *s, uint32_t i)
{
    const struct callgrind_fn *f = &s->fn.at[i];
    ez_outfile_write(s->f, "\n", 1);
    const unsigned line = callgrind_line(s, f);
    callgrind_put_object(s, "ob", s->object.at, f->object);
    callgrind_put_object(s, "fl", s->file.at, f->file);
    callgrind_put_fn(s, "fn", i);
    callgrind_put_cost(s, line, f->self_ns, f->calls);
    for (uint32_t k = f->edge; k != NO_EDGE; k = s->edge.at[k].next) {
        const struct callgrind_edge *e = &s->edge.at[k];
        const struct callgrind_fn *callee = &s->fn.at[e->callee];
        callgrind_put_object(s, "cob", s->object.at, callee->object);
        if (callee->file != f->file)
            callgrind_put_object(s, "cfl", s->file.at, callee->file);
        callgrind_put_fn(s, "cfn", e->callee);
        ez_outfile_write(s->f, "calls=", 6);
        ez_outfile_u64(s->f, e->calls);
        ez_outfile_write(s->f, " ", 1);
        ez_outfile_u64(s->f, callgrind_line(s, callee));
        ez_outfile_write(s->f, "\n", 1);
        callgrind_put_cost(s, line, e->ns, e->inner);
    }
}

static ez_err *callgrind_close(struct ez_sink *sink)
{
    struct callgrind *s = (struct callgrind *)sink;
    uint64_t ns = 0, calls = 0;
    EZ_FREE char *program = ez_str_plain(s->m->container.at[0].name, "", 0);
    for (size_t i = 0; i < s->fn.n; i++) {
        s->fn.at[i].object = callgrind_object(s, callgrind_group(s, &s->fn.at[i]));
        s->fn.at[i].file = callgrind_file(s, &s->fn.at[i]);
        ns += s->fn.at[i].self_ns;
        calls += s->fn.at[i].calls;
    }
    ez_outfile_printf(s->f, "# callgrind format\nversion: 1\ncreator: eztsh\ncmd: %s\n", program);
    ez_outfile_puts(s->f, "positions: line\nevent: ns : Nanoseconds\nevent: calls : Calls\n"
                          "events: ns calls\nsummary: ");
    ez_outfile_u64(s->f, ns);
    ez_outfile_write(s->f, " ", 1);
    ez_outfile_u64(s->f, calls);
    ez_outfile_puts(s->f, "\n");
    for (size_t i = 0; i < s->fn.n && ez_outfile_good(s->f); i++)
        callgrind_put_function(s, (uint32_t)i);
    return ez_outfile_commit(s->f);
}

/* ---- begin and end ------------------------------------------------------------------ */

static ez_err *callgrind_open(const struct ez_format *f, const struct ez_model *m,
                              const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
    struct callgrind *s = ez_alloc(sizeof *s);
    *s = (struct callgrind){ .sink = { .format = f }, .m = m, .f = file };
    *sink = &s->sink;
    return NULL;
}

static void callgrind_destroy(struct ez_sink *sink)
{
    struct callgrind *s = (struct callgrind *)sink;
    if (!s)
        return;
    for (size_t i = 0; i < s->place.n; i++)
        EZ_VEC_FREE(&s->place.at[i].open);
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->fn);
    EZ_VEC_FREE(&s->edge);
    EZ_VEC_FREE(&s->object);
    EZ_VEC_FREE(&s->file);
    ez_hash_free(&s->file_of);
    ez_hash_free(&s->fn_of);
    ez_hash_free(&s->edge_of);
    free(s->sink.notice);
    ez_outfile_destroy(s->f);
    free(s);
}

const struct ez_format ez_conv_callgrind = {
    .name = "callgrind",
    .suffix = ".callgrind",
    .brief = "callers, callees and costs, for KCachegrind",
    .gzip = true,
    .open = callgrind_open,
    .item = callgrind_item,
    .close = callgrind_close,
    .destroy = callgrind_destroy,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_folded.c - "process;thread;f;g NANOSECONDS": flame graphs, by flamegraph.pl,
 * inferno or speedscope.
 *
 * The number is the time in g itself, summed over all calls with this stack; the sum of
 * all lines is the sum of the self times of all calls. Points, variables and links are
 * not in it.
 *
 * The distinct stacks are a tree in memory. It is bounded: calls deeper than DEEPEST are
 * counted in one frame "[deeper]" there, and when there are MOST stacks, calls with new
 * ones are counted in a frame "[more]" of their thread. So a recursion of any depth makes
 * a small file, and every nanosecond is still counted once.
 *
 * A ';' in a name becomes ':', a name is one printable line (text.h).
 * Tests: tests/unit/engine/check_formats.c */
#include <stdio.h>
#include <string.h>

#include "engine/conv.h"
#include "engine/map.h"
#include "engine/outfile.h"
#include "engine/text.h"

enum { DEEPEST = 256, MOST = 500000 }; /* MOST: about 24 MB */

#define L_CONTAINER 0x80000000u /* a label is a name, a container with this bit, or */
#define L_DEEPER 0xfffffffeu
#define L_MORE 0xffffffffu
#define TOP UINT32_MAX /* parent of the outermost frames */

struct node {
    uint32_t parent, label;
    uint64_t self_ns;
};

struct thread {       /* of a container: where its innermost call is counted */
    uint32_t at;      /* node                                                    */
    uint32_t held_in; /* all calls from depth held_from on, or TOP               */
    uint32_t held_from;
};

struct folded {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_map child; /* parent and label -> node                              */
    EZ_VEC(struct node) node;
    EZ_VEC(struct thread) thread;
    EZ_VEC(char *) name;      /* by name: its text, fit for a frame               */
    EZ_VEC(char *) container; /* by container                                     */
};

/* ---- the tree --------------------------------------------------------------------- */

static uint32_t child(struct folded *s, uint32_t parent, uint32_t label)
{
    size_t fresh = s->node.n;
    size_t i = ez_map_put(&s->child, (uint64_t)parent << 32 | label, fresh);
    if (i == fresh) {
        struct node n = { parent, label, 0 };
        EZ_PUSH(&s->node, n);
    }
    return (uint32_t)i;
}

/* TOP: it would be one too many. */
static uint32_t bounded_child(struct folded *s, uint32_t parent, uint32_t label)
{
    size_t i;
    if (s->node.n < MOST)
        return child(s, parent, label);
    return ez_map_get(&s->child, (uint64_t)parent << 32 | label, &i) ? (uint32_t)i : TOP;
}

static struct thread *thread(struct folded *s, uint32_t c)
{
    while (s->thread.n <= c) {
        uint32_t i = (uint32_t)s->thread.n;
        uint32_t parent = s->m->container.at[i].parent;
        /* the program is no frame: it would be at the bottom of every stack */
        bool nested = s->m->container.at[i].level == EZ_L_THREAD && parent < i;
        uint32_t below = nested ? child(s, TOP, parent | L_CONTAINER) : TOP;
        struct thread t = { .at = child(s, below, i | L_CONTAINER), .held_in = TOP };
        EZ_PUSH(&s->thread, t);
    }
    return &s->thread.at[c];
}

static void push(struct folded *s, const struct ez_item *it)
{
    struct thread *t = thread(s, it->container);
    if (t->held_in != TOP)
        return;
    bool deep = it->depth >= DEEPEST;
    uint32_t to = bounded_child(s, t->at, deep ? L_DEEPER : it->name);
    if (to != TOP && !deep) {
        t->at = to;
        return;
    }
    if (to == TOP) {
        uint32_t root = t->at;
        while (!(s->node.at[root].label & L_CONTAINER))
            root = s->node.at[root].parent;
        to = child(s, root, L_MORE);
    }
    t->held_in = to;
    t->held_from = it->depth;
}

static void pop(struct folded *s, const struct ez_item *it)
{
    struct thread *t = thread(s, it->container);
    if (t->held_in == TOP) {
        s->node.at[t->at].self_ns += it->self_ns;
        t->at = s->node.at[t->at].parent;
        return;
    }
    s->node.at[t->held_in].self_ns += it->self_ns;
    if (it->depth == t->held_from)
        t->held_in = TOP;
}

static ez_err *folded_item(void *arg, const struct ez_item *it)
{
    if (it->kind == EZ_I_PUSH)
        push(arg, it);
    else if (it->kind == EZ_I_POP)
        pop(arg, it);
    return NULL;
}

/* ---- writing ------------------------------------------------------------------------ */

static const char *frame(struct folded *s, uint32_t label)
{
    if (label == L_DEEPER)
        return "[deeper]";
    if (label == L_MORE)
        return "[more]";
    return label & L_CONTAINER ? s->container.at[label & ~L_CONTAINER] : s->name.at[label];
}

static void write_stack(struct folded *s, uint32_t leaf)
{
    uint32_t path[DEEPEST + 4], n = 0;
    for (uint32_t i = leaf; i != TOP && n < EZ_ARRAY_LEN(path); i = s->node.at[i].parent)
        path[n++] = i;
    while (n--) {
        ez_outfile_puts(s->f, frame(s, s->node.at[path[n]].label));
        ez_outfile_write(s->f, n ? ";" : " ", 1);
    }
    ez_outfile_u64(s->f, s->node.at[leaf].self_ns);
    ez_outfile_write(s->f, "\n", 1);
}

static ez_err *folded_close(struct ez_sink *sink)
{
    struct folded *s = (struct folded *)sink;
    for (size_t i = 0; i < s->m->name.n; i++)
        EZ_PUSH(&s->name, ez_text_plain(s->m->name.at[i].text, ";", ':'));
    for (size_t i = 0; i < s->m->container.n; i++)
        EZ_PUSH(&s->container, ez_text_plain(s->m->container.at[i].name, ";", ':'));
    for (size_t i = 0; i < s->node.n && ez_outfile_good(s->f); i++)
        if (s->node.at[i].self_ns)
            write_stack(s, (uint32_t)i);
    return ez_outfile_commit(s->f);
}

/* ---- begin and end ------------------------------------------------------------------ */

static ez_err *folded_open(const struct ez_format *f, const struct ez_model *m, const char *out,
                           bool gzip, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out, gzip, &file));
    struct folded *s = ez_alloc(sizeof *s);
    *s = (struct folded){ .sink = { f }, .m = m, .f = file };
    *sink = &s->sink;
    return NULL;
}

static void folded_destroy(struct ez_sink *sink)
{
    struct folded *s = (struct folded *)sink;
    if (!s)
        return;
    for (size_t i = 0; i < s->name.n; i++)
        free(s->name.at[i]);
    for (size_t i = 0; i < s->container.n; i++)
        free(s->container.at[i]);
    EZ_VEC_FREE(&s->name);
    EZ_VEC_FREE(&s->container);
    EZ_VEC_FREE(&s->node);
    EZ_VEC_FREE(&s->thread);
    ez_map_free(&s->child);
    ez_outfile_destroy(s->f);
    free(s);
}

const struct ez_format ez_conv_folded = {
    .name = "folded",
    .suffix = ".folded",
    .brief = "stacks and their time, for flame graphs",
    .gzip = true,
    .open = folded_open,
    .item = folded_item,
    .close = folded_close,
    .destroy = folded_destroy,
};

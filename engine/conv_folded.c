/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_folded.c - "process;thread;f;g NANOSECONDS": flame graphs, by flamegraph.pl,
 * inferno or speedscope.
 *
 * The number is the time in g itself, summed over all calls with this stack; the sum of
 * all lines is the sum of the self times of all calls. Points, variables and links are
 * not in it.
 *
 * The tree of distinct stacks is bounded: stacks.h.
 *
 * A ';' in a name becomes ':', a name is one printable line (text.h).
 * Tests: tests/unit/engine/check_formats.c */
#include <string.h>

#include "engine/conv.h"
#include "engine/outfile.h"
#include "engine/stacks.h"
#include "engine/text.h"

struct folded {
    struct ez_sink sink;
    struct ez_outfile *f;
    struct ez_stacks stacks;
    EZ_VEC(char *) frame; /* by node: its label, fit for a frame                  */
};

static ez_err *folded_item(void *arg, const struct ez_item *it)
{
    struct folded *s = arg;
    return ez_stacks_item(&s->stacks, it);
}

/* ---- writing ------------------------------------------------------------------------ */

static void write_stack(struct folded *s, uint32_t leaf)
{
    const struct ez_stack_node *node = s->stacks.node.at;
    uint32_t path[EZ_STACKS_DEEPEST + 4], n = 0;
    for (uint32_t i = leaf; i != EZ_STACKS_TOP && n < EZ_ARRAY_LEN(path); i = node[i].parent)
        path[n++] = i;
    while (n--) {
        ez_outfile_puts(s->f, s->frame.at[path[n]]);
        ez_outfile_write(s->f, n ? ";" : " ", 1);
    }
    ez_outfile_u64(s->f, node[leaf].self_ns);
    ez_outfile_write(s->f, "\n", 1);
}

static ez_err *folded_close(struct ez_sink *sink)
{
    struct folded *s = (struct folded *)sink;
    for (size_t i = 0; i < s->stacks.node.n; i++) {
        const char *label = ez_stacks_label(&s->stacks, s->stacks.node.at[i].label);
        EZ_PUSH(&s->frame, ez_text_plain(label, ";", ':'));
    }
    for (size_t i = 0; i < s->stacks.node.n && ez_outfile_good(s->f); i++)
        if (s->stacks.node.at[i].self_ns)
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
    *s = (struct folded){ .sink = { .format = f }, .f = file };
    ez_stacks_init(&s->stacks, m, true);
    *sink = &s->sink;
    return NULL;
}

static void folded_destroy(struct ez_sink *sink)
{
    struct folded *s = (struct folded *)sink;
    if (!s)
        return;
    for (size_t i = 0; i < s->frame.n; i++)
        free(s->frame.at[i]);
    EZ_VEC_FREE(&s->frame);
    ez_stacks_free(&s->stacks);
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

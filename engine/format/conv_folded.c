/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_folded.c - "process;thread;f;g NANOSECONDS": flame graphs, by flamegraph.pl, inferno or
 * speedscope.
 *
 * The number is the self time of g, the last function, summed over all calls with this stack. The
 * sum of all lines is the sum of the self times of all calls and pauses. The format does not
 * contain how calls ended, point events, variables and links. The size of the tree of distinct
 * stacks is limited (engine/trace/stacks.h). A name is one printable line (engine/base/strutil.h),
 * and a ';' in it becomes ':'.
 *
 * Tests: tests/unit/format/check_formats.c */
#include <string.h>

#include "engine/format/conv.h"
#include "engine/base/outfile.h"
#include "engine/trace/stacks.h"
#include "engine/base/strutil.h"

struct folded {
    struct ez_sink sink;
    struct ez_outfile *f;
    struct ez_stacks stacks;
    EZ_VEC(char *) frame; /* index: node of the tree; its label, without ';' */
    EZ_VEC(uint32_t) path;
};

static ez_err *folded_item(void *arg, const struct ez_item *it)
{
    struct folded *s = arg;
    return ez_stacks_item(&s->stacks, it);
}

/* ---- writing ------------------------------------------------------------------------ */

static void folded_write_stack(struct folded *s, uint32_t leaf)
{
    const struct ez_stack_node *node = s->stacks.node.at;
    s->path.n = 0;
    for (uint32_t i = leaf; i != EZ_STACKS_TOP; i = node[i].parent)
        EZ_PUSH(&s->path, i);
    for (size_t n = s->path.n; n--;) {
        ez_outfile_puts(s->f, s->frame.at[s->path.at[n]]);
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
        EZ_PUSH(&s->frame, ez_str_plain(label, ";", ':'));
    }
    for (size_t i = 0; i < s->stacks.node.n && ez_outfile_good(s->f); i++)
        if (s->stacks.node.at[i].self_ns)
            folded_write_stack(s, (uint32_t)i);
    if (s->stacks.more_ns)
        sink->notice = ez_sprintf("%llu ns are in stacks beyond the maximum number of stacks: they "
                                  "are listed by function only, below [more]",
                                  (unsigned long long)s->stacks.more_ns);
    return ez_outfile_commit(s->f);
}

/* ---- begin and end ------------------------------------------------------------------ */

static ez_err *folded_open(const struct ez_format *f, const struct ez_model *m,
                           const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
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
    EZ_VEC_FREE(&s->path);
    free(s->sink.notice);
    ez_stacks_free(&s->stacks);
    ez_outfile_destroy(s->f);
    free(s);
}

const struct ez_format ez_conv_folded = {
    .name = "folded",
    .suffix = ".folded",
    .brief = "stacks and their self time, for flame graphs",
    .gzip = true,
    .open = folded_open,
    .item = folded_item,
    .close = folded_close,
    .destroy = folded_destroy,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_text.c - how `analyze` names threads, functions and shares (analyze.h).
 * Tests: tests/trace/analyze.sh */
#include "cmds/trace/analyze.h"
#include "engine/base/strutil.h"
#include "shell/sess.h"

const char *analyze_thread(const struct analyze *v, uint32_t thread)
{
    const struct ez_thread_row *t = &v->a->thread[thread];
    uint32_t rank = v->m->container.at[t->process].rank;
    if (t->mpi && rank != EZ_NO_RANK)
        return sess_format(v->s, "rank %u", rank);
    return v->m->container.at[t->container].name;
}

const char *analyze_function(const struct analyze *v, uint32_t path)
{
    const struct ez_path_node *p = &v->a->node[path];
    if (!path)
        return "code outside recorded functions";
    if (p->name == EZ_NONE_IDX)
        return v->m->subject.at[p->subject].text;
    const struct ez_name *n = &v->m->name.at[p->name];
    return n->file ? sess_format(v->s, "%s (%s:%u)", n->text, ez_base_name(n->file), n->line)
                   : n->text;
}

const char *analyze_percent(const struct analyze *v, double part, double of)
{
    return of > 0 ? sess_format(v->s, "%.*f %%", part * 10 < of ? 1 : 0, 100 * part / of) : "-";
}

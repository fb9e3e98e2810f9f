/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources.c - defines in the trace where functions that were hit begin in the source. The
 * definitions are written when a trace is closed, because debug information is slow to read, and
 * most of many probed functions are never called.
 *
 * Tests: tests/procs/sources.sh */
#include "engine/base/now.h"
#include "engine/dwarf/srcline.h"
#include "engine/probe/probe.h"
#include "engine/target.h"

#define SOURCES_MS 2000 /* maximum time; functions after that have no line */

static bool sources_was_hit(struct ez_target *t, const struct ez_site *s)
{
    uint64_t entries, exits;
    for (size_t i = 0; i < s->variant.n; i++) {
        ez_drain_counts(t->tracing.drain, s->variant.at[i].id, &entries, &exits);
        if (entries || exits)
            return true;
    }
    for (size_t i = 0; i < s->clause.n; i++) {
        ez_drain_counts(t->tracing.drain, s->clause.at[i].id, &entries, &exits);
        if (entries || exits)
            return true;
    }
    return false;
}

void ez_name_sources(struct ez_target *t)
{
    struct ez_drain *d = t->tracing.drain;
    const int64_t end = ez_now_ms() + SOURCES_MS;
    for (size_t i = 0; d && i < t->patcher.site.n && ez_now_ms() < end; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        const struct ez_module *m = s->mod ? s->mod : s->gone;
        const char *file;
        unsigned line, last;
        if (!m || !m->obj || s->hook || ez_drain_has_source(d, s->func) || !sources_was_hit(t, s))
            continue;
        if (ez_srcline_function(m->obj, s->func - m->bias, &file, &line, &last))
            ez_drain_define_source(d, s->func, file, line, last);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ids.c - allocates ids for variants, clauses and modules, and defines them in the trace. Each id
 * has counters and a row of the journal, both in the memory shared with the target.
 * Tests: tests/e2e/trace.ezt, tests/procs/module.sh */
#include "engine/patch/ids.h"

#include <stdio.h>

#include "engine/target.h"

/* Number of ids reserved for hooks of eztsh. If probes used all ids, the loader's hook would get
 * none, and planting would fail; without the unwinders' hooks, exceptions would fail. */
#define IDS_OF_HOOKS 64
#define IDS_NAME 256 /* size of a name's buffer in bytes */

/* Returns the name of the site's function; inside of a function, the name of the inlined function or
 * of the USDT probe at the site, or the address. */
static const char *ids_function(const struct ez_site *s, char *buf, size_t size)
{
    const struct ez_sym *called = s->called ? s->called : s->sym;
    const struct ez_stap *stap =
        s->exact && s->mod ? ez_object_stap_at(s->mod->obj, s->func - s->mod->bias) : NULL;
    if (s->exact && s->inlined)
        return s->inlined;
    if (stap)
        snprintf(buf, size, "%s:%s", stap->provider, stap->name);
    else
        snprintf(buf, size, "0x%lx", (unsigned long)s->func);
    return called && !s->exact ? ez_sym_pretty(called) : buf;
}

void ez_site_define(struct ez_target *t, const struct ez_site *s, uint32_t id, unsigned flags)
{
    char name[IDS_NAME];
    ez_drain_define(t->tracing.drain, id, flags, s->func, ids_function(s, name, sizeof name),
                    ez_base_name(s->mod->path));
}

void ez_site_throttled(struct ez_target *t, const struct ez_site *s, bool on)
{
    char name[IDS_NAME];
    if (t->tracing.drain && s->mod)
        ez_drain_define_throttle(t->tracing.drain, s->func, on, ids_function(s, name, sizeof name),
                                 ez_base_name(s->mod->path));
}

void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v)
{
    ez_site_define(t, s, v->id, v->flags);
}

ez_err *ez_id_room(struct ez_target *t, int flags)
{
    uint32_t most =
        t->rt.hdr->ids_max - (flags & (EZ_ROW_INTERNAL | EZ_ROW_JUMP) ? 0 : IDS_OF_HOOKS);
    if (t->rt.nids >= most)
        return ez_err_new(EZ_E_LIMIT, 0,
                          "A process has room for %u probes: use a narrower REGEX, or LIB:REGEX",
                          most);
    return ez_drain_reserve_ids(t->tracing.drain, t->rt.nids + 1);
}

void ez_id_use(struct ez_target *t)
{
    t->rt.nids++;
    t->rt.hdr->ids_used = t->rt.nids;
}

ez_err *ez_id_claim(struct ez_target *t, const struct ez_row *row, uint32_t *id)
{
    EZ_TRY(ez_id_room(t, 0));
    *id = t->rt.nids;
    t->rt.rows[*id] = *row;
    t->rt.rows[*id].first = *id;
    ez_id_use(t);
    return NULL;
}

ez_err *ez_id_of_module(struct ez_target *t, uint64_t at, uint32_t *id)
{
    const struct ez_row row = { .flags =
                                    EZ_ROW_MODULE | EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY,
                                .with = at };
    return ez_id_claim(t, &row, id);
}

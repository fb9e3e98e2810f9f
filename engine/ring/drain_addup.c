/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_addup.c - what the main thread asks about aggregates (engine/data_abi.h): pages for their tables, a
 * definition in the trace, values there. drain_adds.c reads the tables. */
#include <errno.h>
#include <string.h>

#include "engine/data_abi.h"
#include "engine/ring/addup.h"
#include "engine/ring/drain_priv.h"

static ez_err *addup_order(struct ez_drain *d, void *arg)
{
    uint32_t n = *(uint32_t *)arg;
    int e = n > d->seg.naddups || !d->seg.off_addups ? ENOSPC : 0;
    for (uint32_t i = 1; !e && i < d->lanes.ready; i++)
        e = drain_addup_pages(d, i, d->lanes.addups, n);
    if (e)
        return ez_err_new(EZ_E_SYS, e, "no shared memory for %u aggregates", n);
    d->lanes.addups = n;
    __atomic_store_n(&d->hdr->addups_ready, n, __ATOMIC_RELEASE);
    return NULL;
}

ez_err *ez_drain_reserve_addups(struct ez_drain *d, uint32_t n)
{
    return n <= d->lanes.addups ? NULL : drain_ask(d, addup_order, &n);
}

void ez_drain_define_adds(struct ez_drain *d, uint32_t table, const struct ez_aggregate *a)
{
    const char *text[] = { a->function, a->value, a->key, ez_item_type_name(a->key_type) };
    struct drain_def def = { .kind = EZ_DEF_ADDS,
                             .arg = { table, (uint64_t)a->number,
                                      a->adds | (uint64_t)a->sum->of << 8, d->clock.zero.real_ns },
                             .narg = 4 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++)
        def.len += strlen(text[i]) + 1;
    char *to = def.text = ez_alloc(def.len + 2);
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++)
        to = stpcpy(to, text[i]) + 1;
    drain_queue_def(d, &def);
}

static ez_err *addup_order_write(struct ez_drain *d, void *arg)
{
    d->file.next_adds = 0; /* has the round write them */
    drain_round(d, drain_target_ended(d));
    return NULL;
}

void ez_drain_write_adds(struct ez_drain *d)
{
    ez_err_drop(drain_ask(d, addup_order_write, NULL));
}

static ez_err *addup_order_note(struct ez_drain *d, void *arg)
{
    drain_adds_note(d);
    return NULL;
}

void ez_drain_note_keys(struct ez_drain *d)
{
    if (d->lanes.addups)
        ez_err_drop(drain_ask(d, addup_order_note, NULL));
}

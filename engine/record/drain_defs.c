/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_defs.c - keeps the definitions (names of probes, meanings of events) that the main thread
 * queues and the drain thread writes to each trace.
 *
 * The drain keeps all definitions for later traces, and the main thread can look them up.
 *
 * Tests: tests/unit/record/check_drain.c, tests/procs/module.sh */
#include "engine/record/drain_defs.h"

#include <string.h>

#include "engine/record/addup.h"
#include "engine/record/drain_priv.h"

static void defs_queue(struct ez_drain *d, const struct drain_def *f)
{
    struct drain_def def = *f;
    pthread_mutex_lock(&d->defs.lock);
    if (def.kind == EZ_DEF_SYMBOL || def.kind == EZ_DEF_ITEMS || def.kind == EZ_DEF_SOURCE)
        ez_hash_put(&d->defs.texts, ez_hash_pair(def.arg[0], def.kind), d->defs.all.n);
    if (def.kind == EZ_DEF_ADDS)
        EZ_PUSH(&d->defs.adds, d->defs.all.n);
    EZ_PUSH(&d->defs.all, def);
    pthread_mutex_unlock(&d->defs.lock);
}

/* Queues a definition whose text is a, b and c, separated by NULs. c may be NULL. */
static void defs_put(struct ez_drain *d, struct drain_def def, const char *a, const char *b,
                     const char *c)
{
    size_t na = strlen(a) + 1, nb = strlen(b), nc = c ? strlen(c) + 1 : 0;
    def.len = na + nb + nc;
    def.text = ez_alloc(def.len + 2); /* two bytes 0 more, so that a missing text is "" */
    memcpy(def.text, a, na);
    memcpy(def.text + na, b, nb);
    if (c)
        memcpy(def.text + na + nb + 1, c, nc - 1);
    defs_queue(d, &def);
}

static const char *defs_text(struct ez_drain *d, enum ez_def kind, uint64_t arg)
{
    size_t i;
    pthread_mutex_lock(&d->defs.lock);
    const char *text =
        ez_hash_get(&d->defs.texts, ez_hash_pair(arg, kind), &i) ? d->defs.all.at[i].text : NULL;
    pthread_mutex_unlock(&d->defs.lock);
    return text;
}

const char *ez_drain_symbol(const void *drain, uint64_t addr)
{
    return defs_text((struct ez_drain *)drain, EZ_DEF_SYMBOL, addr);
}

const char *ez_drain_items(struct ez_drain *d, uint64_t code)
{
    return defs_text(d, EZ_DEF_ITEMS, code);
}

/* If the name is too long for an event, returns a shorter name for the trace: the beginning of the
 * name and a hash, which makes it unique. Returns NULL if the name fits. The caller frees the
 * text. */
static char *defs_name(const char *function)
{
    const size_t most = EZ_FXT_TEXT - 4096; /* leaves room for the library's name */
    if (strlen(function) <= most)
        return NULL;
    return ez_sprintf("%.*s...#%016llx", (int)most, function,
                      (unsigned long long)ez_hash_key(EZ_HASH_SEED, function));
}

void ez_drain_define(struct ez_drain *d, uint32_t id, uint32_t flags, uint64_t addr,
                     const char *function, const char *library)
{
    EZ_FREE char *name = defs_name(function);
    defs_put(d, (struct drain_def){ .kind = EZ_DEF_PROBE, .arg = { id, flags, addr }, .narg = 3 },
             name ? name : function, library, NULL);
}

void ez_drain_define_throttle(struct ez_drain *d, uint64_t addr, bool on, const char *function,
                              const char *library)
{
    EZ_FREE char *name = defs_name(function);
    defs_put(d,
             (struct drain_def){
                 .kind = EZ_DEF_THROTTLE, .arg = { addr, on, drain_tick(d) }, .narg = 3 },
             name ? name : function, library, NULL);
}

void ez_drain_define_module(struct ez_drain *d, uint32_t id, const char *name, const char *desc)
{
    defs_put(d, (struct drain_def){ .kind = EZ_DEF_MODULE, .arg = { id }, .narg = 1 }, name, desc,
             NULL);
}

void ez_drain_define_meaning(struct ez_drain *d, const struct ez_event_meaning *m)
{
    defs_put(d,
             (struct drain_def){
                 .kind = EZ_DEF_MEANING, .arg = { m->code, m->action, m->level }, .narg = 3 },
             m->name, m->group, m->words && *m->words ? m->words : NULL);
}

void ez_drain_define_symbol(struct ez_drain *d, uint64_t addr, const char *name)
{
    defs_put(d, (struct drain_def){ .kind = EZ_DEF_SYMBOL, .arg = { addr }, .narg = 1 }, name, "",
             NULL);
}

void ez_drain_define_source(struct ez_drain *d, uint64_t addr, const char *file, unsigned line,
                            unsigned last)
{
    defs_put(d, (struct drain_def){ .kind = EZ_DEF_SOURCE, .arg = { addr, line, last }, .narg = 3 },
             file, "", NULL);
}

bool ez_drain_has_source(struct ez_drain *d, uint64_t addr)
{
    return defs_text(d, EZ_DEF_SOURCE, addr) != NULL;
}

void ez_drain_define_items(struct ez_drain *d, uint64_t code, const char *items)
{
    defs_put(d, (struct drain_def){ .kind = EZ_DEF_ITEMS, .arg = { code }, .narg = 1 }, items, "",
             NULL);
}

bool ez_drain_meaning(struct ez_drain *d, uint64_t code, struct ez_event_meaning *out)
{
    bool found = false;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = d->defs.all.n; i-- > 0 && !found;) {
        const struct drain_def *f = &d->defs.all.at[i];
        found = f->kind == EZ_DEF_MEANING && f->arg[0] == code;
        if (found)
            *out = (struct ez_event_meaning){ .code = code,
                                              .action = (unsigned)f->arg[1],
                                              .level = (unsigned)f->arg[2],
                                              .name = f->text,
                                              .group = f->text + strlen(f->text) + 1 };
    }
    pthread_mutex_unlock(&d->defs.lock);
    return found;
}

const char **ez_drain_names(struct ez_drain *d, size_t *n)
{
    *n = 0;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = 0; i < d->defs.all.n; i++)
        if (d->defs.all.at[i].kind == EZ_DEF_PROBE)
            *n = EZ_MAX(*n, (size_t)d->defs.all.at[i].arg[0] + 1);
    const char **name = ez_alloc((*n + 1) * sizeof *name);
    for (size_t i = 0; i < d->defs.all.n; i++)
        if (d->defs.all.at[i].kind == EZ_DEF_PROBE)
            name[d->defs.all.at[i].arg[0]] = d->defs.all.at[i].text;
    pthread_mutex_unlock(&d->defs.lock);
    return name;
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
    defs_queue(d, &def);
}

/* ---- for the drain thread -------------------------------------------------------------- */

void drain_defs_follow(struct ez_drain *d, uint32_t id, bool exits)
{
    d->defs.exits[id] = exits;
}

size_t drain_defs_pop(struct ez_drain *d, struct drain_def *def, size_t most)
{
    struct drain_defs *s = &d->defs;
    pthread_mutex_lock(&s->lock);
    size_t n = EZ_MIN(most, s->all.n - s->written);
    if (n) /* an empty list has no memory */
        memcpy(def, s->all.at + s->written, n * sizeof *def);
    s->written += n;
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < n; i++)
        if (def[i].kind == EZ_DEF_PROBE && def[i].arg[0] < d->seg.ids_max)
            drain_defs_follow(d, (uint32_t)def[i].arg[0],
                              def[i].arg[1] & EZ_ROW_REC_EXIT && def[i].arg[1] & EZ_ROW_REC_ENTRY);
    return n;
}

void drain_defs_again(struct ez_drain *d)
{
    d->defs.written = 0;
}

void drain_defs_begin(struct ez_drain *d)
{
    pthread_mutex_init(&d->defs.lock, NULL);
    d->defs.exits = ez_alloc_sparse(d->seg.ids_max);
}

void drain_defs_free(struct ez_drain *d)
{
    struct drain_defs *s = &d->defs;
    for (size_t i = 0; i < s->all.n; i++)
        free(s->all.at[i].text);
    EZ_VEC_FREE(&s->all);
    EZ_VEC_FREE(&s->adds);
    ez_hash_free(&s->texts);
    ez_free_sparse(s->exits, d->seg.ids_max);
    pthread_mutex_destroy(&s->lock);
}

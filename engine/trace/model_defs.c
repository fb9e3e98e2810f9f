/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_defs.c - defines the names, subjects and containers of a model (model.h).
 * Tests: tests/unit/trace/check_about.c, tests/unit/trace/check_model.c */
#include <string.h>

#include "engine/trace/model_priv.h"

/* ---- names ------------------------------------------------------------------------- */

static bool model_is_name(const struct ez_name *n, enum ez_name_kind kind, const char *text,
                          const char *group)
{
    return n->kind == kind && !strcmp(n->text, text) && !strcmp(n->group, group);
}

uint32_t ez_model_name(struct ez_model *m, enum ez_name_kind kind, const char *text,
                       const char *group, uint64_t addr)
{
    uint64_t h = ez_hash_key(ez_hash_key(EZ_HASH_SEED + kind, text), group);
    size_t i;
    for (;; h++) { /* if another name has the hash h, try the next number */
        i = ez_hash_put(&m->priv->names, h, m->name.n);
        if (i == m->name.n)
            break;
        if (model_is_name(&m->name.at[i], kind, text, group))
            return (uint32_t)i;
    }
    struct ez_name n = {
        .kind = kind, .text = ez_strdup(text), .group = ez_strdup(group), .addr = addr
    };
    EZ_PUSH(&m->name, n);
    return (uint32_t)i;
}

static bool model_is_subject(const struct ez_subject *s, const char *kind, const char *text,
                             uint32_t process)
{
    return s->process == process && !strcmp(s->text, text) && !strcmp(s->kind, kind);
}

uint32_t ez_model_subject(struct ez_model *m, const char *kind, const char *text, uint32_t process)
{
    uint64_t h = ez_hash_key(ez_hash_key(EZ_HASH_SEED + process, kind), text);
    size_t i;
    for (;; h++) {
        i = ez_hash_put(&m->priv->subjects, h, m->subject.n);
        if (i == m->subject.n)
            break;
        if (model_is_subject(&m->subject.at[i], kind, text, process))
            return (uint32_t)i;
    }
    struct ez_subject s = { ez_strdup(kind), ez_strdup(text), process };
    EZ_PUSH(&m->subject, s);
    return (uint32_t)i;
}

/* ---- containers -------------------------------------------------------------------- */

static bool model_title_exists(struct ez_model *m, enum ez_level level, const char *name)
{
    uint64_t h = ez_hash_key(EZ_HASH_SEED + level, name);
    for (;; h++) {
        size_t i = ez_hash_put(&m->priv->titles, h, m->container.n);
        if (i == m->container.n)
            return false;
        if (m->container.at[i].level == level && !strcmp(m->container.at[i].name, name))
            return true;
    }
}

uint32_t ez_model_container(struct ez_model *m, enum ez_level level, uint32_t parent,
                            const char *name, uint64_t pid, uint64_t tid)
{
    struct ez_container c = { .level = level,
                              .parent = parent,
                              .pid = pid,
                              .tid = tid,
                              .input = EZ_NONE_IDX,
                              .rank = EZ_NO_RANK };
    c.name = ez_strdup(name);
    for (unsigned i = 2; model_title_exists(m, level, c.name); i++) {
        free(c.name);
        c.name = ez_sprintf("%s #%u", name, i);
    }
    EZ_PUSH(&m->container, c);
    return (uint32_t)(m->container.n - 1);
}

void ez_model_rename(struct ez_model *m, uint32_t container, const char *name)
{
    struct ez_container *c = &m->container.at[container];
    if (!strcmp(c->name, name))
        return;
    free(c->name);
    c->name = ez_strdup(name);
    m->renamed++;
}

void ez_model_roster(struct ez_model *m)
{
    m->roster = (uint32_t)m->container.n;
}

uint64_t ez_model_place(const struct ez_model *m, uint32_t container)
{
    const struct ez_container *c = &m->container.at[container];
    return c->level == EZ_L_THREAD ? (uint64_t)c->parent << 32 | container
                                   : (uint64_t)container << 32;
}

const struct ez_container *ez_model_process(const struct ez_model *m, uint32_t container)
{
    const struct ez_container *c = &m->container.at[container];
    if (c->level == EZ_L_THREAD && c->parent < m->container.n)
        c = &m->container.at[c->parent];
    return c->level == EZ_L_PROCESS ? c : NULL;
}

uint64_t ez_model_run_ns(const struct ez_model *m, uint64_t *threads)
{
    uint64_t run = 0, n = 0;
    for (size_t i = 0; i < m->container.n; i++) {
        const struct ez_container *c = &m->container.at[i];
        const struct ez_active *a = &c->active;
        if (c->hidden || !a->any)
            continue;
        n++;
        run += a->last_ns - a->first_ns - EZ_MIN(a->ours_ns, a->last_ns - a->first_ns);
    }
    if (threads)
        *threads = n;
    return run;
}

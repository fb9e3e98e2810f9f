/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stap.c - USDT probes as locations, in gdb's syntax:
 *
 *   -probe-stap [OBJECT:][PROVIDER:]NAME
 *
 * Each note of that name, in each file, is a place of the probe. OBJECT names a file as in LIB:FUNC.
 * Tests: tests/procs/usdt.sh */
#include "engine/probe/stap.h"

#include <string.h>

#include "engine/base/strutil.h"
#include "engine/sym/sym.h"
#include "engine/target.h"

/* Splits the text at its first two colons, which it replaces by NULs. */
static struct ez_stap_name stap_split(char *text)
{
    char *one = strchr(text, ':'), *two = one ? strchr(one + 1, ':') : NULL;
    if (one)
        *one = '\0';
    if (two)
        *two = '\0';
    return (struct ez_stap_name){ .object = two ? text : NULL,
                                  .provider = two   ? one + 1
                                              : one ? text
                                                    : NULL,
                                  .name = two   ? two + 1
                                          : one ? one + 1
                                                : text };
}

static bool stap_matches(const struct ez_stap_name *want, const struct ez_stap *s)
{
    return !strcmp(s->name, want->name) &&
           (!want->provider || !strcmp(s->provider, want->provider));
}

ez_err *ez_stap_check(const char *location)
{
    EZ_FREE char *copy = ez_strdup(ez_location_stap(location));
    const struct ez_stap_name n = stap_split(copy);
    if (n.object && !*n.object)
        return ez_err_gdb(EZ_E_ARG, "invalid objfile name");
    if (n.provider && !*n.provider)
        return ez_err_gdb(EZ_E_ARG, "invalid provider name");
    return *n.name ? NULL : ez_err_gdb(EZ_E_ARG, "no probe name specified");
}

void ez_stap_in_module(const struct ez_module_info *m, void *arg)
{
    struct ez_stap_search *q = arg;
    size_t n = 0;
    if (q->e || !m->obj ||
        (q->want.object && !ez_path_is_library(ez_text(m->path), q->want.object)))
        return;
    const struct ez_stap *all = ez_object_staps(m->obj, &n);
    for (size_t i = 0; i < n && !q->e; i++) {
        const struct ez_stap *s = &all[i];
        if (!stap_matches(&q->want, s))
            continue;
        q->found = true;
        if (s->is_damaged)
            q->e = ez_err_new(EZ_E_REFUSED, 0,
                              "The note of %s:%s at 0x%llx in %s is damaged: the place must be in "
                              "code, and its semaphore in writable data",
                              s->provider, s->name, (unsigned long long)s->vaddr, m->path);
        else
            q->fn(ez_addr_of(s->vaddr + m->bias), ez_object_find_addr(m->obj, s->vaddr), m, q->arg);
    }
}

void ez_stap_search_begin(struct ez_stap_search *q, char *text)
{
    q->want = stap_split(text);
}

ez_err *ez_stap_search_end(const struct ez_stap_search *q)
{
    if (q->e || q->found)
        return q->e;
    return ez_err_gdb(EZ_E_NOTFOUND, "No probe matching objfile=`%s', provider=`%s', name=`%s'",
                      q->want.object ? q->want.object : "<any>",
                      q->want.provider ? q->want.provider : "<any>", q->want.name);
}

const struct ez_stap *ez_stap_named(struct ez_object *obj, const char *location, uint64_t vaddr)
{
    size_t n = 0;
    EZ_FREE char *copy = ez_strdup(ez_location_stap(location));
    const struct ez_stap_name want = stap_split(copy);
    const struct ez_stap *all = ez_object_staps(obj, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].vaddr == vaddr && stap_matches(&want, &all[i]))
            return &all[i];
    return NULL;
}

const struct ez_stap *ez_stap_of(const struct ez_probe *p)
{
    return p->obj && ez_location_stap(p->spec.location)
               ? ez_stap_named(p->obj, p->spec.location, p->vaddr)
               : NULL;
}

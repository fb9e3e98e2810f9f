/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_spec.c - copies, compares and frees the user's request for a probe (struct ez_probe_spec).
 * cmds/probe/probe_spec.c parses and prints it.
 * Tests: tests/unit/probe/check_probe_spec.c */
#include <stdlib.h>
#include <string.h>

#include "engine/ezt.h"

static const size_t spec_texts[] = {
    offsetof(struct ez_probe_spec, location), offsetof(struct ez_probe_spec, prototype),
    offsetof(struct ez_probe_spec, with),     offsetof(struct ez_probe_spec, orig),
    offsetof(struct ez_probe_spec, twins),    offsetof(struct ez_probe_spec, cond),
    offsetof(struct ez_probe_spec, collect),  offsetof(struct ez_probe_spec, leave),
    offsetof(struct ez_probe_spec, action),   offsetof(struct ez_probe_spec, print),
    offsetof(struct ez_probe_spec, value),    offsetof(struct ez_probe_spec, key),
};

#define SPEC_OPTION(member, option, kind, judge, value, meaning)                                   \
    { option, EZ_KIND_##kind, EZ_JUDGE_##judge, offsetof(struct ez_probe_filter, member) },
const struct ez_filter_option ez_filter_options[] = { EZ_PROBE_FILTERS(SPEC_OPTION){ .name =
                                                                                         NULL } };

const char *ez_filter_text(const struct ez_probe_filter *f, const struct ez_filter_option *o)
{
    return o->kind == EZ_KIND_TEXT ? *(const char *const *)((const char *)f + o->offset) : NULL;
}

uint64_t ez_filter_number(const struct ez_probe_filter *f, const struct ez_filter_option *o)
{
    return o->kind == EZ_KIND_TEXT ? 0 : *(const uint64_t *)((const char *)f + o->offset);
}

static void spec_own(const char **text)
{
    *text = *text && **text ? ez_strdup(*text) : NULL;
}

/* Calls fn with the address of each string pointer in a spec. */
static void spec_each_text(struct ez_probe_spec *s, void (*fn)(const char **text))
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(spec_texts); i++)
        fn((const char **)((char *)s + spec_texts[i]));
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++)
        if (o->kind == EZ_KIND_TEXT)
            fn((const char **)((char *)&s->filter + o->offset));
}

void ez_probe_spec_copy(struct ez_probe_spec *out, const struct ez_probe_spec *from)
{
    *out = *from;
    spec_each_text(out, spec_own);
}

static void spec_free_text(const char **text)
{
    free((char *)*text);
    *text = NULL;
}

void ez_probe_spec_free(struct ez_probe_spec *s)
{
    spec_each_text(s, spec_free_text);
}

static bool spec_same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static bool spec_same_filter(const struct ez_probe_filter *a, const struct ez_probe_filter *b)
{
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++)
        if (!spec_same_text(ez_filter_text(a, o), ez_filter_text(b, o)) ||
            ez_filter_number(a, o) != ez_filter_number(b, o))
            return false;
    return a->ignore == b->ignore && a->passcount == b->passcount;
}

static bool spec_same_fragment(const struct ez_fragment_request *a,
                               const struct ez_fragment_request *b)
{
    return a->spec == b->spec && a->aborts == b->aborts && a->routine == b->routine &&
           a->places == b->places && a->callee == b->callee && a->at == b->at;
}

bool ez_probe_spec_same(const struct ez_probe_spec *a, const struct ez_probe_spec *b)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(spec_texts); i++)
        if (!spec_same_text(*(const char *const *)((const char *)a + spec_texts[i]),
                            *(const char *const *)((const char *)b + spec_texts[i])))
            return false;
    return a->kind == b->kind && a->record == b->record && a->matching == b->matching &&
           a->no_startup == b->no_startup && a->tracepoint == b->tracepoint && a->adds == b->adds &&
           spec_same_filter(&a->filter, &b->filter) &&
           spec_same_fragment(&a->fragment, &b->fragment);
}

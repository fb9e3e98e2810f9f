/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_defs.c - writes the definitions of an OTF2 archive (conv_otf2.c).
 * Tests: tests/unit/format/check_otf2.c, tests/unit/format/check_formats.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <string.h>

#include "engine/format/conv_otf2.h"
#include "engine/base/strutil.h"

struct defs {
    struct otf2 *s;
    OTF2_GlobalDefWriter *g;
    uint32_t strings, groups, processes; /* how many were defined so far */
    EZ_VEC(const char *) host;           /* hosts; element i is node i + 1 of the system tree */
    uint32_t nothing;                    /* number of the empty string */
};

static uint32_t otf2_string(void *defs, const char *text)
{
    struct defs *d = defs;
    EZ_FREE char *plain = ez_str_plain(text, "", 0);
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteString(d->g, d->strings, plain));
    return d->strings++;
}

/* ---- names ---------------------------------------------------------------------- */

static void otf2_region(struct defs *d, uint32_t self, const struct ez_name *n)
{
    bool state = n->kind == EZ_N_STATE;
    uint32_t name = otf2_string(d, *n->text ? n->text : "(no name)"),
             group = *n->group ? otf2_string(d, n->group) : d->nothing;
    uint32_t brief = state ? d->nothing : otf2_string(d, "event");
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteRegion(
                      d->g, self, name, name, brief,
                      state ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_ARTIFICIAL,
                      OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, group, 0, 0));
}

static void otf2_metric(struct defs *d, uint32_t self, const struct ez_name *n)
{
    uint32_t name = otf2_string(d, n->text),
             group = *n->group ? otf2_string(d, n->group) : d->nothing;
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteMetricMember(
                      d->g, self, name, group, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT,
                      OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, d->nothing));
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteMetricClass(
                      d->g, self, 1, &self, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

/* Writes a group for each library, with the library's regions. Viewers colour a group alike. */
static void otf2_libraries(struct defs *d)
{
    const struct ez_model *m = d->s->m;
    EZ_FREE uint64_t *member = ez_alloc((m->name.n + 1) * sizeof *member);
    EZ_FREE bool *done = ez_alloc(m->name.n + 1);
    for (size_t i = 0; i < d->s->ref.n; i++) {
        const char *group = m->name.at[i].group;
        uint32_t n = 0;
        if (m->name.at[i].kind != EZ_N_STATE || !*group || done[i] ||
            d->s->ref.at[i] == EZ_NONE_IDX)
            continue;
        for (size_t j = i; j < d->s->ref.n; j++) {
            if (m->name.at[j].kind != EZ_N_STATE || strcmp(m->name.at[j].group, group) ||
                d->s->ref.at[j] == EZ_NONE_IDX)
                continue;
            done[j] = true;
            member[n++] = d->s->ref.at[j];
        }
        otf2_ok(d->s, OTF2_GlobalDefWriter_WriteGroup(
                          d->g, d->groups++, otf2_string(d, group), OTF2_GROUP_TYPE_REGIONS,
                          OTF2_PARADIGM_UNKNOWN, OTF2_GROUP_FLAG_NONE, n, member));
    }
}

static void otf2_names(struct defs *d)
{
    for (size_t i = 0; i < d->s->ref.n; i++) {
        const struct ez_name *n = &d->s->m->name.at[i];
        if (d->s->ref.at[i] == EZ_NONE_IDX) /* no item of that name was written */
            continue;
        if (n->kind == EZ_N_STATE || n->kind == EZ_N_EVENT)
            otf2_region(d, d->s->ref.at[i], n);
        else if (n->kind == EZ_N_VAR)
            otf2_metric(d, d->s->ref.at[i], n);
    }
    static const char *const mark[OTF2_MARKS] = { "unwound", "unknown end", "cut" };
    for (uint32_t i = 0; i < OTF2_MARKS; i++)
        otf2_ok(d->s,
                OTF2_GlobalDefWriter_WriteAttribute(d->g, OTF2_UNWOUND + i, otf2_string(d, mark[i]),
                                                    d->nothing, OTF2_TYPE_UINT8));
    for (uint32_t i = 0; i < d->s->attribute.n; i++)
        otf2_ok(d->s, OTF2_GlobalDefWriter_WriteAttribute(
                          d->g, OTF2_ATTRIBUTE0 + i, otf2_string(d, d->s->attribute.at[i].name),
                          d->nothing, d->s->attribute.at[i].type));
}

/* ---- places --------------------------------------------------------------------- */

/* Returns the node of a host, or the program's node if the host is unknown. */
static uint32_t otf2_node_of(struct defs *d, const char *host)
{
    uint32_t i = 0;
    if (!host)
        return 0;
    while (i < d->host.n && strcmp(d->host.at[i], host))
        i++;
    if (i == d->host.n) {
        EZ_PUSH(&d->host, host);
        otf2_ok(d->s, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->g, i + 1, otf2_string(d, host),
                                                               otf2_string(d, "node"), 0));
    }
    return i + 1;
}

/* Returns the location group of a process. The first call writes the group. It is called only for
 * processes with a location, because a location group must not be empty. */
static uint32_t otf2_group_of(struct defs *d, uint32_t container, uint32_t *number)
{
    if (number[container] == EZ_NONE_IDX) {
        const struct ez_container *c = &d->s->m->container.at[container];
        uint32_t node = otf2_node_of(d, c->level == EZ_L_HOST ? c->name : c->host);
        number[container] = d->processes++;
        otf2_ok(d->s, OTF2_GlobalDefWriter_WriteLocationGroup(
                          d->g, number[container], otf2_string(d, c->name),
                          OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP));
        if (c->job) {
            OTF2_AttributeValue job = { .stringRef = otf2_string(d, c->job) };
            otf2_ok(d->s, OTF2_GlobalDefWriter_WriteLocationGroupProperty(
                              d->g, number[container], otf2_string(d, "EZTSH::JOB"),
                              OTF2_TYPE_STRING, job));
        }
    }
    return number[container];
}

/* Returns the name of a location, as the number of a string. A main thread has the name of its
 * process, and gets " (main)" appended: ViTE aborts if a location and its group have the same name
 * and number. */
static uint32_t otf2_location_name(struct defs *d, const struct ez_container *c, bool thread)
{
    if (!thread)
        return otf2_string(d, "(whole process)");
    bool alike = !strcmp(c->name, d->s->m->container.at[c->parent].name);
    EZ_FREE char *name = ez_sprintf("%s%s", c->name, alike ? " (main)" : "");
    return otf2_string(d, name);
}

struct sorted { /* a location and its position in the tree */
    uint64_t place;
    uint32_t location;
};

static int otf2_by_place(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Writes the locations in the order of ez_model_place(), because viewers show locations in the
 * order of their definitions. (Their numbers have the order of their creation.) */
static void otf2_places(struct defs *d)
{
    struct otf2 *s = d->s;
    const struct ez_model *m = s->m;
    EZ_FREE struct sorted *order = ez_alloc((s->location.n + 1) * sizeof *order);
    for (uint32_t i = 0; i < s->location.n; i++)
        order[i] = (struct sorted){ ez_model_place(m, s->location.at[i]), i };
    qsort(order, s->location.n, sizeof *order, otf2_by_place);
    EZ_FREE uint32_t *number = ez_alloc((m->container.n + 1) * sizeof *number);
    memset(number, 0xff, m->container.n * sizeof *number);
    for (uint32_t k = 0; k < s->location.n; k++) {
        uint32_t i = order[k].location, at = s->location.at[i];
        const struct ez_container *c = &m->container.at[at];
        bool thread = c->level == EZ_L_THREAD && c->parent < m->container.n;
        uint32_t group = otf2_group_of(d, thread ? c->parent : at, number);
        otf2_ok(s, OTF2_GlobalDefWriter_WriteLocation(d->g, i, otf2_location_name(d, c, thread),
                                                      OTF2_LOCATION_TYPE_CPU_THREAD,
                                                      s->place.at[at].events, group));
    }
}

void otf2_write_definitions(struct otf2 *s)
{
    struct defs d = { .s = s, .g = OTF2_Archive_GetGlobalDefWriter(s->archive) };
    if (!d.g) {
        otf2_ok(s, OTF2_ERROR_INVALID);
        return;
    }
    uint64_t start = s->m->start_real_ns ? s->m->start_real_ns : OTF2_UNDEFINED_TIMESTAMP;
    otf2_ok(s, OTF2_GlobalDefWriter_WriteClockProperties(d.g, 1000000000, 0, s->m->now, start));
    for (size_t i = 0; i < s->text.n; i++)
        otf2_string(&d, s->text.at[i]);
    d.nothing = otf2_string(&d, "");
    uint32_t program = otf2_string(&d, s->m->container.n ? s->m->container.at[0].name : "");
    otf2_ok(s, OTF2_GlobalDefWriter_WriteSystemTreeNode(d.g, 0, program, otf2_string(&d, "program"),
                                                        OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    otf2_places(&d);
    otf2_names(&d);
    otf2_libraries(&d);
    otf2_write_communicators(s, d.g, &d.groups, otf2_string, &d);
    EZ_VEC_FREE(&d.host);
    otf2_ok(s, OTF2_Archive_CloseGlobalDefWriter(s->archive, d.g));
}

#endif

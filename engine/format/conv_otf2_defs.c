/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_defs.c - writes the definitions of an OTF2 archive (conv_otf2.c).
 * Tests: tests/unit/format/check_otf2.c, tests/unit/format/check_formats.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <string.h>

#include "engine/format/conv_otf2.h"
#include "engine/trace/roles.h"
#include "engine/base/strutil.h"

struct text { /* a string that was defined */
    char *text;
    uint32_t number;
};

struct defs {
    struct otf2 *s;
    OTF2_GlobalDefWriter *g;
    uint32_t strings, groups, processes; /* numbers of definitions written so far */
    EZ_VEC(const char *) host;           /* hosts; element i is node i + 1 of the system tree */
    uint32_t nothing;                    /* number of the empty string */
    struct ez_hash by_text;              /* hash of a text -> index in `text` */
    EZ_VEC(struct text) text;            /* strings except those that are values */
};

static uint32_t otf2_new_string(struct defs *d, const char *plain)
{
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteString(d->g, d->strings, plain));
    return d->strings++;
}

/* Returns the number of a string, and defines the string if it is new. */
static uint32_t otf2_string(void *defs, const char *text)
{
    struct defs *d = defs;
    char *plain = ez_str_plain(text, "", 0);
    for (uint64_t h = ez_hash_key(EZ_HASH_SEED, plain);; h++) {
        size_t i = ez_hash_put(&d->by_text, h, d->text.n);
        if (i == d->text.n) {
            EZ_PUSH(&d->text, ((struct text){ plain, otf2_new_string(d, plain) }));
            return d->text.at[i].number;
        }
        if (!strcmp(d->text.at[i].text, plain)) {
            free(plain);
            return d->text.at[i].number;
        }
    }
}

/* ---- names ---------------------------------------------------------------------- */

static void otf2_region(struct defs *d, uint32_t self, const struct ez_name *n)
{
    struct otf2_kind kind = otf2_kind_of(n);
    uint32_t name = otf2_string(d, *n->text ? n->text : "(no name)"),
             file = otf2_string(d, n->file ? n->file : n->group);
    uint32_t brief = n->kind == EZ_N_STATE ? d->nothing : otf2_string(d, "event");
    otf2_ok(d->s,
            OTF2_GlobalDefWriter_WriteRegion(d->g, self, name, name, brief, kind.role,
                                             kind.paradigm, OTF2_REGION_FLAG_NONE, file,
                                             n->file ? n->line : 0, n->file ? n->last_line : 0));
}

static void otf2_metric(struct defs *d, uint32_t self, const struct ez_name *n)
{
    uint32_t name = otf2_string(d, n->text), group = otf2_string(d, n->group);
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteMetricMember(
                      d->g, self, name, group, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT,
                      OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, otf2_string(d, ez_variable_unit(n))));
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteMetricClass(
                      d->g, self, 1, &self, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

/* Writes a group for each library and each module, with its regions. Viewers give the regions of a
 * group the same colour. */
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
        OTF2_Paradigm paradigm = otf2_kind_of(&m->name.at[i]).paradigm;
        for (size_t j = i; j < d->s->ref.n; j++) {
            if (m->name.at[j].kind != EZ_N_STATE || strcmp(m->name.at[j].group, group) ||
                d->s->ref.at[j] == EZ_NONE_IDX)
                continue;
            done[j] = true;
            member[n++] = d->s->ref.at[j];
            if (otf2_kind_of(&m->name.at[j]).paradigm != paradigm)
                paradigm = OTF2_PARADIGM_UNKNOWN;
        }
        otf2_ok(d->s, OTF2_GlobalDefWriter_WriteGroup(d->g, d->groups++, otf2_string(d, group),
                                                      OTF2_GROUP_TYPE_REGIONS, paradigm,
                                                      OTF2_GROUP_FLAG_NONE, n, member));
    }
}

static void otf2_attributes(struct defs *d)
{
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

/* Writes regions and metrics in the order of their numbers, which is the order of their first
 * use. */
static void otf2_names(struct defs *d)
{
    const struct otf2 *s = d->s;
    uint32_t regions = s->refs[EZ_N_STATE], metrics = s->refs[EZ_N_VAR];
    EZ_FREE uint32_t *region = ez_alloc((regions + 1) * sizeof *region),
                     *metric = ez_alloc((metrics + 1) * sizeof *metric);
    for (uint32_t i = 0; i < s->ref.n; i++) {
        enum ez_name_kind kind = s->m->name.at[i].kind;
        if (s->ref.at[i] == EZ_NONE_IDX) /* nothing with that name was written */
            continue;
        if (kind == EZ_N_STATE || kind == EZ_N_EVENT)
            region[s->ref.at[i]] = i;
        else if (kind == EZ_N_VAR)
            metric[s->ref.at[i]] = i;
    }
    for (uint32_t k = 0; k < regions; k++)
        otf2_region(d, k, &s->m->name.at[region[k]]);
    for (uint32_t k = 0; k < metrics; k++)
        otf2_metric(d, k, &s->m->name.at[metric[k]]);
}

/* Writes the parallel paradigms that regions and communicators have. */
static void otf2_paradigms(struct defs *d)
{
    const struct otf2 *s = d->s;
    bool used[UINT8_MAX + 1] = { [OTF2_PARADIGM_MPI] = otf2_has_comms(s, OTF2_PARADIGM_MPI),
                                 [OTF2_PARADIGM_PTHREAD] =
                                     otf2_has_comms(s, OTF2_PARADIGM_PTHREAD) };
    for (size_t i = 0; i < s->ref.n; i++)
        if (s->ref.at[i] != EZ_NONE_IDX)
            used[otf2_kind_of(&s->m->name.at[i]).paradigm] = true;
    for (const struct otf2_class *c = otf2_classes(); c->name; c++)
        if (used[c->paradigm])
            otf2_ok(d->s, OTF2_GlobalDefWriter_WriteParadigm(
                              d->g, c->paradigm, otf2_string(d, c->name), c->paradigm_class));
}

/* ---- places --------------------------------------------------------------------- */

static void otf2_node(struct defs *d, uint32_t node, const char *name, const char *class,
                      uint32_t parent, OTF2_SystemTreeDomain domain)
{
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->g, node, otf2_string(d, name),
                                                           otf2_string(d, class), parent));
    otf2_ok(d->s, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(d->g, node, domain));
}

/* Returns the node of a host, or the root if the host is unknown. */
static uint32_t otf2_node_of(void *defs, const char *host)
{
    struct defs *d = defs;
    uint32_t i = 0;
    if (!host)
        return 0;
    while (i < d->host.n && strcmp(d->host.at[i], host))
        i++;
    if (i == d->host.n) {
        EZ_PUSH(&d->host, host);
        otf2_node(d, i + 1, host, "node", 0, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
    return i + 1;
}

/* Returns the location group of a process. The first call writes the group. Call this function only
 * for processes with a location, because a location group must not be empty. */
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

/* Returns the name of a location, as the number of a string. A thread with the same name as its
 * process (the main thread) gets " (main)" appended: ViTE aborts if a location and its group have
 * the same name and number. */
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
    /* These strings come first, because values use their numbers. */
    for (size_t i = 0; i < s->text.n; i++) {
        EZ_FREE char *plain = ez_str_plain(s->text.at[i], "", 0);
        otf2_new_string(&d, plain);
    }
    d.nothing = otf2_string(&d, "");
    otf2_paradigms(&d);
    otf2_node(&d, 0, OTF2_MACHINE, "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE,
              OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    otf2_places(&d);
    otf2_names(&d);
    otf2_attributes(&d);
    otf2_libraries(&d);
    otf2_write_communicators(s, d.g, &d.groups, otf2_string, &d);
    otf2_write_io(s, d.g, &(struct otf2_define){ otf2_string, otf2_node_of, &d });
    EZ_VEC_FREE(&d.host);
    for (size_t i = 0; i < d.text.n; i++)
        free(d.text.at[i].text);
    EZ_VEC_FREE(&d.text);
    ez_hash_free(&d.by_text);
    otf2_ok(s, OTF2_Archive_CloseGlobalDefWriter(s->archive, d.g));
}

#endif

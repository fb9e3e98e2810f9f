/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.c - passes each event of a trace to the interpreters (interp.h). */
#include "engine/trace/interp.h"

#include <inttypes.h>

#include "engine/base/strutil.h"
#include "engine/trace/interp_file.h"
#include "modules/ezt_interp.h"

static const struct ez_interp *const table[] = { &ez_interp_default, &ez_interp_mpi };

struct plain { /* number of events of a module that no interpreter handled */
    uint32_t input;
    uint64_t id, n;
};

struct ez_interps {
    struct ez_inputs *inputs;
    struct ez_model *model;
    void *self[EZ_ARRAY_LEN(table)];
    struct ez_hash unknown; /* code of an event that no interpreter handles -> name in the model */
    struct ez_interp_files *files;
    char *said; /* lines for the user: messages of and about interpreters */
    EZ_VEC(struct plain) plain;
};

struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n)
{
    struct ez_interps *all = ez_alloc(sizeof *all);
    all->inputs = ez_inputs_create(m, defs, n);
    all->model = m;
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        all->self[i] = table[i]->create(all->inputs);
    all->files = ez_interp_files_load(all->inputs, &all->said);
    return all;
}

void ez_interps_destroy(struct ez_interps *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        table[i]->destroy(all->self[i]);
    ez_interp_files_free(all->files);
    ez_inputs_destroy(all->inputs);
    EZ_VEC_FREE(&all->plain);
    free(all->said);
    ez_hash_free(&all->unknown);
    free(all);
}

void ez_interps_roster(struct ez_interps *all)
{
    ez_inputs_roster(all->inputs);
}

void ez_interps_rename(struct ez_interps *all, uint32_t input, uint64_t tid)
{
    ez_inputs_rename(all->inputs, input, tid);
}

struct ez_inputs *ez_interps_inputs(struct ez_interps *all)
{
    return all->inputs;
}

bool ez_interps_of_users(const struct ez_interps *all)
{
    return ez_interp_files_any(all->files);
}

/* ---- events ------------------------------------------------------------------------------ */

/* Returns the module with that ID, or NULL if the trace does not define it. */
static const struct ez_fxt_module *interp_module(struct ez_interps *all, uint32_t input,
                                                 uint64_t id)
{
    const struct ez_fxt_defs *d = ez_inputs_defs(all->inputs, input);
    for (size_t i = 0; i < d->modules.n; i++)
        if (d->modules.at[i].id == id)
            return &d->modules.at[i];
    return NULL;
}

/* Returns the name of an event that no interpreter handles: "gpu event 5" for event 5 of module
 * gpu, "code 0x..." without a module. The caller frees it. */
static char *interp_plain_name(struct ez_interps *all, const struct ez_merged *ev)
{
    const struct ez_fxt_module *m =
        ev->code < EZ_C_MODULE ? NULL
                               : interp_module(all, ev->input, (ev->code - EZ_C_MODULE) >> 16);
    return m ? ez_sprintf("%s event %u", m->name, (unsigned)(ev->code & 0xffff))
             : ez_sprintf("code 0x%" PRIx64, ev->code);
}

static void interp_count_plain(struct ez_interps *all, const struct ez_merged *ev)
{
    uint64_t id = (ev->code - EZ_C_MODULE) >> 16;
    if (ev->code < EZ_C_MODULE)
        return;
    for (size_t i = 0; i < all->plain.n; i++)
        if (all->plain.at[i].id == id && all->plain.at[i].input == ev->input) {
            all->plain.at[i].n++;
            return;
        }
    struct plain p = { ev->input, id, 1 };
    EZ_PUSH(&all->plain, p);
}

/* Emits an event that no interpreter handles as a point event. */
static void interp_unknown(struct ez_interps *all, const struct ez_merged *ev)
{
    size_t name;
    interp_count_plain(all, ev);
    if (!ez_hash_get(&all->unknown, ev->code, &name)) {
        EZ_FREE char *text = interp_plain_name(all, ev);
        name = ez_model_name(all->model, EZ_N_EVENT, text, "", 0);
        ez_hash_put(&all->unknown, ev->code, name);
    }
    ez_model_event(all->model, ez_inputs_thread(all->inputs, ev->input, ev->tid), (uint32_t)name,
                   ev->arg, ev->narg, EZ_ABOUT_NOTHING);
}

static bool interp_may(const struct ez_interp *i, const struct ez_merged *ev)
{
    return ev->code >= i->first && ev->code <= i->last;
}

void ez_interps_event(struct ez_interps *all, const struct ez_merged *ev)
{
    int others = ez_interp_files_event(all->files, ev);
    bool known = others != EZT_NOT_MINE;
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        if (table[i]->before && interp_may(table[i], ev))
            table[i]->before(all->self[i], ev);
    for (size_t i = 0; others != EZT_INSTEAD && i < EZ_ARRAY_LEN(table); i++)
        if (interp_may(table[i], ev))
            known |= table[i]->event(all->self[i], ev);
    if (!known)
        interp_unknown(all, ev);
}

/* Adds a line to all->said: how many events of a module were emitted as plain point events. */
static void interp_say_plain(struct ez_interps *all, const struct plain *p)
{
    const struct ez_fxt_module *m = interp_module(all, p->input, p->id);
    if (!m)
        return;
    bool has = ez_interp_files_has(all->files, p->input, p->id);
    ez_str_add_line(&all->said, "%" PRIu64 " %s of module %s shown as they are: %s%s%s", p->n,
                    p->n == 1 ? "event" : "events", m->name,
                    has ? "its interpreter knows them not" : "there is no ", has ? "" : m->name,
                    has ? "" : "-interp.so");
}

char *ez_interps_finish(struct ez_interps *all)
{
    ez_interp_files_finish(all->files);
    for (size_t i = 0; i < all->plain.n; i++)
        interp_say_plain(all, &all->plain.at[i]);
    char *said = all->said;
    all->said = NULL;
    return said;
}

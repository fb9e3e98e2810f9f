/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.c - see interp.h: the table of interpreters, and the containers of events. */
#include "engine/trace/interp.h"

#include <inttypes.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/trace/interp_file.h"
#include "modules/ezt_interp.h"

static const struct ez_interp *const table[] = { &ez_interp_default, &ez_interp_mpi };

struct input { /* containers; EZ_NONE_IDX until created */
    uint32_t process;
    EZ_VEC(uint32_t) thread; /* parallel to the file's thread definitions */
};

struct plain { /* events of a module that no interpreter handles */
    uint32_t input;
    uint64_t id, n;
};

struct ez_interps {
    struct ez_model *model;
    struct ez_fxt_defs **defs;
    size_t inputs;
    void *self[EZ_ARRAY_LEN(table)];
    struct input *input;
    bool hosts;        /* hosts are containers between the program and the processes */
    bool jobs;         /* the ranks belong to several jobs */
    uint64_t last_tid; /* arguments and result of the last ez_interps_thread() */
    uint32_t last_input, last_thread;
    struct ez_hash unknown; /* code -> name */
    struct ez_interp_files *files;
    char *said;                 /* about interpreters that cannot be used */
    EZ_VEC(struct plain) plain; /* modules with events that no interpreter handles */
};

struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n)
{
    struct ez_interps *all = ez_alloc(sizeof *all);
    all->model = m;
    all->defs = ez_alloc(n * sizeof *defs);
    memcpy(all->defs, defs, n * sizeof *defs);
    all->inputs = n;
    all->last_input = EZ_NONE_IDX;
    all->input = ez_alloc(n * sizeof *all->input);
    for (size_t i = 0; i < n; i++)
        all->input[i].process = EZ_NONE_IDX;
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        all->self[i] = table[i]->create(all);
    all->files = ez_interp_files_load(all, n, &all->said);
    return all;
}

void ez_interps_destroy(struct ez_interps *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        table[i]->destroy(all->self[i]);
    ez_interp_files_free(all->files);
    EZ_VEC_FREE(&all->plain);
    free(all->said);
    for (size_t i = 0; i < all->inputs; i++)
        EZ_VEC_FREE(&all->input[i].thread);
    ez_hash_free(&all->unknown);
    free(all->input);
    free(all->defs);
    free(all);
}

struct ez_model *ez_interps_model(struct ez_interps *all)
{
    return all->model;
}

size_t ez_interps_inputs(const struct ez_interps *all)
{
    return all->inputs;
}

struct ez_fxt_defs *ez_interps_defs(struct ez_interps *all, uint32_t input)
{
    return all->defs[input];
}

/* ---- containers ---------------------------------------------------------------------- */

static bool interp_is_host(const struct ez_container *c, const char *name)
{
    return c->level == EZ_L_HOST && !strcmp(c->name, name);
}

static uint32_t interp_host_of(struct ez_interps *all, const struct ez_fxt_defs *d)
{
    struct ez_model *m = all->model;
    const char *name = d->host && *d->host ? d->host : "(unknown host)";
    uint32_t i = 1;
    if (!all->hosts)
        return 0;
    while (i < m->container.n && !interp_is_host(&m->container.at[i], name))
        i++;
    return i < m->container.n ? i : ez_model_container(m, EZ_L_HOST, 0, name, 0, 0);
}

/* Returns the name of a container: "rank 3: app 4242", or with several jobs "rank 3 of 4711.0: app
 * 4242". */
static char *interp_title(const struct ez_fxt_defs *d, bool jobs, const char *name, uint64_t id)
{
    bool job = d->job && *d->job && jobs;
    EZ_FREE char *rank =
        d->job ? ez_sprintf("rank %u%s%s: ", d->rank, job ? " of " : "", job ? d->job : "")
               : ez_strdup("");
    return ez_sprintf("%s%s %" PRIu64, rank, name, id);
}

uint32_t ez_interps_process(struct ez_interps *all, uint32_t input)
{
    uint32_t *c = &all->input[input].process;
    if (*c != EZ_NONE_IDX)
        return *c;
    const struct ez_fxt_defs *d = ez_interps_defs(all, input);
    const char *program = d->program && *d->program ? ez_base_name(d->program) : "process";
    EZ_FREE char *name = interp_title(d, all->jobs, program, d->pid);
    *c = ez_model_container(all->model, EZ_L_PROCESS, interp_host_of(all, d), name, d->pid, 0);
    struct ez_container *me = &all->model->container.at[*c];
    me->rank = d->job ? d->rank : EZ_NO_RANK;
    me->host = d->host && *d->host ? ez_strdup(d->host) : NULL;
    me->job = d->job && *d->job ? ez_strdup(d->job) : NULL;
    return *c;
}

static uint32_t interp_make_thread(struct ez_interps *all, uint32_t input, size_t thread)
{
    uint32_t process = ez_interps_process(all, input);
    struct ez_fxt_defs *d = ez_interps_defs(all, input);
    const struct ez_fxt_thread *t = &d->threads.at[thread];
    const char *known = t->name;
    if (!*known && t->tid == d->pid && d->program)
        known = ez_base_name(d->program); /* the main thread ended before its name was read */
    EZ_FREE char *name = interp_title(d, false, *known ? known : "thread", t->tid);
    return ez_model_container(all->model, EZ_L_THREAD, process, name, d->pid, t->tid);
}

void ez_interps_roster(struct ez_interps *all)
{
    const char *host = NULL, *job = NULL;
    for (size_t i = 0; i < all->inputs; i++) {
        const struct ez_fxt_defs *d = all->defs[i];
        if (d->host && *d->host) {
            all->hosts |= host && strcmp(host, d->host);
            host = d->host;
        }
        if (d->job) {
            all->hosts = true;
            all->jobs |= job && strcmp(job, d->job);
            job = d->job;
        }
    }
    for (uint32_t i = 0; all->hosts && i < all->inputs; i++)
        ez_interps_process(all, i);
    if (all->hosts)
        ez_model_roster(all->model);
}

uint32_t ez_interps_thread(struct ez_interps *all, uint32_t input, uint64_t tid)
{
    if (input == all->last_input && tid == all->last_tid)
        return all->last_thread;
    struct input *in = &all->input[input];
    size_t i = ez_fxt_defs_thread(ez_interps_defs(all, input), tid);
    while (in->thread.n <= i)
        EZ_PUSH(&in->thread, EZ_NONE_IDX);
    if (in->thread.at[i] == EZ_NONE_IDX)
        in->thread.at[i] = interp_make_thread(all, input, i);
    all->last_input = input;
    all->last_tid = tid;
    return all->last_thread = in->thread.at[i];
}

/* ---- events ------------------------------------------------------------------------------ */

/* Returns the module with that ID, or NULL if the trace does not define it. */
static const struct ez_fxt_module *interp_module(struct ez_interps *all, uint32_t input,
                                                 uint64_t id)
{
    const struct ez_fxt_defs *d = ez_interps_defs(all, input);
    for (size_t i = 0; i < d->modules.n; i++)
        if (d->modules.at[i].id == id)
            return &d->modules.at[i];
    return NULL;
}

/* Returns the name for a module's event that no interpreter handles: "gpu event 5". */
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
    ez_model_event(all->model, ez_interps_thread(all, ev->input, ev->tid), (uint32_t)name, ev->arg,
                   ev->narg, EZ_ABOUT_NOTHING);
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

/* Adds a line about how many events of a module were emitted as plain point events. */
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

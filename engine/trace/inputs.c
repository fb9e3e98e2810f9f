/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.c - the trace files of a replay, and the containers of their processes and threads
 * (inputs.h). */
#include "engine/trace/inputs.h"

#include <inttypes.h>
#include <string.h>

#include "engine/base/strutil.h"

struct input { /* indexes of containers in the model; EZ_NONE_IDX until they are created */
    uint32_t process;
    EZ_VEC(uint32_t) thread; /* containers of threads; index: as ez_fxt_defs.threads */
};

struct ez_inputs {
    struct ez_model *model;
    struct ez_fxt_defs **defs;
    size_t n;
    struct input *input;
    bool hosts;        /* hosts are containers between the program and the processes */
    bool jobs;         /* the ranks belong to more than one job */
    uint64_t last_tid; /* tid that was last passed to ez_inputs_thread(); a cache */
    uint32_t last_input, last_thread;
};

struct ez_inputs *ez_inputs_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n)
{
    struct ez_inputs *all = ez_alloc(sizeof *all);
    all->model = m;
    all->defs = ez_alloc(n * sizeof *defs);
    memcpy(all->defs, defs, n * sizeof *defs);
    all->n = n;
    all->last_input = EZ_NONE_IDX;
    all->input = ez_alloc(n * sizeof *all->input);
    for (size_t i = 0; i < n; i++)
        all->input[i].process = EZ_NONE_IDX;
    return all;
}

void ez_inputs_destroy(struct ez_inputs *all)
{
    for (size_t i = 0; i < all->n; i++)
        EZ_VEC_FREE(&all->input[i].thread);
    free(all->input);
    free(all->defs);
    free(all);
}

struct ez_model *ez_inputs_model(struct ez_inputs *all)
{
    return all->model;
}

size_t ez_inputs_count(const struct ez_inputs *all)
{
    return all->n;
}

struct ez_fxt_defs *ez_inputs_defs(struct ez_inputs *all, uint32_t input)
{
    return all->defs[input];
}

static bool inputs_is_host(const struct ez_container *c, const char *name)
{
    return c->level == EZ_L_HOST && !strcmp(c->name, name);
}

static uint32_t inputs_host_of(struct ez_inputs *all, const struct ez_fxt_defs *d)
{
    struct ez_model *m = all->model;
    const char *name = d->host && *d->host ? d->host : "(unknown host)";
    uint32_t i = 1;
    if (!all->hosts)
        return 0;
    while (i < m->container.n && !inputs_is_host(&m->container.at[i], name))
        i++;
    return i < m->container.n ? i : ez_model_container(m, EZ_L_HOST, 0, name, 0, 0);
}

/* Returns the name of a container, which the caller frees: "rank 3: app 4242", or with several jobs
 * "rank 3 of 4711.0: app 4242". */
static char *inputs_title(const struct ez_fxt_defs *d, bool jobs, const char *name, uint64_t id)
{
    bool job = d->job && *d->job && jobs;
    EZ_FREE char *rank =
        d->job ? ez_sprintf("rank %u%s%s: ", d->rank, job ? " of " : "", job ? d->job : "")
               : ez_strdup("");
    return ez_sprintf("%s%s %" PRIu64, rank, name, id);
}

uint32_t ez_inputs_process(struct ez_inputs *all, uint32_t input)
{
    uint32_t *c = &all->input[input].process;
    if (*c != EZ_NONE_IDX)
        return *c;
    const struct ez_fxt_defs *d = ez_inputs_defs(all, input);
    const char *program = d->program && *d->program ? ez_base_name(d->program) : "process";
    EZ_FREE char *name = inputs_title(d, all->jobs, program, d->pid);
    *c = ez_model_container(all->model, EZ_L_PROCESS, inputs_host_of(all, d), name, d->pid, 0);
    struct ez_container *me = &all->model->container.at[*c];
    me->rank = d->job ? d->rank : EZ_NO_RANK;
    me->ranks = d->job ? d->ranks : 0;
    me->host = d->host && *d->host ? ez_strdup(d->host) : NULL;
    me->job = d->job && *d->job ? ez_strdup(d->job) : NULL;
    return *c;
}

/* Returns the name of a thread's container. The caller frees it. */
static char *inputs_thread_title(const struct ez_fxt_defs *d, const struct ez_fxt_thread *t)
{
    const char *known = t->name;
    if (!*known && t->tid == d->pid && d->program)
        known = ez_base_name(d->program); /* the drain did not read the main thread's name */
    return inputs_title(d, false, *known ? known : "thread", t->tid);
}

static uint32_t inputs_make_thread(struct ez_inputs *all, uint32_t input, size_t thread)
{
    uint32_t process = ez_inputs_process(all, input);
    struct ez_fxt_defs *d = ez_inputs_defs(all, input);
    const struct ez_fxt_thread *t = &d->threads.at[thread];
    EZ_FREE char *name = inputs_thread_title(d, t);
    uint32_t c = ez_model_container(all->model, EZ_L_THREAD, process, name, d->pid, t->tid);
    all->model->container.at[c].input = input;
    return c;
}

void ez_inputs_roster(struct ez_inputs *all)
{
    const char *host = NULL, *job = NULL;
    for (size_t i = 0; i < all->n; i++) {
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
    for (uint32_t i = 0; all->hosts && i < all->n; i++)
        ez_inputs_process(all, i);
    if (all->hosts)
        ez_model_roster(all->model);
}

uint32_t ez_inputs_thread(struct ez_inputs *all, uint32_t input, uint64_t tid)
{
    if (input == all->last_input && tid == all->last_tid)
        return all->last_thread;
    struct input *in = &all->input[input];
    size_t i = ez_fxt_defs_thread(ez_inputs_defs(all, input), tid);
    while (in->thread.n <= i)
        EZ_PUSH(&in->thread, EZ_NONE_IDX);
    if (in->thread.at[i] == EZ_NONE_IDX)
        in->thread.at[i] = inputs_make_thread(all, input, i);
    all->last_input = input;
    all->last_tid = tid;
    return all->last_thread = in->thread.at[i];
}

uint32_t ez_inputs_function(struct ez_model *m, const struct ez_fxt_defs *d,
                            const struct ez_fxt_probe *p, enum ez_name_kind kind)
{
    uint32_t name = ez_model_name(m, kind, p->function, p->library, p->addr);
    struct ez_name *n = &m->name.at[name];
    size_t i;
    if (!n->file && ez_hash_get(&d->source_by_addr, p->addr, &i) && *d->sources.at[i].file) {
        n->file = ez_str_plain(d->sources.at[i].file, "", 0);
        n->line = d->sources.at[i].line;
        n->last_line = d->sources.at[i].last;
    }
    return name;
}

void ez_inputs_rename(struct ez_inputs *all, uint32_t input, uint64_t tid)
{
    const struct input *in = &all->input[input];
    struct ez_fxt_defs *d = ez_inputs_defs(all, input);
    size_t i = ez_fxt_defs_thread(d, tid);
    if (i >= in->thread.n || in->thread.at[i] == EZ_NONE_IDX)
        return;
    EZ_FREE char *name = inputs_thread_title(d, &d->threads.at[i]);
    ez_model_rename(all->model, in->thread.at[i], name);
}

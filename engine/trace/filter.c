/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.c - chooses which calls of a trace its readers get (filter.h). */
#include "engine/trace/filter.h"

#include <regex.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/trace/condition.h"
#include "engine/trace/filter_list.h"

enum { F_FUNCTION, F_NOT, F_LIBRARY, F_CALLER, F_CALLEE, F_REGEXES };

/* bits that describe a name; 0 until the name is used */
enum { N_KNOWN = 1, N_SHOWN = 2, N_CALLER = 4, N_CALLEE = 8, N_EMITTED = 16, N_PAUSE = 32 };

struct frame { /* a frame of the model's stack */
    bool shown, pause;
    bool within;       /* calls inside this frame have a caller that matches -caller */
    bool has_callee;   /* a callee that matches -callee was called inside this frame */
    bool hides;        /* a state directly inside this frame is hidden */
    uint64_t number;   /* number of the call among the calls of its thread in one reading */
    uint64_t child_ns; /* time of the shown states directly inside this frame */
};

/* The result of a condition that depends on nothing but the call's thread, name, depth and the class
 * of its duration (condition.h). To evaluate the condition costs more than to read the call, so the
 * filter keeps some results. */
struct result {
    uint32_t container, name, depth, class;
    bool known, holds;
};
enum { RESULT_BITS = 12, RESULTS = 1 << RESULT_BITS };

struct thread {
    enum { T_UNKNOWN, T_SHOWN, T_HIDDEN } state;
    bool begun;       /* the readers of the filter got the begin of this container */
    uint32_t renamed; /* number of renamed names in the model when `state` was computed */
    uint32_t calls;   /* number of open shown frames that are not pauses */
    uint64_t number;  /* number of calls so far in this reading */
    size_t verdicts;  /* index in ez_filter.verdicts, or SIZE_MAX if not known yet */
    EZ_VEC(struct frame) frame;
    EZ_VEC(struct ez_kept_values) values; /* values for the condition; index: frame */
};

struct verdicts { /* verdicts of the first reading about the calls of a thread */
    /* bit frame.number: the call meets the criteria that are known only at its end */
    EZ_VEC(uint64_t) word;
};

struct ez_filter {
    struct filter_list threads, processes, ranks;
    bool given[F_REGEXES];
    regex_t regex[F_REGEXES];
    struct ez_condition *where;
    uint64_t depth, min_ns, max_ns;
    bool no_pauses;
    bool by_call; /* a criterion is about calls, not only about threads */
    bool late;

    struct ez_model *m;
    ez_item_fn *fn;
    void *arg;
    EZ_VEC(struct thread) thread; /* index: container */
    EZ_VEC(unsigned char) name;   /* index: name */
    EZ_VEC(struct verdicts) verdicts;
    struct result *result; /* RESULTS results, in places that filter_result_of() chooses, or NULL */
    uint32_t result_names; /* number of renamed names in the model when `result` was computed */
    struct ez_hash verdicts_of; /* thread -> index in `verdicts` */
    /* open links whose start was shown -> container in which the link started */
    struct ez_hash links;
    struct ez_filter_sum sum;
};

/* ---- the specification ---------------------------------------------------------------------- */

static ez_err *filter_compile(struct ez_filter *f, int i, const char *regex)
{
    if (!regex)
        return NULL;
    EZ_TRY(ez_str_regcomp(&f->regex[i], regex, 0));
    f->given[i] = true;
    return NULL;
}

static ez_err *filter_parse(struct ez_filter *f, const struct ez_filter_spec *s)
{
    const char *const regex[F_REGEXES] = { s->function, s->not_function, s->library, s->caller,
                                           s->callee };
    EZ_TRY(filter_list_parse(&f->threads, s->threads, "thread", true));
    EZ_TRY(filter_list_parse(&f->processes, s->processes, "process", true));
    EZ_TRY(filter_list_parse(&f->ranks, s->ranks, "rank", false));
    for (int i = 0; i < F_REGEXES; i++)
        EZ_TRY(filter_compile(f, i, regex[i]));
    return s->where ? ez_condition_parse(s->where, &f->where) : NULL;
}

ez_err *ez_filter_create(const struct ez_filter_spec *s, struct ez_filter **out)
{
    struct ez_filter *f = ez_alloc(sizeof *f);
    f->depth = s->depth ? s->depth : UINT64_MAX;
    f->min_ns = s->min_ns;
    f->max_ns = s->max_ns ? s->max_ns : UINT64_MAX;
    f->no_pauses = s->no_pauses;
    *out = NULL;
    ez_err *e = filter_parse(f, s);
    f->late = f->min_ns || s->max_ns || f->given[F_CALLEE] ||
              (f->where && ez_condition_is_late(f->where));
    f->by_call = f->late || f->where || s->depth;
    for (int i = 0; i < F_REGEXES; i++)
        f->by_call |= f->given[i];
    if (!e && s->min_ns > f->max_ns)
        e = ez_err_new(EZ_E_ARG, 0, "No call is longer than -min and shorter than -max");
    if (!e && (ez_filter_hides(f) || f->no_pauses))
        *out = f;
    else
        ez_filter_free(f);
    return e;
}

bool ez_filter_is_late(const struct ez_filter *f)
{
    return f->late;
}

bool ez_filter_needs_points(const struct ez_filter *f)
{
    return f->given[F_CALLEE];
}

bool ez_filter_needs_starts(const struct ez_filter *f)
{
    return f->given[F_CALLEE] || (f->where && ez_condition_needs_values(f->where));
}

bool ez_filter_hides(const struct ez_filter *f)
{
    return f->by_call || f->threads.n || f->processes.n || f->ranks.n;
}

static void filter_free_reading(struct ez_filter *f)
{
    for (size_t i = 0; i < f->thread.n; i++) {
        struct thread *t = &f->thread.at[i];
        for (size_t k = 0; k < t->values.n; k++)
            ez_kept_values_free(&t->values.at[k]);
        EZ_VEC_FREE(&t->values);
        EZ_VEC_FREE(&t->frame);
    }
    EZ_VEC_FREE(&f->thread);
    EZ_VEC_FREE(&f->name);
    free(f->result);
    f->result = NULL;
    ez_hash_free(&f->links);
    f->sum = (struct ez_filter_sum){ 0 };
}

void ez_filter_begin(struct ez_filter *f, struct ez_model *m, ez_item_fn *fn, void *arg)
{
    filter_free_reading(f);
    f->m = m;
    f->fn = fn;
    f->arg = arg;
    m->filtered = true;
}

void ez_filter_forget(struct ez_filter *f)
{
    for (size_t i = 0; i < f->verdicts.n; i++)
        EZ_VEC_FREE(&f->verdicts.at[i].word);
    EZ_VEC_FREE(&f->verdicts);
    ez_hash_free(&f->verdicts_of);
}

void ez_filter_free(struct ez_filter *f)
{
    if (!f)
        return;
    filter_free_reading(f);
    for (int i = 0; i < F_REGEXES; i++)
        if (f->given[i])
            regfree(&f->regex[i]);
    filter_list_free(&f->threads);
    filter_list_free(&f->processes);
    filter_list_free(&f->ranks);
    ez_condition_free(f->where);
    ez_filter_forget(f);
    free(f);
}

struct ez_filter_sum ez_filter_sum(const struct ez_filter *f)
{
    return f->sum;
}

/* ---- threads and names ---------------------------------------------------------------------- */

/* Returns true if the filter selects the container's process. */
static bool filter_process(struct ez_filter *f, uint32_t container)
{
    const struct ez_container *c = ez_model_process(f->m, container);
    if (!f->processes.n && !f->ranks.n)
        return true;
    if (!c)
        return false;
    bool rank = !f->ranks.n || (c->rank != EZ_NO_RANK && filter_list_has(&f->ranks, c->rank, NULL));
    return rank && (!f->processes.n || filter_list_has(&f->processes, c->pid, c->name));
}

/* Returns true if the begin and the end of a container above threads are shown. */
static bool filter_above(struct ez_filter *f, uint32_t container)
{
    enum ez_level level = f->m->container.at[container].level;
    return level < EZ_L_PROCESS || (level == EZ_L_PROCESS && filter_process(f, container));
}

static bool filter_container(struct ez_filter *f, uint32_t container)
{
    const struct ez_container *c = &f->m->container.at[container];
    if (c->level != EZ_L_THREAD)
        return !f->threads.n && filter_process(f, container);
    return filter_process(f, container) &&
           (!f->threads.n || filter_list_has(&f->threads, c->tid, c->name));
}

static struct thread *filter_find_thread(struct ez_filter *f, uint32_t container)
{
    const struct thread none = { .state = T_UNKNOWN, .verdicts = SIZE_MAX };
    while (f->thread.n <= container)
        EZ_PUSH(&f->thread, none);
    struct thread *t = &f->thread.at[container];
    if (t->state == T_UNKNOWN || (t->state == T_HIDDEN && t->renamed != f->m->renamed))
        t->state = filter_container(f, container) ? T_SHOWN : T_HIDDEN;
    t->renamed = f->m->renamed;
    f->m->container.at[container].hidden = t->state == T_HIDDEN;
    return t;
}

static inline struct thread *filter_thread_of(struct ez_filter *f, uint32_t container)
{
    /* a shown thread stays shown */
    if (container < f->thread.n && f->thread.at[container].state == T_SHOWN)
        return &f->thread.at[container];
    return filter_find_thread(f, container);
}

static bool filter_matches(const struct ez_filter *f, int i, const char *text)
{
    return !regexec(&f->regex[i], text, 0, NULL, 0);
}

static unsigned filter_find_name(struct ez_filter *f, uint32_t name)
{
    while (f->name.n <= name)
        EZ_PUSH(&f->name, 0);
    const struct ez_name *n = &f->m->name.at[name];
    unsigned known = N_KNOWN | (n->pause ? N_PAUSE : 0);
    if ((!f->given[F_FUNCTION] || filter_matches(f, F_FUNCTION, n->text)) &&
        !(f->given[F_NOT] && filter_matches(f, F_NOT, n->text)) &&
        (!f->given[F_LIBRARY] || filter_matches(f, F_LIBRARY, n->group)))
        known |= N_SHOWN;
    if (f->given[F_CALLER] && !n->pause && filter_matches(f, F_CALLER, n->text))
        known |= N_CALLER;
    if (f->given[F_CALLEE] && !n->pause && filter_matches(f, F_CALLEE, n->text))
        known |= N_CALLEE;
    f->name.at[name] = (unsigned char)known;
    return known;
}

static inline unsigned filter_name_of(struct ez_filter *f, uint32_t name)
{
    return name < f->name.n && f->name.at[name] ? f->name.at[name] : filter_find_name(f, name);
}

bool ez_filter_counted(struct ez_filter *f, uint32_t process, uint32_t name)
{
    return !f->threads.n && !f->late && !f->where && f->depth == UINT64_MAX &&
           !f->given[F_CALLER] && filter_name_of(f, name) & N_SHOWN &&
           (process == EZ_NONE_IDX || filter_process(f, process));
}

/* Compares all containers with the lists of the filter, also containers that have no items in the
 * time span. */
static void filter_look(struct ez_filter *f)
{
    for (uint32_t i = 0; i < f->m->container.n; i++)
        filter_thread_of(f, i);
}

void ez_filter_join(struct ez_filter *f, struct ez_filter *other)
{
    filter_look(other);
    filter_list_join(&f->threads, &other->threads);
    filter_list_join(&f->processes, &other->processes);
    filter_list_join(&f->ranks, &other->ranks);
}

ez_err *ez_filter_missing(struct ez_filter *f)
{
    const bool part = f->m->from_ns || f->m->to_ns < UINT64_MAX;
    filter_look(f);
    EZ_TRY(filter_list_missing(&f->threads, part));
    EZ_TRY(filter_list_missing(&f->processes, part));
    EZ_TRY(filter_list_missing(&f->ranks, part));
    return f->where ? ez_condition_missing(f->where) : NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Returns true if a call with `depth` frames around it has a caller that matches -caller, or if
 * there is no -caller. */
static bool filter_within(const struct ez_filter *f, const struct thread *t, uint32_t depth)
{
    return !f->given[F_CALLER] || (depth && t->frame.at[depth - 1].within);
}

static void filter_keep(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    const struct ez_kept_values none = { { NULL, 0, 0 } };
    if (!f->where)
        return;
    while (t->values.n <= it->depth)
        EZ_PUSH(&t->values, none);
    if (it->kind == EZ_I_PUSH)
        ez_kept_values_clear(&t->values.at[it->depth]);
    ez_condition_keep(f->where, it->data, &t->values.at[it->depth]);
}

/* Returns the place of a call's result. */
static struct result *filter_result_of(struct ez_filter *f, const struct result *call)
{
    const uint64_t key = (uint64_t)call->name << 32 ^ (uint64_t)call->container << 24 ^
                         (uint64_t)call->depth << 13 ^ call->class;
    if (!f->result)
        f->result = ez_alloc(RESULTS * sizeof *f->result);
    else if (f->result_names != f->m->renamed)
        memset(f->result, 0, RESULTS * sizeof *f->result);
    f->result_names = f->m->renamed;
    return &f->result[key * 0x9e3779b97f4a7c15u >> (64 - RESULT_BITS)];
}

/* Sets *holds to the result of the condition for a call with `depth` calls around it. The condition
 * has classes. */
static ez_err *filter_where(struct ez_filter *f, const struct ez_item *it, uint32_t depth,
                            bool *holds)
{
    struct result fresh = { it->container, it->name, depth, ez_condition_class(f->where, it),
                            true,          false };
    struct result *r = filter_result_of(f, &fresh);
    if (!r->known || r->name != it->name || r->container != it->container || r->depth != depth ||
        r->class != fresh.class) {
        EZ_TRY(ez_condition_holds(f->where, f->m, it, depth, NULL, &fresh.holds));
        *r = fresh;
    }
    *holds = r->holds;
    return NULL;
}

/* Adds frames for calls that were open before the filter showed their thread. Such calls stay
 * hidden. */
static void filter_add_frames(struct ez_filter *f, struct thread *t, uint32_t container,
                              size_t open)
{
    const struct ez_container *c = &f->m->container.at[container];
    for (size_t i = t->frame.n; i < open; i++) {
        struct frame a = { .within = i && t->frame.at[i - 1].within };
        if (i < c->stack.n)
            a.within |= !!(filter_name_of(f, c->stack.at[i].name) & N_CALLER);
        EZ_PUSH(&t->frame, a);
    }
}

/* Emits the begin of a thread that is shown from now on, because it got a name that the filter
 * selects. */
static ez_err *filter_begin_thread(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    const struct ez_item begin = {
        .kind = EZ_I_CONTAINER, .container = it->container, .name = EZ_NONE_IDX, .ns = it->ns
    };
    t->begun = true;
    return f->fn(f->arg, &begin);
}

/* Adds the frame of a PUSH to the thread's frames, and returns it. name: bits of the item's name.
 * The fields are set one by one, because that is faster than to copy a frame. */
static inline struct frame *filter_enter(struct ez_filter *f, struct thread *t,
                                         const struct ez_item *it, unsigned name)
{
    t->frame.n = it->depth;
    EZ_RESERVE(&t->frame, 1);
    struct frame *a = &t->frame.at[t->frame.n++];
    a->pause = name & N_PAUSE;
    a->number = a->pause ? 0 : t->number++;
    a->within = f->given[F_CALLER] && (name & N_CALLER || (it->depth && a[-1].within));
    a->shown = a->has_callee = a->hides = false;
    a->child_ns = 0;
    return a;
}

/* ---- the first of two readings -------------------------------------------------------------- */

/* Finds the verdicts about the calls of a thread. The two readings may number containers
 * differently, so a thread is identified by its file and tid. */
static void filter_find_verdicts(struct ez_filter *f, struct thread *t, uint32_t container)
{
    const struct verdicts none = { .word = { NULL, 0, 0 } };
    const struct ez_container *c = &f->m->container.at[container];
    bool thread = c->input != EZ_NONE_IDX;
    uint64_t key = ez_hash_pair(thread ? c->tid : container, c->input);
    t->verdicts = ez_hash_put(&f->verdicts_of, key, f->verdicts.n);
    if (t->verdicts == f->verdicts.n)
        EZ_PUSH(&f->verdicts, none);
}

static inline struct verdicts *filter_verdicts(struct ez_filter *f, struct thread *t,
                                               uint32_t container)
{
    if (t->verdicts == SIZE_MAX)
        filter_find_verdicts(f, t, container);
    return &f->verdicts.at[t->verdicts];
}

/* Stores the verdict about a call that ended. */
static void filter_store(struct verdicts *v, uint64_t number, bool wanted)
{
    while (v->word.n <= number / 64)
        EZ_PUSH(&v->word, (uint64_t)0);
    v->word.at[number / 64] |= (uint64_t)wanted << number % 64;
}

static void filter_note_callee(struct thread *t, uint32_t depth)
{
    while (depth && !t->frame.at[depth - 1].has_callee)
        t->frame.at[--depth].has_callee = true;
}

static bool filter_lasts(const struct ez_filter *f, const struct ez_item *it)
{
    return it->spent_ns >= f->min_ns && it->spent_ns <= f->max_ns;
}

static ez_err *filter_judge_call(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    const struct frame *a = &t->frame.at[it->depth];
    bool wanted = filter_lasts(f, it) && (!f->given[F_CALLEE] || a->has_callee);
    filter_keep(f, t, it);
    if (wanted && f->where)
        EZ_TRY(
            ez_condition_holds(f->where, f->m, it, it->depth, &t->values.at[it->depth], &wanted));
    filter_store(filter_verdicts(f, t, it->container), a->number, wanted);
    return NULL;
}

ez_err *ez_filter_judge(void *filter, const struct ez_item *it)
{
    struct ez_filter *f = filter;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return NULL;
    struct thread *t = filter_thread_of(f, it->container);
    if (t->state == T_HIDDEN)
        return NULL;
    const unsigned name = filter_name_of(f, it->name);
    if (it->kind != EZ_I_POP && name & N_CALLEE)
        filter_note_callee(t, it->kind == EZ_I_PUSH ? it->depth : (uint32_t)t->frame.n);
    if (it->kind == EZ_I_PUSH) {
        filter_enter(f, t, it, name);
        filter_keep(f, t, it);
    }
    if (it->kind != EZ_I_POP)
        return NULL;
    ez_err *e = name & N_PAUSE ? NULL : filter_judge_call(f, t, it);
    t->frame.n = it->depth;
    return e;
}

ez_err *ez_filter_judge_end(void *filter, const struct ez_item *it, uint64_t number)
{
    static const struct ez_kept_values none;
    struct ez_filter *f = filter;
    struct thread *t = filter_thread_of(f, it->container);
    bool wanted = filter_lasts(f, it);
    if (t->state == T_HIDDEN)
        return NULL;
    if (wanted && f->where && ez_condition_has_classes(f->where))
        EZ_TRY(filter_where(f, it, it->depth, &wanted));
    else if (wanted && f->where)
        EZ_TRY(ez_condition_holds(f->where, f->m, it, it->depth, &none, &wanted));
    filter_store(filter_verdicts(f, t, it->container), number, wanted);
    return NULL;
}

/* ---- emit ----------------------------------------------------------------------------------- */

static ez_err *filter_emit_name(struct ez_filter *f, const struct ez_item *it)
{
    const struct ez_item name = {
        .kind = EZ_I_NAME, .container = it->container, .name = it->name, .ns = it->ns
    };
    f->name.at[it->name] |= N_EMITTED;
    return f->fn(f->arg, &name);
}

/* Passes an item to the readers, after the item of its name if the name is new to them. */
static inline ez_err *filter_emit(struct ez_filter *f, const struct ez_item *it)
{
    if (it->name != EZ_NONE_IDX && !(filter_name_of(f, it->name) & N_EMITTED))
        EZ_TRY(filter_emit_name(f, it));
    return f->fn(f->arg, it);
}

/* Returns true if one of the `depth` shown states around the state of the item has the same name. */
static bool filter_recursive(const struct ez_filter *f, const struct ez_item *it, uint32_t depth)
{
    const struct ez_container *c = &f->m->container.at[it->container];
    if (!it->recursive || depth == it->depth)
        return it->recursive;
    for (uint32_t i = depth; i-- > 0;)
        if (c->stack.at[c->shown.at[i]].name == it->name)
            return true;
    return false;
}

static inline bool filter_verdict(struct ez_filter *f, struct thread *t, uint32_t container,
                                  uint64_t number)
{
    const struct verdicts *v = filter_verdicts(f, t, container);
    return number / 64 < v->word.n && v->word.at[number / 64] >> number % 64 & 1;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool filter_wants_pause(const struct ez_filter *f, const struct thread *t, uint32_t name)
{
    if (f->no_pauses && f->m->name.at[name].pause == EZ_P_WITHIN)
        return false;
    return !f->by_call || t->calls;
}

/* Sets *shown to true if a call meets the criteria that are known at its start. name: bits of its
 * name. */
static inline ez_err *filter_wants_call(struct ez_filter *f, struct thread *t,
                                        const struct ez_item *it, unsigned name, bool *shown)
{
    uint32_t around = it->kind == EZ_I_PUSH ? it->depth : (uint32_t)t->frame.n;
    *shown = name & N_SHOWN && t->calls < f->depth && filter_within(f, t, around);
    if (*shown && f->where && !ez_condition_is_late(f->where))
        return filter_where(f, it, around, shown);
    return NULL;
}

/* Emits the PUSH or POP of a state with hidden states around it or directly inside it. depth:
 * number of shown states around it. */
static ez_err *filter_emit_changed(struct ez_filter *f, const struct ez_item *it, uint32_t depth,
                                   const struct frame *a)
{
    struct ez_item out = *it;
    out.depth = depth;
    out.recursive = filter_recursive(f, it, depth);
    if (it->kind == EZ_I_POP)
        out.self_ns = it->spent_ns - EZ_MIN(a->child_ns, it->spent_ns);
    return f->fn(f->arg, &out);
}

static ez_err *filter_push(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    struct ez_container *c = &f->m->container.at[it->container];
    const unsigned name = filter_name_of(f, it->name);
    struct frame *a = filter_enter(f, t, it, name);
    bool shown = false;
    if (a->pause)
        shown = filter_wants_pause(f, t, it->name);
    else if (!f->late || filter_verdict(f, t, it->container, a->number))
        EZ_TRY(filter_wants_call(f, t, it, name, &shown));
    f->sum.calls += !a->pause;
    f->sum.shown += !a->pause && shown;
    a->shown = shown;
    if (!shown) {
        if (it->depth)
            t->frame.at[it->depth - 1].hides = true;
        return NULL;
    }
    const uint32_t depth = (uint32_t)c->shown.n;
    if (!(name & N_EMITTED))
        EZ_TRY(filter_emit_name(f, it));
    t->calls += !a->pause;
    EZ_PUSH(&c->shown, it->depth);
    return depth == it->depth ? f->fn(f->arg, it) : filter_emit_changed(f, it, depth, a);
}

static ez_err *filter_pop(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    struct ez_container *c = &f->m->container.at[it->container];
    const struct frame *a = &t->frame.at[it->depth];
    enum ez_pause_kind pause = a->pause ? f->m->name.at[it->name].pause : EZ_P_NONE;
    t->frame.n = it->depth;
    if (!a->shown)
        return NULL;
    const uint32_t depth = (uint32_t)--c->shown.n;
    t->calls -= !a->pause;
    if (depth && pause != EZ_P_APART && pause != EZ_P_OURS)
        t->frame.at[c->shown.at[depth - 1]].child_ns += it->spent_ns;
    return depth == it->depth && !a->hides ? f->fn(f->arg, it)
                                           : filter_emit_changed(f, it, depth, a);
}

static ez_err *filter_state(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    const bool push = it->kind == EZ_I_PUSH;
    const size_t open = it->depth + !push;
    if (t->frame.n < open)
        filter_add_frames(f, t, it->container, open);
    return push ? filter_push(f, t, it) : filter_pop(f, t, it);
}

static ez_err *filter_point(struct ez_filter *f, struct thread *t, const struct ez_item *it)
{
    struct ez_kept_values values = { { NULL, 0, 0 } };
    bool shown = !f->min_ns && f->max_ns == UINT64_MAX && !f->given[F_CALLEE];
    if (shown)
        EZ_TRY(filter_wants_call(f, t, it, filter_name_of(f, it->name), &shown));
    if (shown && f->where && ez_condition_is_late(f->where)) {
        ez_condition_keep(f->where, it->data, &values);
        ez_err *e = ez_condition_holds(f->where, f->m, it, (uint32_t)t->frame.n, &values, &shown);
        ez_kept_values_free(&values);
        if (e)
            return e;
    }
    f->sum.calls++;
    f->sum.shown += shown;
    return shown ? filter_emit(f, it) : NULL;
}

/* ---- other items ---------------------------------------------------------------------------- */

static bool filter_wants_value(struct ez_filter *f, const struct thread *t,
                               const struct ez_item *it)
{
    if (!f->by_call || t->calls)
        return true;
    return it->kind == EZ_I_VAR && it->thread != EZ_NONE_IDX &&
           filter_thread_of(f, it->thread)->calls;
}

/* Emits the end of a link if the link's start was shown. If the container where the link ends is
 * hidden, the end is emitted in the container where the link started. */
static ez_err *filter_link_end(struct ez_filter *f, const struct ez_item *it)
{
    struct ez_item out = *it;
    size_t start;
    if (!ez_hash_remove(&f->links, ez_hash_pair(it->key, it->name), &start))
        return NULL;
    if (filter_thread_of(f, it->container)->state == T_HIDDEN) {
        out.container = (uint32_t)start;
        out.arg = NULL;
        out.narg = 0;
    }
    return filter_emit(f, &out);
}

static ez_err *filter_link_start(struct ez_filter *f, const struct thread *t,
                                 const struct ez_item *it)
{
    struct ez_item out = *it;
    if (!filter_wants_value(f, t, it))
        return NULL;
    ez_hash_put(&f->links, ez_hash_pair(it->key, it->name), it->container);
    if (it->peer != EZ_NONE_IDX && filter_thread_of(f, it->peer)->state == T_HIDDEN)
        out.peer = EZ_NONE_IDX;
    return filter_emit(f, &out);
}

static ez_err *filter_container_item(struct ez_filter *f, struct thread *t,
                                     const struct ez_item *it)
{
    bool shown = t->state == T_SHOWN || filter_above(f, it->container);
    t->begun |= shown;
    return shown ? filter_emit(f, it) : NULL;
}

ez_err *ez_filter_item(void *filter, const struct ez_item *it)
{
    struct ez_filter *f = filter;
    if (it->kind == EZ_I_NAME)
        return NULL;
    if (it->kind == EZ_I_LINK_END)
        return filter_link_end(f, it);
    struct thread *t = filter_thread_of(f, it->container);
    if (it->kind == EZ_I_CONTAINER || it->kind == EZ_I_CONTAINER_END)
        return filter_container_item(f, t, it);
    if (t->state == T_HIDDEN)
        return NULL;
    if (!t->begun)
        EZ_TRY(filter_begin_thread(f, t, it));
    switch (it->kind) {
    case EZ_I_PUSH:
    case EZ_I_POP:
        return filter_state(f, t, it);
    case EZ_I_EVENT:
        return filter_point(f, t, it);
    case EZ_I_LINK_START:
        return filter_link_start(f, t, it);
    default:
        return filter_wants_value(f, t, it) ? filter_emit(f, it) : NULL;
    }
}

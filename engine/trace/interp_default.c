/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_default.c - the interpreter of what a trace says about itself: see interp.h. */
#include <math.h>
#include <string.h>

#include "engine/trace/interp.h"

struct probe {
    uint32_t name; /* EZ_NONE_IDX = not made yet                                  */
    bool state;    /* true = entry and exit are recorded: a call; else a point in time */
};

struct input {
    EZ_VEC(struct probe) probe; /* by id                                        */
    EZ_VEC(uint32_t) meaning;   /* names, beside the file's meaning definitions */
};

struct self {
    struct ez_interps *all;
    struct ez_model *m;
    EZ_VEC(struct input) input;
};

static void *interp_create(struct ez_interps *all)
{
    struct self *s = ez_alloc(sizeof *s);
    s->all = all;
    s->m = ez_interps_model(all);
    return s;
}

static void interp_destroy(void *self)
{
    struct self *s = self;
    for (size_t i = 0; i < s->input.n; i++) {
        EZ_VEC_FREE(&s->input.at[i].probe);
        EZ_VEC_FREE(&s->input.at[i].meaning);
    }
    EZ_VEC_FREE(&s->input);
    free(s);
}

/* ---- probes ------------------------------------------------------------------------- */

/* Ids count up from 0; higher ids can only come from a damaged file. */
#define MAX_ID (1 << 22)

static struct probe interp_learn(struct self *s, uint32_t input, uint32_t id)
{
    struct ez_fxt_defs *d = ez_interps_defs(s->all, input);
    size_t i = ez_fxt_defs_probe(d, id); /* this may move the vector */
    const struct ez_fxt_probe *p = &d->probes.at[i];
    const uint32_t both = EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT;
    struct probe k = { .state = (p->flags & both) == both };
    k.name =
        ez_model_name(s->m, k.state ? EZ_N_STATE : EZ_N_EVENT, p->function, p->library, p->addr);
    return k;
}

static struct probe interp_known(struct self *s, struct input *in, uint32_t input, uint32_t id)
{
    const struct probe fresh = { .name = EZ_NONE_IDX };
    if (id >= MAX_ID)
        return interp_learn(s, input, id);
    while (in->probe.n <= id)
        EZ_PUSH(&in->probe, fresh);
    if (in->probe.at[id].name == EZ_NONE_IDX)
        in->probe.at[id] = interp_learn(s, input, id);
    return in->probe.at[id];
}

static void interp_probe(struct self *s, struct input *in, const struct ez_merged *ev)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    struct probe p = interp_known(s, in, ev->input, (uint32_t)(c >> 1));
    uint32_t thread = ez_interps_thread(s->all, ev->input, ev->tid);
    if (!p.state)
        ez_model_event(s->m, thread, p.name, NULL, 0);
    else if (c & 1)
        ez_model_pop_name(s->m, thread, p.name, ev->narg ? EZ_END_UNWOUND : EZ_END_RETURN);
    else
        ez_model_push(s->m, thread, p.name);
}

/* Is it an entry, an exit, or an exit that is no return? */
static bool interp_is_probe(const struct ez_merged *ev)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    return c < 0x1000000 && (!ev->narg || ((c & 1) && ev->arg[0] == EZ_EXIT_UNWOUND));
}

/* ---- events of a thread ---------------------------------------------------------------- */

static bool interp_thread(struct self *s, const struct ez_merged *ev)
{
    uint32_t t = ez_interps_thread(s->all, ev->input, ev->tid);
    uint64_t arg = ev->narg ? ev->arg[0] : 0;
    switch (ev->code - EZ_C_THREAD) {
    case EZ_T_WAIT:
    case EZ_T_WAIT_END:
        ez_model_wait(s->m, t, ev->code == EZ_C_THREAD + EZ_T_WAIT);
        return true;
    case EZ_T_GAP:
        ez_model_gap(s->m, t, arg);
        return true;
    case EZ_T_GAP_END:
        ez_model_gap_end(s->m, t);
        return true;
    case EZ_T_SWITCH_OUT:
        ez_model_off(s->m, t, arg ? EZ_OFF_PREEMPTED : EZ_OFF_SLEPT);
        return true;
    case EZ_T_SWITCH_IN:
        ez_model_off(s->m, t, EZ_OFF_NOT);
        return true;
    default:
        return false;
    }
}

/* ---- events with a meaning ------------------------------------------------------------- */

static enum ez_name_kind interp_kind_of(enum ez_action a)
{
    switch (a) {
    case EZ_A_EVENT:
        return EZ_N_EVENT;
    case EZ_A_VAR_SET:
    case EZ_A_VAR_ADD:
    case EZ_A_VAR_SUB:
        return EZ_N_VAR;
    case EZ_A_LINK_START:
    case EZ_A_LINK_END:
        return EZ_N_LINK;
    default:
        return EZ_N_STATE;
    }
}

static uint32_t interp_name_of(struct self *s, struct input *in, const struct ez_fxt_defs *d,
                               size_t i)
{
    const struct ez_fxt_meaning *k = &d->meanings.at[i];
    while (in->meaning.n <= i)
        EZ_PUSH(&in->meaning, EZ_NONE_IDX);
    if (in->meaning.at[i] == EZ_NONE_IDX)
        in->meaning.at[i] = ez_model_name(s->m, interp_kind_of(k->action), k->name, k->group, 0);
    return in->meaning.at[i];
}

/* The container for a meaning's level: 0 = the program, 1 = the process, 2 = the thread
 * (fxt_out.h). */
static uint32_t interp_place(struct self *s, unsigned level, const struct ez_merged *ev)
{
    if (level == 0)
        return 0;
    return level == 1 ? ez_interps_process(s->all, ev->input)
                      : ez_interps_thread(s->all, ev->input, ev->tid);
}

static uint32_t interp_peer_of(struct self *s, const struct ez_merged *ev)
{
    return ev->narg > 1 && ev->arg[1] ? ez_interps_thread(s->all, ev->input, ev->arg[1])
                                      : EZ_NONE_IDX;
}

static void interp_act(struct self *s, const struct ez_fxt_meaning *k, uint32_t name,
                       const struct ez_merged *ev)
{
    uint32_t c = interp_place(s, k->level, ev);
    double v = ev->narg ? (double)(int64_t)ev->arg[0] : 0;
    if (k->is_double && ev->narg)
        memcpy(&v, &ev->arg[0], sizeof v);
    if (!isfinite(v)) /* formats have no word for that */
        return;
    uint64_t key = ev->narg ? ev->arg[0] : 0;
    switch (k->action) {
    case EZ_A_PUSH:
        return ez_model_push(s->m, c, name);
    case EZ_A_POP:
        return ez_model_pop(s->m, c);
    case EZ_A_SET:
        return ez_model_set(s->m, c, name);
    case EZ_A_EVENT:
        return ez_model_event(s->m, c, name, ev->arg, ev->narg);
    case EZ_A_VAR_SET:
        return ez_model_var_set(s->m, c, name, v);
    case EZ_A_VAR_ADD:
        return ez_model_var_add(s->m, c, name, v);
    case EZ_A_VAR_SUB:
        return ez_model_var_add(s->m, c, name, -v);
    case EZ_A_LINK_START:
        return ez_model_link_start(s->m, c, name, key, interp_peer_of(s, ev));
    case EZ_A_LINK_END:
        return ez_model_link_end(s->m, c, name, key, interp_peer_of(s, ev));
    case EZ_A_COUNT:
        break;
    }
}

static bool interp_event(void *self, const struct ez_merged *ev)
{
    struct self *s = self;
    struct ez_fxt_defs *d = ez_interps_defs(s->all, ev->input);
    size_t i;
    while (s->input.n <= ev->input) {
        struct input fresh = { .probe = { 0 } };
        EZ_PUSH(&s->input, fresh);
    }
    struct input *in = &s->input.at[ev->input];
    if (interp_is_probe(ev)) {
        interp_probe(s, in, ev);
        return true;
    }
    if (ev->code - EZ_C_THREAD < 0x100)
        return interp_thread(s, ev);
    if (!ez_hash_get(&d->by_code, ev->code, &i))
        return false;
    uint32_t name = interp_name_of(s, in, d, i);
    interp_act(s, &d->meanings.at[i], name, ev);
    return true;
}

const struct ez_interp ez_interp_default = { .name = "default",
                                             .first = 0,
                                             .last = UINT64_MAX,
                                             .create = interp_create,
                                             .event = interp_event,
                                             .destroy = interp_destroy };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_default.c - the default interpreter, which uses the definitions in the trace (interp.h):
 * hits of probes become calls or points, and events with a meaning definition become states,
 * points, variables, amounts or links.
 *
 * A subject is what an event is about, such as a lock or a file. One argument of the event, a word
 * in its definition, identifies the subject.
 * Tests: tests/unit/trace/check_about.c, tests/unit/trace/check_replay.c */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/trace/interp.h"

struct probe {
    uint32_t name; /* EZ_NONE_IDX until created */
    /* true: entry and exit are recorded, so hits are a call; false: hits are point events */
    bool state;
};

struct input {
    EZ_VEC(struct probe) probe; /* index: id of the probe */
    EZ_VEC(uint32_t) meaning;   /* names in the model; index: as ez_fxt_defs.meanings */
    struct ez_hash subject;     /* name and value of a word -> the model's subject */
    /* name and value of a word -> time in ns at which the subject got or lost its name */
    struct ez_hash named;
    struct ez_hash held;    /* variable and key -> index in `held` of struct self */
    struct ez_hash sampled; /* tid -> index in `sample` of struct self */
    /* names in the model of functions that are subjects; index: subject */
    EZ_VEC(uint32_t) function;
};

struct sample { /* the last sample of a thread */
    uint64_t ns, word[32];
};

struct held { /* an amount that was acquired and not released yet, such as allocated memory */
    double amount;
    uint32_t subject;
};

struct self {
    struct ez_inputs *all;
    struct ez_model *m;
    EZ_VEC(struct input) input;
    EZ_VEC(struct held) held;
    EZ_VEC(size_t) held_free;
    EZ_VEC(struct sample) sample;
};

static void *interp_create(struct ez_inputs *all)
{
    struct self *s = ez_alloc(sizeof *s);
    s->all = all;
    s->m = ez_inputs_model(all);
    return s;
}

static void interp_destroy(void *self)
{
    struct self *s = self;
    for (size_t i = 0; i < s->input.n; i++) {
        EZ_VEC_FREE(&s->input.at[i].probe);
        EZ_VEC_FREE(&s->input.at[i].meaning);
        EZ_VEC_FREE(&s->input.at[i].function);
        ez_hash_free(&s->input.at[i].subject);
        ez_hash_free(&s->input.at[i].named);
        ez_hash_free(&s->input.at[i].held);
        ez_hash_free(&s->input.at[i].sampled);
    }
    EZ_VEC_FREE(&s->held);
    EZ_VEC_FREE(&s->sample);
    EZ_VEC_FREE(&s->held_free);
    EZ_VEC_FREE(&s->input);
    free(s);
}

/* ---- probes ------------------------------------------------------------------------- */

static struct probe interp_learn(struct self *s, uint32_t input, uint32_t id)
{
    struct ez_fxt_defs *d = ez_inputs_defs(s->all, input);
    size_t i = ez_fxt_defs_probe(d, id); /* may move d->probes */
    const struct ez_fxt_probe *p = &d->probes.at[i];
    struct probe k = { .state = ez_fxt_is_call(p) };
    k.name = ez_inputs_function(s->m, d, p, k.state ? EZ_N_STATE : EZ_N_EVENT);
    return k;
}

static struct probe interp_known(struct self *s, struct input *in, uint32_t input, uint32_t id)
{
    const struct probe fresh = { .name = EZ_NONE_IDX };
    if (id >= EZ_FXT_MAX_ID)
        return interp_learn(s, input, id);
    while (in->probe.n <= id)
        EZ_PUSH(&in->probe, fresh);
    if (in->probe.at[id].name == EZ_NONE_IDX)
        in->probe.at[id] = interp_learn(s, input, id);
    return in->probe.at[id];
}

/* Returns true if the event is an exit that is not a return (an exception, a longjmp). */
static bool interp_is_unwound(const struct ez_merged *ev)
{
    return ez_fxt_is_unwound(ev->code, ev->narg, ev->arg);
}

static const struct ez_items *interp_items(const struct self *s, const struct ez_merged *ev)
{
    return ev->narg ? ez_fxt_defs_items(ez_inputs_defs(s->all, ev->input), ev->code) : NULL;
}

struct about { /* state of the search for the item that is the subject of a call */
    struct ez_model *m;
    uint32_t process, subject;
};

static void interp_note_subject(void *arg, const struct ez_item_value *v, const char *text)
{
    struct about *a = arg;
    bool here = v->item->type == EZ_IT_CODE || v->item->type == EZ_IT_PTR;
    if (!strcmp(v->item->name, a->m->about_item))
        a->subject = ez_model_subject(a->m, v->item->name, text, here ? a->process : 0);
}

static uint32_t interp_about(struct self *s, const struct ez_merged *ev,
                             const struct ez_event_data *data)
{
    struct about a = { s->m, ez_inputs_process(s->all, ev->input), EZ_NONE_IDX };
    if (s->m->about_item)
        ez_event_data_each(data, interp_note_subject, &a);
    return a.subject;
}

static void interp_probe(struct self *s, struct input *in, const struct ez_merged *ev)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    struct probe p = interp_known(s, in, ev->input, (uint32_t)(c >> 1));
    uint32_t thread = ez_inputs_thread(s->all, ev->input, ev->tid);
    const struct ez_event_data data = { .items = interp_items(s, ev),
                                        .is_exit = c & 1,
                                        .word = ev->arg,
                                        .n = ev->narg,
                                        .symbol = ez_fxt_defs_symbol,
                                        .symbol_arg = ez_inputs_defs(s->all, ev->input) };
    bool unwound = interp_is_unwound(ev);
    struct ez_about about = { .thread = thread, .data = data.items && !unwound ? &data : NULL };
    about.subject = interp_about(s, ev, about.data);
    if (!p.state)
        ez_model_event(s->m, thread, p.name, NULL, 0, about);
    else if (c & 1)
        ez_model_pop_name(s->m, thread, p.name, unwound ? EZ_END_UNWOUND : EZ_END_RETURN, about);
    else
        ez_model_push(s->m, thread, p.name, about);
}

/* Returns true if the event is a hit of a probe without arguments, or with arguments that the file
 * defines. */
static bool interp_is_probe(const struct self *s, const struct ez_merged *ev)
{
    return ev->code - EZ_C_PROBE < 0x1000000 &&
           (!ev->narg || interp_is_unwound(ev) || interp_items(s, ev));
}

/* ---- events of a thread ---------------------------------------------------------------- */

static void interp_signal(struct self *s, uint32_t thread, uint64_t number)
{
    char name[16];
    ez_str_signal((int)EZ_MIN(number, (uint64_t)INT_MAX), name);
    uint32_t n = ez_model_name(s->m, EZ_N_EVENT, name, EZ_SIGNAL_GROUP, 0);
    ez_model_event(s->m, thread, n, NULL, 0, EZ_ABOUT_NOTHING);
}

static bool interp_thread(struct self *s, const struct ez_merged *ev)
{
    uint32_t t = ez_inputs_thread(s->all, ev->input, ev->tid);
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
    case EZ_T_SIGNAL:
        interp_signal(s, t, arg);
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
    case EZ_A_HOLD:
    case EZ_A_RELEASE:
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

/* ---- subjects ---------------------------------------------------------------------------- */

static uint64_t interp_subject_key(const struct ez_word *w, uint64_t value)
{
    return ez_hash_pair(value, ez_hash_key(EZ_HASH_SEED, w->name));
}

/* Returns the text of a word's value; the caller frees it. *everywhere is true if equal texts of
 * different processes mean the same subject. */
static char *interp_word_text(const struct ez_fxt_defs *d, const struct ez_word *w, uint64_t value,
                              bool *everywhere)
{
    size_t i;
    double v;
    char *name, *text;
    *everywhere = false;
    switch (w->type) {
    case EZ_W_INT:
        return ez_sprintf("%lld", (long long)value);
    case EZ_W_UINT:
        return ez_sprintf("%llu", (unsigned long long)value);
    case EZ_W_DOUBLE:
        memcpy(&v, &value, sizeof v);
        return ez_sprintf("%.15g", v);
    case EZ_W_CODE:
        *everywhere = ez_hash_get(&d->by_addr, value, &i);
        if (*everywhere)
            return ez_str_plain(d->symbols.at[i].name, "", 0);
        break;
    /* two static variables may have the same name: the address distinguishes them */
    case EZ_W_DATA:
        if (!ez_hash_get(&d->by_addr, value, &i))
            break;
        name = ez_str_plain(d->symbols.at[i].name, "", 0);
        if (!d->symbols.at[i].shared)
            return name;
        text = ez_sprintf("%s (0x%llx)", name, (unsigned long long)value);
        free(name);
        return text;
    default:
        break;
    }
    return ez_sprintf("0x%llx", (unsigned long long)value);
}

/* Returns the thread's innermost state other than a pause, or NULL. */
static const struct ez_call_frame *interp_innermost(const struct ez_model *m, uint32_t thread)
{
    const struct ez_container *c = &m->container.at[thread];
    for (size_t i = c->stack.n; i-- > 0;)
        if (!m->name.at[c->stack.at[i].name].pause)
            return &c->stack.at[i];
    return NULL;
}

/* Removes the name of a subject, at the end of a call such as close(). If another thread gave or
 * removed the name during this call, leaves it as it is and sets *subject to the call's subject:
 * after the call had freed the file's number, the other thread opened a file and got the same
 * number, and that open was recorded first. */
static void interp_unname(struct self *s, struct input *in, uint64_t key, uint32_t thread,
                          uint32_t *subject)
{
    const struct ez_call_frame *call = interp_innermost(s->m, thread);
    size_t i;
    if (call && ez_hash_get(&in->named, key, &i) && i > call->start_ns) {
        *subject = call->subject;
        return;
    }
    ez_hash_remove(&in->subject, key, &i);
    ez_hash_set(&in->named, key, s->m->now);
}

/* Splits the text at its first tab, and returns what follows the tab; "" if there is no tab. */
static char *interp_after_tab(char *text)
{
    char *tab = strchr(text, '\t');
    if (!tab)
        return text + strlen(text);
    *tab = 0;
    return tab + 1;
}

/* Sets the name in the model of the function that is the subject. */
static void interp_set_function(struct input *in, uint32_t subject, uint32_t name)
{
    while (in->function.n <= subject)
        EZ_PUSH(&in->function, EZ_NONE_IDX);
    in->function.at[subject] = name;
}

/* Sets the subject's name to the text in the event, or removes the name if the text is empty. Sets
 * *subject to the subject that the event is about. */
static void interp_rename(struct self *s, struct input *in, const struct ez_fxt_meaning *k,
                          const struct ez_merged *ev, uint32_t thread, uint32_t *subject)
{
    const struct ez_words *w = &k->words;
    const struct ez_word *word = &w->word[w->subject];
    unsigned from = (unsigned)w->by_name;
    char text[8 * 256] = "";
    size_t n = ev->narg > from ? EZ_MIN((ev->narg - from) * 8ul, sizeof text - 1) : 0, was;
    uint64_t key = interp_subject_key(word, ev->arg[w->subject]);
    memcpy(text, ev->arg + from, n);
    text[n] = 0;
    if (!*text) {
        interp_unname(s, in, key, thread, subject);
        return;
    }
    const char *file = k->action == EZ_A_NAME ? interp_after_tab(text) : "";
    EZ_FREE char *name = ez_str_plain(text, "", 0), *group = ez_str_plain(file, "", 0),
                 *plain = *group ? ez_sprintf("%s (%s)", name, group) : ez_strdup(name);
    ez_hash_remove(&in->subject, key, &was);
    *subject = ez_model_subject(s->m, word->name, plain, 0);
    if (*group)
        interp_set_function(in, *subject, ez_model_name(s->m, EZ_N_STATE, name, group, 0));
    ez_hash_put(&in->subject, key, *subject);
    ez_hash_set(&in->named, key, s->m->now);
}

static uint32_t interp_subject(struct self *s, struct input *in, const struct ez_fxt_defs *d,
                               const struct ez_words *w, const struct ez_merged *ev)
{
    size_t i;
    bool everywhere;
    if (!w->n || w->subject < 0 || ev->narg <= (unsigned)w->subject)
        return EZ_NONE_IDX;
    const struct ez_word *word = &w->word[w->subject];
    uint64_t value = ev->arg[w->subject], key = interp_subject_key(word, value);
    if (ez_hash_get(&in->subject, key, &i))
        return (uint32_t)i;
    EZ_FREE char *text = interp_word_text(d, word, value, &everywhere);
    i = ez_model_subject(s->m, word->name, text,
                         everywhere ? 0 : ez_inputs_process(s->all, ev->input));
    ez_hash_put(&in->subject, key, i);
    return (uint32_t)i;
}

/* ---- amounts that are held -------------------------------------------------------------- */

static void interp_release(struct self *s, struct input *in, uint32_t c, uint32_t name,
                           uint64_t key, struct ez_about about)
{
    size_t i;
    if (!ez_hash_remove(&in->held, ez_hash_pair(key, name), &i))
        return; /* the amount was acquired before the trace began */
    struct held h = s->held.at[i];
    EZ_PUSH(&s->held_free, i);
    about.subject = h.subject;
    ez_model_var_add(s->m, c, name, -h.amount, about);
}

static void interp_hold(struct self *s, struct input *in, uint32_t c, uint32_t name,
                        const struct ez_merged *ev, struct ez_about about)
{
    struct held h = { .subject = about.subject };
    if (ev->narg < 2)
        return;
    /* release an older amount with this key, whose release was not recorded */
    interp_release(s, in, c, name, ev->arg[0], about);
    h.amount = (double)ev->arg[1];
    size_t i = s->held_free.n ? s->held_free.at[--s->held_free.n] : s->held.n;
    if (i == s->held.n)
        EZ_PUSH(&s->held, h);
    s->held.at[i] = h;
    ez_hash_put(&in->held, ez_hash_pair(ev->arg[0], name), i);
    ez_model_var_add(s->m, c, name, h.amount, about);
}

/* ---- counters ---------------------------------------------------------------------------- */

/* Minimum ns between two samples for a rate. Counters are read some time after the event's time
 * stamp is taken, and over a shorter interval this delay would falsify the rates. */
#define RATE_LEAST_NS 100000

/* For each counter in the event, sets a variable to the growth of the counter per second since the
 * thread's previous sample `last`. */
static void interp_rates(struct self *s, struct sample *last, const struct ez_words *w, uint32_t c,
                         const struct ez_merged *ev, struct ez_about about)
{
    double seconds = (double)(s->m->now - last->ns) / 1e9;
    for (unsigned i = 0; i < w->n && i < ev->narg && i < EZ_ARRAY_LEN(last->word); i++) {
        EZ_FREE char *name = ez_sprintf("%s per second", w->word[i].name);
        double grew = (double)(ev->arg[i] - EZ_MIN(last->word[i], ev->arg[i]));
        ez_model_var_set(s->m, c, ez_model_name(s->m, EZ_N_VAR, name, "counters", 0),
                         grew / seconds, about);
    }
}

static void interp_sample(struct self *s, struct input *in, const struct ez_fxt_meaning *k,
                          uint32_t c, const struct ez_merged *ev, struct ez_about about)
{
    struct sample fresh = { .ns = s->m->now };
    if (!ev->narg) /* only a damaged file has such an event */
        return;
    memcpy(fresh.word, ev->arg, EZ_MIN((size_t)ev->narg, EZ_ARRAY_LEN(fresh.word)) * 8);
    size_t i = ez_hash_put(&in->sampled, ev->tid, s->sample.n);
    if (i == s->sample.n) {
        EZ_PUSH(&s->sample, fresh);
    } else if (fresh.ns >= s->sample.at[i].ns + RATE_LEAST_NS) {
        interp_rates(s, &s->sample.at[i], &k->words, c, ev, about);
        s->sample.at[i] = fresh;
    }
    ez_model_sample(s->m, c, &k->words, ev->arg, ev->narg);
}

/* ---- what happened ---------------------------------------------------------------------- */

/* Returns the container to which an event belongs, by the level in its definition: 0 = the program,
 * 1 = the process, 2 = the thread (fxt_out.h). */
static uint32_t interp_place(struct self *s, unsigned level, const struct ez_merged *ev)
{
    if (level == 0)
        return 0;
    return level == 1 ? ez_inputs_process(s->all, ev->input)
                      : ez_inputs_thread(s->all, ev->input, ev->tid);
}

/* Returns the link that an event starts or ends. The words of the event are the link's key, the tid
 * of the thread at the other end of the link (0: unknown), and the link's content. */
static struct ez_link interp_link_of(struct self *s, const struct ez_fxt_meaning *k, uint32_t name,
                                     const struct ez_merged *ev)
{
    struct ez_link l = { .name = name, .peer = EZ_NONE_IDX, .key = ev->narg ? ev->arg[0] : 0 };
    if (ev->narg > 1 && ev->arg[1])
        l.peer = ez_inputs_thread(s->all, ev->input, ev->arg[1]);
    if (ev->narg > 2) {
        l.arg = ev->arg + 2;
        l.narg = ev->narg - 2;
        l.first = 2;
        l.words = &k->words;
    }
    return l;
}

/* Returns the name of the function that is the subject of a call. */
static uint32_t interp_function(struct self *s, struct input *in, const char *group,
                                uint32_t subject)
{
    if (in->function.n <= subject || in->function.at[subject] == EZ_NONE_IDX)
        interp_set_function(
            in, subject, ez_model_name(s->m, EZ_N_STATE, s->m->subject.at[subject].text, group, 0));
    return in->function.at[subject];
}

static void interp_call(struct self *s, struct input *in, const struct ez_fxt_meaning *k,
                        uint32_t c, struct ez_about about)
{
    if (about.subject == EZ_NONE_IDX) /* only a damaged file has such an event */
        return;
    uint32_t name = interp_function(s, in, k->group, about.subject);
    const struct ez_about plain = { .thread = about.thread, .subject = EZ_NONE_IDX };
    if (k->action == EZ_A_CALL)
        return ez_model_push(s->m, c, name, plain);
    ez_model_pop_name(s->m, c, name, k->action == EZ_A_UNWIND ? EZ_END_UNWOUND : EZ_END_RETURN,
                      plain);
}

static void interp_act(struct self *s, struct input *in, const struct ez_fxt_meaning *k,
                       uint32_t name, const struct ez_merged *ev, struct ez_about about)
{
    uint32_t c = interp_place(s, k->level, ev);
    double v = ev->narg ? (double)(int64_t)ev->arg[0] : 0;
    if (k->is_double && ev->narg)
        memcpy(&v, &ev->arg[0], sizeof v);
    if (!isfinite(v)) /* output formats cannot represent such values */
        return;
    struct ez_link l = { .key = 0 };
    switch (k->action) {
    case EZ_A_PUSH:
        return ez_model_push_record(s->m, c, name, ev->arg, ev->narg, about);
    case EZ_A_POP:
        return ez_model_pop(s->m, c, about);
    case EZ_A_SET:
        return ez_model_set(s->m, c, name, about);
    case EZ_A_EVENT:
        return ez_model_event(s->m, c, name, ev->arg, ev->narg, about);
    case EZ_A_VAR_SET:
        return ez_model_var_set(s->m, c, name, v, about);
    case EZ_A_VAR_ADD:
        return ez_model_var_add(s->m, c, name, v, about);
    case EZ_A_VAR_SUB:
        return ez_model_var_add(s->m, c, name, -v, about);
    case EZ_A_LINK_START:
        l = interp_link_of(s, k, name, ev);
        return ez_model_link_start(s->m, c, &l);
    case EZ_A_LINK_END:
        l = interp_link_of(s, k, name, ev);
        return ez_model_link_end(s->m, c, &l);
    case EZ_A_HOLD:
        return interp_hold(s, in, c, name, ev, about);
    case EZ_A_RELEASE:
        return interp_release(s, in, c, name, ev->narg ? ev->arg[0] : 0, about);
    case EZ_A_SAMPLE:
        return interp_sample(s, in, k, c, ev, about);
    case EZ_A_CALL:
    case EZ_A_RETURN:
    case EZ_A_UNWIND:
        return interp_call(s, in, k, c, about);
    case EZ_A_NAME:
    case EZ_A_COUNT:
        break;
    }
}

static void interp_meaning(struct self *s, struct input *in, const struct ez_fxt_defs *d, size_t i,
                           const struct ez_merged *ev)
{
    const struct ez_fxt_meaning *k = &d->meanings.at[i];
    uint32_t name = interp_name_of(s, in, d, i);
    bool names = k->words.n && k->words.by_name >= 0 && ev->narg > (unsigned)k->words.subject;
    struct ez_about about = { .thread = ez_inputs_thread(s->all, ev->input, ev->tid),
                              .words = &k->words };
    about.subject = interp_subject(s, in, d, &k->words, ev);
    if (names)
        interp_rename(s, in, k, ev, about.thread, &about.subject);
    interp_act(s, in, k, name, ev, about);
}

static bool interp_event(void *self, const struct ez_merged *ev)
{
    struct self *s = self;
    struct ez_fxt_defs *d = ez_inputs_defs(s->all, ev->input);
    size_t i;
    while (s->input.n <= ev->input) {
        struct input fresh = { .probe = { 0 } };
        EZ_PUSH(&s->input, fresh);
    }
    struct input *in = &s->input.at[ev->input];
    if (interp_is_probe(s, ev)) {
        interp_probe(s, in, ev);
        return true;
    }
    if (ev->code - EZ_C_THREAD < 0x100)
        return interp_thread(s, ev);
    if (!ez_hash_get(&d->by_code, ev->code, &i))
        return false;
    interp_meaning(s, in, d, i, ev);
    return true;
}

const struct ez_interp ez_interp_default = { .name = "default",
                                             .first = 0,
                                             .last = UINT64_MAX,
                                             .create = interp_create,
                                             .event = interp_event,
                                             .destroy = interp_destroy };

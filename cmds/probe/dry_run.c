/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dry_run.c - `set dry-run on|json`: see dry_run.h. Nothing is written to the target. */
#include "cmds/probe/dry_run.h"

#include <string.h>

#include "cmds/cmd.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

struct place {
    struct ez_sess *s;
    enum ez_probe_kind kind;
    ez_err *last;
};

static void dry_say_json(struct ez_sess *s, const struct ez_why *w, enum ez_probe_kind kind,
                         const char *refused)
{
    const char *exits = kind & EZ_PROBE_EXIT && !refused ? w->exit_mode : NULL;
    out_ours(s,
             "{\"function\": %s, \"library\": %s, \"address\": %llu, \"site\": %llu, "
             "\"strategy\": %s, \"jump\": %u, \"covered\": %u, \"padding\": %u, \"stub\": %llu, "
             "\"exits\": %s, \"refused\": %s}",
             out_json(s, w->name), out_json(s, w->library), (unsigned long long)w->func,
             (unsigned long long)w->site,
             w->strategy ? out_json(s, ez_strategy_text(w->strategy)) : "null", w->jump, w->covered,
             w->padding, (unsigned long long)w->room, exits ? out_json(s, exits) : "null",
             refused ? out_json(s, refused) : "null");
}

static void dry_say_text(struct ez_sess *s, const struct ez_why *w, enum ez_probe_kind kind)
{
    out_line(s, "Would plant %s (%s) at %s: %s over %u bytes%s; trampoline near %s.", w->name,
             w->library, out_addr(s, w->site), ez_strategy_text(w->strategy),
             w->covered + w->padding,
             kind & EZ_PROBE_EXIT ? sess_format(s, "; exits by %s", w->exit_mode) : "",
             out_addr(s, w->room));
}

static void dry_run_plan(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                         void *arg)
{
    struct place *p = arg;
    struct ez_why w;
    (void)sym, (void)m;
    ez_err *e = ez_why(p->s->target, addr, p->kind & EZ_PROBE_TRAP, &w);
    const char *refused = e ? NULL : p->kind & EZ_PROBE_EXIT ? w.exit : w.entry;
    if (refused && *refused)
        e = ez_err_new(EZ_E_REFUSED, 0, "Cannot probe %s: %s", w.name, refused);
    if (ez_settings(p->s->target)->dry_run == EZ_DRY_JSON && refused) {
        dry_say_json(p->s, &w, p->kind, *refused ? refused : NULL);
        ez_err_free(e); /* the JSON object has the error's text */
        return;
    }
    if (!e)
        dry_say_text(p->s, &w, p->kind);
    if (e && p->last)
        out_error(p->s, p->last);
    p->last = e ? e : p->last;
}

/* Reports a function that does not exist: its probe would be pending, which is no error. */
static void dry_say_pending(struct ez_sess *s, const char *location, const char *why)
{
    if (ez_settings(s->target)->dry_run == EZ_DRY_JSON)
        out_line(s, "{\"location\": %s, \"pending\": %s}", out_json(s, location), out_json(s, why));
    else
        out_line(s, "Would wait for %s: %s", location, why);
}

static ez_err *dry_need_process(struct ez_sess *s)
{
    if (ez_target_state(s->target) != EZ_NONE)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no process for the dry run"),
                       "Type \"start\" first");
}

ez_err *dry_run_location(struct ez_sess *s, enum ez_probe_kind kind, const char *location)
{
    struct place p = { .s = s, .kind = kind };
    EZ_TRY(dry_need_process(s));
    ez_err *e = ez_locate(s->target, location, dry_run_plan, &p);
    if (e && ez_probe_may_wait(s->target, location, e)) {
        dry_say_pending(s, location, e->msg);
        ez_err_free(e);
        return NULL;
    }
    if (e)
        ez_err_free(p.last);
    return e ? e : p.last;
}

ez_err *dry_run_matching(struct ez_sess *s, enum ez_probe_kind kind, const char *spec)
{
    struct ez_bulk b = { 0 };
    EZ_TRY(dry_need_process(s));
    EZ_TRY(ez_probe_plan_matching(s->target, kind, spec, &b));
    if (ez_settings(s->target)->dry_run != EZ_DRY_JSON) {
        out_line(s, "Would plant %u of %u matched; refused:%s.", b.planted, b.matched,
                 probe_reasons(s, &b));
        return NULL;
    }
    const char *list = "";
    for (unsigned i = 0; i < b.nreasons; i++)
        list = sess_format(s, "%s%s{\"reason\": %s, \"n\": %u}", list, i ? ", " : "",
                           out_json(s, b.reasons[i].reason), b.reasons[i].n);
    out_ours(s, "{\"matched\": %u, \"planted\": %u, \"refused\": [%s]}", b.matched, b.planted,
             list);
    return NULL;
}

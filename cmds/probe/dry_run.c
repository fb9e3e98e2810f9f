/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dry_run.c - `set dry-run on|json`: see dry_run.h. Nothing is written to the target. */
#include "cmds/probe/dry_run.h"

#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/json.h"
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
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "function", w->name);
    ez_json_add_text(&j, "library", w->library);
    ez_json_add_uint(&j, "address", w->func);
    ez_json_add_uint(&j, "site", w->site);
    ez_json_add_text(&j, "strategy", w->strategy ? ez_strategy_text(w->strategy) : NULL);
    ez_json_add_uint(&j, "jump", w->jump);
    ez_json_add_uint(&j, "covered", w->covered);
    ez_json_add_uint(&j, "padding", w->padding);
    ez_json_add_uint(&j, "stub", w->room);
    ez_json_add_text(&j, "exits", kind & EZ_PROBE_EXIT && !refused ? w->exit_mode : NULL);
    ez_json_add_text(&j, "refused", refused);
    ez_json_end(&j, '}');
    out_json(s, &j);
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
    if (ez_settings(s->target)->dry_run != EZ_DRY_JSON) {
        out_line(s, "Would wait for %s: %s", location, why);
        return;
    }
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "location", location);
    ez_json_add_text(&j, "pending", why);
    ez_json_end(&j, '}');
    out_json(s, &j);
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

static void dry_say_matching(struct ez_sess *s, const struct ez_bulk *b)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_uint(&j, "matched", b->matched);
    ez_json_add_uint(&j, "planted", b->planted);
    ez_json_begin(&j, "refused", '[');
    for (unsigned i = 0; i < b->nreasons; i++) {
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "reason", b->reasons[i].reason);
        ez_json_add_uint(&j, "n", b->reasons[i].n);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    ez_json_end(&j, '}');
    out_json(s, &j);
}

ez_err *dry_run_matching(struct ez_sess *s, enum ez_probe_kind kind, const char *spec)
{
    struct ez_bulk b = { 0 };
    EZ_TRY(dry_need_process(s));
    EZ_TRY(ez_probe_plan_matching(s->target, kind, spec, &b));
    if (ez_settings(s->target)->dry_run == EZ_DRY_JSON)
        dry_say_matching(s, &b);
    else
        out_line(s, "Would plant %u of %u matched; refused:%s.", b.planted, b.matched,
                 probe_reasons(s, &b));
    return NULL;
}

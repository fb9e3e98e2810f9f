/* SPDX-License-Identifier: GPL-3.0-or-later */
/* film.c - `film FUNC`: shows one call of a probed function, instruction by instruction.
 *
 * The current thread continues to its next call of the function. A hardware breakpoint at the
 * probe's trampoline stops the thread, so no text is changed. Then the thread is single-stepped
 * until the function returns, while the other threads stay stopped. The thread is left at the
 * return address.
 * Tests: tests/procs/film.sh */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

#define REGS 64
#define SHOWN 3 /* maximum number of changed registers in a line */

struct film_regs {
    struct film_reg {
        const char *name;
        uint64_t value;
    } at[REGS];
    size_t n;
};

struct film {
    struct ez_sess *s;
    struct ez_why why;
    uint64_t back, sp;    /* back: return address of the call; sp: stack pointer at its start */
    uint64_t away;        /* instructions executed in called functions since the last printed
                           * line */
    uint64_t steps, most; /* steps: number of instructions so far; most: maximum of steps */
    const char *scene;    /* film_scene() of the preceding line */
    struct film_regs regs;
    struct out_table t; /* JSON rows */
};

static void film_reg(const char *name, uint64_t value, size_t size, void *arg)
{
    struct film_regs *r = arg;
    if (r->n < REGS)
        r->at[r->n++] = (struct film_reg){ name, value };
}

static ez_err *film_read(struct film *f, struct film_regs *out)
{
    out->n = 0;
    return ez_registers(f->s->target, film_reg, out);
}

static ez_err *film_value(struct ez_sess *s, const char *expr, uint64_t *out)
{
    struct ez_value v = { 0 };
    ez_err *e = ez_eval(values_of(s), expr, NULL, &v);
    if (!e)
        e = ez_value_address(&v, out);
    ez_value_clear(&v);
    return e;
}

/* Returns the name of the part of the call that has the code at pc; NULL in a called function. */
static const char *film_scene(struct film *f, uint64_t pc)
{
    const struct ez_why *w = &f->why;
    ez_addr origin;
    int probe;
    if (pc - w->trampoline < w->trampoline_len)
        return "stub";
    if (pc - w->relocated < w->relocated_len)
        return "replay";
    if (pc >= w->func && pc < w->end)
        return "body";
    return ez_trampoline_origin(f->s->target, ez_addr_of(pc), &origin, &probe) ? "eztsh" : NULL;
}

/* Returns the changed registers as text, without those whose new value is `pc`. */
static const char *film_changes(struct film *f, const struct film_regs *now, uint64_t pc)
{
    const char *text = "";
    unsigned n = 0, shown = f->t.json ? REGS : SHOWN;
    for (size_t i = 0; i < now->n && i < f->regs.n; i++) {
        const struct film_reg *r = &now->at[i];
        if (r->value == f->regs.at[i].value || r->value == pc)
            continue;
        if (n++ < shown)
            text = sess_format(f->s, "%s  %s=%s", text, r->name, out_addr(f->s, r->value));
    }
    return n > shown ? sess_format(f->s, "%s ...", text) : text;
}

static void film_say_away(struct film *f)
{
    if (f->away && f->t.json)
        out_row(&f->t, "away", "", "", "", out_cell_count(f->s, f->away), NULL);
    else if (f->away)
        out_line(f->s, "        ... %llu instructions of functions that it calls",
                 (unsigned long long)f->away);
    f->away = 0;
}

/* Executes one instruction: prints the instruction, then the registers that it changed. */
static ez_err *film_step(struct film *f)
{
    struct ez_sess *s = f->s;
    ez_addr pc;
    struct ez_disassembled in;
    struct film_regs now;
    EZ_TRY(ez_pc(s->target, &pc));
    const char *scene = film_scene(f, pc.v);
    EZ_TRY(ez_disassemble(s->target, pc, false, &in));
    EZ_TRY(ez_stepi(s->target, 1));
    f->steps++;
    if (ez_target_state(s->target) != EZ_STOPPED)
        return NULL;
    EZ_TRY(film_read(f, &now));
    if (!scene) {
        f->away++;
    } else {
        ez_addr after;
        EZ_TRY(ez_pc(s->target, &after));
        film_say_away(f);
        const char *changes = film_changes(f, &now, after.v);
        if (f->t.json)
            out_row(&f->t, scene, out_addr16(s, pc.v), in.text, *changes ? changes + 2 : "", "1",
                    NULL);
        else
            out_line(s, "%-6s  %s  %-32s%s", f->scene && !strcmp(f->scene, scene) ? "" : scene,
                     out_addr(s, pc.v), in.text, changes);
        f->scene = scene;
    }
    f->regs = now;
    return NULL;
}

/* Returns true if the thread has returned to the caller, or is not stopped any more. */
static bool film_over(struct film *f)
{
    ez_addr pc;
    uint64_t sp;
    if (ez_target_state(f->s->target) != EZ_STOPPED)
        return true;
    return ez_err_drop(ez_pc(f->s->target, &pc)) && pc.v == f->back &&
           ez_err_drop(film_value(f->s, "$sp", &sp)) && sp > f->sp;
}

/* Lets the thread continue to its next call of the function. */
static ez_err *film_wait(struct film *f)
{
    struct ez_sess *s = f->s;
    ez_addr pc;
    EZ_TRY(ez_stop_once(s->target, ez_addr_of(f->why.trampoline)));
    sess_quiet(s, true);
    ez_err *e = ez_continue(s->target, false, -1);
    ez_err *w = sess_foreground(s);
    sess_quiet(s, false);
    EZ_TRY(ez_err_first(e, w));
    bool there = ez_target_state(s->target) == EZ_STOPPED && ez_err_drop(ez_pc(s->target, &pc)) &&
                 pc.v == f->why.trampoline;
    if (there)
        return NULL;
    if (ez_target_state(s->target) == EZ_STOPPED)
        EZ_TRY(ez_stop_once(s->target, ez_addr_of(0)));
    return ez_err_hint(
        ez_err_new(EZ_E_STATE, 0, "The current thread did not call %s: the program %s", f->why.name,
                   ez_target_state(s->target) == EZ_STOPPED ? "stopped elsewhere" : "ended"),
        "\"thread N\" selects the thread to film");
}

static ez_err *film_shoot(struct film *f)
{
    struct ez_sess *s = f->s;
    EZ_TRY(film_value(s, "$sp", &f->sp));
    EZ_TRY(film_value(s, "*(unsigned long *)$sp", &f->back));
    EZ_TRY(film_read(f, &f->regs));
    if (!f->t.json)
        out_line(s, "%-6s  %s  jump taken, to the trampoline; called from %s", "jump",
                 out_addr(s, f->why.site), out_sym(s, f->back));
    size_t kept = s->kept.n;
    while (!film_over(f) && f->steps < f->most && sess_sleep(s, 0) && !s->out.quit_pager) {
        EZ_TRY(film_step(f));
        sess_forget(s, kept);
    }
    film_say_away(f);
    const char *now = ez_target_state(s->target) != EZ_STOPPED ? "gone"
                      : film_over(f)                           ? "back at its caller"
                                                               : "still in the call";
    out_fact(&f->t, "function", f->why.name);
    out_fact(&f->t, "called_from", out_sym(s, f->back));
    out_fact(&f->t, "instructions#", out_cell_count(s, f->steps));
    out_fact(&f->t, "now", now);
    if (!f->t.json)
        out_line(s, "%llu instructions; the thread is %s.", (unsigned long long)f->steps, now);
    return NULL;
}

static ez_err *cmd_film(struct ez_sess *s, int argc, char **argv)
{
    struct film f = { .s = s, .most = opt_number(s, "-steps", 100000) };
    ez_addr func;
    EZ_TRY(parse_addr(s, argv[1], &func));
    EZ_TRY(ez_why(s->target, func, false, &f.why));
    if (!f.why.planted)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe is planted on %s", f.why.name),
                           "Plant a probe first");
    EZ_TRY(film_wait(&f));
    out_table_json(&f.t, s, "film", "part address instruction changes instructions#");
    ez_err *e = film_shoot(&f);
    out_table_json_end(&f.t, e);
    return e;
}

const struct ez_cmd command_film = {
    .name = "film",
    .usage = "FUNC",
    .brief = "Show one call of a probed function, step by step.",
    .help = "The current thread runs to its next call of FUNC, where a hardware breakpoint\n"
            "stops it. film then executes the call instruction by instruction, through jump,\n"
            "trampoline, moved instructions, body and exit, until the thread is back in the\n"
            "caller. The thread stays stopped in the caller. Each line shows the part of the\n"
            "call and the registers that change.\n"
            "\n"
            "film steps through the functions that FUNC calls, but only counts their\n"
            "instructions. During the call other threads do not run. If the call waits for\n"
            "another thread, film does not end: press Ctrl-C and type \"continue\".",
    .examples = "probe answer\n"
                "film answer",
    .see_also = "stepi, why, disassemble, thread",
    OPERANDS(PROBE, 1, 1),
    OPTIONS({ .name = "-steps",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "give up after N instructions; the default is 100000" },
            FOR_PROGRAMS),
    .flags = NEED_STOPPED | MUTATES,
    .fn = cmd_film,
    .complete = comp_location,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.c - `step`, `next`, `nexti`, `finish`, `until`, `advance`: move the stopped program and
 * print its stop, in gdb's words.
 * Tests: tests/procs/moving.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "shell/out.h"
#include "shell/sess.h"

static void moves_free(void *state)
{
    struct moves *own = state;
    ez_move_free(own->move);
    free(own->commands);
}

struct moves *moves_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct moves), moves_free };
    return sess_state(s, &kind);
}

struct ez_move *moves_of(struct ez_sess *s)
{
    struct moves *own = moves_state(s);
    if (!own->move)
        own->move = ez_move_new(s->target, values_of(s));
    return own->move;
}

ez_err *moves_go(struct ez_sess *s, const struct ez_move_request *request)
{
    struct ez_move *m = moves_of(s);
    out_flush(s); /* The shell's output must precede the output of the program. */
    s->program.stop_signal = 0;
    s->program.moving = true;
    sess_hand_over(s);
    ez_err *e = ez_move_begin(m, request);
    /* Runs after an error, too, because sess_foreground() gives the terminal back to the shell. */
    ez_err *w = sess_foreground(s);
    s->program.moving = false;
    if (!e)
        return w;
    ez_err_free(w);
    return e;
}

ez_err *moves_afar(struct ez_sess *s)
{
    EZ_TRY(ez_move_begin(moves_of(s), &(struct ez_move_request){ .kind = EZ_MOVE_GO, .sig = -1 }));
    s->program.afar = true;
    return NULL;
}

ez_err *moves_renew(struct ez_sess *s)
{
    return s->program.afar ? ez_move_renew(moves_state(s)->move) : NULL;
}

void moves_here(struct ez_sess *s)
{
    struct ez_move_result r;
    if (s->program.afar)
        ez_move_stopped(moves_state(s)->move, &r);
    s->program.afar = false;
}

bool moves_go_on(struct ez_sess *s, ez_err **e)
{
    struct ez_move *m = moves_state(s)->move;
    return m && ez_move_goes_on(m, e);
}

/* ---- location of a stop -------------------------------------------------------------------- */

struct moves_thread {
    unsigned n, current;
    char comm[17];
};

static void moves_see_thread(const struct ez_thread_info *t, void *arg)
{
    struct moves_thread *q = arg;
    q->n++;
    if (!t->current)
        return;
    q->current = t->number;
    memcpy(q->comm, t->comm, sizeof q->comm);
}

const char *moves_who(struct ez_sess *s, const char *alone, const char *more)
{
    struct moves_thread q = { 0 };
    ez_err_drop(ez_threads(s->target, moves_see_thread, &q));
    return q.n > 1 ? sess_format(s, "Thread %u \"%s\"%s", q.current, q.comm, more) : alone;
}

struct moves_seat moves_seat(struct ez_sess *s)
{
    struct ez_stack all;
    struct moves_seat seat = { 0 };
    uint64_t off;
    if (!ez_err_drop(ez_stack_frames(values_of(s), 1, &all)))
        return seat;
    if (all.frame.n)
        seat = (struct moves_seat){ .cfa = all.frame.at[0].cfa,
                                    .pc = all.frame.at[0].pc,
                                    .key = all.frame.at[0].key };
    if (ez_symbolize(s->target, ez_addr_of(seat.pc), &off, NULL))
        seat.func = seat.pc - off;
    ez_stack_clear(&all);
    return seat;
}

void moves_print_step(struct ez_sess *s, struct ez_stop *stop, const void *arg)
{
    const struct moves_seat *was = arg;
    struct moves_seat now = moves_seat(s);
    bool same = now.func && now.func == was->func && now.cfa == was->cfa && now.key == was->key;
    stop->reason = "moved";
    if (!same || !source_print_line(s, 0, true))
        sess_frame(s, "");
}

static void moves_print_watch(struct ez_sess *s, const struct ez_move_result *r)
{
    static const char *const kind[] = { [EZ_BREAK_CODE] = "",
                                        [EZ_BREAK_WATCH] = "watchpoint",
                                        [EZ_BREAK_RWATCH] = "read watchpoint",
                                        [EZ_BREAK_AWATCH] = "access (read/write) watchpoint" };
    out_line(s, "%s", "");
    out_line(s, "%sHardware %s %d: %s", moves_who(s, "", " hit "), kind[r->kind], r->number,
             r->what);
    out_line(s, "%s", "");
    if (r->was) {
        out_lines(s, "Old value = %s", r->was);
        out_lines(s, "New value = %s", r->is);
    } else {
        out_lines(s, "Value = %s", r->is);
    }
}

/* Returns what the catchpoint caught, with gdb's words, up to the frame. */
static const char *moves_caught(struct ez_sess *s, const struct ez_move_result *r)
{
    static const char *const thrown[EZ_BREAK_KINDS] = {
        [EZ_BREAK_THROW] = "thrown", [EZ_BREAK_CATCH] = "caught", [EZ_BREAK_RETHROW] = "rethrown"
    };
    const char *name = ez_syscall_name(r->caught);
    switch (r->kind) {
    case EZ_BREAK_SYSCALL:
        return sess_format(s, "(%s syscall %s)", r->returned ? "returned from" : "call to",
                           name ? name : sess_format(s, "%ld", r->caught));
    case EZ_BREAK_FORK:
        return sess_format(s, "(forked process %ld)", r->caught);
    case EZ_BREAK_VFORK:
        return sess_format(s, "(vforked process %ld)", r->caught);
    case EZ_BREAK_EXEC:
        return sess_format(s, "(exec'd %s)", r->detail);
    case EZ_BREAK_SIGNAL:
        return sess_format(s, "(signal %s)", out_signal(s, (int)r->caught));
    default:
        return sess_format(s, "(exception %s)", thrown[r->kind]);
    }
}

/* Prints the head of a stop at a catchpoint, and returns what precedes the frame. */
static const char *moves_print_catch(struct ez_sess *s, const struct ez_move_result *r)
{
    out_line(s, "%s", "");
    const char *head = sess_format(s, "%s%s %d", moves_who(s, "", " hit "),
                                   r->temporary ? "Temporary catchpoint" : "Catchpoint", r->number);
    bool library = r->kind == EZ_BREAK_LOAD || r->kind == EZ_BREAK_UNLOAD;
    if (!library)
        return sess_format(s, "%s %s, ", head, moves_caught(s, r));
    out_line(s, "%s", head);
    out_lines(s, "%s", r->detail);
    return "";
}

static void moves_print_value(struct ez_sess *s, uint64_t func)
{
    struct ez_history *values = values_of(s);
    struct ez_value v = { .type = NULL };
    if (!ez_value_returned(values, func, &v))
        return;
    EZ_FREE char *text = ez_value_text(values, &v, 0);
    out_lines(s, "Value returned is $%u = %s", ez_history_record(values, &v), text);
}

static const char *moves_reason(const struct ez_move_result *r)
{
    static const char *const reason[] = {
        [EZ_MOVED] = "moved",
        [EZ_MOVED_BREAK] = "breakpoint",
        [EZ_MOVED_WATCH] = "watchpoint",
        [EZ_MOVED_SCOPE] = "scope",
        [EZ_MOVED_CATCH] = "catchpoint",
    };
    return r->end == EZ_MOVED && r->finished ? "finished" : reason[r->end];
}

void moves_print(struct ez_sess *s, struct ez_stop *stop, const void *arg)
{
    struct ez_move_result r = { .end = EZ_MOVED_NOT };
    struct moves *own = moves_state(s);
    if (own->move && ez_target_state(s->target) != EZ_RUNNING)
        ez_move_stopped(own->move, &r);
    if (ez_target_state(s->target) != EZ_STOPPED || !s->program.moving)
        return;
    stop->reason = moves_reason(&r);
    stop->number = r.number;
    stop->place = r.place;
    const char *lead = "";
    stop->silent = r.commands && !strncmp(r.commands, "silent\n", 7);
    if (stop->silent)
        r.end = EZ_MOVED_NOT;
    switch (r.end) {
    case EZ_MOVED_NOT:
        break;
    case EZ_MOVED_WATCH:
        moves_print_watch(s, &r);
        break;
    case EZ_MOVED_SCOPE:
        out_line(s, "%s", "");
        out_line(s, "%sWatchpoint %d deleted because the program has left the block in",
                 moves_who(s, "", " hit "), r.number);
        out_line(s, "which its expression is valid.");
        break;
    case EZ_MOVED_BREAK:
        out_line(s, "%s", "");
        lead = sess_format(s, "%s%s %d%s, ", moves_who(s, "", " hit "),
                           r.temporary ? "Temporary breakpoint" : "Breakpoint", r.number,
                           r.place ? sess_format(s, ".%u", r.place) : "");
        break;
    case EZ_MOVED_CATCH:
        lead = moves_print_catch(s, &r);
        break;
    case EZ_MOVED:
        break;
    }
    bool same = r.end == EZ_MOVED && r.same;
    if (r.end != EZ_MOVED_NOT) {
        if (!same || !source_print_line(s, 0, true)) {
            frames_print_one(s, lead, 0, false);
            source_print_line(s, 0, false);
        }
    }
    if ((r.end == EZ_MOVED || r.end == EZ_MOVED_SCOPE) && r.finished)
        moves_print_value(s, r.finished);
    if (r.commands) {
        free(own->commands);
        own->commands = ez_strdup(r.commands);
    }
}

/* ---- the commands -------------------------------------------------------------------------- */

static ez_err *moves_count(struct ez_sess *s, int argc, char **argv, uint64_t *n)
{
    *n = 1;
    if (argc > 1)
        EZ_TRY(parse_value(s, argv[1], n));
    if (*n > INT64_MAX || !*n) /* a negative number */
        return ez_err_new(EZ_E_ARG, 0, "Invalid number of steps \"%s\"", argv[1]);
    return NULL;
}

static ez_err *moves_lines(struct ez_sess *s, int argc, char **argv, enum ez_move_kind kind)
{
    struct ez_move_request request = { .kind = kind };
    const char *file;
    unsigned line;
    ez_addr pc;
    uint64_t off;
    EZ_TRY(moves_count(s, argc, argv, &request.count));
    bool lines = kind == EZ_MOVE_STEP || kind == EZ_MOVE_NEXT || kind == EZ_MOVE_UNTIL;
    if (lines && ez_err_drop(ez_pc(s->target, &pc)) && !source_at(s, pc.v, &file, &line)) {
        struct ez_module_info m = { 0 };
        const struct ez_sym *sym = ez_symbolize(s->target, pc, &off, &m);
        if (sym) {
            out_line(s, "Single stepping until exit from function %s,", ez_sym_pretty(sym));
            out_line(s, "which has no line number information.");
        }
    }
    return moves_go(s, &request);
}

static ez_err *cmd_step(struct ez_sess *s, int argc, char **argv)
{
    return moves_lines(s, argc, argv, EZ_MOVE_STEP);
}

const struct ez_cmd command_step = {
    .name = "step",
    .alias = "s",
    .usage = "[N]",
    .brief = "Run to another source line, into calls.",
    .help = "With N, step N times. step stops in a called function that has line\n"
            "information, and does not stop in other functions and in eztsh's own code.",
    .examples = "step",
    .see_also = "next, stepi, finish",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_step,
};

static ez_err *cmd_next(struct ez_sess *s, int argc, char **argv)
{
    return moves_lines(s, argc, argv, EZ_MOVE_NEXT);
}

const struct ez_cmd command_next = {
    .name = "next",
    .alias = "n",
    .usage = "[N]",
    .brief = "Run to another source line, over calls.",
    .help = "With N, do this N times. All threads run during a call, and breakpoints in a\n"
            "call stop the program. In a function without line information next runs until\n"
            "the function returns.",
    .examples = "next\n"
                "next 3",
    .see_also = "step, until, finish, nexti",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_next,
};

static ez_err *cmd_nexti(struct ez_sess *s, int argc, char **argv)
{
    return moves_lines(s, argc, argv, EZ_MOVE_NEXTI);
}

const struct ez_cmd command_nexti = {
    .name = "nexti",
    .alias = "ni",
    .usage = "[N]",
    .brief = "Execute one instruction, or N instructions, over calls.",
    .examples = "nexti",
    .see_also = "stepi, next",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_nexti,
};

static ez_err *cmd_finish(struct ez_sess *s, int argc, char **argv)
{
    struct ez_history *values = values_of(s);
    struct ez_move_request request = { .kind = EZ_MOVE_FINISH, .frame = ez_frame_number(values) };
    struct ez_stack all;
    EZ_TRY(ez_stack_frames(values, request.frame + 2ul, &all));
    bool outermost = all.frame.n < request.frame + 2ul;
    ez_stack_clear(&all);
    if (outermost)
        return ez_err_new(EZ_E_STATE, 0, "\"finish\" not meaningful in the outermost frame");
    frames_print_one(s, "Run till exit from ", request.frame, true);
    return moves_go(s, &request);
}

const struct ez_cmd command_finish = {
    .name = "finish",
    .usage = "",
    .brief = "Run until the selected function returns.",
    .help = "The returned value, if debug information tells its type, is printed and becomes\n"
            "the next value of the history. For an inlined function finish prints no value,\n"
            "and stops at the next line outside of the function.",
    .examples = "finish",
    .see_also = "up, step, until, print",
    OPERANDS(RUN, 0, 0),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_finish,
};

struct moves_places {
    EZ_VEC(uint64_t) at;
};

static void moves_note_place(uint64_t addr, void *arg)
{
    struct moves_places *p = arg;
    EZ_PUSH(&p->at, addr);
}

static ez_err *moves_to(struct ez_sess *s, const char *location, bool this_frame)
{
    struct moves_places p = { { 0 } };
    location = source_location(s, location);
    ez_err *e = ez_code_places(s->target, location, moves_note_place, &p);
    e = parse_hint_inlined(s, location, e);
    if (!e) {
        struct ez_move_request request = {
            .kind = EZ_MOVE_TO, .to = p.at.at, .nto = p.at.n, .this_frame = this_frame
        };
        e = moves_go(s, &request);
    }
    EZ_VEC_FREE(&p.at);
    return e;
}

static ez_err *cmd_until(struct ez_sess *s, int argc, char **argv)
{
    return argc > 1 ? moves_to(s, argv[1], true) : moves_lines(s, argc, argv, EZ_MOVE_UNTIL);
}

const struct ez_cmd command_until = {
    .name = "until",
    .alias = "u",
    .usage = "[LOCATION]",
    .brief = "Run past the current line, or to a location.",
    .help = "Without LOCATION, until works as next, but does not stop at an earlier line; at\n"
            "the end of a loop, until therefore runs the remaining rounds. With LOCATION,\n"
            "until stops at LOCATION, or when the current function returns; a LOCATION in\n"
            "the current function stops only this call, not a recursive one.",
    .examples = "until\n"
                "until 45",
    .see_also = "advance, next, finish",
    OPERANDS(RUN, 0, 1),
    .flags = RAW | NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_until,
    .complete = comp_location,
};

static ez_err *cmd_advance(struct ez_sess *s, int argc, char **argv)
{
    return moves_to(s, argv[1], false);
}

const struct ez_cmd command_advance = {
    .name = "advance",
    .usage = "LOCATION",
    .brief = "Run to a location, or until the current function returns.",
    .help = "advance works as \"until LOCATION\", but a LOCATION in the current function also\n"
            "stops a recursive call.",
    .examples = "advance compute\n"
                "advance 45",
    .see_also = "until, tbreak, finish",
    OPERANDS(RUN, 1, 1),
    .flags = RAW | NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_advance,
    .complete = comp_location,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* break.c - `break`, `tbreak`, `watch`, `rwatch`, `awatch`, `commands`.
 * Tests: tests/procs/moving.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct breaks {
    bool running; /* commands of a breakpoint run */
    int of;       /* number of the breakpoint whose commands are being typed */
    char *typed;  /* the commands typed so far */
};

static void breaks_free(void *state)
{
    free(((struct breaks *)state)->typed);
}

static struct breaks *breaks_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct breaks), breaks_free };
    return sess_state(s, &kind);
}

char *breaks_split_cond(char *text)
{
    for (char *p = text; (p = strstr(p, "if")); p += 2) {
        bool before = p == text || isspace((unsigned char)p[-1]);
        if (!before || (!isspace((unsigned char)p[2]) && p[2] != '('))
            continue;
        char *end = p;
        while (end > text && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        return (char *)parse_skip(p + 2);
    }
    return NULL;
}

struct one {
    int number;
    struct ez_break_info info;
    EZ_VEC(uint64_t) addr;
};

static void break_see(const struct ez_break_info *b, void *arg)
{
    struct one *o = arg;
    for (size_t i = 0; b->number == o->number && i < b->n; i++)
        EZ_PUSH(&o->addr, b->place[i].addr);
}

/* Prints a note if the function is also inlined: the breakpoint does not stop in the inlined
 * copies. gdb stops there, too, but the processor may not have enough breakpoints. */
static void break_say_inlined(struct ez_sess *s, const char *location, uint64_t at)
{
    const char *file, *into;
    unsigned line;
    uint64_t off = 0;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(at), &off, NULL);
    if (!sym || *location == '*' || ez_location_is_line(location))
        return;
    into = parse_code_inlined(s, at - off);
    if (*into && source_at(s, at, &file, &line))
        out_line(s,
                 "Note: %s is also inlined, into %s, where the breakpoint does not stop. \"break "
                 "%s:%u\" stops there, too.",
                 ez_sym_pretty(sym), into, ez_base_name(file), line);
}

static void break_say(struct ez_sess *s, int number, const char *location, bool temporary)
{
    struct one o = { .number = number };
    const char *file;
    unsigned line;
    ez_breaks(moves_of(s), break_see, &o);
    const char *kind = temporary ? "Temporary breakpoint" : "Breakpoint";
    uint64_t at = o.addr.n ? o.addr.at[0] : 0;
    if (!o.addr.n)
        out_line(s, "%s %d (%s) pending.", kind, number, location);
    else if (o.addr.n > 1)
        out_line(s, "%s %d at %s: %s. (%zu locations)", kind, number, out_addr(s, at),
                 out_sym(s, at), o.addr.n);
    else if (source_at(s, at, &file, &line))
        out_line(s, "%s %d at %s: file %s, line %u.", kind, number, out_addr(s, at), file, line);
    else
        out_line(s, "%s %d at %s", kind, number, out_addr(s, at));
    if (o.addr.n == 1)
        break_say_inlined(s, location, at);
    EZ_VEC_FREE(&o.addr);
}

static ez_err *break_frame(struct ez_sess *s, const char **location)
{
    struct ez_stack all;
    struct ez_history *values = values_of(s);
    unsigned n = ez_frame_number(values);
    EZ_TRY(ez_stack_frames(values, n + 1ul, &all));
    if (n < all.frame.n)
        *location = sess_format(s, "*0x%llx", (unsigned long long)all.frame.at[n].pc);
    ez_stack_clear(&all);
    return NULL;
}

enum { PENDING_AUTO, PENDING_ON }; /* `set breakpoint pending` */

/* Returns true if the breakpoint becomes pending. `set breakpoint pending auto` asks the user, as
 * gdb does; without a terminal the answer is no. *explained becomes true if this function has
 * printed the reason. */
static bool break_may_wait(struct ez_sess *s, const ez_err *e, bool *explained)
{
    *explained =
        s->ui.pending == PENDING_ON || (s->ui.pending == PENDING_AUTO && sess_can_query(s));
    EZ_FREE char *why = ez_err_text(e);
    if (*explained)
        out_line(s, "%s", why);
    if (s->ui.pending != PENDING_AUTO)
        return s->ui.pending == PENDING_ON;
    return sess_offer(s, "Make breakpoint pending on future shared library load? ");
}

/* Returns the error e of a search. If the function is inlined everywhere, returns EZ_E_ARG in place
 * of e, with the names of the functions into which it is inlined: a pending breakpoint would wait
 * in vain. */
static ez_err *break_inlined(struct ez_sess *s, const char *location, ez_err *e)
{
    bool is = e && e->code == EZ_E_NOTFOUND && *parse_inlined(s, location);
    e = parse_hint_inlined(s, location, e);
    if (is)
        e->code = EZ_E_ARG;
    return e;
}

static ez_err *break_make(struct ez_sess *s, int argc, char **argv, bool temporary)
{
    EZ_FREE char *text = ez_strdup(argc > 1 ? parse_skip(argv[1]) : "");
    char *cond = breaks_split_cond(text);
    const char *location = text;
    int number;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    if (!*text)
        EZ_TRY(break_frame(s, &location));
    location = source_location(s, location);
    ez_err *e = ez_break_add(moves_of(s), location, temporary, cond, false, &number);
    bool explained = false, waits = false;
    if (s->ui.pending != PENDING_ON)
        e = break_inlined(s, location, e);
    if (e && e->code == EZ_E_NOTFOUND)
        waits = break_may_wait(s, e, &explained);
    if (explained)
        ez_err_free(e);
    if (explained && !waits)
        return NULL;
    if (waits)
        e = ez_break_add(moves_of(s), location, temporary, cond, true, &number);
    if (e && e->code == EZ_E_NOTFOUND && s->ui.pending == PENDING_AUTO)
        return ez_err_hint(e,
                           "\"set breakpoint pending on\" lets the breakpoint wait for a library");
    EZ_TRY(e);
    break_say(s, number, location, temporary);
    if (ez_target_state(s->target) != EZ_BACKGROUND)
        return NULL;
    EZ_TRY(ez_interrupt(s->target)); /* the program ran in the background */
    return moves_afar(s);
}

static ez_err *cmd_break(struct ez_sess *s, int argc, char **argv)
{
    return break_make(s, argc, argv, false);
}

const struct ez_cmd command_break = {
    .name = "break",
    .alias = "b",
    .usage = "[LOCATION] [if COND]",
    .brief = "Stop the program at a location.",
    .help = "LOCATION is a function, FILE:LINE, a line or *ADDR; the default is the pc of the\n"
            "selected frame. In a function the stop is after its prologue. A breakpoint can\n"
            "be on a function that has a probe. A breakpoint also stops a program in the\n"
            "background.\n"
            "\n"
            "The processor has four debug registers for breakpoints; \"watch\" and \"next\" have\n"
            "precedence. Other breakpoints are trap instructions, which eztsh removes when it\n"
            "ends. If eztsh is killed, the traps stay, but no longer stop the program.\n"
            "\n"
            "Breakpoints and probes share one sequence of numbers, and the commands delete,\n"
            "enable and disable. With \"set breakpoint pending on\", a breakpoint can wait for\n"
            "its library.",
    .examples = "break compute\n"
                "break demo.c:45 if n > 3",
    .see_also = "tbreak, watch, info breakpoints, delete, probe",
    OPERANDS(RUN, 0, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_break,
    .complete = comp_location,
};

static ez_err *cmd_tbreak(struct ez_sess *s, int argc, char **argv)
{
    return break_make(s, argc, argv, true);
}

const struct ez_cmd command_tbreak = {
    .name = "tbreak",
    .alias = "tb",
    .usage = "[LOCATION] [if COND]",
    .brief = "Stop the program at a location, once.",
    .help = "The operands are as for \"break\". The breakpoint is deleted when it first stops\n"
            "the program.",
    .examples = "tbreak compute",
    .see_also = "break, until, start",
    OPERANDS(RUN, 0, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_tbreak,
    .complete = comp_location,
};

static const char *const watch_kind[] = { "Breakpoint", "Hardware watchpoint",
                                          "Hardware read watchpoint",
                                          "Hardware access (read/write) watchpoint" };

#define OF_LOCATION                                                                                \
    { .name = "-location",                                                                         \
      .meaning = "watch the memory where EXPR is now, also when its block has ended" },            \
    {                                                                                              \
        .name = "-l", .meaning = "the same as -location", .whole = true                            \
    }

static ez_err *break_watch(struct ez_sess *s, char **argv, enum ez_break_kind kind)
{
    EZ_FREE char *text = ez_strdup(parse_skip(argv[1]));
    char *cond = breaks_split_cond(text);
    bool location = opt_given(s, "-location") || opt_given(s, "-l");
    int number;
    EZ_TRY(ez_watch_add(moves_of(s), kind, text, location, cond, &number));
    out_line(s, "%s %d: %s%s", watch_kind[kind], number, location ? "-location " : "", text);
    return NULL;
}

static ez_err *cmd_watch(struct ez_sess *s, int argc, char **argv)
{
    return break_watch(s, argv, EZ_BREAK_WATCH);
}

const struct ez_cmd command_watch = {
    .name = "watch",
    .usage = "EXPR [if COND]",
    .brief = "Stop the program when a value changes.",
    .help = "The processor watches 1, 2, 4 or 8 bytes of memory in all threads. A watchpoint\n"
            "on a local variable is deleted when the variable's function returns. A\n"
            "watchpoint on a global variable can be set before the program runs, and is set\n"
            "again in the next run.",
    .examples = "watch total\n"
                "watch list->n if list->n > 10\n"
                "watch -location p->count",
    .see_also = "rwatch, awatch, break, info breakpoints, delete",
    OPERANDS(RUN, 1, 1),
    OPTIONS(OF_LOCATION),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_watch,
    .complete = comp_symbol,
};

static ez_err *cmd_rwatch(struct ez_sess *s, int argc, char **argv)
{
    return break_watch(s, argv, EZ_BREAK_RWATCH);
}

const struct ez_cmd command_rwatch = {
    .name = "rwatch",
    .usage = "EXPR [if COND]",
    .brief = "Stop the program when a value is read.",
    .help = "The processor watches 1, 2, 4 or 8 bytes of memory. A write of an unchanged\n"
            "value stops the program, too.",
    .examples = "rwatch config.level",
    .see_also = "watch, awatch, info breakpoints, delete",
    OPERANDS(RUN, 1, 1),
    OPTIONS(OF_LOCATION),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_rwatch,
    .complete = comp_symbol,
};

static ez_err *cmd_awatch(struct ez_sess *s, int argc, char **argv)
{
    return break_watch(s, argv, EZ_BREAK_AWATCH);
}

const struct ez_cmd command_awatch = {
    .name = "awatch",
    .usage = "EXPR [if COND]",
    .brief = "Stop the program when a value is read or written.",
    .help = "The processor watches 1, 2, 4 or 8 bytes of memory.",
    .examples = "awatch shared->count",
    .see_also = "watch, rwatch, info breakpoints, delete",
    OPERANDS(RUN, 1, 1),
    OPTIONS(OF_LOCATION),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_awatch,
    .complete = comp_symbol,
};

/* ---- numbers that breakpoints share with probes -------------------------------------------- */

struct seen {
    struct ez_numbers in;
    EZ_VEC(int) number;
    bool probes;
};

static void break_note(const struct ez_break_info *b, void *arg)
{
    struct seen *q = arg;
    if (b->number >= q->in.lo && b->number <= q->in.hi)
        EZ_PUSH(&q->number, b->number);
}

static void break_note_probe(const struct ez_probe_info *p, void *arg)
{
    struct seen *q = arg;
    q->probes |= p->number >= q->in.lo && p->number <= q->in.hi;
}

static void break_do(struct ez_move *m, int number, enum breaks_verb verb, uint64_t stops)
{
    switch (verb) {
    case BREAKS_DELETE:
        ez_break_delete(m, number);
        break;
    case BREAKS_ENABLE:
    case BREAKS_DISABLE:
        ez_break_enable(m, number, verb == BREAKS_ENABLE);
        break;
    case BREAKS_COUNT:
        ez_break_then(m, number, EZ_BREAK_SLEEPS, stops);
        break;
    case BREAKS_DELETE_AFTER:
        ez_break_then(m, number, EZ_BREAK_GOES, 0);
        break;
    }
}

size_t breaks_apply(struct ez_sess *s, struct ez_numbers *which, size_t n, enum breaks_verb verb,
                    uint64_t stops)
{
    struct ez_move *m = moves_state(s)->move;
    size_t kept = 0;
    for (size_t i = 0; m && i < n; i++) {
        struct seen q = { .in = which[i] };
        ez_breaks(m, break_note, &q);
        ez_probes(s->target, break_note_probe, &q);
        for (size_t k = 0; k < q.number.n; k++)
            break_do(m, q.number.at[k], verb, stops);
        if (q.probes || !q.number.n)
            which[kept++] = which[i];
        EZ_VEC_FREE(&q.number);
    }
    return m ? kept : n;
}

void breaks_all(struct ez_sess *s, enum breaks_verb verb, uint64_t stops)
{
    struct ez_numbers all = { 0, INT32_MAX };
    breaks_apply(s, &all, 1, verb, stops);
}

bool breaks_is(struct ez_sess *s, int number)
{
    struct ez_move *m = moves_state(s)->move;
    return m && ez_break_is(m, number);
}

ez_err *breaks_place(struct ez_sess *s, int number, uint64_t place, bool on)
{
    return ez_break_place_enable(moves_of(s), number, place, on);
}

ez_err *breaks_condition(struct ez_sess *s, int number, const char *cond)
{
    EZ_TRY(ez_break_change(moves_of(s), number, cond, NULL, NULL));
    if (!*cond)
        out_line(s, "Breakpoint %d now unconditional.", number);
    return NULL;
}

ez_err *breaks_ignore(struct ez_sess *s, int number, uint64_t count)
{
    EZ_TRY(ez_break_change(moves_of(s), number, NULL, NULL, &count));
    if (!count)
        out_line(s, "Will stop next time breakpoint %d is reached.", number);
    else if (count == 1)
        out_line(s, "Will ignore next crossing of breakpoint %d.", number);
    else
        out_line(s, "Will ignore next %llu crossings of breakpoint %d.", (unsigned long long)count,
                 number);
    return NULL;
}

bool breaks_any(struct ez_sess *s)
{
    struct ez_move *m = moves_state(s)->move;
    return m && ez_break_count(m);
}

/* ---- commands -------------------------------------------------------------------------------- */

void breaks_run_commands(struct ez_sess *s)
{
    struct breaks *own = breaks_state(s);
    char **hit = &moves_state(s)->commands;
    if (own->running)
        return;
    own->running = true;
    while (*hit && !s->end.quit && !s->end.interrupted) {
        EZ_FREE char *text = *hit;
        *hit = NULL;
        for (char *line = text, *next; *line && !*hit && !s->end.quit; line = next) {
            next = line + strcspn(line, "\n");
            if (*next)
                *next++ = '\0';
            if (*line && strcmp(line, "silent"))
                sess_command(s, line);
        }
    }
    own->running = false;
}

static ez_err *break_command_line(struct ez_sess *s, const char *line)
{
    struct breaks *own = breaks_state(s);
    const char *text = line ? parse_skip(line) : "end";
    if (strcmp(text, "end")) {
        char *more = ez_sprintf("%s%s\n", own->typed, text);
        free(own->typed);
        own->typed = more;
        return NULL;
    }
    s->run.block = NULL;
    return ez_break_change(moves_of(s), own->of, NULL, own->typed, NULL);
}

static void break_newest(const struct ez_break_info *b, void *arg)
{
    *(int *)arg = b->number;
}

static ez_err *cmd_commands(struct ez_sess *s, int argc, char **argv)
{
    int newest = 0;
    uint64_t n;
    ez_breaks(moves_of(s), break_newest, &newest);
    n = (uint64_t)newest;
    if (argc > 1)
        EZ_TRY(parse_count(argv[1], "a breakpoint", &n));
    if (!n)
        return ez_err_new(EZ_E_STATE, 0, "No breakpoints specified");
    if (n > INT32_MAX || !ez_break_is(moves_of(s), (int)n))
        return ez_err_new(EZ_E_NOTFOUND, 0, "No breakpoint number %llu", (unsigned long long)n);
    if (!s->run.depth && s->in.terminal) {
        out_line(s, "Type commands for breakpoint(s) %d, one per line.", (int)n);
        out_line(s, "End with a line saying just \"end\".");
    }
    struct breaks *own = breaks_state(s);
    free(own->typed);
    own->typed = ez_strdup("");
    own->of = (int)n;
    s->run.block = break_command_line;
    return NULL;
}

const struct ez_cmd command_commands = {
    .name = "commands",
    .usage = "[N]",
    .brief = "Run commands when a breakpoint is hit.",
    .help = "The lines that follow, up to \"end\", are the commands of breakpoint N. Without N\n"
            "the lines belong to the newest breakpoint. Without lines the breakpoint has no\n"
            "commands. If the first line is \"silent\", eztsh does not print the stop.",
    .examples = "commands 2\n"
                "print n\n"
                "continue\n"
                "end",
    .see_also = "break, watch, probe",
    OPERANDS(RUN, 0, 1),
    .flags = NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_commands,
};

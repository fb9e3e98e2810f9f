/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frames.c - `backtrace`, `frame`, `up`, `down`, `info locals|args`: the open calls of the current
 * thread, in gdb's words.
 * Tests: tests/procs/bt.sh */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define FRAMES_MOST 100000 /* maximum number of frames of a thread */

/* ---- one frame ------------------------------------------------------------------------------- */

struct variables {
    struct ez_sess *s;
    const char *indent;
    bool args;              /* prints arguments (scalars only) on one line, not locals */
    EZ_VEC(char) line;      /* line of arguments */
    size_t n;               /* number of variables */
    const regex_t *of;      /* prints only names that match; NULL = all */
    struct out_table *rows; /* table for -json; NULL = print lines */
};

static void frames_add(struct variables *v, const char *text)
{
    for (; *text; text++)
        EZ_PUSH(&v->line, *text);
}

static char *frames_text(const struct variables *v, const struct ez_value *value)
{
    return v->args && !ez_value_is_scalar(value) ? ez_strdup("...")
                                                 : ez_value_text_bare(values_of(v->s), value);
}

/* `set print entry-values` */
enum {
    ENTRY_DEFAULT,
    ENTRY_NO,
    ENTRY_BOTH,
    ENTRY_COMPACT,
    ENTRY_ONLY,
    ENTRY_PREFERRED,
    ENTRY_IF_NEEDED
};

/* The values of an argument that are shown under `set print entry-values`. */
struct argument {
    /* value: shows the present value; entry: shows the value at the call; `same`: shows both as
     * NAME=NAME@entry=VALUE */
    bool value, entry;
    bool same;
};

static struct argument frames_chosen(unsigned how, const struct ez_frame_variable *x)
{
    bool known = x->value && !x->value->gone, passed = x->entry;
    bool same = known && passed && ez_value_same(x->value, x->entry);
    switch (how) {
    case ENTRY_NO:
        return (struct argument){ .value = true };
    case ENTRY_BOTH:
        return (struct argument){ .value = true, .entry = true };
    case ENTRY_ONLY:
        return (struct argument){ .entry = true };
    case ENTRY_PREFERRED:
        return (struct argument){ .value = !passed, .entry = passed };
    case ENTRY_IF_NEEDED:
        return (struct argument){ .value = known || !passed, .entry = !known && passed };
    case ENTRY_COMPACT:
        return (struct argument){ .value = known || !passed, .entry = passed, .same = same };
    default:
        return (struct argument){ .value = true, .entry = passed, .same = same };
    }
}

static void frames_argument(struct variables *v, const struct ez_frame_variable *x,
                            const char *text)
{
    const struct argument a = frames_chosen(v->s->ui.entry_values, x);
    const char *part = v->line.n ? ", " : "";
    EZ_FREE char *passed = x->entry ? frames_text(v, x->entry) : ez_strdup("<optimized out>");
    if (a.same) {
        frames_add(v, sess_format(v->s, "%s%s=%s@entry=%s", part, x->name, x->name, text));
        return;
    }
    if (a.value)
        frames_add(v, sess_format(v->s, "%s%s=%s", part, x->name, text));
    if (a.entry)
        frames_add(v, sess_format(v->s, "%s%s@entry=%s", a.value ? ", " : part, x->name, passed));
}

static void frames_variable(const struct ez_frame_variable *x, void *arg)
{
    struct variables *v = arg;
    EZ_FREE char *text = NULL;
    if (v->of && regexec(v->of, x->name, 0, NULL, 0))
        return;
    if (v->rows && x->wrong) {
        out_row(v->rows, x->name, "", x->wrong->msg, NULL);
        return;
    }
    if (x->wrong &&
        x->wrong->code == EZ_E_NOTFOUND) /* the debug information has no location for this pc */
        text = ez_strdup("<optimized out>");
    else if (x->wrong)
        text = ez_sprintf("<error: %s>", x->wrong->msg);
    else
        text = frames_text(v, x->value);
    v->n++;
    if (v->rows)
        out_row(v->rows, x->name, text, "", NULL);
    else if (v->args)
        frames_argument(v, x, text);
    else
        out_lines(v->s, "%s%s = %s", v->indent, x->name, text);
}

/* Returns true if the pc is inside a line's code, not at its start; gdb shows the address then. */
static bool frames_in_line(struct ez_sess *s, const struct ez_stack_frame *f)
{
    struct ez_code_line l;
    if (!f->exact)
        return true;
    return ez_code_line(s->target, f->pc, &l) && (f->pc != l.lo || !l.statement);
}

const char *frames_name(struct ez_sess *s, const struct ez_stack_frame *f)
{
    uint64_t off;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(f->pc - !f->exact), &off, NULL);
    return f->name ? f->name : sym ? ez_sym_pretty(sym) : NULL;
}

/* Prints a frame. `rows`: JSON rows; NULL = a line after `lead`. */
static void frames_show_as(struct ez_sess *s, const char *lead, unsigned n,
                           const struct ez_stack_frame *f, struct out_table *rows)
{
    struct variables v = { .s = s, .args = true };
    struct ez_module_info m = { 0 };
    uint64_t off = 1;
    const char *file = NULL;
    unsigned line = 0;
    if (f->signal && rows) {
        out_row(rows, sess_format(s, "%u", n), out_addr16(s, f->pc), "", "", "", "", "", "yes",
                "no", NULL);
        return;
    }
    if (f->signal) {
        out_line(s, "%s<signal handler called>", lead);
        return;
    }
    ez_symbolize(s->target, ez_addr_of(f->pc - !f->exact), &off, &m);
    bool placed = source_of(s, f, &file, &line);
    bool known = ez_frame_variables(
        values_of(s), f, s->ui.entry_values == ENTRY_NO ? EZ_FRAME_PARAMETERS : EZ_FRAME_ARGUMENTS,
        frames_variable, &v);
    EZ_PUSH(&v.line, '\0');
    const char *its = frames_name(s, f);
    const char *name = !its ? "??" : known ? parse_bare_name(s, its) : its;
    if (rows) {
        out_row(rows, sess_format(s, "%u", n), out_addr16(s, f->pc), its ? name : "", v.line.at,
                placed ? file : "", placed ? sess_format(s, "%u", line) : "", m.path ? m.path : "",
                "no", f->within ? "yes" : "no", NULL);
        EZ_VEC_FREE(&v.line);
        return;
    }
    const char *addr = f->file || (placed && !frames_in_line(s, f))
                           ? ""
                           : sess_format(s, "%s in ", out_addr16(s, f->pc));
    const char *at = placed                    ? sess_format(s, " at %s:%u", file, line)
                     : m.path && !m.is_program ? sess_format(s, " from %s", m.path)
                                               : "";
    out_ours(s, "%s%s%s (%s)%s", lead, addr, name, v.line.at, at);
    EZ_VEC_FREE(&v.line);
}

static void frames_show(struct ez_sess *s, unsigned n, const struct ez_stack_frame *f,
                        struct out_table *rows)
{
    frames_show_as(s, sess_format(s, "#%-3u", n), n, f, rows);
}

void frames_print_one(struct ez_sess *s, const char *lead, unsigned n, bool number)
{
    struct ez_stack all;
    if (!ez_err_drop(ez_stack_frames(values_of(s), n + 1ul, &all)))
        return;
    if (n < all.frame.n)
        frames_show_as(s, number ? sess_format(s, "%s#%-3u", lead, n) : lead, n, &all.frame.at[n],
                       NULL);
    ez_stack_clear(&all);
}

static void frames_locals(struct ez_sess *s, const struct ez_stack_frame *f, bool others,
                          const char *indent, const regex_t *of)
{
    struct variables v = { .s = s, .indent = indent, .of = of };
    bool known = ez_frame_variables(values_of(s), f, others ? EZ_FRAME_LOCALS : EZ_FRAME_PARAMETERS,
                                    frames_variable, &v);
    const char *what = others ? "locals" : "arguments";
    if (!known)
        out_line(s, "%sNo symbol table info available.", indent);
    else if (!v.n)
        out_line(s, "%sNo %s%s.", indent, of ? "matching " : "", what);
}

/* ---- backtrace ------------------------------------------------------------------------------- */

/* Parses the word "full", or an expression for the number of frames. */
static ez_err *frames_count(struct ez_sess *s, const char *word, int64_t *count, bool *full)
{
    uint64_t n;
    *full |= !strcmp(word, "full");
    if (!strcmp(word, "full"))
        return NULL;
    EZ_TRY(values_address(s, word, &n));
    *count = (int64_t)n;
    return NULL;
}

static ez_err *cmd_backtrace(struct ez_sess *s, int argc, char **argv)
{
    struct ez_stack all;
    struct out_table t;
    bool full = opt_given(s, "-full");
    int64_t count = INT64_MAX;
    for (int i = 1; i < argc; i++)
        EZ_TRY(frames_count(s, argv[i], &count, &full));
    EZ_TRY(ez_stack_frames(values_of(s), count > 0 ? (size_t)count : SIZE_MAX, &all));
    out_table_json(&t, s, "backtrace",
                   "level# pc function arguments file line# object signal? inlined?");
    out_fact(&t, "stopped_because", all.wrong ? all.wrong : "");
    size_t from = !count                                      ? all.frame.n
                  : count < 0 && all.frame.n > (size_t)-count ? all.frame.n - (size_t)-count
                                                              : 0;
    for (size_t i = from; i < all.frame.n && !s->out.quit_pager && !s->end.interrupted; i++) {
        size_t kept = s->kept.n;
        frames_show(s, (unsigned)i, &all.frame.at[i], t.json ? &t : NULL);
        if (full && !t.json && !all.frame.at[i].signal)
            frames_locals(s, &all.frame.at[i], true, "        ", NULL);
        sess_forget(s, kept);
    }
    bool json = t.json;
    out_table_json_end(&t, NULL);
    if ((all.more || !count) && count >= 0 && !json)
        out_line(s, "(More stack frames follow...)");
    if (all.wrong && count && !json)
        out_line(s, "Backtrace stopped: %s", all.wrong);
    ez_stack_clear(&all);
    return NULL;
}

static const struct ez_opt options_backtrace[] = {
    { .name = "-full", .meaning = "print the local variables of each frame, too" },
    FOR_PROGRAMS,
    { .name = NULL }
};

const struct ez_cmd command_info_stack = {
    .parent = "info",
    .name = "stack",
    .usage = "[full] [N|-N]",
    .brief = "Print the call stack, like backtrace.",
    .examples = "info stack 3",
    .see_also = "backtrace, info frame",
    OPERANDS(DATA, 0, 2),
    .options = options_backtrace,
    .fn = cmd_backtrace,
};

static const char help_backtrace[] =
    "The innermost frame is first. N prints the N innermost frames, -N the N\n"
    "outermost. \"full\" and -full print the local variables of each frame, too, even\n"
    "variables that a variable of an inner block hides.\n"
    "\n"
    "Arguments are shown where there is debug information. An inlined function has a\n"
    "frame of its own. Frames of eztsh's own code are not printed: a probed function\n"
    "appears directly below its caller. The list ends at main, or at the first\n"
    "function of a thread. If it ends before, the last line says why.";
static const char examples_backtrace[] = "backtrace\n"
                                         "bt 3\n"
                                         "bt full 2";
static const char see_also_backtrace[] = "frame, up, down, thread apply, info frame";

const struct ez_cmd command_backtrace = {
    .name = "backtrace",
    .alias = "bt",
    .usage = "[full] [N|-N]",
    .brief = "Print the call stack, the innermost frame first.",
    .help = help_backtrace,
    .examples = examples_backtrace,
    .see_also = see_also_backtrace,
    OPERANDS(DATA, 0, 2),
    .options = options_backtrace,
    .fn = cmd_backtrace,
};

const struct ez_cmd command_where = {
    .name = "where",
    .usage = "[N|-N]",
    .brief = "Print the call stack, like backtrace.",
    .help = help_backtrace,
    .examples = "where 3",
    .see_also = see_also_backtrace,
    OPERANDS(DATA, 0, 1),
    .options = options_backtrace,
    .fn = cmd_backtrace,
};

/* ---- the selected frame ---------------------------------------------------------------------- */

/* Selects frame n and, with `show`, prints it. With `up`, selects the outermost frame if n is too
 * large. */
ez_err *frames_choose(struct ez_sess *s, uint64_t n, bool up, bool show)
{
    struct ez_stack all;
    struct ez_history *values = values_of(s);
    unsigned was = ez_frame_number(values);
    EZ_TRY(ez_stack_frames(values, (size_t)EZ_MIN(n, UINT32_MAX) + 1, &all));
    if (up && n >= all.frame.n && was + 1ul < all.frame.n)
        n = all.frame.n - 1;
    if (n >= all.frame.n) {
        ez_stack_clear(&all);
        return up ? ez_err_new(EZ_E_STATE, 0, "Initial frame selected; you cannot go up")
                  : ez_err_new(EZ_E_ARG, 0, "No frame at level %llu", (unsigned long long)n);
    }
    const struct ez_stack_frame *f = &all.frame.at[n];
    if (show) {
        frames_show(s, (unsigned)n, f, NULL);
        source_print_line(s, (unsigned)n, false);
    }
    ez_frame_choose(values, (unsigned)n, n ? f : NULL);
    ez_stack_clear(&all);
    return NULL;
}

static ez_err *cmd_frame(struct ez_sess *s, int argc, char **argv)
{
    uint64_t n = ez_frame_number(values_of(s));
    if (argc > 1)
        EZ_TRY(parse_count(argv[1], "a frame", &n));
    return frames_choose(s, n, false, true);
}

const struct ez_cmd command_frame_level = {
    .parent = "frame",
    .name = "level",
    .usage = "N",
    .brief = "Select a frame by its number.",
    .examples = "frame level 2",
    .see_also = "frame, backtrace",
    OPERANDS(DATA, 1, 1),
    .fn = cmd_frame,
};

const struct ez_cmd command_frame = {
    .name = "frame",
    .usage = "[N] | function NAME | apply ...",
    .brief = "Select a frame of the call stack.",
    .help = "print, x, info registers, info locals and info args use the selected frame.\n"
            "When the program runs or another thread is selected, the innermost frame is\n"
            "selected again. Without N, show the selected frame.",
    .examples = "frame 2\n"
                "print n",
    .see_also = "backtrace, up, down, info frame",
    OPERANDS(DATA, 0, 1),
    .min_abbrev = 1,
    .flags = OWN_WORDS | TEXT_ONLY,
    .fn = cmd_frame,
};

/* Selects the innermost frame of a function with that name. */
static ez_err *cmd_frame_function(struct ez_sess *s, int argc, char **argv)
{
    struct ez_stack all;
    EZ_TRY(ez_stack_frames(values_of(s), FRAMES_MOST, &all));
    size_t n = 0;
    while (n < all.frame.n) {
        const char *name = all.frame.at[n].signal ? NULL : frames_name(s, &all.frame.at[n]);
        if (name && (!strcmp(name, argv[1]) || !strcmp(parse_bare_name(s, name), argv[1])))
            break;
        n++;
    }
    bool found = n < all.frame.n;
    ez_stack_clear(&all);
    return found ? frames_choose(s, n, false, true)
                 : ez_err_new(EZ_E_NOTFOUND, 0, "No frame for function \"%s\"", argv[1]);
}

const struct ez_cmd command_frame_function = {
    .parent = "frame",
    .name = "function",
    .usage = "NAME",
    .brief = "Select the innermost frame of a function.",
    .examples = "frame function main",
    .see_also = "frame, backtrace",
    OPERANDS(DATA, 1, 1),
    .flags = RAW,
    .fn = cmd_frame_function,
    .complete = comp_symbol,
};

static ez_err *frames_go(struct ez_sess *s, int argc, char **argv, bool up)
{
    uint64_t n = 1, now = ez_frame_number(values_of(s));
    if (argc > 1)
        EZ_TRY(parse_count(argv[1], "a number of frames", &n));
    if (!up && !now && n)
        return ez_err_new(EZ_E_STATE, 0, "Bottom (innermost) frame selected; you cannot go down");
    return frames_choose(s, up ? now + EZ_MIN(n, UINT32_MAX) : now - EZ_MIN(n, now), up, true);
}

static ez_err *cmd_up(struct ez_sess *s, int argc, char **argv)
{
    return frames_go(s, argc, argv, true);
}

const struct ez_cmd command_up = {
    .name = "up",
    .usage = "[N]",
    .brief = "Select the caller of the selected frame.",
    .help = "With N, go up N frames.",
    .examples = "up\n"
                "up 2",
    .see_also = "down, frame, backtrace",
    OPERANDS(DATA, 0, 1),
    .flags = TEXT_ONLY,
    .fn = cmd_up,
};

static ez_err *cmd_down(struct ez_sess *s, int argc, char **argv)
{
    return frames_go(s, argc, argv, false);
}

const struct ez_cmd command_down = {
    .name = "down",
    .usage = "[N]",
    .brief = "Select the frame that the selected frame called.",
    .help = "With N, go down N frames.",
    .examples = "down",
    .see_also = "up, frame, backtrace",
    OPERANDS(DATA, 0, 1),
    .flags = TEXT_ONLY,
    .fn = cmd_down,
};

/* ---- info frame, locals, args ---------------------------------------------------------------- */

static ez_err *frames_list(struct ez_sess *s, bool others, const regex_t *of)
{
    struct ez_stack all;
    struct out_table t;
    struct ez_history *values = values_of(s);
    unsigned n = ez_frame_number(values);
    EZ_TRY(ez_stack_frames(values, n + 1ul, &all));
    out_table_json(&t, s, others ? "locals" : "args", "name value unknown_because");
    struct variables v = { .s = s, .rows = &t, .of = of };
    if (n < all.frame.n && t.json)
        ez_frame_variables(values, &all.frame.at[n], others ? EZ_FRAME_LOCALS : EZ_FRAME_PARAMETERS,
                           frames_variable, &v);
    else if (n < all.frame.n)
        frames_locals(s, &all.frame.at[n], others, "", of);
    out_table_json_end(&t, NULL);
    ez_stack_clear(&all);
    return NULL;
}

static ez_err *frames_list_matching(struct ez_sess *s, bool others, const char *regex)
{
    regex_t re;
    if (!regex)
        return frames_list(s, others, NULL);
    EZ_TRY(ez_str_regcomp(&re, regex, 0));
    ez_err *e = frames_list(s, others, &re);
    regfree(&re);
    return e;
}

static ez_err *cmd_info_locals(struct ez_sess *s, int argc, char **argv)
{
    return frames_list_matching(s, true, argc > 1 ? argv[1] : NULL);
}

const struct ez_cmd command_info_locals = {
    .parent = "info",
    .name = "locals",
    .usage = "[REGEX]",
    .brief = "Show the local variables of the selected frame.",
    .help = "Variables of the innermost block are first. A variable of an outer block is\n"
            "shown even if a variable of an inner block hides it. REGEX selects variables by\n"
            "name.",
    .examples = "info locals\n"
                "info locals ^n",
    .see_also = "info args, backtrace, print",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_locals,
};

static ez_err *cmd_info_args(struct ez_sess *s, int argc, char **argv)
{
    return frames_list_matching(s, false, argc > 1 ? argv[1] : NULL);
}

const struct ez_cmd command_info_args = {
    .parent = "info",
    .name = "args",
    .usage = "[REGEX]",
    .brief = "Show the arguments of the selected frame.",
    .examples = "info args",
    .see_also = "info locals, backtrace, frame",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_args,
};

/* ---- frames of all threads ------------------------------------------------------------------- */

struct frames_threads {
    EZ_VEC(int) tid;
    int current;
};

static void frames_note_thread(const struct ez_thread_info *t, void *arg)
{
    struct frames_threads *a = arg;
    EZ_PUSH(&a->tid, t->tid);
    a->current = t->current ? t->tid : a->current;
}

void values_frames(struct ez_sess *s, struct values_frames *out)
{
    struct frames_threads a = { .current = 0 };
    struct ez_stack all;
    struct ez_history *values = values_of(s);
    unsigned was = ez_frame_number(values);
    ez_err_drop(ez_threads(s->target, frames_note_thread, &a));
    for (size_t i = 0; i < a.tid.n; i++) {
        if (!ez_err_drop(ez_select_thread(s->target, a.tid.at[i])) ||
            !ez_err_drop(ez_stack_frames(values, FRAMES_MOST, &all)))
            continue;
        for (size_t k = 0; k < all.frame.n; k++)
            EZ_PUSH(out, all.frame.at[k].cfa);
        ez_stack_clear(&all);
    }
    ez_err_drop(a.current ? ez_select_thread(s->target, a.current) : NULL);
    ez_err_drop(was ? frames_choose(s, was, false, false) : NULL);
    EZ_VEC_FREE(&a.tid);
}

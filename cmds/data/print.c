/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c - `print`, `call`, `output`, `set variable`: values of expressions.
 * Tests: tests/procs/print.sh, tests/procs/calls.sh */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Runs a command for $_json(). Refuses commands without -json before they run. */
static ez_err *values_answer(void *arg, const char *line, char **json)
{
    struct ez_sess *s = arg;
    const struct ez_cmd *c = sess_command_of(line);
    const struct ez_opt *o = c ? c->options : NULL;
    while (o && o->name && strcmp(o->name, "-json"))
        o++;
    if (!o || !o->name)
        return ez_err_new(EZ_E_ARG, 0, "$_json cannot run \"%s\": the command has no option -json",
                          line);
    return sess_answer(s, line, json);
}

struct values {
    struct ez_history *history;
    uint64_t last; /* value of $_ */
    bool has_last; /* `last` is set */
    bool typed;    /* $_ has the type of the unit that `x` showed, and `last` is not used */
};

static void values_free(void *state)
{
    ez_history_free(((struct values *)state)->history);
}

static struct values *values_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct values), values_free };
    return sess_state(s, &kind);
}

struct ez_history *values_of(struct ez_sess *s)
{
    struct values *own = values_state(s);
    uint64_t status = (uint64_t)s->program.status, shell = (uint64_t)s->shell_exit;
    if (!own->history)
        own->history = ez_history_new(s->target);
    ez_history_answer(own->history, values_answer, s);
    if (!own->typed) {
        ez_history_set(own->history, "_", own->has_last ? &own->last : NULL);
        ez_history_set(own->history, "__", NULL);
    }
    uint64_t newest = (uint64_t)ez_probe_newest(s->target);
    ez_history_set(own->history, "bpnum", newest ? &newest : NULL);
    ez_history_set(own->history, "_exitcode", s->program.status >= 0 ? &status : NULL);
    ez_history_set(own->history, "_shell_exitcode", s->shell_exit >= 0 ? &shell : NULL);
    return own->history;
}

void values_set_last(struct ez_sess *s, uint64_t value)
{
    struct values *own = values_state(s);
    own->last = value;
    own->has_last = true;
    own->typed = false;
}

void values_set_examined(struct ez_sess *s, const struct ez_value *unit, bool things)
{
    struct values *own = values_state(s);
    values_set_last(s, unit->addr);
    ez_history_examined(values_of(s), unit, things);
    own->typed = true;
}

bool values_last(struct ez_sess *s, uint64_t *out)
{
    const struct values *own = values_state(s);
    *out = own->last;
    return own->has_last;
}

ez_err *values_address(struct ez_sess *s, const char *text, uint64_t *out)
{
    struct ez_history *values = values_of(s);
    struct ez_value v;
    EZ_TRY(ez_eval(values, text, NULL, &v));
    ez_err *e = ez_value_place(values, &v, out);
    ez_value_clear(&v);
    return e;
}

/* Removes the format ("/x") from the beginning of the text and stores its letter. */
static ez_err *print_parse_format(const char *command, const char **text, char *format)
{
    *format = 0;
    if (**text != '/')
        return NULL;
    for (++*text; **text && !isspace((unsigned char)**text); ++*text) {
        char c = **text;
        if (isdigit((unsigned char)c))
            return ez_err_new(EZ_E_ARG, 0,
                              "Item count other than 1 is meaningless in \"%s\" command", command);
        if (strchr("bhwg", c))
            return ez_err_new(EZ_E_ARG, 0, "Size letters are meaningless in \"%s\" command",
                              command);
        if (c == 'i')
            return ez_err_new(EZ_E_ARG, 0, "Format letter \"i\" is meaningless in \"%s\" command",
                              command);
        if (!strchr("xduotacfszr", c))
            return ez_err_new(EZ_E_ARG, 0, "Undefined output format \"%c\"", c);
        *format = c == 'r' ? *format : c;
    }
    *text = parse_skip(*text);
    return NULL;
}

/* Evaluates `text`; returns the value and its text. The caller frees both. */
static ez_err *print_value(struct ez_sess *s, const char *command, const char *text,
                           struct ez_value *v, char **shown)
{
    char format;
    struct ez_history *values = values_of(s);
    EZ_TRY(print_parse_format(command, &text, &format));
    EZ_TRY(ez_eval(values, *text ? text : "$", NULL, v));
    if (!*text && ez_value_is_void(v)) {
        ez_value_clear(v);
        return ez_err_new(EZ_E_STATE, 0, "The history is empty");
    }
    ez_err *e = ez_value_format(values, v, format, false, shown);
    if (e)
        ez_value_clear(v);
    return e;
}

static ez_err *cmd_print(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    char *text;
    EZ_TRY(print_value(s, argv[0], argc > 1 ? argv[1] : "", &v, &text));
    unsigned n = ez_history_record(values_of(s), &v);
    out_lines(s, "$%u = %s", n, text);
    free(text);
    return NULL;
}

const struct ez_cmd command_print = {
    .name = "print",
    .alias = "inspect",
    .usage = "[/FMT] [EXPR]",
    .brief = "Print the value of an expression.",
    .help = "EXPR is a C expression with gdb's extensions: @, {TYPE} ADDR, 'file.c'::name,\n"
            "f::name, $registers. Names are looked up in the selected frame. EXPR = EXPR\n"
            "assigns a value. FUNC(ARG...) calls a function of the program (\"help call\").\n"
            "\n"
            "FMT is a letter of x d u o t a c f s z: hex, decimal, unsigned, octal, binary,\n"
            "address, character, float, string, hex with zeros. Without FMT the type of the\n"
            "value decides. The value is $N of the history; $ is the newest value of the\n"
            "history, and $$ is the value before $.",
    .examples = "print list->first[2].name\n"
                "print length(list) + 1\n"
                "print/x flags & ~3\n"
                "print *values@5\n"
                "print $sp",
    .see_also = "x, output, printf, set variable, ptype, call",
    OPERANDS(DATA, 0, 1),
    .min_abbrev = 1,
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_print,
    .complete = comp_symbol,
};

/* Works as `print`, but prints nothing for a void result. If the program is stopped and the result
 * is an integer or a pointer, sets $_ to it. */
static ez_err *cmd_call(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    char format;
    const char *text = argv[1];
    uint64_t word;
    bool real = false;
    double d;
    EZ_TRY(print_parse_format(argv[0], &text, &format));
    struct ez_history *values = values_of(s);
    EZ_TRY(ez_eval_so(values, EZ_EVAL_LOOSE, text, &v));
    if (ez_value_is_void(&v)) {
        ez_value_clear(&v);
        return NULL;
    }
    bool number = ez_err_drop(ez_value_number(&v, &word, &real, &d)) && !real;
    if (number && ez_target_state(s->target) == EZ_STOPPED) /* a stopped program made the call;
                                                             * otherwise `call` only printed an
                                                             * expression */
        values_set_last(s, word);
    EZ_FREE char *shown = NULL;
    ez_err *e = ez_value_format(values, &v, format, false, &shown);
    if (e) {
        ez_value_clear(&v);
        return e;
    }
    unsigned n = ez_history_record(values, &v);
    out_lines(s, "$%u = %s", n, shown);
    return NULL;
}

const struct ez_cmd command_call = {
    .name = "call",
    .usage = "[(TYPE)]FUNC(ARG...)|EXPR",
    .brief = "Call a function in the stopped target.",
    .help = "call works as \"print\", but prints nothing for a function that returns nothing.\n"
            "The arguments are converted to the types of the parameters, if the debug\n"
            "information or eztsh's table of libc's functions describes FUNC. Arguments are\n"
            "numbers, structs and strings in double quotes, which stay in the target.\n"
            "\n"
            "If neither describes FUNC, TYPE is the type of the result; without TYPE the\n"
            "result is an integer of 64 bits. An integer or a pointer is also stored in $_. A\n"
            "call that faults, or does not return within five seconds, is abandoned, and the\n"
            "thread's registers are restored. Breakpoints do not stop a call.",
    .examples = "call (int)getpid()\n"
                "call strlen(\"abc\")\n"
                "call toupper(97)",
    .see_also = "print, syscall, mmap",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_call,
    .complete = comp_symbol,
};

static ez_err *cmd_output(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    char *text;
    EZ_TRY(print_value(s, argv[0], argv[1], &v, &text));
    ez_value_clear(&v);
    for (char *line = text, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        EZ_FREE char *safe = ez_str_ours(line);
        out_raw(s, safe);
        if (end)
            out_raw(s, "\n");
    }
    free(text);
    return NULL;
}

const struct ez_cmd command_output = {
    .name = "output",
    .usage = "[/FMT] EXPR",
    .brief = "Print a value without number and newline.",
    .help = "output works as print, without \"$N = \" and without a newline. The value is not\n"
            "added to the history.",
    .examples = "output/x $sp",
    .see_also = "print, printf",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_output,
    .complete = comp_symbol,
};

static ez_err *cmd_set_variable(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    EZ_TRY(ez_eval(values_of(s), argv[1], NULL, &v));
    ez_value_clear(&v);
    return NULL;
}

const struct ez_cmd command_set_variable = {
    .parent = "set",
    .name = "variable",
    .usage = "EXPR = EXPR",
    .brief = "Assign to a variable, a register or a $variable.",
    .help = "The left side is memory or a register of the stopped target, or a convenience\n"
            "variable of the session. A convenience variable needs no declaration; \"set $n\n"
            "= 5\" is short for \"set variable $n = 5\".",
    .examples = "set variable config.level = 3\n"
                "set var $start = list->first",
    .see_also = "print",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | MUTATES,
    .fn = cmd_set_variable,
    .complete = comp_symbol,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c - `print`, `call`, `output`, `set variable`: values of expressions.
 * Tests: tests/procs/print.sh, tests/procs/calls.sh */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

struct ez_history *values_of(struct ez_sess *s)
{
    uint64_t status = (uint64_t)s->child_status, shell = (uint64_t)s->shell_exit;
    if (!s->values)
        s->values = ez_history_new(s->target);
    if (!s->last_typed) {
        ez_history_set(s->values, "_", s->has_last ? &s->last : NULL);
        ez_history_set(s->values, "__", NULL);
    }
    uint64_t newest = (uint64_t)ez_probe_newest(s->target);
    ez_history_set(s->values, "bpnum", newest ? &newest : NULL);
    ez_history_set(s->values, "_exitcode", s->child_status >= 0 ? &status : NULL);
    ez_history_set(s->values, "_shell_exitcode", s->shell_exit >= 0 ? &shell : NULL);
    return s->values;
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

/* Takes "/x" off the text. */
static ez_err *print_take_format(const char *command, const char **text, char *format)
{
    *format = 0;
    if (**text != '/')
        return NULL;
    for (++*text; **text && !isspace((unsigned char)**text); ++*text) {
        char c = **text;
        if (isdigit((unsigned char)c))
            return ez_err_new(EZ_E_ARG, 0,
                              "Item count other than 1 is meaningless in \"%s\" command.", command);
        if (strchr("bhwg", c))
            return ez_err_new(EZ_E_ARG, 0, "Size letters are meaningless in \"%s\" command.",
                              command);
        if (c == 'i')
            return ez_err_new(EZ_E_ARG, 0, "Format letter \"i\" is meaningless in \"%s\" command.",
                              command);
        if (!strchr("xduotacfszr", c))
            return ez_err_new(EZ_E_ARG, 0, "Undefined output format \"%c\".", c);
        *format = c == 'r' ? *format : c;
    }
    *text = parse_skip(*text);
    return NULL;
}

/* The value and its text; the caller frees both. */
static ez_err *print_value(struct ez_sess *s, const char *command, const char *text,
                           struct ez_value *v, char **shown)
{
    char format;
    struct ez_history *values = values_of(s);
    EZ_TRY(print_take_format(command, &text, &format));
    EZ_TRY(ez_eval(values, *text ? text : "$", NULL, v));
    if (!*text && ez_value_is_void(v)) {
        ez_value_clear(v);
        return ez_err_new(EZ_E_STATE, 0, "The history is empty.");
    }
    ez_err *e = ez_value_format(values, v, format, false, shown);
    if (e)
        ez_value_clear(v);
    return e;
}

ez_err *cmd_print(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    char *text;
    EZ_TRY(print_value(s, argv[0], argc > 1 ? argv[1] : "", &v, &text));
    unsigned n = ez_history_record(s->values, &v);
    out_lines(s, "$%u = %s", n, text);
    free(text);
    return NULL;
}

/* As print, but that a function may return nothing, and what it returns is $_, too. */
ez_err *cmd_call(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    char format;
    const char *text = argv[1];
    uint64_t word;
    bool real = false;
    double d;
    EZ_TRY(print_take_format(argv[0], &text, &format));
    EZ_TRY(ez_eval_so(values_of(s), EZ_EVAL_LOOSE, text, &v));
    if (ez_value_is_void(&v)) {
        ez_value_clear(&v);
        return NULL;
    }
    bool number = ez_err_drop(ez_value_number(&v, &word, &real, &d)) && !real;
    if (number && ez_target_state(s->target) == EZ_STOPPED) /* else nothing was called */
        sess_set_last(s, word);
    EZ_FREE char *shown = NULL;
    ez_err *e = ez_value_format(s->values, &v, format, false, &shown);
    if (e) {
        ez_value_clear(&v);
        return e;
    }
    unsigned n = ez_history_record(s->values, &v);
    out_lines(s, "$%u = %s", n, shown);
    return NULL;
}

ez_err *cmd_output(struct ez_sess *s, int argc, char **argv)
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

ez_err *cmd_set_variable(struct ez_sess *s, int argc, char **argv)
{
    struct ez_value v;
    EZ_TRY(ez_eval(values_of(s), argv[1], NULL, &v));
    ez_value_clear(&v);
    return NULL;
}

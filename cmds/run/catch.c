/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catch.c - `catch`, `tcatch`: catchpoints, in gdb's words.
 * Tests: tests/procs/catch.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/run/breaks.h"
#include "cmds/run/moves.h"
#include "engine/base/vec.h"
#include "shell/out.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

const char *const catch_word[EZ_BREAK_KINDS] = {
    [EZ_BREAK_CODE] = "",           [EZ_BREAK_WATCH] = "",        [EZ_BREAK_RWATCH] = "",
    [EZ_BREAK_AWATCH] = "",         [EZ_BREAK_FORK] = "fork",     [EZ_BREAK_VFORK] = "vfork",
    [EZ_BREAK_EXEC] = "exec",       [EZ_BREAK_THROW] = "throw",   [EZ_BREAK_CATCH] = "catch",
    [EZ_BREAK_RETHROW] = "rethrow", [EZ_BREAK_LOAD] = "load",     [EZ_BREAK_UNLOAD] = "unload",
    [EZ_BREAK_SYSCALL] = "syscall", [EZ_BREAK_SIGNAL] = "signal",
};

struct catch_text {
    char *rest; /* text that is not yet parsed */
    EZ_VEC(int) number;
    bool all;
};

/* Returns the next word of the text, which it ends with a zero byte; NULL at the end. */
static char *catch_next(char **text)
{
    char *word = (char *)parse_skip(*text);
    if (!*word)
        return NULL;
    char *end = word;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *text = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static void catch_add(struct catch_text *c, int number)
{
    for (size_t i = 0; i < c->number.n; i++)
        if (c->number.at[i] == number)
            return;
    EZ_PUSH(&c->number, number);
}

static ez_err *catch_syscalls(struct catch_text *c)
{
    for (char *word; (word = catch_next(&c->rest));) {
        char *end;
        long nr = strtol(word, &end, 10);
        if (*end || !isdigit((unsigned char)*word))
            nr = ez_syscall_number(word);
        if (nr < 0 || nr > INT32_MAX)
            return ez_err_gdb(EZ_E_ARG, "Unknown syscall name '%s'.", word);
        catch_add(c, (int)nr);
    }
    return NULL;
}

static ez_err *catch_signals(struct catch_text *c)
{
    for (char *word; (word = catch_next(&c->rest));) {
        bool all = !strcmp(word, "all"), digits = isdigit((unsigned char)*word);
        if ((all && c->number.n) || c->all)
            return ez_err_gdb(EZ_E_ARG, "'all' cannot be caught with other signals");
        c->all = all;
        if (all)
            continue;
        int sig = parse_signal(word);
        if (digits && (sig < 1 || sig > 15))
            return ez_err_hint(
                ez_err_gdb(EZ_E_ARG, "Only signals 1-15 are valid as numeric signals."),
                "\"info signals\" lists the names of signals");
        if (!sig)
            return ez_err_gdb(EZ_E_ARG, "Unknown signal name '%s'.", word);
        catch_add(c, sig);
    }
    return NULL;
}

static ez_err *catch_parse(struct catch_text *c, enum ez_break_kind kind)
{
    if (kind == EZ_BREAK_SYSCALL)
        return catch_syscalls(c);
    if (kind == EZ_BREAK_SIGNAL)
        return catch_signals(c);
    c->rest = (char *)parse_skip(c->rest);
    size_t n = strlen(c->rest);
    while (n && isspace((unsigned char)c->rest[n - 1]))
        c->rest[--n] = '\0';
    bool regex = kind == EZ_BREAK_LOAD || kind == EZ_BREAK_UNLOAD;
    return n && !regex ? ez_err_gdb(EZ_E_ARG, "Junk at end of arguments.") : NULL;
}

static const char *catch_list(struct ez_sess *s, enum ez_break_kind kind, const int *number,
                              size_t n)
{
    const char *all = "";
    for (size_t i = 0; i < n; i++) {
        const char *name = ez_syscall_name(number[i]);
        const char *one = kind == EZ_BREAK_SIGNAL ? out_signal(s, number[i])
                          : name                  ? sess_format(s, "'%s' [%d]", name, number[i])
                                                  : sess_format(s, "%d", number[i]);
        all = sess_format(s, "%s%s%s", all, i ? " " : "", one);
    }
    return all;
}

static void catch_say(struct ez_sess *s, int number, const struct ez_catch *c)
{
    const char *list = catch_list(s, c->kind, c->number_of, c->n_of);
    bool thrown = c->kind >= EZ_BREAK_THROW && c->kind <= EZ_BREAK_RETHROW;
    const char *what = catch_word[c->kind], *plural = c->n_of > 1 ? "s" : "";
    if (c->kind == EZ_BREAK_SYSCALL)
        what = c->n_of ? sess_format(s, "syscall%s %s", plural, list) : "any syscall";
    else if (c->kind == EZ_BREAK_SIGNAL)
        what = c->n_of  ? sess_format(s, "signal%s %s", plural, list)
               : c->all ? "any signal"
                        : "standard signals";
    /* two spaces, as gdb */
    out_line(s, "%s %d (%s)", c->temporary && thrown ? "Temporary catchpoint " : "Catchpoint",
             number, what);
}

static ez_err *catch_find(struct ez_sess *s, const char *word, enum ez_break_kind *kind)
{
    size_t n = strlen(word), found = 0;
    for (size_t k = 0; k < EZ_BREAK_KINDS; k++) {
        if (!*catch_word[k] || strncmp(catch_word[k], word, n))
            continue;
        *kind = (enum ez_break_kind)k;
        found = catch_word[k][n] ? found + 1 : 1;
        if (!catch_word[k][n])
            break;
    }
    if (found == 1)
        return NULL;
    return found ? ez_err_new(EZ_E_ARG, 0, "\"%s\" is ambiguous", word)
                 : ez_err_gdb(EZ_E_ARG, "Undefined catch command: \"%s\".  Try \"help catch\".",
                              word);
}

static ez_err *catch_make(struct ez_sess *s, char **argv, bool temporary)
{
    EZ_FREE char *text = ez_strdup(argv[1]);
    struct catch_text c = { .rest = text };
    struct ez_catch request = { .temporary = temporary };
    int number;
    request.cond = breaks_split_cond(text);
    const char *word = catch_next(&c.rest);
    if (!word)
        return opt_misuse(s);
    ez_err *e = catch_find(s, word, &request.kind);
    if (!e)
        e = catch_parse(&c, request.kind);
    request.number_of = c.number.at;
    request.n_of = c.number.n;
    request.all = c.all;
    request.what = c.rest;
    if (!e)
        e = ez_catch_add(moves_of(s), &request, &number);
    if (!e)
        catch_say(s, number, &request);
    EZ_VEC_FREE(&c.number);
    if (e || ez_target_state(s->target) != EZ_BACKGROUND)
        return e;
    EZ_TRY(ez_interrupt(s->target)); /* the program ran in the background */
    return moves_afar(s);
}

static void comp_catch(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    for (size_t k = 0; k < EZ_BREAK_KINDS; k++)
        if (*catch_word[k])
            comp_offer(out, word, catch_word[k]);
    for (long nr = 0; *word && nr < 1024; nr++)
        if (ez_syscall_name(nr))
            comp_offer(out, word, ez_syscall_name(nr));
    if (!strncmp(word, "SIG", 3))
        comp_signal(s, word, out);
}

static ez_err *cmd_catch(struct ez_sess *s, int argc, char **argv)
{
    return catch_make(s, argv, false);
}

const struct ez_cmd command_catch = {
    .name = "catch",
    .usage = "EVENT [if COND]",
    .brief = "Stop the program when it does something.",
    .help = "EVENT is one of these:\n"
            "  syscall [NAME|NUMBER]...  a system call: at its start, and at its return\n"
            "  fork, vfork, exec         a new process, a new program\n"
            "  throw, catch, rethrow     an exception of C++\n"
            "  load, unload [REGEX]      a library whose name matches\n"
            "  signal [SIGNAL...|all]    a signal; by default, any but SIGTRAP and SIGINT\n"
            "A catchpoint has a number, a condition and commands as a breakpoint has. Each\n"
            "system call stops the thread twice while a catchpoint on system calls is\n"
            "enabled, also calls that the catchpoint does not name: that takes about 15 us.\n"
            "The child of a fork is released at once; \"set follow-fork-mode\" chooses it.",
    .examples = "catch syscall openat close\n"
                "catch throw\n"
                "catch load libssl\n"
                "catch signal SIGSEGV if $_thread == 2",
    .see_also = "tcatch, break, handle, info breakpoints, delete",
    OPERANDS(RUN, 1, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_catch,
    .complete = comp_catch,
};

static ez_err *cmd_tcatch(struct ez_sess *s, int argc, char **argv)
{
    return catch_make(s, argv, true);
}

const struct ez_cmd command_tcatch = {
    .name = "tcatch",
    .usage = "EVENT [if COND]",
    .brief = "Stop the program when it does something, once.",
    .help = "The operands are as for \"catch\". The catchpoint is deleted when it first stops\n"
            "the program.",
    .examples = "tcatch exec",
    .see_also = "catch, tbreak",
    OPERANDS(RUN, 1, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_tcatch,
    .complete = comp_catch,
};

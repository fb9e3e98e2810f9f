/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_dispatch.c - which command a line names, and the error when it names none. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/complete.h"
#include "cmds/cmd.h"
#include "shell/dispatch.h"
#include "shell/gdb_words.h"
#include "shell/lookup.h"
#include "shell/loop.h"
#include "shell/sess.h"
#include "shell/settings.h"
#include "shell/wire.h"
#include "tests/unit/shell/check_shell.h"

static const struct {
    const char *line, *name, *error; /* either name or error */
} cases[] = {
    { "run", "run", NULL },
    { "r", "run", NULL },
    { "c", "continue", NULL },
    { "cont", "continue", NULL },
    { "d", "delete", NULL },
    { "detach", "detach", NULL },
    { "unprobe 1", "delete", NULL },
    { "si 3", "stepi", NULL },
    { "x/4x $sp", "x", NULL },
    { "!ls", "shell", NULL },
    { "h", "help", NULL },
    { "q", "quit", NULL },
    { "k", "kill", NULL },
    { "i r", "info registers", NULL },
    { "i sh", "info sharedlibrary", NULL },
    { "info fu ^a", "info functions", NULL },
    { "info", "info", NULL },
    { "set hist si 3", "set history size", NULL },
    { "foo", NULL, "Undefined command: \"foo\".  Try \"help\"" },
    { "info foo", NULL, "Undefined info command: \"foo\".  Try \"help info\"" },
    { "set history foo", NULL,
      "Undefined set history command: \"foo\".  Try \"help set history\"" },
    { "e", NULL, "Ambiguous command \"e\": echo, else, enable, end, events, explain" },
    { "info s", NULL,
      "Ambiguous info command \"s\": scope, sharedlibrary, signals, source, spec, stack, symbol" },
    { "fil x", "file", NULL },
    { "beg", "begin", NULL },
    { "t 1", "thread", NULL },
    { "dis", "disable", NULL },
    { "disa", "disable", NULL },
    { "stepi", "stepi", NULL },
    { "stat", "stats", NULL },
    { "pro main", "probe", NULL },
    { "unt", "until", NULL },
    { "cle", NULL, "Undefined command: \"cle\".  Try \"help\"" },
    { "trace start", "trace start", NULL },
    { "trace stop # now", "trace stop", NULL },
    { "trace stop.fxt", "trace", NULL },
    { "trace start/x.fxt", "trace", NULL },
    { "trace rep", "trace", NULL },
    { "info proc map", "info proc mappings", NULL },
    { "f", "frame", NULL },
    { "frame 1", "frame", NULL },
    { "bt", "backtrace", NULL },
    { "where -full", "where", NULL },
    { "info f", "info frame", NULL },
    { "info fun", "info functions", NULL },
    { "thread apply all bt", "thread apply", NULL },
    { "b main", "break", NULL },
    { "br main", "break", NULL },
    { "p x", "print", NULL },
    { "print/x x", "print", NULL },
    { "set $v = 1", "set variable", NULL },
    { "set var x = 1", "set variable", NULL },
    { "s", "step", NULL },
    { "step", "step", NULL },
    { "n", "next", NULL },
    { "u", "until", NULL },
    { "fi", NULL, "Ambiguous command \"fi\": file, film, finish" },
    { "ste", NULL, "Ambiguous command \"ste\": step, stepi" },
    { "pr x", "print", NULL },
    { "comm 1", NULL, "Ambiguous command \"comm\": commands, commit" },
    { "sy", NULL, "Ambiguous command \"sy\": syscall, and gdb's symbol-file" },
    { "wh", NULL, "Ambiguous command \"wh\": whatis, where, while, why" },
    { "???", NULL, "Undefined command: \"???\".  Try \"help\"" },
};

static const struct {
    const char *line, *hint;
} hints[] = {
    { "prboe main", "Did you mean \"probe\"?" },
    { "detatch", "Did you mean \"detach\"?" },
    { "info probs", "Did you mean \"probes\"?" },
    { "info watchpoints", "\"info breakpoints\" lists the watchpoints" },
    { "info program",
      "\"info threads\" shows where each thread is, \"info proc\" shows the process" },
    { "info main", "\"info address main\" finds it" },
    { "st", NULL },
    { "xyzzy", NULL },
    { "foo", NULL },
    { "rbreak main", "\"probe -r REGEX\" records each call without a stop" },
    { "make", "\"shell make\" runs make; the next \"run\" reads the new program" },
    { "set p x", "\"print\", \"x\" and \"info registers\" look at values" },
    { "dump x", "\"print\", \"x\" and \"info registers\" look at values" },
    { "dump --chrome x",
      "\"convert -t chrome FILE\" writes a trace for Perfetto and chrome://tracing" },
    { "uftrace  dump  --chrome=1",
      "\"convert -t chrome FILE\" writes a trace for Perfetto and chrome://tracing" },
    { "tui enable", "Use gdb for that: type \"detach\", then run gdb -p PID" },
    { "tui", "\"top\" shows the functions of the running program on the full screen, "
             "\"report FILE\" writes a page with timeline, table and flame graph" },
    { "perf lock", "\"record -m pthread PROG\" records locks" },
    { "perf nosuch", "\"record PROG ARGS\" records a run; then \"stats FILE\" prints the times of "
                     "each function, \"report FILE\" writes a page with timeline, table and flame "
                     "graph" },
    { "strace -f ls", "\"set follow-fork-mode all\" traces child processes, too" },
    { "-f", "\"set follow-fork-mode all\" traces child processes, too" },
    { "-ff", NULL },
    { "liv", NULL },
};

START_TEST(helps)
{
    const struct ez_cmd *c;
    EZ_FREE char *name = NULL;
    const char *text = hints[_i].line;
    commands_register();
    ez_err *e = lookup_resolve(&text, &c, &name);
    ck_assert_ptr_nonnull(e);
    if (hints[_i].hint)
        ck_assert_str_eq(e->hint, hints[_i].hint);
    else
        ck_assert_ptr_null(e->hint);
    ez_err_free(e);
}
END_TEST

/* Returns true if an option that `word` begins with is in the list. */
static bool has_option(const struct ez_opt *list, const char *word)
{
    for (const struct ez_opt *o = list; o && o->name; o++)
        if (!strncmp(word, o->name, strlen(o->name)) && strchr(" \"", word[strlen(o->name)]))
            return true;
    return false;
}

/* Checks one answer: what is in quotes is a command of this shell, and has the options. Commands
 * that only `own` words name need not be there. */
static void check_answer(const struct gdb_word *w, void *arg)
{
    static const char *const not_here[] = { "eztsh ", "diff ", "graph ", "replay ", "top PID" };
    const char *p = w->instead;
    while ((p = strchr(p, '"'))) {
        const char *end = strchr(p + 1, '"'), *rest;
        ck_assert_ptr_nonnull(end);
        EZ_FREE char *line = ez_strndup(p + 1, (size_t)(end - p - 1)), *name = NULL;
        const struct ez_cmd *c;
        bool skip = false;
        for (size_t i = 0; i < EZ_ARRAY_LEN(not_here); i++)
            skip |= !strncmp(line, not_here[i], strlen(not_here[i]));
        p = end + 1;
        if (skip)
            continue;
        rest = line;
        ck_assert_msg(ez_err_drop(lookup_resolve(&rest, &c, &name)), "%s: <%s>", w->name, line);
        for (const char *o = rest; (o = strstr(o, " -")); o++)
            ck_assert_msg(has_option(c->options, o + 1), "%s: <%s>", w->name, line);
        ck_assert_msg(*rest != '-' || has_option(c->options, rest), "%s: <%s>", w->name, line);
        ++*(unsigned *)arg;
    }
}

START_TEST(answers_to_other_tools)
{
    unsigned commands = 0;
    commands_register();
    tool_each(check_answer, &commands);
    ck_assert_uint_gt(commands, 80);
}
END_TEST

static const struct {
    const char *command, *option, *answer; /* NULL = none */
} foreign[] = {
    { "report", "-s", "\"stats -sort self FILE\" prints the table in that order" },
    { "report", "--sort=total", "\"stats -sort self FILE\" prints the table in that order" },
    { "report", "--srcline", "\"info line FUNCTION\" and \"list FUNCTION\" show the source" },
    { "stats", "-g", "\"stats -graph FILE\" prints callers and callees" },
    { "record", "-p", "\"attach PID\" attaches to a process" },
    { "report", "-so", NULL },
    { "events", "-s", NULL },
};

START_TEST(options_of_other_tools)
{
    commands_register();
    const struct gdb_word *w = tool_option(foreign[_i].command, foreign[_i].option);
    ck_assert(!w == !foreign[_i].answer);
    if (w)
        ck_assert_str_eq(w->instead, foreign[_i].answer);
}
END_TEST

START_TEST(resolves)
{
    const struct ez_cmd *c;
    char *name = NULL;
    const char *text = cases[_i].line;
    commands_register();
    ez_err *e = lookup_resolve(&text, &c, &name);
    if (cases[_i].error) {
        ck_assert_msg(e != NULL, "<%s>: no error", cases[_i].line);
        ck_assert_str_eq(e->msg, cases[_i].error);
        ez_err_free(e);
        return;
    }
    ck_assert_msg(!e, "<%s>: %s", cases[_i].line, e ? e->msg : "");
    ck_assert_str_eq(name, cases[_i].name);
    free(name);
}
END_TEST

static const struct loop_calls calls = { .events = sess_events, .heard = wire_between };

static struct ez_sess *new_session(void)
{
    struct ez_sess *s = ez_alloc(sizeof *s);
    s->batch = true;
    s->in.sigfd = -1;
    s->in.calls = &calls;
    s->program.status = s->shell_exit = s->end.status = -1;
    ck_assert(ez_err_drop(ez_target_create(&s->target)));
    commands_register();
    settings_init(s);
    return s;
}

static void end_session(struct ez_sess *s)
{
    sess_free_target(s);
    settings_free(s);
    sess_free(s);
    free(s);
}

/* The table's preconditions hold for every command that names one. */
START_TEST(preconditions)
{
    struct ez_sess *s = new_session();
    for (const struct ez_cmd *c = ez_cmds; c->name; c++) {
        ck_assert(!(c->flags & OR_CORE) || c->flags & (NEED_TARGET | NEED_STOPPED));
        if (!(c->flags & (NEED_TARGET | NEED_STOPPED)))
            continue;
        char line[128];
        snprintf(line, sizeof line, "%s%.*s", c->name, 2 * c->argmin, " 1 1 1 1");
        ez_err *e = dispatch(s, line);
        ck_assert_msg(e && !strcmp(e->msg, "The program is not being run"), "%s: %s", line,
                      e ? e->msg : "ok");
        ez_err_free(e);
    }
    end_session(s);
}
END_TEST

START_TEST(argument_counts)
{
    struct ez_sess *s = new_session();
    ez_err *few = dispatch(s, "munmap 1"), *many = dispatch(s, "pwd now");
    ck_assert_str_eq(few->msg, "Usage: munmap ADDR LENGTH");
    ck_assert_str_eq(many->msg, "Usage: pwd");
    ez_err_free(few);
    ez_err_free(many);
    end_session(s);
}
END_TEST

START_TEST(what_an_empty_line_repeats)
{
    struct ez_sess *s = new_session();
    ck_assert(ez_err_drop(dispatch(s, "show prompt")));
    ck_assert_str_eq(s->run.repeat, "show prompt");
    ck_assert(ez_err_drop(dispatch(s, "delete")));
    ck_assert_ptr_null(s->run.repeat);
    end_session(s);
}
END_TEST

static const struct {
    const char *line, *want; /* completions joined with '|' */
} typed[] = {
    { "sta", "start|stats" },
    { "info s", "scope|sharedlibrary|signals|source|spec|stack|symbol" },
    { "set conf", "confirm" },
    { "set confirm ", "off|on" },
    { "set overflow w", "wait" },
    { "show history ", "filename|save|size" },
    { "help mun", "munmap" },
    { "help info s", "scope|sharedlibrary|signals|source|spec|stack|symbol" },
    { "stats -", "-by|-callee|-caller|-depth|-from|-function|-graph|-job|-json|-library|-live|-max|"
                 "-messages|-min|-no-pauses|-not|"
                 "-of|-once|-process|-rank|-slowest|-sort|-thread|-to|-top|-where|-wide" },
    { "stats -top 3 -g", "-graph" },
    { "probe --", "--A|--after|--caller|--count|--for|--inline|--inline-all|--max|--maxdepth|--min-"
                  "time|--probe-stap|--r|"
                  "--record|--stap|"
                  "--thread|--trap" },
    { "probe -count ex", "exit" },
    { "detach -", "-keep" },
    { "info probes -sort ", "addr|calls|name" },
    { "info probes -sort calls -a", "-all" },
    { "info probes ca", "" },
    { "trace st", "start|stop" },
    { "trace start st", "" },
    { "stats check_dispatch.fold", "check_dispatch.folder" },
    { "stats check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "report -o check_dispatch.folder/",
      "check_dispatch.folder/one.fxt|check_dispatch.folder/two.c" },
    { "source check_dispatch.folder/",
      "check_dispatch.folder/one.fxt|check_dispatch.folder/two.c" },
    { "events 3 check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "convert -t o", "otf|otf2" },
    { "convert check_dispatch.folder/one.fxt -t  c", "callgrind|chrome|csv|ctf" },
    { "convert -t csv check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "stats -by ", "function|library|process|thread" },
    { "stats -by thread,f", "function" },
    { "stats -sort m", "max|mean|min" },
    { "stats -sort p", "p50|p90|p99" },
    { "stats -by thread check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "nothing", "" },
    { "pwd ", "" },
    { "stats --t", "--thread|--to|--top" },
    { "stats -sort name -- -", "" },
    { "stats -so na", "name" },
    { "stats -top ", "" },
    { "info probes -so h", "" },
    { "convert -o check_dispatch.folder/t", "check_dispatch.folder/two.c" },
    { "convert -f 1s -t c", "callgrind|chrome|csv|ctf" },
    { "probe en", "entry" },
    { "probe main en", "" },
    { "probe -- en", "" },
    { "trace check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "trace repair check_dispatch.folder/", "check_dispatch.folder/one.fxt" },
    { "trace rep", "repair" },
    { "info proc ", "mappings" },
    { "help trace s", "start|stop" },
    { "record -", "-A|-F|-budget|-m|-o|-stap" },
    { "record -F a -o check_dispatch.folder/t", "check_dispatch.folder/two.c" },
    { "record prog -", "" },
    { "record prog check_dispatch.folder/t", "check_dispatch.folder/two.c" },
};

START_TEST(completes)
{
    struct ez_sess *s = new_session();
    struct ez_comp c;
    char got[256] = "";
    static const char *const file[] = { "check_dispatch.folder/one.fxt",
                                        "check_dispatch.folder/two.c" };
    mkdir("check_dispatch.folder", 0700);
    for (size_t i = 0; i < EZ_ARRAY_LEN(file); i++)
        close(creat(file[i], 0600));
    complete_line(s, typed[_i].line, &c);
    for (size_t i = 0; i < c.word.n; i++) {
        strcat(got, i ? "|" : "");
        strcat(got, c.word.at[i]);
    }
    ck_assert_msg(!strcmp(got, typed[_i].want), "<%s>: <%s>", typed[_i].line, got);
    complete_free(&c);
    for (size_t i = 0; i < EZ_ARRAY_LEN(file); i++)
        unlink(file[i]);
    rmdir("check_dispatch.folder");
    end_session(s);
}
END_TEST

/* What commands keep: zero at first, the same at each call, and freed with the target, the newest
 * first. */
static char freed[4];

static void free_first(void *state)
{
    strcat(freed, *(int *)state == 7 ? "1" : "?");
}

static void free_second(void *state)
{
    strcat(freed, "2");
}

START_TEST(states)
{
    static const struct sess_kind first = { sizeof(int), free_first },
                                  second = { 1 << 16, free_second }, third = { 1, NULL };
    struct ez_sess *s = new_session();
    int *n = sess_state(s, &first);
    const char *many = sess_state(s, &second);
    ck_assert(!*n && !many[0] && !many[(1 << 16) - 1]);
    *n = 7;
    ck_assert(sess_state(s, &third) != n && sess_state(s, &first) == n);
    ck_assert(sess_state(s, &second) == many);
    end_session(s);
    ck_assert_str_eq(freed, "21");
}
END_TEST

TCase *dispatch_case(void)
{
    TCase *t = tcase_create("dispatch");
    tcase_add_loop_test(t, resolves, 0, EZ_ARRAY_LEN(cases));
    tcase_add_test(t, preconditions);
    tcase_add_test(t, states);
    tcase_add_test(t, argument_counts);
    tcase_add_test(t, what_an_empty_line_repeats);
    tcase_add_loop_test(t, helps, 0, EZ_ARRAY_LEN(hints));
    tcase_add_test(t, answers_to_other_tools);
    tcase_add_loop_test(t, options_of_other_tools, 0, EZ_ARRAY_LEN(foreign));
    tcase_add_loop_test(t, completes, 0, EZ_ARRAY_LEN(typed));
    return t;
}

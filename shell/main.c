/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - from the command line to the exit status. Of shell/, only this file refers to functions
 * of cmds/.
 *
 * Status: that of `quit N`, of --check, or 128 + the signal that ended the session; otherwise, with
 * -return-child-result or, unless it is 0, `eztsh record`, the program's status (128 + signal);
 * otherwise 1 if any command failed and the session is in batch mode or without a terminal;
 * otherwise 0. If the output has no reader, 141 in any case. A command whose output could not be
 * written has failed.
 * Tests: tests/unit/shell/check_batch.sh, tests/unit/shell/check_front.sh */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/check/cost.h"
#include "engine/eval/eval.h"
#include "shell/dispatch.h"
#include "shell/front.h"
#include "shell/gdb_words.h"
#include "shell/help.h"
#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/loop.h"
#include "shell/options.h"
#include "shell/check_session.h"
#include "shell/out.h"
#include "shell/record.h"
#include "shell/repl.h"
#include "shell/request.h"
#include "shell/script.h"
#include "shell/sess.h"
#include "shell/settings.h"
#include "shell/wire.h"

static void main_keep_args(struct ez_sess *s, const struct ez_options *o)
{
    for (int i = 0; i < o->nargs; i++) {
        EZ_FREE char *word = lex_sh_quote(o->args[i]);
        char *all = ez_sprintf("%s%s%s", s->ui.args, i ? " " : "", word);
        free(s->ui.args);
        s->ui.args = all;
    }
}

static void main_do_work(struct ez_sess *s, const struct ez_options *o, bool early)
{
    for (size_t i = 0; i < o->work.n && !s->end.quit; i++) {
        const struct ez_work *w = &o->work.at[i];
        if (w->early != early)
            continue;
        ez_err *e = NULL;
        if (w->is_file)
            e = sess_source(s, w->text, false);
        else
            dispatch_print(s, w->text);
        if (!e)
            continue;
        s->end.failed++;
        out_error(s, e);
    }
    free(s->run.repeat); /* An empty line repeats a typed line, never a line of -ex. */
    s->run.repeat = NULL;
}

static ez_err *main_prepare(struct ez_sess *s, const struct ez_options *o)
{
    static const struct loop_calls calls = { .events = sess_events, .heard = wire_between };
    s->batch = o->batch;
    s->in.terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (o->json)
        EZ_TRY(wire_begin(s));
    s->in.terminal &= !o->json;
    EZ_TRY(loop_init(s, &calls));
    EZ_TRY(ez_target_create(&s->target));
    ez_frames_serve(s->target);
    ez_progress_notify(s->target, sess_progress, s);
    settings_init(s);
    if (o->batch || o->json)
        s->ui.confirm = s->ui.pagination = false;
    /* In batch mode nobody can continue a program that a signal has stopped: it would be killed at
     * the end, and its own status would be lost. */
    ez_settings(s->target)->pass_signals = o->batch;
    if (o->dir && chdir(o->dir) < 0)
        return ez_err_new(EZ_E_SYS, 0, "%s: %s", o->dir, strerror(errno));
    main_keep_args(s, o);
    return NULL;
}

/* Returns the answer to a command of uftrace, perf or strace that the user typed after "eztsh",
 * with or without the tool's name. Returns NULL if the words are no such command. */
static const struct gdb_word *main_tool_word(const struct ez_options *o)
{
    static const char *const before[] = { "", "perf ", "uftrace " };
    const struct gdb_word *tool = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(before) && !tool; i++) {
        EZ_FREE char *line =
            ez_sprintf("%s%s %s", before[i], o->program, o->nargs ? o->args[0] : "");
        size_t first = strcspn(line, " ");
        const struct gdb_word *all = i ? tool_word_named(before[i], first) : NULL;
        tool = tool_word_named(line, first);
        tool = tool == all ? NULL : tool; /* the tool has no such command */
    }
    return tool;
}

/* Returns e, the error that there is no such program, with a hint if the word is a command of
 * another tool or of the prompt. */
static ez_err *main_no_program(const struct ez_options *o, ez_err *e)
{
    const struct gdb_word *tool = main_tool_word(o);
    if (tool)
        return ez_err_hint(e, "%s", tool->instead);
    for (const struct ez_cmd *c = ez_cmds; c->name; c++)
        if (!strcmp(c->name, o->program) && !(c->flags & HIDDEN))
            return ez_err_hint(e, "%s is a command of the prompt: eztsh -batch -ex '%s ...'",
                               c->name, c->name);
    return e;
}

/* Returns an error if the program's name is a word of another tool, and not the path of a file: the
 * user of `eztsh stat ./app` does not want to trace /usr/bin/stat. With --args, returns NULL. */
static ez_err *main_mistaken(const struct ez_options *o)
{
    const struct gdb_word *tool =
        o->all_args || strchr(o->program, '/') || !access(o->program, F_OK) ? NULL
                                                                            : main_tool_word(o);
    if (!tool)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "eztsh has no command %s", o->program),
                       "%s. For the program of that name type eztsh --args %s", tool->instead,
                       o->program);
}

/* Loads the program. Ctrl-C while its symbols are read leads to the prompt, without a program; in
 * batch mode it is an error. */
static ez_err *main_open_program(struct ez_sess *s, const struct ez_options *o)
{
    ez_err *e = ez_target_file(s->target, o->program);
    if (e && e->code == EZ_E_NOTFOUND)
        return main_no_program(o, e);
    if (!e)
        e = main_mistaken(o);
    if (!e || e->code != EZ_E_QUIT || s->batch)
        return e;
    s->end.failed++;
    out_error(s, e);
    return NULL;
}

static void main_load_module(struct ez_sess *s, const char *name)
{
    EZ_FREE char *quoted = ez_sprintf("module load '%s'", name);
    dispatch_print(s, quoted);
}

/* Loads the modules that -m and the environment variable EZTRACE_TRACE name. Blanks or commas
 * separate the names in the variable, as in EZTrace. */
static void main_modules(struct ez_sess *s, const struct ez_options *o)
{
    const char *list = getenv("EZTRACE_TRACE");
    for (size_t i = 0; i < o->modules.n; i++)
        main_load_module(s, o->modules.at[i]);
    while (list && *(list += strspn(list, " \t,"))) {
        EZ_FREE char *name = ez_strndup(list, strcspn(list, " \t,"));
        main_load_module(s, name);
        list += strcspn(list, " \t,");
    }
}

/* Starts recording (record.h). Records the program and the arguments of the command line as `file`
 * and `set args`. */
static void main_record(struct ez_sess *s, const struct ez_options *o)
{
    record_begin(s);
    if (o->program && !o->check) {
        EZ_FREE char *word = lex_sh_quote(o->program), *file = ez_sprintf("file %s", word);
        record_line(s, file);
    }
    if (*s->ui.args) {
        EZ_FREE char *args = ez_sprintf("set args %s", s->ui.args);
        record_line(s, args);
    }
}

/* Runs the command of the command line. The prompt follows only if the command left a process or a
 * job. */
static void main_front(struct ez_sess *s, const struct ez_options *o)
{
    EZ_FREE char *line = front_line(o->front);
    s->front = true;
    dispatch_print(s, line);
    s->front = false;
    s->batch |= !s->job && !ez_target_live(s->target);
}

static ez_err *main_session(struct ez_sess *s, const struct ez_options *o)
{
    EZ_TRY(main_prepare(s, o));
    if (o->ptrace_log)
        EZ_TRY(explain_log_open(s, o->ptrace_log));
    main_do_work(s, o, true);
    if (!o->no_rc)
        script_rc_files(s, o->no_home_rc);
    main_record(s, o);
    if (!o->quiet && s->in.terminal) {
        out_text(s, help_version);
        out_line(s, "For help, type \"help\".");
    }
    if (o->program)
        EZ_TRY(main_open_program(s, o));
    main_modules(s, o);
    if (o->pid) {
        EZ_FREE char *attach = ez_sprintf("attach %d", (int)o->pid);
        dispatch_print(s, attach);
    }
    if (o->core) {
        EZ_FREE char *word = lex_sh_quote(o->core), *line = ez_sprintf("core-file %s", word);
        dispatch_print(s, line);
    }
    if (o->check)
        return check_session_file(s, o->check, o->program != NULL);
    main_do_work(s, o, false);
    if (o->front && !s->end.quit)
        main_front(s, o);
    if (s->wire && !s->end.quit && !s->batch)
        request_serve(s);
    else if (!s->end.quit && !s->batch && s->in.terminal)
        repl(s);
    else if (!s->end.quit && !s->batch)
        script_stdin(s);
    return NULL;
}

static int main_status_of(const struct ez_sess *s, const struct ez_options *o)
{
    const struct ez_cmd *front = o->front ? command_front(o->front[0]) : NULL;
    if (s->end.status >= 0)
        return s->end.status;
    if (front && front->flags & FRONT_STATUS && s->program.status > 0)
        return s->program.status;
    if (o->child_result && s->program.status >= 0)
        return s->program.status;
    return (s->batch || !s->in.terminal) && s->end.failed ? 1 : 0;
}

/* Ends the session in any state. Returns the shell's exit status. */
static int main_finish(struct ez_sess *s, struct ez_options *o, ez_err *e)
{
    bool live = s->target && (s->job || ez_target_live(s->target));
    if (s->target)
        hooks_call(s, SHELL_ENDS);
    if (!e && s->target)
        e = sess_release(s);
    /* No process started, so no process end printed the unresolved probes. */
    if (!e && s->target && !live && !s->end.failed && (s->batch || !s->in.terminal))
        sess_unresolved(s);
    int status = e ? 1 : main_status_of(s, o);
    if (e)
        out_error(s, e);
    sess_free_target(s);
    if ((e = explain_log_close())) {
        status = 1;
        out_error(s, e);
    }
    wire_end(s, status);
    out_flush(s);
    if ((e = out_unwritten(s))) {
        status = status ? status : 1;
        out_error(s, e);
    }
    if (s->end.unread)
        status = 128 + SIGPIPE;
    settings_free(s);
    sess_free(s);
    options_free(o);
    return status;
}

static bool main_answer_only(const struct ez_options *o)
{
    if (o->dump_man)
        help_manual(stdout);
    else if (o->dump_texinfo)
        help_texinfo(stdout);
    else if (o->dump_completion)
        front_completion(stdout);
    else if (o->help || o->version)
        fputs(o->help ? options_help : help_version, stdout);
    if (o->help)
        front_list(stdout);
    return o->help || o->version || o->dump_man || o->dump_texinfo || o->dump_completion;
}

#ifdef __SANITIZE_ADDRESS__
/* For LeakSanitizer: libbfd 2.40 never frees the headers that it reads, and libtinfo 6.4 not all
 * memory of a terminal. */
__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    /* LeakSanitizer must not print: tests compare what a session prints. */
    return "print_suppressions=0";
}

__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libbfd\nleak:libtinfo";
}
#endif

/* Opens /dev/null on each of the descriptors 0, 1, 2 that the caller closed. Otherwise the next
 * opened file would get such a number, and the shell's output would go into that file. A launched
 * program inherits the descriptor as closed, as the caller wants. */
static void main_hold_standard(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    main_hold_standard();
    if (ez_cost_measures(argc, argv))
        return 0;
    if (argc > 1 && !strncmp(argv[1], "--daemon", 8))
        return jobs_daemon(argc, argv);
    struct ez_options o;
    struct ez_sess s = { .end.status = -1, .program.status = -1, .shell_exit = -1 };
    commands_register();
    ez_err *e = options_parse(&o, argc, argv);
    if (!e && !main_answer_only(&o))
        e = main_session(&s, &o);
    return main_finish(&s, &o, e);
}

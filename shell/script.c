/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - runs files of commands, rc files, and commands of the user's shell (script.h).
 * Tests: tests/e2e/scripts.ezt, tests/unit/shell/check_batch.sh */
#include "shell/script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "shell/dispatch.h"
#include "shell/loop.h"
#include "shell/out.h"
#include "shell/record.h"
#include "shell/sess.h"

#define MAX_DEPTH 64         /* maximum nesting of files that source each other */
#define MAX_LINE (64 * 1024) /* maximum bytes of a line: a file may have no newlines */

static void script_close_file(FILE **f)
{
    if (*f)
        fclose(*f);
}

static ez_err *script_no_command(void)
{
    return ez_err_new(EZ_E_ARG, 0, "A command has at most %d bytes, and no zero byte",
                      MAX_LINE - 1);
}

/* Reads the next line, without its newline. Returns false if there is none. A line that is too long
 * or has a zero byte: returns true, and *e is an error. */
static bool script_read_line(FILE *f, char *line, ez_err **e)
{
    size_t n = 0;
    int c;
    while ((c = getc(f)) != EOF && c != '\n') {
        if (!c || n + 1 == MAX_LINE) {
            *e = script_no_command();
            return true;
        }
        line[n++] = (char)c;
    }
    line[n] = '\0';
    return n || c == '\n';
}

/* Returns the error `e` with a line before its message that names the file and the line number, as
 * gdb does. */
static ez_err *script_located(ez_err *e, const char *path, unsigned line)
{
    char *full = ez_sprintf("%s:%u: Error in sourced command file:\n%s", path, line, e->msg);
    free(e->msg);
    e->msg = full;
    return e;
}

ez_err *sess_source(struct ez_sess *s, const char *path, bool echo)
{
    if (s->run.depth >= MAX_DEPTH)
        return ez_err_new(EZ_E_LIMIT, 0, "%s: More than %d files are nested by \"source\"", path,
                          MAX_DEPTH);
    EZ_CLEANUP(script_close_file) FILE *f = fopen(path, "re");
    if (!f)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: %s", path, strerror(errno));
    EZ_FREE char *line = ez_alloc(MAX_LINE);
    ez_err *e = NULL;
    unsigned n = 0;
    bool inner = s->run.block; /* the block began before this file, so the end of the file does not
                                * end the block */
    s->run.depth++;
    while (!e && !s->end.quit && script_read_line(f, line, &e)) {
        n++;
        if (echo && !e)
            out_ours(s, "+%s", line);
        if (!e)
            e = dispatch(s, line);
        if (!e && loop_signalled(s) && !s->end.quit)
            e = ez_err_gdb(EZ_E_QUIT, "Quit");
    }
    while (!inner && !e && s->run.block) /* the end of the file ends the block, as in gdb */
        e = dispatch(s, "end");
    s->run.depth--;
    if (!inner)
        s->run.block = NULL;
    if (!e && ferror(f)) /* for example, the file is a directory */
        return ez_err_new(EZ_E_SYS, 0, "%s: %s", path, strerror(errno));
    return e ? script_located(e, path, n) : NULL;
}

/* ---- rc files ------------------------------------------------------------------- */

static bool script_under(const char *path, const char *dir, size_t len)
{
    while (len > 1 && dir[len - 1] == '/')
        len--;
    if (len == 1 && *dir == '/')
        return true;
    return !strncmp(path, dir, len) && (path[len] == '/' || !path[len]);
}

static bool script_trusted(const struct ez_sess *s, const char *path)
{
    for (const char *p = s->ui.safe_path; *p;) {
        size_t n = strcspn(p, ":");
        if (n && script_under(path, p, n))
            return true;
        p += n + (p[n] == ':');
    }
    return false;
}

bool sess_command(struct ez_sess *s, const char *line)
{
    return dispatch_print(s, line);
}

ez_err *sess_run(struct ez_sess *s, const char *line)
{
    return dispatch(s, line);
}

static void script_source_rc(struct ez_sess *s, const char *path)
{
    ez_err *e = sess_source(s, path, false);
    if (!e)
        return;
    s->end.failed++;
    out_error(s, e);
}

void script_rc_files(struct ez_sess *s, bool skip_home)
{
    const char *home = getenv("HOME");
    struct stat a = { 0 }, b = { 0 };
    EZ_FREE char *mine = ez_sprintf("%s/.eztshrc", home ? home : "");
    bool have = home && !stat(mine, &a);
    if (have && !skip_home)
        script_source_rc(s, mine);
    if (stat(".eztshrc", &b) || (have && a.st_dev == b.st_dev && a.st_ino == b.st_ino))
        return;
    EZ_FREE char *here = realpath(".eztshrc", NULL);
    if (here && script_trusted(s, here))
        script_source_rc(s, here);
    else if (here)
        out_warning(s,
                    "File \"%s\" auto-loading has been declined by your `auto-load safe-path' set "
                    "to \"%s\".",
                    here, s->ui.safe_path);
}

/* ---- another shell ---------------------------------------------------------------- */

/* Runs a command by $SHELL, else by /bin/sh, as gdb does; without a command, an interactive shell.
 * Returns the exit status, or 128 + signal; -1 if fork() failed. */
static int script_run_shell(const struct ez_sess *s, const char *command)
{
    const char *sh = getenv("SHELL");
    siginfo_t si = { 0 };
    sh = sh && *sh ? sh : "/bin/sh";
    pid_t pid = fork();
    if (pid == 0) {
        loop_child_signals(s);
        if (command)
            execl(sh, sh, "-c", command, (char *)NULL);
        else
            execl(sh, sh, (char *)NULL);
        _exit(127);
    }
    if (pid < 0)
        return -1;
    while (waitid(P_PID, (id_t)pid, &si, WEXITED) < 0 && errno == EINTR)
        ;
    return si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
}

ez_err *sess_shell(struct ez_sess *s, const char *command)
{
    out_flush(s);
    int status = script_run_shell(s, command);
    if (status < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot fork");
    loop_once(s, false, 0); /* Drops a Ctrl-C that ended the command and reached eztsh, too. */
    sess_uninterrupt(s);
    s->shell_exit = status;
    return NULL;
}

/* In the intermediate process of script_pipe_begin(): runs the command with `input` as standard
 * input, and writes its status to `report`. Never returns. */
static void script_run_piped(const struct ez_sess *s, const char *command, int input, int report)
{
    siginfo_t si = { 0 };
    loop_child_signals(s);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(input, STDIN_FILENO);
        execl("/bin/sh", "/bin/sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(input);
    while (pid > 0 && waitid(P_PID, (id_t)pid, &si, WEXITED) < 0 && errno == EINTR)
        ;
    int status = pid < 0 ? 127 : si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
    _exit(write(report, &status, sizeof status) != sizeof status);
}

/* Starts a command by /bin/sh. *to: descriptor whose other end is the command's standard input;
 * *report: descriptor from which the command's status can be read. An intermediate process waits
 * for the command, because the engine waits for any child of the shell. */
static ez_err *script_pipe_begin(const struct ez_sess *s, const char *command, int *to, int *report)
{
    int in[2], end[2];
    if (pipe2(in, O_CLOEXEC) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot make a pipe");
    if (pipe2(end, O_CLOEXEC) < 0) {
        close(in[0]);
        close(in[1]);
        return ez_err_new(EZ_E_SYS, errno, "Cannot make a pipe");
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(in[1]);
        script_run_piped(s, command, in[0], end[1]);
    }
    int no = errno;
    close(in[0]);
    close(end[1]);
    *to = in[1];
    *report = end[0];
    if (pid > 0)
        return NULL;
    close(in[1]);
    close(end[0]);
    return ez_err_new(EZ_E_SYS, no, "Cannot fork");
}

/* Runs a command of eztsh with standard output redirected to a command of /bin/sh. The session
 * continues if that command stops reading. */
ez_err *sess_pipe(struct ez_sess *s, const char *line, const char *command)
{
    /* The status if the intermediate process sends none, because Ctrl-C killed it with the
     * command. */
    int to = -1, report = -1, status = 128 + SIGINT;
    out_flush(s);
    EZ_TRY(script_pipe_begin(s, command, &to, &report));
    int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool no_pager = s->out.no_pager;
    /* The command behind the pipe reads text, so the output is not JSON. */
    struct ez_wire *wire = s->wire;
    char *repeat = s->run.repeat; /* an empty line repeats the whole pipe line, not `line`
                                     * alone */
    s->run.repeat = NULL;
    s->out.no_pager = true;
    s->wire = NULL;
    s->out.piped = true;
    dup2(to, STDOUT_FILENO);
    close(to);
    ez_err *e = dispatch(s, line);
    if (s->run.block) { /* the block's lines would be read after the pipe has ended */
        s->run.block = NULL;
        ez_err_free(e);
        e = ez_err_new(EZ_E_ARG, 0, "A command with lines up to \"end\" cannot be piped");
    }
    out_flush(s);
    clearerr(stdout);
    dup2(own, STDOUT_FILENO);
    close(own);
    s->out.piped = s->out.quit_pager = false;
    s->out.no_pager = no_pager;
    s->wire = wire;
    free(s->run.repeat);
    s->run.repeat = repeat;
    while (read(report, &status, sizeof status) < 0 && errno == EINTR)
        ;
    close(report);
    loop_once(s, false, 0); /* Drops a Ctrl-C that ended the command and reached eztsh, too. */
    sess_uninterrupt(s);
    s->shell_exit = status;
    return e;
}

static char *script_read_all(int fd)
{
    EZ_VEC(char) text = { 0 };
    ssize_t n;
    for (off_t at = 0;; at += n) {
        EZ_RESERVE(&text, 4096);
        n = pread(fd, text.at + text.n, 4095, at);
        if (n <= 0)
            break;
        text.n += (size_t)n;
    }
    EZ_PUSH(&text, '\0');
    return text.at;
}

ez_err *sess_capture(struct ez_sess *s, const char *line, char **out)
{
    int to = memfd_create("eztsh-output", MFD_CLOEXEC),
        own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    *out = NULL;
    if (to < 0 || own < 0) {
        ez_err *e = ez_err_new(EZ_E_SYS, errno, "Cannot keep the output of a command");
        if (to >= 0)
            close(to);
        if (own >= 0)
            close(own);
        return e;
    }
    out_flush(s);
    bool no_pager = s->out.no_pager, piped = s->out.piped;
    struct ez_wire *wire = s->wire;
    s->out.no_pager = s->out.piped = true;
    s->wire = NULL;
    dup2(to, STDOUT_FILENO);
    ez_err *e = dispatch(s, line);
    out_flush(s);
    dup2(own, STDOUT_FILENO);
    close(own);
    s->out.no_pager = no_pager;
    s->out.piped = piped;
    s->wire = wire;
    *out = script_read_all(to);
    close(to);
    return e;
}

ez_err *sess_answer(struct ez_sess *s, const char *line, char **out)
{
    char *repeat = s->run.repeat;
    ez_err *(*block)(struct ez_sess *, const char *) = s->run.block;
    bool mute = s->out.mute, trace = s->ui.trace_commands;
    s->run.repeat = NULL;
    s->run.block = NULL;
    s->out.mute = s->ui.trace_commands = false;
    s->run.nested++;
    record_hold(s);
    ez_err *e = sess_capture(s, line, out);
    record_resume(s);
    s->run.nested--;
    free(s->run.repeat);
    s->run.repeat = repeat;
    s->run.block = block;
    s->out.mute = mute;
    s->ui.trace_commands = trace;
    return e;
}

/* ---- a pipe ----------------------------------------------------------------------- */

void script_stdin(struct ez_sess *s)
{
    static char line[MAX_LINE];
    bool whole;
    while (!s->end.quit && loop_read_line(s, line, sizeof line, &whole)) {
        if (whole) {
            dispatch_print(s, line);
            continue;
        }
        s->end.failed++;
        out_error(s, script_no_command());
    }
    while (s->run.block && !s->end.quit)
        dispatch_print(s, "end");
}

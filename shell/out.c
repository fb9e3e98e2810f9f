/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.c - writes lines, errors and progress to the terminal (out.h). */
#include "shell/out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "engine/ezt.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "shell/ending.h"
#include "shell/loop.h"
#include "shell/record.h"
#include "shell/sess.h"
#include "shell/width.h"
#include "shell/wire.h"

/* ---- escaping ------------------------------------------------------------- */

char *out_escape(const char *text)
{
    return ez_str_escape(text);
}

/* ---- failed writes ---------------------------------------------------- */

ez_err *out_unwritten(struct ez_sess *s)
{
    int error = s->out.unwritten;
    s->out.unwritten = 0;
    return error ? ez_err_new(EZ_E_SYS, error, "Cannot write to standard output") : NULL;
}

/* Flushes the stream. The stream's error flag also reports an earlier failed write that nobody
 * checked. */
static void out_flush_to(struct ez_sess *s, FILE *to)
{
    int error = fflush(to) ? errno : ferror(to) ? EIO : 0;
    if (!error)
        return;
    clearerr(to);
    ending_unread(s, error);
}

static void out_puts(struct ez_sess *s, const char *text, FILE *to)
{
    if (fputs(text, to) >= 0)
        return;
    int error = errno;
    clearerr(to);
    ending_unread(s, error);
}

/* ---- the pager -------------------------------------------------------------- */

/* Counts the terminal's lines that `line` needs, and asks at the end of a page. Returns false if
 * the user wants no more output of this command. */
static bool out_page(struct ez_sess *s, const char *line)
{
    unsigned width, height;
    if (s->out.quit_pager)
        return false;
    if (s->in.terminal && !s->in.editing && loop_signalled(s)) { /* Ctrl-C ends a long list */
        s->out.quit_pager = true;
        puts("Quit");
        return false;
    }
    if (!s->in.terminal || s->batch || !s->ui.pagination || s->in.editing || s->out.no_pager)
        return true;
    loop_screen(s, &width, &height);
    if (!height)
        return true;
    size_t columns = width_of(line);
    s->out.lines += 1 + (unsigned)((columns ? columns - 1 : 0) / (width ? width : 80));
    if (s->out.lines < height)
        return true;
    char answer[64] = "";
    record_hold(s);
    out_raw(s, "--Type <RET> for more, q to quit, c to continue without paging--");
    record_resume(s);
    bool ok = loop_read_line(s, answer, sizeof answer, NULL);
    s->out.lines = 1;
    s->out.quit_pager = !ok || *answer == 'q';
    s->out.no_pager = *answer == 'c';
    if (s->out.quit_pager)
        fputs(ok ? "Quit\n" : "\nQuit\n", stdout);
    return !s->out.quit_pager;
}

/* ---- lines -------------------------------------------------------------------- */

static char *out_vformat(const char *fmt, va_list ap)
{
    char *text = NULL;
    return vasprintf(&text, fmt, ap) < 0 ? ez_strdup("") : text;
}

/* Prints a line. `coloured` is the same line with the terminal's colour codes. */
static void out_print(struct ez_sess *s, const char *safe, const char *coloured)
{
    FILE *to = s->out.aside ? stderr : stdout;
    if (s->out.hush)
        return;
    record_text(s, safe);
    record_text(s, "\n");
    if (s->out.mute)
        return;
    if (!s->out.aside && s->out.log) {
        fputs(safe, s->out.log);
        putc('\n', s->out.log);
        if (s->ui.log_only)
            return;
    }
    if (s->wire && !s->out.aside) {
        wire_line(s, safe);
        return;
    }
    if (!s->out.aside && !out_page(s, safe))
        return;
    /* Flushes before a line that does not fit into the buffer, so that write() never splits a line:
     * the program may write to the same file. */
    if (__fpending(to) + strlen(coloured) >= __fbufsize(to))
        out_flush_to(s, to);
    out_puts(s, coloured, to);
    out_puts(s, "\n", to);
}

void out_safe(struct ez_sess *s, const char *safe)
{
    out_print(s, safe, safe);
}

/* ---- colours --------------------------------------------------------------------------------- */

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define FAINT "\033[2m"
#define PLAIN "\033[m"

/* Returns true if output to fd is coloured. As no-color.org says, any value of NO_COLOR but ""
 * turns colours off. */
static bool out_has_colours(const struct ez_sess *s, int fd)
{
    const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
    return !s->wire && s->ui.style && term && *term && strcmp(term, "dumb") && !(none && *none) &&
           isatty(fd);
}

bool out_coloured(const struct ez_sess *s)
{
    return !s->out.aside && out_has_colours(s, STDOUT_FILENO);
}

void out_paint(struct ez_sess *s, const char *safe, const struct out_colour *part, size_t n)
{
    static const char *const code[] = { BOLD, RED, YELLOW, FAINT };
    EZ_FREE char *text = ez_alloc(strlen(safe) + n * sizeof BOLD PLAIN RED + 1);
    const char *from = safe;
    char *o = text;
    for (size_t i = 0; i < n; i++) {
        o = mempcpy(o, from, (size_t)(safe + part[i].from - from));
        o = stpcpy(o, code[part[i].how]);
        o = mempcpy(o, safe + part[i].from, part[i].to - part[i].from);
        o = stpcpy(o, PLAIN);
        from = safe + part[i].to;
    }
    strcpy(o, from);
    out_print(s, safe, text);
}

void out_head(struct ez_sess *s, const char *safe)
{
    const struct out_colour all = { 0, strlen(safe), OUT_BOLD };
    if (out_coloured(s))
        out_paint(s, safe, &all, 1);
    else
        out_safe(s, safe);
}

static void out_put(struct ez_sess *s, char *(*escape)(const char *), const char *fmt, va_list ap)
{
    EZ_FREE char *text = out_vformat(fmt, ap), *safe = escape(text);
    out_safe(s, safe);
}

void out_line(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    out_put(s, ez_str_escape, fmt, ap);
    va_end(ap);
}

void out_ours(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    out_put(s, ez_str_ours, fmt, ap);
    va_end(ap);
}

void out_lines(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    EZ_FREE char *text = out_vformat(fmt, ap);
    va_end(ap);
    for (char *line = text, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        out_ours(s, "%s", line);
    }
}

void out_text(struct ez_sess *s, const char *text)
{
    EZ_FREE char *copy = ez_strdup(text);
    char *rest = copy, *line;
    while ((line = strsep(&rest, "\n"))) {
        EZ_FREE char *safe = ez_str_ours(line);
        if (rest || *line)
            out_safe(s, safe);
    }
}

void out_json(struct ez_sess *s, struct ez_json *j)
{
    out_text(s, j->text);
    ez_json_free(j);
}

void out_raw(struct ez_sess *s, const char *text)
{
    if (s->out.hush)
        return;
    record_text(s, text);
    if (s->out.mute)
        return;
    if (s->out.log)
        fputs(text, s->out.log);
    if (s->wire)
        wire_raw(s, text);
    else if (!s->out.log || !s->ui.log_only)
        out_puts(s, text, stdout);
    out_flush_to(s, stdout);
}

ez_err *out_file(struct ez_sess *s, const char *path)
{
    char buf[1 << 16];
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 0;
    out_flush(s);
    while (fd >= 0 && (n = read(fd, buf, sizeof buf)) > 0)
        if (fwrite(buf, 1, (size_t)n, stdout) != (size_t)n)
            break;
    if (!n && !fflush(stdout))
        return NULL;
    int error = errno;
    ending_unread(s, error);
    return s->out.quit_pager ? NULL
                             : ez_err_new(EZ_E_SYS, error, "Cannot write to standard output");
}

bool out_moves(void)
{
    const char *term = getenv("TERM");
    return tcgetsid(STDOUT_FILENO) == getsid(0) && term && *term && strcmp(term, "dumb");
}

bool out_shares_terminal(struct ez_sess *s)
{
    struct stat ours, theirs;
    for (int fd = 1; fd <= 2 && !fstat(STDOUT_FILENO, &ours); fd++) {
        EZ_FREE char *path = ez_sprintf("/proc/%d/fd/%d", ez_target_pid(s->target), fd);
        if (!stat(path, &theirs) && S_ISCHR(theirs.st_mode) && theirs.st_rdev == ours.st_rdev)
            return true;
    }
    return false;
}

void out_status(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    if (s->wire || !out_moves())
        return;
    va_start(ap, fmt);
    EZ_FREE char *text = out_vformat(fmt, ap);
    va_end(ap);
    EZ_FREE char *safe = out_escape(text);
    printf("\r%.*s\033[K", (int)width_head(safe, out_columns(s) - 1), safe);
    fflush(stdout);
}

struct out_left out_left(uint64_t done, uint64_t total, uint64_t ns)
{
    const uint64_t second = 1000000000;
    struct out_left left = { "" };
    if (!done || done >= total || ns < second / 4)
        return left;
    double s = (double)ns / (double)done * (double)(total - done) / (double)second;
    if (s < 120)
        snprintf(left.text, sizeof left.text, ", %.0f s left", s < 1 ? 1 : s);
    else
        snprintf(left.text, sizeof left.text, ", %.0f min left", s / 60);
    return left;
}

void out_rewind(struct ez_sess *s, unsigned lines)
{
    if (lines && out_moves())
        printf("\r\033[%uA\033[J", lines);
}

/* Returns the columns of output lines; 0 if they are not known. */
static unsigned out_width(struct ez_sess *s)
{
    unsigned width, height;
    if (s->out.columns)
        return s->out.columns;
    loop_screen(s, &width, &height);
    return width;
}

unsigned out_columns(struct ez_sess *s)
{
    unsigned width = out_width(s);
    return width ? width : 80;
}

unsigned out_limit(struct ez_sess *s)
{
    return isatty(STDOUT_FILENO) ? out_width(s) : 0;
}

unsigned out_height(struct ez_sess *s)
{
    unsigned width, height;
    loop_screen(s, &width, &height);
    return height;
}

/* Ends logging after a failed write, with one message. */
static void out_end_log(struct ez_sess *s, int error)
{
    FILE *was = s->out.log;
    s->out.log = NULL;
    s->ui.log = false;
    fclose(was);
    out_warning(s, "%s: %s. Logging is off.", s->ui.log_file, strerror(error));
}

void out_flush(struct ez_sess *s)
{
    out_flush_to(s, stdout);
    if (s->out.log && fflush(s->out.log))
        out_end_log(s, errno);
    else if (s->out.log && ferror(s->out.log))
        out_end_log(s, EIO);
}

/* Prints an error or a warning. Flushes standard output first, so that output and errors in one
 * file keep their order. */
static void out_put_error(struct ez_sess *s, const char *colour, const char *text)
{
    EZ_FREE char *safe = out_escape(text);
    record_text(s, safe);
    record_text(s, "\n");
    if (s->out.mute)
        return;
    out_flush_to(s, stdout);
    if (s->out.log)
        fprintf(s->out.log, "%s\n", safe);
    bool on = *colour && out_has_colours(s, STDERR_FILENO);
    if (s->wire)
        wire_message(s, safe);
    else if (fprintf(stderr, "%s%s%s\n", on ? colour : "", safe, on ? PLAIN : "") < 0)
        ending_unread(s, errno);
}

void out_error(struct ez_sess *s, ez_err *e)
{
    EZ_FREE char *text = ez_err_text(e);
    /* script.c puts a line that ends so before the message, once for each file that was being
     * sourced. An error outside of sourced files has one line. */
    static const char mark[] = "Error in sourced command file:\n";
    char *line = text, *end;
    while ((end = strstr(line, mark))) {
        end += sizeof mark - 2;
        *end = '\0';
        out_put_error(s, RED, line);
        line = end + 1;
    }
    out_put_error(s, RED, line);
    ez_err_free(e);
}

void out_aside(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    EZ_FREE char *text = out_vformat(fmt, ap);
    va_end(ap);
    if (s->in.editing)
        s->in.editor->hide_line();
    record_hold(s);
    out_put_error(s, "", text);
    record_resume(s);
    if (s->in.editing)
        s->in.editor->show_line();
}

void out_warning(struct ez_sess *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    EZ_FREE char *text = out_vformat(fmt, ap);
    va_end(ap);
    EZ_FREE char *full = ez_sprintf("warning: %s", text);
    out_put_error(s, YELLOW, full);
}

void out_accounting(struct ez_sess *s, const char *whose, const struct ez_accounting *l)
{
    EZ_FREE char *text = ez_accounting_text(l);
    char waited[96] = "", unwound[64] = "";
    if (l->waits)
        snprintf(waited, sizeof waited, "  Threads waited %s for room (%llu time%s).",
                 out_time(s, l->waited_ns), (unsigned long long)l->waits, ez_plural(l->waits));
    if (l->unwound)
        snprintf(unwound, sizeof unwound, "  %llu call%s ended without returning.",
                 (unsigned long long)l->unwound, ez_plural(l->unwound));
    out_line(s, "%s%s%s%s", whose, text, unwound, waited);
}

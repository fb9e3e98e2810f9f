/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt-gtg - writes Paje, ViTE and OTF traces with libgtg. eztsh sends frames to ezt-gtg (proto.h).
 *
 * It is a separate program because libgtg writes only one trace per process, ends the process on
 * some errors, runs `rm` by a shell with the trace's name, exports symbols like `merge` and
 * `verbose`, and has another licence than readline. In ezt-gtg, libgtg works in a child process,
 * inside a new temporary folder in the folder of the output, on a file called "t". The result is
 * renamed only on success.
 *
 * Invariant: the temporary folder is removed in every case; OUTPUT is complete or unchanged. (An
 * OTF trace has several files: an older trace of that name is deleted first, and the master file is
 * renamed last.)
 *
 * Tests: tests/unit/format/check_gtg.c, tests/unit/format/check_gtg_feed.c */
#include "engine/format/gtg/gtg.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ------------------------------------------------------------------------ */

/* While this is true, the fclose() below, which replaces libc's, only flushes a file and does not
 * close it. This is needed because libgtg 0.2-3 (Debian 13) closes the only file of a Paje trace
 * when the first container ends, and then continues to write to the file. */
static bool stays_open;

__attribute__((visibility("default"))) int fclose(FILE *f)
{
    static int (*libc)(FILE *);
    if (stays_open)
        return fflush(f);
    if (!libc)
        *(void **)&libc = dlsym(RTLD_NEXT, "fclose");
    return libc ? libc(f) : EOF;
}

void gtg_fail(struct gtg *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(g->report->text, sizeof g->report->text, fmt, ap);
    va_end(ap);
    _exit(1);
}

void gtg_incomplete(struct gtg *g)
{
    gtg_fail(g, "the trace is incomplete (disk full?)");
}

void *gtg_grow(struct gtg *g, void *p, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap)
        return p;
    uint32_t more = *cap ? *cap * 2 : 16;
    p = realloc(p, more * size);
    if (!p)
        gtg_fail(g, "out of memory");
    memset((char *)p + *cap * size, 0, (more - *cap) * size);
    *cap = more;
    return p;
}

static void ezt_gtg_work(struct gtg *g, const char *folder, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    if (chdir(folder))
        gtg_fail(g, "%s: %s", folder, strerror(errno));
    /* libgtg's standard output and error go to /dev/null, because the sink would read that output
     * as an answer, and the output could fill the socket. */
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        gtg_fail(g, "/dev/null: %s", strerror(errno));
    unsetenv("GTG_VERBOSE");
    stays_open = g->type != GTG_T_OTF;
    gtg_begin(g);
    gtg_feed(g, STDIN_FILENO);
    gtg_end(g);
    stays_open = false;
    gtg_after(g);
    _exit(0);
}

/* ---- the parent: folder and result -------------------------------------------------- */

struct job {
    enum gtg_type type;
    const char *out;
    mode_t mode;             /* mode of the file that is replaced; 0 = no file is replaced */
    char dir[PATH_MAX];      /* the output's folder */
    char base[NAME_MAX + 1]; /* the output's name in `dir`; for OTF without ".otf" */
    char folder[PATH_MAX];
    struct gtg_report *report;
};

static volatile sig_atomic_t child;

static void on_term(int sig)
{
    if (child > 0)
        kill(child, SIGKILL);
}

static bool ezt_gtg_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool ezt_gtg_say(const char *fmt, ...) /* always returns false */
{
    va_list ap;
    va_start(ap, fmt);
    vdprintf(STDOUT_FILENO, fmt, ap);
    va_end(ap);
    return false;
}

static bool ezt_name_output(struct job *j)
{
    const char *slash = strrchr(j->out, '/'), *name = slash ? slash + 1 : j->out;
    size_t n = strlen(name), room = sizeof j->base - sizeof ".ffffffff.events.z";
    if (j->type == GTG_T_OTF && n > 4 && strcmp(name + n - 4, ".otf") == 0)
        n -= 4;
    if (n == 0 || (j->type == GTG_T_OTF ? n > room : n >= sizeof j->base) ||
        (slash && slash - j->out >= (long)sizeof j->dir - 16))
        return ezt_gtg_say("%.300s: %s\n", j->out, strerror(n ? ENAMETOOLONG : ENOENT));
    snprintf(j->base, sizeof j->base, "%.*s", (int)n, name);
    if (slash)
        snprintf(j->dir, sizeof j->dir, "%.*s", (int)(slash - j->out) + 1, j->out);
    else
        strcpy(j->dir, "./");
    return true;
}

/* Checks whether PATH can be replaced, as ez_newfile_refused() does. Returns true if PATH does not
 * exist, or is a symbolic link, or is a regular file to which the user may write; in the last case,
 * sets j->mode, so that the new file gets the same permissions. Otherwise prints the error and
 * returns false. (The caller has already followed symbolic links that must stay.) */
static bool ezt_gtg_look_at(struct job *j, const char *path)
{
    struct stat st;
    if (lstat(path, &st) || S_ISLNK(st.st_mode))
        return true;
    if (!S_ISREG(st.st_mode))
        return ezt_gtg_say("%.300s: %s\n", j->out,
                           S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file");
    if (access(path, W_OK))
        return ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    j->mode = st.st_mode & 0777;
    return true;
}

static bool ezt_look_at_output(struct job *j)
{
    char master[PATH_MAX + NAME_MAX + 8];
    if (j->type != GTG_T_OTF)
        return ezt_gtg_look_at(j, j->out);
    snprintf(master, sizeof master, "%s%s.otf", j->dir, j->base);
    return ezt_gtg_look_at(j, master);
}

static bool ezt_gtg_prepare(struct job *j)
{
    if (!ezt_name_output(j) || !ezt_look_at_output(j))
        return false;
    snprintf(j->folder, sizeof j->folder, "%.*s.ezt-XXXXXX", PATH_MAX - 16, j->dir);
    if (!mkdtemp(j->folder)) {
        j->folder[0] = 0;
        return ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    }
    return true;
}

static void ezt_remove_folder(struct job *j)
{
    int fd = j->folder[0] ? open(j->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;
    while (d && (e = readdir(d)))
        unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    if (j->folder[0])
        rmdir(j->folder);
}

/* Returns true if s is what follows the trace's name in the name of a part of an OTF trace:
 * ".2a.events", ".0.def.z". */
static bool ezt_is_part(const char *s)
{
    static const char *const kind[] = { "def", "events", "marker", "snaps", "stats" };
    size_t digits = s[0] == '.' ? strspn(s + 1, "0123456789abcdef") : 0;
    if (!digits || s[1 + digits] != '.')
        return false;
    s += digits + 2;
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        size_t n = strlen(kind[i]);
        if (strncmp(s, kind[i], n) == 0 && (!s[n] || strcmp(s + n, ".z") == 0))
            return true;
    }
    return false;
}

/* Deletes the master file and all parts of an older OTF trace, which can have more parts than the
 * new trace. */
static bool ezt_remove_otf(const struct job *j, int dir)
{
    char master[NAME_MAX + 8];
    struct dirent *e;
    size_t n = strlen(j->base);
    snprintf(master, sizeof master, "%s.otf", j->base);
    if (unlinkat(dir, master, 0) && errno != ENOENT)
        return ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    DIR *d = opendir(j->dir);
    while (d && (e = readdir(d)))
        if (strncmp(e->d_name, j->base, n) == 0 && ezt_is_part(e->d_name + n))
            unlinkat(dir, e->d_name, 0);
    if (d)
        closedir(d);
    return true;
}

static bool ezt_gtg_place(const struct job *j, int from, const char *part, int to, const char *name)
{
    if (j->mode)
        (void)!fchmodat(from, part, j->mode, 0);
    return renameat(from, part, to, name) == 0;
}

static bool ezt_place_otf(const struct job *j, int from, int to)
{
    char name[2 * NAME_MAX];
    struct dirent *e;
    bool ok = ezt_remove_otf(j, to);
    DIR *d = ok ? opendir(j->folder) : NULL;
    while (ok && d && (e = readdir(d)))
        if (e->d_name[0] == 't' && ezt_is_part(e->d_name + 1)) {
            snprintf(name, sizeof name, "%s%s", j->base, e->d_name + 1);
            ok = ezt_gtg_place(j, from, e->d_name, to, name);
        }
    if (d)
        closedir(d);
    snprintf(name, sizeof name, "%s.otf", j->base);
    if (ok && ezt_gtg_place(j, from, "t.otf", to, name))
        return true;
    ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    ezt_remove_otf(j, to);
    return false;
}

static bool ezt_put_in_place(const struct job *j)
{
    int from = open(j->folder, O_DIRECTORY | O_CLOEXEC), to = open(j->dir, O_DIRECTORY | O_CLOEXEC);
    bool ok = from >= 0 && to >= 0;
    if (!ok)
        ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    else if (j->type == GTG_T_OTF)
        ok = ezt_place_otf(j, from, to);
    else if (!(ok = ezt_gtg_place(j, from, "t.trace", to, j->base)))
        ezt_gtg_say("%.300s: %s\n", j->out, strerror(errno));
    close(from);
    close(to);
    return ok;
}

static bool ezt_gtg_run(struct job *j, struct gtg *g)
{
    siginfo_t si = { 0 };
    pid_t me = getpid(), pid = fork();
    if (pid == 0)
        ezt_gtg_work(g, j->folder, me);
    if (pid < 0)
        return ezt_gtg_say("fork: %s\n", strerror(errno));
    child = pid;
    ezt_gtg_say("ready\n");
    while (waitid(P_PID, (id_t)pid, &si, WEXITED) && errno == EINTR)
        ;
    child = 0;
    if (si.si_code == CLD_EXITED && si.si_status == 0)
        return ezt_put_in_place(j);
    g->report->text[sizeof g->report->text - 1] = 0;
    if (g->report->text[0])
        return ezt_gtg_say("%s\n", g->report->text);
    if (si.si_code != CLD_EXITED && si.si_status == SIGABRT && j->type == GTG_T_OTF)
        return ezt_gtg_say("the trace is incomplete (disk full?)\n");
    return ezt_gtg_say(si.si_code == CLD_EXITED ? "libgtg ended with status %d\n"
                                                : "libgtg was killed by signal %d\n",
                       si.si_status);
}

static bool ezt_gtg_parse(struct job *j, struct gtg *g, int argc, char **argv)
{
    static const char *const name[] = { "paje", "vite", "otf" };
    for (int i = 0; argc == 3 && i < 3; i++) {
        size_t n = strlen(name[i]);
        if (strncmp(argv[1], name[i], n) ||
            (argv[1][n] && (i != GTG_T_PAJE || strcmp(argv[1] + n, "z"))))
            continue;
        j->type = g->type = (enum gtg_type)i;
        g->compress = argv[1][n] == 'z';
        j->out = argv[2];
        return true;
    }
    return ezt_gtg_say("Usage: ezt-gtg paje|vite|otf|pajez OUTPUT\n");
}

int main(int argc, char **argv)
{
    static struct job j;
    static struct gtg g;
    /* The signals that ezt-gtg ignores. The sink in eztsh decides when to cancel, and then closes
     * the socket. If a file reaches its size limit (SIGXFSZ), after.c finds that the trace is
     * incomplete. */
    static const int deaf[] = { SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ };
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++)
        signal(deaf[i], SIG_IGN);
    signal(SIGTERM, on_term);
    g.report =
        mmap(NULL, sizeof *g.report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (g.report == MAP_FAILED)
        return ezt_gtg_say("mmap: %s\n", strerror(errno)), 1;
    bool ok = ezt_gtg_parse(&j, &g, argc, argv) && ezt_gtg_prepare(&j) && ezt_gtg_run(&j, &g);
    ezt_remove_folder(&j);
    if (ok)
        ezt_gtg_say("ok %s\n", g.report->text);
    return ok ? 0 : 1;
}

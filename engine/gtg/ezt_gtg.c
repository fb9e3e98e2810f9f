/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt-gtg - write a Paje trace through libgtg, fed by lines on standard input.
 *
 * Why a program of its own: libgtg writes one trace per process, ends the process
 * on some errors, runs `rm` through a shell with the trace's name in it, exports
 * symbols like `merge` and `verbose`, and has another licence than readline. Here
 * it works in a child, inside a fresh folder beside the output, on a file called
 * "t"; only when all went well the result is renamed.
 *
 *   ezt-gtg OUTPUT < lines
 *
 * INPUT, one order a line, fields separated by one space; the NAME is the rest of
 * the line. Numbers of containers and values count up from 0, each list for
 * itself. NS are nanoseconds since the beginning of the trace and never decrease.
 *   process C NAME          a container at the top
 *   thread C PARENT NAME    a container inside process PARENT
 *   value V NAME            a state or event, by its name
 *   push NS C V             thread C enters state V
 *   pop NS C                and leaves the innermost one
 *   event NS C V            a point in time
 *   end NS                  the last line: everything is closed
 *
 * Output: "N" (orders written) and exit status 0, or one line that says what is
 * wrong and exit status 1. Tests: tests/unit/engine/check_convert.c */
#include <GTG.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME_MAX_BYTES 1000

struct containers {
    struct container {
        bool thread;
        unsigned depth;
    } * at;
    unsigned n, values;
    uint64_t last_ns, written;
};

static void fail(const char *what, const char *which)
{
    dprintf(STDOUT_FILENO, "%s: %s\n", what, which);
    _exit(1);
}

/* ---- the child: orders to library calls ------------------------------------------- */

/* A quote would end a name in the file; so would a line break. */
static void clean(char *name)
{
    for (; *name; name++)
        if (*name == '"' || (unsigned char)*name < ' ')
            *name = '_';
}

static const char *alias(char buf[16], char kind, unsigned number)
{
    snprintf(buf, 16, "%c%u", kind, number);
    return buf;
}

static void start(void)
{
    setTraceType(PAJE);
    if (initTrace("t", 0, GTG_FLAG_NONE) != TRACE_SUCCESS)
        fail("libgtg", "cannot start a trace");
    addContType("P", "0", "Process");
    addContType("T", "P", "Thread");
    addStateType("S", "T", "Function");
    addEventType("E", "T", "Probe");
}

static void add_container(struct containers *c, bool thread, unsigned parent, char *name)
{
    char me[16], up[16];
    c->at = realloc(c->at, (c->n + 1) * sizeof *c->at);
    if (!c->at)
        fail("ezt-gtg", "out of memory");
    c->at[c->n] = (struct container){ .thread = thread };
    addContainer(0, alias(me, 'c', c->n), thread ? "T" : "P", thread ? alias(up, 'c', parent) : "0",
                 name, "0");
    c->n++;
}

static void add_value(struct containers *c, char *name)
{
    char me[16];
    gtg_color_t color[] = { GTG_BLUE, GTG_RED,    GTG_GREEN,  GTG_ORANGE,
                            GTG_TEAL, GTG_PURPLE, GTG_YELLOW, GTG_PINK };
    alias(me, 'v', c->values);
    addEntityValue(me, "S", name, color[c->values % (sizeof color / sizeof *color)]);
    addEntityValue(me, "E", name, color[c->values % (sizeof color / sizeof *color)]);
    c->values++;
}

static bool define(struct containers *c, char *line)
{
    unsigned number, parent;
    int at = 0;
    if (sscanf(line, "process %u %n", &number, &at) == 1 && at && number == c->n) {
        clean(line + at);
        add_container(c, false, 0, line + at);
    } else if (sscanf(line, "thread %u %u %n", &number, &parent, &at) == 2 && at &&
               number == c->n && parent < c->n && !c->at[parent].thread) {
        clean(line + at);
        add_container(c, true, parent, line + at);
    } else if (sscanf(line, "value %u %n", &number, &at) == 1 && at && number == c->values) {
        clean(line + at);
        add_value(c, line + at);
    } else {
        return false;
    }
    return true;
}

static bool happen(struct containers *c, const char *line)
{
    char verb[8], cont[16], val[16];
    unsigned number = 0, value = 0;
    uint64_t ns;
    int n = sscanf(line, "%7s %" SCNu64 " %u %u", verb, &ns, &number, &value);
    if (n < 3 || number >= c->n || !c->at[number].thread || ns < c->last_ns)
        return false;
    double t = (double)ns * 1e-9;
    alias(cont, 'c', number);
    alias(val, 'v', value);
    if (!strcmp(verb, "push") && n == 4 && value < c->values) {
        pushState(t, "S", cont, val);
        c->at[number].depth++;
    } else if (!strcmp(verb, "pop") && c->at[number].depth) {
        popState(t, "S", cont);
        c->at[number].depth--;
    } else if (!strcmp(verb, "event") && n == 4 && value < c->values) {
        addEvent(t, "E", cont, val);
    } else {
        return false;
    }
    c->last_ns = ns;
    c->written++;
    return true;
}

/* Viewers reject a trace whose states or containers stay open. */
static void finish(struct containers *c, uint64_t ns)
{
    char cont[16];
    double t = (double)(ns > c->last_ns ? ns : c->last_ns) * 1e-9;
    for (unsigned i = c->n; i-- > 0;) {
        for (; c->at[i].depth; c->at[i].depth--)
            popState(t, "S", alias(cont, 'c', i));
        destroyContainer(t, alias(cont, 'c', i), c->at[i].thread ? "T" : "P");
    }
    endTrace();
}

static void work(const char *folder)
{
    struct containers c = { 0 };
    char line[NAME_MAX_BYTES];
    uint64_t ns;
    if (chdir(folder))
        fail(folder, strerror(errno));
    unsetenv("GTG_VERBOSE");
    start();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "end %" SCNu64, &ns) == 1) {
            finish(&c, ns);
            dprintf(STDOUT_FILENO, "%" PRIu64 "\n", c.written);
            _exit(0);
        }
        if (!define(&c, line) && !happen(&c, line))
            fail("not an order", line);
    }
    fail("ezt-gtg", "the input ended before `end`");
}

/* ---- the parent: folder and result -------------------------------------------------- */

/* The library ignores failed writes: the last line it owes must be there, whole. */
static bool complete(const char *file)
{
    char tail[64];
    long n = 0;
    FILE *f = fopen(file, "r");
    if (!f)
        return false;
    if (fseek(f, -(long)sizeof tail, SEEK_END) == 0)
        n = (long)fread(tail, 1, sizeof tail, f);
    fclose(f);
    return n > 0 && tail[n - 1] == '\n';
}

static void remove_folder(const char *folder)
{
    static const char *const left[] = { /* by the library */ "t.trace", "t_root.ept", "t_proc0.ept",
                                        "t.ept" };
    int dir = open(folder, O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; dir >= 0 && i < sizeof left / sizeof *left; i++)
        unlinkat(dir, left[i], 0);
    close(dir);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    char folder[PATH_MAX], result[PATH_MAX + sizeof "/t.trace"];
    siginfo_t si = { 0 };
    if (argc != 2)
        fail("usage", "ezt-gtg OUTPUT");
    if (snprintf(folder, sizeof folder, "%s.XXXXXX", argv[1]) >= (int)sizeof folder ||
        !mkdtemp(folder))
        fail(argv[1], strerror(errno ? errno : ENAMETOOLONG));
    pid_t child = fork();
    if (child == 0)
        work(folder);
    snprintf(result, sizeof result, "%s/t.trace", folder);
    bool ok = child > 0 && waitid(P_PID, (id_t)child, &si, WEXITED) == 0 &&
              si.si_code == CLD_EXITED && si.si_status == 0;
    if (ok && !complete(result)) {
        dprintf(STDOUT_FILENO, "%s: the trace is incomplete (disk full?)\n", argv[1]);
        ok = false;
    }
    if (ok && rename(result, argv[1])) {
        dprintf(STDOUT_FILENO, "%s: %s\n", argv[1], strerror(errno));
        ok = false;
    }
    if (si.si_code == CLD_KILLED || si.si_code == CLD_DUMPED)
        dprintf(STDOUT_FILENO, "libgtg was killed by signal %d\n", si.si_status);
    remove_folder(folder);
    return ok ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_breaks.c - `info breakpoints`. Tests: tests/procs/moving.sh */
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *info_breaks_what(struct ez_sess *s, uint64_t at)
{
    struct ez_module_info m = { 0 };
    uint64_t off;
    const char *file;
    unsigned line;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(at), &off, &m);
    const char *name = sym ? ez_sym_pretty(sym) : NULL;
    if (source_at(s, at, &file, &line))
        return sess_format(s, "in %s at %s:%u", name ? name : "??", file, line);
    return !name ? ""
           : off ? sess_format(s, "<%s+%llu>", name, (unsigned long long)off)
                 : sess_format(s, "<%s>", name);
}

/* Returns "syscalls" and the names, or the like for signals. The text ends with a space, as gdb's. */
static const char *info_breaks_set(struct ez_sess *s, const struct ez_break_info *b)
{
    bool call = b->kind == EZ_BREAK_SYSCALL;
    const char *all = call ? "<any syscall>" : b->all ? "<any signal>" : "<standard signals>";
    for (size_t i = 0; i < b->n_of; i++) {
        int nr = b->number_of[i];
        const char *name = !call                 ? out_signal(s, nr)
                           : ez_syscall_name(nr) ? ez_syscall_name(nr)
                                                 : sess_format(s, "%d", nr);
        all = i ? sess_format(s, "%s%s %s", all, call ? "," : "", name) : name;
    }
    return sess_format(s, "%s%s \"%s\" ", catch_word[b->kind], b->n_of > 1 ? "s" : "", all);
}

/* Returns what the catchpoint waits for, as gdb shows it. */
static const char *info_breaks_caught(struct ez_sess *s, const struct ez_break_info *b)
{
    const char *word = catch_word[b->kind];
    switch (b->kind) {
    case EZ_BREAK_SYSCALL:
    case EZ_BREAK_SIGNAL:
        return info_breaks_set(s, b);
    case EZ_BREAK_FORK:
    case EZ_BREAK_VFORK:
        return b->last ? sess_format(s, "%s, process %ld ", word, b->last) : word;
    case EZ_BREAK_EXEC:
        return b->last_text ? sess_format(s, "exec, program \"%s\" ", b->last_text) : word;
    case EZ_BREAK_LOAD:
    case EZ_BREAK_UNLOAD:
        return *b->what ? sess_format(s, "%s of library matching %s", word, b->what)
                        : sess_format(s, "%s of library", word);
    default:
        return sess_format(s, "exception %s", word);
    }
}

/* Prints a row for each location of a breakpoint; one row if it has no location. */
static void info_breaks_rows(const struct ez_break_info *b, void *arg)
{
    static const char *const type[] = { "breakpoint", "watchpoint", "read watchpoint",
                                        "access watchpoint" };
    bool catch = ez_break_is_catch(b->kind);
    static const char *const then[] = { "keep", "delete", "disable" };
    struct out_table *t = arg;
    struct ez_sess *s = t->sess;
    for (size_t i = 0; i < (catch ? 1 : EZ_MAX(b->n, (size_t)1)); i++) {
        const struct ez_break_place *place = b->n && !catch ? &b->place[i] : NULL;
        const char *file = "", *name = place ? out_sym(s, place->addr) : "";
        unsigned line = 0;
        if (place)
            source_at(s, place->addr, &file, &line);
        out_row(t, sess_format(s, "%d", b->number), place ? out_cell_count(s, i + 1) : "",
                catch ? "catchpoint" : type[b->kind], b->then == EZ_BREAK_GOES ? "yes" : "no",
                b->enabled && !(place && place->off) ? "yes" : "no",
                place ? out_addr16(s, place->addr) : "", name, file,
                line ? sess_format(s, "%u", line) : "", catch ? info_breaks_caught(s, b) : b->what,
                b->cond, out_cell_count(s, b->hits), out_cell_count(s, b->ignore), b->commands,
                then[b->then], b->then == EZ_BREAK_SLEEPS ? out_cell_count(s, b->stops) : "", NULL);
    }
}

static void info_breaks_list(const struct ez_break_info *b, void *arg)
{
    static const char *const type[] = { "breakpoint", "hw watchpoint", "read watchpoint",
                                        "acc watchpoint" };
    static const char *const then[] = { "keep", "del", "dis" };
    struct ez_sess *s = arg;
    bool code = b->kind == EZ_BREAK_CODE;
    bool catch = ez_break_is_catch(b->kind);
    bool several = code && b->n > 1, off = b->n == 1 && b->place[0].off;
    const char *addr = !code     ? ""
                       : !b->n   ? "<PENDING>"
                       : several ? "<MULTIPLE>"
                                 : out_addr16(s, b->place[0].addr);
    out_line(s, "%-7d %-14s %-4s %-3c %-18s %s", b->number, catch ? "catchpoint" : type[b->kind],
             then[b->then], b->enabled && !off ? 'y' : 'n', addr,
             several             ? ""
             : code && b->n == 1 ? info_breaks_what(s, b->place[0].addr)
             : catch             ? info_breaks_caught(s, b)
                                 : b->what);
    if (*b->cond)
        out_line(s, "\tstop only if %s", b->cond);
    if (b->hits)
        out_line(s, "\t%s already hit %llu time%s", catch ? "catchpoint" : "breakpoint",
                 (unsigned long long)b->hits, ez_plural(b->hits));
    if (b->ignore)
        out_line(s, "\tignore next %llu hits", (unsigned long long)b->ignore);
    if (b->stops > 1)
        out_line(s, "        disable after %s %llu hits", b->ignore ? "additional" : "next",
                 (unsigned long long)b->stops);
    for (const char *p = b->commands; *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n'))
        out_line(s, "        %.*s", (int)strcspn(p, "\n"), p);
    for (size_t i = 0; several && i < b->n; i++)
        out_line(s, "%-7s %-14s %-4s %-3c %-18s %s", sess_format(s, "%d.%zu", b->number, i + 1), "",
                 "", b->place[i].off ? 'n' : 'y', out_addr16(s, b->place[i].addr),
                 info_breaks_what(s, b->place[i].addr));
}

static ez_err *cmd_info_breakpoints(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    out_table_json(
        &t, s, "breakpoints",
        "number# place# type temporary? enabled? address where file line# what condition "
        "hits# ignore# commands after_stop stops#");
    bool any = breaks_any(s), json = t.json;
    if (any && json)
        ez_breaks(moves_of(s), info_breaks_rows, &t);
    out_table_json_end(&t, NULL);
    if (!any && !json)
        out_line(s, "No breakpoints or watchpoints.");
    if (!any || json)
        return NULL;
    out_line(s, "Num     Type           Disp Enb Address            What");
    ez_breaks(moves_of(s), info_breaks_list, s);
    return NULL;
}

const struct ez_cmd command_info_breakpoints = {
    .parent = "info",
    .name = "breakpoints",
    .usage = "",
    .brief = "Show breakpoints and watchpoints.",
    .help = "The table has the form of gdb's table. \"info probes\" shows the probes.",
    .examples = "info breakpoints",
    .see_also = "break, watch, info probes, delete",
    OPERANDS(RUN, 0, 0),
    .min_abbrev = 1,
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_breakpoints,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_patch.c - `info textdiff`, `info coverage` and `info window` show which code was changed,
 * and which was not.
 * Tests: tests/procs/why.sh, tests/e2e/transact.ezt */
#include <stdio.h>

#include "cmds/cmd.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *info_hex(struct ez_sess *s, const uint8_t *b, unsigned n)
{
    char text[64] = "";
    for (unsigned i = 0; i < n; i++)
        sprintf(text + 2 * i, "%02x", b[i]);
    return sess_format(s, "%s", text);
}

struct listing {
    struct ez_sess *s;
    struct out_table table;
};

static void info_add_diff(const struct ez_textdiff *d, void *arg)
{
    struct listing *l = arg;
    struct ez_sess *s = l->s;
    const char *whose = "foreign";
    if (d->owner == EZ_DIFF_PROBE)
        whose = d->probe ? sess_format(s, "probe %d", d->probe) : "a probe that was removed";
    else if (d->owner == EZ_DIFF_HOOK)
        whose = "a hook of eztsh's own";
    else if (d->owner == EZ_DIFF_LEFT_HOOK)
        whose = "a hook that an earlier eztsh left";
    else if (d->owner == EZ_DIFF_BREAKPOINT)
        whose = "temporary breakpoint";
    out_row(&l->table, out_addr16(s, d->addr), out_sym(s, d->addr), info_hex(s, d->file, d->len),
            info_hex(s, d->live, d->len), whose, NULL);
}

static ez_err *cmd_info_textdiff(struct ez_sess *s, int argc, char **argv)
{
    struct listing l = { .s = s };
    struct ez_textdiff_sum sum = { 0 };
    out_table_init(&l.table, s, "Address", "Where", "File", "Memory", "Whose", NULL);
    out_table_keys(&l.table, "textdiff", "address where file memory whose");
    ez_err *e = ez_textdiff(s->target, info_add_diff, &l, &sum);
    out_fact(&l.table, "compared_bytes#", out_cell_count(s, sum.compared));
    out_fact(&l.table, "differ_bytes#", out_cell_count(s, sum.bytes));
    out_fact(&l.table, "foreign_bytes#", out_cell_count(s, sum.foreign));
    if (e || (!sum.runs && !out_json_requested(s)))
        out_table_drop(&l.table);
    else
        out_table_print(&l.table);
    if (e || out_json_requested(s))
        return e;
    out_line(s, "%s of text compared with the files: %llu bytes differ, %llu of them foreign.",
             out_size(s, sum.compared), (unsigned long long)sum.bytes,
             (unsigned long long)sum.foreign);
    return NULL;
}

const struct ez_cmd command_info_textdiff = {
    .parent = "info",
    .name = "textdiff",
    .usage = "",
    .brief = "Show bytes of code that differ from the files.",
    .help = "The column Whose names the owner of each changed byte: a probe, a hook of eztsh\n"
            "or a temporary breakpoint. A changed byte without such an owner is foreign.",
    .examples = "info textdiff",
    .see_also = "why, info probes, disassemble",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NEED_TARGET,
    .fn = cmd_info_textdiff,
};

/* Prints how many functions are in a state, as a line or a JSON row. detail: the reason or the
 * strategy. */
static void info_say(struct listing *l, uint64_t n, const char *state, const char *detail)
{
    struct ez_sess *s = l->s;
    if (l->table.json)
        out_row(&l->table, out_cell_count(s, n), state, detail, NULL);
    else
        out_line(s, "  %8llu  %s%s%s", (unsigned long long)n, state, *detail ? ": " : "", detail);
}

static void info_say_reason(const char *text, uint64_t n, void *arg)
{
    info_say(arg, n, "refused", text);
}

static void info_say_some(struct listing *l, uint64_t n, const char *state, const char *detail)
{
    if (n)
        info_say(l, n, state, detail);
}

static ez_err *cmd_info_coverage(struct ez_sess *s, int argc, char **argv)
{
    struct ez_coverage c;
    struct listing l = { .s = s };
    out_table_init(&l.table, s, "", "", "", NULL);
    out_table_keys(&l.table, "coverage", "functions# state detail");
    ez_coverage(s->target, &c, NULL, NULL);
    info_say(&l, c.requested, "requested", "");
    for (unsigned i = 0; i < c.nplanted; i++)
        info_say(&l, c.planted[i].n, "planted", c.planted[i].strategy);
    info_say_some(&l, c.pending, "pending", "");
    info_say_some(&l, c.disabled, "disabled", "");
    info_say_some(&l, c.lost, "lost", "the target changed the bytes");
    info_say_some(&l, c.removed, "removed", "");
    ez_coverage(s->target, &c, info_say_reason, &l);
    out_table_print(&l.table);
    return NULL;
}

const struct ez_cmd command_info_coverage = {
    .parent = "info",
    .name = "coverage",
    .usage = "",
    .brief = "Count the requested functions by the state of their probe.",
    .help = "The command counts the functions that are planted (by strategy), pending,\n"
            "disabled, lost, removed and refused (by reason). The sum of these numbers is\n"
            "the number of functions that were requested in this process, or, after its\n"
            "end, in the last one.",
    .examples = "probe -r '*:.'\n"
                "info coverage",
    .see_also = "probe, why, info probes",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_coverage,
};

/* ---- positions of threads -------------------------------------------------------------- */

static void info_add_region(const struct ez_thread_place *w, void *arg)
{
    struct listing *l = arg;
    struct ez_sess *s = l->s;
    ez_addr from;
    int probe = 0;
    const char *what = "untouched";
    if (w->moved_to) {
        ez_trampoline_origin(s->target, ez_addr_of(w->moved_to), &from, &probe);
        what = sess_format(s, "%s %s, the copy of %s%s", w->seen ? "to be moved to" : "moved to",
                           out_addr(s, w->moved_to), out_sym(s, w->pc),
                           probe ? sess_format(s, " (probe %d)", probe) : "");
    }
    if (w->frames)
        what = sess_format(s, "%s; %u saved in signal frames %s", what, w->frames,
                           w->seen ? "to be moved" : "moved");
    out_row(&l->table, sess_format(s, "%d", w->tid), out_addr16(s, w->pc), out_sym(s, w->pc), what,
            NULL);
}

static ez_err *cmd_info_window(struct ez_sess *s, int argc, char **argv)
{
    struct listing l = { .s = s };
    out_table_init(&l.table, s, "Thread", "Stood at", "Where", "", NULL);
    out_table_keys(&l.table, "window", "thread# stood_at where moved");
    ez_thread_places(s->target, info_add_region, &l);
    out_table_end(&l.table, "No text was changed yet.");
    return NULL;
}

const struct ez_cmd command_info_window = {
    .parent = "info",
    .name = "window",
    .usage = "",
    .brief = "Show where threads were when code was last changed.",
    .help = "When eztsh writes a jump over bytes in which a thread is stopped, the thread\n"
            "continues in the trampoline, at the copy of its instruction. A program counter\n"
            "that is saved in a signal frame is changed in the same way.",
    .examples = "info window",
    .see_also = "why, info textdiff, info threads",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_window,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_run.c - `info threads|proc|mappings` and `thread` show the process.
 * Tests: tests/e2e/look.ezt, tests/e2e/threads.ezt */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- threads ------------------------------------------------------------------------ */

struct threads {
    struct ez_sess *s;
    uint64_t number;             /* number of the thread to find; 0 = the current one */
    struct ez_thread_info found; /* the matching thread, or the last listed thread */
    struct out_table t;          /* JSON rows */
};

static void run_list_thread(const struct ez_thread_info *t, void *arg)
{
    struct threads *q = arg;
    const char *name = t->pc ? out_sym(q->s, t->pc) : "";
    q->found = *t;
    if (q->t.json) {
        out_row(&q->t, sess_format(q->s, "%u", t->number), sess_format(q->s, "%d", t->tid), t->comm,
                t->current ? "yes" : "no", t->pc ? "stopped" : "running",
                t->pc ? out_addr16(q->s, t->pc) : "", name, NULL);
        return;
    }
    if (t->number == 1)
        out_line(q->s, "  Id   Target Id                        Frame");
    if (t->pc)
        out_line(q->s, "%c %-4u LWP %d%s %s in %s ()", t->current ? '*' : ' ', t->number, t->tid,
                 *t->comm ? sess_format(q->s, " \"%s\"", t->comm) : "", out_addr16(q->s, t->pc),
                 *name ? name : "??");
    else
        out_line(q->s, "%c %-4u LWP %d \"%s\" (running)", t->current ? '*' : ' ', t->number, t->tid,
                 t->comm);
}

static ez_err *cmd_info_threads(struct ez_sess *s, int argc, char **argv)
{
    struct threads q = { .s = s };
    ez_err *e = NULL;
    out_table_json(&q.t, s, "threads", "number# tid# name current? state pc where");
    if (ez_target_state(s->target) != EZ_NONE)
        e = ez_threads(s->target, run_list_thread, &q);
    if (!e && (q.t.json || !q.found.number))
        out_table_end(&q.t, "No threads.");
    else
        out_table_drop(&q.t);
    return e;
}

const struct ez_cmd command_info_threads = {
    .parent = "info",
    .name = "threads",
    .usage = "",
    .brief = "Show the threads of the target.",
    .examples = "info threads",
    .see_also = "thread",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_threads,
};

static void run_find_thread(const struct ez_thread_info *t, void *arg)
{
    struct threads *q = arg;
    if (q->number ? t->number == q->number : t->current)
        q->found = *t;
}

static ez_err *cmd_thread(struct ez_sess *s, int argc, char **argv)
{
    struct threads q = { .s = s };
    if (argc > 1) {
        EZ_TRY(parse_count(argv[1], "a thread", &q.number));
        if (!q.number)
            return ez_err_gdb(EZ_E_ARG, "Invalid thread ID: %s", argv[1]);
    }
    EZ_TRY(ez_threads(s->target, run_find_thread, &q));
    if (!q.found.number)
        return ez_err_new(EZ_E_NOTFOUND, 0, "Unknown thread %s", argc > 1 ? argv[1] : "");
    int n = (int)q.found.number, tid = q.found.tid;
    if (argc < 2) {
        out_line(s, "[Current thread is %d (LWP %d)]", n, tid);
        return NULL;
    }
    EZ_TRY(ez_select_thread(s->target, tid));
    out_line(s, "[Switching to thread %d (LWP %d)]", n, tid);
    sess_frame(s, "#0  ");
    return NULL;
}

const struct ez_cmd command_thread = {
    .name = "thread",
    .alias = "t",
    .usage = "[N] | apply N...|all COMMAND",
    .brief = "Show or select the current thread.",
    .help = "N is a number of \"info threads\".",
    .examples = "thread 2\n"
                "thread apply all bt",
    .see_also = "info threads, backtrace",
    OPERANDS(DATA, 0, 1),
    .flags = NEED_STOPPED | OR_CORE | OWN_WORDS | TEXT_ONLY,
    .fn = cmd_thread,
};

/* ---- the process -------------------------------------------------------------------------- */

static const char *run_proc_link(struct ez_sess *s, int pid, const char *what)
{
    char to[4096];
    ssize_t n = readlink(sess_format(s, "/proc/%d/%s", pid, what), to, sizeof to - 1);
    to[n > 0 ? n : 0] = '\0';
    return sess_keep(s, ez_strdup(to));
}

static const char *run_proc_cmdline(struct ez_sess *s, int pid)
{
    char text[4096] = "";
    FILE *f = fopen(sess_format(s, "/proc/%d/cmdline", pid), "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    for (size_t i = 0; i + 1 < n; i++)
        if (!text[i])
            text[i] = ' ';
    return sess_keep(s, ez_strdup(text));
}

static ez_err *cmd_info_proc(struct ez_sess *s, int argc, char **argv)
{
    struct ez_core_info core;
    ez_core_info(s->target, &core);
    int pid = core.path ? core.pid : ez_target_pid(s->target);
    const char *program = ez_target_program(s->target);
    const char *cmdline = core.path ? core.command : run_proc_cmdline(s, pid);
    const char *cwd = core.path ? "" : run_proc_link(s, pid, "cwd");
    const char *exe = core.path ? ez_text(program) : run_proc_link(s, pid, "exe");
    struct out_table t;
    out_table_json(&t, s, "proc", "");
    out_fact(&t, "pid#", sess_format(s, "%d", pid));
    out_fact(&t, "cmdline", cmdline);
    out_fact(&t, "cwd", cwd);
    out_fact(&t, "exe", exe);
    if (!t.json) {
        out_line(s, "process %d", pid);
        out_line(s, "cmdline = '%s'", cmdline);
        if (!core.path)
            out_line(s, "cwd = '%s'", cwd);
        out_line(s, "exe = '%s'", exe);
    }
    out_table_json_end(&t, NULL);
    return NULL;
}

const struct ez_cmd command_info_proc = {
    .parent = "info",
    .name = "proc",
    .usage = "[mappings]",
    .brief = "Show id, command line, directory and file of the process.",
    .examples = "info proc",
    .see_also = "info mappings, info threads",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NEED_TARGET | OR_CORE,
    .fn = cmd_info_proc,
};

struct run_maps {
    struct out_table t;
    bool one; /* only the mapping that contains the address */
    uint64_t at;
};

static void run_list_map(const struct ez_map *m, void *arg)
{
    struct run_maps *q = arg;
    struct ez_sess *s = q->t.sess;
    if (q->one && (q->at < m->lo || q->at >= m->hi))
        return;
    if (q->t.json) {
        out_row(&q->t, out_addr16(s, m->lo), out_addr16(s, m->hi), m->perm, out_addr(s, m->offset),
                sess_format(s, "%02x:%02x", m->dev_major, m->dev_minor),
                out_cell_count(s, m->inode), m->name, NULL);
        return;
    }
    out_line(s, "0x%012llx-0x%012llx %s %08llx %02x:%02x %-8llu %s", (unsigned long long)m->lo,
             (unsigned long long)m->hi, m->perm, (unsigned long long)m->offset, m->dev_major,
             m->dev_minor, (unsigned long long)m->inode, m->name);
}

static ez_err *cmd_info_mappings(struct ez_sess *s, int argc, char **argv)
{
    struct run_maps q = { .one = argc > 1 };
    if (q.one)
        EZ_TRY(values_address(s, argv[1], &q.at));
    out_table_json(&q.t, s, "mappings", "from to permissions offset device inode# name");
    ez_err *e = ez_mappings(s->target, run_list_map, &q);
    out_table_json_end(&q.t, e);
    return e;
}

const struct ez_cmd command_info_proc_mappings = {
    .parent = "info proc",
    .name = "mappings",
    .usage = "",
    .brief = "Show the memory mappings; eztsh's own have names.",
    .examples = "info proc mappings",
    .see_also = "info mappings",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NEED_TARGET | OR_CORE,
    .fn = cmd_info_mappings,
};

const struct ez_cmd command_info_mappings = {
    .parent = "info",
    .name = "mappings",
    .usage = "[ADDRESS]",
    .brief = "Show the memory mappings; eztsh's own have names.",
    .help = "With ADDRESS, show only the mapping that contains it.",
    .examples = "info mappings\n"
                "info mappings $sp",
    .see_also = "info proc, mmap",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = NEED_TARGET | OR_CORE,
    .fn = cmd_info_mappings,
};

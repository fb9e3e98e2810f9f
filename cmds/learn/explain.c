/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c - `explain`, `info ptrace`, --ptrace-log: the shell's requests to the kernel, as
 * they happen.
 *
 * The engine reports each call (pt_log.h). `explain` narrates the calls of the chosen topics on
 * standard error, apart from the commands' output. The log has all calls, one JSON object a
 * line.
 * Tests: tests/procs/explain.sh */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "engine/base/json.h"
#include "engine/base/newfile.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "engine/inferior/pt_log.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LED 8 /* number of calls that are printed before a failed call */

static struct {
    unsigned topics; /* enum ez_ptrace_topic: topics to narrate */
    FILE *log;       /* file of --ptrace-log; NULL = none */
    uint64_t begin;  /* start time of the log */
} explain;

static const struct {
    const char *word;
    unsigned topic;
} topics[] = {
    { "all", EZ_PT_ALL },   { "inject", EZ_PT_INJECT }, { "patch", EZ_PT_PATCH },
    { "step", EZ_PT_STEP }, { "wait", EZ_PT_WAIT },
};

/* ---- a call in words ----------------------------------------------------------------------- */

static const char *explain_event(int event)
{
    static const char *const name[] = { [1] = "a fork",
                                        [2] = "a vfork",
                                        [3] = "a new thread",
                                        [4] = "an exec",
                                        [5] = "the end of a vfork",
                                        [6] = "its end",
                                        [7] = "a seccomp filter" };
    if (event == 128)
        return "stopped, as asked";
    return event > 0 && event < (int)EZ_ARRAY_LEN(name) ? name[event] : "an event";
}

static char *explain_status(int status)
{
    int event = status >> 16, sig = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
    if (WIFEXITED(status))
        return ez_sprintf("exited with status %d", WEXITSTATUS(status));
    if (event && (event != 128 || sig == SIGTRAP))
        return event == 128 ? ez_strdup(explain_event(event))
                            : ez_sprintf("stopped: %s", explain_event(event));
    if (sig & 0x80)
        return ez_strdup("stopped at a system call");
    char name[16];
    ez_str_signal(sig ? sig : WTERMSIG(status), name);
    return event ? ez_sprintf("stopped by %s, with its process", name)
                 : ez_sprintf(sig ? "stopped by %s" : "killed by %s", name);
}

static void explain_bytes(char *text, const uint8_t *at, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        snprintf(text + 3 * i, 4, i + 1 < n ? "%02x " : "%02x", at[i]);
}

static char *explain_write(const struct ez_ptrace_call *c)
{
    char before[64] = "", after[64] = "", from[32] = "";
    EZ_FREE char *head =
        ez_sprintf("%s %llu byte%s at 0x%llx", c->request, (unsigned long long)c->data,
                   ez_plural(c->data), (unsigned long long)c->addr);
    if (!c->had)
        return ez_strdup(head);
    if (!c->nbytes)
        return ez_sprintf("%s: as they are", head);
    const char *more = c->data - c->offset > c->nbytes ? " ..." : "";
    if (c->offset)
        snprintf(from, sizeof from, "from +%u ", c->offset);
    explain_bytes(before, c->before, c->nbytes);
    explain_bytes(after, c->after, c->nbytes);
    return ez_sprintf("%s: %s%s%s -> %s%s", head, from, before, more, after, more);
}

/* Returns what the call requests, and from which thread, in words. */
static char *explain_request(const struct ez_ptrace_call *c)
{
    if (c->kind == EZ_PT_BYTES)
        return explain_write(c);
    if (c->kind == EZ_PT_POKE)
        return ez_sprintf("%s thread %d, 0x%llx = 0x%llx", c->request, c->tid,
                          (unsigned long long)c->addr, (unsigned long long)c->data);
    if (c->topic == EZ_PT_WAIT && c->tid <= 0)
        return ez_sprintf("%s any", c->request);
    char sig[16] = "";
    if (c->kind == EZ_PT_RUNS && c->data)
        ez_str_signal((int)c->data, sig);
    return ez_sprintf("%s thread %d%s%s", c->request, c->tid, *sig ? " with " : "", sig);
}

/* Returns the result of the call in words; "" for success without a value. */
static char *explain_answer(const struct ez_ptrace_call *c)
{
    if (c->errnum)
        return ez_sprintf(" = %s", strerrorname_np(c->errnum) ? strerrorname_np(c->errnum) : "?");
    if (c->kind != EZ_PT_REPORT)
        return ez_strdup("");
    if (!c->got)
        return ez_strdup(" = nobody");
    EZ_FREE char *status = explain_status(c->status);
    return c->tid > 0 ? ez_sprintf(" = %s", status) : ez_sprintf(" = thread %d %s", c->got, status);
}

static char *explain_line(struct ez_sess *s, const struct ez_ptrace_call *c)
{
    EZ_FREE char *request = explain_request(c), *answer = explain_answer(c);
    char duration[32];
    snprintf(duration, sizeof duration, c->spent_ns < 1000000 ? "%.1f us" : "%.0f us",
             (double)c->spent_ns / 1e3);
    return ez_sprintf("%s%s  %s: %s (%s)", request, answer, duration, c->what, c->why);
}

/* ---- the log ------------------------------------------------------------------------------- */

/* Adds what only some calls have: the bytes of a write to memory, the thread and the status that a
 * wait returned. */
static void explain_log_more(struct ez_json *j, const struct ez_ptrace_call *c)
{
    char before[64] = "", after[64] = "";
    if (c->kind == EZ_PT_REPORT) {
        ez_json_add_int(j, "got", c->got);
        ez_json_add_hex(j, "status", (unsigned)c->status);
        return;
    }
    if (!c->nbytes)
        return;
    explain_bytes(before, c->before, c->had ? c->nbytes : 0);
    explain_bytes(after, c->after, c->nbytes);
    ez_json_add_uint(j, "offset", c->offset);
    ez_json_add_text(j, "before", before);
    ez_json_add_text(j, "after", after);
}

static void explain_log_line(struct ez_json *j)
{
    ez_json_end(j, '}');
    fputs(j->text, explain.log);
    putc('\n', explain.log);
    ez_json_free(j);
}

static void explain_log(const struct ez_ptrace_call *c)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_uint(&j, "n", c->number);
    ez_json_add_uint(&j, "ns", c->at_ns - explain.begin);
    ez_json_add_uint(&j, "took_ns", c->spent_ns);
    ez_json_add_text(&j, "request", c->request);
    ez_json_add_int(&j, "tid", c->tid);
    ez_json_add_hex(&j, "addr", c->addr);
    ez_json_add_hex(&j, "data", c->data);
    ez_json_add_int(&j, "errno", c->errnum);
    ez_json_add_text(&j, "why", c->why);
    explain_log_more(&j, c);
    explain_log_line(&j);
}

static void explain_hear(const struct ez_ptrace_call *c, void *arg)
{
    struct ez_sess *s = arg;
    if (explain.log)
        explain_log(c);
    if (explain.topics & c->topic) {
        EZ_FREE char *line = explain_line(s, c);
        out_aside(s, "%s", line);
    }
}

static void explain_listen(struct ez_sess *s)
{
    ez_ptrace_listen(explain.log || explain.topics ? explain_hear : NULL, s);
}

/* Opens the log under its final name, so that a killed shell leaves its lines. */
ez_err *explain_log_open(struct ez_sess *s, const char *path)
{
    EZ_FREE char *place = ez_newfile_place(path);
    struct ez_newfile file;
    struct ez_json j = { .text = NULL };
    EZ_TRY(ez_newfile_refused(place));
    if (!ez_newfile_open(&file, place, 0666))
        return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", path);
    if (!ez_newfile_replace(&file, place) || !(explain.log = fdopen(file.fd, "w"))) {
        ez_err *e = ez_err_new(EZ_E_SYS, errno, "Cannot write %s", path);
        ez_newfile_drop(&file);
        close(file.fd);
        return e;
    }
    explain.begin = ez_now_ns();
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "schema", "eztsh-ptrace");
    ez_json_add_uint(&j, "version", 1);
    explain_log_line(&j);
    explain_listen(s);
    return NULL;
}

ez_err *explain_log_close(void)
{
    FILE *f = explain.log;
    explain.log = NULL;
    explain.topics = 0;
    ez_ptrace_listen(NULL, NULL);
    if (!f)
        return NULL;
    int bad = ferror(f);
    if (fclose(f) || bad)
        return ez_err_new(EZ_E_SYS, errno, "The log of ptrace calls was not written to its end");
    return NULL;
}

/* ---- commands ------------------------------------------------------------------------------ */

static void explain_show(struct ez_sess *s)
{
    const char *list = "";
    for (size_t i = 1; i < EZ_ARRAY_LEN(topics); i++)
        if (explain.topics & topics[i].topic)
            list = sess_format(s, "%s%s%s", list, *list ? ", " : "", topics[i].word);
    if (*list)
        out_line(s, "Explained: %s.", explain.topics == EZ_PT_ALL ? "all" : list);
    else
        out_line(s, "No topic is explained.");
}

static ez_err *explain_topic(struct ez_sess *s, const char *word, unsigned *out)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(topics); i++)
        if (!strcmp(topics[i].word, word)) {
            *out |= topics[i].topic;
            return NULL;
        }
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a topic of explain", word),
                       "The topics are patch, inject, step, wait and all");
}

static ez_err *cmd_explain(struct ez_sess *s, int argc, char **argv)
{
    unsigned chosen = 0;
    bool on = argc > 1 && !strcmp(argv[1], "on");
    if (argc == 1) {
        explain_show(s);
        return NULL;
    }
    if (!on && (strcmp(argv[1], "off") || argc > 2))
        return opt_misuse(s);
    for (int i = 2; i < argc; i++)
        EZ_TRY(explain_topic(s, argv[i], &chosen));
    explain.topics = on && !chosen ? EZ_PT_ALL : chosen;
    explain_listen(s);
    return NULL;
}

const struct ez_cmd command_explain = {
    .name = "explain",
    .usage = "[on [TOPIC...] | off]",
    .brief = "Explain each ptrace call as it happens.",
    .help = "Each call of ptrace and wait is one line on standard error: the request, the\n"
            "thread, the answer, the duration, what the call does, and why eztsh makes it.\n"
            "A write to memory shows the bytes before and after. TOPIC is one or more of:\n"
            "  patch   writes to memory: code, trampolines, the runtime\n"
            "  inject  registers and signals: a program's thread makes system calls for eztsh\n"
            "  step    single instructions\n"
            "  wait    stopping threads, letting them run, waiting for them\n"
            "  all     all of these: the default\n"
            "\n"
            "\"strace -e trace=ptrace,wait4,waitid\" of eztsh shows the same calls in the same\n"
            "order. The option -ptrace-log=FILE of eztsh writes all calls to FILE, one JSON\n"
            "object on each line.",
    .examples = "explain on patch\n"
                "probe compute\n"
                "explain off",
    .see_also = "info ptrace, why, disassemble",
    OPERANDS(SUPPORT, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_explain,
    .complete = comp_explain,
};

static void explain_print(const struct ez_ptrace_call *c, void *arg)
{
    struct ez_sess *s = arg;
    EZ_FREE char *line = explain_line(s, c);
    if (!s->out.quit_pager)
        out_line(s, "%llu %s", (unsigned long long)c->number, line);
}

/* The last failed call and the calls that led to it. */
struct explain_led {
    struct ez_sess *s;
    uint64_t failed; /* number of the failed call; 0 = none */
};

static void explain_find_failed(const struct ez_ptrace_call *c, void *arg)
{
    struct explain_led *l = arg;
    if (c->errnum)
        l->failed = c->number;
}

static void explain_print_led(const struct ez_ptrace_call *c, void *arg)
{
    const struct explain_led *l = arg;
    EZ_FREE char *line = NULL;
    if (c->number > l->failed || c->number + LED <= l->failed)
        return;
    line = explain_line(l->s, c);
    out_aside(l->s, "  %llu %s", (unsigned long long)c->number, line);
}

void explain_failure(struct ez_sess *s)
{
    struct explain_led l = { s, 0 };
    ez_ptrace_last(EZ_PTRACE_LAST, explain_find_failed, &l);
    if (!l.failed)
        return;
    out_aside(s, "What led there, of what `info ptrace -last` tells:");
    ez_ptrace_last(EZ_PTRACE_LAST, explain_print_led, &l);
}

static void explain_row(const struct ez_ptrace_call *c, void *arg)
{
    struct out_table *t = arg;
    struct ez_sess *s = t->sess;
    EZ_FREE char *answer = explain_answer(c);
    out_row(t, out_cell_count(s, c->number), c->request, sess_format(s, "%d", c->tid),
            out_addr(s, c->addr), out_addr(s, c->data), out_cell_count(s, c->spent_ns),
            sess_format(s, "%d", c->errnum), *answer ? answer + strlen(" = ") : "", c->what, c->why,
            NULL);
}

static void explain_last(struct ez_sess *s, size_t n)
{
    struct out_table t;
    out_table_json(&t, s, "ptrace-last",
                   "number# request tid# address data took_ns# errno# answer what why");
    ez_ptrace_last(n, t.json ? explain_row : explain_print, t.json ? (void *)&t : s);
    out_table_json_end(&t, NULL);
}

static void explain_sums(struct ez_sess *s)
{
    const struct ez_ptrace_sum *sum;
    struct ez_ptrace_sum all = { .request = "All" };
    struct out_table t;
    size_t n = ez_ptrace_sums(&sum);
    out_table_init(&t, s, "Request", ">Calls", ">Failed", ">Time", ">Mean", NULL);
    out_table_keys(&t, "ptrace", "request calls# failed# ns# mean_ns#");
    for (size_t i = 0; i <= n; i++) {
        const struct ez_ptrace_sum *r = i < n ? &sum[i] : &all;
        if (!r->calls || (i == n && s->run.json)) /* JSON has no row for the sum */
            continue;
        out_row(&t, r->request, sess_format(s, "%llu", (unsigned long long)r->calls),
                sess_format(s, "%llu", (unsigned long long)r->failed), out_cell_time(s, r->ns),
                out_cell_time(s, r->ns / r->calls), NULL);
        all.calls += i < n ? r->calls : 0;
        all.failed += i < n ? r->failed : 0;
        all.ns += i < n ? r->ns : 0;
    }
    out_table_end(&t, "There were no ptrace calls yet.");
}

static ez_err *cmd_info_ptrace(struct ez_sess *s, int argc, char **argv)
{
    if (opt_given(s, "-last"))
        explain_last(s, (size_t)opt_number(s, "-last", EZ_PTRACE_LAST));
    else
        explain_sums(s);
    return NULL;
}

const struct ez_cmd command_info_ptrace = {
    .parent = "info",
    .name = "ptrace",
    .usage = "",
    .brief = "Show the ptrace calls and their cost.",
    .help = "The shell keeps the last 256 calls, so that you can see the calls before a\n"
            "failure.",
    .examples = "info ptrace\n"
                "info ptrace -last 20",
    .see_also = "explain",
    OPERANDS(SUPPORT, 0, 0),
    OPTIONS(FOR_PROGRAMS, { .name = "-last",
                            .kind = OPT_NUMBER,
                            .value = "N",
                            .meaning = "print the last N calls, each explained" }),
    .fn = cmd_info_ptrace,
};

void comp_explain(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    comp_offer(out, word, "on");
    comp_offer(out, word, "off");
    for (size_t i = 0; i < EZ_ARRAY_LEN(topics); i++)
        comp_offer(out, word, topics[i].word);
}

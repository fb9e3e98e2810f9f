/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - `record`: probes a program, runs it to its end, and says where the trace is.
 *
 * The command changes the session as `file`, `set args`, `trace start`, `module load`, `probe -r`,
 * `set budget` and `run` do, and does not undo these changes at its end. Until the program ends,
 * only errors are printed, because the program uses the terminal.
 * Tests: tests/procs/record.sh, tests/e2e/record.ezt */
#include <ctype.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "cmds/probe/budget.h"
#include "cmds/probe/probe_spec.h"
#include "cmds/run/run.h"
#include "engine/base/strutil.h"
#include "shell/lex.h"
#include "shell/opt.h"
#include "shell/out.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

enum { RECORD_BUDGET = 5 }; /* budget in percent, if -budget is not given */

/* ---- which functions ------------------------------------------------------------------------- */

/* Rules and probes of the last `record`, which the next one deletes. */
struct record_rules {
    EZ_VEC(unsigned) own;
    EZ_VEC(struct ez_numbers) stap;
};

static void record_free_rules(void *state)
{
    struct record_rules *r = state;
    EZ_VEC_FREE(&r->own);
    EZ_VEC_FREE(&r->stap);
}

static struct record_rules *record_rules(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct record_rules), record_free_rules };
    return sess_state(s, &kind);
}

static void record_note_newest(const struct ez_rule_info *r, void *arg)
{
    *(unsigned *)arg = EZ_MAX(*(unsigned *)arg, r->number);
}

static unsigned record_newest_rule(struct ez_sess *s)
{
    unsigned newest = 0;
    ez_rules(s->target, record_note_newest, &newest);
    return newest;
}

/* Deletes the probes of the last `record`. */
static ez_err *record_forget(struct ez_sess *s)
{
    struct record_rules *r = record_rules(s);
    for (; r->own.n; r->own.n--)
        EZ_TRY(ez_rule_delete(s->target, r->own.at[r->own.n - 1]));
    for (; r->stap.n; r->stap.n--) /* no error: the user may have deleted these probes */
        ez_err_drop(ez_probe_delete(s->target, &r->stap.at[r->stap.n - 1], 1));
    return NULL;
}

/* Probes all functions that [LIB:]REGEX matches; startup: also functions of the startup files
 * (_start and others). */
static ez_err *record_probe(struct ez_sess *s, const char *regex, bool startup)
{
    const bool arguments = opt_given(s, "-A");
    const struct ez_probe_spec spec = { .kind = EZ_PROBE_BOTH,
                                        .record = true,
                                        .matching = true,
                                        .no_startup = !startup,
                                        .location = regex,
                                        .collect = arguments ? PROBE_SPEC_ARGS : NULL,
                                        .leave = arguments ? PROBE_SPEC_RESULT : NULL };
    struct ez_bulk b = { 0 };
    unsigned before = record_newest_rule(s);
    EZ_TRY(ez_probe_add_matching(s->target, &spec, &b));
    if (record_newest_rule(s) != before) {
        EZ_PUSH(&record_rules(s)->own, record_newest_rule(s));
        return NULL;
    }
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No function matches \"%s\"", regex),
                       "-F '*:%s' searches the libraries, too", regex);
}

/* Returns true if a function of the file was found only by .eh_frame, which has no names. */
static bool record_is_stripped(const struct ez_object *o)
{
    size_t n;
    const struct ez_sym *sym = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++)
        if (sym[i].unnamed)
            return true;
    return false;
}

/* Adds a name to a list of alternatives: "open|read". */
static void record_add_import(const char *name, void *arg)
{
    char **list = arg, *to;
    EZ_FREE char *quoted = ez_alloc(2 * strlen(name) + 1);
    for (to = quoted; *name; *to++ = *name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            *to++ = '\\';
    char *longer = ez_sprintf("%s%s%s", *list, **list ? "|" : "", quoted);
    free(*list);
    *list = longer;
}

/* Probes all functions of the program. A stripped program has names only for the functions of
 * libraries that it calls: these library functions are probed, too. */
static ez_err *record_probe_program(struct ez_sess *s)
{
    const struct ez_object *o = ez_target_object(s->target);
    EZ_FREE char *imports = ez_strdup("");
    EZ_TRY(record_probe(s, ".", false));
    if (!record_is_stripped(o))
        return NULL;
    ez_object_imports(o, record_add_import, &imports);
    EZ_FREE char *regex = ez_sprintf("*:^(%s)$", imports);
    return *imports ? record_probe(s, regex, true) : NULL;
}

/* Probes a USDT probe. It may be in a library that is loaded later. */
static ez_err *record_probe_stap(struct ez_sess *s, const char *name)
{
    const struct ez_probe_spec spec = { .kind = EZ_PROBE_ENTRY,
                                        .record = true,
                                        .collect = "$args",
                                        .location = sess_format(s, EZ_STAP_WORD "%s", name) };
    int first = 0, n = 0;
    EZ_TRY(ez_location_check(spec.location));
    EZ_TRY(ez_probe_add(s->target, &spec, &first, &n));
    for (int i = 0; i < n; i++)
        EZ_PUSH(&record_rules(s)->stap, ((struct ez_numbers){ first + i, first + i }));
    return NULL;
}

static ez_err *record_probe_all(struct ez_sess *s)
{
    const char *const *regex = opt_texts(s, "-F"), *const *stap = opt_texts(s, "-stap");
    if (!*regex && !*stap && !opt_given(s, "-m"))
        return record_probe_program(s);
    ez_err *e = NULL;
    for (; !e && *regex; regex++)
        e = record_probe(s, *regex, true);
    for (; !e && *stap; stap++)
        e = record_probe_stap(s, *stap);
    return e ? ez_err_first(e, record_forget(s)) : NULL;
}

struct record_module {
    const char *name;
    bool loaded;
};

static void record_find_module(const struct ez_plugin_info *p, void *arg)
{
    struct record_module *m = arg;
    m->loaded |= !strcmp(p->name, m->name) || !strcmp(p->path, m->name);
}

static ez_err *record_modules(struct ez_sess *s)
{
    for (const char *const *name = opt_texts(s, "-m"); *name; name++) {
        struct record_module m = { *name, false };
        ez_plugins(s->target, record_find_module, &m);
        if (!m.loaded)
            EZ_TRY(ez_plugin_load(s->target, *name));
    }
    return NULL;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Handles Ctrl-Z: while the program is stopped, stops eztsh, too, as a job of the user's shell. If
 * no shell could continue the job, the kernel drops the signal. */
static void record_suspend(void)
{
    const struct sigaction usual = { .sa_handler = SIG_DFL };
    struct sigaction before;
    sigset_t stop, mask;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigaction(SIGTSTP, &usual, &before);
    kill(0, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask); /* eztsh stops in this call */
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
}

/* Runs the program to its end. Signals reach the program: Ctrl-C at its terminal does so without a
 * stop, and a SIGINT that the shell gets is passed on. Ctrl-Z at a terminal stops the program and
 * eztsh. */
static ez_err *record_run(struct ez_sess *s)
{
    struct ez_run how = run_how(s);
    s->program.status = -1;
    s->program.stop_signal = 0;
    out_flush(s); /* The shell's output must precede the output of the program. */
    sess_hand_over(s);
    ez_err *e = ez_run(s->target, &how);
    /* Runs after an error, too, because sess_foreground() gives the terminal back to the shell. */
    e = ez_err_first(e, sess_foreground(s));
    while (!e && !s->end.quit && ez_target_state(s->target) == EZ_STOPPED) {
        if (s->program.stop_signal == SIGINT)
            kill(ez_target_pid(s->target), SIGINT);
        bool suspend = s->program.stop_signal == SIGTSTP;
        if (suspend)
            record_suspend();
        s->program.stop_signal = 0;
        /* Only the foreground process group may read from the terminal, so the program becomes that
         * group before it continues. */
        sess_hand_over(s);
        e = ez_continue(s->target, false, suspend ? 0 : -1);
        e = ez_err_first(e, sess_foreground(s));
    }
    s->program.stopped = false; /* The user requested none of these stops. */
    return e;
}

/* Plants and runs with the trace that -o names, or an automatic one. */
static ez_err *record_traced(struct ez_sess *s)
{
    const char *path = opt_text(s, "-o");
    struct ez_trace_info t = { 0 };
    sess_forget_traces(s);
    if (path)
        EZ_TRY(ez_trace_start(s->target, path));
    ez_trace_info(s->target, &t);
    if (t.pending) /* named by -o, or by an earlier "trace start" */
        EZ_PUSH(&s->program.trace, ez_strdup(t.path));
    ez_err *e = record_modules(s);
    if (!e)
        e = record_probe_all(s);
    if (!e)
        e = budget_set(s, (unsigned)opt_number(s, "-budget", RECORD_BUDGET));
    if (!e)
        e = record_run(s);
    ez_trace_info(s->target, &t);
    /* the failed run has not opened the file, so the next program must not write to it */
    if (e && path && t.pending)
        e = ez_err_first(e, ez_trace_stop(s->target));
    return e;
}

static ez_err *record_quietly(struct ez_sess *s)
{
    struct ez_settings *set = ez_settings(s->target);
    const bool pass = set->pass_signals, automatic = set->trace_auto;
    const uint8_t interrupt = set->signal_how[SIGINT], suspend = set->signal_how[SIGTSTP];
    set->pass_signals = set->trace_auto = true;
    set->signal_how[SIGINT] = EZ_SIG_CHOSEN | EZ_SIG_PASS;
    if (isatty(STDIN_FILENO))
        set->signal_how[SIGTSTP] = EZ_SIG_CHOSEN | EZ_SIG_STOP;
    s->out.hush = true;
    ez_err *e = record_traced(s);
    s->out.hush = false;
    set->pass_signals = pass;
    set->trace_auto = automatic;
    set->signal_how[SIGINT] = interrupt;
    set->signal_how[SIGTSTP] = suspend;
    return e;
}

/* ---- what was recorded ----------------------------------------------------------------------- */

struct record_sum {
    struct record_count {
        uint64_t calls;
        unsigned called, probed; /* functions */
    } probes, modules;
};

static void record_add_probe(const struct ez_probe_info *p, void *arg)
{
    struct record_sum *sum = arg;
    struct record_count *c = p->spec->with ? &sum->modules : &sum->probes;
    if (!p->spec->record || p->twin)
        return;
    c->calls += p->entries;
    c->called += p->entries > 0;
    c->probed += !p->missed;
}

/* Returns the traces: one for each program that the process executed. `quoted`: for a command line. */
static const char *record_files(struct ez_sess *s, bool quoted)
{
    const char *list = "";
    for (size_t i = 0; i < s->program.trace.n; i++) {
        const char *path = s->program.trace.at[i];
        EZ_FREE char *word = quoted ? lex_sh_quote(path) : ez_strdup(path);
        list = sess_format(s, "%s%s%s", list, !i ? "" : quoted ? " " : ", ", word);
    }
    return list;
}

/* Prints the commands that read the trace, as the user types them where record was typed. */
static void record_say_next(struct ez_sess *s)
{
    static const struct {
        const char *command, *shows;
    } next[] = { { "stats", "the times of each function" }, { "replay", "each call" } };
    /* commands at the prompt use the last trace, so they need no file name */
    bool named = s->front || s->program.trace.n > 1;
    const char *line = "", *files = named ? sess_format(s, " %s", record_files(s, true)) : "";
    for (size_t i = 0; i < EZ_ARRAY_LEN(next); i++)
        if (sess_is_command(next[i].command))
            line = sess_format(s, "%s%s\"%s%s%s\" shows %s", line, *line ? ", " : "",
                               s->front ? "eztsh " : "", next[i].command, files, next[i].shows);
    out_ours(s, "%s.", line);
}

static ez_err *record_empty(const struct record_sum *sum)
{
    unsigned probed = sum->probes.probed + sum->modules.probed;
    ez_err *e = ez_err_new(EZ_E_NOTFOUND, 0, "No call was recorded");
    return probed ? ez_err_hint(e, "Probed functions, none of which the program called: %u", probed)
                  : ez_err_hint(e, "No function was probed: \"info functions\" lists functions, "
                                   "\"why FUNCTION\" says why one cannot be probed");
}

/* Returns "5 calls of 2 functions". */
static const char *record_count_text(struct ez_sess *s, const struct record_count *c)
{
    return sess_format(s, "%llu call%s of %u function%s", (unsigned long long)c->calls,
                       ez_plural(c->calls), c->called, ez_plural(c->called));
}

static void record_say_calls(struct ez_sess *s, const struct record_sum *sum,
                             const struct ez_trace_info *t)
{
    const struct ez_accounting *l = &t->accounting;
    /* modules filter hits themselves, so filtered hits do not prove that the budget throttled
     * probes */
    bool throttled = l->filtered && !sum->modules.calls;
    bool part = throttled || l->dropped || l->untraced;
    const char *calls = record_count_text(s, sum->probes.calls ? &sum->probes : &sum->modules);
    if (sum->probes.calls && sum->modules.calls)
        calls =
            sess_format(s, "%s and, by modules, %s", calls, record_count_text(s, &sum->modules));
    out_line(s, "Recorded %s%s in %s.", part ? "a part of " : "", calls, record_files(s, false));
    if (sum->modules.probed) /* a call may be several events, and an interpreter calls a module */
        out_line(s, "The trace has %llu events.", (unsigned long long)l->recorded);
    if (part)
        out_accounting(s, "", l);
    if (throttled)
        out_line(s,
                 "The budget of %u %% of the processor time left out the filtered hits: "
                 "\"-budget 0\" records all.",
                 ez_settings(s->target)->budget);
}

/* Prints where the trace is. Returns EZ_E_NOTFOUND if the trace has no call. */
static ez_err *record_report(struct ez_sess *s)
{
    struct ez_trace_info t = { 0 };
    struct record_sum sum = { 0 };
    ez_trace_info(s->target, &t);
    ez_probes(s->target, record_add_probe, &sum);
    if (s->program.killed_by)
        out_line(s, "Program terminated with signal %s, %s.", out_signal(s, s->program.killed_by),
                 out_signal_text(s->program.killed_by));
    if (!s->program.trace.n || t.pending || (!sum.probes.calls && !sum.modules.calls))
        return record_empty(&sum);
    record_say_calls(s, &sum, &t);
    record_say_next(s);
    return NULL;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns an error if the settings or the session's state prevent a trace of one process. */
static ez_err *record_possible(struct ez_sess *s)
{
    const struct ez_settings *set = ez_settings(s->target);
    uint64_t budget = opt_number(s, "-budget", RECORD_BUDGET);
    if (budget > 100)
        return ez_err_new(EZ_E_ARG, 0, "-budget must be a number from 0 to 100");
    if (s->job || jobs_run_follows_all(s))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "Only one process can be recorded"),
                           "Type \"file\", \"probe -r .\" and \"run\" for several");
    if (ez_transaction_open(s->target))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "A transaction is open"),
                           "Type \"commit\" or \"rollback\" first");
    if (set->dry_run || set->overflow == EZ_OVERFLOW_OVERWRITE)
        return ez_err_new(EZ_E_STATE, 0, "No trace is written while \"set %s\" is on",
                          set->dry_run ? "dry-run" : "overflow overwrite");
    return NULL;
}

static void record_set_args(struct ez_sess *s, char *const *word)
{
    char *all = ez_strdup("");
    for (; *word; word++) {
        EZ_FREE char *quoted = lex_sh_quote(*word);
        char *longer = ez_sprintf("%s%s%s", all, *all ? " " : "", quoted);
        free(all);
        all = longer;
    }
    free(s->ui.args);
    s->ui.args = all;
}

static ez_err *cmd_record(struct ez_sess *s, int argc, char **argv)
{
    EZ_TRY(record_possible(s));
    EZ_TRY(run_end_process(s));
    EZ_TRY(record_forget(s));
    EZ_TRY(ez_target_file(s->target, parse_path(s, argv[1])));
    record_set_args(s, argv + 2);
    EZ_TRY(record_quietly(s));
    s->out.aside = s->front; /* standard output is the program's */
    ez_err *e = record_report(s);
    s->out.aside = false;
    return e;
}

struct record_offer {
    struct ez_comp *out;
    const char *typed;
};

static void record_offer_module(const struct ez_plugin_info *p, void *arg)
{
    struct record_offer *o = arg;
    if (!p->problem)
        comp_offer(o->out, o->typed, p->name);
}

static void record_complete_module(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    ez_plugins_available(s->target, record_offer_module, &(struct record_offer){ out, word });
}

const struct ez_cmd command_record = {
    .name = "record",
    .usage = "PROG [ARGS...]",
    .brief = "Run a program to its end, and record its calls.",
    .help = "Without -F, -m and -stap all functions in the file PROG are recorded, except\n"
            "those that the compiler links into each program (_start, frame_dummy). If PROG\n"
            "is stripped, only library functions have names, so record also records the\n"
            "library functions that PROG calls. record prints only errors until the program\n"
            "ends. Signals go to the program. If Ctrl-C ends the program, the trace has the\n"
            "calls until then. The words after PROG are its arguments, unchanged.\n"
            "\n"
            "The budget limits what recording may cost: if a function is called too often,\n"
            "its calls are only counted for a while (\"help set budget\"). After the command,\n"
            "the probes, the program and the budget remain set until the next \"record\", as\n"
            "if you had typed them.\n"
            "\n"
            "\"eztsh record PROG\" exits with the program's status.",
    .examples = "record ./app -n 10\n"
                "record -F ^solve_ -F 'libm:.' -A -o run1.fxt ./app -n 10\n"
                "record -m pthread -budget 0 ./app",
    .see_also = "run, probe, trace, set budget, module load, stats",
    OPERANDS(TRACE, 1, -1),
    OPTIONS({ .name = "-F",
              .kind = OPT_TEXT,
              .value = "REGEX",
              .many = true,
              .complete = comp_symbol,
              .meaning = "record matching functions: [LIB:]REGEX, as of \"probe -r\"" },
            { .name = "-A",
              .meaning = "record arguments and results, as far as their types are known" },
            { .name = "-m",
              .kind = OPT_TEXT,
              .value = "MODULE",
              .many = true,
              .complete = record_complete_module,
              .meaning = "load this module; \"module list\" lists them" },
            { .name = "-stap",
              .kind = OPT_TEXT,
              .value = "NAME",
              .many = true,
              .meaning = "record a USDT probe and its arguments: [[OBJECT:]PROVIDER:]NAME" },
            { .name = "-o",
              .kind = OPT_FILE,
              .value = "FILE.fxt",
              .meaning = "write the trace to FILE; if FILE is a trace, replace it" },
            { .name = "-budget",
              .kind = OPT_NUMBER,
              .value = "P",
              .meaning =
                  "percent of the processor time that recording may take; the default is 5,\n"
                  "and 0 means no limit" }),
    .flags = NO_REPEAT | HERE | TEXT_ONLY | OPTIONS_FIRST | FRONT | FRONT_STATUS,
    .fn = cmd_record,
    .complete = comp_file,
};

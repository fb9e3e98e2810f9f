/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - `set` and `show`.
 *
 * Two lists describe all settings: the shell's list is here, the engine's in
 * engine/process/settings.c. The `set` and `show` tables are built from them, so that lookup, help
 * and completion treat a setting like a command. "history save" is `save` in the family `history`.
 * Tests: tests/e2e/settings.ezt, tests/e2e/flow.ezt */
#include "shell/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/newfile.h"
#include "engine/ezt.h"
#include "shell/command.h"
#include "shell/hooks.h"
#include "shell/out.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

#define AT(field) .offset = offsetof(struct ez_ui, field)

static const struct ez_setting settings_of_shell[] = {
    { .name = "args",
      .kind = EZ_SET_TEXT,
      AT(args),
      .text = "",
      .what = "the arguments that run gives to the program",
      .sentence = "Argument list to give program being debugged when it is started is \"%s\".",
      .example = "-n 10 > out.txt" },
    { .name = "auto-load safe-path",
      .kind = EZ_SET_TEXT,
      AT(safe_path),
      .text = "",
      .what = "directories whose .eztshrc is trusted",
      .sentence = "List of directories from which it is safe to auto-load files is %s.",
      .example = "/home/me/src:/opt/lab" },
    { .name = "background-traced",
      .kind = EZ_SET_FLAG,
      AT(background_traced),
      .word = { "off", "on" },
      .what = "whether \"continue &\" keeps the program traced",
      .sentence = "Tracing in the background is %s.",
      .example = "on",
      .meaning = "on: after \"continue &\" eztsh reports signals, forks, execs and the end of the\n"
                 "program as they happen, and signals stop the program as in the foreground\n"
                 "(\"handle\"). off: the program runs untraced, unless there are breakpoints or\n"
                 "follow-fork-mode is \"offer\"." },
    { .name = "breakpoint pending",
      .kind = EZ_SET_WORD,
      AT(pending),
      .word = { "auto", "on", "off" },
      .what = "whether breakpoints wait for libraries",
      .sentence = "Debugger's behavior regarding pending breakpoints is %s.",
      .example = "on",
      .meaning = "  auto  ask; where eztsh cannot ask (no terminal, a script), as off\n"
                 "  on    set a breakpoint that waits for a library with this location\n"
                 "  off   an unknown location is an error" },
    { .name = "by-hand",
      .kind = EZ_SET_FLAG,
      AT(by_hand),
      .word = { "off", "on" },
      .what = "whether the user plants probes step by step",
      .sentence = "Planting probes by hand is %s.",
      .example = "on",
      .meaning = "\"help hand\" explains the steps." },
    { .name = "confirm",
      .kind = EZ_SET_FLAG,
      AT(confirm),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether to confirm dangerous operations",
      .sentence = "Whether to confirm potentially dangerous operations is %s.",
      .example = "off" },
    { .name = "disable-randomization",
      .kind = EZ_SET_FLAG,
      AT(disable_aslr),
      .word = { "off", "on" },
      .what = "whether run loads the program at fixed addresses",
      .sentence = "Disabling randomization of debuggee's virtual address space is %s.",
      .example = "on" },
    { .name = "height",
      .kind = EZ_SET_NUMBER,
      AT(height),
      .initial = (unsigned)-1,
      .what = "how many lines the pager shows at a time",
      .sentence = "Number of lines eztsh thinks are in a page is %s.",
      .example = "0" },
    { .name = "history filename",
      .kind = EZ_SET_TEXT,
      AT(history_file),
      .text = "./.eztsh_history",
      .what = "the file that keeps the history",
      .sentence = "The filename in which to record the command history is \"%s\".",
      .example = "/tmp/history" },
    { .name = "history save",
      .kind = EZ_SET_FLAG,
      AT(history_save),
      .word = { "off", "on" },
      .what = "whether the history is kept in a file",
      .sentence = "Saving of the history record on exit is %s.",
      .example = "on" },
    { .name = "history size",
      .kind = EZ_SET_NUMBER,
      AT(history_size),
      .initial = 256,
      .what = "how many lines the history holds",
      .sentence = "The size of the command history is %s.",
      .example = "1000" },
    { .name = "job-timeout",
      .kind = EZ_SET_NUMBER,
      AT(job_timeout),
      .initial = 10,
      .what = "how long a process of a job may take to answer",
      .sentence = "A process of a job may take %s seconds to answer.",
      .example = "30",
      .meaning = "The value is in seconds. eztsh names the processes that did not answer in\n"
                 "this time, and reports their answers when they arrive." },
    { .name = "listsize",
      .kind = EZ_SET_NUMBER,
      AT(listsize),
      .initial = 10,
      .what = "how many lines list shows",
      .sentence = "Number of source lines eztsh will list by default is %s.",
      .example = "20" },
    { .name = "logging enabled",
      .kind = EZ_SET_FLAG,
      AT(log),
      .word = { "off", "on" },
      .what = "whether output also goes to a file",
      .sentence = "Logging is %s.",
      .example = "on" },
    { .name = "logging file",
      .kind = EZ_SET_TEXT,
      AT(log_file),
      .text = "eztsh.txt",
      .what = "the file of \"set logging enabled\"",
      .sentence = "The current logfile is \"%s\".",
      .example = "session.txt" },
    { .name = "logging overwrite",
      .kind = EZ_SET_FLAG,
      AT(log_overwrite),
      .word = { "off", "on" },
      .what = "whether logging overwrites the file",
      .sentence = "Whether logging overwrites the file is %s.",
      .example = "on" },
    { .name = "logging redirect",
      .kind = EZ_SET_FLAG,
      AT(log_only),
      .word = { "off", "on" },
      .what = "whether logged output is not printed",
      .sentence = "The logging output mode is %s.",
      .example = "on" },
    { .name = "pagination",
      .kind = EZ_SET_FLAG,
      AT(pagination),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether long output stops at each page",
      .sentence = "State of pagination is %s.",
      .example = "off" },
    { .name = "pauses",
      .kind = EZ_SET_FLAG,
      AT(pauses),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether commands on traces show pauses of threads",
      .sentence = "Showing of pauses is %s.",
      .example = "off",
      .meaning = "With off, the time in which a thread slept or was preempted counts as self time\n"
                 "of its function. The option -no-pauses of stats, timeline, convert and others\n"
                 "does the same for one command." },
    { .name = "print entry-values",
      .kind = EZ_SET_WORD,
      AT(entry_values),
      .word = { "default", "no", "both", "compact", "only", "preferred", "if-needed" },
      .what = "how arguments at the function's entry are printed",
      .sentence = "Printing of function arguments at function entry is \"%s\".",
      .example = "no",
      .meaning = "NAME@entry is the value at the call. It is known if the caller's debug\n"
                 "information describes it.\n"
                 "  default    print the current value, and NAME@entry=VALUE if it is known\n"
                 "  no         print the current value\n"
                 "  only       print NAME@entry\n"
                 "  preferred  print NAME@entry if it is known, otherwise the current value\n"
                 "  if-needed  print NAME@entry if the current value is lost\n"
                 "  both       print both values, known or not\n"
                 "  compact    as default, but omit the current value if it is lost" },
    { .name = "print inferior-events",
      .kind = EZ_SET_FLAG,
      AT(inferior_events),
      .word = { "off", "on" },
      .what = "whether new processes are reported",
      .sentence = "Printing of inferior events is %s.",
      .example = "off" },
    { .name = "print thread-events",
      .kind = EZ_SET_FLAG,
      AT(thread_events),
      .word = { "off", "on" },
      .what = "whether starts and ends of threads are reported",
      .sentence = "Printing of thread events is %s.",
      .example = "on" },
    { .name = "prompt",
      .kind = EZ_SET_TEXT,
      AT(prompt),
      .text = "(eztsh) ",
      .what = "the prompt",
      .sentence = "Eztsh's prompt is \"%s\".",
      .example = "(probe) " },
    { .name = "solib-search-path",
      .kind = EZ_SET_TEXT,
      AT(solib_path),
      .text = "",
      .what = "folders with the libraries of a core file",
      .sentence = "The search path for loading non-absolute shared library symbol files is %s.",
      .example = "/tmp/core/lib:/srv/lib",
      .meaning = "Colons separate the folders. They are searched for files that are not at\n"
                 "their place. The setting is for core files that are opened later." },
    { .name = "style enabled",
      .kind = EZ_SET_FLAG,
      AT(style),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether output has colors",
      .sentence = "CLI output styling is %s.",
      .example = "off",
      .meaning = "Output has colors only on a terminal that supports them, and only if\n"
                 "NO_COLOR is not in the environment." },
    { .name = "sysroot",
      .kind = EZ_SET_TEXT,
      AT(sysroot),
      .text = "",
      .what = "the folder with the files of a core file's machine",
      .sentence = "The current system root is \"%s\".",
      .example = "/srv/other-machine",
      .meaning = "The folder is put before the name of each file that the process had mapped.\n"
                 "The setting is for core files that are opened later." },
    { .name = "trace-commands",
      .kind = EZ_SET_FLAG,
      AT(trace_commands),
      .word = { "off", "on" },
      .what = "whether commands are printed as they run",
      .sentence = "State of command tracing is %s.",
      .example = "on" },
    { .name = "trace-index",
      .kind = EZ_SET_FLAG,
      AT(trace_index),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether commands on traces use indexes",
      .sentence = "Use of indexes of traces is %s.",
      .example = "off",
      .meaning = "The first command with -from or -to on a large trace makes an index of the\n"
                 "trace in ~/.cache/eztsh. With the index, later commands read only the part of\n"
                 "the trace that they show. If many events of the trace are events of modules,\n"
                 "not calls, these commands read all of the trace up to -to." },
    { .name = "width",
      .kind = EZ_SET_NUMBER,
      AT(width),
      .initial = (unsigned)-1,
      .what = "how many columns a line has",
      .sentence = "Number of characters eztsh thinks are in a line is %s.",
      .example = "120",
      .meaning = "Tables fit into the width if possible. \"unlimited\" never shortens a line." },
};

enum {
    N_SHELL = EZ_ARRAY_LEN(settings_of_shell),
    N_SETTINGS = N_SHELL + EZ_SETTINGS_MOST,
    N_FAMILIES = 8, /* upper bound of the number of families */
};
struct setting {
    const struct ez_setting *is;
    bool engine; /* the field is in struct ez_settings, not in struct ez_ui */
};
/* Settings of the shell and of the engine, sorted by name; filled in by settings_tables(). */
static struct setting settings[N_SETTINGS];
static size_t n_settings;

static size_t settings_nwords(const struct ez_setting *v)
{
    size_t n = 0;
    while (n < EZ_ARRAY_LEN(v->word) && v->word[n])
        n++;
    return n;
}

/* Returns the words of a setting, each between two `quote`, separated by `between`, the final two
 * by `last`; the caller frees. */
static char *settings_all_words(const struct ez_setting *v, const char *between, const char *last,
                                const char *quote)
{
    char *text = ez_strdup("");
    for (size_t i = 0, n = settings_nwords(v); i < n; i++) {
        char *more = ez_sprintf("%s%s%s%s%s", text,
                                !i           ? ""
                                : i == n - 1 ? last
                                             : between,
                                quote, v->word[i], quote);
        free(text);
        text = more;
    }
    return text;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Returns an error if n is outside of the setting's bounds. */
static ez_err *settings_check_number(const struct ez_setting *v, unsigned n)
{
    bool fits = n >= v->least && (!v->most || n <= v->most);
    if (fits && (!v->multiple || n % v->multiple == 0))
        return NULL;
    const char *name = v->name, *unit = v->unit;
    if (v->multiple)
        return ez_err_new(EZ_E_ARG, 0, "%s must be a multiple of %u from %u to %u (%s)", name,
                          v->multiple, v->least, v->most, unit);
    return ez_err_new(EZ_E_ARG, 0, "%s must be a number from %u to %u (%s)", name, v->least,
                      v->most, unit);
}

/* Returns EZ_E_STATE if there is a process without a job: its children become members only if each
 * process has a driver. */
static ez_err *settings_check_tree(const struct ez_sess *s)
{
    if (s->job || !ez_target_live(s->target))
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_STATE, 0,
                   "Process %d was started without \"set follow-fork-mode all\", so its children "
                   "cannot be followed",
                   ez_target_pid(s->target)),
        "Type \"detach\" or \"kill\", repeat this command, then \"attach\" or \"run\"");
}

/* settings_check_pick() and settings_check_flag() return EZ_E_STATE if the setting `name` cannot
 * have this value now. */
static ez_err *settings_check_pick(const struct ez_sess *s, const char *name, unsigned n)
{
    bool tree = !strcmp(name, "follow-fork-mode") && n == EZ_FOLLOW_ALL;
    return tree ? settings_check_tree(s) : NULL;
}

static ez_err *settings_check_flag(const struct ez_sess *s, const char *name, bool on)
{
    if (!on && !strcmp(name, "detach-on-fork"))
        return settings_check_tree(s);
    if (on && !strcmp(name, "trace-compress") && !ez_trace_can_compress())
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Traces stay uncompressed: eztsh was built without libzstd"),
            "Install libzstd-dev (Debian) or libzstd-devel (Fedora) and build eztsh again");
    return NULL;
}

/* Opens or closes the log file. A new name of the file takes effect when logging is switched on
 * again. */
static ez_err *settings_switch_log(struct ez_sess *s, bool on)
{
    if (on == (s->out.log != NULL))
        return NULL;
    if (!on) {
        FILE *was = s->out.log;
        s->out.log = NULL;
        out_line(s, "Done logging to %s.", s->ui.log_file);
        return fclose(was) ? ez_err_new(EZ_E_SYS, errno, "%s", s->ui.log_file) : NULL;
    }
    int fd;
    EZ_TRY(ez_newfile_log(parse_path(s, s->ui.log_file), s->ui.log_overwrite, &fd));
    FILE *f = fdopen(fd, s->ui.log_overwrite ? "w" : "a");
    out_line(s, "%s output to %s.", s->ui.log_only ? "Redirecting" : "Copying", s->ui.log_file);
    s->out.log = f;
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the setting of a `set` command: "history save" for "set history save". */
static const struct setting *settings_setting_of(const char *command)
{
    const char *name = strchr(command, ' ') + 1;
    for (size_t i = 0; i < n_settings; i++)
        if (!strcmp(settings[i].is->name, name))
            return &settings[i];
    return NULL;
}

static void *settings_variable(struct ez_sess *s, const struct setting *v)
{
    return (char *)(v->engine ? (void *)ez_settings(s->target) : (void *)&s->ui) + v->is->offset;
}

static ez_err *settings_set_choice(const struct ez_setting *v, const char *text, bool *var)
{
    size_t n = strcspn(text, " \t");
    bool onoff = !strcmp(v->word[1], "on");
    for (int i = 0; i < 2; i++)
        if (strlen(v->word[i]) == n && !strncmp(text, v->word[i], n)) {
            *var = i;
            return NULL;
        }
    if (onoff && !n) { /* `set confirm` alone means on */
        *var = true;
        return NULL;
    }
    return ez_err_new(EZ_E_ARG, 0, "\"%s\" or \"%s\" expected", v->word[1], v->word[0]);
}

static ez_err *settings_set_pick(const struct ez_setting *v, const char *text, unsigned *var)
{
    size_t n = strcspn(text, " \t");
    for (unsigned i = 0; i < settings_nwords(v); i++)
        if (strlen(v->word[i]) == n && !strncmp(text, v->word[i], n)) {
            *var = i;
            return NULL;
        }
    EZ_FREE char *words = settings_all_words(v, ", ", " or ", "\"");
    return ez_err_new(EZ_E_ARG, 0, "%s expected", words);
}

static ez_err *settings_set_uint(const char *text, const char *name, unsigned *var)
{
    uint64_t n;
    EZ_FREE char *word = ez_strndup(text, strcspn(text, " \t"));
    if (!strcmp(word, "unlimited")) {
        *var = 0;
        return NULL;
    }
    EZ_TRY(parse_count(word, name, &n));
    if (n >= INT32_MAX)
        return ez_err_gdb(EZ_E_ARG, "integer %s out of range", word);
    *var = (unsigned)n;
    return NULL;
}

/* Parses "off" (0), or a number up to 100. */
static ez_err *settings_set_percent(const char *text, const char *name, unsigned *var)
{
    uint64_t n = 0;
    EZ_FREE char *word = ez_strndup(text, strcspn(text, " \t%"));
    if (strcmp(word, "off"))
        EZ_TRY(parse_count(word, name, &n));
    if (n > 100)
        return ez_err_new(EZ_E_ARG, 0, "%s must be \"off\" or a number from 1 to 100 (percent)",
                          name);
    *var = (unsigned)n;
    return NULL;
}

static ez_err *cmd_set_value(struct ez_sess *s, int argc, char **argv)
{
    const struct setting *of = settings_setting_of(argv[0]);
    const struct ez_setting *v = of->is;
    const char *text = argc > 1 ? argv[1] : "";
    void *var = settings_variable(s, of);
    unsigned n = 0;
    bool flag = false;
    switch (v->kind) {
    case EZ_SET_FLAG:
        EZ_TRY(settings_set_choice(v, text, &flag));
        EZ_TRY(settings_check_flag(s, v->name, flag));
        if (!strcmp(v->name, "logging enabled"))
            EZ_TRY(settings_switch_log(s, flag));
        *(bool *)var = flag;
        return NULL;
    case EZ_SET_WORD:
        EZ_TRY(settings_set_pick(v, text, &n));
        EZ_TRY(settings_check_pick(s, v->name, n));
        *(unsigned *)var = n;
        return NULL;
    case EZ_SET_BUDGET:
        EZ_TRY(settings_set_percent(text, v->name, &n));
        return hooks_set_budget(s, n);
    case EZ_SET_NUMBER:
        EZ_TRY(settings_set_uint(text, v->name, &n));
        EZ_TRY(settings_check_number(v, n));
        *(unsigned *)var = n;
        return NULL;
    default:
        free(*(char **)var);
        *(char **)var = ez_strdup(text);
        return NULL;
    }
}

static const char *settings_text(struct ez_sess *s, const struct setting *of)
{
    const struct ez_setting *v = of->is;
    const void *var = settings_variable(s, of);
    if (v->kind == EZ_SET_FLAG)
        return v->word[*(const bool *)var];
    if (v->kind == EZ_SET_WORD)
        return v->word[*(const unsigned *)var];
    if (v->kind == EZ_SET_TEXT)
        return *(char *const *)var;
    if (*(const unsigned *)var == (unsigned)-1)
        return "that of the terminal";
    if (*(const unsigned *)var == 0)
        return v->kind == EZ_SET_BUDGET ? "off" : "unlimited";
    return sess_format(s, "%u", *(const unsigned *)var);
}

static void settings_show(struct ez_sess *s, const struct setting *of, const char *before)
{
    const struct ez_setting *v = of->is;
    const char *rest = strstr(v->sentence, "%s");
    out_line(s, "%s%.*s%s%s", before, (int)(rest - v->sentence), v->sentence, settings_text(s, of),
             rest + 2);
}

static ez_err *cmd_show_value(struct ez_sess *s, int argc, char **argv)
{
    settings_show(s, settings_setting_of(argv[0]), "");
    return NULL;
}

/* Prints all settings for `show`, a family for `show history`. */
static ez_err *cmd_show_all(struct ez_sess *s, int argc, char **argv)
{
    const char *family = strchr(argv[0], ' ');
    struct out_table t;
    out_table_json(&t, s, "settings", "name value");
    for (size_t i = 0; i < n_settings; i++) {
        const char *name = settings[i].is->name;
        if (family && strncmp(name, family + 1, strlen(family + 1)))
            continue;
        if (out_json_requested(s))
            out_row(&t, name, settings_text(s, &settings[i]), NULL);
        else
            settings_show(s, &settings[i], sess_format(s, "%s:  ", name));
    }
    out_table_json_end(&t, NULL);
    return NULL;
}

static void comp_setting(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    const struct ez_setting *v = settings_setting_of(comp_command_name(out))->is;
    for (size_t i = 0; i < settings_nwords(v); i++)
        comp_offer(out, word, v->word[i]);
}

/* ---- the tables -------------------------------------------------------------------------- */

#define N_OTHERS 16 /* upper bound of the commands with the parent "set", or "show" */
static struct ez_cmd settings_set_cmds[N_SETTINGS + N_OTHERS],
    settings_show_cmds[N_SETTINGS + N_OTHERS];
static struct ez_cmd member[2][N_FAMILIES][N_SETTINGS + 1];

static const char *settings_usage_of(const struct ez_setting *v)
{
    if (v->kind == EZ_SET_WORD)
        return settings_all_words(v, "|", "|", "");
    return v->kind == EZ_SET_FLAG ? ez_sprintf("%s|%s", v->word[1], v->word[0]) : "VALUE";
}

static void settings_make_entry(struct ez_cmd *c, const struct ez_setting *v, const char *word,
                                bool set)
{
    c->name = word;
    c->usage = set ? settings_usage_of(v) : "";
    c->brief = ez_sprintf("%s %s.", set ? "Set" : "Show", v->what);
    c->help = v->meaning;
    c->examples = ez_sprintf("%s %s%s%s", set ? "set" : "show", v->name, set ? " " : "",
                             set ? v->example : "");
    c->see_also = ez_sprintf("%s %s", set ? "show" : "set", v->name);
    c->cls = EZ_CLASS_SUPPORT;
    c->argmax = set ? 1 : 0;
    c->flags = set ? RAW | NO_REPEAT : 0;
    c->fn = set ? cmd_set_value : cmd_show_value;
    c->complete = set && (v->kind == EZ_SET_FLAG || v->kind == EZ_SET_WORD) ? comp_setting : NULL;
}

static void settings_make_family(struct ez_cmd *c, const char *name, size_t len, bool set,
                                 const struct ez_cmd *sub)
{
    c->name = ez_strndup(name, len);
    c->usage = set ? "SETTING VALUE" : "[SETTING]";
    c->brief = ez_sprintf("%s the settings of %s.", set ? "Set" : "Show", c->name);
    c->examples = ez_sprintf("help %s %s", set ? "set" : "show", c->name);
    c->see_also = ez_sprintf("%s %s", set ? "show" : "set", c->name);
    c->cls = EZ_CLASS_SUPPORT;
    c->argmax = -1;
    c->fn = set ? cmd_list_sub : cmd_show_all;
    c->sub = sub;
}

static size_t settings_make_table(struct ez_cmd *table, struct ez_cmd family[][N_SETTINGS + 1],
                                  bool set)
{
    size_t n = 0, families = 0, members = 0;
    for (size_t i = 0; i < n_settings; i++) {
        const char *name = settings[i].is->name, *space = strchr(name, ' ');
        if (!space) {
            settings_make_entry(&table[n++], settings[i].is, name, set);
            continue;
        }
        size_t len = (size_t)(space - name);
        if (!n || strlen(table[n - 1].name) != len || strncmp(table[n - 1].name, name, len)) {
            settings_make_family(&table[n++], name, len, set, family[families++]);
            members = 0;
        }
        settings_make_entry(&family[families - 1][members++], settings[i].is, space + 1, set);
    }
    return n;
}

static int settings_by_whole_name(const void *a, const void *b)
{
    const struct setting *x = a, *y = b;
    return strcmp(x->is->name, y->is->name);
}

static void settings_gather(void)
{
    for (size_t i = 0; i < N_SHELL; i++)
        settings[n_settings++] = (struct setting){ &settings_of_shell[i], false };
    for (size_t i = 0; i < ez_nengine_settings; i++)
        settings[n_settings++] = (struct setting){ &ez_engine_settings[i], true };
    qsort(settings, n_settings, sizeof *settings, settings_by_whole_name);
}

void settings_tables(void)
{
    if (n_settings)
        return;
    settings_gather();
    size_t n = settings_make_table(settings_set_cmds, member[0], true);
    command_append("set", settings_set_cmds, n, EZ_ARRAY_LEN(settings_set_cmds));
    n = settings_make_table(settings_show_cmds, member[1], false);
    command_append("show", settings_show_cmds, n, EZ_ARRAY_LEN(settings_show_cmds));
}

const struct ez_cmd command_set = {
    .name = "set",
    .usage = "SETTING VALUE",
    .brief = "Change a setting.",
    .examples = "set confirm off\n"
                "set args -n 10",
    .see_also = "show",
    OPERANDS(SUPPORT, 0, -1),
    .flags = NO_REPEAT | TEXT_ONLY | ASSIGNS,
    .fn = cmd_list_sub,
    .sub = settings_set_cmds,
};

const struct ez_cmd command_show = {
    .name = "show",
    .usage = "[SETTING]",
    .brief = "Show a setting; without a name, all settings.",
    .examples = "show confirm",
    .see_also = "set, info",
    OPERANDS(SUPPORT, 0, -1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_show_all,
    .sub = settings_show_cmds,
};

/* ---- the settings of a session --------------------------------------------------------------- */

void settings_init(struct ez_sess *s)
{
    const char *home = getenv("HOME");
    for (size_t i = 0; i < N_SHELL; i++)
        ez_setting_begin(&settings_of_shell[i], (char *)&s->ui + settings_of_shell[i].offset);
    if (home) {
        free(s->ui.history_file);
        s->ui.history_file = ez_sprintf("%s/.eztsh_history", home);
    }
}

void settings_free(struct ez_sess *s)
{
    free(s->ui.args);
    free(s->ui.prompt);
    free(s->ui.history_file);
    free(s->ui.safe_path);
    free(s->ui.sysroot);
    free(s->ui.solib_path);
    free(s->ui.log_file);
    if (s->out.log)
        fclose(s->out.log);
}

/* ---- settings for drivers (jobs.h) ----------------------------------------------------------- */

bool settings_is_engine(const char *name)
{
    for (size_t i = 0; i < ez_nengine_settings; i++)
        if (!strcmp(ez_engine_settings[i].name, name))
            return true;
    return false;
}

void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg)
{
    for (size_t i = 0; i < ez_nengine_settings; i++) {
        const struct ez_setting *v = &ez_engine_settings[i];
        if (v->kind == EZ_SET_TEXT)
            continue;
        const void *now = (const char *)ez_settings(s->target) + v->offset;
        unsigned n = v->kind == EZ_SET_FLAG ? *(const bool *)now : *(const unsigned *)now;
        if (n == v->initial)
            continue;
        bool words = v->kind == EZ_SET_FLAG || v->kind == EZ_SET_WORD;
        EZ_FREE char *value = words ? ez_strdup(v->word[n]) : ez_sprintf("%u", n);
        fn(v->name, value, arg);
    }
}

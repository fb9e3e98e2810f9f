/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - `set` and `show`.
 *
 * Two lists describe all settings: the shell's list is here, the engine's in
 * engine/process/settings.c. The `set` and `show` tables are built from them, so that lookup, help
 * and completion treat a setting like a command. "history save" is `save` in the family `history`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/settings.h"
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
      .meaning =
          "on: after \"continue &\" eztsh reports signals, forks, execs and the end as they\n"
          "happen, and signals stop the program as in the foreground (\"handle\"). off: the\n"
          "program runs untraced, unless there are breakpoints or follow-fork-mode is\n"
          "\"offer\"." },
    { .name = "breakpoint pending",
      .kind = EZ_SET_WORD,
      AT(pending),
      .word = { "auto", "on", "off" },
      .what = "whether breakpoints wait for libraries",
      .sentence = "Debugger's behavior regarding pending breakpoints is %s.",
      .example = "on",
      .meaning = "  auto  ask at the terminal; elsewhere an unknown place is an error\n"
                 "  on    let the breakpoint wait for a library\n"
                 "  off   an unknown place is an error" },
    { .name = "by-hand",
      .kind = EZ_SET_FLAG,
      AT(by_hand),
      .word = { "off", "on" },
      .what = "whether the user does the steps of planting",
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
      .what = "whether run starts at fixed addresses",
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
                 "time, and reports their answers later." },
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
    { .name = "print entry-values",
      .kind = EZ_SET_WORD,
      AT(entry_values),
      .word = { "default", "no", "both", "compact", "only", "preferred", "if-needed" },
      .what = "how arguments at the function's entry are printed",
      .sentence = "Printing of function arguments at function entry is \"%s\".",
      .example = "no",
      .meaning = "The value at the call is known if the caller's debug information describes it.\n"
                 "  default    print the current value, and NAME@entry=VALUE if it is known\n"
                 "  no         print the current value\n"
                 "  only       print NAME@entry\n"
                 "  preferred  print NAME@entry if it is known, otherwise the current value\n"
                 "  if-needed  print NAME@entry if the current value is lost\n"
                 "  both       print both values, known or not\n"
                 "  compact    as default, without a current value that is lost" },
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
    { .name = "style enabled",
      .kind = EZ_SET_FLAG,
      AT(style),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether output has colors",
      .sentence = "CLI output styling is %s.",
      .example = "off",
      .meaning = "Colors need a terminal that has them, and no NO_COLOR in the environment." },
    { .name = "trace-commands",
      .kind = EZ_SET_FLAG,
      AT(trace_commands),
      .word = { "off", "on" },
      .what = "whether commands are printed as they run",
      .sentence = "State of command tracing is %s.",
      .example = "on" },
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
    N_FAMILIES = 8, /* upper bound */
};
struct setting settings[N_SETTINGS];
size_t n_settings;

/* ---- the tables -------------------------------------------------------------------------- */

#define N_OTHERS 16 /* upper bound of the commands with the parent "set", or "show" */
struct ez_cmd ez_set_cmds[N_SETTINGS + N_OTHERS], ez_show_cmds[N_SETTINGS + N_OTHERS];
static struct ez_cmd member[2][N_FAMILIES][N_SETTINGS + 1];

size_t settings_nwords(const struct ez_setting *v)
{
    size_t n = 0;
    while (n < EZ_ARRAY_LEN(v->word) && v->word[n])
        n++;
    return n;
}

char *settings_all_words(const struct ez_setting *v, const char *between, const char *last,
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
    c->name = strndup(name, len);
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
    if (ez_set_cmds[0].name)
        return;
    settings_gather();
    size_t n = settings_make_table(ez_set_cmds, member[0], true);
    command_append("set", ez_set_cmds, n, EZ_ARRAY_LEN(ez_set_cmds));
    n = settings_make_table(ez_show_cmds, member[1], false);
    command_append("show", ez_show_cmds, n, EZ_ARRAY_LEN(ez_show_cmds));
}

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
    free(s->ui.log_file);
    if (s->out.log)
        fclose(s->out.log);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - parses the command line of eztsh (options.h).
 *
 * getopt_long_only does not fit: it would parse "-exec" as "-ex ec", and it reorders the words of
 * the program.
 * Tests: tests/unit/shell/check_options.c */
#include "shell/options.h"

#include <errno.h>
#include <string.h>

#include "engine/ezt.h"
#include "shell/command.h"
#include "shell/front.h"
#include "shell/gdb_words.h"

const char options_help[] =
    "Usage: eztsh [options] [--args] [PROG [ARGS...]]\n"
    "       eztsh [options] COMMAND [ARGS...]\n"
    "Launch or attach a program, plant probes in it, and record what they see.\n"
    "\n"
    "  -q, -quiet            do not print the version at the start\n"
    "  -nx                   read no ~/.eztshrc and no ./.eztshrc\n"
    "  -nh                   do not read ~/.eztshrc\n"
    "  -batch                run the command line's commands and exit; ask nothing\n"
    "  -x FILE               run the commands in FILE\n"
    "  -ex CMD               run the command CMD (-x and -ex run in the order given)\n"
    "  -ix FILE, -iex CMD    as -x and -ex, before the program is loaded\n"
    "  -m NAME               load the module NAME (so does EZTRACE_TRACE=\"NAME...\")\n"
    "  -p PID                attach to process PID\n"
    "  -c FILE               read the core file FILE (so does \"eztsh PROG FILE\")\n"
    "  -cd DIR               change to DIR first\n"
    "  -interpreter=json     requests and answers are JSON lines (doc/JSON.md)\n"
    "  -ptrace-log=FILE      write ptrace and wait calls to FILE as JSON lines\n"
    "  -check=FILE           run a saved session, and report where its output differs\n"
    "  -return-child-result  exit with the program's status (128 + signal)\n"
    "  -version, -help       print the version, or this help, and exit\n"
    "  --args PROG ARGS...   all words after PROG are arguments of the program\n"
    "\n"
    "Options may begin with one dash or two. \"help\" lists the commands.\n"
    "To run a program that has the name of a COMMAND, write ./NAME or use --args.\n"
    "\n"
    "COMMAND is one of these. \"eztsh COMMAND --help\" explains it:\n";

enum id {
    ARGS,
    BATCH,
    CD,
    CHECK,
    CHILD,
    CORE,
    DUMP,
    DUMP_COMPLETION,
    DUMP_TEXINFO,
    EX,
    FILE_,
    HELP,
    IEX,
    INTERPRETER,
    IX,
    MODULE,
    NH,
    NX,
    PID,
    PTRACE,
    QUIET,
    VERSION
};

static const struct option {
    const char *name;
    enum id id;
    bool value;
} table[] = {
    { "args", ARGS, false },
    { "batch", BATCH, false },
    { "c", CORE, true },
    { "cd", CD, true },
    { "check", CHECK, true },
    { "command", FILE_, true },
    { "core", CORE, true },
    { "dump-completion", DUMP_COMPLETION, false },
    { "dump-man", DUMP, false },
    { "dump-texinfo", DUMP_TEXINFO, false },
    { "eval-command", EX, true },
    { "ex", EX, true },
    { "h", HELP, false },
    { "help", HELP, false },
    { "iex", IEX, true },
    { "interpreter", INTERPRETER, true },
    { "ix", IX, true },
    { "m", MODULE, true },
    { "module", MODULE, true },
    { "n", NX, false },
    { "nh", NH, false },
    { "nx", NX, false },
    { "p", PID, true },
    { "pid", PID, true },
    { "ptrace-log", PTRACE, true },
    { "q", QUIET, false },
    { "quiet", QUIET, false },
    { "silent", QUIET, false },
    { "return-child-result", CHILD, false },
    { "v", VERSION, false },
    { "version", VERSION, false },
    { "x", FILE_, true },
};

static const struct option *options_find(const char *name, size_t len)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++)
        if (strlen(table[i].name) == len && !strncmp(table[i].name, name, len))
            return &table[i];
    return NULL;
}

static ez_err *options_parse_pid(const char *text, pid_t *pid)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || *end || v <= 0 || v > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "eztsh: Illegal process-id: %s", text);
    *pid = (pid_t)v;
    return NULL;
}

static ez_err *options_apply(struct ez_options *o, enum id id, const char *value)
{
    switch (id) {
    case ARGS:
        o->all_args = true;
        break;
    case BATCH:
        o->batch = o->quiet = true;
        break;
    case CD:
        o->dir = value;
        break;
    case CHECK:
        o->check = value;
        o->quiet = o->no_rc = true;
        break;
    case CHILD:
        o->child_result = true;
        break;
    case CORE:
        o->core = value;
        break;
    case DUMP:
        o->dump_man = true;
        break;
    case DUMP_COMPLETION:
        o->dump_completion = true;
        break;
    case DUMP_TEXINFO:
        o->dump_texinfo = true;
        break;
    case EX:
    case FILE_:
    case IEX:
    case IX:
        EZ_PUSH(&o->work,
                ((struct ez_work){ value, id == FILE_ || id == IX, id == IEX || id == IX }));
        break;
    case HELP:
        o->help = true;
        break;
    case INTERPRETER:
        o->json = !strcmp(value, "json");
        if (!o->json && strcmp(value, "console"))
            return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "eztsh: unknown interpreter '%s'", value),
                               "Choose json or console");
        o->quiet |= o->json;
        break;
    case MODULE:
        EZ_PUSH(&o->modules, value);
        break;
    case NH:
        o->no_home_rc = true;
        break;
    case NX:
        o->no_rc = true;
        break;
    case PID:
        return options_parse_pid(value, &o->pid);
    case PTRACE:
        o->ptrace_log = value;
        break;
    case QUIET:
        o->quiet = true;
        break;
    case VERSION:
        o->version = true;
        break;
    }
    return NULL;
}

static ez_err *options_parse_one(struct ez_options *o, char **argv, int *i)
{
    const char *name = argv[*i] + 1 + (argv[*i][1] == '-');
    size_t len = strcspn(name, "=");
    const struct option *opt = options_find(name, len);
    const char *value = name[len] ? name + len + 1 : NULL;
    if (!opt) {
        const struct gdb_word *tool = tool_word_named(argv[*i], strcspn(argv[*i], "="));
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "eztsh: unrecognized option '%s'", argv[*i]),
                           "%s", tool ? tool->instead : "\"eztsh -help\" lists the options");
    }
    if (opt->value && !value)
        value = argv[*i + 1] ? argv[++*i] : NULL;
    if (opt->value && !value)
        return ez_err_new(EZ_E_ARG, 0, "eztsh: option '%s' requires an argument", argv[*i]);
    if (!opt->value && value)
        return ez_err_new(EZ_E_ARG, 0, "eztsh: option '-%s' doesn't allow an argument", opt->name);
    return options_apply(o, opt->id, ez_text(value));
}

void options_free(struct ez_options *o)
{
    EZ_VEC_FREE(&o->work);
    EZ_VEC_FREE(&o->modules);
    free(o->args);
}

/* If words[0] is a command with FRONT and stands where a program's name could, stores the words as
 * that command; else returns false. */
static bool options_parse_front(struct ez_options *o, char **words)
{
    const struct ez_cmd *c = o->program || o->all_args || o->check ? NULL : command_front(words[0]);
    if (!c)
        return false;
    o->front = words;
    o->quiet = true;
    o->batch |= !(c->flags & FRONT_STAYS);
    return true;
}

ez_err *options_parse(struct ez_options *o, int argc, char **argv)
{
    memset(o, 0, sizeof *o);
    o->args = ez_alloc(((size_t)argc + 1) * sizeof *o->args);
    bool options = true;
    for (int i = 1; i < argc; i++) {
        bool dash = argv[i][0] == '-' && argv[i][1];
        options = options && !(o->all_args && o->program);
        if (options && !strcmp(argv[i], "--"))
            options = false;
        else if (options && dash)
            EZ_TRY(options_parse_one(o, argv, &i));
        else if (options && options_parse_front(o, argv + i))
            break;
        else if (!o->program)
            o->program = argv[i];
        else
            o->args[o->nargs++] = argv[i];
    }
    /* as in gdb; eztsh also takes the program's arguments there */
    if (o->nargs == 1 && !o->all_args && !o->core && ez_core_is(o->args[0])) {
        o->core = o->args[0];
        o->nargs = 0;
    }
    if (o->all_args && !o->program)
        return ez_err_new(EZ_E_ARG, 0, "eztsh: `--args' specified but no program specified");
    return NULL;
}

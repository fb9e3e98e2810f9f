/* SPDX-License-Identifier: GPL-3.0-or-later */
/* module.c - `module load|unload|list|compile`, `info modules`. (In the engine: plugins.)
 * Tests: tests/procs/module.sh */
#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "modules/compile.h"
#include "shell/out.h"
#include "shell/sess.h"

struct loaded {
    struct ez_sess *s;
    const char *name;
    struct ez_plugin_info info;
    size_t n;
    struct out_table *table;
};

static void module_note_last(const struct ez_plugin_info *p, void *arg)
{
    struct loaded *l = arg;
    l->info = *p; /* Overwrites older modules: the last module in the list is the newest. */
    l->n++;
}

static void module_say_loaded(struct ez_sess *s)
{
    struct loaded l = { .s = s };
    ez_plugins(s->target, module_note_last, &l);
    const struct ez_plugin_info *p = &l.info;
    if (!p->there)
        out_line(s, "Module %s (%s): %u function%s, when the program runs.", p->name, p->desc,
                 p->functions, ez_plural(p->functions));
    else
        out_line(s, "Module %s (%s): %u of %u function%s replaced%s%s.", p->name, p->desc,
                 p->planted, p->functions, ez_plural(p->functions),
                 p->pending ? sess_format(s, "; pending %u", p->pending) : "",
                 p->refused ? sess_format(s, "; refused %u", p->refused) : "");
}

static ez_err *cmd_module_load(struct ez_sess *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        EZ_TRY(ez_plugin_load(s->target, argv[i]));
        module_say_loaded(s);
    }
    return NULL;
}

const struct ez_cmd command_module_load = {
    .parent = "module",
    .name = "load",
    .usage = "NAME...",
    .brief = "Load modules into the process, now or at its next start.",
    .help = "The loader of the process loads the modules, on a thread that is neither in\n"
            "malloc nor in the loader. A module that cannot be loaded leaves the process\n"
            "unchanged; the modules that are named before it stay loaded.",
    .examples = "module load pthread\n"
                "module load ./mine.so",
    .see_also = "module, info modules, replace",
    OPERANDS(PROBE, 1, -1),
    .flags = MUTATES,
    .fn = cmd_module_load,
    .complete = comp_file,
};

static ez_err *cmd_module_unload(struct ez_sess *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        EZ_TRY(ez_plugin_unload(s->target, argv[i]));
    return NULL;
}

const struct ez_cmd command_module_unload = {
    .parent = "module",
    .name = "unload",
    .usage = "NAME...",
    .brief = "Undo the replacements of modules.",
    .help = "The files stay loaded in the process, because threads may be executing their\n"
            "code.",
    .examples = "module unload pthread",
    .see_also = "module, info modules",
    OPERANDS(PROBE, 1, -1),
    .flags = MUTATES,
    .fn = cmd_module_unload,
};

static void module_list_one(const struct ez_plugin_info *p, void *arg)
{
    struct loaded *l = arg;
    struct ez_sess *s = l->s;
    l->n++;
    if (p->problem)
        out_row(l->table, "", "", "", sess_format(s, "%s", p->problem), "", NULL);
    else
        out_row(l->table, p->name, sess_format(s, "0x%x", p->id), p->loaded ? "loaded" : "",
                p->desc, p->path, NULL);
}

static ez_err *cmd_module_list(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    struct loaded l = { .s = s, .table = &t };
    out_table_init(&t, s, "Name", "ID", "", "~What it shows", "~File", NULL);
    out_table_keys(&t, "module-list", "name id state description file");
    ez_plugins_available(s->target, module_list_one, &l);
    out_table_end(&t, "No modules are installed. (EZTRACE_LIBRARY_PATH names more folders.)");
    return NULL;
}

const struct ez_cmd command_module_list = {
    .parent = "module",
    .name = "list",
    .usage = "",
    .brief = "List the available modules.",
    .examples = "module list",
    .see_also = "module, info modules",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = HERE,
    .fn = cmd_module_list,
};

const struct ez_cmd command_module = {
    .name = "module",
    .usage = "load|unload|list ...",
    .brief = "Load modules, whose functions replace others and record.",
    .help = "A module is a shared object. The process calls functions of the module instead\n"
            "of other functions, and the functions of the module record events\n"
            "(ezt_probe.h). A NAME without a slash is looked up in EZTRACE_LIBRARY_PATH,\n"
            "then among eztsh's own modules. The variable EZTRACE_TRACE and the option -m of\n"
            "eztsh name modules to load at the start.",
    .examples = "module list\n"
                "module load pthread\n"
                "module unload pthread",
    .see_also = "info modules, replace",
    OPERANDS(PROBE, 0, 0),
    .min_abbrev = 3,
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_module_list,
};

/* Prints the compiler's output as lines. A compiler error is the command's error. */
static ez_err *cmd_module_compile(struct ez_sess *s, int argc, char **argv)
{
    struct ez_compiled c = { .said = NULL };
    const struct ez_compile_options o = { .script = argv[1],
                                          .dir = opt_text(s, "-o"),
                                          .keep_c = opt_given(s, "-keep-c") };
    ez_err *e = ez_module_compile(&o, &c);
    if (c.said && *c.said)
        out_text(s, c.said);
    if (!e)
        out_line(s, "Module %s, ID 0x%x: %u function%s, %u event%s: %s", c.name, c.id, c.functions,
                 ez_plural(c.functions), c.events, ez_plural(c.events), c.object);
    if (!e && c.source)
        out_line(s, "Its C source: %s", c.source);
    ez_compiled_free(&c);
    return e;
}

const struct ez_cmd command_module_compile = {
    .parent = "module",
    .name = "compile",
    .usage = "FILE.tpl",
    .brief = "Compile a plugin script to a module.",
    .help = "The script names the functions that are replaced and says what is recorded of\n"
            "their calls (doc/MODULES.md). In a Makefile, use the program eztsh-modc.",
    .examples = "module compile jobs.tpl -o modules\n"
                "module load modules/jobs.so",
    .see_also = "module, info modules",
    OPERANDS(PROBE, 1, 1),
    OPTIONS({ .name = "-o",
              .kind = OPT_FILE,
              .value = "DIR",
              .meaning = "write the module to this folder; the default is the current directory" },
            { .name = "-keep-c", .meaning = "keep the C source, too" }),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_module_compile,
    .complete = comp_file,
};

static void module_info_one(const struct ez_plugin_info *p, void *arg)
{
    struct loaded *l = arg;
    struct ez_sess *s = l->s;
    l->n++;
    out_row(l->table, p->name, sess_format(s, "0x%x", p->id),
            p->there     ? "in the process"
            : p->problem ? "not loaded"
                         : "waits for a process",
            sess_format(s, "%u", p->functions), sess_format(s, "%u", p->planted),
            sess_format(s, "%u", p->pending), sess_format(s, "%u", p->refused),
            sess_format(s, "%llu", (unsigned long long)p->events),
            p->problem ? p->problem : p->desc, NULL);
}

static ez_err *cmd_info_modules(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    struct loaded l = { .s = s, .table = &t };
    out_table_init(&t, s, "Name", "ID", "State", ">Functions", ">Replaced", ">Missing", ">Refused",
                   ">Events", "~What it shows", NULL);
    out_table_keys(&t, "modules",
                   "name id state functions# replaced# missing# refused# events# description");
    ez_plugins(s->target, module_info_one, &l);
    out_table_end(&t, "No modules are loaded.");
    return NULL;
}

const struct ez_cmd command_info_modules = {
    .parent = "info",
    .name = "modules",
    .usage = "",
    .brief = "Show the loaded modules and their functions.",
    .help = "A missing function is in no loaded library; \"info replacements\" shows each\n"
            "missing function with the reason. Events counts the events that this process\n"
            "recorded.",
    .examples = "info modules",
    .see_also = "module, info replacements",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_modules,
};

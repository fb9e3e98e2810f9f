/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_sub.c - the subcommands of `module`, `spec`, `info proc`, `trace` and `save`, each sorted by name, and
 * `set variable`. See table.c. */
#include "cmds/table_parts.h"

const struct ez_cmd set_variable = {
    .name = "variable",
    .usage = "EXPR = EXPR",
    .brief = "Assign to a variable, a register or a $variable.",
    .help =
        "What is assigned to is memory or a register of the stopped target, or a variable of the\n"
        "session, which needs no declaration: \"set $n = 5\" does the same for these.\n\n"
        "Example:\n"
        "  set variable config.level = 3\n"
        "  set var $start = list->first\n\n"
        "See also: print",
    TAKES(DATA, 1, 1),
    .flags = RAW | MUTATES,
    .fn = cmd_set_variable,
    .complete = comp_symbol,
};

const struct ez_cmd show_user = {
    .name = "user",
    .usage = "[NAME]",
    .brief = "Show the commands that were defined.",
    .help = "Example:\n"
            "  show user each\n\n"
            "See also: define, document, alias",
    TAKES(SUPPORT, 0, 1),
    .fn = cmd_show_user,
};

const struct ez_cmd show_version = {
    .name = "version",
    .usage = "",
    .brief = "Show what version of eztsh this is.",
    .help = "Example:\n"
            "  show version\n\n"
            "See also: help",
    TAKES(SUPPORT, 0, 0),
    .fn = cmd_show_version,
};

const struct ez_cmd maint_cmds[] = {
    { .name = "corrupt-relocation",
      .usage = "PROBE|none",
      .brief = "Have relocated code lack its instructions.",
      .help =
          "In the probe's function, in this process and those to come: control comes back behind "
          "the\n"
          "moved instructions without having run them. \"none\" ends that, for stubs to come.\n\n"
          "Example:\n"
          "  maint corrupt-relocation 1\n"
          "  check step\n\n"
          "See also: maint, bisect, check",
      TAKES(PROBE, 1, 1),
      .flags = MUTATES,
      .fn = cmd_maint_corrupt,
      .complete = comp_probe },
    { .name = "fail-ptrace",
      .usage = "N",
      .brief = "Have the Nth call of ptrace from now fail.",
      .help = "With EIO; 0 takes that back. Only in an eztsh that was configured with\n"
              "--enable-fault-injection. EZ_FAULT in the environment can do more: "
              "doc/HOWTO_FAULT_TEST.md.\n\n"
              "Example:\n"
              "  maint fail-ptrace 3\n\n"
              "See also: maint, info ptrace",
      TAKES(SUPPORT, 1, 1),
      .flags = NO_REPEAT,
      .fn = cmd_maint_fail },
    { .name = "forget-probes",
      .usage = "",
      .brief = "Delete all probes, and number the next ones from 1.",
      .help = "A job's drivers do so when a process is taken over whose probes are told anew.\n\n"
              "Example:\n"
              "  maint forget-probes\n\n"
              "See also: maint, job reattach",
      TAKES(SUPPORT, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_maint_forget_probes },
    { .name = "probe-count",
      .usage = "",
      .brief = "How many probes a shell would find again.",
      .help = "Of a killed shell the next one takes over the probes that are at work and need no "
              "shell.\n\n"
              "Example:\n"
              "  maint probe-count\n\n"
              "See also: maint, job reattach",
      TAKES(SUPPORT, 0, 0),
      .flags = NO_REPEAT,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_maint_probe_count },
    { .name = "read-ahead",
      .usage = "",
      .brief = "Read what the first probe of a process needs.",
      .help =
          "The text of the program and of the libraries that will carry hooks: so the first probe "
          "stands\n"
          "sooner. A job's drivers do that while you think about which it shall be.\n\n"
          "Example:\n"
          "  maint read-ahead\n\n"
          "See also: maint, job run",
      TAKES(SUPPORT, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_maint_read_ahead },
    { .name = "refuse",
      .usage = "jump|padding|island|pun|trap|none",
      .brief = "Plant no new probe by this strategy.",
      .help =
          "As if it could not stand anywhere: the next one in line is used. \"none\" ends that.\n\n"
          "Example:\n"
          "  maint refuse jump\n\n"
          "See also: maint, set strategy, why",
      TAKES(PROBE, 1, 1),
      .flags = NO_REPEAT,
      .fn = cmd_maint_refuse },
    { .name = "stop-frames",
      .usage = "on|off",
      .brief = "Tell where the target stands when it stops.",
      .help = "A job's drivers do not, while a process is brought to its first instruction: nobody "
              "reads that,\n"
              "and it takes the debug information of the libraries it stands in.\n\n"
              "Example:\n"
              "  maint stop-frames off\n\n"
              "See also: maint, job run",
      TAKES(SUPPORT, 1, 1),
      .flags = NO_REPEAT,
      .fn = cmd_maint_stop_frames },
    { .name = "wall-offset",
      .usage = "NS",
      .brief = "Correct the wall clock in traces by so much.",
      .help = "Daemons of a job over several hosts say so: by how much this host's clock is to be "
              "moved.\n\n"
              "Example:\n"
              "  maint wall-offset -1250\n\n"
              "See also: maint, job",
      TAKES(TRACE, 1, 1),
      .flags = NO_REPEAT,
      .fn = cmd_maint_wall },
    { .name = NULL },
};

const struct ez_cmd spec_cmds[] = {
    { .name = "check",
      .usage = "FILE...",
      .brief = "Say what is wrong in a specification.",
      .help = "Several files are read as one: their clauses one after the other, their lists "
              "together.\n\n"
              "Example:\n"
              "  spec check calls.spec filter.tau\n\n"
              "See also: spec show",
      TAKES(PROBE, 1, -1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_spec_check,
      .complete = comp_file },
    { .name = "delete",
      .usage = "N...",
      .brief = "Take a specification out of the program again.",
      .help = "Its probes go; calls that are under way get their exit code.\n\n"
              "Example:\n"
              "  spec delete 1\n\n"
              "See also: spec load, spec list, info spec",
      TAKES(PROBE, 1, -1),
      .flags = MUTATES,
      .fn = cmd_spec_delete },
    { .name = "list",
      .usage = "",
      .brief = "Specifications that are loaded.",
      .help = "Example:\n"
              "  spec list\n\n"
              "See also: spec load, info spec",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_spec_list },
    { .name = "load",
      .usage = "FILE...",
      .brief = "Run a specification's code in the program.",
      .help = "The clauses mean what they mean to eztsh-instrument, but no source is changed: the "
              "code for\n"
              "each routine that matches is compiled (EZT_CC, EZT_CXX, EZT_FC), loaded into the "
              "process, and\n"
              "called by a probe. What was compiled before is taken from ~/.cache/eztsh. A "
              "fragment that\n"
              "faults, loops (\"set fragment-timeout\") or comes to its own routine is disabled, "
              "with a word.\n"
              "Routines are the program's, with debug information as far as there is some; "
              "doc/HOWTO_SPEC.md\n"
              "says what differs from source code.\n\n"
              "Example:\n"
              "  spec load calls.spec -filter hot.tau\n"
              "  run\n"
              "  info spec\n\n"
              "See also: spec, info spec, spec delete, module",
      TAKES(PROBE, 1, -1),
      OPTIONS({ .name = "-filter",
                .kind = OPT_FILE,
                .value = "FILE",
                .meaning = "lists of routines and files, as TAU has them: they win over clauses" },
              { .name = "-cc",
                .kind = OPT_TEXT,
                .value = "OPTIONS",
                .meaning = "for the compiler and the linker, as \"-I include -L lib -ltool\"" },
              { .name = "-lib",
                .kind = OPT_TEXT,
                .value = "PATTERN",
                .meaning = "also routines of loaded libraries whose names match, as \"libfoo*\"" }),
      .flags = MUTATES | NO_REPEAT,
      .fn = cmd_spec_load,
      .complete = comp_file },
    { .name = "show",
      .usage = "FILE...",
      .brief = "Print a specification in its canonical form.",
      .help = "A clause a line, attributes in one order, defaults left out, comments too.\n\n"
              "Example:\n"
              "  spec show calls.spec\n\n"
              "See also: spec check",
      TAKES(PROBE, 1, -1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_spec_show,
      .complete = comp_file },
    { .name = NULL },
};

const struct ez_cmd module_cmds[] = {
    { .name = "compile",
      .usage = "FILE.tpl",
      .brief = "Make a module of a plugin script.",
      .help = "The script says which functions are replaced, and what is recorded of their calls\n"
              "(doc/MODULES.md). `eztsh-modc` does the same for Makefiles.\n\n"
              "Example:\n"
              "  module compile jobs.tpl -o modules\n"
              "  module load modules/jobs.so\n\n"
              "See also: module, info modules",
      TAKES(PROBE, 1, 1),
      OPTIONS({ .name = "-o",
                .kind = OPT_FILE,
                .value = "DIR",
                .meaning = "write the module there (else to the current directory)" },
              { .name = "-keep-c", .meaning = "keep the C, too" }),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_module_compile,
      .complete = comp_file },
    { .name = "list",
      .usage = "",
      .brief = "Modules that are available.",
      .help = "Example:\n"
              "  module list\n\n"
              "See also: module, info modules",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .flags = HERE,
      .fn = cmd_module_list },
    { .name = "load",
      .usage = "NAME...",
      .brief = "Load modules into the process, now or when it runs.",
      .help =
          "In a live process each is loaded by the process's own loader, on a thread that is in\n"
          "neither malloc nor the loader. A module that cannot be loaded leaves the process as\n"
          "it was.\n\n"
          "Example:\n"
          "  module load pthread\n"
          "  module load ./mine.so\n\n"
          "See also: module, info modules, replace",
      TAKES(PROBE, 1, -1),
      .flags = MUTATES,
      .fn = cmd_module_load,
      .complete = comp_file },
    { .name = "unload",
      .usage = "NAME...",
      .brief = "Give the functions back that modules replaced.",
      .help = "The files stay in the process: threads may be in them.\n\n"
              "Example:\n"
              "  module unload pthread\n\n"
              "See also: module, info modules",
      TAKES(PROBE, 1, -1),
      .flags = MUTATES,
      .fn = cmd_module_unload },
    { .name = NULL },
};

const struct ez_cmd proc_cmds[] = {
    { .name = "mappings",
      .usage = "",
      .brief = "Memory mappings of the target; eztsh's have names.",
      .help = "Example:\n"
              "  info proc mappings\n\n"
              "See also: info mappings",
      TAKES(DATA, 0, 0),
      .flags = NEED_TARGET,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_mappings },
    { .name = NULL },
};

const struct ez_cmd trace_cmds[] = {
    { .name = "export",
      .usage = "OUT.fxt [FILE.fxt]",
      .brief = "Write a compressed trace as a plain FxT file.",
      .help = "For other programs than eztsh. Without FILE: the trace of this session, as far as "
              "it is\n"
              "written. OUT may be FILE itself. \"zstd -dc FILE.fxt\" gives the same bytes.\n\n"
              "Example:\n"
              "  trace export plain.fxt app-4242.fxt\n\n"
              "See also: trace, set trace-compress, convert",
      TAKES(TRACE, 1, 2),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_trace_export,
      .complete = comp_fxt },
    { .name = "repair",
      .usage = "FILE.fxt",
      .brief = "Mend a trace whose shell was killed.",
      .help =
          "So that other programs than eztsh can read it, which reads it as it is: it ends with\n"
          "the last whole event.\n\n"
          "Example:\n"
          "  trace repair run1.fxt\n\n"
          "See also: trace, info trace",
      TAKES(TRACE, 1, 1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_trace_repair,
      .complete = comp_fxt },
    { .name = "start",
      .usage = "[FILE.fxt]",
      .brief = "Record events in FILE.",
      .help = "Without FILE, a trace that a probe has paused (do trace stop) goes on.\n"
              "FILE takes the place of a trace that is there, of nothing else; of a symbolic link "
              "too,\n"
              "unless you or root made that.\n\n"
              "Example:\n"
              "  trace start run1.fxt\n\n"
              "See also: trace, info trace, set trace-auto",
      TAKES(TRACE, 0, 1),
      .flags = NO_REPEAT,
      .fn = cmd_trace_start,
      .complete = comp_fxt },
    { .name = "stop",
      .usage = "",
      .brief = "Stop recording.",
      .help = "Example:\n"
              "  trace stop\n\n"
              "See also: trace, stats",
      TAKES(TRACE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_trace_stop },
    { .name = NULL },
};

const struct ez_cmd save_cmds[] = {
    { .name = "probes",
      .usage = "FILE",
      .brief = "Write all probes as commands to FILE.",
      .help =
          "Probes, dprintf, tracepoints, aggregates and replacements, with their conditions and "
          "items,\n"
          "as they were typed; not those of modules. $bpnum is the number of the newest probe.\n\n"
          "Example:\n"
          "  save probes hot.ezt\n"
          "  source hot.ezt\n\n"
          "See also: source, save tracepoints, info probes",
      TAKES(PROBE, 1, 1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_save_probes,
      .complete = comp_file },
    { .name = "session",
      .usage = "FILE",
      .brief = "Write the session's commands, with what they printed.",
      .help =
          "The output stands behind each command in comments, \"#| LINE\"; \"source FILE\" does "
          "the\n"
          "same again. \"eztsh --check FILE [PROG]\" runs the commands, with PROG in place of the\n"
          "session's program if it is given, compares what they print, and says which command\n"
          "printed something else; its status is 0 or 1. What is masked: addresses (the same one\n"
          "must be the same one again), process ids, times, the folders of paths, numbers of ten\n"
          "digits or more, how many blanks there are. A line \"#| ...\" stands for any lines. "
          "What\n"
          "the program prints and what `explain` tells are not compared; what a program in the\n"
          "background makes happen comes when it comes: `wait` for it.\n\n"
          "Example:\n"
          "  save session homework.ezt\n"
          "  shell eztsh --check homework.ezt\n\n"
          "See also: source, save probes, set logging",
      TAKES(SUPPORT, 1, 1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_save_session,
      .complete = comp_file },
    { .name = "tracepoints",
      .alias = "tp",
      .usage = "FILE",
      .brief = "Write tracepoints as commands to FILE.",
      .help = help_tracepoint,
      TAKES(TRACE, 1, 1),
      .flags = NO_REPEAT | HERE,
      .fn = cmd_save_tracepoints,
      .complete = comp_file },
    { .name = NULL },
};

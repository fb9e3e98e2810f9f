/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - every command, sorted by name.
 *
 * One line of data per command: lookup, preconditions, help, completion, apropos
 * and the manual's chapter come from here; what is long stands in the files that table_parts.h
 * names. `info` has its own table (table_info.c), `set` and `show` are built from the settings
 * (settings.c).
 * Tests: tests/unit/shell/check_table.c */
#include "cmds/cmd.h"
#include "cmds/table_parts.h"

#define AGGREGATE(word, what, tells)                                                               \
    {                                                                                              \
        .name = #word, .usage = what, .brief = tells, .help = help_aggregate, TAKES(PROBE, 1, 1),  \
        .flags = RAW | MUTATES, .fn = cmd_##word, .complete = comp_location                        \
    }

const struct ez_cmd ez_cmds[] = {
    { .name = "apropos",
      .usage = "REGEX",
      .brief = "Search for commands matching a regular expression.",
      .help = "Names, one-line descriptions and help texts are searched.\n\n"
              "Example:\n"
              "  apropos signal\n\n"
              "See also: help",
      TAKES(SUPPORT, 1, 1),
      .flags = RAW,
      .fn = cmd_apropos },
    { .name = "attach",
      .usage = "PID",
      .brief = "Attach to a process and stop it.",
      .help = help_attach,
      TAKES(RUN, 1, 1),
      OPTIONS({ .name = "-force",
                .whole = true,
                .meaning = "take away the probes that another eztsh has there, or seems to have" }),
      .flags = NO_REPEAT,
      .fn = cmd_attach,
      .complete = comp_pid },
    AGGREGATE(avg, "EXPR at FUNC [by KEY] [if EXPR]",
              "The mean of a value, added up in the target."),
    { .name = "begin",
      .usage = "",
      .brief = "Hold new probes back until commit.",
      .help = help_begin,
      .min_abbrev = 3,
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_begin },
    { .name = "call",
      .usage = "[(TYPE)]FUNC(ARG...)",
      .brief = "Call a function in the stopped target.",
      .help = help_call,
      TAKES(DATA, 1, 1),
      .flags = RAW | NEED_STOPPED | MUTATES,
      .fn = cmd_call,
      .complete = comp_symbol },
    { .name = "cd",
      .usage = "[DIR]",
      .brief = "Change the working directory.",
      .help = "Without DIR: to the home directory. Programs started later begin there.\n\n"
              "Example:\n"
              "  cd /tmp\n\n"
              "See also: pwd",
      TAKES(SUPPORT, 0, 1),
      .fn = cmd_cd,
      .complete = comp_file },
    { .name = "check",
      .usage = "LOCATION...",
      .brief = "Compare prologues with their relocated copies.",
      .help = help_check,
      .min_abbrev = 3,
      TAKES(PROBE, 1, -1),
      OPTIONS({ .name = "-r", .meaning = "LOCATION is [LIB:]REGEX, as for probe" }),
      .flags = NEED_STOPPED,
      .fn = cmd_check,
      .complete = comp_location },
    { .name = "commit",
      .usage = "",
      .brief = "Plant all probes held since begin, at once.",
      .help = "Example:\n"
              "  commit\n\n"
              "See also: begin, rollback",
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_commit },
    { .name = "complete",
      .usage = "TEXT",
      .brief = "List the completions of TEXT, one on each line.",
      .help = "What the Tab key would offer; for scripts and editors.\n\n"
              "Example:\n"
              "  complete info s\n\n"
              "See also: help",
      TAKES(SUPPORT, 0, 1),
      .flags = RAW | NO_REPEAT,
      .fn = cmd_complete },
    { .name = "continue",
      .usage = "[&]",
      .brief = "Let the target go on, after a stop.",
      .help = help_continue,
      .min_abbrev = 1,
      TAKES(RUN, 0, 1),
      .flags = NEED_STOPPED,
      .fn = cmd_continue },
    { .name = "convert",
      .usage = "[FILE.fxt...]",
      .brief = "Convert traces to a format that viewers read.",
      .help = help_convert,
      TAKES(TRACE, 0, -1),
      .options = options_convert,
      .fn = cmd_convert,
      .complete = comp_fxt },
    AGGREGATE(count, "FUNC [by KEY] [if EXPR]", "Count calls by key, in the target."),
    { .name = "delete",
      .alias = "unprobe",
      .usage = "[N...]",
      .brief = "Remove probes; all of them without numbers.",
      .help = help_delete,
      .min_abbrev = 1,
      TAKES(PROBE, 0, -1),
      .flags = MUTATES,
      .fn = cmd_delete,
      .complete = comp_probe },
    { .name = "detach",
      .usage = "",
      .brief = "Remove every probe and let the target go.",
      .help = help_detach,
      TAKES(RUN, 0, 0),
      OPTIONS({ .name = "-keep", .meaning = "leave the probes at work" }),
      .flags = NEED_TARGET | MUTATES,
      .fn = cmd_detach },
    { .name = "disable",
      .usage = "[N...]",
      .brief = "Switch probes off without removing them.",
      .help = "Without numbers: all. The function's own bytes come back, the probe keeps its\n"
              "number and its counts.\n\n"
              "Example:\n"
              "  disable 1\n\n"
              "See also: enable, delete",
      .min_abbrev = 3,
      TAKES(PROBE, 0, -1),
      .flags = MUTATES,
      .fn = cmd_disable,
      .complete = comp_probe },
    { .name = "disassemble",
      .usage = "[/rop] [SYM]",
      .brief = "Show the instructions of a function.",
      .help = help_disassemble,
      TAKES(DATA, 0, 1),
      .flags = RAW,
      .fn = cmd_disassemble,
      .complete = comp_symbol },
    { .name = "echo",
      .usage = "TEXT",
      .brief = "Print TEXT, with C's escapes.",
      .help = "No newline is added.\n\n"
              "Example:\n"
              "  echo planted\\n\n\n"
              "See also: shell",
      TAKES(SUPPORT, 0, 1),
      .flags = RAW,
      .fn = cmd_echo },
    { .name = "enable",
      .usage = "[N...]",
      .brief = "Switch probes on again.",
      .help = help_enable,
      TAKES(PROBE, 0, -1),
      .flags = MUTATES,
      .fn = cmd_enable,
      .complete = comp_probe },
    { .name = "events",
      .usage = "[N] [FILE.fxt...]",
      .brief = "Print the newest events of the trace.",
      .help = help_events,
      TAKES(TRACE, 0, -1),
      .options = options_events,
      .fn = cmd_events,
      .complete = comp_fxt },
    { .name = "file",
      .usage = "[PROG]",
      .brief = "Use PROG as the program to be run, and read its symbols.",
      .help = "Without PROG: forget the program.\n\n"
              "Example:\n"
              "  file ./app\n\n"
              "See also: run, attach",
      TAKES(RUN, 0, 1),
      .flags = NO_REPEAT,
      .fn = cmd_file,
      .complete = comp_file },
    { .name = "help",
      .usage = "[COMMAND|CLASS]",
      .brief = "Explain commands.",
      .help = "Example:\n"
              "  help probe\n"
              "  help tracing\n\n"
              "See also: apropos",
      .min_abbrev = 1,
      TAKES(SUPPORT, 0, 1),
      .flags = RAW,
      .fn = cmd_help,
      .complete = comp_command },
    AGGREGATE(hist, "[EXPR at] FUNC [by KEY] [if EXPR]",
              "A histogram of a value, or of how long calls take."),
    { .name = "info",
      .usage = "TOPIC",
      .brief = "Show what is known about the program and its probes.",
      .help = "Example:\n"
              "  info functions ^compute\n\n"
              "See also: show",
      .min_abbrev = 1,
      TAKES(DATA, 0, -1),
      .fn = cmd_list_sub,
      .sub = ez_info_cmds },
    { .name = "interrupt",
      .usage = "",
      .brief = "Stop a target that runs in the background.",
      .help = "Example:\n"
              "  continue &\n"
              "  interrupt\n\n"
              "See also: continue, wait",
      TAKES(RUN, 0, 0),
      .flags = NEED_TARGET,
      .fn = cmd_interrupt },
    { .name = "kill",
      .usage = "",
      .brief = "Kill the target.",
      .help = "Example:\n"
              "  kill\n\n"
              "See also: detach, quit",
      .min_abbrev = 1,
      TAKES(RUN, 0, 0),
      .flags = NEED_TARGET | MUTATES,
      .fn = cmd_kill },
    AGGREGATE(max, "EXPR at FUNC [by KEY] [if EXPR]", "The greatest value, found in the target."),
    { .name = "measure",
      .usage = "FUNC",
      .brief = "Measure the instructions a probe would overwrite.",
      .help = help_measure,
      TAKES(PROBE, 1, 1),
      .options = options_measure,
      .fn = cmd_measure,
      .complete = comp_symbol },
    AGGREGATE(min, "EXPR at FUNC [by KEY] [if EXPR]", "The least value, found in the target."),
    { .name = "mmap",
      .usage = "LENGTH [PROT] [at ADDR]",
      .brief = "Map fresh memory in the stopped target.",
      .help = help_mmap,
      TAKES(DATA, 1, 4),
      .flags = NEED_STOPPED | MUTATES,
      .fn = cmd_mmap },
    { .name = "module",
      .usage = "load|unload|list ...",
      .brief = "Load modules: functions that replace others, and record.",
      .help =
          "A module is a file of functions that are called instead of others and record events\n"
          "(ezt_probe.h). A name is looked for in EZTRACE_LIBRARY_PATH, then among those that\n"
          "came with eztsh; with a slash it is a file. EZTRACE_TRACE and the option -m load\n"
          "modules at the start.\n\n"
          "Example:\n"
          "  module list\n"
          "  module load pthread\n"
          "  module unload pthread\n\n"
          "See also: info modules, replace",
      .min_abbrev = 3,
      TAKES(PROBE, 0, 0),
      .fn = cmd_module_list,
      .sub = module_cmds },
    { .name = "munmap",
      .usage = "ADDR LENGTH",
      .brief = "Unmap memory of the stopped target.",
      .help = help_munmap,
      TAKES(DATA, 2, 2),
      .flags = NEED_STOPPED | MUTATES,
      .fn = cmd_munmap },
    { .name = "probe",
      .usage = "LOCATION... [if EXPR] [collect ITEM, ...] [return ITEM, ...]",
      .brief = "Plant probes at entry and exit of functions.",
      .help = help_probe,
      TAKES(PROBE, 1, -1),
      .options = options_probe,
      .flags = MUTATES | TAIL,
      .fn = cmd_probe,
      .complete = comp_location },
    { .name = "ptype",
      .usage = "EXPR-or-TYPE",
      .brief = "The definition of a type, or of an expression's.",
      .help =
          "By the debug information of the program, then of its libraries; in the function where\n"
          "the target is stopped, if it is. Nothing is evaluated.\n\n"
          "Example:\n"
          "  ptype struct band\n"
          "  ptype *list->first\n\n"
          "See also: whatis, info scope, probe",
      TAKES(DATA, 1, 1),
      .flags = RAW,
      .fn = cmd_ptype,
      .complete = comp_symbol },
    { .name = "pwd",
      .usage = "",
      .brief = "Print the working directory.",
      .help = "Example:\n"
              "  pwd\n\n"
              "See also: cd",
      TAKES(SUPPORT, 0, 0),
      .fn = cmd_pwd },
    { .name = "quit",
      .usage = "[N]",
      .brief = "Leave eztsh, with status N.",
      .help = "A program that eztsh started is killed; one that it attached to is left running,\n"
              "with every probe removed.\n\n"
              "Example:\n"
              "  quit\n\n"
              "See also: detach, kill",
      .min_abbrev = 1,
      TAKES(SUPPORT, 0, 1),
      .flags = NO_REPEAT,
      .fn = cmd_quit },
    { .name = "replace",
      .usage = "FUNC with LIB:FUNC2 [orig VARIABLE]",
      .brief = "Have another function called instead.",
      .help = help_replace,
      TAKES(PROBE, 3, 5),
      .flags = MUTATES,
      .fn = cmd_replace,
      .complete = comp_location },
    { .name = "report",
      .usage = "[FILE.fxt...]",
      .brief = "Write one page with timeline, table and flame graph.",
      .help = help_report,
      TAKES(TRACE, 0, -1),
      .options = options_report,
      .fn = cmd_report,
      .complete = comp_fxt },
    { .name = "rollback",
      .usage = "",
      .brief = "Forget all probes held since begin.",
      .help = "Example:\n"
              "  rollback\n\n"
              "See also: begin, commit",
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_rollback },
    { .name = "run",
      .usage = "[ARGS]",
      .brief = "Start the program.",
      .help =
          "ARGS replace those of \"set args\"; /bin/sh expands them and does the redirections.\n"
          "run alone uses the arguments of the last time.\n\n"
          "Example:\n"
          "  run -n 10 < in.txt > out.txt\n\n"
          "See also: start, set args, kill",
      .min_abbrev = 1,
      TAKES(RUN, 0, 1),
      .flags = RAW | NO_REPEAT,
      .fn = cmd_run,
      .complete = comp_file },
    { .name = "set",
      .usage = "SETTING VALUE",
      .brief = "Change a setting.",
      .help = "Example:\n"
              "  set confirm off\n"
              "  set args -n 10\n\n"
              "See also: show",
      TAKES(SUPPORT, 0, -1),
      .flags = NO_REPEAT,
      .fn = cmd_list_sub,
      .sub = ez_set_cmds },
    { .name = "shell",
      .alias = "!",
      .usage = "[COMMAND]",
      .brief = "Run a command in a shell; recording goes on meanwhile.",
      .help = "Without COMMAND: an interactive shell. $_shell_exitcode receives its status.\n\n"
              "Example:\n"
              "  shell ls -l\n"
              "  !date\n\n"
              "See also: echo",
      TAKES(SUPPORT, 0, 1),
      .flags = RAW,
      .fn = cmd_shell,
      .complete = comp_file },
    { .name = "show",
      .usage = "[SETTING]",
      .brief = "Show settings; all of them without a name.",
      .help = "Example:\n"
              "  show confirm\n\n"
              "See also: set, info",
      TAKES(SUPPORT, 0, -1),
      .fn = cmd_show_all,
      .sub = ez_show_cmds },
    { .name = "source",
      .usage = "FILE",
      .brief = "Run the commands in FILE.",
      .help = "An error ends the file.\n\n"
              "Example:\n"
              "  source setup.ezt\n\n"
              "See also: shell, set trace-commands",
      TAKES(SUPPORT, 1, 1),
      OPTIONS({ .name = "-v", .meaning = "show each command before it runs" }),
      .flags = NO_REPEAT,
      .fn = cmd_source,
      .complete = comp_file },
    { .name = "start",
      .usage = "[ARGS]",
      .brief = "Start the program and stop at main.",
      .help = "Example:\n"
              "  start -n 10\n\n"
              "See also: run, continue",
      TAKES(RUN, 0, 1),
      .flags = RAW | NO_REPEAT,
      .fn = cmd_start,
      .complete = comp_file },
    { .name = "stats",
      .usage = "[FILE.fxt...]",
      .brief = "Summarize traces: calls and times per function.",
      .help = help_stats,
      TAKES(TRACE, 0, -1),
      .options = options_stats,
      .fn = cmd_stats,
      .complete = comp_fxt },
    { .name = "stepi",
      .alias = "si",
      .usage = "[N]",
      .brief = "Execute one instruction, or N.",
      .help = help_stepi,
      TAKES(RUN, 0, 1),
      .flags = NEED_STOPPED,
      .fn = cmd_stepi },
    AGGREGATE(sum, "EXPR at FUNC [by KEY] [if EXPR]",
              "The sum of a value, added up in the target."),
    { .name = "syscall",
      .usage = "NAME|NR [ARG...]",
      .brief = "Execute a system call in the stopped target.",
      .help = "$_ receives the result; a failure is told by the name of its error. A thread that\n"
              "sleeps in a system call goes back to sleep unharmed.\n\n"
              "Example:\n"
              "  syscall getppid\n"
              "  syscall close 5\n\n"
              "See also: call, mmap",
      TAKES(DATA, 1, 7),
      .flags = NEED_STOPPED | MUTATES,
      .fn = cmd_syscall },
    { .name = "thread",
      .alias = "t",
      .usage = "[N]",
      .brief = "Show or choose the current thread.",
      .help = "Numbers are those of \"info threads\".\n\n"
              "Example:\n"
              "  thread 2\n\n"
              "See also: info threads",
      TAKES(DATA, 0, 1),
      .flags = NEED_STOPPED,
      .fn = cmd_thread },
    { .name = "timeline",
      .usage = "[FILE.fxt...]",
      .brief = "Draw what each thread was doing, in the terminal.",
      .help = help_timeline,
      TAKES(TRACE, 0, -1),
      .options = options_window,
      .fn = cmd_timeline,
      .complete = comp_fxt },
    AGGREGATE(top, "FUNC by KEY [if EXPR]", "The keys with the most calls."),
    { .name = "trace",
      .usage = "[start] FILE.fxt | stop | repair FILE.fxt | export OUT.fxt [FILE.fxt]",
      .brief = "Record events in FILE, or stop recording.",
      .help = help_trace,
      TAKES(TRACE, 1, 1),
      .flags = NO_REPEAT | OWN_WORDS,
      .fn = cmd_trace_start,
      .complete = comp_fxt,
      .sub = trace_cmds },
    { .name = "wait",
      .usage = "",
      .brief = "Wait for the end of a target in the background.",
      .help = "Ctrl-C ends the waiting, not the target.\n\n"
              "Example:\n"
              "  continue &\n"
              "  wait\n\n"
              "See also: continue, interrupt",
      TAKES(RUN, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_wait },
    { .name = "whatis",
      .usage = "EXPR-or-TYPE",
      .brief = "The type of an expression.",
      .help = "Like ptype, without members; of a typedef it says what it stands for.\n\n"
              "Example:\n"
              "  whatis list->first\n"
              "  whatis size_t\n\n"
              "See also: ptype, info scope",
      TAKES(DATA, 1, 1),
      .flags = RAW,
      .fn = cmd_whatis,
      .complete = comp_symbol },
    { .name = "why",
      .usage = "LOCATION",
      .brief = "What a probe there does, or why none can stand.",
      .help = help_why,
      TAKES(PROBE, 1, 1),
      .flags = RAW | NEED_TARGET,
      .fn = cmd_why,
      .complete = comp_location },
    { .name = "x",
      .usage = "[/FMT] [ADDR]",
      .brief = "Examine memory.",
      .help = help_x,
      .min_abbrev = 1,
      TAKES(DATA, 0, 1),
      .flags = RAW,
      .fn = cmd_x,
      .complete = comp_symbol },
    { .name = NULL },
};

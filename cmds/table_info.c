/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_info.c - the subcommands of `info`, sorted by name. See table.c. */
#include "cmds/cmd.h"
#include "cmds/table_parts.h"

const struct ez_cmd ez_info_cmds[] = {
    { .name = "address",
      .usage = "SYM",
      .brief = "Where a symbol is.",
      .help = "Example:\n"
              "  info address main\n\n"
              "See also: info symbol, info line",
      TAKES(DATA, 1, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_address,
      .complete = comp_symbol },
    { .name = "aggregates",
      .usage = "",
      .brief = "What count, sum, hist and their kin found.",
      .help =
          "For each aggregate: its keys with the most hits, the values, and of a histogram\n"
          "quantiles (as in \"stats\") and a bar for each power of two. Also after the program's\n"
          "end. Of a job: sums over its processes (\"aggregate\").\n\n"
          "Example:\n"
          "  count write by $arg0\n"
          "  info aggregates\n\n"
          "See also: count, hist, info probes",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS,
              { .name = "-by",
                .kind = OPT_ONE_OF,
                .words = (const struct ez_opt_word[]){ { "host", 1 }, { "rank", 2 }, { NULL, 0 } },
                .meaning = "of a job: a row for each host, or rank" }),
      .flags = HERE,
      .fn = cmd_info_aggregates },
    { .name = "args",
      .usage = "[REGEX]",
      .brief = "Arguments of the selected frame.",
      .help = "Example:\n"
              "  info args\n\n"
              "See also: info locals, backtrace, frame",
      TAKES(DATA, 0, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_args },
    { .name = "auxv",
      .usage = "",
      .brief = "What the kernel told the program at its start.",
      .help = "The auxiliary vector: tag, name, meaning, value (getauxval(3)).\n\n"
              "Example:\n"
              "  info auxv\n\n"
              "See also: info proc, info sharedlibrary",
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_auxv },
    { .name = "breakpoints",
      .usage = "",
      .brief = "Breakpoints and watchpoints.",
      .help = "As gdb's table. Probes have one of their own.\n\n"
              "Example:\n"
              "  info breakpoints\n\n"
              "See also: break, watch, info probes, delete",
      .min_abbrev = 1,
      TAKES(RUN, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_breakpoints },
    { .name = "contexts",
      .usage = "",
      .brief = "Named sets of the job's processes.",
      .help = "Example:\n"
              "  context even = where rank % 2 == 0\n"
              "  info contexts\n\n"
              "See also: context, info job",
      TAKES(JOB, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_contexts },
    { .name = "cost",
      .usage = "",
      .brief = "What a probe costs per call on this machine.",
      .help =
          "Medians of a loop in a small program that an eztsh of its own probes: the target and\n"
          "the trace of this session are not touched. The clock is the one that \"set\n"
          "trace-clock\" chooses.\n\n"
          "Example:\n"
          "  info cost\n\n"
          "See also: info trace, probe",
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_cost },
    { .name = "coverage",
      .usage = "",
      .brief = "What became of every function that was asked for.",
      .help = "Counts functions that are planted (by strategy), pending, disabled and refused (by\n"
              "reason). The sum is what was requested in this process, or in the last one.\n\n"
              "Example:\n"
              "  probe -r '*:.'\n"
              "  info coverage\n\n"
              "See also: probe, why, info probes",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_coverage },
    { .name = "display",
      .usage = "",
      .brief = "The values that each stop shows.",
      .help = "Example:\n"
              "  info display\n\n"
              "See also: display, undisplay",
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_display },
    { .name = "frame",
      .alias = "f",
      .usage = "",
      .brief = "Where the selected frame is, and its caller.",
      .help = "Example:\n"
              "  info frame\n\n"
              "See also: backtrace, frame, info registers",
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_frame },
    { .name = "functions",
      .usage = "[REGEX]",
      .brief = "Names and addresses of functions.",
      .help =
          "program: in its own file, or library. [local] is not exported (what C calls static),\n"
          "[ifunc] picks its code at load time, [plt] leads to a library, [cold] is a fragment.\n"
          "In a file without a symbol table the functions that its unwind table knows are named\n"
          "fde_ADDRESS (the address in the file), and main, which the start-up code names.\n\n"
          "Example:\n"
          "  info functions ^compute\n"
          "  info functions -v ^compute\n\n"
          "See also: info address, probe",
      .min_abbrev = 1,
      TAKES(DATA, 0, 1),
      .flags = RAW,
      OPTIONS({ .name = "-v",
                .meaning = "with result and parameters, where debug information or the table of\n"
                           "libc's functions has them: static int compute(int n, double *a)" },
              FOR_PROGRAMS),
      .fn = cmd_info_functions,
      .complete = comp_symbol },
    { .name = "histogram",
      .usage = "PROBE [FILE.fxt...]",
      .brief = "How long single calls took, by powers of two.",
      .help = "PROBE is a number of \"info probes\" or a function's name. The calls are those in\n"
              "the FILE, or else in the trace that is being written, or in the last one.\n\n"
              "Example:\n"
              "  info histogram 1\n"
              "  info histogram compute app-4242.fxt\n\n"
              "See also: stats, events, info probes",
      TAKES(TRACE, 1, -1),
      .options = options_histogram,
      .flags = HERE,
      .fn = cmd_info_histogram,
      .complete = comp_probe },
    { .name = "hosts",
      .usage = "",
      .brief = "The job's daemons, their hosts and processes.",
      .help = "Example:\n"
              "  info hosts\n\n"
              "See also: job, info job",
      TAKES(JOB, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_hosts },
    { .name = "inferiors",
      .usage = "",
      .brief = "The processes of the session.",
      .help = "Example:\n"
              "  info inferiors\n\n"
              "See also: inferior, set follow-fork-mode, info job",
      TAKES(JOB, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_inferiors },
    { .name = "job",
      .usage = "",
      .brief = "The job's processes: host, pid, state, program.",
      .help = "The token is what \"job attach -token\" takes, from another eztsh or at another "
              "time.\n\n"
              "Example:\n"
              "  info job\n\n"
              "See also: job, info hosts, info contexts",
      TAKES(JOB, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_job },
    { .name = "line",
      .usage = "[LOCATION]",
      .brief = "Source line of a function or *ADDRESS.",
      .help = "LOCATION may also be a line. The command prints the addresses of the line, and "
              "\"x\" continues there.\n\n"
              "Example:\n"
              "  info line main\n"
              "  info line 20\n"
              "  info line *0x401136\n\n"
              "See also: info symbol",
      TAKES(DATA, 0, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_line,
      .complete = comp_symbol },
    { .name = "locals",
      .usage = "[REGEX]",
      .brief = "Variables of the selected frame.",
      .help =
          "The innermost block's first; one that another of the same name hides is shown, too.\n"
          "REGEX: those with such names.\n\n"
          "Example:\n"
          "  info locals\n"
          "  info locals ^n\n\n"
          "See also: info args, backtrace, print",
      TAKES(DATA, 0, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_locals },
    { .name = "macro",
      .usage = "NAME",
      .brief = "The definition of a preprocessor macro.",
      .help = "As it holds where the selected frame is. The compiler tells of macros with -g3.\n\n"
              "Example:\n"
              "  info macro NULL\n\n"
              "See also: macro expand, print",
      TAKES(DATA, 1, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_macro },
    { .name = "mappings",
      .usage = "",
      .brief = "Memory mappings of the target; eztsh's have names.",
      .help = "Example:\n"
              "  info mappings\n\n"
              "See also: info proc, mmap",
      TAKES(DATA, 0, 0),
      .flags = NEED_TARGET,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_mappings },
    { .name = "modules",
      .usage = "",
      .brief = "Modules that are loaded, and their functions.",
      .help = "Missing functions are in no library yet; \"info replacements\" has each with the\n"
              "reason. Events are those of this process.\n\n"
              "Example:\n"
              "  info modules\n\n"
              "See also: module, info replacements",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_modules },
    { .name = "probes",
      .usage = "[REGEX]",
      .brief = "State and calls of each probe.",
      .help =
          "Calls are entries; of an exit probe, exits. (A hit, which `info trace` counts, is an\n"
          "entry or an exit.) Earlier are those that were counted before this shell took the\n"
          "probe over from another one. REGEX chooses by the function's name. Probes that were\n"
          "never called are left out when there are more of them than a screen has lines. On a\n"
          "terminal long names are shortened in the middle.\n\n"
          "Example:\n"
          "  info probes\n"
          "  info probes -top 20 '^pthread_'\n\n"
          "See also: probe, delete, enable, disable",
      TAKES(PROBE, 0, 1),
      .options = options_probes,
      .fn = cmd_info_probes },
    { .name = "proc",
      .usage = "[mappings]",
      .brief = "The process: its id, command line, directory, program.",
      .help = "Example:\n"
              "  info proc\n\n"
              "See also: info mappings, info threads",
      TAKES(DATA, 0, 0),
      .flags = NEED_TARGET,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_proc,
      .sub = proc_cmds },
    { .name = "ptrace",
      .usage = "",
      .brief = "What was asked of the kernel about the target, and its cost.",
      .help = "The last 256 calls are kept, so that what led to a failure can be seen.\n\n"
              "Example:\n"
              "  info ptrace\n"
              "  info ptrace -last 20\n\n"
              "See also: explain",
      TAKES(SUPPORT, 0, 0),
      OPTIONS(FOR_PROGRAMS, { .name = "-last",
                              .kind = OPT_NUMBER,
                              .value = "N",
                              .meaning = "the last N calls, each in words" }),
      .fn = cmd_info_ptrace },
    { .name = "registers",
      .usage = "[NAME...]",
      .brief = "Registers of the current thread.",
      .help = "As a number, and as what it holds: decimal, an address, the names of flags. Any "
              "register\n"
              "that print knows will do, parts and vectors, too.\n\n"
              "Example:\n"
              "  info registers\n"
              "  info registers pc sp\n\n"
              "See also: thread, print, x",
      .min_abbrev = 1,
      TAKES(DATA, 0, -1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_registers },
    { .name = "replacements",
      .usage = "",
      .brief = "The functions that are replaced, and with what.",
      .help =
          "Calls are those that were led to the other function, under earlier shells, too.\n"
          "Original is where the replaced function goes on when the other one calls it through\n"
          "the pointer.\n\n"
          "Example:\n"
          "  info replacements\n\n"
          "See also: replace, info probes, delete",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_replacements },
    { .name = "scope",
      .usage = "FUNC",
      .brief = "What a probe on a function can collect by name.",
      .help = "Parameters and the result, with their types, and where they are at the function's\n"
              "first instruction. In clones that the optimiser made some may be optimized out.\n\n"
              "Example:\n"
              "  info scope compute\n\n"
              "See also: probe, ptype, info functions",
      TAKES(DATA, 1, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_scope,
      .complete = comp_symbol },
    { .name = "sharedlibrary",
      .usage = "",
      .brief = "Libraries that are loaded.",
      .help = "Example:\n"
              "  info sharedlibrary\n\n"
              "See also: info mappings, info functions",
      .min_abbrev = 2,
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_sharedlibrary },
    { .name = "signals",
      .usage = "[SIGNAL]",
      .brief = "What becomes of signals.",
      .help = "In the foreground; in the background all reach the program.\n\n"
              "Example:\n"
              "  info signals SIGUSR1\n\n"
              "See also: handle",
      TAKES(RUN, 0, 1),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_signals,
      .complete = comp_signal },
    { .name = "source",
      .usage = "",
      .brief = "The source file that list shows.",
      .help = "Example:\n"
              "  info source\n\n"
              "See also: list, info line",
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_source },
    { .name = "spec",
      .usage = "[N]",
      .brief = "Specifications: hits of clauses, and what was left alone.",
      .help = "Of each clause: how many routines it applies to, and how often its code ran. Of\n"
              "routines: those that are left alone or refused, with the reasons, and what else is\n"
              "to note.\n\n"
              "Example:\n"
              "  info spec 1 -routines\n\n"
              "See also: spec load, spec list",
      TAKES(PROBE, 0, 1),
      OPTIONS({ .name = "-routines", .meaning = "all routines" }, FOR_PROGRAMS),
      .fn = cmd_info_spec },
    { .name = "stack",
      .usage = "[full] [N|-N]",
      .brief = "The calls that are open, as backtrace.",
      .help = "Example:\n"
              "  info stack 3\n\n"
              "See also: backtrace, info frame",
      TAKES(DATA, 0, 2),
      .options = options_backtrace,
      .fn = cmd_backtrace },
    { .name = "symbol",
      .usage = "ADDR",
      .brief = "Which symbol is at an address.",
      .help = "ADDR is an expression.\n\n"
              "Example:\n"
              "  info symbol $pc\n"
              "  info symbol &list[3]\n\n"
              "See also: info address, info line",
      TAKES(DATA, 1, 1),
      .flags = RAW,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_symbol },
    { .name = "textdiff",
      .usage = "",
      .brief = "Which bytes of text differ from the files, and whose.",
      .help = "Every changed byte belongs to a probe, a hook of eztsh's own or a temporary\n"
              "breakpoint; what does not is called foreign.\n\n"
              "Example:\n"
              "  info textdiff\n\n"
              "See also: why, info probes, disassemble",
      TAKES(PROBE, 0, 0),
      .flags = NEED_TARGET,
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_textdiff },
    { .name = "threads",
      .usage = "",
      .brief = "Threads of the target.",
      .help = "Example:\n"
              "  info threads\n\n"
              "See also: thread",
      TAKES(DATA, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_threads },
    { .name = "trace",
      .usage = "",
      .brief = "File, size and ledger of the trace.",
      .help =
          "A hit is an entry or an exit that a probe saw: each was recorded, or filtered (only\n"
          "counted, or left out by a condition or an option), or untraced (no trace was open),\n"
          "or dropped, or overwritten (by the flight recorder); while the program runs some may\n"
          "be under way (counted, and not written yet). Those of this shell's time; of shells\n"
          "from which it took over, in a line of their own. (What those left in the rings is\n"
          "this one's.)\n\n"
          "Example:\n"
          "  info trace\n\n"
          "See also: trace, events",
      TAKES(TRACE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_trace },
    { .name = "tracepoints",
      .alias = "tp",
      .usage = "",
      .brief = "The tracepoints, their actions and hits.",
      .help = help_tracepoint,
      TAKES(TRACE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_tracepoints },
    { .name = "tvariables",
      .usage = "",
      .brief = "The trace state variables.",
      .help = help_tracepoint,
      TAKES(TRACE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_tvariables },
    { .name = "window",
      .usage = "",
      .brief = "Where threads stood when text was changed last.",
      .help =
          "A thread inside the bytes that became a jump goes on in the stub, at the copy of the\n"
          "instruction it stood at; so do program counters that signal frames have saved.\n\n"
          "Example:\n"
          "  info window\n\n"
          "See also: why, info textdiff, info threads",
      TAKES(PROBE, 0, 0),
      OPTIONS(FOR_PROGRAMS),
      .fn = cmd_info_window },
    { .name = NULL },
};

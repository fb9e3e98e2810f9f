/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - every command, sorted by name.
 *
 * One line of data per command: lookup, preconditions, help, completion, apropos
 * and the manual's chapter come from here. `info` has its own table
 * (table_info.c), `set` and `show` are built from the settings (settings.c).
 * Tests: tests/unit/shell/check_table.c */
#include "cmds/cmd.h"

/* class, fewest and most arguments (-1 = any number) */
#define TAKES(class, lo, hi) .cls = EZ_CLASS_##class, .argmin = (lo), .argmax = (hi)

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
      .usage = "[-force] PID",
      .brief = "Attach to a process and stop it.",
      .help =
          "What it was doing goes on after \"continue\" or \"detach\". When the system forbids\n"
          "attaching, the message says which of its rules is the cause and what would help.\n"
          "-force takes away the probes that another eztsh has there, or seems to have.\n\n"
          "Example:\n"
          "  attach 4242\n\n"
          "See also: detach, info proc, run",
      TAKES(RUN, 1, 2),
      .flags = NO_REPEAT,
      .fn = cmd_attach,
      .complete = comp_pid },
    { .name = "begin",
      .usage = "",
      .brief = "Hold new probes back until commit.",
      .help = "From here on \"probe\" plants nothing; \"commit\" plants all of it in one go, so "
              "that the\n"
              "target never runs with a part of it, and \"rollback\" forgets it.\n\n"
              "Example:\n"
              "  begin\n"
              "  probe compute exchange\n"
              "  probe -r 'libm:.'\n"
              "  commit\n\n"
              "See also: commit, rollback, probe",
      .min_abbrev = 3,
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_begin },
    { .name = "call",
      .usage = "[(TYPE)]FUNC(ARG...)",
      .brief = "Call a function in the stopped target.",
      .help =
          "Up to six arguments: integers, addresses, and strings in double quotes, which stay in\n"
          "the target. $_ receives the result, as a value of TYPE (an integer, void, a pointer;\n"
          "without one 64 bits as they are). A call that does not return within five seconds is\n"
          "abandoned and the thread restored.\n\n"
          "Example:\n"
          "  call (int)getpid()\n"
          "  call strlen(\"abc\")\n"
          "  call toupper(97)\n\n"
          "See also: syscall, mmap",
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
      .usage = "[-r] LOCATION...",
      .brief = "Compare prologues with their relocated copies.",
      .help =
          "Runs the first instructions of each function and the copy that a probe makes of them\n"
          "side by side, in two scratch copies of the process, from many starting states, and\n"
          "compares registers, flags, vector registers and memory. A function need not carry a\n"
          "probe; of one that does, its own copy is checked. With -r it is [LIB:]REGEX as for\n"
          "probe. The target is not changed. Fails when a copy differs.\n\n"
          "Example:\n"
          "  check compute\n"
          "  check -r 'libc:^str'\n\n"
          "See also: info coverage, measure, probe, why",
      .min_abbrev = 3,
      TAKES(PROBE, 1, -1),
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
      .help = "With \"&\" it runs in the background, not traced, and the prompt returns at once;\n"
              "its end is told when it comes. Ctrl-C stops a target in the foreground.\n\n"
              "Example:\n"
              "  continue\n"
              "  continue &\n\n"
              "See also: wait, interrupt, stepi",
      .min_abbrev = 1,
      TAKES(RUN, 0, 1),
      .flags = NEED_STOPPED,
      .fn = cmd_continue },
    { .name = "convert",
      .usage = "[FILE.fxt...] [-t FORMAT] [-o OUT] [-z] [-from T] [-to T]",
      .brief = "Convert traces to a format that viewers read.",
      .help = "Several files, one a process or rank, become one trace with aligned clocks: ranks\n"
              "in their order, each below its host.\n"
              "Without a file it is the trace that is being written, or the last one.\n"
              "FORMAT is one of these; without -t it is what OUT ends in, or without -o paje:\n"
              "  paje    .trace   Paje, for ViTE and pajeng\n"
              "  vite    .vite.trace  Paje as GTG writes it for ViTE\n"
              "  otf     .otf     Open Trace Format 1, OUT.otf and parts beside it\n"
              "  otf2    .otf2    Open Trace Format 2, a folder, for Vampir and ViTE\n"
              "  chrome  .json    Trace Event JSON, for Perfetto and chrome://tracing\n"
              "  csv     .csv     a line each call; a name that begins with =, +, - or @ has an\n"
              "                   apostrophe before it: else it would be a formula\n"
              "  folded  .folded  stacks and their self time, for flame graphs\n"
              "-z compresses with gzip what can be. OUT appears only when it is complete; Ctrl-C\n"
              "leaves nothing behind. -o - is standard output. T is a time since the first event:\n"
              "1.5s, 300ms, 20us, 7ns; what is open at -from and -to is cut there.\n\n"
              "Example:\n"
              "  convert app-4242.fxt\n"
              "  convert app-*.fxt -t chrome -z -o app.json.gz\n\n"
              "See also: report, stats, timeline, trace",
      TAKES(TRACE, 0, -1),
      .fn = cmd_convert,
      .complete = comp_fxt },
    { .name = "delete",
      .alias = "unprobe",
      .usage = "[N...]",
      .brief = "Remove probes; all of them without numbers.",
      .help = "The function's own bytes come back; numbers are never used again. N may be a\n"
              "range.\n\n"
              "Example:\n"
              "  delete 2\n"
              "  delete 3-7\n\n"
              "See also: probe, disable, info probes",
      .min_abbrev = 1,
      TAKES(PROBE, 0, -1),
      .flags = MUTATES,
      .fn = cmd_delete,
      .complete = comp_probe },
    { .name = "detach",
      .usage = "[-keep]",
      .brief = "Remove every probe and let the target go.",
      .help = "Its text is again what its files say. With -keep the probes stay and go on\n"
              "counting and recording without a shell, until a later \"attach\" takes them\n"
              "over with their numbers and counts; what finds no room meanwhile is dropped,\n"
              "and counted.\n\n"
              "Example:\n"
              "  detach -keep\n\n"
              "See also: attach, kill, quit",
      TAKES(RUN, 0, 1),
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
      .help = "Without SYM: the function the current thread is in. The bytes are those in memory,\n"
              "a probe's jump included; /o shows what the probe replaced, /r shows the bytes.\n"
              "/p shows both sides, and the stub's copy of each moved instruction.\n\n"
              "Example:\n"
              "  disassemble main\n"
              "  disassemble /ro compute\n\n"
              "See also: x, measure, set disassembly-flavor",
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
      .help = "Without numbers: all.\n\n"
              "Example:\n"
              "  enable 1\n\n"
              "See also: disable, info probes",
      TAKES(PROBE, 0, -1),
      .flags = MUTATES,
      .fn = cmd_enable,
      .complete = comp_probe },
    { .name = "events",
      .usage = "[N] [-f] [FILE.fxt...] [-from T] [-to T]",
      .brief = "Print the newest events of the trace.",
      .help =
          "The last N (10): time since the trace began, thread, entry or exit, function, and\n"
          "how long the call took. -f goes on printing until Ctrl-C or the program's end.\n"
          "Of a FILE, or a window of it, the last N that are in it: time since its first event.\n\n"
          "Example:\n"
          "  events 20\n"
          "  events -f\n"
          "  events 100 app-4242.fxt -to 1.2s\n\n"
          "See also: trace, stats, info trace",
      TAKES(TRACE, 0, -1),
      .fn = cmd_events,
      .complete = comp_file },
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
    { .name = "measure",
      .usage = "[-opcodes|-step|-both] FUNC",
      .brief = "Measure the instructions a probe would overwrite.",
      .help = "Lists the first instructions of FUNC until the jump to the stub fits: by decoding\n"
              "(-opcodes), by executing them on a scratch copy of the process (-step), or both\n"
              "with a verdict (the default in a stopped target).\n\n"
              "Example:\n"
              "  measure compute\n"
              "  measure -opcodes main\n\n"
              "See also: probe, disassemble",
      TAKES(PROBE, 1, 2),
      .fn = cmd_measure,
      .complete = comp_symbol },
    { .name = "mmap",
      .usage = "LENGTH [PROT] [at ADDR]",
      .brief = "Map fresh memory in the stopped target.",
      .help = "PROT is made of r, w, x and -, or \"none\"; rw- when not given. LENGTH may end in\n"
              "K, M or G. $_ receives the address.\n\n"
              "Example:\n"
              "  mmap 8192 rw-\n"
              "  mmap 1M r-x at 0x10000000\n\n"
              "See also: munmap, syscall, info mappings",
      TAKES(DATA, 1, 4),
      .flags = NEED_STOPPED | MUTATES,
      .fn = cmd_mmap },
    { .name = "munmap",
      .usage = "ADDR LENGTH",
      .brief = "Unmap memory of the stopped target.",
      .help = "Refuses what eztsh itself mapped: a thread may be running there.\n\n"
              "Example:\n"
              "  munmap $_ 8192\n\n"
              "See also: mmap, info mappings",
      TAKES(DATA, 2, 2),
      .flags = NEED_STOPPED | MUTATES,
      .fn = cmd_munmap },
    { .name = "probe",
      .usage = "[entry|exit|both] [-count|-record] [--trap] [-r] LOCATION...",
      .brief = "Plant probes at entry and exit of functions.",
      .help =
          "LOCATION is func, lib:func, func@lib, func@VERSION (without one: what programs call),\n"
          "file.c:func, file.c:line (the function that the line is in) or *ADDR. With -r it is\n"
          "[LIB:]REGEX: matching functions of the program, of LIB, or with \"*:\" of every loaded\n"
          "object. -record (the default) writes timed events to the trace, -count only counts.\n"
          "What is in no loaded object yet stays pending until it is. Ctrl-C while many are\n"
          "planted plants none, also at run: there they stay pending till `continue`.\n"
          "C++ and Fortran functions may be named in part, as in gdb (f or f(int) for "
          "ns::f(int));\n"
          "all that are meant get a probe.\n"
          "A function that cannot be probed is refused with the reason, and left as it was.\n"
          "With --trap a breakpoint serves where no jump can stand; it is handled inside the\n"
          "program and costs more than a microsecond a hit. Options may also follow LOCATION.\n\n"
          "Example:\n"
          "  probe compute\n"
          "  probe entry -count libm:sin\n"
          "  probe -r '*:^pthread_'\n\n"
          "See also: delete, disable, info probes, measure, trace, set strategy, why",
      TAKES(PROBE, 1, -1),
      .flags = MUTATES,
      .fn = cmd_probe,
      .complete = comp_location },
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
    { .name = "report",
      .usage = "[FILE.fxt...] [-o OUT.html] [-from T] [-to T]",
      .brief = "Write one page with timeline, table and flame graph.",
      .help =
          "For a browser; it needs no network. A long trace is drawn by its longest calls and\n"
          "by slices of time, and the page says how many there are; that of a window (-from, -to,\n"
          "times since the first event: 1.5s, 20us) has all its calls, up to a million. Without a\n"
          "file it is the trace that is being written, or the last one. d3 draws it: package\n"
          "node-d3 in Debian.\n\n"
          "Example:\n"
          "  report app-4242.fxt\n"
          "  report app-*.fxt -o app.html\n"
          "  report app-4242.fxt -from 1.2s -to 1.3s\n\n"
          "See also: timeline, stats, convert",
      TAKES(TRACE, 0, -1),
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
      .usage = "[-v] FILE",
      .brief = "Run the commands in FILE.",
      .help = "An error ends the file. -v shows each command before it runs.\n\n"
              "Example:\n"
              "  source setup.ezt\n\n"
              "See also: shell, set trace-commands",
      TAKES(SUPPORT, 1, 2),
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
      .usage = "[FILE.fxt...] [-by WHAT] [-sort KEY] [-top N] [-graph] [-json] [-live|-once] "
               "[-wide] [-from T] "
               "[-to T]",
      .brief = "Summarize traces: calls and times per function.",
      .help =
          "Total is the time in a function with what it called, Self without; % is the share\n"
          "of the run, which is the time from the first to the last event of each thread, all\n"
          "threads together. Min, mean, quantiles and max are those of single calls.\n"
          "What a thread slept, was preempted, or waited for room in its ring has rows of its\n"
          "own at the end ([slept], ...). Self is without them, Total without the waiting, which\n"
          "is our doing. So has the time in which events were lost; a call that was open\n"
          "then counts in Total and Self up to there, as one whose exit is not in the trace.\n"
          "Unwound: how many of the calls an exception or a jump left. Calls that were counted\n"
          "and not recorded (probe -count) have no times. Without a file it is the trace that is\n"
          "being written, or the last one.\n"
          "  -by WHAT    a row each function, library, thread or process, or several of them:\n"
          "              -by thread,function; of processes with ranks: job and host, too\n"
          "  -sort KEY   total, self, calls, mean, min, max, p50, p90, p99 or name (by rank)\n"
          "  -top N      the first N rows only\n"
          "  -graph      callers (<-) and callees (->) of each function\n"
          "  -json       for programs; times in nanoseconds\n"
          "  -wide       names whole, though lines get longer than the terminal's\n"
          "  -from T, -to T   this part alone; T is a time since the first event: 1.5s, 20us\n"
          "  -live       the trace that is being written; refreshed until Ctrl-C; where the\n"
          "              program writes to the same terminal, below what it wrote\n"
          "  -once       the same, as it is now\n\n"
          "Example:\n"
          "  stats app-4242.fxt -sort self -top 20\n"
          "  stats app-*.fxt -by process\n\n"
          "See also: convert, events, info histogram, trace",
      TAKES(TRACE, 0, -1),
      .fn = cmd_stats,
      .complete = comp_fxt },
    { .name = "stepi",
      .alias = "si",
      .usage = "[N]",
      .brief = "Execute one instruction, or N.",
      .help = "Only the current thread moves.\n\n"
              "Example:\n"
              "  stepi\n"
              "  stepi 20\n\n"
              "See also: continue, x",
      TAKES(RUN, 0, 1),
      .flags = NEED_STOPPED,
      .fn = cmd_stepi },
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
      .usage = "[FILE.fxt...] [-from T] [-to T]",
      .brief = "Draw what each thread was doing, in the terminal.",
      .help = "A line each thread, a letter each function: the innermost one that was on for most\n"
              "of a column's time. T is a time since the first event: 1.5s, 300ms, 20us, 7ns.\n"
              "Without a file it is the trace that is being written, or the last one.\n\n"
              "Example:\n"
              "  timeline app-4242.fxt\n"
              "  timeline app-4242.fxt -from 1.2s -to 1.3s\n\n"
              "See also: report, stats, convert",
      TAKES(TRACE, 0, -1),
      .fn = cmd_timeline,
      .complete = comp_fxt },
    { .name = "trace",
      .usage = "[start] FILE.fxt | stop | repair FILE.fxt",
      .brief = "Record events in FILE, or stop recording.",
      .help =
          "Without it the first recording probe opens PROG-PID.fxt in the working directory, or\n"
          "in $EZTRACE_TRACE_DIR; where there is something of that name already, PROG-PID.2.fxt.\n"
          "A rank's, by what Open MPI, PMIx, MPICH or Slurm put into its environment, is called\n"
          "PROG-jobID-rankN-HOST-PID.fxt.\n"
          "FILE takes the place of a trace that is there, of nothing else; of a symbolic link\n"
          "too, unless you or root made that. repair makes a trace whose shell was killed\n"
          "readable for other programs than eztsh (which reads it as it is): it ends with the\n"
          "last whole event.\n\n"
          "Example:\n"
          "  trace start run1.fxt\n"
          "  trace stop\n"
          "  trace repair run1.fxt\n\n"
          "See also: info trace, events, stats, set trace-auto",
      TAKES(TRACE, 1, 2),
      .flags = NO_REPEAT,
      .fn = cmd_trace,
      .complete = comp_trace },
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
    { .name = "why",
      .usage = "LOCATION",
      .brief = "What a probe there does, or why none can stand.",
      .help =
          "The instructions that the jump would replace and what becomes of each, branches into\n"
          "them, where the stub would be, and how exits are followed; or the reason against it,\n"
          "and what would change that. The verdict is that of \"probe\". Nothing is written, but\n"
          "an IFUNC that nobody has resolved yet has its resolver called in the target.\n\n"
          "Example:\n"
          "  why compute\n"
          "  why libm:sin\n\n"
          "See also: probe, disassemble, measure, info textdiff",
      TAKES(PROBE, 1, 1),
      .flags = RAW | NEED_TARGET,
      .fn = cmd_why,
      .complete = comp_location },
    { .name = "x",
      .usage = "[/FMT] [ADDR]",
      .brief = "Examine memory.",
      .help =
          "FMT is a count, a letter of x d u o t a c s i (hex, decimal, unsigned, octal, binary,\n"
          "address, character, string, instruction) and a size of b h w g. Without ADDR, and on\n"
          "an empty line, x goes on where it ended.\n\n"
          "Example:\n"
          "  x/4xg $sp\n"
          "  x/s 0x402010\n"
          "  x/5i $pc\n\n"
          "See also: disassemble, info symbol",
      .min_abbrev = 1,
      TAKES(DATA, 0, 1),
      .flags = RAW,
      .fn = cmd_x,
      .complete = comp_symbol },
    { .name = NULL },
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_help.c - the help texts of table.c that are longer than a few lines. */
#include "cmds/table_parts.h"

const char help_attach[] =
    "The process is stopped; it goes on after \"continue\" or \"detach\". If the system forbids\n"
    "attaching, the message says which rule is the cause and what would help.\n\n"
    "A process that another eztsh offers (\"set follow-fork-mode offer\") is woken: it stands "
    "where\n"
    "it was held, and has run nothing of its own. In a program whose libraries are not loaded\n"
    "yet probes wait for these, as before \"run\".\n\n"
    "Example:\n"
    "  attach 4242\n\n"
    "See also: detach, info proc, run";

const char help_begin[] =
    "From here on \"probe\" plants nothing; \"commit\" plants all of it in one go, so that the\n"
    "target never runs with a part of it, and \"rollback\" forgets it.\n\n"
    "Example:\n"
    "  begin\n"
    "  probe compute exchange\n"
    "  probe -r 'libm:.'\n"
    "  commit\n\n"
    "See also: commit, rollback, probe";

const char help_call[] =
    "As \"print\", but that nothing is printed of a function that returns nothing. Arguments are\n"
    "expressions, converted to what the debug information (or the table of libc's functions) says\n"
    "of the parameters: numbers, structs, texts in double quotes, which stay in the target. Of\n"
    "other functions TYPE says what is returned; without one, 64 bits as they are. $_ is the\n"
    "result, too. A call that faults, or does not return within five seconds, is abandoned and\n"
    "the thread restored; breakpoints do not stop it.\n\n"
    "Example:\n"
    "  call (int)getpid()\n"
    "  call strlen(\"abc\")\n"
    "  call toupper(97)\n\n"
    "See also: print, syscall, mmap";

const char help_check[] =
    "Runs the first instructions of each function and the copy that a probe makes of them\n"
    "side by side, in two scratch copies of the process, from many starting states, and\n"
    "compares registers, flags, vector registers and memory. A function need not carry a\n"
    "probe; if it does, the copy in its stub is checked. The target is not changed. The\n"
    "command fails if a copy differs.\n\n"
    "Example:\n"
    "  check compute\n"
    "  check -r 'libc:^str'\n\n"
    "See also: info coverage, measure, probe, why";

const char help_detach[] =
    "The code of the process is that of its files again. With -keep the probes go on\n"
    "counting and recording without a shell, until a later \"attach\" takes them over\n"
    "with their numbers and counts; events without room are dropped, and counted.\n\n"
    "Example:\n"
    "  detach -keep\n\n"
    "See also: attach, kill, quit";

const char help_disassemble[] =
    "Without SYM: the function the current thread is in. The bytes are those in memory,\n"
    "a probe's jump included; /o shows what the probe replaced, /r and /b show the bytes.\n"
    "/s shows lines of source, too, in the order of the instructions, /m in that of lines.\n"
    "/p shows both sides, and the stub's copy of each moved instruction. START and END are\n"
    "expressions; END does not belong to the range.\n\n"
    "Example:\n"
    "  disassemble main\n"
    "  disassemble /s $pc,+32\n"
    "  disassemble /ro compute\n\n"
    "See also: x, measure, set disassembly-flavor";

const char help_mmap[] =
    "PROT is made of r, w, x and -, or \"none\"; rw- when not given. LENGTH may end in\n"
    "K, M or G. $_ receives the address.\n\n"
    "Example:\n"
    "  mmap 8192 rw-\n"
    "  mmap 1M r-x at 0x10000000\n\n"
    "See also: munmap, syscall, info mappings";

const char help_probe[] =
    "LOCATION is func, lib:func, func@lib, func@VERSION (without one: what programs call),\n"
    "file.c:func, file.c:line (the function that the line is in) or *ADDR. [LIB:]REGEX\n"
    "means functions of the program, of LIB, or with \"*:\" of every loaded object.\n"
    "What is in no loaded object yet stays pending until it is. Ctrl-C while many are\n"
    "planted plants none, also at run: there they stay pending till `continue`.\n"
    "C++ and Fortran functions may be named in part, as in gdb (f or f(int) for "
    "ns::f(int));\n"
    "all that are meant get a probe.\n"
    "A function that cannot be probed is refused with the reason, and left as it was.\n\n"
    "if EXPR: only calls where it is not 0 are recorded or counted; the others are told as\n"
    "filtered (info probes). collect ITEM, ...: what the entry's record carries; return ITEM,\n"
    "...: what the exit's carries (there, an argument is what it was at the entry). An ITEM is\n"
    "an expression in C over the parameters, variables and types of the debug information, $arg0,\n"
    "$arg1, ... (integers and pointers by position), $farg0, ... (doubles), $ret, $fret, $caller,\n"
    "$thread, registers (as $sp); or $args (all parameters), $regs, $stack. A prototype in place "
    "of\n"
    "LOCATION says them without debug information; libc's functions are known (info scope FUNC\n"
    "lists them). :x :d :u :c :f :str :hex(BYTES) behind it say how it is shown. Memory that is\n"
    "not there is shown as <fault>; the program never faults.\n\n"
    "With -r, options, condition and items hold of each function by itself; one that lacks what\n"
    "they name is refused.\n\n"
    "do ACTION: what is done with each hit that passes; with a passcount, with the last of those\n"
    "hits alone. It is asked and done in the target, and costs nothing while the condition is\n"
    "false.\n"
    "  stop           all threads stop, that one where it was hit: a breakpoint; it goes on at\n"
    "                 `continue`\n"
    "  trace start    recording, which was paused when the probe was planted, begins with this "
    "hit\n"
    "  trace stop     recording pauses after this hit, for all threads; `trace start` goes on\n"
    "  enable N       probe N counts and records from now on; `disable N` ends that\n"
    "  snapshot       the flight recorder (set overflow overwrite) writes what it kept\n\n"
    "What an option or the condition keeps out is counted as filtered. A call whose length\n"
    "is not known yet (-min-time) waits in eztsh, with what its thread does meanwhile; where\n"
    "that is too much, it is recorded, and \"info trace\" tells how often.\n\n"
    "Example:\n"
    "  probe compute\n"
    "  probe -min-time 1ms -maxdepth 3 compute\n"
    "  probe compute if $arg0 > 100 collect $arg0:d, $arg1:str return $ret:d\n"
    "  probe insert if list->n > 100 collect $args, list->first->name return $ret\n"
    "  probe insert if list->n > 100 do stop\n"
    "  probe 'int f(int n, char *name)' collect $args\n"
    "  probe libc.so.6:open collect $args, $ret\n"
    "  probe entry -count libm:sin\n"
    "  probe -r '*:^pthread_'\n"
    "  probe -r -min-time 1ms . collect $args\n\n"
    "See also: condition, delete, disable, ignore, info probes, measure, passcount, trace, why";

const char help_dprintf[] =
    "The target records the values, without a stop (15 ns, texts more, where gdb needs 175 us), "
    "and eztsh "
    "fills\n"
    "in the format as they come, in the order of time across threads; the trace has them, too.\n"
    "FORMAT is C's: %d %i %u %x %X %o %c %s %p %f %e %g %a %%, flags, width and precision, and "
    "sizes:\n"
    "hh, h, l, ll, z, j, t before integers, l or L before %f and its kin. It is checked against "
    "the\n"
    "types of the expressions, which are those of\n"
    "\"probe ... collect\". A text is cut after \"set max-string\" bytes.\n"
    "`condition N EXPR`, `ignore` and `passcount` say when. While no events are recorded\n"
    "(\"trace stop\"), no line is printed.\n\n"
    "Example:\n"
    "  dprintf compute,\"n=%d of %s\\n\",n,list->name\n"
    "  dprintf libc.so.6:open,\"open %s\\n\",$arg0\n\n"
    "See also: condition, events, info probes, probe";

const char help_tracepoint[] =
    "gdb's words. A tracepoint is an entry probe that records between tstart and tstop, which\n"
    "switch all of them at once, without a stop. `trace LOCATION` and `tp` set one. A word with a\n"
    "slash, one that ends in .fxt, or the name of a file that is there is a file for `trace`;\n"
    "`tp` and `ftrace` always take a LOCATION. `actions [N]`, lines with `collect ITEM, ...` and\n"
    "`end` say what it records: $args, $regs, $_ret, expressions. A bad line leaves those before\n"
    "it. When its passcount is reached, the run\n"
    "ends. `tvariable` defines a number by name, for conditions and items that are typed later.\n"
    "tfind chooses one of the frames recorded since tstart (64 MiB of them; the trace file has "
    "all),\n"
    "by number, or the next one of a tracepoint, or at an address; tdump prints what it has.\n\n"
    "Example:\n"
    "  tp insert if n > 10\n"
    "  actions\n"
    "  collect $args, list->first->name\n"
    "  end\n"
    "  tstart\n"
    "  tfind\n"
    "  tdump\n\n"
    "See also: condition, dprintf, events, info tracepoints, passcount, probe, save tracepoints, "
    "trace";

const char help_ptype[] =
    "By the debug information of the program, then of its libraries; in the function where\n"
    "the target is stopped, if it is. Nothing is evaluated.\n\n"
    "Example:\n"
    "  ptype struct band\n"
    "  ptype *list->first\n\n"
    "See also: whatis, info scope, probe";

const char help_quit[] =
    "A program that eztsh started is killed; one that it attached to is left running,\n"
    "with every probe removed.\n\n"
    "Example:\n"
    "  quit\n\n"
    "See also: detach, kill";

const char help_whatis[] =
    "Like ptype, without members; of a typedef it says what it stands for.\n\n"
    "Example:\n"
    "  whatis list->first\n"
    "  whatis size_t\n\n"
    "See also: ptype, info scope";

const char help_apropos[] = "Names, one-line descriptions and help texts are searched.\n\n"
                            "Example:\n"
                            "  apropos signal\n\n"
                            "See also: help";

const char help_cd[] = "Without DIR: to the home directory. Programs started later begin there.\n\n"
                       "Example:\n"
                       "  cd /tmp\n\n"
                       "See also: pwd";

const char help_complete[] = "What the Tab key would offer; for scripts and editors.\n\n"
                             "Example:\n"
                             "  complete info s\n\n"
                             "See also: help";

const char help_echo[] = "No newline is added.\n\n"
                         "Example:\n"
                         "  echo planted\\n\n\n"
                         "See also: shell";

const char help_help[] = "Example:\n"
                         "  help probe\n"
                         "  help tracing\n\n"
                         "See also: apropos";

const char help_info[] = "Example:\n"
                         "  info functions ^compute\n\n"
                         "See also: show";

const char help_pwd[] = "Example:\n"
                        "  pwd\n\n"
                        "See also: cd";

const char help_set[] = "Example:\n"
                        "  set confirm off\n"
                        "  set args -n 10\n\n"
                        "See also: show";

const char help_show[] = "Example:\n"
                         "  show confirm\n\n"
                         "See also: set, info";

const char help_replace[] =
    "FUNC2 has the same prototype as FUNC and is in the target: in a library that it loads,\n"
    "or in the program. VARIABLE is a pointer beside it, which gets the address of the\n"
    "original, so that FUNC2 calls FUNC through it. Probes on FUNC see each call first.\n"
    "A thread in FUNC2 finishes it, whatever is deleted meanwhile.\n"
    "If FUNC2 calls what is replaced itself, FUNC2 must guard itself (ezt_probe.h).\n\n"
    "Example:\n"
    "  replace compute with libmine.so:my_compute\n"
    "  replace libc.so.6:malloc with libmine.so:my_malloc orig real_malloc\n\n"
    "See also: info replacements, probe, delete, why";

const char help_why[] =
    "Shows the instructions that the jump would replace and what becomes of each, branches\n"
    "into them, where the stub would be, and how exits are followed; or the reason against\n"
    "a probe, and what would change that. \"probe\" decides in the same way. Nothing is\n"
    "written, but if an IFUNC is not resolved yet, its resolver is called in the target.\n\n"
    "Example:\n"
    "  why compute\n"
    "  why libm:sin\n\n"
    "See also: probe, disassemble, measure, info textdiff";

const char help_print[] =
    "EXPR is C with gdb's extensions: @, {TYPE} ADDR, 'file.c'::name, f::name, $registers. The "
    "value\n"
    "becomes $N of the history: $ is the last one, $$ the one before it, $N the N-th. FMT: x d u "
    "o\n"
    "t a c f s z (hex, decimal, unsigned, octal, binary, address, character, float, text, hex "
    "with\n"
    "zeros); without one the type decides. Variables of the function where the target is stopped\n"
    "are found by the debug information; EXPR = EXPR assigns, FUNC(ARG...) calls a function of\n"
    "the program (\"help call\").\n\n"
    "Example:\n"
    "  print list->first[2].name\n"
    "  print length(list) + 1\n"
    "  print/x flags & ~3\n"
    "  print *values@5\n"
    "  print $sp\n\n"
    "See also: x, output, printf, set variable, ptype, call";

const char help_printf[] = "FORMAT is C's; %s shows the text to which a pointer leads. Nothing "
                           "becomes part of the history.\n\n"
                           "Example:\n"
                           "  printf \"%d of %s\\n\", count, list->name\n\n"
                           "See also: print, echo";

const char help_output[] =
    "As print, without \"$N = \" and without a newline; nothing becomes part of the "
    "history.\n\n"
    "Example:\n"
    "  output/x $sp\n\n"
    "See also: print, printf";

const char help_x[] =
    "FMT is a count, a letter of x z d u o t a c f s i (hex, decimal, unsigned, octal, binary,\n"
    "address, character, float, string, instruction) and a size of b h w g (1, 2, 4, 8 bytes).\n"
    "What FMT leaves out is as it was for the last x. A float has 4 or 8 bytes, the characters\n"
    "of a string 1, 2 or 4. A count below 0 shows what is before ADDR. ADDR is an expression, as\n"
    "for print; a variable of which no type is known stands for its address. Without ADDR, and\n"
    "on an empty line, x goes on where it ended. $_ is then the address of the last unit, with\n"
    "its type, and $__ its value.\n\n"
    "Example:\n"
    "  x/4xw &list->first\n"
    "  x/4xg $sp\n"
    "  x/2fg &matrix\n"
    "  x/s 0x402010\n"
    "  x/5i $pc\n\n"
    "See also: print, disassemble, info symbol";

const char help_measure[] =
    "Lists the first instructions of FUNC until the jump to the stub fits.\n\n"
    "Example:\n"
    "  measure compute\n"
    "  measure -opcodes main\n\n"
    "See also: probe, disassemble";

const char help_stepi[] = "Only the current thread moves.\n\n"
                          "Example:\n"
                          "  stepi\n"
                          "  stepi 20\n\n"
                          "See also: continue, x";

const char help_munmap[] = "Refuses what eztsh itself mapped: a thread may be running there.\n\n"
                           "Example:\n"
                           "  munmap $_ 8192\n\n"
                           "See also: mmap, info mappings";

const char help_signal[] =
    "SIGNAL is a name or a number, 0 for none: the one that it stopped with is dropped.\n\n"
    "Example:\n"
    "  signal SIGUSR1\n"
    "  signal 0\n\n"
    "See also: continue, handle";

const char help_continue[] = "With \"&\" it runs in the background, and the prompt returns at "
                             "once; its end is told when it\n"
                             "comes, and so are stops at breakpoints. Without these it is not "
                             "traced. Ctrl-C stops a target in\n"
                             "the foreground.\n\n"
                             "Example:\n"
                             "  continue\n"
                             "  continue &\n\n"
                             "See also: wait, interrupt, stepi";

const char help_handle[] =
    "SIGNAL is a name, a number, a range, or \"all\" (but SIGINT and SIGTRAP, which the shell "
    "uses).\n"
    "ACTION is one or more of:\n\n"
    "  stop, nostop    the program stops and the prompt comes, or not (stop implies print)\n"
    "  print, noprint  the signal is told, or not (noprint implies nostop)\n"
    "  pass, nopass    the program gets it when it goes on, or not\n\n"
    "In the background, without breakpoints, all signals reach the program. With -batch they do\n"
    "unless something else is said here.\n\n"
    "Example:\n"
    "  handle SIGUSR1 nostop noprint pass\n\n"
    "See also: info signals, signal, continue";

const char help_delete[] =
    "The function's own bytes come back; numbers are never used again. N may be a\n"
    "range.\n\n"
    "Example:\n"
    "  delete 2\n"
    "  delete 3-7\n\n"
    "See also: probe, disable, info probes";

const char help_disable[] =
    "Without numbers: all. The function's own bytes come back, the probe keeps its\n"
    "number and its counts. N.M is the place M of breakpoint N alone.\n\n"
    "Example:\n"
    "  disable 1\n"
    "  disable 2.1\n\n"
    "See also: enable, delete";

const char help_enable[] = "Without numbers: all. N.M is the place M of breakpoint N alone.\n\n"
                           "Example:\n"
                           "  enable 1\n"
                           "  enable once 2\n\n"
                           "See also: disable, info probes";

const char help_aggregate[] =
    "An aggregate leaves no record: the target adds values up in tables of its threads, which\n"
    "\"info aggregates\" shows, also after the program's end. count FUNC, sum EXPR at FUNC, and\n"
    "min, max, avg in the same way; hist FUNC (how long calls take), hist EXPR at FUNC (eight\n"
    "steps an octave); top FUNC by KEY. KEY is an expression: an integer, a text (char *, or\n"
    "with :str), $caller, $thread. EXPR as in \"help probe\"; with $ret it is of the exit. A\n"
    "process has room for 192 aggregates; each thread's table for about 1,000 keys, or 16 of\n"
    "a histogram: what finds no room is counted. They are numbered as probes are. A trace that\n"
    "is open has what they found: \"stats\" and \"report\" show it, summed over processes.\n\n"
    "Example:\n"
    "  count open by $arg0:str\n"
    "  sum $ret at read by $arg0\n"
    "  hist compute\n\n"
    "See also: info aggregates, probe, delete";

const char help_commit[] = "Example:\n"
                           "  commit\n\n"
                           "See also: begin, rollback";

const char help_rollback[] = "Example:\n"
                             "  rollback\n\n"
                             "See also: begin, commit";

const char help_kill[] = "Example:\n"
                         "  kill\n\n"
                         "See also: detach, quit";

const char help_interrupt[] = "Example:\n"
                              "  continue &\n"
                              "  interrupt\n\n"
                              "See also: continue, wait";

const char help_condition[] =
    "Only hits where EXPR is not 0 are recorded or counted from now on; without EXPR all\n"
    "are. The probe's counts go on. EXPR is as in \"probe LOCATION if EXPR\"; of a breakpoint, as\n"
    "in \"break LOCATION if EXPR\".\n\n"
    "Example:\n"
    "  condition 1 $arg0 > 100\n\n"
    "See also: probe, ignore, passcount, info probes";

const char help_ignore[] =
    "Hits that the probe's condition lets pass are counted as filtered until there were\n"
    "COUNT of them, of all threads together; then the probe records. \"ignore N 0\" ends it.\n"
    "Each new process begins with COUNT. Of a breakpoint, so many hits do not stop.\n\n"
    "Example:\n"
    "  ignore 1 1000\n\n"
    "See also: condition, passcount, info probes";

const char help_passcount[] =
    "Without N it is the newest probe. Exactly COUNT hits are recorded, of all threads\n"
    "together; those after them are counted as filtered, until the probe is disabled, soon\n"
    "after. \"enable N\" lets it record COUNT hits again. 0: there is no limit. Of a breakpoint:\n"
    "\"enable count COUNT N\".\n\n"
    "Example:\n"
    "  passcount 5 1\n\n"
    "See also: ignore, condition, disable, info probes";

const char help_explain[] =
    "Each call of ptrace and wait is told in a line on standard error: what was asked of which\n"
    "thread, the answer, how long it took, what the call does, and why it was made here. Where\n"
    "memory is written, the bytes before and after. TOPIC is one or more of:\n\n"
    "  patch   memory is written: code, stubs, the runtime\n"
    "  inject  registers and signals: a thread is made to do system calls\n"
    "  step    one instruction\n"
    "  wait    threads are stopped, let run, and waited for\n"
    "  all     all of these, as without a TOPIC\n\n"
    "`strace -e trace=ptrace,wait4,waitid` of eztsh shows the same calls, in this order. The "
    "option\n"
    "-ptrace-log=FILE writes them all to a file, an object of JSON a line.\n\n"
    "Example:\n"
    "  explain on patch\n"
    "  probe compute\n"
    "  explain off\n\n"
    "See also: info ptrace, why, disassemble";

const char help_file[] = "Without PROG: forget the program.\n\n"
                         "Example:\n"
                         "  file ./app\n\n"
                         "See also: run, attach";

const char help_run[] =
    "ARGS replace those of \"set args\"; /bin/sh expands them and does the redirections.\n"
    "run alone uses the arguments of the last time.\n\n"
    "Example:\n"
    "  run -n 10 < in.txt > out.txt\n\n"
    "See also: start, set args, kill";

const char help_start[] = "It stops at main's first instruction, where gdb goes on behind the "
                          "prologue: what is planted on\n"
                          "main there records this call, too.\n\n"
                          "Example:\n"
                          "  start -n 10\n\n"
                          "See also: run, continue";

const char help_shell[] =
    "Without COMMAND: an interactive shell. $_shell_exitcode receives its status.\n\n"
    "Example:\n"
    "  shell ls -l\n"
    "  !date\n\n"
    "See also: echo";

const char help_source[] = "An error ends the file.\n\n"
                           "Example:\n"
                           "  source setup.ezt\n\n"
                           "See also: shell, set trace-commands";

const char help_module[] =
    "A module is a file of functions that are called instead of others and record events\n"
    "(ezt_probe.h). A name is looked for in EZTRACE_LIBRARY_PATH, then among those that\n"
    "came with eztsh; with a slash it is a file. EZTRACE_TRACE and the option -m load\n"
    "modules at the start.\n\n"
    "Example:\n"
    "  module list\n"
    "  module load pthread\n"
    "  module unload pthread\n\n"
    "See also: info modules, replace";

const char help_wait[] = "Ctrl-C ends the waiting, not the target.\n\n"
                         "Example:\n"
                         "  continue &\n"
                         "  wait\n\n"
                         "See also: continue, interrupt";

const char help_syscall[] =
    "$_ receives the result; a failure is told by the name of its error. A thread that\n"
    "sleeps in a system call goes back to sleep unharmed.\n\n"
    "Example:\n"
    "  syscall getppid\n"
    "  syscall close 5\n\n"
    "See also: call, mmap";

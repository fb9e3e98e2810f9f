/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_moves.c - help of what moves the program on and stops it. See table.c. */
#include "cmds/table_parts.h"

const char help_advance[] = "As \"until LOCATION\"; also in a deeper call of the function.\n\n"
                            "Example:\n"
                            "  advance compute\n"
                            "  advance 45\n\n"
                            "See also: until, tbreak, finish";

const char help_awatch[] = "1, 2, 4 or 8 bytes of memory are watched, by the processor.\n\n"
                           "Example:\n"
                           "  awatch shared->count\n\n"
                           "See also: watch, rwatch, info breakpoints, delete";

const char help_break[] =
    "LOCATION is a function, FILE:LINE, a line, or *ADDR; none: where the program stands. A\n"
    "function stops behind its prologue. It stops also where a probe is; in the background, too.\n"
    "The processor watches four places at a time, of which watch and next come first; others get "
    "a\n"
    "trap while the program runs, which harms nothing if eztsh is killed. Breakpoints have their\n"
    "numbers in common with probes: delete, enable, disable. What is in a library that is not\n"
    "loaded yet can be\n"
    "waited for: \"set breakpoint pending\".\n\n"
    "Example:\n"
    "  break compute\n"
    "  break demo.c:45 if n > 3\n\n"
    "See also: tbreak, watch, info breakpoints, delete, probe";

const char help_commands[] =
    "Commands follow, a line each, up to \"end\"; none: nothing is done. N: the newest breakpoint\n"
    "without it. With \"silent\" as the first line the stop itself is not told.\n\n"
    "Example:\n"
    "  commands 2\n"
    "  print n\n"
    "  continue\n"
    "  end\n\n"
    "See also: break, watch, probe";

const char help_display[] =
    "Without EXPR: show all now. What has no value at a stop is left out there. A format with i,\n"
    "s, a count or a size shows memory, as x does.\n\n"
    "Example:\n"
    "  display n\n"
    "  display /x flags\n"
    "  display /3i $pc\n\n"
    "See also: undisplay, info display, print";

static const char enabled[] = "\"info breakpoints\" shows what it will be. A probe has a "
                              "passcount for that.\n\n"
                              "Example:\n"
                              "  enable once 2\n"
                              "  enable delete 2\n"
                              "  enable count 5 2\n\n"
                              "See also: enable, ignore, passcount, tbreak";
const struct ez_cmd enable_cmds[] = {
    { .name = "count",
      .usage = "COUNT [N...]",
      .brief = "Enable breakpoints for COUNT stops.",
      .help = enabled,
      TAKES(RUN, 1, -1),
      .fn = cmd_enable_count },
    { .name = "delete",
      .usage = "[N...]",
      .brief = "Enable breakpoints, and delete each at its next stop.",
      .help = enabled,
      TAKES(RUN, 0, -1),
      .fn = cmd_enable_delete },
    { .name = "once",
      .usage = "[N...]",
      .brief = "Enable breakpoints for one stop.",
      .help = enabled,
      TAKES(RUN, 0, -1),
      .fn = cmd_enable_once },
    { .name = NULL },
};

const char help_finish[] =
    "Then it says what the function returned, which is the next value of print's history. From\n"
    "an inlined function it goes to the next line outside, and there is no value.\n\n"
    "Example:\n"
    "  finish\n\n"
    "See also: up, step, until, print";

const char help_list[] =
    "Ten lines around a place, or from A to B. \"A,\": ten from A on; \",B\": the ten up to B. B "
    "may "
    "be\n"
    "+N: so many more lines. Again: the next ones; \"-\": the ones before. A place is a line of "
    "the\n"
    "file that was listed last, FILE:LINE, a function or *ADDR; +N and -N count from there.\n\n"
    "Example:\n"
    "  list compute\n"
    "  list 20,+5\n"
    "  list main.c:20,30\n"
    "  list\n\n"
    "See also: info line, info source, disassemble";

const char help_next[] = "N: so many lines. Calls run, with all threads; a breakpoint there stops. "
                         "Where the function has\n"
                         "no lines it goes on until it returns.\n\n"
                         "Example:\n"
                         "  next\n"
                         "  next 3\n\n"
                         "See also: step, until, finish, nexti";

const char help_nexti[] = "Example:\n"
                          "  nexti\n\n"
                          "See also: stepi, next";

const char help_rwatch[] =
    "1, 2, 4 or 8 bytes of memory are watched, by the processor; to write what "
    "is there stops, too.\n\n"
    "Example:\n"
    "  rwatch config.level\n\n"
    "See also: watch, awatch, info breakpoints, delete";

const char help_step[] = "N: so many lines. A called function is entered if it has lines, else it "
                         "runs. Code of eztsh's\n"
                         "own, of a probe there, is passed.\n\n"
                         "Example:\n"
                         "  step\n\n"
                         "See also: next, stepi, finish";

const char help_tbreak[] = "As break; the first hit deletes it.\n\n"
                           "Example:\n"
                           "  tbreak compute\n\n"
                           "See also: break, until, start";

const char help_undisplay[] = "Numbers are those of \"info display\".\n\n"
                              "Example:\n"
                              "  undisplay 1\n\n"
                              "See also: display";

const char help_until[] = "Alone: as next, but not back to a line before this one: out of a loop. "
                          "With LOCATION: there, in\n"
                          "this call of the function, or where this call has returned.\n\n"
                          "Example:\n"
                          "  until\n"
                          "  until 45\n\n"
                          "See also: advance, next, finish";

const char help_watch[] =
    "1, 2, 4 or 8 bytes of memory are watched, by the processor, in all threads, wherever the "
    "value\n"
    "is written. A watchpoint of a local variable is deleted when its block has been left; one of\n"
    "a global variable may be set before the program runs, and is there in the next run, too.\n\n"
    "Example:\n"
    "  watch total\n"
    "  watch list->n if list->n > 10\n\n"
    "See also: rwatch, awatch, break, info breakpoints, delete";

static const char environment[] =
    "eztsh's own environment stays as it is; the next run of the program has these changes.\n\n"
    "Example:\n"
    "  set environment OMP_NUM_THREADS = 4\n"
    "  unset environment LD_PRELOAD\n"
    "  show environment PATH\n\n"
    "See also: run, set cwd, tty";
static const char folder[] = "It holds from the next run on.\n\n"
                             "Example:\n"
                             "  set cwd /tmp\n\n"
                             "See also: cd, run, set environment";

const struct ez_cmd set_environment = { .name = "environment",
                                        .usage = "NAME [=] [VALUE]",
                                        .brief = "Give the program an environment variable.",
                                        .help = environment,
                                        TAKES(RUN, 0, 1),
                                        .flags = RAW | NO_REPEAT,
                                        .fn = cmd_set_environment };
const struct ez_cmd show_environment = { .name = "environment",
                                         .usage = "[NAME]",
                                         .brief = "Show what environment the program gets.",
                                         .help = environment,
                                         TAKES(RUN, 0, 1),
                                         .fn = cmd_show_environment };
const struct ez_cmd set_cwd = { .name = "cwd",
                                .usage = "[DIR]",
                                .brief = "Start the program in that folder; none: in eztsh's.",
                                .help = folder,
                                TAKES(RUN, 0, 1),
                                .fn = cmd_set_cwd,
                                .complete = comp_file };
const struct ez_cmd show_cwd = { .name = "cwd",
                                 .usage = "",
                                 .brief = "Show in which folder the program is started.",
                                 .help = folder,
                                 TAKES(RUN, 0, 0),
                                 .fn = cmd_show_cwd };
const struct ez_cmd unset_cmds[] = {
    { .name = "environment",
      .usage = "[NAME]",
      .brief = "Run the program without a variable, or without any.",
      .help = environment,
      TAKES(RUN, 0, 1),
      .flags = NO_REPEAT,
      .fn = cmd_unset_environment },
    { .name = NULL },
};

const char help_unset[] = "Example:\n"
                          "  unset environment LD_PRELOAD\n\n"
                          "See also: set environment";

const char help_tty[] =
    "Its standard input, output and errors; what \"run\" redirects goes there. Without FILE: "
    "eztsh's own.\n\n"
    "Example:\n"
    "  tty /dev/pts/3\n\n"
    "See also: run, set environment";

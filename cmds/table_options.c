/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_options.c - the options of the commands of table.c and table_info.c that have more than
 * one (opt.h). */
#include "cmds/cmd.h"
#include "cmds/probe_pick.h"
#include "cmds/probe_spec.h"
#include "cmds/table_parts.h"
#include "engine/trace/stats.h"

/* The options of commands that read traces. */
/* clang-format off */
#define WINDOW                                                                                     \
    { .name = "-from", .kind = OPT_TIME, .value = "T",                                             \
      .meaning = "begin there; a time since the first event: 1.5s, 20us" },              \
    { .name = "-to", .kind = OPT_TIME, .value = "T", .meaning = "end there" }
/* clang-format on */
#define WIDE                                                                                       \
    {                                                                                              \
        .name = "-wide",                                                                           \
        .meaning = "shorten no names and leave out no columns, however long lines get"             \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

const struct ez_opt options_histogram[] = { FOR_PROGRAMS, WINDOW, END };

const struct ez_opt options_timeline[] = {
    { .name = "-of",
      .kind = OPT_TEXT,
      .value = "KIND",
      .meaning = "which lock, file, region, ... or which value of the item KIND that probes\n"
                 "collected at the entry, in place of functions" },
    FOR_PROGRAMS,
    WINDOW,
    END,
};

const struct ez_opt options_convert[] = {
    { .name = "-t",
      .kind = OPT_TEXT,
      .value = "FORMAT",
      .meaning = "one of the formats below; by default the ending of OUT decides, a suffix below\n"
                 "or .FORMAT, else paje",
      .complete = comp_format },
    { .name = "-o",
      .kind = OPT_FILE,
      .value = "OUT",
      .meaning = "the name of the output; - is standard output" },
    { .name = "-z", .meaning = "compress the output with gzip, if the format allows it" },
    WINDOW,
    END,
};

const struct ez_opt options_events[] = {
    { .name = "-f", .meaning = "go on printing until Ctrl-C or the program's end" },
    FOR_PROGRAMS,
    WINDOW,
    END,
};

const struct ez_opt options_measure[] = {
    { .name = "-opcodes", .meaning = "by decoding them" },
    { .name = "-step",
      .meaning = "by executing them on a scratch copy of the process",
      .instead = true },
    { .name = "-both",
      .meaning = "both, with a verdict: the default in a stopped target",
      .instead = true },
    FOR_PROGRAMS,
    END,
};

const struct ez_opt options_probe[] = {
    { .name = "entry", .kind = OPT_WORD, .meaning = "the entry alone" },
    { .name = "exit", .kind = OPT_WORD, .meaning = "the exit alone", .instead = true },
    { .name = "both", .kind = OPT_WORD, .meaning = "entry and exit: the default", .instead = true },
    { .name = "-count", .meaning = "only count" },
    { .name = "-record",
      .meaning = "write timed events to the trace: the default",
      .instead = true },
    { .name = "-trap",
      .meaning = "a breakpoint where no jump can stand; it is handled inside the program and\n"
                 "costs more than a microsecond a hit" },
    { .name = "-r", .meaning = "LOCATION is [LIB:]REGEX: all functions that match" },
    EZ_PROBE_FILTERS(PROBE_SPEC_FILTER) END,
};

const struct ez_opt options_probes[] = {
    { .name = "-sort",
      .kind = OPT_ONE_OF,
      .words = (const struct ez_opt_word[]){ { "calls", PICK_BY_CALLS },
                                             { "name", PICK_BY_NAME },
                                             { "addr", PICK_BY_ADDR },
                                             { "hits", PICK_BY_CALLS },
                                             { NULL, 0 } },
      .meaning = "the order; without it by number" },
    { .name = "-top",
      .kind = OPT_NUMBER,
      .value = "N",
      .meaning = "the first N alone, by calls unless -sort is given" },
    { .name = "-all", .meaning = "list probes that were never called, too" },
    FOR_PROGRAMS,
    WIDE,
    END,
};

const struct ez_opt options_report[] = {
    { .name = "-o", .kind = OPT_FILE, .value = "OUT.html", .meaning = "the name of the page" },
    WINDOW,
    END,
};

static const struct ez_opt_word by_words[] = { { "function", EZ_BY_FUNCTION },
                                               { "library", EZ_BY_LIBRARY },
                                               { "thread", EZ_BY_THREAD },
                                               { "process", EZ_BY_PROCESS },
                                               { NULL, 0 } };
static const struct ez_opt_word sort_words[] = {
    { "total", EZ_SORT_TOTAL }, { "self", EZ_SORT_SELF },     { "calls", EZ_SORT_CALLS },
    { "mean", EZ_SORT_MEAN },   { "min", EZ_SORT_MIN },       { "max", EZ_SORT_MAX },
    { "p50", EZ_SORT_P50 },     { "p90", EZ_SORT_P90 },       { "p99", EZ_SORT_P99 },
    { "name", EZ_SORT_NAME },   { "function", EZ_SORT_NAME }, { NULL, 0 }
};

const struct ez_opt options_score[] = {
    { .name = "-for",
      .kind = OPT_TIME,
      .value = "T",
      .meaning = "stop after this time; without it at the program's end, or Ctrl-C" },
    { .name = "-r",
      .kind = OPT_TEXT,
      .value = "REGEX",
      .meaning = "[LIB:]REGEX; else the program's" },
    { .name = "-max-size",
      .kind = OPT_NUMBER,
      .value = "MIB",
      .meaning = "the trace's limit, not compressed; 1024" },
    { .name = "-max-slowdown", .kind = OPT_NUMBER, .value = "PERCENT", .meaning = "the limit; 10" },
    { .name = "-o",
      .kind = OPT_FILE,
      .value = "FILE",
      .meaning = "write the proposal there, for \"source\"" },
    FOR_PROGRAMS,
    { .name = NULL }
};

const struct ez_opt options_stats[] = {
    { .name = "-by",
      .kind = OPT_SOME_OF,
      .value = "WHAT",
      .words = by_words,
      .meaning =
          "a row each, or\n"
          "several of them: -by thread,function; of processes with ranks: job and host, too" },
    { .name = "-of",
      .kind = OPT_TEXT,
      .value = "KIND",
      .meaning = "a row for each lock, file, region, ...: what the states and variables of\n"
                 "modules are about; or for each value of the item KIND that probes collected, as\n"
                 "`events` calls it" },
    { .name = "-sort",
      .kind = OPT_ONE_OF,
      .value = "KEY",
      .words = sort_words,
      .meaning = "the order\n"
                 "of rows; ranks by name are in the order of ranks" },
    { .name = "-top", .kind = OPT_NUMBER, .value = "N", .meaning = "the first N rows only" },
    { .name = "-graph", .meaning = "callers (<-) and callees (->) of each function" },
    { .name = "-job",
      .meaning = "of a job: sums by function over all processes, whose traces stay where they\n"
                 "are; and how unequal their own times are" },
    { .name = "-messages",
      .meaning = "messages and their bytes (module mpi) from each process to each\n"
                 "other; a message's time is from the call that sends to the end of the receive" },
    FOR_PROGRAMS,
    { .name = "-live",
      .meaning = "the trace that is being written; refreshed until Ctrl-C; where the\n"
                 "program writes to the same terminal, below what it wrote" },
    { .name = "-once", .meaning = "the same table once, as it is now; also with -live" },
    WIDE,
    WINDOW,
    END,
};

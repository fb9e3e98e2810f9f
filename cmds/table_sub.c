/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_sub.c - the subcommands of `trace` and of `info proc`, sorted by name. See table.c. */
#include "cmds/table_parts.h"

const struct ez_cmd proc_cmds[] = {
    { .name = "mappings",
      .usage = "",
      .brief = "Memory mappings of the target; eztsh's have names.",
      .help = "Example:\n"
              "  info proc mappings\n\n"
              "See also: info mappings",
      TAKES(DATA, 0, 0),
      .flags = NEED_TARGET,
      .fn = cmd_info_mappings },
    { .name = NULL },
};

const struct ez_cmd trace_cmds[] = {
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
      .flags = NO_REPEAT,
      .fn = cmd_trace_repair,
      .complete = comp_fxt },
    { .name = "start",
      .usage = "FILE.fxt",
      .brief = "Record events in FILE.",
      .help =
          "It takes the place of a trace that is there, of nothing else; of a symbolic link too,\n"
          "unless you or root made that.\n\n"
          "Example:\n"
          "  trace start run1.fxt\n\n"
          "See also: trace, info trace, set trace-auto",
      TAKES(TRACE, 1, 1),
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

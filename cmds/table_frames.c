/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_frames.c - help of the commands that look at calls, and the subcommands of `thread`. See
 * table.c. */
#include "cmds/cmd.h"
#include "cmds/table_parts.h"

const char help_backtrace[] =
    "The innermost call first. N: the N innermost alone; -N: the N outermost. Frames of eztsh's\n"
    "own code are left out: a probed function is shown where it was called. It ends at main, or\n"
    "says why it ends before. Arguments are shown where debug information tells them. A function\n"
    "that is inlined has a frame of its own; where its code begins it is not open yet.\n\n"
    "Example:\n"
    "  backtrace\n"
    "  bt 3\n"
    "  where -full\n\n"
    "See also: frame, up, down, thread apply, info frame";

const char help_frame[] =
    "From then on print, x, info registers, info locals and info args are those of that call,\n"
    "until anything runs or another thread is chosen. Without N: show the selected frame.\n\n"
    "Example:\n"
    "  frame 2\n"
    "  print n\n\n"
    "See also: backtrace, up, down, info frame";

const char help_up[] = "To the caller; N: so many calls.\n\n"
                       "Example:\n"
                       "  up\n"
                       "  up 2\n\n"
                       "See also: down, frame, backtrace";

const char help_down[] = "To what the frame called; N: so many calls.\n\n"
                         "Example:\n"
                         "  down\n\n"
                         "See also: up, frame, backtrace";

const char help_thread[] = "Numbers are those of \"info threads\".\n\n"
                           "Example:\n"
                           "  thread 2\n"
                           "  thread apply all bt\n\n"
                           "See also: info threads, backtrace";

const struct ez_opt options_backtrace[] = {
    { .name = "-full", .meaning = "show the variables of each function, too" },
    FOR_PROGRAMS,
    { .name = NULL },
};

const struct ez_cmd thread_cmds[] = {
    { .name = "apply",
      .usage = "N...|all COMMAND",
      .brief = "Run a command for several threads.",
      .help =
          "Numbers are those of \"info threads\"; 2-4 are three. The chosen thread stays what it "
          "was.\n\n"
          "Example:\n"
          "  thread apply all bt\n"
          "  thread apply 1 3-4 info registers pc\n\n"
          "See also: thread, info threads, backtrace",
      TAKES(DATA, 1, 1),
      .flags = RAW | NEED_STOPPED,
      .fn = cmd_thread_apply },
    { .name = NULL },
};

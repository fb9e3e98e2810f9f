/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_frames.c - help of the commands that look at calls, and the subcommands of `thread`. See
 * table.c. */
#include "cmds/cmd.h"
#include "cmds/table_parts.h"

const char help_backtrace[] =
    "The innermost call first. N: the N innermost alone; -N: the N outermost. With full, as with\n"
    "-full, each call has its variables, also those that others of the same name hide. Frames of "
    "eztsh's\n"
    "own code are left out: a probed function is shown where it was called. It ends at main, or\n"
    "says why it ends before. Arguments are shown where debug information tells them. A function\n"
    "that is inlined has a frame of its own; where its code begins it is not open yet.\n\n"
    "Example:\n"
    "  backtrace\n"
    "  bt 3\n"
    "  bt full 2\n\n"
    "See also: frame, up, down, thread apply, info frame";

const char help_frame[] =
    "From then on print, x, info registers, info locals and info args are those of that call,\n"
    "until anything runs or another thread is chosen. Without N: show the selected frame.\n\n"
    "Example:\n"
    "  frame 2\n"
    "  print n\n\n"
    "See also: backtrace, up, down, info frame";

const char help_faas[] = "The same as \"frame apply all -s COMMAND\".\n\n"
                         "Example:\n"
                         "  faas print n\n\n"
                         "See also: frame apply, taas, tfaas";

const char help_taas[] = "The same as \"thread apply all -s COMMAND\".\n\n"
                         "Example:\n"
                         "  taas print errno\n\n"
                         "See also: thread apply, faas, tfaas";

const char help_tfaas[] = "The same as \"thread apply all -s -- frame apply all -s COMMAND\": what "
                          "says nothing, or fails,\n"
                          "is left out.\n\n"
                          "Example:\n"
                          "  tfaas print n\n\n"
                          "See also: thread apply, frame apply";

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

const char help_macro[] =
    "Macros are those that hold where the selected frame is; the compiler tells of them with -g3.\n"
    "Expressions have them, too.\n\n"
    "Example:\n"
    "  macro expand LIMIT + 1\n\n"
    "See also: info macro, print";

const struct ez_cmd macro_cmds[] = {
    { .name = "expand",
      .usage = "TEXT",
      .brief = "Show text as the program's macros make it.",
      .help = "Example:\n"
              "  macro expand MAX(a, b)\n\n"
              "See also: info macro, print",
      TAKES(DATA, 1, 1),
      .flags = RAW,
      .fn = cmd_macro_expand },
    { .name = NULL },
};

const struct ez_cmd frame_cmds[] = {
    { .name = "apply",
      .usage = "all|N|-N|level N... [FLAG...] COMMAND",
      .brief = "Run a command for several frames.",
      .help = "N: the N innermost ones; -N: the N outermost; level: those of that number, 1-3 are "
              "three. The\n"
              "flags are those of \"thread apply\". The chosen frame stays what it was.\n\n"
              "Example:\n"
              "  frame apply all -s print n\n"
              "  frame apply level 1-2 info locals\n\n"
              "See also: frame, thread apply, backtrace",
      TAKES(DATA, 1, 1),
      .flags = RAW | NEED_STOPPED,
      .fn = cmd_frame_apply },
    { .name = "function",
      .usage = "NAME",
      .brief = "Select the innermost call of a function.",
      .help = "Example:\n"
              "  frame function main\n\n"
              "See also: frame, backtrace",
      TAKES(DATA, 1, 1),
      .flags = RAW,
      .fn = cmd_frame_function,
      .complete = comp_symbol },
    { .name = "level",
      .usage = "N",
      .brief = "Select a call by its number.",
      .help = "Example:\n"
              "  frame level 2\n\n"
              "See also: frame, backtrace",
      TAKES(DATA, 1, 1),
      .fn = cmd_frame },
    { .name = NULL },
};

const struct ez_cmd thread_cmds[] = {
    { .name = "apply",
      .usage = "N...|all [FLAG...] COMMAND",
      .brief = "Run a command for several threads.",
      .help =
          "Numbers are those of \"info threads\"; 2-4 are three. The chosen thread stays what it "
          "was.\n"
          "An error ends it. -q: do not say whose answer it is. -c: tell errors, and go on. -s: "
          "leave\n"
          "out what fails or says nothing. all begins with the last thread, but with "
          "-ascending.\n\n"
          "Example:\n"
          "  thread apply all bt\n"
          "  thread apply 1 3-4 info registers pc\n\n"
          "See also: thread, info threads, backtrace",
      TAKES(DATA, 1, 1),
      .flags = RAW | NEED_STOPPED,
      .fn = cmd_thread_apply },
    { .name = NULL },
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_hand.c - the subcommands of `hand`, sorted by name; help of `generate-core-file`. See table.c. */
#include "cmds/table_parts.h"

const char help_core[] =
    "For gdb, eu-stack, readelf: all threads with their registers, and the memory that the kernel\n"
    "would save (/proc/PID/coredump_filter, core(5)); zeros take no room on the disk. FILE is "
    "core.PID\n"
    "if not given. It appears when it is complete: Ctrl-C or a full disk leaves nothing.\n\n"
    "gdb knows nothing of probes, so the file has the program as it would be without them: code "
    "has\n"
    "its own bytes, functions return to their callers, not to eztsh's slots, and a thread among\n"
    "moved instructions stands at the original ones. So gdb's \"bt\" is right. Two things cannot "
    "be\n"
    "put so: of a function whose exit goes by call-through (\"info probes\") gdb shows two frames\n"
    "\"??\" more (\"set exit-mode slots\" before \"probe\" avoids that); and a thread inside a "
    "stub is\n"
    "inside a stub.\n\n"
    "Example:\n"
    "  generate-core-file\n"
    "  gcore /tmp/here.core\n\n"
    "See also: backtrace, detach, info proc mappings";

const char help_hand[] =
    "Under \"set by-hand on\", \"probe FUNC\" plants nothing: it shows what stands at the "
    "function, and\n"
    "each step of planting is yours to give: room, map, relocate, stub, threads, jump, in this "
    "order;\n"
    "\"hand next\" is whichever comes next. After each, eztsh shows what it did, with addresses "
    "and\n"
    "bytes, says what comes next, and what would go wrong without it. A step that is left out, or\n"
    "given too early, is refused with what would happen, seen in the program: which thread stands\n"
    "under the jump, and what it would execute there. Only \"threads\" may be left out, while "
    "nobody\n"
    "stands there. What comes out is byte for byte what \"probe\" makes.\n\n"
    "Until the jump is written the function is as it was: \"hand undo\", Ctrl-C at the prompt, "
    "\"detach\" and\n"
    "the program's end give the probe up, and threads that were moved go back. The program may go "
    "on\n"
    "between two steps (\"continue\", \"stepi\"). Alone, \"hand\" says how far the probe is.\n\n"
    "Example:\n"
    "  set by-hand on\n"
    "  probe answer\n"
    "  hand room\n"
    "  hand map\n"
    "  hand next\n"
    "  hand undo\n\n"
    "See also: set by-hand, explain, why, film, lesson";

#define STEP(word, tells, text)                                                                    \
    {                                                                                              \
        .name = #word, .usage = "", .brief = tells,                                                \
        .help = text "\n\nExample:\n  hand " #word "\n\nSee also: hand", TAKES(PROBE, 0, 0),       \
        .flags = NEED_STOPPED | MUTATES | NO_REPEAT, .fn = cmd_hand_step                           \
    }

const struct ez_cmd hand_cmds[] = {
    STEP(jump, "Write the jump over the function's first bytes.",
         "The last step: the program counters are looked at again, the row of the journal is "
         "written, then\n"
         "the jump, in one write, which is read back. From here on calls go by the stub."),
    STEP(map, "Map the room that was found.",
         "A stopped thread of the program executes mmap, with registers that are put back "
         "afterwards. The\n"
         "memory can be read and executed, never written by the program. Behind it lies room for "
         "the return\n"
         "thunks of exits: many addresses, but only as much memory as thunks are used."),
    { .name = "next",
      .usage = "",
      .brief = "Take the step that comes next.",
      .help = "Example:\n  hand next\n\nSee also: hand",
      TAKES(PROBE, 0, 0),
      .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
      .fn = cmd_hand_next },
    STEP(relocate, "Make the stub, with the instructions under the jump.",
         "In eztsh's own memory. What depends on where it stands (calls, branches, data beside the "
         "code)\n"
         "is rewritten for the new address. A recording probe opens the trace here."),
    STEP(room, "Find free memory within reach of the jump.",
         "A jump of five bytes reaches 2 GiB to either side. Nothing is changed."),
    STEP(stub, "Write the stub to the program.",
         "Through /proc/PID/mem, which writes to memory that the program cannot write. Nothing "
         "leads there yet."),
    STEP(threads, "Move the threads that stand under the jump.",
         "A thread between two instructions that the jump covers would go on in the middle of the "
         "jump. Its\n"
         "program counter is set to the same instruction in the stub; so are those that handlers "
         "of signals\n"
         "will go back to. May be given again, if the program went on meanwhile."),
    { .name = "undo",
      .usage = "",
      .brief = "Give up the probe that is planted by hand.",
      .help =
          "Threads that were moved go back. The memory stays mapped for probes to come, as after\n"
          "\"delete\": stubs are never given back.\n\nExample:\n  hand undo\n\nSee also: hand, "
          "rollback",
      TAKES(PROBE, 0, 0),
      .flags = NO_REPEAT,
      .fn = cmd_hand_undo },
    { .name = NULL },
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - the settings of the engine: the list from which `set` and `show` are made, and where a target begins.
 * Those of the shell are in shell/settings.c.
 * Tests: tests/unit/shell/check_read.c, tests/e2e/settings.ezt */
#include <stddef.h>

#include "engine/session/session.h"

#define AT(field) .offset = offsetof(struct ez_settings, field)

const struct ez_setting ez_engine_settings[] = {
    { .name = "budget",
      .kind = EZ_SET_BUDGET,
      AT(budget),
      .what = "how much processor time recording may take, in percent",
      .sentence = "Recording may take of the program's processor time, in percent: %s.",
      .example = "5",
      .meaning =
          "While recording takes more, the probes with the most hits are throttled: they only "
          "count\n"
          "(\"info probes\" says so). They record again when there is room. off: no budget. What "
          "a\n"
          "recorded hit costs is measured when the budget is set. Each change is told; the\n"
          "hits meanwhile are filtered in the ledger, and \"stats\" says for how long that was." },
    { .name = "detach-on-fork",
      .kind = EZ_SET_FLAG,
      AT(detach_on_fork),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether the process that is not followed is let go",
      .sentence = "Whether eztsh will detach the child of a fork is %s.",
      .example = "on" },
    { .name = "disassembly-flavor",
      .kind = EZ_SET_FLAG,
      AT(disassembly_intel),
      .word = { "att", "intel" },
      .what = "the syntax of disassembly",
      .sentence = "The disassembly flavor is \"%s\".",
      .example = "intel" },
    { .name = "dry-run",
      .kind = EZ_SET_WORD,
      AT(dry_run),
      .word = { "off", "on", "json" },
      .what = "whether probe only says what it would do",
      .sentence = "Planning without planting is \"%s\".",
      .example = "on",
      .meaning = "on: a sentence for each function; json: an object for each." },
    { .name = "exit-mode",
      .kind = EZ_SET_WORD,
      AT(exit_mode),
      .word = { "auto", "slots", "call-through" },
      .what = "how exits of functions are followed",
      .sentence = "Exits are followed by \"%s\".",
      .example = "slots",
      .meaning =
          "auto, call-through: the exit goes by call-through where the function's code proves "
          "that\n"
          "it may, else by a slot. slots: always by a slot, which takes the place of the return\n"
          "address. \"why\" says which way a function takes. Holds for probes to come." },
    { .name = "follow-fork-mode",
      .kind = EZ_SET_WORD,
      AT(follow_mode),
      .word = { "parent", "child", "offer", "all" },
      .what = "whom a fork in the foreground continues with",
      .sentence = "Debugger response to a program call of fork or vfork is \"%s\".",
      .example = "child",
      .meaning =
          "parent: the child runs unprobed, and on by itself.\n"
          "child: eztsh changes over to it, plants its probes there and lets the parent go.\n"
          "all: \"run\" or \"attach\" begins a tree of processes. Each child is one more process "
          "of "
          "the\n"
          "session, with the probes of the others and a trace of its own (\"info inferiors\", "
          "\"help "
          "job\").\n"
          "A process that was begun alone stays alone: set this before.\n"
          "offer: for programs that drive an eztsh for each process. The parent is followed, and\n"
          "each child is held, before it runs anything of its own, until another eztsh attaches\n"
          "to it (\"attach PID -held\"), or for the time of \"set offer-timeout\". One that lives "
          "in\n"
          "its parent's memory (vfork) is held at its exec. \"continue &\" keeps the program "
          "traced.\n"
          "\"detach\" lets the children that no eztsh has taken yet go on at once." },
    { .name = "fragment-timeout",
      .kind = EZ_SET_NUMBER,
      AT(fragment_timeout),
      .initial = 2,
      .what = "how long a fragment may run, in seconds",
      .sentence = "A fragment may run for %s seconds (0: for ever).",
      .example = "2" },
    { .name = "max-string",
      .kind = EZ_SET_NUMBER,
      AT(max_string),
      .initial = 64,
      .least = 1,
      .most = 400,
      .unit = "bytes",
      .what = "how much of a text an event keeps, in bytes",
      .sentence = "Events keep %s bytes of a text.",
      .example = "200" },
    { .name = "offer-timeout",
      .kind = EZ_SET_NUMBER,
      AT(offer_timeout),
      .initial = 10,
      .least = 1,
      .most = 3600,
      .unit = "seconds",
      .what = "how long an offered child process is held, in seconds",
      .sentence = "A child process that is offered is held for %s seconds.",
      .example = "30",
      .meaning =
          "If no eztsh has attached to it then, it goes on by itself (\"set follow-fork-mode "
          "offer\")." },
    { .name = "overflow",
      .kind = EZ_SET_WORD,
      AT(overflow),
      .word = { "drop", "wait", "overwrite" },
      .initial = EZ_OVERFLOW_WAIT,
      .what = "what a thread does when its ring is full",
      .sentence = "What a thread does when its ring is full is \"%s\".",
      .example = "drop",
      .meaning = "wait: it sleeps until there is room, and no event is lost.\n"
                 "drop: it goes on, and what is lost is counted (\"info trace\").\n"
                 "overwrite: it goes on; no file is written, eztsh keeps the newest events of each "
                 "thread\n"
                 "for \"snapshot\". To be set before a trace is opened." },
    { .name = "print elements",
      .kind = EZ_SET_NUMBER,
      AT(print_elements),
      .initial = 200,
      .what = "how many elements, or characters of a text, are shown",
      .sentence = "Limit on string chars or array elements to print is %s.",
      .example = "10",
      .meaning = "unlimited: all of an array, and a text up to its end." },
    { .name = "print pretty",
      .kind = EZ_SET_FLAG,
      AT(print_pretty),
      .word = { "off", "on" },
      .what = "whether each member of a struct has a line of its own",
      .sentence = "Pretty formatting of structures is %s.",
      .example = "on" },
    { .name = "ring-size",
      .kind = EZ_SET_NUMBER,
      AT(ring_kib),
      .initial = 1024,
      .least = 64,
      .most = 16384,
      .multiple = 32,
      .unit = "KiB",
      .what = "the size of each thread's ring in KiB",
      .sentence = "The size of a thread's ring in KiB is %s.",
      .example = "1024" },
    { .name = "snapshot-on",
      .kind = EZ_SET_WORD,
      AT(snapshot_on),
      .word = { "never", "exit", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGQUIT" },
      .initial = EZ_SNAPSHOT_EXIT,
      .what = "when a snapshot is written by itself",
      .sentence = "A snapshot is written by itself on \"%s\".",
      .example = "SIGUSR1",
      .meaning =
          "Holds with \"set overflow overwrite\". exit: when the process ends, however it does.\n"
          "A signal: each time when the process gets it in the foreground, and when it ends." },
    { .name = "snapshot-size",
      .kind = EZ_SET_NUMBER,
      AT(snapshot_mib),
      .initial = 8,
      .least = 1,
      .most = 4096,
      .unit = "MiB",
      .what = "how much of each thread is kept for snapshots, in MiB",
      .sentence = "The flight recorder keeps %s MiB of events of each thread.",
      .example = "64",
      .meaning = "Holds for recorders to come (\"set overflow overwrite\"). An event has 24 bytes "
                 "or more." },
    { .name = "solib-watch",
      .kind = EZ_SET_FLAG,
      AT(solib_syscalls),
      .word = { "probe", "syscalls" },
      .what = "how the loading of libraries is noticed",
      .sentence = "The loading of libraries is noticed by \"%s\".",
      .example = "syscalls",
      .meaning =
          "probe: a hook in the loader, before constructors run.\n"
          "syscalls: each open and mmap of the program is looked at; slow, to see how it works." },
    { .name = "stop-at-exec",
      .kind = EZ_SET_FLAG,
      AT(stop_at_exec),
      .word = { "off", "on" },
      .what = "whether the program stops when it executes another",
      .sentence = "Stopping at an exec is %s.",
      .example = "on",
      .meaning = "on: in the foreground, the program stops once the new one's libraries are "
                 "mapped, before\n"
                 "their constructors and main run, so that probes can be planted." },
    { .name = "strategy",
      .kind = EZ_SET_WORD,
      AT(strategy),
      .word = { "auto", "jump", "island", "pun", "trap" },
      .what = "how new probes lead to their stubs",
      .sentence = "How new probes lead to their stubs is \"%s\".",
      .example = "island",
      .meaning = "auto: the best that works. jump: five bytes, over whole instructions.\n"
                 "island: a short jump to a long one near by, for functions of a few bytes.\n"
                 "pun: a jump whose last bytes are the next instruction's.\n"
                 "trap: a breakpoint that the program handles itself. \"why\" says what a function "
                 "takes." },
    { .name = "trace-auto",
      .kind = EZ_SET_FLAG,
      AT(trace_auto),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether the first probe opens a trace",
      .sentence = "Opening a trace at the first recording probe is %s.",
      .example = "off" },
    { .name = "trace-clock",
      .kind = EZ_SET_WORD,
      AT(trace_clock),
      .word = { "auto", "tsc", "monotonic" },
      .what = "the clock that stamps events of the next process",
      .sentence = "The clock that stamps events is \"%s\".",
      .example = "monotonic",
      .meaning =
          "tsc: the processor's time stamp counter, read in a few nanoseconds.\n"
          "monotonic: CLOCK_MONOTONIC, by the kernel's vDSO.\n"
          "auto: the counter where it is invariant, else CLOCK_MONOTONIC. Holds for processes\n"
          "to come." },
    { .name = "trace-compress",
      .kind = EZ_SET_FLAG,
      AT(trace_compress),
      .word = { "off", "on" },
      .what = "whether a trace is compressed",
      .sentence = "Compressing traces is %s.",
      .example = "on",
      .meaning =
          "on: the trace is made of zstd frames, about a tenth as large. All commands read it;\n"
          "`zstd -dc FILE` and `trace export` give the plain file. Holds for traces to come." },
    { .name = "trace-switches",
      .kind = EZ_SET_WORD,
      AT(trace_switches),
      .word = { "auto", "on", "off" },
      .what = "whether a trace tells when threads did not run",
      .sentence = "Telling in the trace when threads did not run is \"%s\".",
      .example = "off",
      .meaning =
          "auto: where the kernel tells (perf_event_open; kernel.perf_event_paranoid up to 2).\n"
          "on: a trace that cannot is not opened. off: no trace does. Holds for traces to come;\n"
          "it costs the program 0.7 us each time that a thread goes to sleep." },
};
const size_t ez_nengine_settings = EZ_ARRAY_LEN(ez_engine_settings);
_Static_assert(EZ_ARRAY_LEN(ez_engine_settings) <= EZ_SETTINGS_MOST, "see ezt.h");

void ez_settings_begin(struct ez_settings *set)
{
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < ez_nengine_settings; i++)
        ez_setting_begin(&ez_engine_settings[i], (char *)set + ez_engine_settings[i].offset);
}

void ez_setting_begin(const struct ez_setting *v, void *variable)
{
    if (v->kind == EZ_SET_FLAG)
        *(bool *)variable = v->initial;
    else if (v->kind == EZ_SET_TEXT)
        *(char **)variable = ez_strdup(v->text);
    else
        *(unsigned *)variable = v->initial;
}

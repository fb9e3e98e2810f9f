/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - the settings of the engine: the list that `set` and `show` use, and the initial
 * values of a target. The shell's settings are in shell/settings.c.
 * Tests: tests/unit/shell/check_read.c, tests/e2e/settings.ezt */
#include <stddef.h>

#include "engine/process/session.h"

#define AT(field) .offset = offsetof(struct ez_settings, field)

const struct ez_setting ez_engine_settings[] = {
    { .name = "budget",
      .kind = EZ_SET_BUDGET,
      AT(budget),
      .what = "how much processor time recording may take, in percent",
      .sentence = "The limit of processor time for recording, in percent, is %s.",
      .example = "5",
      .meaning = "While recording takes more processor time, the probes with the most hits are\n"
                 "throttled: they only count, and \"info probes\" shows that. They record again\n"
                 "when the budget allows it. \"off\" means no budget. eztsh measures the cost of\n"
                 "a recorded hit when a budget is first set, and reports when it throttles\n"
                 "probes. Hits of throttled probes count as filtered; \"stats\" shows how long a\n"
                 "probe was throttled." },
    { .name = "detach-on-fork",
      .kind = EZ_SET_FLAG,
      AT(detach_on_fork),
      .word = { "off", "on" },
      .initial = true,
      .what = "whether the process that is not followed is detached",
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
      .sentence = "Dry run of probe commands is \"%s\".",
      .example = "on",
      .meaning = "  on    print a sentence for each function; with -r, one with the totals\n"
                 "  json  print an object for each function; with -r, one with the totals" },
    { .name = "exit-mode",
      .kind = EZ_SET_WORD,
      AT(exit_mode),
      .word = { "auto", "slots", "call-through" },
      .what = "how probes see the exits of functions",
      .sentence = "Probes see exits by \"%s\".",
      .example = "slots",
      .meaning = "  auto          as call-through\n"
                 "  call-through  call the function from the trampoline, if its code allows that;\n"
                 "                otherwise as slots\n"
                 "  slots         replace the return address\n"
                 "\"why\" shows the mode of a function. The setting is for later probes." },
    { .name = "follow-fork-mode",
      .kind = EZ_SET_WORD,
      AT(follow_mode),
      .word = { "parent", "child", "offer", "all" },
      .what = "which process a fork in the foreground follows",
      .sentence = "Debugger response to a program call of fork or vfork is \"%s\".",
      .example = "child",
      .meaning =
          "  parent  follow the parent; the child runs without probes\n"
          "  child   follow the child, plant the probes there and detach from the parent\n"
          "  all     follow all: \"run\" or \"attach\" begins a tree of processes; each child\n"
          "          becomes a process of the session, with the same probes and its own\n"
          "          trace (\"info inferiors\", \"help job\"); set this before \"run\"\n"
          "  offer   follow the parent, and hold each child before it runs anything, until\n"
          "          another eztsh attaches (\"attach PID -held\") or \"set offer-timeout\"\n"
          "With \"offer\", a child in its parent's memory (vfork) is held at its exec.\n"
          "\"continue &\" keeps the program traced. \"detach\" lets the held children run." },
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
      .what = "how much of a string an event keeps, in bytes",
      .sentence = "Events keep %s bytes of a string.",
      .example = "200" },
    { .name = "offer-timeout",
      .kind = EZ_SET_NUMBER,
      AT(offer_timeout),
      .initial = 10,
      .least = 1,
      .most = 3600,
      .unit = "seconds",
      .what = "how long an offered child process is held, in seconds",
      .sentence = "An offered child process is held for %s seconds.",
      .example = "30",
      .meaning = "If no eztsh attaches to the child in this time, the child runs (\"set\n"
                 "follow-fork-mode offer\")." },
    { .name = "overflow",
      .kind = EZ_SET_WORD,
      AT(overflow),
      .word = { "drop", "wait", "overwrite" },
      .initial = EZ_OVERFLOW_WAIT,
      .what = "what a thread does when its buffer is full",
      .sentence = "What a thread does when its buffer is full is \"%s\".",
      .example = "drop",
      .meaning = "  wait       sleep until there is room; no event is lost\n"
                 "  drop       continue; lost events are counted (\"info trace\")\n"
                 "  overwrite  continue; no file is written, and eztsh keeps the newest events of\n"
                 "             each thread for \"snapshot\"; set this before a trace is opened" },
    { .name = "print elements",
      .kind = EZ_SET_NUMBER,
      AT(print_elements),
      .initial = 200,
      .what = "how many elements, or characters of a string, to print",
      .sentence = "Limit on string chars or array elements to print is %s.",
      .example = "10",
      .meaning = "\"unlimited\" prints whole arrays and strings." },
    { .name = "print pretty",
      .kind = EZ_SET_FLAG,
      AT(print_pretty),
      .word = { "off", "on" },
      .what = "whether each member of a struct has its own line",
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
      .what = "the size of each thread's buffer in KiB",
      .sentence = "The size of a thread's buffer in KiB is %s.",
      .example = "1024" },
    { .name = "snapshot-on",
      .kind = EZ_SET_WORD,
      AT(snapshot_on),
      .word = { "never", "exit", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGQUIT" },
      .initial = EZ_SNAPSHOT_EXIT,
      .what = "when snapshots are written automatically",
      .sentence = "Snapshots are written automatically on \"%s\".",
      .example = "SIGUSR1",
      .meaning = "  exit      when the process ends, for any reason\n"
                 "  a signal  when the traced process gets the signal, and at its end\n"
                 "The setting has an effect only with \"set overflow overwrite\"." },
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
      .meaning = "The setting is for the next flight recorder (\"set overflow overwrite\"). An\n"
                 "event has at least 24 bytes." },
    { .name = "solib-watch",
      .kind = EZ_SET_FLAG,
      AT(solib_syscalls),
      .word = { "probe", "syscalls" },
      .what = "how eztsh notices that libraries are loaded",
      .sentence = "Loaded libraries are noticed by \"%s\".",
      .example = "syscalls",
      .meaning = "  probe     a hook in the loader, before constructors run\n"
                 "  syscalls  each open and mmap of the program; slow, for teaching" },
    { .name = "stop-at-exec",
      .kind = EZ_SET_FLAG,
      AT(stop_at_exec),
      .word = { "off", "on" },
      .what = "whether the program stops when it executes another",
      .sentence = "Stopping at an exec is %s.",
      .example = "on",
      .meaning = "on: in the foreground, the program stops when the libraries of the new program\n"
                 "are mapped, before their constructors and main run. Probes can be planted\n"
                 "there." },
    { .name = "strategy",
      .kind = EZ_SET_WORD,
      AT(strategy),
      .word = { EZ_STRATEGY_WORDS },
      .what = "how new probes reach their trampolines",
      .sentence = "The strategy of new probes is \"%s\".",
      .example = "island",
      .meaning = EZ_STRATEGY_MEANINGS "\"why\" shows the strategy of a function." },
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
      .what = "the clock for the events of the next process",
      .sentence = "The clock for events is \"%s\".",
      .example = "monotonic",
      .meaning = "  tsc:       the time stamp counter of the processor, read in a few nanoseconds\n"
                 "  monotonic: CLOCK_MONOTONIC, through the vDSO of the kernel\n"
                 "  auto:      the counter if it is invariant, otherwise CLOCK_MONOTONIC" },
    { .name = "trace-compress",
      .kind = EZ_SET_FLAG,
      AT(trace_compress),
      .word = { "off", "on" },
      .what = "whether traces are compressed",
      .sentence = "Compressing traces is %s.",
      .example = "on",
      .meaning = "on: a trace consists of zstd frames and is about a tenth as large. All\n"
                 "commands of eztsh can read it. \"zstd -dc FILE\" and \"trace export\" make a\n"
                 "plain file. The setting is for later traces." },
    { .name = "trace-switches",
      .kind = EZ_SET_WORD,
      AT(trace_switches),
      .word = { "auto", "on", "off" },
      .what = "whether a trace records when threads did not run",
      .sentence = "Recording of the times when threads did not run is \"%s\".",
      .example = "off",
      .meaning = "  auto  record these times if the kernel allows that\n"
                 "        (kernel.perf_event_paranoid is at most 2)\n"
                 "  on    refuse to open a trace if the kernel does not allow that\n"
                 "  off   do not record these times\n"
                 "The setting is for later traces. Recording costs the program 0.7 us each time a\n"
                 "thread goes to sleep." },
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_help_trace.c - the help texts of commands that make, read and convert traces. See table.c. */
#include "cmds/table_parts.h"

const char help_convert[] =
    "Several files, one a process or rank, become one trace with aligned clocks: ranks\n"
    "in their order, each below its host.\n"
    "Without a file it is the trace that is being written, or the last one.\n"
    "OUT appears only when it is complete; Ctrl-C leaves nothing behind. What is open at\n"
    "-from and -to is cut there. In csv a name that begins with =, +, - or @ has an apostrophe\n"
    "before it: else it would be a formula.\n\n"
    "Example:\n"
    "  convert app-4242.fxt\n"
    "  convert app-*.fxt -t chrome -z -o app.json.gz\n\n"
    "See also: report, stats, timeline, trace";

const char help_events[] =
    "Shows the last N events (10): time since the trace began, thread, entry or exit,\n"
    "function, what the probe collected, and how long the call took.\n"
    "With a FILE, or a window of it, the last N events in that; time is since the first\n"
    "event of the file.\n\n"
    "Example:\n"
    "  events 20\n"
    "  events -f\n"
    "  events 100 app-4242.fxt -to 1.2s\n\n"
    "See also: trace, stats, info trace";

const char help_report[] =
    "The page is for a browser and needs no network. Of a long trace it draws the longest\n"
    "calls and slices of time, and says how many calls there are; a page of a window\n"
    "(-from, -to) has all its calls, up to a million. Without a file it is the trace that\n"
    "is being written, or the last one. d3 draws it: package node-d3 in Debian.\n\n"
    "Example:\n"
    "  report app-4242.fxt\n"
    "  report app-*.fxt -o app.html\n"
    "  report app-4242.fxt -from 1.2s -to 1.3s\n\n"
    "See also: timeline, stats, convert";

const char help_score[] =
    "What would a trace of these functions cost? Runs the program (or lets the one that is there "
    "go\n"
    "on) with counters alone, and says for each function its calls, its own time, how large its\n"
    "events would be, and by how much they would slow the program. If the limits are not kept,\n"
    "functions are proposed to be left out, those with the most calls first.\n\n"
    "Calls are counted. Own time is sampled by the kernel, a thousand times a second, and \"-\" "
    "where\n"
    "it does not allow that. Size and slowdown are estimates: calls times what a call costs, as\n"
    "\"info cost\" measures it; over the program's processor time, so waiting is not counted, and "
    "in\n"
    "a program that misses its caches it may be more.\n\n"
    "Example:\n"
    "  score -for 10s -max-slowdown 5 -o keep.ezt\n"
    "  source keep.ezt\n\n"
    "See also: info cost, probe, stats, source";

const char help_snapshot[] =
    "With \"set overflow overwrite\" no trace is written: the newest events of each thread are\n"
    "kept in eztsh's memory (set snapshot-size), and the program never waits. A snapshot is a\n"
    "complete trace of what is kept at that moment; the program runs on, and so does the\n"
    "recorder. Its ledger has overwritten events, too. \"set snapshot-on\" says when one is\n"
    "written by itself; \"trace stop\" ends the recorder. If eztsh is killed, what was kept is\n"
    "gone. When threads did not run is not kept.\n\n"
    "Example:\n"
    "  set overflow overwrite\n"
    "  probe -r ^request_\n"
    "  run &\n"
    "  snapshot slow.fxt\n\n"
    "See also: trace, info trace, set overflow, set snapshot-on, set snapshot-size, stats";

const char help_stats[] =
    "% is the share of the run, which is the time from the first to the last event of each\n"
    "thread, all threads together, without that in which they waited for the trace.\n"
    "The time in which a thread slept, was preempted, or waited for room in its ring has\n"
    "rows of its own at the end ([slept], ...). Self is without these times; Total is\n"
    "without the waiting, which eztsh causes and which is nobody's time: its row has no share.\n"
    "The time in which events were lost has a row, too; a call that was open then counts in\n"
    "Total and Self up to there, like one whose exit is not in the trace.\n"
    "Calls that were counted and not recorded (probe -count) have no times. A second table\n"
    "has the numbers that probes collected. Without a file it is the trace that is being\n"
    "written, or the last one.\n\n"
    "Example:\n"
    "  stats app-4242.fxt -sort self -top 20\n"
    "  stats app-4242.fxt -of '$arg0'\n"
    "  stats app-*.fxt -by process\n"
    "  stats app-*.fxt -messages\n\n"
    "See also: convert, events, info histogram, trace";

const char help_timeline[] =
    "Draws a line for each thread. Each column has the letter of the innermost function\n"
    "in which the thread was for most of that time.\n"
    "Without a file it is the trace that is being written, or the last one.\n\n"
    "Example:\n"
    "  timeline app-4242.fxt\n"
    "  timeline app-4242.fxt -from 1.2s -to 1.3s\n"
    "  timeline -of $arg0 app-4242.fxt\n\n"
    "See also: report, stats, convert";

const char help_trace[] =
    "Without this command the first recording probe opens PROG-PID.fxt in the working\n"
    "directory, or in $EZTRACE_TRACE_DIR; if that name is taken, PROG-PID.2.fxt. The trace\n"
    "of a rank (known by the variables of Open MPI, PMIx, MPICH or Slurm) is called\n"
    "PROG-jobID-rankN-HOST-PID.fxt.\n"
    "\"trace FILE\" is short for \"trace start FILE\".\n\n"
    "Example:\n"
    "  trace start run1.fxt\n"
    "  trace stop\n"
    "  trace repair run1.fxt\n\n"
    "See also: info trace, events, stats, set trace-auto, set trace-compress";

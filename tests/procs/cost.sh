#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cost.sh - `info cost` measures in another process: the session's target and trace do not change.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
TMPDIR=$work; export TMPDIR

sane() { # CLOCK: all figures are printed, and their order is plausible
    python3 - "$1" <<'PY'
import re, sys
log = open("log").read()
rows = {m[1].strip(): float(m[2]) for m in re.finditer(r"^(\S.*?)  +(\d+\.\d+) +-?\d+\.\d+ +\d+\.\d$", log, re.M)}
print(rows)
assert len(rows) == 9, len(rows)
bare = rows["bare call"]
assert 0 < bare < rows["record entry and exit (call-through)"]
assert rows["count entry and exit (return trampolines)"] < rows["record entry and exit (return trampolines)"]
assert rows["two rdtsc and two 16-byte records"] > bare
m = re.search(r"^Recording entry and exit / two rdtsc and two records: (\d+\.\d+)\.$", log, re.M)
assert m and float(m[1]) > 0
assert f"Clock of the records: {sys.argv[1]}." in log
PY
}
batch -ex 'set trace-clock tsc' -ex 'info cost'
check "figures, without any target" sane "the time stamp counter"
batch -ex 'set trace-clock monotonic' -ex 'info cost'
check "with the other clock" sane CLOCK_MONOTONIC
if command -v strip >/dev/null; then # as packages of distributions have it
    strip -o cost-stripped "$top_builddir/ezt-cost"
    EZT_COST=$work/cost-stripped batch -ex 'set trace-clock tsc' -ex 'info cost'
    check "a stripped ezt-cost" sane "the time stamp counter"
else
    skip "a stripped ezt-cost: no strip here"
fi
check "nothing is left behind" [ -z "$(ls -d "$TMPDIR"/eztsh-cost.* 2>/dev/null)" ]

# A session with a target in the background, a probe and a trace.
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say "trace start own.fxt"
say "probe beat"
say "continue &"
say "info cost"
check "figures, beside a running target" has log '^two rdtsc and two 16-byte records'
say "info probes"
check "its probe is the only one" lacks log 'count_both'
say "info trace"
say "interrupt"
say "trace stop"
say "detach"
shell_end
check "the session's own trace is complete" has log ' hits = [0-9]+ recorded \+ 0 filtered'
: >stop
reap "$pid"
check "the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# Ctrl-C while it is measured, by a process that will not come to its end.
child_of() { measuring=$(cat /proc/"$1"/task/*/children 2>/dev/null | tr -d ' ') && [ -n "$measuring" ]; }
measures() { child_of "$shell" && tr '\0' ' ' <"/proc/$measuring/cmdline" | grep -q -e --measure-cost; }
shell_start
say 'echo ready\n'
post 'info cost'
check "Ctrl-C: it is measured" until_ok 20 measures
kill -STOP "$measuring"
children="$children $measuring"
began=$(date +%s)
kill -INT "$shell"
check "Ctrl-C: told in one word" until_ok 5 has log '^Quit$'
check "Ctrl-C: the process that measures is gone" until_ok 5 gone "$measuring"
say 'echo prompt\n'
check "Ctrl-C: the prompt is back, before the deadline" [ $(($(date +%s) - began)) -lt 9 ]
check "Ctrl-C: no figures" lacks log 'bare call'
check "Ctrl-C: nothing is left behind" [ -z "$(ls -d "$TMPDIR"/eztsh-cost.* 2>/dev/null)" ]
say 'info cost'
check "Ctrl-C: and the next one has its figures" has log '^bare call'
shell_end

EZT_COST=/nonexistent/ezt-cost; export EZT_COST
batch -ex 'info cost'
check "a missing program is said in one line" has log '^Cannot run /nonexistent/ezt-cost: '
check "and is an error" same "$rc" 1
EZT_COST=/bin/true
batch -ex 'info cost'
check "a program that has none of the functions" \
    has log '^The measuring process gave no results: Not all probes were active: of 0 hits, 0 were recorded and 0 counted'
# one that has them, and says something else on its output than what is asked for
LC_ALL=C sed 's/ezcost1/ezcost0/g' "$top_builddir/ezt-cost" >other-cost
chmod +x other-cost
EZT_COST=$work/other-cost
batch -ex 'info cost'
check "a program that writes other figures" \
    has log '^The measuring process gave no results: The measured program wrote no results\.$'
EZT_COST=/dev/null
batch -ex 'info cost'
check "a file that is no program" has log '^Cannot run /dev/null: '
unset EZT_COST
TMPDIR=$work/nowhere
batch -ex 'info cost'
check "no room for its files" has log "^Cannot make $work/nowhere/eztsh-cost"
finish

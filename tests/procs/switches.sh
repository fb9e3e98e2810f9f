#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# switches.sh - the trace tells when threads did not run, and their names. The reference is each
# thread's own account (getrusage).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
need python3
judge="$top_srcdir/tests/procs/switches.py"
prog=$targets/p_switches
note='^The trace does not show when threads did not run: '

traced() { # COMMAND ARG...
    first=$1
    shift
    rm -f ./*.fxt t.out
    batch -return-child-result -ex "$first" -ex 'probe -r ^(mark|doze|spin|vanish)$' \
        -ex "run $* >t.out" -ex 'info trace' "$prog"
    [ "$rc" = 0 ] && ledger_ok
}
row() { # FUNCTION COLUMN: of `stats -json`, in ns
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt) -json" 2>&1 | python3 -c '
import json, sys
print(next((r[sys.argv[2]] for r in json.load(sys.stdin)["rows"] if r["function"] == sys.argv[1]), 0))' "$1" "$2"
}

if traced 'set trace-clock monotonic' run && has log "$note"; then
    skip "switches: $(sed -n "s/$note/the kernel tells none: /p" log)"
else
    taken() { awk '$1 == "cpu" { printf "%.0f", ($7 + $8 + $9) * 1e7 }' /proc/stat; } # of all processors, ns
    counted() {
        before=$(taken)
        traced "set trace-clock $1" run
        stolen=$(($(taken) - before))
    }
    right() { python3 "$judge" ./*.fxt t.out "$stolen"; }
    counted monotonic
    check "switches are as many, and as long, as each thread counts" right
    # 20 x 3 ms in two threads, and the time of the other thread: in total time, not in self time
    within() { python3 -c 'import sys; a, x, b = map(int, sys.argv[1:]); print(x); assert a <= x <= b' "$@"; }
    counted tsc
    check "a sleep is in the total of its call" within 120000000 "$(row doze total_ns)" 100000000000
    check "and not in its self time" within 0 "$(row doze self_ns)" "$(($(row doze total_ns) / 4))"
    check "it has a row" within 120000000 "$(row '[slept]' self_ns)" 100000000000
    check "spinning takes what it took of the processor" within 300000000 "$(row spin self_ns)" 400000000
    check "who took it is told" within 1000000 "$(row '[preempted]' self_ns)" 100000000000
    # the end of each thread is noticed up to 100 ms later
    vanished() { # a busy machine may take the processor from a thread that ends, when nobody tells any more
        for try in 1 2 3 4 5; do
            traced 'set trace-switches on' vanish && within 0 "$(row vanish self_ns)" 20000000 && return
        done
        return 1
    }
    check "a call that its thread does not leave ends with the thread" vanished
    forked() {
        traced 'set follow-fork-mode parent' fork &&
            python3 -c 'import sys; sys.path.insert(0, sys.argv[1])
from fxt import THREAD, events
import glob, re
pid = int(re.search(r"process (\d+)\) exited", open("log").read())[1])
tids = {tid for t, tid, code, a in events(glob.glob("*.fxt")[0]) if THREAD <= code < THREAD + 256}
assert tids <= {pid}, (pid, tids)' "$top_srcdir/tests/procs"
    }
    check "what a forked child does is not told" forked
fi

brief() { traced "$1" names 200 && python3 "$judge" names ./*.fxt 200; }
check "names of short threads, by the kernel's account" brief 'set trace-switches auto'
check "names of short threads, by their own" brief 'set trace-switches off'
check "off: no switch is in the trace" python3 "$judge" none ./*.fxt

EZ_FAULT=perf:0:EACCES
export EZ_FAULT
refused() { traced "$1" names 20 && same "$(grep -cE "$note" log)" "$2"; }
check "a kernel that refuses: said once" refused 'set trace-switches auto' 1
check "a kernel that refuses, and nobody asks" refused 'set trace-switches off' 0
traced 'set trace-switches on' names 20
check "a kernel that refuses, and it must be: no trace" lacks log '^Recording'
check "and why" has log 'The kernel does not report when threads of process [0-9]+ run: Permission denied; "set trace-switches auto" traces without this information\.$'
finish

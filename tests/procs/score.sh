#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# score.sh - `score`: the calls that the program counted itself, limits, and a proposal that keeps them.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_data
"$prog" 4 50000 >native.out 2>claims
args='--args'

# ---- the program's whole run -------------------------------------------------------------------------------
batch -ex 'score' $args "$prog" 4 50000
check 'the program runs to its end' has log '^\[Inferior 1 .* exited normally\]$'
check 'calls are those that the program claims' has log "^work +p_data +$(claim all) "
check 'nothing is left out' has log '^The trace is within the limits of 1024\.0 MiB and [0-9.]+ %|^Without'
check 'estimates are called so' has log 'estimated'
check 'no trace was made' [ -z "$(ls ./*.fxt 2>/dev/null)" ]
check 'the ledger' ledger_ok

mkdir -p elsewhere
batch -ex 'set cwd elsewhere' -ex 'set environment EZT_SAID yes' -ex 'set args 1 10 >"$EZT_SAID"' -ex score "$prog"
check 'directory and environment are those of the session' [ -e elsewhere/yes ]

# ---- limits -----------------------------------------------------------------------------------------------
echo precious >victim
ln victim keep.ezt
batch -ex 'score -max-size 1 -max-slowdown 100000 -o keep.ezt' -ex 'info probes' -ex 'probe main' \
    -ex 'info probes' $args "$prog" 4 50000
check 'its probes are gone' has log '^No probes\.$'
check 'the function with the most calls is left out' has log '^work .* yes$'
check 'others are not' lacks log '^main .* yes$'
check 'what remains keeps the limit' has log '^Without [0-9]+ functions?: [0-9.]+ KiB'
check 'the proposal has the others' has keep.ezt "^probe 'p_data:main'$"
check 'and not this one' lacks keep.ezt "work'"
check 'a file that is there is replaced, and not written to' same "$(cat victim)" precious
batch -ex 'source keep.ezt' -ex 'run 4 50000 >t.out 2>claims' -ex stats $args "$prog" 4 50000
check 'the proposal can be sourced' has log '^Planted [0-9]+ of [1-9][0-9]* held; refused: 0'
check 'a trace of it has the others alone' lacks log '^work '
check 'a trace of it is as small as was said' [ "$(cat ./*.fxt | wc -c)" -lt 1048576 ]
check 'the result is the same' cmp native.out t.out
batch -ex 'score -max-size 0 -max-slowdown 0' $args "$prog" 4 50000
check 'no limit is kept by leaving all out' lacks log "^probe '"

# ---- a process that runs on -------------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog" 2 2000000000
batch -p "$pid" -ex 'score -for 500ms' -ex 'info probes' -ex detach
check 'a live process: calls' has log '^work +p_data +[1-9][0-9]+ '
check 'a live process: it stops' has log '^The program is stopped\.$'
check 'a live process: its probes are gone' has log '^No probes\.$'
if grep -q 'not allowed here' log; then
    echo 'skip - own time: perf_event_open is not allowed'
else
    check 'a live process: own time of what it does all the time' \
        has log '^(work|thread) .* [0-9.]+ (ms|s) +[0-9.]+ [KM]iB'
fi
check 'it lives' alive "$pid"
check 'its code is whole' text_intact "$pid" "$prog"
kill -KILL "$pid"

# ---- what it says, and what then happens --------------------------------------------------------------------
cat >sc.c <<'END'
#include <stdio.h>
#include <time.h>
#define SEEN __attribute__((noipa))
SEEN int hot(int k) { return k + 1; }
SEEN int mid(int k) { int s = k; for (int i = 0; i < 20; i++) s = hot(s); for (volatile int j = 0; j < 3000; j++); return s; }
SEEN int cold(int k) { int s = 0; for (int i = 0; i < 1000; i++) s += mid(k); return s; }
int main(int argc, char **argv)
{
    struct timespec t;
    long s = 0;
    for (int i = 0; i < 300; i++) s += cold(i);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    FILE *f = argc > 1 ? fopen(argv[1], "a") : stdout;
    fprintf(f, "%ld\n", t.tv_sec * 1000 + t.tv_nsec / 1000000);
    return s == 0;
}
END
if compiled 'sc.c' "${CC:-cc}" -g -O1 sc.c; then
    rm -f native all kept
    for i in 1 2 3; do
        ./prog native
        rm -f ./*.fxt
        batch -ex 'probe -r ^(hot|mid|cold|main)$' -ex run --args ./prog all
    done
    batch -ex 'score -max-slowdown 25 -o keep.ezt -json' --args ./prog one
    cp log score.json
    batch -ex 'score -max-slowdown 25' --args ./prog one
    check 'the proposal has a line for each command' same "$(sed -n '/^begin$/,/^commit$/p' log | grep -c "^probe 'prog:mid'$")" 1
    for i in 1 2 3; do
        rm -f ./*.fxt
        batch -ex 'source keep.ezt' -ex run --args ./prog kept
    done
    cat >look.py <<'END'
import json
best = {n: min(map(int, open(n))) for n in ("native", "all", "kept")}
slower = {n: 100 * (best[n] - best["native"]) / best["native"] for n in ("all", "kept")}
text = open("score.json").read()
said = json.loads(text[text.index('{"schema": "eztsh-score'):text.rindex("}") + 1])
rows = {r["function"]: r for r in said["rows"]}
print(best, slower, said)
assert {f: r["calls"] for f, r in rows.items() if f in ("hot", "mid", "cold")} == {"hot": 6000000, "mid": 300000, "cold": 300}
own = sum(r["own_ns"] or 0 for r in rows.values())
assert rows["mid"]["own_ns"] > own / 2 and own > best["native"] * 1e6 / 2, "own time"
assert rows["hot"]["leave_out"] and not rows["mid"]["leave_out"], "left out"
assert slower["all"] / 3 < said["slowdown_percent"] < 3 * slower["all"], "a trace of all"
assert slower["kept"] < said["limit_slowdown_percent"] + 20, "a trace of what is left"
END
    check 'own time, calls, and the slowdown that it says' python3 look.py
fi

# ---- what is wrong ----------------------------------------------------------------------------------------
batch -ex 'score'
check 'no program' has log '^No executable file specified'
target "$prog" 2 2000000000
batch -p "$pid" -ex 'score -r nosuchfunction'
check 'nothing matches' has log '^No function matches "nosuchfunction"\. "info functions REGEX" searches for functions\.$'
kill -KILL "$pid"

finish

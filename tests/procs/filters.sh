#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# filters.sh - probes that record some hits only: exact against what the program counted itself, with many
# threads, under signals; `condition`, `ignore` and `passcount` while it runs.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_filter
filtered_of() { sed -n "s/^Probe $1[ a-z].*: \([0-9]*\) filtered.*/\1/p" log; }
left_out_of() { sed -n "s/^Probe $1 .*: \([0-9]*\) calls left out.*/\1/p" log; }
sum() { echo $(($1 + $2)); }

"$prog" 8 20000 signals >native.out 2>claims
# Entries of a function that the trace has.
entries_of() { awk -v f="$1" '($4 == "entry" || $4 == "event") && $5 == f' events | wc -l; }

# ---- what the target asks --------------------------------------------------------------------------
run_with 'probe -count -thread even work' 'probe -count -caller ^from_a$ called' \
    'probe -count -caller ^from_b called' 'probe -count -caller ^from_ called' \
    'probe -count -thread even -caller ^thread$ work if $arg0 >= 0' \
    'probe -count entry -caller ^handled work' 'probe -count -after 1000s work' \
    'probe -count -for 1000s slow' 'probe entry -thread odd deep if $arg0 == 20'
check 'asked: the result is the same' cmp native.out t.out
check 'asked: a call by function a' same "$(hits 2)" "$(claim a)"
check 'asked: and those that are not are told' same "$(filtered_of 2)" "$(claim b)"
check 'asked: by function b' same "$(hits 3)" "$(claim b)"
check 'asked: by both' same "$(hits 4)" "$(claim work)"
check 'asked: thread and caller and condition' same "$(hits 5)" "$(claim even)"
check 'asked: the caller in a signal handler' same "$(hits 6)" "$(claim signals)"
check 'asked: not before a time' same "$(hits 7) $(filtered_of 7)" \
    "0 $(sum "$(claim work)" "$(claim signals)")"
check 'asked: within a time' same "$(hits 8) $(filtered_of 8)" "$(claim work) 0"
check 'asked: recorded' same "$(hits 9)" "$(($(claim deep) / 2))"
check 'asked: the ledger' ledger_ok
check 'asked: a name is that of the moment' test "$(hits 1)" -ge "$(claim even)"

run_with 'probe entry work' 'ignore 1 30000' 'passcount 40000' 'probe deep' 'passcount 7 2' \
    'probe called if $arg0 % 2' 'passcount 1000' 'ignore 3 0'
check 'turns: words' has log 'Will ignore next 30000 crossings of probe 1'
check 'turns: words of passcount' has log "Setting probe 1's passcount to 40000"
check 'turns: exactly so many' same "$(hits 1) $(hits 2) $(hits 3)" '40000 7 1000'
check 'turns: the end is told' has log 'Probe 2 is disabled: its passcount is reached'
check 'turns: the ledger' ledger_ok
batch -ex "events $(echo ./*.fxt) 1000000"
cp log events
check 'turns: they are in the trace' same "$(entries_of work) $(entries_of deep) $(entries_of called)" \
    '40000 7 1000'

run_with "probe -r -thread odd '^(deep|called)\$' if \$arg0 % 2 == 0" "probe -r entry -count -caller '^from_' '^(called|work|deep)\$'" \
    "probe -r -maxdepth 2 '^handled\$|^slow\$' collect \$args" "probe -r '^from_' collect nosuch"
check 'many: the result is the same' cmp native.out t.out
check 'many: planted' same "$(grep -c '^Planted [1-9]* of [1-9]* matched; refused: 0; pending 0\.' log)" 3
check 'many: a name that functions lack refuses them' has log '^Planted 0 of 2 matched; refused: 2 No symbol "nosuch"'
check 'many: the caller' same "$(awk '$2 == "entry" && $7 == "called" { print $6 }' log)" "$(claim work)"
check 'many: of other functions nobody of them is one' same \
    "$(awk '$2 == "entry" && $7 != "called" { n += $6 } END { print n + 0 }' log)" 0
check 'many: condition and thread' same "$(awk '$2 == "both" && $7 == "deep" { print $6 }' log)" "$(($(claim deep) * 11 / 2))"
check 'many: what each asks is listed' same "$(grep -c '^Probe [0-9]* if \$arg0 % 2 == 0 -thread odd' log)" 2
check 'many: the ledger' ledger_ok

batch -ex 'probe work' -ex 'ignore 1 100' -ex 'break slow' -ex 'run 2 100 >t.out 2>claims' -ex 'condition 1 nosuch > 1' -ex 'info probes' -ex kill "$prog"
check 'turns: a condition that is refused takes none' has log '^Probe 1 ignore 100: [1-9][0-9]* filtered'
batch -ex start -ex "probe on_timer collect \$ret" -ex "probe -r '^(on_timer|slow)\$' collect \$args, \$ret" -ex 'run 1 1000 signals >t.out 2>claims' "$prog"
check 'many: a function without result: an error by itself' has log '^The function has no result\.$'
check 'many: none among many' has log '^Planted 2 of 2 matched; refused: 0'

batch -ex start -ex 'probe work if $arg0 > 1' -ex 'probe work if $arg0 > 2' -ex 'probe -r "^work$" if $arg0 > 3' -ex kill "$prog"
check 'refused: what helps' has log '^Cannot probe work: another probe with a condition or data records this function\. Delete that probe, or '
check 'refused: an entry probe would not help' lacks log 'probe entry" may do'

# ---- what the drain decides -------------------------------------------------------------------------
run_with 'probe -maxdepth 3 deep' 'probe -min-time 2ms slow' 'probe -maxdepth 1 handled' \
    'probe -min-time 1000s called' 'probe -max 4800 from_a'
cp log probes
check 'written: the result is the same' cmp native.out t.out
check 'written: the ledger' ledger_ok
batch -ex "events $(echo ./*.fxt) 1000000"
cp log events
cp probes log
check 'written: calls down to a depth' same "$(entries_of deep)" "$((3 * $(claim deep)))"
check 'written: the deeper ones are told' same "$(left_out_of 1)" "$((18 * $(claim deep)))"
check 'written: each slow call' test "$(entries_of slow)" -ge "$(claim slow)"
check 'written: and no other is missing' same \
    "$(sum "$(entries_of slow)" "$(left_out_of 2)")" "$(claim work)"
check 'written: signal handlers' same "$(sum "$(entries_of handled)" "$(left_out_of 3)")" "$(claim signals)"
check 'written: no call is long enough' same "$(entries_of called) $(left_out_of 4)" "0 $(claim work)"
check 'written: bytes' same "$(entries_of from_a)" 100
check 'written: spent bytes are told' has probes 'Probe 5 is disabled: its limit of trace bytes \(-max\) is reached'
batch -ex "stats -json $(echo ./*.fxt)"
python3 -c '
import json
rows = [r for r in json.load(open("log"))["rows"] if r["function"] == "slow"]
assert rows and rows[0]["min_ns"] >= 2e6 * 0.999, rows' 2>err
check 'written: none of them is short' same "$?$(tail -n 1 err)" 0

# ---- time -------------------------------------------------------------------------------------------
run_with 'probe -after 20ms entry work' 'probe -for 20ms called'
check 'time: before, and after' same "$(sum "$(hits 1)" "$(filtered_of 1)")" \
    "$(sum "$(claim work)" "$(claim signals)")"
check 'time: its end is told' has log 'Probe 2 is disabled: its time \(-for\) is over'
check 'time: the ledger' ledger_ok

# ---- while it runs ----------------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog" 4 400000000 signals
cat >script.ezt <<EOF2
attach $pid
probe entry work
probe -count called
continue &
condition 1 \$arg0 % 1000 == 0
condition 2 \$arg0 % 2
condition 2
ignore 1 5
condition 1 if \$arg0 % 2
passcount 3 1
info trace
info probes
delete
info trace
detach
EOF2
batch -x script.ezt
check 'live: a condition comes and goes' has log 'Probe 2 now unconditional'
check 'live: nothing is refused' lacks log 'Cannot|refused'
check 'live: the ledger' ledger_ok
kill -9 "$pid"
reap "$pid"

# ---- two probes on one function: each has what it asked for, the trace has all of it --------------------
cat >both.c <<'END'
#include <stdio.h>
#include <time.h>
#define SEEN __attribute__((noipa))
static int calls, deep;
static void burn(long ns)
{
    struct timespec b, e;
    clock_gettime(CLOCK_MONOTONIC, &b);
    do
        clock_gettime(CLOCK_MONOTONIC, &e);
    while ((e.tv_sec - b.tv_sec) * 1000000000L + e.tv_nsec - b.tv_nsec < ns);
}
SEEN int leaf(int k) { calls++; burn(k % 10 ? 1000 : 100000000); return k; }
SEEN int nest(int n) { deep++; return n ? nest(n - 1) + 1 : leaf(1); }
int main(void)
{
    for (int i = 0; i < 40; i++) leaf(i);
    nest(5);
    printf("leaf %d\nnest %d\n", calls, deep);
    return 0;
}
END
if compiled 'both.c' "${CC:-cc}" -g -O1 both.c; then
    for order in 'probe leaf;probe -min-time 50ms leaf collect k;probe nest;probe -maxdepth 2 nest' \
        'probe -min-time 50ms leaf collect k;probe -maxdepth 2 nest;probe leaf;probe nest'; do
        rm -f ./*.fxt
        { echo "$order" | tr ';' '\n'; printf '%s\n' 'run >claims' 'info probes' 'stats -json'; } >script.ezt
        batch -x script.ezt ./prog
        check "two probes, ${order%%;*} first: the ledger" ledger_ok
        cat >look.py <<'END'
import json
claim = {w: int(n) for w, n in (l.split() for l in open("claims"))}
log = open("log").read()
rows = {r["function"]: r for r in json.loads(log[log.rindex('{\n  "schema"'):])["rows"]}
for f, n in claim.items():
    assert rows[f]["calls"] == rows[f]["timed"] == n, (rows[f], n)
END
        check "two probes, ${order%%;*} first: the trace has all calls" python3 look.py
        batch -ex "events $(echo ./*.fxt) 1000000"
        check "two probes, ${order%%;*} first: items of the long calls" \
            same "$(grep -c 'entry leaf  k=[0-9]*0$' log) $(grep -c 'entry leaf' log)" "4 $(claim leaf)"
    done
fi

# ---- changes that are wrong ---------------------------------------------------------------------------
batch -ex 'probe work if $arg0 > 1' -ex 'condition 1 $nosuch' -ex 'condition 9 1' -ex 'ignore 9 1' \
    -ex 'condition x' -ex 'condition' -ex 'info probes' "$prog"
check 'change: a wrong condition is told' has log '\$nosuch is not available in a probe'
check 'change: and the old one stays' has log '^Probe 1 if \$arg0 > 1: 0 filtered'
check 'change: no such probe' same "$(grep -c 'No probe number 9' log)" 2
check 'change: no number' has log 'Argument required .a probe.s or breakpoint.s number'

# ---- what is wrong is told before anything is planted -------------------------------------------------
wrong() { # OPTIONS MESSAGE
    batch -ex "probe $1 work" "$prog"
    check "wrong: $1" has log "$2"
    check "wrong: $1: no probe" lacks log '^Probe 1'
}
wrong 'entry -min-time 1ms' '.min-time needs a probe that records the entry and the exit of each call'
wrong '-count -min-time 1ms' '.min-time needs a probe that records the entry and the exit of each call'
wrong 'exit -maxdepth 2' '.maxdepth needs a probe that records the entry'
wrong '-maxdepth 0' '.maxdepth must be 1 or more'
wrong '-count -max 1M' '.max needs a probe that records'
wrong '-caller (' 'parenthes|Unmatched'
wrong '-thread 0' 'is not the id of a thread'
wrong '-r -count -min-time 1ms' '.min-time needs a probe that records the entry and the exit of each call'

finish

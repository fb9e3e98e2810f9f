#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# save.sh - `save probes`: what is saved is read again, asks for the same, and finds the same.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_filter
cat >all.ezt <<'END'
probe -count called
probe entry -caller handled -after 1us -for 10s work if n > 3 && n != 'a' collect n
probe -maxdepth 3 -min-time 100us slow return $ret
probe deep do trace stop
ignore 4 2
passcount 7 4
dprintf called,"called %d, \"so\"\n",n
condition $bpnum n == 2
count handled
hist from_a
tp from_b if $arg0 > 1
actions
  collect n
  collect $regs
end
passcount 9 $bpnum
probe none_such
probe -r -count entry none_such.so:^x
disable 1
save probes one.ezt
save probes none/one.ezt
END
batch -x all.ezt "$prog"
check 'it is said' has log "Saved to file 'one.ezt'"
check 'a file that cannot be' has log 'none/one.ezt'
batch -ex 'source one.ezt' -ex 'save probes two.ezt' -ex 'info probes -json' "$prog"
sed -n '/^{/,$p' log >probes.json
check 'each request as an object' python3 - <<'END'
import json
got = [row["request"] for row in json.JSONDecoder().raw_decode(open("probes.json").read())[0]["rows"]]
want = [
    {"kind": "entry", "location": "none_such.so:^x", "matching": True},
    {"kind": "both", "location": "called"},
    {"kind": "entry", "location": "work", "record": True, "if": "n > 3 && n != 'a'", "collect": "n", "caller": "handled",
     "after_ns": 1000, "for_ns": 10000000000},
    {"kind": "both", "location": "slow", "record": True, "return": "$ret", "maxdepth": 3, "min_time_ns": 100000},
    {"kind": "both", "location": "deep", "record": True, "do": "trace stop", "ignore": 2, "passcount": 7},
    {"kind": "entry", "location": "called", "record": True, "if": "n == 2", "print": '"called %d, \\"so\\"\\n",n'},
    {"kind": "entry", "location": "handled", "aggregate": "count"},
    {"kind": "both", "location": "from_a", "aggregate": "hist"},
    {"kind": "entry", "location": "from_b", "record": True, "tracepoint": True, "if": "$arg0 > 1", "collect": "n, $regs", "passcount": 9},
    {"kind": "both", "location": "none_such", "record": True},
]
for a, b in zip(got, want):
    if a != b:
        print(a, "\n ", b)
raise SystemExit(got != want)
END
check 'read again, it is the same' cmp one.ezt two.ezt
check 'nothing is missing' same "$(grep -cvE '^(  collect|end|actions)' one.ezt)" 15
check 'no error' lacks log 'rror|Undefined|Invalid'
run_counts() { # FILE: the calls of each probe that found any
    batch -ex "source $1" -ex 'run 2 100 >t.out 2>claims' -ex 'info probes' "$prog"
    awk '$1 ~ /^[0-9]+$/ && NF > 6 { print $1, $2, $3, $6, $7 }' log
}
check 'it counts the same' same "$(run_counts all.ezt | sort)" "$(run_counts one.ezt | sort)"
cat >more.ezt <<'END'
probe 'int work(int m)' if m > 3 collect m
probe -r -thread 'a name' -maxdepth 4 ^from_ if $arg0 > 1
END
batch -x more.ezt -ex 'save probes more1.ezt' "$prog"
check 'a rule with all that it asks, and a prototype' cmp more.ezt more1.ezt
batch -x more.ezt -ex 'run 2 100 >t.out 2>claims' -ex 'save probes more2.ezt' "$prog"
check 'a rule that found its functions is one line' cmp more.ezt more2.ezt
batch -x more.ezt -ex 'run 2 100 >t.out 2>claims' -ex 'disable 3' -ex 'save probes more3.ezt' "$prog"
check 'changes of its probes are named' has log 'without later changes: 3\.$'
check 'and not saved' cmp more.ezt more3.ezt
batch -ex 'save probes three.ezt' "$prog"
check 'nothing to save' has log 'Nothing to save'
check 'and no file of it' test ! -e three.ezt
batch -ex 'probe work' -ex 'probe called' -ex 'delete $bpnum' -ex 'info probes' -ex 'disable $none' -ex 'delete $_' "$prog"
check '$bpnum is the newest' same "$(grep -c ' called ' log)" 0
check 'a variable that is none' has log 'Value can.t be converted to integer'
finish

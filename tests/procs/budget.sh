#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# budget.sh - `set budget`: the hot function is counted instead of recorded while that costs too much, the rare one
# is recorded all the time, no hit is lost in between; in the foreground and in the background.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_budget
action_is() { # NUMBER WORD
    : >log
    say 'info probes'
    [ "$(awk -v n="$1" '$1 == n { print $3 }' log)" = "$2" ]
}
events_of() { # FILE FUNCTION KIND
    "$eztsh" -nx -batch -ex "events $1 100000000" 2>err |
        awk -v f="$2" -v k="$3" '$4 == k && $5 == f { n++ } END { print n + 0 }'
}
throttled='^Probe 1 \(hot\) is throttled: [0-9.]+ [kM] hits/s would cost [0-9.]+ % of the processor time, the budget is 2 %\.'
restored='^Probe 1 \(hot\) records again\.'

# ---- words -----------------------------------------------------------------------------------------
batch -ex 'show budget' -ex 'set budget 101' -ex 'set budget x' -ex 'set budget 7' -ex 'show budget' \
    -ex 'set budget off' -ex 'show budget' -ex 'set budget 0' -ex 'show budget'
check 'words: none at first, and with 0 and off' same "$(grep -c ' is off\.$' log)" 3
check 'words: a number' has log ' is 7\.$'
check 'words: not above 100' has log 'budget must be "off" or a number from 1 to 100'

# ---- in the foreground ------------------------------------------------------------------------------
shell_start "$prog"
say 'set budget 2'
say 'probe hot'
say 'probe rare'
post 'run >t.out 2>claims'
post 'info probes'
post 'info trace'
check 'foreground: the hot function is throttled' until_ok 30 has log "$throttled"
: >cold
check 'foreground: and not when it is cold' until_ok 30 has log "$restored"
rm cold
again() { [ "$(grep -cE "$throttled" log)" -ge 2 ]; }
check 'foreground: and throttled when it is hot again' until_ok 30 again
: >end
check 'foreground: it ends' until_ok 30 has log ' hits = '
shell_end
rm -f end
check 'foreground: the result is unchanged' same "$(cat t.out)" '0 wrong'
check 'foreground: each call of the hot one is counted' same "$(hits 1)" "$(claim hot)"
check 'foreground: and of the rare one' same "$(hits 2)" "$(claim rare)"
check 'foreground: the rare one is left alone' lacks log '^Probe 2 \(rare\) is'
check 'foreground: the ledger' ledger_ok
file=$(echo ./*.fxt)
check 'foreground: the ledger of the file' adds_up "$file"
# shellcheck disable=SC2046
set -- $(ledger_of "$file")
check 'foreground: it has all hits' same "$1" "$((2 * ($(claim hot) + $(claim rare))))"
check 'foreground: what was throttled is filtered' test "$3" -gt 0
check 'foreground: not all of it' test "$2" -gt "$((2 * $(claim rare)))"
check 'foreground: each call of the rare one is recorded' same "$(events_of "$file" rare entry) $(events_of "$file" rare exit)" \
    "$(claim rare) $(claim rare)"
check 'foreground: what is recorded of the hot one is whole' \
    same "$(events_of "$file" hot entry)" "$(events_of "$file" hot exit)"
batch -ex "stats $file"
check 'foreground: stats says whose times are known in part' has log '^hot was throttled for [0-9.]+ m?s \(set budget\)\. '
check 'foreground: of no other' same "$(grep -c 'was throttled' log)" 1
parts_of() { # the trace's throttled functions, whether their time is a part of the trace's, how often it began
    "$eztsh" -nx -batch -ex "stats -json $*" 2>err | python3 -c '
import json, sys
t = json.load(sys.stdin)
print(*(f"""{r["function"]} {0 < r["ns"] < t["span_ns"]} {r["times"] >= 2}""" for r in t["throttled"]), sep=",")'
}
check 'foreground: and the machine is told' same "$(parts_of "$file")" 'hot True True'

# ---- in the background -----------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog"
shell_start
say "attach $pid"
say 'probe hot'
say 'probe rare'
say 'set budget 2'
say 'continue &'
check 'background: the hot function is throttled' until_ok 30 has log "$throttled"
check 'background: info probes tells' until_ok 30 action_is 1 throttled
check 'background: and that the rare one records' action_is 2 record
: >log
say 'set budget off'
check 'background: without a budget it records' has log "$restored"
check 'background: info probes tells that' action_is 1 record
say 'set budget 2'
check 'background: throttled again' until_ok 30 has log "$throttled"
say 'disable 1'
say 'enable 1'
check 'background: disabled and enabled while it was' until_ok 30 action_is 1 throttled
: >log
say 'interrupt'
say 'detach -keep'
check 'background: probes that are kept record' has log "$restored"
say "attach $pid"
say 'delete'
say 'continue &'
: >end
reap "$pid"
check 'background: it ends' same "$trc" 0
shell_end
check 'background: the result is unchanged' same "$(cat t.out)" '0 wrong'

finish

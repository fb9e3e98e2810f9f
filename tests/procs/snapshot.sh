#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# snapshot.sh - the flight recorder on live programs: no file grows, nobody waits, a snapshot is a complete
# trace of the newest events; by hand, on a signal, at the end, whatever the end is.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_filter
events_of() { python3 -c 'import json; print(json.load(open("stats.json"))["events"])'; }

# ---- at the end ---------------------------------------------------------------------------------------
"$prog" 8 100000 signals >native.out 2>claims
rm -f claims
batch -return-child-result -ex 'set overflow overwrite' -ex 'set snapshot-size 1' -ex 'probe work' \
    -ex 'probe -maxdepth 3 deep' -ex 'run 8 100000 signals >t.out 2>claims' -ex 'info probes' \
    -ex 'info trace' "$prog"
file=$(echo ./*.fxt)
check 'end: the result is the same' cmp native.out t.out
check 'end: it is told that events are kept' has log 'The newest 1 MiB of events of each thread are kept'
check 'end: the snapshot is told' has log '^Snapshot .*p_filter-[0-9]*\.fxt \(the process ended\): [0-9]+ events; [1-9]'
check 'end: its ledger' adds_up "$file"
worked=$((2 * ($(claim work) + $(claim signals))))
set -- $(ledger_of "$file")
check 'end: each hit of the program is in it' same "$1" "$((worked + 42 * $(claim deep)))"
# Where eztsh did not get the processor in time, events were dropped, of calls of deep(), too.
[ "$5" = 0 ] && check 'end: what a filter left out is' same "$3" "$((36 * $(claim deep)))"
check 'end: no more than that is left out' test "$3" -le "$((36 * $(claim deep)))"
check 'end: the snapshot has what it says' same "$(events_of)" "$2"
check 'end: and of each thread no more than is kept' test "$2" -le $((8 * (1 << 20) / 24))
check 'end: the last line, too' has log "hits = $2 recorded"
batch -ex "events $file 1000000"
# The timer's signal may reach the main thread, too, whose handler then calls work().
main=${file##*-}
check 'end: the newest are there' \
    same "$(awk -v main="${main%.fxt}" '$4 == "exit" && $5 == "work" && $3 != main { n[$3]++ } END { print length(n) }' log)" 8
for f in csv chrome; do
    batch -ex "convert -o out.$f -t $f $file"
    check "end: it converts to $f" test -s "out.$f"
done
if command -v fxt_print >/dev/null; then
    check 'end: fxt_print reads it' fxt_print -f "$file"
fi

# ---- by hand, while it runs ----------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog" 4 400000000
shell_start
say 'set overflow overwrite'
say 'set snapshot-size 1'
say 'set snapshot-on never'
say "attach $pid"
say 'probe work'
say 'continue &'
moved "$pid" 50
for i in 1 2 3; do
    say "snapshot by-hand-$i.fxt"
    check "by hand: $i is told" has log "Snapshot by-hand-$i.fxt: [0-9]+ events"
done
check 'by hand: no other file is there' same "$(echo ./*.fxt)" './by-hand-1.fxt ./by-hand-2.fxt ./by-hand-3.fxt'
say 'set pagination off'
say 'events 4000'
check 'by hand: events shows the newest' test "$(grep -cE ' (entry|exit) +work' log)" -gt 3000
say 'trace start other.fxt'
check 'by hand: no trace meanwhile' has log 'The flight recorder is on'
say 'info trace'
check 'by hand: info trace tells' has log 'Flight recorder: [0-9]+ events in memory'
say 'trace stop'
check 'by hand: it ends' has log 'The flight recorder is off'
say 'snapshot'
check 'by hand: then there is none' has log 'No events are kept in memory'
say 'detach'
for i in 1 2 3; do
    check "by hand: the ledger of $i" adds_up "by-hand-$i.fxt"
    check "by hand: $i has what it says" same "$(events_of)" "$(ledger_of "by-hand-$i.fxt" | cut -d' ' -f2)"
done
kill -9 "$pid"

# ---- the newest events, where no snapshot is written ----------------------------------------------------
batch -ex 'set overflow overwrite' -ex 'set snapshot-on never' -ex 'probe -maxdepth 2 deep' \
    -ex 'dprintf work,"n=%ld\n",$arg0' -ex 'passcount 3 2' -ex 'run 1 20 >t.out 2>claims' -ex 'events' "$prog"
check 'newest: of a program that ended' same "$(grep -cE ' entry +deep' log)" "$((2 * $(claim deep)))"
check 'newest: lines that were printed, too' same "$(grep -cE '^n=[0-9]+$' log) $(grep -cE ' entry +work +\$arg0=[012]$' log)" '3 3'
batch -ex 'set overflow overwrite' -ex 'set snapshot-on never' -ex 'probe -min-time 600s deep' \
    -ex 'probe work' -ex 'run 1 20 >t.out 2>claims' -ex 'events 4000' "$prog"
check 'newest: no call that was too short' lacks log ' (entry|exit) +deep'
check 'newest: but what came after it' has log ' exit +work'

batch -ex 'set overflow overwrite' -ex 'set snapshot-on never' -ex 'probe twice' -ex 'run 30 again=2 >t.out' "$targets/p_app"
check 'newest: the ledger of an image that ended' same \
    "$(grep -c '^60 hits = 0 recorded + 0 filtered + 0 untraced + 0 dropped + 60 overwritten\.$' log)" 3

# ---- on a signal, and at a death -----------------------------------------------------------------------
rm -f ./*.fxt
cat >script.ezt <<'END2'
set overflow overwrite
set snapshot-size 1
set snapshot-on SIGUSR1
probe entry work
run 1 30000 dies
END2
batch -x script.ezt "$prog"
check 'death: a snapshot at each signal' same "$(grep -c '^Snapshot .*(a signal came)' log)" 2
check 'death: and one at the end' same "$(grep -c '^Snapshot .*(the process ended)' log)" 1
check 'death: each in a file of its own' same "$(ls ./*.fxt | wc -l)" 3
for f in ./*.fxt; do check 'death: its ledger' adds_up "$f"; done
check 'death: each call is in one of the ledgers, to the last one' \
    same "$(for f in ./*.fxt; do ledger_of "$f" | cut -d' ' -f1; done | sort -n | xargs)" '30000 60000 90000'

finish

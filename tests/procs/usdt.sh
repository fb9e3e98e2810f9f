#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usdt.sh - USDT probes: their names, places, arguments and counters are those of gdb; hits are those that the program
# counts itself; a counter is incremented only while a probe needs it.
. "${top_srcdir:-.}/tests/procs/lib.sh"
prog=$targets/p_usdt lib=$targets/libusdt.so

ledger() { # PROBE: hits that the program counted, of the line "count PROBE N" in claims
    awk -v p="$1" '$1 == "count" && $2 == p { n += $3 } END { print n + 0 }' claims
}
called() { # PROBE: calls of all of its places in the last `info probes` of log
    awk -v p="$1" '$1 ~ /^[0-9]+$/ && $2 == "entry" && $7 == p { n += $6 } END { print n + 0 }' log
}
counters() { grep -cxF "$1: counters $2" claims; } # MODE VALUES: lines with these values

# ---- names and places ------------------------------------------------------------------------
batch -ex 'info probes stap' -ex 'info probes stap app ^t' -ex 'info probes stap app t ^/nowhere' "$prog"
check "USDT: each note is listed" same "$(grep -c '^stap  app ' log)" 8
check "USDT: regular expressions select" same "$(grep -c '^stap  app  *twice ' log)" 4
check "USDT: no match" has log '^No probes matched\.$'
batch -ex 'info probes stap -json' "$prog"
check "USDT: JSON" python3 -c '
import json
d = json.load(open("log"))
assert d["schema"] == "eztsh-usdt-1"
forms = [r for r in d["rows"] if r["name"] == "forms"]
assert len(forms) == 1 and forms[0]["arguments"].startswith("8@%rax 4@%eax"), forms
assert [r["semaphore"] for r in d["rows"]].count(None) == 3, d' || cat log

as_listed_by_gdb() { # FILE
    timeout -k 5 $limit gdb -nx -q -batch -ex 'set width 0' -ex 'info probes stap' "$1" 2>gdb.err | awk '{ $1 = $1; print }' >theirs
    batch -ex 'info probes stap' "$1"
    awk '{ $1 = $1; print }' log >ours
    [ "$(wc -l <theirs)" -gt 1 ] && cmp theirs ours
}
if command -v gdb >/dev/null; then
    check "USDT: the list is gdb's: p_usdt" as_listed_by_gdb "$(realpath "$prog")"
    for f in "$(command -v /usr/bin/python3)" "$(ldconfig -p 2>/dev/null | sed -n 's/.*libstdc++\.so\.6 .*=> //p' | head -n 1)" \
        /usr/lib/postgresql/*/bin/postgres; do
        [ -n "$f" ] && [ -r "$f" ] && f=$(realpath "$f") && readelf -S "$f" 2>/dev/null | grep -q '\.note\.stapsdt' || continue
        check "USDT: the list is gdb's: $f" as_listed_by_gdb "$f"
    done
fi

# ---- arguments ---------------------------------------------------------------------------------
want='entry app:forms  \$_probe_arg0=1234605616436508552 \$_probe_arg1=1432778632 \$_probe_arg2=30600 '
want="$want"'\$_probe_arg3=136 \$_probe_arg4=119 \$_probe_arg5=-5 \$_probe_arg6=3 '
want="$want"'\$_probe_arg7=-2 \$_probe_arg8=-11 \$_probe_arg9=13 \$_probe_arg10=-5 \$_probe_arg11=549755813887$'
more='entry app:more  \$_probe_arg0=-300 \$_probe_arg1=-7 \$_probe_arg2=1\.5 \$_probe_arg3=1\.5 \$_probe_arg4=-2\.25 '
more="$more"'\$_probe_arg5=-2 \$_probe_arg6=10 \$_probe_arg7=65531 \$_probe_arg8=4294967291 '
more="$more"'\$_probe_arg9=18446744073709551611 \$_probe_arg10=-300 \$_probe_arg11=251$'
batch -ex 'probe -stap app:forms app:more collect $args' -ex 'run forms 2>/dev/null' -ex 'events 9' "$prog"
check "USDT: operands of each form" has log "$want"
check "USDT: more operands" has log "$more"

{
    printf 'break -probe-stap app:forms\nrun forms 2>/dev/null\nprint $_probe_argc\n'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "print \$_probe_arg$i"; done
    printf 'whatis $_probe_arg3\nwhatis $_probe_arg5\nwhatis $_probe_arg7\nprint $_probe_arg8 * 2 + $_probe_arg9\nstepi\nprint $_probe_arg0\n'
} >ask.gdb
values() { sed -n 's/^\$[0-9]* = //p; s/^type = //p; s/.*\(No probe at PC\).*/\1/p' "$1"; }
batch -x ask.gdb "$prog"
values log >ours
check "USDT: print shows arguments at a breakpoint" same "$(wc -l <ours)" 18
if command -v gdb >/dev/null; then
    timeout -k 5 $limit gdb -nx -q -batch -x ask.gdb "$prog" >theirs.log 2>&1
    values theirs.log >theirs
    check "USDT: the values are gdb's" cmp ours theirs
fi
for say in "-probe-stap foo:bar=No probe matching objfile=\`<any>', provider=\`foo', name=\`bar'" \
    "-probe-stap bar=No probe matching objfile=\`<any>', provider=\`<any>', name=\`bar'" \
    "-probe-stap a:b:c=No probe matching objfile=\`a', provider=\`b', name=\`c'" \
    "-probe-stap :x=invalid provider name" "-probe-stap :x:y=invalid objfile name" "-probe-stap x:=no probe name specified"; do
    batch -ex "break ${say%%=*}" "$prog"
    check "USDT: gdb's message on ${say%%=*}" grep -qF -e "${say#*=}" log
done

# ---- hits, conditions, text ----------------------------------------------------------------------
batch -ex 'probe -stap -count app:work app:plain app:twice' \
    -ex 'probe -stap app:work if $_probe_arg0 % 100 == 7 collect $_probe_arg1:str, $_probe_arg2' \
    -ex 'dprintf -probe-stap app:twice,"place %d\n",$_probe_arg0' -ex 'condition 6 $_probe_arg1 < 3' \
    -ex 'condition 7 $_probe_arg1 < 3' \
    -ex 'sum $_probe_arg2 at -probe-stap app:work by $_probe_arg1:str' \
    -ex 'run work 1000 2>claims' -ex 'info probes' -ex 'events 99' -ex 'info aggregates' -ex 'info trace' "$prog"
check "USDT: hits are those that the program counted" same "$(ledger app:work) $(ledger app:plain) $(ledger app:twice)" \
    "1000 1000 1000"
check "USDT: app:plain, which needs no counter" same "$(hits 2)" 1000
check "USDT: the two places of one name are two probes" same "$(hits 3) $(hits 4)" "500 500"
check "USDT: a count" same "$(hits 1)" 1000
check "USDT: a condition" same "$(grep -c 'entry app:work .*="odd" \$_probe_arg2=[0-9]*21$' log)" 10
check "USDT: dprintf" same "$(grep '^place [12]$' log | tr '\n' ' ')" "place 2 place 1 place 2 "
check "USDT: an aggregate" has log '^ +"odd" +500 hits +750000'
check "USDT: all counters were incremented once" counters work '1 1'

refuses() { # WORDS MESSAGE
    printf '%s\n' "$1" >refuses.ezt
    batch -x refuses.ezt "$prog"
    grep -qF -e "$2" log
}
check "USDT: no name matches" refuses 'probe -stap -r nosuch' 'No USDT probe matches "nosuch"'
check "USDT: gdb's message without a process" refuses 'print $_probe_argc' 'No frame selected'
check "USDT: gdb's message elsewhere" refuses 'start
print $_probe_argc' 'No probe at PC 0x0000'
check "USDT: no exit" refuses 'probe exit -stap app:work' 'A USDT probe is a place in the code: it has no exit'
check "USDT: no \$caller inside of a function" refuses 'probe -stap app:work collect $caller' \
    "\$caller is known only at a function's first instruction. \$_probe_arg0, ... are the arguments of the probe."
check "USDT: nor \$arg0" refuses 'count -probe-stap app:work by $arg0' "\$arg0 is known only at a function's first instruction"
check "USDT: nor -caller" refuses 'probe -stap -caller main app:work
run work 1' "-caller is possible only at a function's first instruction"
check "USDT: as many arguments as the note has" refuses 'probe -stap app:work if $_probe_arg3' \
    'Invalid probe argument 3 -- probe has 3 arguments available'
check "USDT: elsewhere there are none" refuses 'probe main if $_probe_arg0' 'There is no USDT probe here, so $_probe_arg0 is not known'

# ---- notes that are not true -----------------------------------------------------------------------
forged=$targets/p_forged_notes
set -- -ex start
for n in good inside data far sem_text sem_const sem_far; do set -- "$@" -ex "probe -stap -count bad:$n"; done
batch "$@" -ex 'info probes stap' -ex 'info probes' -ex 'continue' "$forged"
check "forged notes: five are refused" same "$(grep -c 'is damaged: the place must be in code' log)" 5
check "forged notes: one is inside an instruction" has log '^Cannot probe bad:inside: not an instruction boundary'
check "forged notes: no control character is printed" same "$(tr -d '\n\t' <log | tr -cd '[:cntrl:]' | wc -c)" 0
check "forged notes: nor a probe without provider" lacks log 'noprovider'
check "forged notes: the program ends right" has log 'exited normally'
i=0
for operand in '3@%eax' '%nothing' nosuch '8(%rip)' '%fs:8(%rax)' '8@' '@' '-4f@%eax' '(%eax)' '99999999999@%rax' \
    '18446744073709551615999(%rax)'; do
    i=$((i + 1))
    batch -ex "probe -stap bad:args collect \$_probe_arg$i" "$forged"
    case $operand in
    nosuch) want="p_forged_notes has no symbol \"nosuch\"." ;;
    *) want="the operand \"$operand\" is not supported. \"info probes stap -args\" shows the operands." ;;
    esac
    check "forged notes: operand $i is refused" grep -qxF "Cannot read \$_probe_arg$i: $want" log
done
batch -ex start -ex 'probe -stap -count many:x' "$forged"
check "forged notes: no more semaphores than the journal has room for" has log \
    '^A process has room for 1024 semaphores of USDT probes'

# ---- counters while the program runs ---------------------------------------------------------------
value() { # VARIABLE: its value in the running process, which a second look of the shell shows
    say "echo value $1 \\n"
    say "output $1"
    say 'echo \n'
    awk -v v="$1" 'f == 1 && /^[0-9]/ { x = $1 + 0; f = 0 } $0 ~ "^value " v { f = 1 } END { print x + 0 }' log
}
rm -f stop
target "$prog" threads 8 stop
shell_start -p "$pid"
say 'probe -stap -count app:work'
say 'probe -stap -count app:work if $_probe_arg0 == 1'
check "USDT counter: one increment for two probes" same "$(value app_work_semaphore)" 1
say 'delete 1'
check "USDT counter: stays for the second probe" same "$(value app_work_semaphore)" 1
say 'disable 2'
check "USDT counter: 0 without an enabled probe" same "$(value app_work_semaphore)" 0
say 'enable 2'
check "USDT counter: 1 again" same "$(value app_work_semaphore)" 1
say 'delete'
say 'set var app_work_semaphore = 5'
say 'probe -stap -count app:work'
check "USDT counter: another tool's increments" same "$(value app_work_semaphore)" 6
say 'delete'
check "USDT counter: another tool's increments stay" same "$(value app_work_semaphore)" 5
say 'set var app_work_semaphore = 65535'
say 'probe -stap -count app:work'
say 'set var app_twice_semaphore = 65535'
say 'break -probe-stap app:twice'
say 'continue'
check "USDT counter: full, for a breakpoint" has log '^The semaphore at 0x[0-9a-f]+ has its largest value'
say 'delete'
say 'set var app_twice_semaphore = 0'
check "USDT counter: full" has log 'Cannot probe app:work: its semaphore cannot be incremented'
say 'set var app_work_semaphore = 0'
say 'break -probe-stap app:work'
say 'continue'
check "USDT counter: a breakpoint" same "$(value app_work_semaphore)" 1
say 'delete'
check "USDT counter: 0 without the breakpoint" same "$(value app_work_semaphore)" 0
say 'tbreak -probe-stap app:work'
say 'continue'
check "USDT counter: 0 after a temporary breakpoint" same "$(value app_work_semaphore)" 0
# 8 threads hit while probes come and go
i=0
while [ $i -lt 15 ]; do
    say 'probe -stap app:work collect $args'
    say 'probe -stap -count app:plain'
    say 'continue &'
    say 'interrupt'
    say 'delete'
    i=$((i + 1))
done
check "USDT: planted and removed under 8 threads" same "$(value app_work_semaphore)" 0
check "USDT: the code is the file's" text_intact "$pid" "$prog"
say 'probe -stap -count app:work app:twice'
say 'detach'
say 'delete'
say "attach $pid"
check "USDT counter: 0 after detach" same "$(value app_work_semaphore) $(value app_twice_semaphore)" "0 0"
say 'probe -stap -count app:work'
say 'detach -keep'
shell_end
shell_start -p "$pid"
check "USDT counter: kept by detach -keep" same "$(value app_work_semaphore)" 1
say 'info probes'
check "USDT: the kept probe" has log '^[0-9]+ +entry +count +armed .* app:work +p_usdt +jump'
say 'delete'
check "USDT counter: 0 when the kept probe is deleted" same "$(value app_work_semaphore)" 0
say 'probe -stap -count app:work'
say 'probe -stap app:work collect $args'
say 'continue &'
shell_kill
shell_start -p "$pid"
say 'delete'
check "USDT counter: the increment of a killed shell is undone" same "$(value app_work_semaphore)" 0
say 'probe -stap -count app:work'
say 'continue &'
shell_kill
batch -p "$pid" -ex 'attach -force' -ex detach
batch -p "$pid" -ex 'delete' -ex 'output app_work_semaphore' -ex 'echo \n' -ex detach
check "USDT counter: undone, and not twice" has log '^0$'
touch stop
reap "$pid"
check "USDT: the program ends right" same "$trc" 0
check "USDT: with its counters at 0" has t.err '^threads: counters 0 0$'

# ---- forks -----------------------------------------------------------------------------------------
batch -ex 'probe -stap -count app:work' -ex 'run fork 100 2>claims' -ex 'info probes' "$prog"
check "USDT fork: the parent's hits" same "$(hits 1)" 100
check "USDT fork: parent" counters fork '1 0'
batch -ex 'set follow-fork-mode child' -ex 'probe -stap -count app:work' -ex 'run fork 100 2>claims' -ex 'info probes' "$prog"
check "USDT fork: the child's hits, when the shell follows it" same "$(hits 1)" 100
check "USDT fork: the parent's counter is 0 again" counters fork '0 0'
check "USDT fork: the child's is 1, not 2" counters child '1 0'

# ---- libraries ---------------------------------------------------------------------------------------
touch one two three
batch -ex 'probe -stap -count lib:hit' -ex 'probe -stap -count libusdt.so:app:plain' -ex 'probe -stap -count app:plain' \
    -ex "run loads $lib 3 one two three 2>claims" -ex 'info probes' "$prog"
check "USDT library: each load has its hits" same "$(ledger lib:hit)" 30
check "USDT library: as counted" same "$(hits 1)" 30
check "USDT library: a provider that the program has, too" same "$(hits 2)" 30
check "USDT library: pending" has log '^Probe 1 \(-probe-stap lib:hit\) pending: No probe matching objfile='

# ---- other commands ----------------------------------------------------------------------------------
batch -ex 'probe -stap -count app:work if $_probe_arg0 > 5' -ex 'probe -stap app:twice collect $args' \
    -ex 'dprintf -probe-stap app:plain,"hit\n"' -ex 'count -probe-stap app:work by $_probe_arg1:str' \
    -ex 'tp -probe-stap app:work' -ex 'save probes first' "$prog"
batch -ex 'source first' -ex 'save probes second' "$prog"
check "USDT: save probes, source" cmp first second
check "USDT: save probes writes -stap" same "$(grep -cE '^probe -stap |-probe-stap ' first)" 5
batch -ex 'complete probe -stap app:t' -ex 'complete break -probe-stap app:w' -ex 'complete probe app:t' "$prog"
check "USDT: completion" same "$(grep -cE '^(probe -stap app:twice|break -probe-stap app:work)$' log)" 2
check "USDT: completion only behind the option" lacks log '^probe app:t'
batch -ex 'probe -stap -r -count app:.' -ex 'run work 10 2>/dev/null' -ex 'info probes' "$prog"
check "USDT: -r" has log '^Planted 0 of 6 matched|^Planted 6 of 6 matched'
check "USDT: -r plants all places" same "$(called app:twice) $(called app:work)" "10 10"
"$eztsh" record -stap app:work -o r.fxt "$prog" work 5 >log 2>&1
check "USDT: record" has log '^Recorded 5 calls of 1 function in r\.fxt'
batch -ex 'events 2 r.fxt'
check "USDT: record collects the arguments" has log ' app:work  \$_probe_arg0=4 \$_probe_arg1=[0-9]+ \$_probe_arg2=12$'
finish

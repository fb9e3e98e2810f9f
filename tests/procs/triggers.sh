#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# triggers.sh - `probe ... do ACTION`: which hit stops the program, when recording begins and ends, among
# many threads; nobody waits for a shell that is killed or has gone, nor does a forked child.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_filter
progress() { moved "$1" 20; }

# ---- many pauses -----------------------------------------------------------------------------------
# More than fit in shared memory, and faster than the drain thread reads them: the thread waits.
cat >pauses.c <<'C'
static volatile int sum;
__attribute__((noipa)) void on(void) { sum++; }
__attribute__((noipa)) void off(void) { sum++; }
__attribute__((noipa)) void inside(void) { sum++; }
__attribute__((noipa)) void outside(void) { sum++; }
int main(void)
{
    for (int i = 0; i < 20000; i++) {
        on();
        inside();
        off();
        outside();
    }
    return 0;
}
C
if ! command -v gcc >/dev/null || ! gcc -O1 -o pauses pauses.c; then
    skip 'many pauses: no gcc'
else
    batch -ex 'probe entry inside' -ex 'probe entry outside' -ex 'probe entry on do trace start' \
        -ex 'probe entry off do trace stop' -ex run -ex stats ./pauses
    check 'many pauses: the program ends' has log 'exited normally'
    check 'many pauses: the calls between them are recorded' has log '^inside +pauses +20000 '
    check 'many pauses: and no others' lacks log '^outside '
fi

# ---- stop ------------------------------------------------------------------------------------------
"$prog" 8 20000 >native.out 2>claims
set -- -ex 'probe work if n == 777 do stop' -ex 'run 8 20000 >t.out 2>t.err'
for i in 1 2 3 4 5 6 7 8; do set -- "$@" -ex 'info registers rdi' -ex 'print n' -ex 'set var $rdi = 5' -ex 'x/i $pc' -ex continue; done
batch "$@" -ex 'info probes' "$prog"
check 'stop: each thread stops once, where it was hit' same \
    "$(sed -n 's/^Thread \([0-9]*\) hit probe 1, work (n=777) at .*p_filter\.c:[0-9]*$/\1/p' log | sort -u | wc -l)" 8
check 'stop: and no other call does' same "$(grep -c 'hit probe 1' log)" 8
check 'stop: the registers are the program'\''s' same "$(grep -c '^rdi  *0x309 ' log)" 8
check 'stop: so is its place' same "$(grep -cE '^=> 0x[0-9a-f]+ <work>' log)" 8
check 'stop: print knows the arguments' same "$(grep -cE '^\$[0-9]+ = 777$' log)" 8
check 'stop: registers cannot be written there' has log '^Registers cannot be changed while the thread is stopped inside a probe\.$'
check 'stop: those are all it counted' same "$(hits 1)" 8
check 'stop: the program'\''s result is the same' cmp native.out t.out

batch -ex 'probe entry -count work do stop' -ex 'passcount 5000 1' -ex 'run 8 20000 >t.out 2>t.err' \
    -ex 'info probes' -ex continue "$prog"
check 'stop: with a passcount once' same "$(grep -c 'hit probe 1, work (n=' log)" 1
check 'stop: and the probe is spent' has log 'Probe 1 is disabled: its passcount is reached'
check 'stop: the hits before it are filtered' test \
    "$(sed -n 's/^Probe 1 passcount 5000: \([0-9]*\) filtered.*/\1/p' log)" -ge 4999
check 'stop: the program ends' has log 'exited normally'
check 'stop: its result is the same' cmp native.out t.out

cat >args.c <<'C'
__attribute__((noipa)) int many(float a, float b, float c, float d, float e, float f, float g, float h,
                                float i, float j, double k, char *s, char *t)
{
    return a + b + c + d + e + f + g + h + i + j + k > 0 && !s && t;
}
int main(void)
{
    return !many(1.5, 2, 3, 4, 5, 6, 7, 8, 9.25, -10.5, 11.75, 0, "text");
}
C
if ! command -v gcc >/dev/null || ! gcc -g -O1 -o args args.c; then
    skip 'stop: arguments on the stack: no gcc'
else
    batch -ex 'set print entry-values no' -ex 'probe many do stop' -ex run -ex 'bt 1' ./args
    told='a=1\.5, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9\.25, j=-10\.5, k=11\.75, s=0x0'
    check 'stop: floats, those on the stack, and no text' has log "hit probe 1, many \($told, t=\"text\"\)"
    check 'stop: backtrace tells the same' has log "^#0 .* many \($told, t=0x[0-9a-f]+ \"text\"\)"
fi

batch -ex 'probe exit deep if $ret == 20 do stop' -ex 'run 1 50 >t.out 2>t.err' -ex 'info registers rax' \
    -ex stepi -ex detach "$prog"
check 'stop: at an exit' has log '^Thread 2 hit probe 1, the exit of deep \(\)'
check 'stop: with the result' has log '^rax +0x14 '
check 'stop: no step from there' has log "The thread waits at the stop of a probe, and cannot be stepped"
check 'detach: the program goes on' until_ok 20 has t.out .

# ---- nobody hangs ----------------------------------------------------------------------------------
held() { # a background program at a stop, its shell alive
    rm -f stop ./*.fxt
    target "$targets/p_loop" stop 4
    shell_start -p "$pid"
    say 'probe beat do stop'
    post 'continue &'
    check "$1: it stops" until_ok 20 has log 'hit probe 1, beat \('
}
held killed
shell_kill
check 'killed: all threads go on' progress "$pid"
touch stop
reap "$pid"
check 'killed: with the right result' same "$trc" 0
held detached
say detach
check 'detached: all threads go on' progress "$pid"
check 'detached: no code is changed' text_intact "$pid" "$targets/p_loop"
shell_end
touch stop
reap "$pid"
check 'detached: with the right result' same "$trc" 0
held deleted
say 'delete 1'
say 'continue &'
check 'deleted: all threads go on' progress "$pid"
see_own_end
check 'deleted: with the right result' same "$trc" 0
held ended
say kill
shell_end
check 'ended: nothing is left' gone "$pid"
for how in fork vfork spawn; do
    "$targets/p_fork" "$how" 3 >native.out 2>native.err </dev/null
    batch -ex 'probe entry -count tick if v == 3 do stop' -ex "run $how 3 >t.out 2>t.err" \
        -ex continue -ex continue -ex continue -ex continue -ex continue "$targets/p_fork"
    check "$how: the parent stops" has log 'hit probe 1, tick \(v=3\)'
    check "$how: children do not, and all end" has log 'exited normally'
    check "$how: the result is the same" cmp native.out t.out
done

# ---- switches --------------------------------------------------------------------------------------
"$prog" 8 20000 >native.out 2>claims
switched() { # COMMAND...: probes, then run with 8 threads
    rm -f ./*.fxt t.out
    printf '%s\n' "$@" 'run 8 20000 >t.out 2>t.err' 'info probes' 'info trace' >script.ezt
    batch -x script.ezt "$prog"
    cp log probes
    file=$(echo ./*.fxt)
    batch -ex "events $file 10000000"
    cp log events
    cp probes log
}
switched 'probe entry work' 'probe -count entry slow do trace start' 'passcount 3 2' \
    'probe entry deep if n == 20 do trace stop' 'passcount 50 3'
check 'trace: the ledger' ledger_ok
check 'trace: the result is the same' cmp native.out t.out
check 'trace: some hits are recorded, others not' has log ' [1-9][0-9]* recorded .* [1-9][0-9]* untraced'
check 'trace: no hit is later than the one that stops it' awk '
    $4 == "entry" || $4 == "event" { last = $1; if ($5 == "deep") stop = $1 }
    END { exit !(stop != "" && stop == last) }' events
rm -f ./*.fxt
batch -ex 'probe entry work' -ex 'probe -count work if n == 3 do trace stop' -ex 'run 1 20 >t.out 2>t.err' "$prog"
check 'trace: a hit that stops it is recorded by another probe of the function, too' has log ' = 4 recorded '
batch -ex 'probe work' -ex 'probe -count slow do trace start' -ex 'start 1 5 >t.out' -ex 'info trace' -ex 'trace start' \
    -ex 'info trace' -ex continue "$prog"
check 'trace: it says that it is paused' same "$(grep -c 'Recording is paused' log)" 1
check 'trace: the user lets it go on' has log ': 20 hits = 10 recorded .* 0 untraced'

switched 'probe entry called' 'disable 1' 'probe -count entry work if n == 1000 do enable 1'
check 'enable: the ledger' ledger_ok
check 'enable: some calls are not recorded' test "$(hits 1)" -lt 160000
check 'enable: from that hit on all are' test "$(hits 1)" -ge 19000
check 'enable: the trace has as many' same "$(grep -c ' called' events)" "$(hits 1)"
rm -f ./*.fxt
batch -ex 'probe entry called' -ex 'probe -count entry work if n == 500 do enable 1' -ex 'disable 1' \
    -ex 'probe -count entry work if n == 600 do disable 1' -ex 'run 1 2000 >t.out 2>t.err' -ex 'info probes' "$prog"
check 'disable: exactly the calls between two hits' same "$(hits 1)" 100
batch -ex 'probe entry called' -ex 'disable 1' -ex 'probe work if n == 500 do enable 1' -ex 'start 1 20' \
    -ex 'info probes' -ex 'enable 1' -ex 'info probes' "$prog"
check 'enable: it is told that it waits' has log '^1 .* off '
check 'enable: the user may enable it, too' same "$(grep -c '^1 .* armed ' log)" 1

# ---- snapshot, and wrong words ---------------------------------------------------------------------
rm -f ./*.fxt
batch -ex 'set overflow overwrite' -ex 'set snapshot-on never' -ex 'probe entry work if n == 15000 do snapshot' \
    -ex 'passcount 1' -ex 'run 8 20000 >t.out 2>t.err' "$prog"
check 'snapshot: one is written' same "$(grep -c '^Snapshot .*(probe 1): [0-9]* events' log)" 1
check 'snapshot: it is a trace' trace_valid "$(echo ./*.fxt)"
batch -ex 'probe work do jump' -ex 'probe work do enable 7' -ex 'probe work do' -ex 'probe -r work do stop' \
    -ex 'probe work do enable x' -ex 'info probes' "$prog"
check 'words: an action' has log '"jump" is not an action\. The actions are trace start, trace stop, snapshot'
check 'words: a number' has log 'No probe number 7\.'
check 'words: nothing' has log 'Argument required \(an action behind "do"\)'
check 'words: no number' has log "Bad probe number 'x'"
check 'words: many' has log '^"do ACTION" is not possible with -r'
check 'words: no probe is left' has log '^No probes\.'
# ---- limits ----------------------------------------------------------------------------------------
{
    echo start
    for i in $(seq 0 64); do echo "probe -count many_$i"; done
    for i in $(seq 64); do echo "probe -count many_$((100 + i)) do disable $i"; done
} >gates
batch -x gates "$targets/p_many"
check 'actions switch 63 probes, and no further one' has log '^At most 63 probes can be enabled and disabled by other probes\.$'
batch -ex 'probe many_0 do stop' -ex run -ex next "$targets/p_many"
check 'stop: no next in a function without a prologue' has log '^Cannot step to the next line: the thread is stopped inside a probe\. Use "finish" or "advance" instead\.$'
finish

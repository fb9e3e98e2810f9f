#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manners.sh - what a user of gdb types by habit, and typing errors: nothing is lost by them, and no
# short word runs another command.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
cp "$targets/p_app" "$targets/libp.so" .
offers() { batch -ex "complete $1" ./p_app && xargs <log; }

# ---- `trace app`: nothing but a trace is overwritten ----------------------------------------------
echo 'int main(void) { return 0; }' >app.c
mkdir folder
for file in p_app app.c; do
    cp $file before
    for how in "trace $file" "trace start $file"; do
        batch -ex start -ex "$how" -ex 'probe area' -ex 'run 3 >t.out' ./p_app
        check "$how: refused" has log "$file exists and is not a readable FxT trace"
        check "$how: it stays" cmp $file before
        check "$how: status 1" same $rc 1
    done
done
: >empty
batch -ex 'trace start empty' -ex 'probe area' -ex 'run 5 >t.out' ./p_app
check "trace to an empty file" trace_valid empty
batch -ex 'trace start empty' -ex 'probe area' -ex 'run 5 >t.out' ./p_app
check "trace over a trace" trace_valid empty
check "trace over a trace: status 0" same $rc 0
mkdir words && cd words && touch starting.fxt && cp ../p_app ../libp.so .
check "trace st<Tab>" same "$(offers 'trace st')" "trace start trace starting.fxt trace stop"
check "trace start st<Tab>" same "$(offers 'trace start st')" "trace start starting.fxt"
cd ..
batch -ex start -ex 'complete probe libp:lib_s' -ex 'complete probe libp.so:lib_m' ./p_app
check "probe LIB:<Tab>: its functions" same "$(grep '^probe' log | xargs)" \
    "probe libp:lib_start probe libp:lib_started probe libp.so:lib_mix"

# ---- gdb's short words ------------------------------------------------------------------------------
batch -ex f -ex 'b area' -ex start -ex step -ex s -ex 'p 1' -ex 'info proc' ./p_app
check "f: the program stays" has log '^Temporary breakpoint 1, main'
check "step, s: lines, not instructions" same "$(grep -c '^0x' log)" 0
check "start, step, s: three lines" same "$(grep -cE '^[0-9]+	' log)" 3
check "b: a breakpoint" has log '^Breakpoint 1 at 0x[0-9a-f]+: file .*p_app.c, line [0-9]+\.$'
batch -ex b -ex 'probe -count area' -ex 'run 5 >t.out' -ex 'info probes' ./p_app
check "b: no transaction is open" has log '^1 +both +count .* area '
check "b: what is probed counts" same "$(hits 1)" 5
batch -ex begin -ex 'probe -count area' -ex 'run 5 >t.out' ./p_app
check "run: an open transaction is said" has log '^Note: a transaction is open; the probes since "begin" are held until "commit"\.'
batch -ex start -ex begin -ex 'probe -count area' -ex 'disable 1' -ex commit -ex 'info probes' -ex 'enable 1' -ex 'run 5 >t.out' \
    -ex 'info probes' ./p_app
check "commit: what was disabled meanwhile stays" has log '^Planted 0 of 1 held; refused: 0'
check "commit: disabled" has log '^1 .* disabled '
check "commit: and can be enabled" has log '^1 .* [1-9][0-9]* *area '
batch -ex 'prboe area' ./p_app
check "did you mean" has log '^Undefined command: "prboe"\.  Try "help"\. Did you mean "probe"\?$'

# ---- steps to the end: an event, and no error -----------------------------------------------------------
batch -ex start -ex 'stepi 1000000000' -ex 'info proc' /bin/true
check "stepi to the end" has log '^\[Inferior 1 \(process [0-9]+\) exited normally\]$'
check "stepi to the end: nothing else" same "$(tail -n 2 log | cut -c 1-13 | xargs)" "[Inferior 1 ( The program i"

# ---- locations that are none ---------------------------------------------------------------------------
batch -ex 'probe area if size > 100' -ex 'info probes' ./p_app
check "probe f if: refused" has log '^No symbol "size" in current context'
check "probe f if: nothing is planted" has log '^No probes\.'
check "probe f if: status 1" same $rc 1
for word in 100 '>' '==' libp:0x11 0x11; do
    batch -ex "probe area '$word' twice" -ex 'info probes' ./p_app
    check "probe $word: an error" has log "^\"$word\" cannot be the name of a function\\."
    check "probe $word: nothing is planted" has log '^No probes\.'
done
for word in operator+ 'A::operator>(int)' '<T as U>::f' 'main.(*T).Get' _x 3area '~A' 'm\303\274sli'; do
    word=$(printf "$word")
    batch -ex "probe '$word'" ./p_app
    check "probe $word: may come" has log '^Probe 1 .* pending'
done

# ---- where programs are ------------------------------------------------------------------------------------
mkdir bin
cp p_app libp.so bin
(cd bin && mv p_app p_path)
PATH=$PATH:$work/bin
batch -ex 'set trace-auto off' -ex 'probe -count area' -ex run -ex 'info probes' --args p_path 5
check "a program on PATH: found" has log "^Starting program: $work/bin/p_path 5"
check "a program on PATH: counts" same "$(hits 1)" 5
batch -ex 'file p_path' -ex 'info functions ^area'
check "file: on PATH, too" has log "^File $work/bin/p_path:"
cp p_app p_path
batch -ex 'info functions ^area' p_path
check "a program that is here: before PATH" has log "^File $work/p_path:"
batch nowhere_at_all
check "a program that is nowhere" has log '^nowhere_at_all: No such file or directory\.'
check "a program that is nowhere: status 1" same $rc 1
if [ -x "$top_builddir/ezt-gtg" ]; then
    (
        unset EZT_GTG
        batch -ex 'convert empty -o beside.trace'
        check "a build tree: ezt-gtg is found beside eztsh" [ -s beside.trace ]
        exit $failed
    ) || failed=1
else
    skip "a build tree: no ezt-gtg was built"
fi

# ---- as in gdb ------------------------------------------------------------------------------------------
cat >gdbish.c <<'END'
#include <string.h>
#include <unistd.h>
#include <stdlib.h>
int g_counter = 5;
static int s_counter = 6;
__attribute__((noipa)) int less(int n) { return n - 7; }
__attribute__((noipa)) unsigned char small(int n) { return n; }
__attribute__((noipa)) long sum(const char *a, const char *b) { return strlen(a) * 100 + strlen(b); }
int main(int c, char **v)
{
    if (c > 9)
        return strlen(v[0]) + getpid() + s_counter++ + (getenv("A") != 0);
    return sum(v[0], v[0]) == 0;
}
END
$cc -O1 -g -o gdbish gdbish.c || exit 99
batch -ex 'info address g_counter' -ex 'info address s_counter' -ex 'info address less' ./gdbish
check "info address of a variable" has log '^Symbol "g_counter" is static storage at address 0x[0-9a-f]+\.$'
check "info address of a static one" has log '^Symbol "s_counter" is static storage at address 0x[0-9a-f]+\.$'
check "info address of a function" has log '^Symbol "less" is a function at address 0x[0-9a-f]+ \('
value() { # EXPR VALUE
    batch -ex start -ex "call $1" ./gdbish
    check "call $1" has log "^\\\$1 = $2\$"
}
value '(int)getpid()' '[1-9][0-9]*'
value '(int) less(3)' -4
value '(unsigned int)less(3)' 4294967292
value '(unsigned char)less(3)' "252 .*"
value '(long int)less(3)' -4
value 'strlen("abc")' 3
value '(size_t)strlen("a,b) \"c\"")' 8
value 'sum("", "0123456789ab")' 12
value 'sum("abc" , "")' 300
value 'abs(-3)' 3
value '(double)less(3)' -4
batch -ex start -ex 'call strlen("abc)' ./gdbish
check "call: a quote that is not closed" same $rc 1
batch -ex start -ex 'call (void)less(3)' ./gdbish
check "call (void): no value" lacks log '^\$_ ='
batch -ex start -ex 'call putenv("NEW=there")' -ex 'call getenv("NEW")' -ex 'x/s $_' ./gdbish
check "call: a string stays for who keeps it" has log '"there"'
batch -ex 'help set exit-mode' -ex 'help set overflow'
check "help set exit-mode: what the words mean" has log 'slots +replace the return address'
check "help set overflow: what the words mean" has log '^  drop +continue; lost events are counted'

# ---- info probes ------------------------------------------------------------------------------------------
{
    echo 'static volatile int sum;'
    for i in $(seq 60); do echo "__attribute__((noipa)) int fn_$i(int n) { return sum += n; }"; done
    echo 'int main(int c, char **v) {'
    for i in 7 3 7 11 7 3; do echo "fn_$i($i);"; done
    echo 'if (c > 9) {'
    for i in $(seq 60); do echo "fn_$i($i);"; done
    echo '} return 0; }'
} >many.c
$cc -O1 -o many many.c || exit 99
listed() { # OPTIONS WANTED: function=hits of each row
    batch -ex 'set trace-auto off' -ex 'probe -count -r ^fn_' -ex run -ex "info probes $1" ./many
    check "info probes $1" same "$(awk '$2 == "both" { printf "%s=%s ", $7, $6 }' log)" "$2"
}
listed '' 'fn_3=2 fn_7=3 fn_11=1 '
check "info probes: what is left out is said" \
    has log '^Left out: 57 probes without calls\. "info probes -all" lists all probes\.$'
listed '-sort calls' 'fn_7=3 fn_3=2 fn_11=1 '
listed '-sort name' 'fn_11=1 fn_3=2 fn_7=3 '
listed '-top 2' 'fn_7=3 fn_3=2 '
check "info probes -top: what is left out is said" has log '^1 more probe\.$'
listed '^fn_[1-3]$' 'fn_1=0 fn_2=0 fn_3=2 '
listed '-sort addr ^fn_[1-3]$' 'fn_1=0 fn_2=0 fn_3=2 '
batch -ex 'set trace-auto off' -ex 'probe -count -r ^fn_' -ex run -ex "info probes -all" ./many
check "info probes -all" same "$(grep -c ' both ' log)" 60
listed ^nothing ''
check "info probes: of no such name" has log '^No probes matched\.$'
# `stats` shows counted probes of a trace too, except by thread, and in a window.
batch -ex 'probe -count -r ^fn_' -ex 'probe main' -ex run -ex 'stats -sort calls -top 3' \
    -ex 'stats -by thread' -ex 'stats -from 1ns' ./many
check "stats tells what is counted alone" \
    same "$(awk '$1 ~ /^fn_/ { printf "%s=%s %s ", $1, $3, $4 }' log)" 'fn_7=3 - fn_3=2 - fn_11=1 - '
rm -f many-*.fxt
for bad in -sort '-sort nothing' -top '-top x' -nothing 'a b' '('; do
    batch -ex 'probe fn_1' -ex "info probes $bad" ./many
    check "info probes $bad: an error" same $rc 1
done

# ---- stats -once ---------------------------------------------------------------------------------------------
rm -f stop
target "$targets/p_loop" stop
shell_start -p "$pid"
say 'probe pulse'
say 'continue &'
sees_pulse() { say 'stats -once' && has log '^pulse +p_loop +[1-9]'; }
check "stats -once: what is there now, and no more" until_ok 20 sees_pulse
# Both: a table as it is now, whichever came first.
for both in '-once -live' '-live -once'; do
    say "echo before ${both% *}\\n"
    say "stats $both" # would not end by itself
    check "stats $both: one table, and the prompt" \
        same "$(sed -n "/^before ${both% *}/,\$p" log | grep -cE '^pulse +p_loop +[1-9]')" 1
done
check "stats -once: the program goes on" alive "$pid"
shell_end
touch stop
reap "$pid"

# ---- a log onto a full disk: said once -------------------------------------------------------------
batch -ex 'set logging file /dev/full' -ex 'set logging enabled on' -ex 'print 1' -ex 'print 2' -ex 'show logging enabled' -ex 'print 3'
check 'full log: said' has log '^warning: /dev/full: No space left on device\. Logging is off\.$'
check 'full log: once' same "$(grep -c '/dev/full: ' log)" 1
check 'full log: off' has log '^Logging is off\.$'
check 'full log: the session goes on' has log '^\$3 = 3$'
batch -ex 'set logging file /dev/full' -ex 'set logging redirect on' -ex 'set logging enabled on' -ex 'print 1' -ex 'print 2' -ex 'print 3'
check 'full log, redirected: what comes then is seen' has log '^\$3 = 3$'

# ---- standard output onto a full disk: the command that printed has failed ---------------------------
rm -f ./*.fxt
batch -ex 'probe area' -ex 'run 3 >t.out' ./p_app
trace=$(echo p_app-*.fxt)
onto_full() { # COMMAND...: each by itself
    for c; do
        timeout -k 5 60 "$eztsh" -nx -batch -ex "$c" ./p_app >/dev/full 2>log </dev/null
        check "full disk: $c fails" same $? 1
        check "full disk: $c says why" same "$(cat log)" 'Cannot write to standard output: No space left on device.'
    done
}
onto_full "stats $trace" "stats -json $trace" "events $trace" "events -json $trace" "timeline $trace" \
    'info functions' 'help probe' 'echo word' 'show version'
for word in --help --version; do
    "$eztsh" $word >/dev/full 2>log
    check "full disk: eztsh $word fails" same $? 1
done
printf '1 show version\n' | "$eztsh" -nx --interpreter=json >/dev/full 2>log
check 'full disk: the machine interface fails' same $? 1

# ---- a log into what is no file: refused at once ----------------------------------------------------
mkfifo log.fifo
logs() { # NAME: two seconds are not waited, as a FIFO without a reader would have it
    timeout -k 5 60 "$eztsh" -nx -batch -ex "set logging file $1" -ex 'set logging enabled on' -ex 'print 42' >log 2>&1 </dev/null
    rc=$?
    check "log to $1: refused" has log "^$1 is (not a regular file|a folder)"
    check "log to $1: the session goes on" has log '^\$1 = 42$'
    check "log to $1: status 1" same "$rc" 1
}
logs log.fifo
sleep 100 <log.fifo &
children="$children $!"
logs log.fifo # with a reader, too
logs folder
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("log.socket")' && logs log.socket
batch -ex 'set logging file /dev/null' -ex 'set logging enabled on' -ex 'print 42'
check 'log to /dev/null: as ever' same "$rc" 0

# ---- blocks in blocks: each end is looked for once, and there is a bound ---------------------------------
nested() { # DEPTH
    python3 -c "print('\n'.join(['if 1'] * $1 + ['echo the innermost\\\\n'] + ['else', 'end'] * $1))" >nested.ezt
    timeout -k 5 30 "$eztsh" -nx -batch -x nested.ezt >log 2>&1 </dev/null # it took 20 s for 4,000 when each looked for its own
    rc=$?
}
nested 5000
check 'blocks: 5,000 deep' has log '^the innermost$'
check 'blocks: 5,000 deep: status 0' same "$rc" 0
nested 5001
check 'blocks: deeper: refused' has log '^Blocks are nested more than 5000 deep\.$'
check 'blocks: deeper: nothing of them runs' lacks log '^the innermost$'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# data.sh - conditions and collected values on a live program: exact against what the program counted
# itself, with many threads, under signals, while probes come and go; its result unchanged.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_data
# How many calls the condition of probe N let not pass.
filtered_of() { sed -n "s/^Probe $1 if .*: \([0-9]*\) filtered.*/\1/p" log; }

"$prog" 8 20000 signals >native.out 2>claims

# ---- conditions ------------------------------------------------------------------------------------
run_with 'probe -count entry work if $arg0 % 2' \
    'probe -count entry work if $arg0 > 100 && $farg0 < 200' \
    'probe -count entry work if $arg2 && *(int *)$arg2 > 5' \
    'probe -count entry work if 1' 'probe -count entry handled if $arg0 >= 0' \
    'probe entry jumps if $arg0 >= 0'
check 'conditions: the result is the same' cmp native.out t.out
check 'conditions: of an integer' same "$(hits 1)" "$(($(claim odd)))"
check 'conditions: of an integer and a double' same "$(hits 2)" "$(claim big)"
check 'conditions: of memory' same "$(hits 3)" "$(claim keyed)"
check 'conditions: one that always holds' same "$(hits 4)" "$(claim all)"
check 'conditions: in a signal handler' same "$(hits 5)" "$(claim signals)"
check 'conditions: recorded' same "$(hits 6)" "$(claim jumps)"
check 'conditions: what did not pass is told' same "$(filtered_of 1)" "$(($(claim all) - $(claim odd)))"
check 'conditions: the ledger' ledger_ok

# ---- conditions with strings -------------------------------------------------------------------------
"$prog" 1 400 >native.out 2>claims
all=$(claim all)
batch -return-child-result -ex 'probe -count entry work if $_streq((char *)$arg1, "two")' \
    -ex 'probe -count entry work if $_strlen((char *)$arg1) == 3' -ex 'probe -count entry work if $_memeq($arg1, "ze", 2)' \
    -ex 'probe -count entry work if $arg1 && $_streq($arg1, "tw")' -ex 'run 1 400 >t.out 2>claims' -ex 'info probes' "$prog"
check 'strings: the result is the same' cmp native.out t.out
check 'strings: $_streq' same "$(hits 1)" $((all / 4))
check 'strings: $_strlen' same "$(hits 2)" $((all / 2))
check 'strings: $_memeq' same "$(hits 3)" $((all / 4))
check 'strings: a part is not equal' same "$(hits 4)" 0
check 'strings: a null pointer cannot be read' has log "^Probe 1 if .*: $((all * 3 / 4)) filtered, $((all / 4)) of them could not be read"
batch -ex 'probe work if $_streq($farg0, "a")' -ex 'probe work if $_memeq($arg1, "a", 9)' "$prog"
check 'strings: what is no string' grep -qxF \
    '$_streq needs a string, and not a value of type double. A cast to char * helps.' log
check 'strings: bytes that the literal does not have' has log 'in a probe\. Write for example \$_memeq\(p, "GET ", 4\)\.$'
"$prog" 8 20000 signals >native.out 2>claims

# ---- values ----------------------------------------------------------------------------------------
rm -f ./*.fxt
cat >script.ezt <<'END'
probe work collect $arg0:d, $farg0, $arg1:str, *(int *)$arg2 return $ret:d, $arg0:d
probe jumps collect $arg0:d return $ret:d
probe jumped_to return $ret:d
run 1 12 >t.out 2>claims
END
batch -return-child-result -x script.ezt "$prog"
batch -ex "events $(echo ./*.fxt) 100"
cp log events
check 'values: an integer, a double, a text, memory' \
    has events 'entry work  \$arg0=6 \$farg0=1.5 \$arg1="two" \*\(int\*\)\$arg2=6'
check 'values: a pointer that leads nowhere' \
    has events 'entry work  \$arg0=5 \$farg0=1.25 \$arg1="one" \*\(int\*\)\$arg2=<fault>'
check 'values: a text that is not there' has events '\$arg0=7 \$farg0=1.75 \$arg1=0x0'
check 'values: result, and an argument as it was' has events 'exit  work  \$ret=16 \$arg0=6'
check 'values: a call that ends by a jump has no result' has events 'exit  jumps  \$ret=<tail call>'
check 'values: of the function that it jumped to' has events 'exit  jumped_to  \$ret=3 '

rm -f ./*.fxt
batch -ex 'probe jumps collect $arg0:d' -ex 'probe jumped_to collect $arg0:d' -ex 'run 1 12 >t.out 2>claims' "$prog"
batch -ex "stats $(echo ./*.fxt)"
check 'values: a call that ends by a jump, without items, is one like any' lacks log 'code 0x|without exit'

# ---- what a stub does by itself -----------------------------------------------------------------------
rm -f ./*.fxt
batch -return-child-result -ex 'probe entry work if $arg0 >= 100 && $arg0 < 110 collect $arg0:d, $arg0:u, $arg2:x' \
    -ex 'probe entry jumps if $arg0 != 200 collect $arg0:d' -ex "run 8 20000 signals >t.out 2>claims" \
    -ex 'info trace' -ex 'info probes' "$prog"
check 'straight: the result is the same' cmp native.out t.out
check 'straight: the ledger' ledger_ok
check 'straight: what passed' same "$(hits 1) $(hits 2)" "80 $(($(claim jumps) - 8))"
check 'straight: what was filtered' same "$(filtered_of 1) $(filtered_of 2)" "$(($(claim all) - 80)) 8"
batch -ex "events $(echo ./*.fxt) 100000"
for n in 100 104 109; do
    check "straight: 8 threads with $n" same "$(grep -c "work  [$]arg0=$n [$]arg0#2=$n [$]arg2=0x" log)" 8
done

# ---- nested calls, and calls that are left ----------------------------------------------------------
rm -f ./*.fxt
batch -return-child-result -ex 'probe deep if $arg0 % 2 collect $arg0:d return $ret:d, $arg0:d' \
    -ex "run 8 2000 signals >t.out 2>claims" -ex 'info trace' "$prog"
check 'recursion: the ledger' ledger_ok
batch -ex "events $(echo ./*.fxt) 100000"
check 'recursion: every second call, each with its own result' \
    same "$(grep -c 'exit  deep  \$ret=\([0-9]*\) \$arg0=\1 ' log)" 1600

# ---- live ------------------------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog" 4 2000000000 signals
cat >script.ezt <<END
attach $pid
continue &
probe work if \$arg0 % 1000 == 0 collect \$arg0:d, \$arg1:str
disable 1
enable 1
probe -count work if \$arg2
delete 2
probe -count work if \$farg0 > 5
info trace
delete
info trace
detach
END
batch -x script.ezt
check 'live: nothing failed' lacks log 'Cannot|refused'
check 'live: the ledger' ledger_ok
kill -9 "$pid"
reap "$pid"

# ---- a library that comes and goes -----------------------------------------------------------------
rm -f ./*.fxt
lib=$targets/libp.so
native=$("$targets/p_dl" "$lib" 20 10)
batch -return-child-result -ex 'probe libp:lib_mix if $arg0 >= 5 collect $arg0:d, $arg1:u return $ret:u' \
    -ex 'count libp:lib_mix by $arg0' -ex "run '$lib' 20 10 >t.out" -ex 'info aggregates' \
    -ex 'info trace' "$targets/p_dl"
check 'dlclose: the result is the same' same "$(cat t.out)" "$native"
check 'dlclose: the ledger' ledger_ok
check 'dlclose: the aggregate goes on' same "$(grep -c '^  [0-9] .* 20 hits' log)" 10
batch -ex "events $(echo ./*.fxt) 100000"
check 'dlclose: each call of each time' same "$(grep -c 'entry lib_mix  [$]arg0=[5-9] ' log)" 100

# ---- without the shell -----------------------------------------------------------------------------
rm -f ./*.fxt
target "$prog" 2 2000000000
shell_start
say "attach $pid"
say 'probe work if $arg0 % 1000 == 0 collect $arg0:d, $arg1:str return $ret:d'
say 'continue &'
say 'detach -keep'
check 'keep: it is refused' has log 'Probes with a condition or data cannot be kept'
moved "$pid" 200
shell_kill
moved "$pid" 200
check 'a killed shell: the program goes on' alive "$pid"
batch -ex "attach $pid" -ex 'info probes' -ex 'detach'
check 'a killed shell: the next one removes the probes' has log 'No probes'
check 'a killed shell: the code is as it was' text_intact "$pid" "$prog"
batch -ex "events $(echo ./*.fxt) 3"
check 'a killed shell: what was recorded is there' has log 'entry work  \$arg0=[0-9]+ \$arg1='
kill -9 "$pid"

# ---- what is wrong is told before anything is planted -------------------------------------------------
wrong() { # WORDS MESSAGE
    batch -ex "probe work $1" "$prog"
    check "wrong: $1" has log "$2"
    check "wrong: $1: no probe" lacks log '^Probe 1'
}
wrong 'if' 'Argument required'
wrong 'if $arg0 >' 'A syntax error in expression'
wrong 'if nosuch' 'No symbol "nosuch" in current context'
wrong 'collect *$arg0' 'Attempt to take contents of a non-pointer value'
wrong 'collect $arg0 collect $arg1' '"collect" is given twice'
wrong 'if $ret' '\$ret is known only at the function.s exit'

finish

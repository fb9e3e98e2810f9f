#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# calls.sh - functions of the program that an expression calls: what they get and what they give back is what gdb's
# give (calls_*.exprs: a command a line), in C and C++, at -O0 and -O2; and the program is afterwards as it was.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

sources=$(cd "$top_srcdir" && pwd)/tests/targets
tests=$(cd "$top_srcdir" && pwd)/tests/procs
LC_ALL=C.UTF-8
export LC_ALL

marked() { sed 's/^/echo >> /; s/$/\\n/' "$1" | paste -d '\n' - "$1"; } # each with an echo of itself
ask() { # PROG EXPRS
    { printf '%s\n' 'set disable-randomization on' 'break inner' run; marked "$2"; } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx "$1" <ours.ezt >ours 2>&1
    {
        gdb_quiet
        printf '%s\n' 'unset env LINES' 'unset env COLUMNS' 'break inner' run
        marked "$2"
    } >theirs.gdb
    timeout -k 5 $limit gdb -nx -q "$1" <theirs.gdb >theirs 2>&1
}

# Addresses of memory that the program allocates, paths and libraries differ by nature.
plain() { sed -E 's/0x[0-9a-f]{6,}/ADDR/g; s,(at |")[^ "]*/(t_calls\.),\1\2,g' "$1"; }
try() { # NAME EXPRS LEAST COMPILER OPTION...
    title=$1 exprs=$2 least=$3
    shift 3
    compiled "$title" "$@" -g || return
    if ! command -v gdb >/dev/null; then
        echo "skip - $title: no gdb"
        return
    fi
    ask ./prog "$tests/$exprs"
    plain ours >ours.plain
    plain theirs >theirs.plain
    python3 "$tests/print.py" ours.plain theirs.plain >said 2>&1
    check "$title: answers are gdb's" lacks said '^differs|belong|Traceback'
    n=$(sed -n 's/^\([0-9]*\) of .*/\1/p' said)
    check "$title: $n answers were compared" [ "${n:-0}" -ge "$least" ]
    grep -A 2 '^differs' said
}
for o in 0 2; do
    try "C, -O$o" calls_c.exprs 70 gcc -std=gnu11 -O$o "$sources/t_calls.c"
    try "C++, -O$o" calls_cc.exprs 9 g++ -O$o "$sources/t_calls.cc"
done

# ---- what gdb does not do -------------------------------------------------------------------------------
gcc -g -O0 -o prog "$sources/t_calls.c" >cc.out 2>&1 || { fail 'it does not compile' cc.out; finish; }
./prog >native.out
own() { # COMMAND...: at the stop in inner()
    { printf '%s\n' 'break inner' run; printf '%s\n' "$@"; } >own.ezt
    timeout -k 5 $limit "$eztsh" -nx ./prog <own.ezt >log 2>&1
}
own 'print crash(0)' 'call crash(0)' 'print noargs()' 'print length("x", 2)' 'print (int)length' 'call noargs()' 'print $_' 'print sizeof(noargs())' \
    'whatis g = 3' 'print calls' delete 'set $n = 0' 'while $n < 50' 'set $n = make_mix($n, 1).d + noargs() - 6' end 'print $n' 'set var calls = 0' continue
check 'a fault: the call is given up' same \
    "$(grep -cE '^The injected call received signal 11 at 0x[0-9a-f]+ \(to call the user.s function\)\. The call was abandoned, and the program is where it was before the call, but what the call wrote to memory stays\.$' log)" 2
check 'and the next one is made' has log '^\$1 = 7$'
check 'call sets $_' has log '^\$[0-9]+ = 7$'
check 'in sizeof nothing is called' has log '^Calls and assignments are not possible inside sizeof\.$'
check 'of an assignment no type is told' has log '^This command needs only the type of the expression, and executes no assignment\.$'
check 'calls in a loop' has log '^\$[0-9]+ = 50$'
check 'the program does what it would have done' sh -c 'sed 1d native.out >a; tail -n 2 log | head -n 1 | cmp -s - native.out'
own 'break inner if noargs() == 7' 'watch noargs()' 'display noargs()' 'condition 1 noargs()' kill 'print noargs()' 'whatis noargs()'
check 'conditions call nothing' same "$(grep -c '^This command calls no functions of the program\.' log)" 3
check 'displays do' has log '^1: noargs\(\) = 7$'
check 'no process' has log "^You can't do that without a process to debug\.$"
check 'types need none' has log '^type = int$'

# Without debug information a cast says what is returned; call takes it for a long.
gcc -O0 -o prog "$sources/t_calls.c" >cc.out 2>&1
own 'print noargs()' 'print (int)noargs()' 'print (double)dsum(1.5, 2.0, (float)3)' 'print (int)many(1,2,3,4,5,6,7,8,9.5,10)' \
    'print (char *)copied("abc")' 'call noargs()' 'print (int)strlen("abcd")' 'call strlen("ab")' 'print strlen("a")' 'print getpid() == $_inferior'
check 'no cast: said' has log "^'noargs' has unknown return type; cast the call to its declared return type\. Write \(int\)noargs\(\.\.\.\)\.\$"
check 'int' has log '^\$1 = 7$'
check 'double' has log '^\$2 = 6\.5$'
check 'on the stack' has log '^\$3 = 313$'
check 'a text' has log '^\$4 = 0x[0-9a-f]+ "abc"$'
check 'call: a long' has log '^\$5 = 7$'
check 'an IFUNC' has log '^\$6 = 4$'
check 'call of an IFUNC' has log '^\$7 = 2$'

# The shell may die at any moment of a call: the program runs on, its vector registers are its own.
gcc -g -O2 -o prog "$sources/t_calls.c" >cc.out 2>&1
for ms in 0 1 2 4 8; do
    { printf '%s\n' 'break floats' run delete; yes 'print dsum(1, 2, 3) + big_sum(a_big, 1)' | head -n 2000; } >many.ezt
    rm -f log # until_ok must not find the text of an earlier session
    "$eztsh" -nx -batch -x many.ezt ./prog >log 2>&1 &
    shell=$!
    until_ok 30 sh -c 'grep -q "^\$1 = " log'
    sleep 0.00$ms
    child=$(pgrep -P $shell -x prog)
    kill -9 $shell
    wait $shell 2>/dev/null
    until_ok 30 sh -c "! kill -0 $child 2>/dev/null"
    check "killed after $ms ms: the program ends right" has log "^$(cat native.out)\$"
done
finish

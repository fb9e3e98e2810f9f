#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# synthetic.sh - pointers to variables that the optimiser took from memory: they are shown as gdb shows them, can be
# followed and compared, and are never a number, for no address is theirs.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc
cat >synthetic.c <<'END'
struct two { long *p; long n; };
__attribute__((noinline)) void use(long n) { __asm__ volatile("" :: "r"(n)); }
__attribute__((noinline)) long twice(long n) { __asm__ volatile("" : "+r"(n)); return 2 * n; }
__attribute__((noinline)) int work(int argc)
{
    long x = twice(argc), y = 5 + argc, z = argc;
    struct two s = { &x, argc }, t = { &y, 3 };
    long *q = &y, *r = &z;
    use(s.n + t.n + *r);
    use(argc); /* HERE */
    return argc + z;
}
int main(int argc, char **argv) { return work(argc) - 2; }
END
line=$(grep -n HERE synthetic.c | cut -d: -f1)
gcc -g -O1 -o prog synthetic.c 2>made || exit 99
shown() { # EXPRESSION: its answer, alone
    batch -ex "break synthetic.c:$line" -ex run -ex "$1" ./prog
    tail -n 1 log
}
one() { # EXPRESSION ANSWER
    check "print $1" same "$(shown "print $1" | sed 's/^\$[0-9]* = //')" "$2"
}
synthetic='The pointer has no address: the compiler removed the variable that it points to from memory. "print *POINTER" shows the variable.'
case $(shown 'print q') in
*'<synthetic pointer>') ;;
*) skip "this compiler keeps the pointers: $(tail -n 1 log)"; finish ;;
esac
one r '(long *) <synthetic pointer>'
one '*r' 1
one '*r + 1' 2
one 'r[0]' 1
one s.n 1
one t '{p = <synthetic pointer>, n = 3}'
one s '{p = <synthetic pointer>, n = 1}' # what s.p leads to is optimized out, too
one '*s.p' '<optimized out>'
one /x' r' '<synthetic pointer>'
one /d' t' '{p = <synthetic pointer>, n = 3}'
one '!q' 0
one 'q == 0' 0
one 'q ? 1 : 2' 1
one 'q && t.n' 1
one 'q == t.p' 1
one 'q != t.p' 0
one 'q < t.p' 0
one 'q == r' 0
one 't.p - q' 0
one '(q + 3) - q' 3
one '(q - 1) + 1 == q' 1
one 'q - 1' '(long *) <synthetic pointer>'
one '*(r - 1 + 1)' 1
one 'sizeof(q)' 8
one '*"abc" == 97' 1
one '"abc" == "abc"' 0
one '(long)"abc" == 0' 0
one '(void *)0xeeee000000000010' '(void *) 0xeeee000000000010'
one '(long)0xeeee000000000010 + argc' -1230045648225566703
one 'r[0x20000000]' "The expression reads beyond a value that is not in the program's memory."
for number in '(long)q' '(int)q' '(unsigned char)q' '(double)(long)q' '~(long)q' '-(long)q' '(long)q % 7' 'argc + (long)q' \
    'q - r' 'q < r' '(unsigned long)q > 5' '(__int128)(long)q' 'use(q)'; do
    one "$number" "$synthetic"
done
check "x q" same "$(shown 'x q')" "$synthetic"
check 'printf of q' same "$(shown 'printf "%p\n", q')" "$synthetic"
check 'set var' same "$(shown 'set var argc = (int)(long)q')" "$synthetic"
batch -ex "break synthetic.c:$line" -ex run -ex 'print q' -ex 'print $' -ex 'print *$' -ex 'print $ == 0' ./prog
check 'the history does not keep them: what they led to has ended' same "$(tail -n 3 log | sed 's/^\$[0-9]* = //')" \
    '<optimized out>
value has been optimized out
value has been optimized out'

if command -v gdb >/dev/null; then
    for each in 'info locals' 'print s' 'print t' 'print *r' 'print s.n' 'print q'; do
        gdb -nx -q -batch -ex "break synthetic.c:$line" -ex run -ex 'echo @@@\n' -ex "$each" ./prog 2>&1 | sed '1,/@@@/d' >theirs
        batch -ex "break synthetic.c:$line" -ex run -ex 'echo @@@\n' -ex "$each" ./prog
        sed '1,/@@@/d' log >ours
        check "$each: as gdb" cmp ours theirs
    done
else
    skip 'as gdb: there is none here'
fi
finish

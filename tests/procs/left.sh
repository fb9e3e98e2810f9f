#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# left.sh - calls that are left without returning end in the trace when they do in the program:
# by exceptions, thread ends, jumps, and on stacks of their own (fault 75).
# tests/targets/p_left.cc prints when each of its calls began and ended.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

functions='^(leaf|thrower|cleaner|rethrower|alien|leaver|outermost|jumper|lander|handler|raiser|yielder|tail_.|builtin_jumper|once)$'
right() { # PROG CASES [COMMAND]: the trace has all calls as the program claims
    rm -f ./*.fxt claims t.out
    batch -return-child-result -ex 'set trace-clock monotonic' -ex "set exit-mode $mode" ${3:+-ex "$3"} \
        -ex "probe -r $functions" -ex "run $2 2>claims >t.out" -ex 'info trace' "$1"
    [ "$rc $(cat t.out)" = "0 right" ] || { cat t.out; return 1; }
    ledger_ok && python3 "$top_srcdir/tests/procs/left.py" ./*.fxt claims
}
# The shell stands still while the program runs and ends: which mappings there were cannot be read any more.
late() { # CASE: of one thread, for new ones need the shell, and without signals
    rm -f ./*.fxt claims t.out here go
    shell_start "$targets/p_left"
    say 'set trace-clock monotonic'
    say "set exit-mode $mode"
    say "set args go $1 2>claims >t.out"
    say 'start'
    say "probe -r $functions"
    post 'continue'
    until_ok 30 [ -s here ] || return 1
    kill -STOP "$shell"
    touch go
    until_ok 30 gone "$(cat here)"
    result=$?
    kill -CONT "$shell"
    shell_end
    [ "$result $(cat t.out)" = "0 right" ] || { cat t.out; return 1; }
    python3 "$top_srcdir/tests/procs/left.py" ./*.fxt claims
}
left_by() { # COMPILER FLAG...: ./p_left, or a line that says why not
    "$@" -std=c++17 -O2 -g -pthread -I"$top_srcdir/tests/targets" -o p_left \
        "$top_srcdir/tests/targets/p_left.cc" >compile.out 2>&1
}

for mode in auto slots; do
    for what in throw foreign exit cancel longjmp siglongjmp altstack mapped heap tail builtin many fork; do
        check "$mode: $what" right "$targets/p_left" $what
    done
    check "$mode: mapped: the drain looks when all is over" late mapped
    check "$mode: all of them in a row" right "$targets/p_left" all
    check "$mode: breakpoints" right "$targets/p_left" all 'set strategy trap'
    right "$targets/p_left" altstack # its handlers end before the calls that they interrupt
    batch -ex "stats $(echo ./*.fxt)"
    check "$mode: altstack: calls lie in each other" lacks log 'without'
    right "$targets/p_left" sysexit >check.out
    result=$?
    if has log '^The trace does not show when threads did not run'; then
        skip "$mode: sysexit: the kernel tells nothing"
    else
        check "$mode: sysexit" same "$result" 0
    fi
    check "$mode: a longjmp that is checked" right "$targets/p_left_chk" 'longjmp siglongjmp altstack'
    if left_by clang++; then
        check "$mode: compiled by clang" right ./p_left all
    else
        skip "$mode: compiled by clang: $(tail -n 1 compile.out)"
    fi
    if left_by "${CXX:-c++}" -static; then
        check "$mode: a static program" right ./p_left all
    else
        skip "$mode: a static program: $(tail -n 1 compile.out)"
    fi
done

# The hook on longjmp and a user's probe there: either may come first, and may go.
mode=auto
check 'a probe on longjmp that comes first' right "$targets/p_left" longjmp 'probe longjmp'
check 'a probe on longjmp that only counts' right "$targets/p_left" longjmp 'probe entry -count longjmp'
rm -f ./*.fxt claims
shell_start "$targets/p_left"
say 'set trace-clock monotonic'
say "set args longjmp 2>claims >t.out"
say 'start'
say "probe -r $functions"
say 'probe longjmp'
say 'info probes'
check 'a probe on longjmp that comes later' has log ' both .*armed .* longjmp '
say 'delete 17'
say 'continue'
shell_end
check 'goes, and the hook stays' python3 "$top_srcdir/tests/procs/left.py" ./*.fxt claims

# Hooks are removed with the probes, and taken over by the next shell.
rm -f ./*.fxt
target "$targets/p_left" stop
batch -p "$pid" -ex "probe -r $functions" -ex 'probe longjmp' -ex 'detach -keep'
check 'the probes stay' kept 17
shell_start -p "$pid"
check 'and are taken over' until_ok 10 taken 17
say 'continue &'
say 'delete'
say 'detach'
shell_end
libc=$(awk '$6 ~ /\/libc[.-]/ { print $6; exit }' "/proc/$pid/maps")
check "the program's text is the file's" text_intact "$pid" "$targets/p_left"
check "and libc's" text_intact "$pid" "$libc"
touch stop
reap "$pid"
check 'the target ends right' same "$trc $(cat t.out)" '0 right'
nested() { python3 "$top_srcdir/tests/procs/left.py" nesting ./*.fxt; }
check 'calls lie in each other as they do in the program' nested
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lessons.sh - each lesson's solution does what the lesson asks for; nothing else does.
. "${top_srcdir:-.}/tests/procs/lib.sh"
demo=$top_builddir/examples/demo
batch -ex lesson
lessons=$(grep -cE '^ +[0-9]+  ' log)
check 'lessons' [ "$lessons" -ge 10 ]
solve() { # N
    batch -ex "lesson -solution $1"
    cp log solution
    rm -f ./*.fxt
    batch -x solution "$demo"
    tail -n 1 solution >last
}
for n in $(seq 1 "$lessons"); do
    for run in 1 2; do
        solve "$n"
        check "lesson $n, run $run: its solution is one" has log "^This was the last step of lesson $n, "
        check "lesson $n, run $run: every step" same "$(grep -c '^Done\. ' log)" "$(($(grep -c '^lesson next$' solution) + 1))"
    done
done

# ---- which were passed is kept ---------------------------------------------------------------------------
marked() { batch -ex lesson; grep -cE '^ +[0-9]+  .* passed$' log; }
check 'all are marked' same "$(marked)" "$lessons"
check 'where: the state folder' same "$(wc -l <"$HOME/.local/state/eztsh/lessons")" "$lessons"
XDG_STATE_HOME=$work/state; export XDG_STATE_HOME
check 'elsewhere none is' same "$(marked)" 0
solve 1
check 'then one is' same "$(marked)" 1
check 'which one' has log '^ +1  .* passed$'
XDG_STATE_HOME=/proc/nothing
solve 1
check 'nowhere to keep it: no word of that' lacks log '/proc/nothing|cannot|[Ww]arning'
check 'nowhere to keep it: it is passed all the same' has log '^This was the last step of lesson 1, '
HOME=
unset XDG_STATE_HOME
check 'no home' same "$(marked)" 0
HOME=$work

# ---- what is missing is said ---------------------------------------------------------------------------
batch -ex 'lesson 1' -ex 'start 5' -ex 'lesson next' -ex 'lesson' -ex 'lesson hint' -ex 'lesson hint' -ex 'kill' "$demo"
check 'a task' has log '^Lesson 1, step 1 of 3:$'
check 'done' has log '^Done\. '
check 'the next task comes when it is asked for' has log '^Lesson 1, step 2 of 3:$'
check 'missing' has log '^Missing: the kernel was not asked for a PTRACE_SINGLESTEP\. "lesson hint" helps\.$'
check 'hint' has log '^Another "lesson hint" shows commands that do the step\.$'
check 'the hint after that' has log '^stepi$'
# the words do not count: what they did does
batch -ex 'lesson 4' -ex 'start 5' -ex 'lesson next' -ex 'set $old = *(unsigned short *)$pc' \
    -ex 'set var *(unsigned short *)$pc = 0x050e' -ex 'lesson' -ex 'set var *(unsigned short *)$pc = 0x050f' "$demo"
check 'wrong bytes' has log '^Missing: at \$pc stand the bytes 0e 05; the instruction syscall is 0f 05\.'
check 'right bytes' same "$(grep -c '^Done\. ' log)" 2
batch -ex 'lesson 2' -ex 'start 50' -ex 'lesson next' -ex 'call (int)kernel_row' -ex 'lesson next' "$demo"
check 'not done: no next one' has log '^This step is not done: |^Usage'
batch -ex 'lesson next'
check 'no lesson' has log '^No lesson is running\.'
batch -ex 'lesson 99'
check 'no such lesson' has log '^No lesson has this number: there are [0-9]* lessons\.$'
batch -ex 'lesson 3'
check 'without the program' has log '^Lesson 3, step 1'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# regs.sh - info registers and info auxv say of a process, letter for letter, what gdb says.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gdb gcc

echo 'int main(void) { for (;;) __asm__ volatile (""); }' >spin.c # in libc gdb may say another name of the function
compiled regs gcc -O1 -g spin.c || finish
target ./prog
moved "$pid" 30 # past the loader: there, too, gdb may say another name
kill -STOP "$pid"
until_ok 10 in_state "$pid" T
{ gdb_quiet; printf '%s\n' 'echo BEGIN\n'; } >theirs.gdb
for c in 'info registers' 'info registers rip' 'info registers $pc sp eflags' 'info registers ax al eax' 'info registers fs_base gs' 'info auxv'; do
    { cat theirs.gdb; echo "$c"; } >one.gdb
    # gdb lists mask registers, eztsh the thread pointers; gdb shows these by name, too.
    gdb -nx -q -batch -p "$pid" -x one.gdb 2>&1 | sed '1,/^BEGIN/d; /^\[Inferior 1/d; /^k[0-7] /d' >theirs
    batch -p "$pid" -ex 'echo BEGIN\n' -ex "$c" -ex 'echo END\n' -ex detach
    sed '1,/^BEGIN/d; /^END/,$d' log >ours
    [ "$c" != 'info registers' ] || sed -i '/^[fg]s_base /d' ours theirs
    if [ "$c" = 'info auxv' ] && grep -q '^2[78] *???' theirs; then sed -i '/^2[78] /d' ours theirs; fi # an older gdb
    check "$c: as gdb" diff ours theirs
    check "$c: there is an answer" test -s ours
done
kill -KILL "$pid"
batch -ex 'info auxv' -ex 'info registers' -ex start -ex 'info registers nothing' -ex 'set $mine = 5' -ex 'info registers mine' -ex 'info auxv -json' \
    -ex 'info registers eflags -json' "$targets/p_app"
check 'no process: auxv' has log '^The program has no auxiliary information now\.$'
check 'no process: registers' has log '^The program has no registers now\.$'
check 'no register' has log '^Invalid register .nothing.$'
check 'a variable is none' has log '^Invalid register .mine.$'
check 'auxv -json' has log '"schema": *"eztsh-auxv-1"'
check 'registers -json' has log '"name": *"eflags"'
finish

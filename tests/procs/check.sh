#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh - `check` compares prologues with their relocated copies in copies of the process: its
# output, that the target stays as it was, and that no process outlives the command or the shell.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
need python3

batch -ex start -ex 'check twice answer' -ex 'probe -count twice' -ex 'check twice' \
    -ex 'check -r libp:^lib_' -ex 'info textdiff' -ex 'check -r .' -ex 'delete' -ex continue "$targets/p_app"
check "the session succeeds" same "$rc" 0
check "one line for each" has log '^twice \(p_app\): equal in [0-9]+ states.*, [0-9]+ instruction'
check "a planted one is told" has log '^twice .*, planted$'
check "a sum" has log '^Checked 2 functions: 2 equal, 0 different, 0 cannot be probed\.$'
check "of a library, by pattern" has log '^lib_mix \(libp\.so\): equal'
check "text is as the probe left it" has log ' bytes differ, 0 of them foreign\.'
check "the program goes on" has log 'exited normally'
batch -ex start -ex 'check no_such_function' "$targets/p_app"
check "an unknown function is an error" same "$rc" 1
batch -ex 'check main' "$targets/p_app"
check "without a process there is nothing to check" has log '^The program is not being run\.'
batch -ex start -ex 'check _dl_debug_state' "$targets/p_app"
check "a function at which eztsh waits itself" \
    has log '^_dl_debug_state .*: a probe is impossible: eztsh itself waits at this function for libraries$'
batch -ex start -ex 'check -r' "$targets/p_app"
check "usage" has log '^Usage: check \[-r\] \[-json\] LOCATION'

# A copy in a stub that somebody else spoils is told, and mended again before anything runs it.
rm -f stop
target "$targets/p_loop" stop 3
until_ok 10 [ "$(ls /proc/"$pid"/task | wc -l)" -gt 1 ]
shell_start -p "$pid"
say 'x/4xb beat'
say 'probe -count beat'
spoil() { # OR: the third byte of the copy of `beat`, and what it is changed by
    python3 - "$pid" "$1" <<'PY'
import re, sys
log = open("log").read()
own = bytes(int(b, 16) for b in re.search(r"<beat[^>]*>:((?:\s+0x[0-9a-f]{2}){4})", log)[1].split())
at = int(re.search(r"Probe \d+ at (0x[0-9a-f]+)", log)[1], 16)
with open(f"/proc/{sys.argv[1]}/mem", "r+b", 0) as mem:
    mem.seek(at)
    jump = mem.read(5)
    assert jump[0] == 0xe9, jump
    stub = at + 5 + int.from_bytes(jump[1:], "little", signed=True)
    mem.seek(stub)
    copy = stub + re.search(re.escape(own[:2]) + b"." + re.escape(own[3:]), mem.read(448), re.S).start()
    mem.seek(copy + 2)
    mem.write(bytes([own[2] | int(sys.argv[2])]))
PY
}
check "somebody spoils a copy" spoil 8
say 'check beat'
check "a spoiled copy: which byte" has log '^beat \(p_loop\): DIFFERS the copy at 0x[0-9a-f]* was changed: byte 2 is 0c, not 04$'
check "a spoiled copy: an error, and what to do" has log \
    '^1 relocated prologue does not do what the original does\. Do not probe these functions, and please report this\.'
check "it is mended" spoil 0
say 'check beat'
check "a copy that is mended: equal" has log '^beat \(p_loop\): equal in .*, planted$'
say detach
shell_end
: >stop
reap "$pid"
check "a spoiled copy: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
rm -f stop

# Every function of libc and of the program is checked, in a process with threads that goes on.
target "$targets/p_loop" stop 3
batch -p "$pid" -ex "check -r '*:.'" -ex 'info textdiff' -ex detach
check "every function of every object: equal, or no probe can stand there" \
    has log '^Checked [0-9]{4,} functions: [0-9]{4,} equal, 0 different'
echo "figure: $(grep '^Checked ' log)"
check "not a byte of the target is changed" has log ': 0 bytes differ'
no_children() { [ -z "$(cat /proc/"$1"/task/*/children 2>/dev/null)" ]; }
check "no child is left, nor a zombie" no_children "$pid"

# The shell is killed in the middle.
copies() { cat /proc/"$pid"/task/*/children 2>/dev/null; }
shell_start -p "$pid"
post "check -r '*:.'"
check "copies are at work" until_ok 20 has log ': equal in'
first=$(copies | tr -d ' ')
second=$(cat "/proc/$first/task/$first/children" | tr -d ' ')
check "two of them, one made by the other" [ -n "$first" -a -n "$second" ]
kill -KILL "$shell"
exec 3>&-
check "the shell's death is theirs" until_ok 20 gone "$first"
check "and the second's" until_ok 20 gone "$second"
: >stop
reap "$pid"
check "the target ends right" same "$trc" 0
check "its results are right" has t.out '^right$'

# Ctrl-C ends the command in between; no process stays.
rm stop
target "$targets/p_loop" stop
shell_start -p "$pid"
post "check -r '*:.'"
until_ok 20 has log ': equal in'
kill -INT "$shell"
say 'info proc'
check "Ctrl-C ends it early" lacks log '^Checked [0-9]{4,} '
check "and the copies with it" until_ok 20 no_children "$pid"
say detach
shell_end
: >stop
reap "$pid"
check "the target of an interrupted check ends right" same "$trc" 0
# A call of ptrace fails, or a copy is gone: the user reads one line, no process stays, and the
# target lives.
rm stop
target "$targets/p_loop" stop
EZ_FAULT_COUNT=$work/calls; export EZ_FAULT_COUNT
batch -p "$pid" -ex 'check pulse beat' -ex detach
unset EZ_FAULT_COUNT
calls=$(tr -dc 0-9 <calls)
bad=
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    n=$((calls * k / 17 + 8))
    EZ_FAULT=any:$n:EIO; export EZ_FAULT
    batch -p "$pid" -ex 'check pulse beat' -ex detach
    unset EZ_FAULT
    [ "$rc" -le 1 ] && alive "$pid" && until_ok 20 no_children "$pid" || bad="$bad $n:$rc"
done
check "after each of 16 failures spread over $calls calls nothing stays" same "$bad" ""
: >stop
reap "$pid"
check "and the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish

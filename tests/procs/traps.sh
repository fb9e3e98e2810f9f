#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traps.sh - breakpoints for which the processor has no place are trap instructions: they stop where gdb's do, among
# others and alone (EZ_FAULT: the kernel gives no place at all), on probed functions, in threads and in libraries;
# nobody sees them; a killed shell, and a forked child, are not harmed by them (fault 94).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc
need_faults

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_moving.c" .
gcc -std=gnu11 -g -O0 -pthread t_moving.c -o moving0 || exit 1
gcc -std=gnu11 -g -O2 -pthread t_moving.c -o moving2 || exit 1
. "$sources/../procs/stops.sh"

# ---- the stops are gdb's ----------------------------------------------------------------------------
cat >eight <<'END'
break add
break fact
break half
break both
break nothing
break main
break t_moving.c:64
tbreak t_moving.c:123
run
next
continue
finish
continue
step
continue
continue
ignore 2 1
continue
condition 1 a == 1
continue
next
enable once 5
continue
advance 67
continue
continue
delete 4
until
continue
next
next
continue
END
cat >hit <<'END'
break t_moving.c:67 if i == 1
break fact if n == 2
break t_moving.c:26
commands
print c
end
break t_moving.c:54
break t_moving.c:41
run
continue
continue
nexti
stepi
continue
backtrace 2
continue
continue
disable 3
continue
continue
continue
END
grep -vE '^(ignore|condition|enable|delete|disable|advance)' eight >plain
for places in few none; do
    unset EZ_FAULT
    [ $places = few ] || { EZ_FAULT=perf:0:EACCES; export EZ_FAULT; }
    compare "eight breakpoints, $places places" ./moving0 eight 18
    compare "eight breakpoints, $places places, probes" ./moving0 plain 16 'probe add' 'probe exit fact' 'probe nothing'
    compare "conditions and commands, $places places" ./moving0 hit 9
    compare "eight breakpoints, $places places, probes by slots" ./moving0 plain 16 'set exit-mode slots' 'probe exit -r ^(add|fact|half)$'
    batch -return-child-result -x eight -ex delete -ex continue ./moving0
    check "$places places: the program ends right" same $rc 7
done
# A virtual machine may accept such breakpoints and never deliver one.
EZ_FAULT=hwbreak:0:ENODEV; export EZ_FAULT
batch -ex 'set strategy trap' -ex 'probe -count -r ^(main|fact)$' -ex start -ex continue -ex 'info probes' ./moving0
check "places that never fire: start, a trap probe on main: it stops" has log '^Temporary breakpoint [0-9]+, main '
check "places that never fire: start, a trap probe on main: that counts" has log ' pending  0x0.* 1  main '
batch -ex start -ex 'break fact' -ex continue -ex 'watch total' -ex continue ./moving0
unset EZ_FAULT
check "places that never fire: start" has log '^Temporary breakpoint 1, main '
check "places that never fire: break" has log '^Breakpoint 1, fact '
check "places that never fire: watch says why not" has log '^Cannot insert hardware breakpoints: they never fire'
cat >optimized <<'END'
break add
break fact
break half
break both
break nothing
break loops
run
continue
continue
next
continue
finish
continue
continue
continue
END
compare 'optimized code' ./moving2 optimized 6

# ---- threads; nobody sees them ------------------------------------------------------------------------
batch -return-child-result -ex 'break add if a == 3' -ex 'break fact if n == 1' -ex 'tbreak 97' -ex 'run threads' \
    -ex continue -ex continue -ex continue -ex 'delete 1 2' -ex continue ./moving0
check 'threads: one of them stops' has log 'Breakpoint 1, add \(a=3'
check 'threads: the program ends right' same $rc 7

cat >turns.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
volatile long turns;
__attribute__((noinline)) long turn(long n)
{
    turns += n;
    return n + 1;
}
__attribute__((noinline)) long never(long n)
{
    turns -= n;
    return n - 1;
}
__asm__(".globl gate\n.type gate, @function\ngate: syscall\nret\n.size gate, .-gate\n");
static int child(void) /* that would die of a trap */
{
    pid_t c = fork();
    int status;
    if (!c) {
        signal(SIGTRAP, SIG_DFL);
        _exit(never(7) == 6 ? 0 : 1);
    }
    waitpid(c, &status, 0);
    return status;
}
int main(int argc, char **argv)
{
    for (long n = 0; access(argv[1], F_OK); n = turn(n)) {
        usleep(1000);
        if (n % 100 == 50 && child())
            return 1;
    }
    return (int)never(8);
}
END
gcc -g -O0 turns.c -o turns || exit 1
rm -f stop
target ./turns "$PWD/stop"
shell_start
say "attach $pid"
say 'break never'
say 'break turn if n == -1'
say 'continue &'
sleep 1
say 'info textdiff'
check 'while it runs: nothing differs' has log '0 bytes differ'
say 'x/2i turn'
check "while it runs: code is the program's" lacks log 'int3'
say 'probe -count turn'
say 'info probes'
check 'while it runs: a probe is planted beside' has log 'count.* turn'
check 'while it runs: breakpoints are no probes' lacks log 'count.* never'
say 'disable 2'
say 'break turn'
stopped() { has log '^Breakpoint 4, turn'; }
check 'while it runs: one more, on the probed function' until_ok 30 stopped
say 'delete 4'
say 'continue &'
say 'interrupt'
say 'detach'
shell_end
check "detached: text is the file's" text_intact "$pid"
check 'detached: no handler is left' same "$(awk '/^SigCgt/ { print $2 }' "/proc/$pid/status")" 0000000000000000
: >stop
reap "$pid"
check 'forked children without the handler are not harmed' same $trc 7

EZ_FAULT=hwbreak:0:ENODEV; export EZ_FAULT
batch -ex 'break gate' -ex 'run x' ./turns
unset EZ_FAULT
check 'what cannot be moved is refused, with the reason' has log 'Cannot insert breakpoint at 0x[0-9a-f]+: .*a system call'

# ---- a shell that dies ------------------------------------------------------------------------------
killed 'continue: traps' spin 'break nothing' 'break add' continue
killed 'a trap whose condition does not hold' spin 'break t_moving.c:63 if n == 1' continue
for how in stop run; do
    rm -f stop
    target ./turns "$PWD/stop"
    shell_start
    say "attach $pid"
    say 'break turn if n % 50 == 49'
    [ $how = stop ] || say 'condition 1 n == -1'
    [ $how = run ] || say 'break never' # children inherit what stands when the shell is dead
    say 'continue &'
    if [ $how = stop ]; then
        hit() { has log '^Breakpoint 1, turn'; }
        check 'killed at a stop: it stands there' until_ok 30 hit
    else
        check 'killed while it runs: it does' moved "$pid" 5
    fi
    shell_kill
    check "killed, $how: it goes on" moved "$pid" 5
    batch -p "$pid" -ex 'break turn' -ex 'info probes' -ex continue -ex 'delete' -ex detach
    check "killed, $how: the next shell finds no probes" has log '^No probes'
    check "killed, $how: and has its breakpoints" has log '^Breakpoint 1, turn'
    check "killed, $how: text is the file's" text_intact "$pid"
    : >stop
    reap "$pid"
    check "killed, $how: the program ends right" same $trc 7
done

# with probes
rm -f stop
target ./turns "$PWD/stop"
shell_start
say "attach $pid"
say 'probe -count turn'
say 'break turn if n == -1'
say 'continue &'
check 'killed, probes: it goes on' moved "$pid" 5
shell_kill
check 'killed, probes: it goes on' moved "$pid" 5
batch -p "$pid" -ex 'info probes' -ex detach
check 'killed, probes: they are taken over' taken_from_killed 1
check "killed, probes: text is the file's" text_intact "$pid"
: >stop
reap "$pid"
check 'killed, probes: the program ends right' same $trc 7

# A shell is killed while the program runs.
never='break beat if $arg0 == -7'
killed_with() { # COMMAND...
    shell_start
    say "attach $pid"
    for c; do say "$c"; done
    say 'continue &'
    moved "$pid" 20
    shell_kill
    moved "$pid" 20
}
loop_is_whole() { # TITLE
    check "killed, $1: text is the file's" text_intact "$pid"
    : >stop
    reap "$pid"
    check "killed, $1: the program ends right" same "$trc $(tail -n 1 t.out)" '0 right'
}
# A probe on a function that has a breakpoint: the trap stands in the probe's jump, and threads are everywhere.
crowd() { # TITLE PATTERN
    rm -f stop
    target $as "$targets/p_loop" "$PWD/stop" 4
    n=0
    while [ $n -lt 6 ] && alive "$pid"; do
        killed_with "$never" 'continue &' interrupt 'probe -count -r ^[bp]'
        batch -p "$pid" -ex 'continue &' -ex detach
        has log "$2" || break
        n=$((n + 1))
    done
    check "killed, breakpoint and probe, $1: the next shell tells of it, each time" same $n 6
    loop_is_whole "breakpoint and probe, $1"
}
# The next shell takes the probe away, and is killed with the breakpoint in place of it.
twice() { # TITLE
    rm -f stop
    target $as "$targets/p_loop" "$PWD/stop" 4
    killed_with "$never" 'probe -count beat'
    killed_with delete "$never"
    batch -p "$pid" -ex 'continue &' -ex detach
    check "killed, a probe and later none, $1: the program goes on" moved "$pid" 20
    loop_is_whole "a probe and later none, $1"
}
as=''
if [ "$(id -u)" = 0 ]; then
    twice root
    crowd root '^Took over 3 probes'
fi
rm -f theirs # what gdb said, above
if other_user p_loop; then
    cd "$theirs" || exit 99
    targets=. eztsh=./user
    twice user
    crowd user '^Removed 3 probes'
else
    skip "killed, breakpoint and probe, another user: $why_not"
fi
finish

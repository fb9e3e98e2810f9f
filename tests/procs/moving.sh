#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# moving.sh - step, next, finish, until, advance, breakpoints, watchpoints: they stop where gdb does, in
# C at -O0 and -O2, with and without probes; among threads that hit the same places, under a signal, in
# recursion. A shell that is killed meanwhile leaves a program that ends right.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_moving.c" .
for o in 0 2; do
    gcc -std=gnu11 -g -O$o -pthread t_moving.c -o moving$o || exit 1
done
. "$sources/../procs/stops.sh"

all_ways() { # TITLE PROG SCRIPT LEAST
    compare "$@"
    compare "$1, probes" "$2" "$3" "$4" 'probe add' 'probe fact' 'probe nothing' 'probe loops' 'probe half'
    compare "$1, probes by slots" "$2" "$3" "$4" 'set exit-mode slots' 'probe add collect $args' \
        'probe fact' 'probe nothing' 'probe loops' 'probe puts'
}

cat >lines <<'EOF'
tbreak main
run
next
next
step
next
next
next
step
next
next
next
step
finish
finish
next
step
next
next
step
next
next
next
next
until
until
next
next
next
EOF
cat >places <<'EOF'
break add
tbreak fact if n == 2
run
finish
next
continue
finish
finish
until
until
advance nothing
continue
next
next
finish
delete
break t_moving.c:45
continue
continue
finish
EOF
cat >values <<'EOF'
tbreak half
run
finish
tbreak both
continue
finish
EOF
cat >watched <<'EOF'
tbreak loops
run
next
watch sum
continue
continue
watch total
continue
bt
next
EOF
cat >told <<'EOF'
tbreak fact
run
stepi
stepi 3
nexti
stepi 6
up
frame
down
stepi 20
tbreak spin
continue
stepi
EOF
cat >stepped <<'EOF'
tbreak loops
run
next
watch sum
next
next
next
stepi
stepi
stepi
next
continue
finish
info breakpoints
watch total
stepi 40
next
step
next
next
info breakpoints
EOF
grep -vE 'stepi|info' stepped >stepped_over
cat >early <<'EOF'
watch total
run
continue
ignore 1 3
continue
kill
tbreak fact
run
delete 1
rwatch total
kill
run
continue
EOF
for o in 0 2; do
    cp moving$o prog
    compare "-O$o, where it stops is told" ./prog told 10
    [ $o = 2 ] || all_ways "-O$o, lines" ./prog lines 30
    all_ways "-O$o, places" ./prog places 12
    all_ways "-O$o, values" ./prog values 6
done
cp moving0 prog
if $watches; then
    all_ways "watchpoints" ./prog watched 10
    compare "watchpoints, steps" ./prog stepped 30
    compare "watchpoints before there is a process, and in another one" ./prog early 12
    all_ways "watchpoints, lines" ./prog stepped_over 20
fi
batch -ex 'watch nothing_of_that_name' ./prog
check 'watch: no such variable' has log '^No symbol "nothing_of_that_name" in current context\.$'

# Numbers, in gdb's words: conditions, ignored hits, so many stops, one place of several.
cat >numbered <<'EOF'
break fact
break nothing
break add
enable count 2 3
condition 1 n == 3
info breakpoints
run
info breakpoints
continue
condition 1
ignore 1 2
enable once 2
info breakpoints
continue
disable 2.1
info breakpoints
continue
enable 2.1
ignore 2 1
info breakpoints
continue
enable delete 2
continue
info breakpoints
disable 1.7
disable 9.1
continue
info breakpoints
EOF
words() { # FILE: what is told of breakpoints, but where
    sed -E 's/0x[0-9a-f]+/ADDR/g; s| at [^ ]*/t_mov| at t_mov|; s/  +/ /g; s/\t/ /g; s/ +$//' "$1" |
        grep -E '^[0-9.]+ .*(keep|del|dis|[yn]) |^ (stop|breakpoint|ignore|disable) |^Bad'
}
compare 'numbers' ./prog numbered 12
words log >ours
check 'numbers: they are told of' [ "$(wc -l <ours)" -ge 30 ]
if $have_gdb; then
    words theirs.log >theirs
    check 'numbers: in the words of gdb' diff theirs ours
fi

# ---- among threads ----------------------------------------------------------------------------------
crowded() { # PROBES...
    { printf '%s\n' "$@" 'tbreak crowd' 'run threads' next next 'until 101' next step next finish; \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo next; done; echo continue; } >script.ezt
    batch -return-child-result -x script.ezt ./prog
}
for probes in echo 'probe add' 'probe fact'; do
    crowded "$probes"
    check "threads, $probes: the program ends right" same $rc 7
    check "threads, $probes: into the function" has log '^fact \(n=3\) at .*t_moving.c:31'
    check "threads, $probes: its value" has log '^Value returned is [$]1 = 6'
    check "threads, $probes: on to the end of the loop" has log '^106	'
done
batch -return-child-result -ex 'break add if a == 7' -ex 'run threads' -ex 'print a' -ex delete \
    -ex continue ./prog
check 'a condition that many threads meet: it holds' has log '^[$]1 = 7$'
check 'a condition that many threads meet: the program ends right' same $rc 7

# ---- breakpoints and their kin ------------------------------------------------------------------------
cat >script.ezt <<'EOF'
probe nothing
break nothing
break add
commands
silent
print a
end
info breakpoints
disable 3
display total
run
info display
undisplay 1
delete 2
enable 3
continue
info breakpoints
delete 3
continue
info probes
EOF
batch -return-child-result -x script.ezt ./prog
check 'numbers are those of probes, too' has log '^Breakpoint 2 at 0x[0-9a-f]+: file .*t_moving.c, line 5'
check 'the table' has log '^3       breakpoint     keep y   0x[0-9a-f]{16} in add at .*t_moving.c:24$'
check 'a breakpoint on a probed function' has log '^Breakpoint 2, nothing \(\) at '
check 'a display at a stop' has log '^1: total = 3$'
check 'a disabled one does not stop' has log '^[$]1 = 0$'
check 'its hits' has log 'breakpoint already hit 1 time$'
check 'the probe counts' has log 'both +record .* 4 +nothing'
check 'the program ends right' same $rc 7
batch -ex 'break nowhere' -ex 'watch 5' -ex 'delete 9' -ex 'info breakpoints' -ex 'start' -ex finish \
    -ex 'watch 5' -ex 'break add' -ex 'passcount 5 1' -ex 'break t_moving.c:9999' -ex 'undisplay 3' -ex 'until nowhere' ./prog
for words in 'Breakpoint 1 is not a probe. .*enable count 5 1' 'Function "nowhere" not defined.' 'No probe number 9.' 'No breakpoints or watchpoints.' \
    '"finish" not meaningful in the outermost frame.' "Cannot watch constant value .5'." \
    'No display number 3.'; do
    check "says: $words" has log "$words"
done
if $watches; then
    batch -ex start -ex 'watch spun' -ex 'watch turns' -ex 'watch done' -ex 'watch total' -ex 'watch *(long *)$sp' \
        -ex 'break add' -ex continue -ex 'delete 5' -ex continue ./prog
    check 'too many watchpoints: it says so' has log 'too many hardware'
    check 'too many watchpoints: with one less it goes, and beside them a breakpoint' has log '^Breakpoint 6, add '
    batch -ex start -ex 'break add' -ex 'break add' -ex 'break add if a > 0' -ex 'tbreak add' -ex 'break fact' -ex 'break half' \
        -ex 'watch total' -ex 'watch total' -ex continue -ex 'info breakpoints' -ex continue ./prog
    check 'those at one place share it' has log '^Breakpoint 1, add '
    check 'those at one place share it: each counts the hit' same "$(grep -c 'already hit 1 time$' log)" 3
    check 'those that watch one value share it' has log '^New value = '
fi

# ---- in what the program is started ----------------------------------------------------------------------
cat >script.ezt <<'EOF'
set environment FOO = bar baz
set environment EMPTY
unset environment HOME
set cwd /usr
show environment FOO
show environment HOME
show cwd
file /bin/sh
run -c 'echo "$FOO/$HOME/$PWD/${EMPTY-none}"'
EOF
batch -x script.ezt
check 'set environment, set cwd: the program has them' has log '^bar baz///usr/$'
check 'show environment' has log '^FOO = bar baz$'
check 'show environment: one that was taken away' has log '^Environment variable "HOME" not defined'
batch -ex 'set environment A 1' -ex "tty $PWD/said" -ex 'file /bin/sh' -ex "run -c 'echo \$A'" </dev/null
check 'tty: no such file, no program' has log '^/.*/said: No such file or directory\.'
batch -ex 'set cwd /nonexistent' -ex 'file /bin/sh' -ex "run -c 'echo here'" </dev/null
check 'set cwd: no such folder' has log '^/nonexistent: No such file or directory\. "set cwd"'
check 'set cwd: nothing began' lacks log '^here$'
batch -ex 'set cwd /bin/sh' -ex 'file /bin/sh' -ex run </dev/null
check 'set cwd: no folder' has log '^/bin/sh: Not a directory\.'
: >said
batch -ex 'set environment A 1' -ex "tty $PWD/said" -ex 'file /bin/sh' -ex "run -c 'echo a\$A'"
check 'tty: the output is there' has said '^a1$'

# ---- list ------------------------------------------------------------------------------------------------
cat >listed <<'EOF'
list add
list
list 3,5
list -
list nothing
tbreak fact
run
list
list -
EOF
compare 'list' ./prog listed 40

# ---- fault 83: the shell dies ----------------------------------------------------------------------------------------
killed 'finish' spin finish
killed 'next' t_moving.c:122 next
killed 'until' spin 'until 124'
! $watches || killed 'continue with breakpoints' spin 'break nothing' 'watch total' continue
killed 'a breakpoint whose condition does not hold' spin 'break t_moving.c:63 if n == 1' continue
! $watches || killed 'a watchpoint that is hit and hit again' spin 'watch spun if spun == 0' continue
killed 'steps' spin 'next 100000000'
killed 'stepi' spin 'nexti 100000000'
# ---- letting go while others have hit, too --------------------------------------------------------
cat >hot.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
volatile long total;
__attribute__((noinline)) long hot(long n)
{
    total += n;
    return n + 1;
}
static void *work(void *stop)
{
    while (access(stop, F_OK))
        for (int i = 0; i < 100; i++)
            hot(1);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, argv[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 7;
}
END
gcc -g -O0 -pthread hot.c -o hot || exit 1
lets_go() { # TITLE COMMAND...: attached to three threads at work; the program ends as it should, each time
    title=$1 ends=
    shift
    for i in 1 2 3 4 5 6; do
        rm -f stop
        target ./hot "$PWD/stop"
        batch -ex "attach $pid" "$@"
        : >stop
        reap "$pid"
        ends="$ends $trc"
    done
    check "let go, $title" same "$ends" ' 7 7 7 7 7 7'
}
lets_go 'detach' -ex 'break hot' -ex continue -ex detach
lets_go 'the end of the shell' -ex 'break hot' -ex continue
lets_go 'a watchpoint' -ex 'watch total' -ex continue -ex detach
lets_go 'in the background' -ex 'break hot' -ex continue -ex delete -ex 'continue &' -ex detach
finish

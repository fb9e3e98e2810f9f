#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# catch.sh - catchpoints: they stop where gdb's do, with its words; none is missed in a program with threads that is
# also recorded; a call at a catchpoint disturbs no system call; the program ends as without a shell after detach, and
# when the shell is killed at a catchpoint.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc g++

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_catch.cc" "$sources/t_catch_threads.c" .
echo 'int caught;' >caught.c
gcc -shared -fPIC caught.c -o libcaught.so || exit 1
g++ -g -O0 t_catch.cc -o things -ldl || exit 1
gcc -g -O0 -pthread t_catch_threads.c -o threads || exit 1

# ---- gdb's words -----------------------------------------------------------------------------------
# What follows the words of a stop is the frame, which other tests compare.
words() { # FILE
    sed -E "s|$work/||g; s/process [0-9]+/process PID/; s/(\"[a-z_-]+\")? hit (Catchpoint)/\\2/
        s/^((Temporary c|C)atchpoint [0-9]+ \\([^)]*\\)), .*/\\1/; s/(numeric signals[.]).*/\\1/; s/^([0-9]+ +catchpoint +[a-z]+ +[yn]) +/\\1 /
        s|/usr(/lib)|\\1|; s| [^ ]*/(libc?[a-z_+]+[.]so)[.0-9]*| \\1|g" "$1" |
        grep -E 'atchpoint|^  Inferior|^	(stop|ignore)|^Unknown|^Junk|^Undef|^Only sig|^.all|^No break'
}
compare_words() { # TITLE SCRIPT LEAST
    timeout -k 5 $limit "$eztsh" -nx -batch -x "$2" ./things >log 2>&1 </dev/null
    words log >ours
    check "$1: so many lines at least" test "$(wc -l <ours)" -ge "$3"
    command -v gdb >/dev/null || { skip "$1: no gdb"; return; }
    { printf '%s\n' 'set confirm off' 'set debuginfod enabled off'; cat "$2"; } >theirs.gdb
    timeout -k 5 $limit gdb -nx -q -batch -x theirs.gdb ./things >theirs.log 2>&1 </dev/null
    words theirs.log >theirs
    check "$1: gdb's words" diff theirs ours
}
all='catch syscall write 39
catch fork
catch vfork
catch exec
catch throw
catch catch
catch rethrow
catch load caught
catch unload caught
catch signal SIGUSR1'
{
    printf '%s\n' "$all" 'catch syscall' 'catch signal' 'catch signal all' 'catch syscall 2000' 'catch signal 2 SIGTERM'
    printf '%s\n' 'catch load' 'tcatch syscall read' 'tcatch throw' 'info breakpoints' 'delete'
} >made
compare_words 'making catchpoints' made 36
{
    printf '%s\n' "$all" run
    i=0
    while [ $((i += 1)) -le 24 ]; do echo continue; done
    printf '%s\n' 'info breakpoints'
} >stops
compare_words 'each kind' stops 34
cat >some <<'END'
catch throw
ignore 1 2
tcatch catch
catch syscall write
disable 3
catch exec
commands
silent
end
run
info breakpoints
continue
info breakpoints
continue
END
compare_words 'conditions, ignored and temporary ones' some 10
while IFS='|' read -r wrong reply; do
    echo "$wrong" >wrong
    compare_words "an error, $wrong" wrong 1
    check "an error, $wrong: the reply" has log "^$reply"
done <<'END'
catch syscall nosuch|Unknown syscall name 'nosuch'\.
catch fork x|Junk at end of arguments\.
catch nosuch|Undefined catch command: "nosuch".  Try "help catch".
catch signal nosuch|Unknown signal name 'nosuch'\.
catch signal 70|Only signals 1-15 are valid as numeric signals\.
catch signal all SIGINT|'all' cannot be caught with other signals
END
batch -ex 'catch s' ./things
check 'an event that is ambiguous' has log '^"s" is ambiguous'
batch -ex 'catch load [' ./things
check 'a wrong regular expression' has log '^Invalid regular expression'

# gdb 13 evaluates no condition of a catchpoint that the kernel reports.
batch -ex 'catch fork if 0' -ex 'catch vfork if nosuch' -ex 'catch exec if 1' -ex 'catch signal if 0' \
    -ex 'handle SIGUSR1 stop' -ex run -ex continue -ex continue ./things
check 'a condition that is false' lacks log '^Catchpoint 1 .forked'
check 'a condition that fails stops' has log '^Error in testing condition for breakpoint 2: No symbol "nosuch"'
check 'and says so' has log '^Catchpoint 2 .vforked'
check 'a condition that is true' has log '^Catchpoint 3 .exec'
check 'a signal that no catchpoint wants is handled as usual' has log '^Program received signal SIGUSR1'

# ---- nothing is missed or disturbed ------------------------------------------------------------------------
cat >count.ezt <<'END'
set confirm off
probe work
catch syscall getuid
commands
silent
continue
end
run 100
info breakpoints
info probes
END
batch -return-child-result -x count.ezt ./threads
check 'four threads: each start and each return counts' has log 'catchpoint already hit 800 times'
check 'four threads: each call is recorded' has log ' 400  work'
check 'four threads: the program ends right' same $rc 3
cat >inject.ezt <<'END'
catch syscall write
run 1 >out
print work(5)
mmap 4096
probe work
info breakpoints
continue
print $rax
continue
END
batch -return-child-result -x inject.ezt ./threads
check 'a call at the start of a system call' has log '^[$]1 = 6$'
check 'the start was reported once' has log '^Catchpoint 1 .returned from syscall write'
check 'the system call was made once, and wrote all' has log '^[$]2 = 5$'
check 'it wrote that' same "$(cat out)" 'done'
check 'the program ends right after a call' same $rc 3

# ---- leaving at a catchpoint -------------------------------------------------------------------------------
leaves() { # EVENT HOW: the shell leaves a program that it has attached to
    target ./threads 60 "$1"
    printf '%s\n' "attach $pid" 'break work' 'ignore 1 1000000' "catch $1" 'probe work' continue "$2" >leave.ezt
    timeout -k 5 $limit "$eztsh" -nx -batch -x leave.ezt >log 2>&1 </dev/null
    check "$1, $2: it was caught" has log '^Catchpoint 2 \('
    reap "$pid"
    check "$1, $2: the program ends right" same "$trc" 5
}
for event in 'syscall getuid' fork vfork signal; do
    for how in detach "shell kill -9 \$PPID" 'continue &'; do leaves "$event" "$how"; done
done
# A child that calls exec while the program stands at a catchpoint, and is to be followed.
cat >vforks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    if (!vfork()) {
        execl("/bin/true", "true", (char *)0);
        _exit(1);
    }
    wait(0);
    return 0;
}
END
"${CC:-cc}" -O1 -g -o vforks vforks.c
batch -ex 'set follow-fork-mode child' -ex 'catch vfork' -ex run \
    -ex 'shell for i in $(seq 300); do pgrep -P "$(pgrep -n -x vforks)" -x true >/dev/null && break; sleep 0.02; done' -ex continue ./vforks
check 'follow-fork-mode child: the child that stopped meanwhile is followed' same "$rc $(grep -c 'exited normally' log)" '0 1'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# jobs.sh - many processes at one prompt, on one host: launched and attached to, contexts, merged answers, exact counts. The
# launcher is a shell script, so no MPI is needed; job_mpi.sh has both MPIs and trees of daemons.
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
command -v "${CC:-cc}" >/dev/null || { skip "jobs: no compiler"; finish; }
cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int rank; /* of this process */
__attribute__((noinline)) int compute(int n) { __asm__ volatile(""); return n * 3 + rank; }
__attribute__((noinline)) void only_even(int n) { (void)*(volatile int *)&n; }
int main(int argc, char **argv)
{
    int sum = 0, n = atoi(argv[1]);
    rank = atoi(getenv("PMI_RANK") ? getenv("PMI_RANK") : "0");
    for (int i = 0; i < n * (rank + 1); i++) {
        sum += compute(i);
        if (rank % 2 == 0) only_even(i);
    }
    if (argc > 2) /* until that file is gone */
        while (!access(argv[2], F_OK)) { sum += compute(1) * 0; usleep(2000); }
    printf("rank %d: %d\n", rank, sum);
    return rank == 3 ? 3 : 0;
}
END
${CC:-cc} -g -O1 -o app app.c || { fail "jobs: app.c does not compile"; finish; }
job_launch
same() { [ "$1" = "$2" ]; }
in_work() { # whether any process of a job that was begun here is left
    for p in /proc/[0-9]*/cwd; do
        [ "$(readlink "$p")" = "$work" ] && grep -qaE 'eztsh|app' "${p%cwd}cmdline" && return 0
    done
    return 1
}
gone() { ! in_work; }
nobody_left() { until_ok 20 gone; }

# ---- launched ------------------------------------------------------------------------------------------------
batch 'job run -launcher ./launch -np 6 ./app 50' 'info job -json' 'probe compute' 'context even = where rank % 2 == 0' \
    'probe -c even only_even' 'continue' 'info probes -each' 'info job' 'stats -by process'
check "run: all are held before main" has '^Job \(\./launch -np 6 \./app 50\): 6 processes on 1 host, held before main\.$'
check "run: equal answers are one, without addresses" has '^\[0-5\] Probe 1 at 0x\.\.\.: file .*app\.c, line 5\.$'
check "contexts: members are found" has '^Context even: 3 processes: 0,2,4\.$'
check "-c: only these are told" has '^\[0,2,4\] Probe 2 at 0x'
check "run: each rank ends as it does alone" has '^rank 5: '
check "run: the exit codes are told" has '^\[3\] \[exited with code 03\]$'
check "run: so are the others" same 5 "$(grep -cE '^ +[0-9] .* exited +\./app' log)"
check "run: and shown" has '^ +3 .* exited 3 '
# compute: 50 * (1+2+3+4+5+6) calls; only_even: 50 * (1 + 3 + 5); a hit is an entry or an exit
check "run: one ledger of all, exact" has '^\[0-5\] 3000 hits = 3000 recorded \+ 0 filtered \+ 0 untraced \+ 0 dropped\.$'
check "run: the traces of all are one" has '^3000 events in '
check "run: the job's end is told" has '^\[Job \(\./launch -np 6 \./app 50\) ended normally\]$'
check "run: nobody is left" nobody_left
rm -f ./*.fxt

# ---- answers that differ -----------------------------------------------------------------------------------------
batch 'job run -launcher ./launch -np 20 ./app 5' 'probe compute' 'continue &' 'wait' 'info probes' 'info probes -each' \
    'print nosuch' 'print -c 3 nosuch'
check "20 different answers: 16 of them, and who the others are" has '^\[16-19\] other answers \(-each shows them all\)$'
check "-each: all 20" test "$(grep -cE '^\[[0-9]+\]:$' log)" -ge 36
check "a failure says in how many" has 'The command failed in 1 of 1 processes'

batch 'job run -launcher ./launch -np 4 ./app 5' 'probe -atomic compute nosuch_' 'info probes' 'context bad = 0-2' \
    'probe compute' 'delete -c 3 1' 'disable -atomic 1' 'info probes' 'passcount -atomic 9 1'
check "a failure on some ranks names them, and why" has '^\[3\] No breakpoint|^\[3\] No probe|^\[3\] .*1'
check "-atomic: not everything can be taken back" has '^-atomic cannot undo "passcount 9 1"\. -atomic can undo "module load", "enable", "disable", and new probes, breakpoints, aggregates, replacements and specifications\.$'
check "-atomic: the others take it back" has '^The command was undone in 3 processes\.$'
# Rank 3 is another program. Numbers differ by rank, and one command may create several.
sed 's/compute/reckon/g; s/only_even/any/g' app.c >other.c
${CC:-cc} -g -O1 -o other other.c
cat >two <<'END'
#!/bin/sh
shift 2
PMI_SIZE=4
export PMI_SIZE
for i in 0 1 2; do PMI_RANK=$i "$@" & done
for word; do
    shift
    [ "$word" != ./app ] || word=./other
    set -- "$@" "$word"
done
PMI_RANK=3 "$@" &
wait
END
chmod +x two
batch 'job run -launcher ./two -np 4 ./app 5' 'count -c 0 main' 'count -c 1-2 rank_' 'count -c 1-2 main' \
    'probe -atomic -r compute|only_even' 'probe entry -atomic -r compute' 'info probes -each'
check "-atomic: what a command created is taken back, by its numbers" test "$(grep -c '^The command was undone in 3 processes\.$' log)" = 2
check "-atomic: what was there before stays" test "$(grep -cE '^[12]  +entry +count ' log)" = 5
check "-atomic: nothing else does" test "$(grep -cE '^[0-9]+ .* (compute|only_even) ' log)" = 0

# ---- gather: of ranks that live on -----------------------------------------------------------------------------------
# The first gather is before main. 30 calls are 60 events; ranks that have ended have whole copies, which need their originals no more.
rm -f traces/*.fxt
batch 'job run -launcher ./launch -np 2 ./app 10' 'probe compute' 'job gather gz' continue stats 'job gather gz' \
    "shell ls gz | wc -l" 'job gather gz2' 'shell for f in traces/*.fxt; do cmp $f gz/${f#*/}; cmp $f gz2/${f#*/}; done' \
    'shell rm traces/*.fxt' 'job gather gz3' 'cd /usr' stats "stats $work/gz/*.fxt" "stats $work/gz3/*.fxt"
check "gather: what came after it is in the statistics" test "$(grep -n '^60 events in' log | head -n 1 | cut -d: -f1)" -lt \
    "$(grep -n '^2 traces, .* in gz\.$' log | tail -n 1 | cut -d: -f1)"
check "gather: its own files are replaced" has '^2$'
check "gather: others are copied from where they are written" test "$(grep -c 'differ\|No such' log)" = 0
check "gather: whole copies are read from any folder, without the originals" test "$(grep -c '^60 events in ' log)" = 4
batch 'job run -launcher ./launch -np 2 ./app 10' 'probe compute' 'job gather old' 'shell rm traces/*.fxt' stats
check "gather: a copy of before says so" has '^warning: 2 traces are old copies\. '
(unset EZTRACE_TRACE_DIR
    batch 'job run -launcher ./launch -np 2 ./app 10' 'probe compute' 'job gather rel' continue 'cd /usr' stats)
check "gather: originals are found after cd, too" has '^60 events in '
printf 'int uncompress(void) { return -3; } /* Z_DATA_ERROR */\n' >damages.c
${CC:-cc} -shared -fPIC -w -o damages.so damages.c
(LD_PRELOAD=$work/damages.so; export LD_PRELOAD
    batch 'job run -launcher ./launch -np 2 ./app 10' 'probe compute' 'job gather bad' 'shell ls bad | wc -l' continue)
check "gather: a part that does not arrive as it was sent" has '^/.*\.fxt: A part of the copy is damaged\.$'
check "gather: no damaged copy is left" has '^0$'
rm -rf ./*.fxt gz gz2 gz3 old rel bad
# ---- what is there already ---------------------------------------------------------------------------------------------
batch 'job run -launcher ./launch -np 2 ./app 10' 'hist compute' 'aggregate compute by hist' 'info aggregates' continue
check "aggregate: one that each process made by itself" \
    has '^The processes already have this aggregate, but this session does not know its number\.$'
if command -v python3 >/dev/null; then
    timeout -k 5 $limit python3 - "$eztsh" >log 2>&1 <<'END'
import os, pty, select, sys, time
pid, fd = pty.fork()
if not pid:
    os.environ["TERM"] = "dumb"
    os.execv(sys.argv[1], [sys.argv[1], "-nx", "-q", "-ex", "set width 0", "-ex", "set job-timeout 300"])
got = b""
def until(what):
    global got
    end = time.time() + 300
    while what not in got:
        if time.time() > end or not select.select([fd], [], [], 300)[0]:
            sys.exit("%s: no %s" % (got.decode(errors="replace"), what))
        got += os.read(fd, 4096)
    got = got[got.index(what) + len(what):]
def line(text, then):
    os.write(fd, text.encode() + b"\n")
    until(then)
until(b"(eztsh")
line("job run -launcher ./launch -np 2 ./app 10", b"2 processes on 1 host, held before main.")
until(b"(eztsh")
line("job run -launcher ./launch -np 4 ./app 10", b"There is a job already.  End it? (y or n) ")
line("n", b"New job not started.")
until(b"(eztsh")
line("info job", b"Job (./launch -np 2 ./app 10)")
until(b"(eztsh")
line("continue", b"ended normally]")
until(b"(eztsh")
os.write(fd, b"quit\n")
print(os.waitpid(pid, 0)[1])
END
    check "a second job: not begun if the user says no, and the first goes on" has '^0$'
else
    skip "jobs: no python3 for a terminal"
fi
rm -f ./*.fxt traces/*.fxt
# ---- where it runs ------------------------------------------------------------------------------------------------
mkdir -p elsewhere
cat >where <<'END'
#!/bin/sh
echo "BAZ=$BAZ GONE=${GONE-none} in $(pwd)"
END
chmod +x where
GONE=1; export GONE
batch 'set environment BAZ x y' 'unset environment GONE' 'set cwd elsewhere' 'job run -launcher ./launch -np 2 ./where' continue
check "set environment, set cwd: of the launcher and its processes" same 2 "$(grep -c "^BAZ=x y GONE=none in /.*/elsewhere\$" log)"
batch 'set follow-fork-mode all' 'set environment PMI_RANK 2' 'set cwd elsewhere' 'file ./app' 'run $(basename $(pwd) | wc -c)'
check "... of a tree of processes" has '^rank 2: 1365$'
unset GONE
batch 'set cwd nowhere' 'job run -launcher ./launch -np 2 ./where'
check "... a folder that is not there" has 'nowhere: No such file'

# ---- attached to ----------------------------------------------------------------------------------------------------
: >run
./launch -np 4 "$work/app" 3 "$work/run" >out 2>&1 &
launcher=$!
children="$children $launcher"
until_ok 20 sh -c "[ \$(pgrep -cf '^$work/app 3') = 4 ]"
batch "job attach $launcher" 'info job' 'probe compute' 'continue &' 'shell sleep 0.2' 'interrupt' 'info hosts' 'job detach'
check "attach by the launcher: the ranks" has 'Job \([0-9]+\): 4 processes on 1 host, stopped\.'
check "attach: probes count in each" has '^\[0-3\] [0-9]+ hits = [0-9]+ recorded'
check "detach: they go on" test "$(pgrep -cf "^$work/app 3")" = 4
pgrep -f "^$work/app 3" >pids
batch 'job attach -pids pids' 'probe -count compute' 'job detach -keep'
check "attach by a file of pids" has '4 processes on 1 host, stopped'
batch 'job attach -pids /'
check "attach by a folder: that is the cause" has '^/: Is a directory'
: >empty
batch 'job attach -pids empty'
check "attach by a file with nothing in it" has 'empty: The file has no process id\.'
# Each driver's attach would be refused but the first one's.
p=$(head -n 1 pids)
cat >thread.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void *wait_here(void *name) { while (!access(name, F_OK)) usleep(2000); return name; }
int main(int argc, char **argv)
{
    pthread_t t;
    (void)argc;
    pthread_create(&t, NULL, wait_here, argv[1]);
    wait_here(argv[1]);
    return pthread_join(t, NULL);
}
END
if ${CC:-cc} -o thread thread.c -lpthread; then
    ./thread "$work/run" &
    thread=$!
    children="$children $thread"
    threads() { [ "$(ls "/proc/$thread/task" | wc -l)" = 2 ]; }
    until_ok 20 threads
    ls "/proc/$thread/task" >tasks
    echo "$p $thread $p" >>tasks
    batch 'job attach -pids tasks' 'job detach'
    check "attach by a thread, and twice: each process once" has '^Job \(.*\): 2 processes on 1 host, stopped'
fi
true &
gone=$!
wait $gone
echo $gone >ended
batch 'job attach -pids ended'
check "attach to a process that has ended: nothing else is said" test "$(grep -c process log) $(wc -l <log)" = "2 2"
batch "job attach -pgrep '^$work/app 3'" 'info probes' 'job detach'
check "attach by an expression: the probes that were kept are taken over" has 'Probe|compute'
check "attach -pgrep: 4 processes" has '4 processes on 1 host, stopped'
sh -c './launch -np 1 ./app 4 "$0" & ./launch -np 3 ./app 4 "$0" & wait' "$work/run" >two 2>&1 &
two=$!
children="$children $two"
until_ok 20 sh -c "[ \$(pgrep -cf '^\./app 4 $work') = 4 ]"
batch "job attach $two" 'job detach'
check "attach: of several jobs, equal ranks are told" has '\[0\] another process with the same rank'
batch "job attach $launcher" 'job detach'
check "... of one, nobody has another's" test 0 = "$(grep -c 'same rank' log)"
# The shell and its daemon are no processes of a job, however they are named; nor are those that have begun the shell. (A copy
# of it: others may be at work here.)
cp "$eztsh" self
p=$(head -n 1 pids) timeout -k 5 60 sh -c 'exec ./self -nx -batch -ex "job attach $$ $p"' >log 2>&1 </dev/null
check "attach to oneself: refused" has '^I refuse to debug myself!'
itself() { timeout -k 5 60 sh -c '"$1" -nx -batch -ex "job attach -pgrep \"$2\""; :' sh "$work/self" "$1" >log 2>&1 </dev/null; }
itself "$work/self"
check "attach -pgrep: not to oneself, the daemon, and what began us" has '^No process( of yours)? matches'
itself "^$work/app 3|$work/self"
check "... but to the others that match" has '4 processes on 1 host, stopped'
rm run
wait "$launcher" "$two" 2>/dev/null
check "they end as they would alone" test "$(grep -c '^rank' out)" = 4

# ---- mistakes -------------------------------------------------------------------------------------------------------
batch 'info job'
check "no job: it is said what begins one" has '^There is no job\. "job run" or "job attach" begins a job\.'
batch 'job run -launcher ./launch -np 2 ./nosuch'
check "a program that is not there" has 'ended before its program began|before the processes of the job started'
check "... leaves nobody" nobody_left
batch 'job run -launcher ./nolaunch -np 2 ./app'
check "a launcher that is not there" has 'nolaunch: No such file'
batch 'job run -launcher false -daemons 2 -np 2 ./app'
check "daemons that do not start: it is said why" has '^The daemons did not start: "false" ended'
batch 'job run -launcher srun -n 1 ./app : -n 2 ./app'
check "programs that cannot be held" has '^srun \.\.\. : \.\.\.: eztsh cannot tell which programs to hold before main\..*job attach'
printf '#!/bin/sh\nshift 2\nPMI_RANK=0 "$@"\n' >one
chmod +x one
timeout -k 5 $limit "$eztsh" -nx -batch -ex 'job run -launcher ./one -np 3 ./app 1' >log 2>&1 </dev/null &
children="$children $!"
until_ok 20 has 'have started'
check "a launcher that begins fewer: it is told while one waits" has '^1 of 3 processes have started\.'
pkill -INT -P $! -f 'job run -launcher ./one'
wait $!
check "... and Ctrl-C ends it" has '^Quit'
check "... with its processes" nobody_left
batch 'job run -launcher ./launch -np 0 ./app'
check "a job of nobody" has '^A job needs at least one process\.'
batch 'job run -np'
check "an option without its value" has '^-np needs a value\.|needs a value'
batch 'job run -launcher ./launch -np 2 ./app 1' 'probe -c nobody compute'
check "a context that is not there" has 'There is no context "nobody"'
batch 'job run -launcher ./launch -np 2 ./app 1' 'context a = 0' 'context use a' 'probe compute' 'continue' 'context use all' continue
check "context use: only these" has '^\[0\] Probe 1 at'
check "... and the others later" has '^\[1\] \[exited normally\]$'
# While a process is brought to its first instruction nobody reads where it stands; from then on it is told.
batch 'maint stop-frames off' 'file ./app' start
check "no frame is told where none is wanted" test "$(grep -c 'app.c:' log)" = 0
batch 'job run -launcher ./launch -np 2 ./app 5' 'tbreak compute' continue 'job kill'
check "members tell where they stand" has 'compute \(n=n@entry=0\) at .*app\.c:'
# Aggregates are told in the order of their numbers.
batch 'job run -launcher ./launch -np 2 ./app 5' 'aggregate compute by sum of n' 'aggregate compute by max of n' 'aggregate compute by count' \
    continue 'info aggregates'
check "info aggregates: by number, and exact" test "$(awk '$1 ~ /^[1-3]$/ && /at compute/ { print $1, $2 }' log | tr '\n' ' ')" = "1 sum 2 max 3 count "
check "... of all" has '^ +3  count at compute +2 +15 '
# The context is a part of what an aggregate is: each calls compute(0) ... compute(5 * (rank + 1) - 1).
batch 'job run -launcher ./launch -np 4 ./app 5' 'context some = 1-2' 'aggregate compute by sum of n -c some' 'aggregate compute by sum of n' \
    'aggregate compute by count -c not some' 'aggregate compute by max of n -c 1' continue 'info aggregates' 'info aggregates -by rank'
check "aggregates: of a context, of its processes" has '^ +1  sum of n at compute, ranks 1-2 +2 +25 +150 '
check "aggregates: of all beside it, of all" has '^ +2  sum of n at compute +4 +50 +350 '
check "aggregates: -c not NAME" has '^ +3  count at compute, ranks 0,3 +2 +25 '
check "aggregates: another view of a part" has '^ +4  max of n at compute, ranks 1 +1 +10 '
check "aggregates: by rank, of those that have it" test "$(grep -cE '^ +1  sum .* rank [12] ' log) $(grep -cE '^ +1  sum .* rank [03] ' log)" = '2 0'
# Values, not sums, are what a function of the user's own makes one.
cat >own.c <<'END'
double most(double a, double b) { return a > b ? a : b; }
double minus(double a, double b) { return a - b; }
double breaks(double a, double b) { return *(volatile double *)0 + a + b; }
double gcd(double a, double b) { long x = (long)a, y = (long)b; while (y) { long t = x % y; x = y; y = t; } return (double)x; }
END
${CC:-cc} -shared -fPIC -o own.so own.c
batch 'job run -launcher ./launch -np 4 ./app 5' 'aggregate compute by plugin ./own.so:most of n' \
    'aggregate compute by plugin ./own.so:gcd of n + 1 -domain 1:64' 'aggregate compute by plugin ./own.so:minus of n -domain 0:9' \
    'aggregate compute by plugin ./own.so:most' 'aggregate compute by plugin ./own.so:minus of n' \
    'aggregate compute by plugin ./own.so:breaks of n -domain 0:9' continue 'info aggregates'
check "plugin: of all values" has '^ +1  plugin ./own.so:most of n at compute +4 +50 .* 19 *$'
check "plugin: of a domain" has '^Aggregate 2: plugin ./own.so:gcd of n \+ 1 at compute'
check "plugin: what is not commutative there is refused" has '^./own.so:minus is not commutative, which a function for "aggregate" must be, because values arrive in any order\. Write a function like a sum or a maximum, double FUNC\(double, double\); -domain LOW:HIGH names the values for which the function is made\.$'
check "plugin: what does not return is refused" has '^./own.so:breaks: the function was ended by signal 11\.$'
check "plugin: values are named" has '^The operation "plugin" needs values to combine\.'
check "plugin: without a domain it is tried on what occurred" test "$(grep -c '^./own.so:minus is not commutative' log)" = 2
# Options are taken from where they stand, not from an expression.
batch 'job run -launcher ./launch -np 2 ./app 5' 'tbreak compute' continue 'print n-rank' 'print -c not 0 n' 'context bad = 1-7' 'job kill'
check "print a-b is an expression" has '^\[0\] \$1 = 0$'
check "-c takes an expression" has '^\[1\] \$2 = 0$'
check "ranks that are not there" has '^warning: There is no rank 2-7: the job has 0-1\.$'
cat >jsonish.c <<'END'
int a = 9, json = 6;
int main(void) { return a + json - 15; }
END
${CC:-cc} -g -O0 -o jsonish jsonish.c
batch 'job run -launcher ./launch -np 2 ./jsonish' 'print a-json' 'print a - json' 'info functions -json ^main$' 'info functions ^main$ -json' 'job kill'
check "print a-json is no -json" test "$(grep -c '^\[0-1\] \$[12] = 3$' log) $(grep -c 'eztsh-answers' log)" = '2 2'
# Our own options among the launcher's, in any order.
printf '#!/bin/sh\n[ "$1" = --odd ] && shift\nexec ./launch "$@"\n' >odd && chmod +x odd
batch 'job run --odd -np 2 -launcher ./odd ./app 1' continue
check "job run: -launcher behind options" has '^Job \(\./odd --odd -np 2 \./app 1\): 2 processes on 1 host'
# Readers see a job's traces while it runs, and behind it.
job_header
cat >live.c <<'END'
#include <stdlib.h>
#include "job.h"
__attribute__((noinline)) int compute(int n) { __asm__ volatile(""); return n * 3; }
int main(void)
{
    for (int i = 0; i < 20; i++) compute(i);
    stand(atoi(getenv("PMI_RANK")), "run");
    return compute(1) != 3;
}
END
${CC:-cc} -g -O1 -o live live.c
: >run
rm -f ready.*
batch 'job run -launcher ./launch -np 2 ./live' 'probe compute' 'continue &' \
    'shell i=0; until [ -e ready.0 ] && [ -e ready.1 ] || [ $((i += 1)) -gt 600 ]; do sleep .05; done' 'events 3' 'stats -once' 'info histogram compute' 'info histogram 1' \
    'events -f' 'replay -f' top 'shell rm run' wait 'events 2' 'stats -live' 'info histogram 1'
check "events of a job: live, and behind it" test "$(grep -cE ' rank [01]: live [0-9]+ +(entry|exit) +compute' log)" = 5
check "stats -once, -live of a job" test "$(grep -cE '^compute +live +[0-9]+ ' log)" = 2
check "info histogram of a job, by name and number" test "$(grep -cE '^compute \(live\): [0-9]+ calls' log)" = 3
check "events -f of a job is refused" has '^-f follows one process, not a job\.'
check "replay -f of a job is refused" has '^-f follows one process, not a job\. "replay" prints the calls of all ranks so far\.'
check "top of a job is refused" has '^The command top shows one process, not a job\. "stats -live" refreshes a table of the job\.'
# What a driver reads ahead changes nothing in the process.
batch 'maint read-ahead'
check "reading ahead needs a process" has '^The program is not being run\.'
batch 'file ./app' 'start 5' 'maint read-ahead' 'probe -count compute' continue 'info probes'
check "... and counts are exact after it" has '^1 .*  5  compute'
# As many words as a line has room for; and what is lost is said, and is a failure, as it is alone.
{ printf 'job run -launcher ./launch -np 1 ./app 3 '; seq 9000 | tr '\n' ' '; printf '\nprobe -count compute\ncontinue\n'; } >long.ezt
timeout -k 5 $limit "$eztsh" -nx -batch -x long.ezt >log 2>&1 </dev/null
check "9,000 arguments" has '^6 hits = '
EZTRACE_TRACE_DIR=/proc/nosuch batch 'job run -launcher ./launch -np 2 ./app 3' 'probe compute' continue
check "a trace that cannot be written is told" has '^\[0-1\] Trace lost: /proc/nosuch/'
check "... and is a failure" test "$rc" = 1
# The machine interface tells what members do between requests, too.
cat >between.py <<'END'
import json, os, subprocess, sys
p = subprocess.Popen([sys.argv[1], "-nx", "-q", "--interpreter=json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
open("run", "w").close()
for n, c in enumerate(["job run -launcher ./launch -np 2 ./app 3 run", "continue &"]):
    p.stdin.write(json.dumps({"id": n, "command": c}) + "\n")
    while (o := json.loads(p.stdout.readline())).get("id") != n:
        pass
    print(o["state"])
os.remove("run")
while o["state"] != "none":
    o = json.loads(p.stdout.readline())
print(o["event"], any("exited normally" in x for x in o["output"]))
p.stdin.close()
p.wait()
END
if command -v python3 >/dev/null; then
    timeout -k 5 100 python3 -B between.py "$eztsh" >log 2>&1
    check "what happens between requests is told at once, and states are the job's" test "$(grep -v '^rank' log | tr '\n' ' ')" = "stopped running note True "
else
    skip "machine interface: no python3"
fi
# ---- without root ---------------------------------------------------------------------------------------------------
if other_user; then
    install -m 755 "$top_builddir/eztsh-hold" app launch "$theirs"
    (cd "$theirs" && timeout -k 5 $limit env EZTRACE_TRACE_DIR="$theirs" ./user -nx -batch -ex 'job run -launcher ./launch -np 3 ./app 5' \
        -ex 'probe compute' -ex continue) >log 2>&1 </dev/null
    check "without root: exact" has '^\[0-2\] 60 hits = 60 recorded'
    # Another user, who has read the token, is there before rank 0 is.
    cat >late <<END
#!/bin/sh
shift 2
$as env PMI_RANK=0 PMI_SIZE=1 "$theirs/eztsh-hold" -job "\$3" sleep 30 &
other=\$!
until grep -q eztsh-held "/proc/\$other/comm"; do sleep 0.02; done
PMI_RANK=0 PMI_SIZE=1 "\$@"
kill \$other
END
    chmod +x late
    batch 'job run -launcher ./late -np 1 ./app 5' 'probe compute' continue 'job kill'
    check "a process of another user's is not taken, though it has the token" has '^10 hits = 10 recorded'
    # A launcher of another user's, whose table names a process of ours; a file of that user's, which does so, too.
    cat >forge.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
struct { char *host, *program; int pid; } entry[2], *MPIR_proctable = entry;
int MPIR_proctable_size = 2;
int main(int c, char **v)
{
    static char host[64];
    gethostname(host, sizeof host - 1);
    for (int i = 0; i < 2; i++) {
        entry[i].host = host;
        entry[i].program = "/bin/true";
        entry[i].pid = i ? getpid() : atoi(v[1]);
    }
    if (c > 3)
        prctl(PR_SET_DUMPABLE, 0);
    close(creat(v[2], 0600));
    pause();
    return 0;
}
END
    sleep 100 &
    victim=$!
    children="$children $victim"
    ${CC:-cc} -rdynamic -o "$theirs/forge" forge.c || fail "a forged launcher: it does not compile"
    for how in '' undumpable; do
        $as "$theirs/forge" "$victim" "$theirs/begun$how" $how &
        forger=$!
        children="$children $forger"
        until_ok 20 test -e "$theirs/begun$how"
        batch "job attach $forger" 'info job -json' "shell grep TracerPid /proc/$victim/status" 'job detach'
        check "a forged launcher${how:+, $how}: its own process alone" has '^warning: 1 of 2 ranks were found'
        check "a forged launcher${how:+, $how}: another user's process is not traced" has '^TracerPid:[[:space:]]*0$'
        kill "$forger"
    done
    echo "$victim" >"$theirs/pids" && chown "$other" "$theirs/pids"
    batch "job attach -pids $theirs/pids"
    check "a stranger's file of pids: names the stranger's processes alone" has "Process $victim does not belong to the owner of the file\. Make your own file, or type the process ids\.$"
    cp "$theirs/pids" mine && chmod 666 mine
    batch 'job attach -pids mine'
    check "a file of pids that anybody can write to: refused" has '^mine: All users may write to the file, so its process ids are not used\.'
    chmod 644 mine
    batch 'job attach -pids mine' 'job detach'
    check "... and one's own is not" has '^Job \(.*\): 1 process on 1 host, stopped'
    setpriv --euid="$other" sleep 100 &
    mixed=$!
    children="$children $mixed"
    until_ok 20 sh -c "tr '\\0' ' ' <'/proc/$mixed/cmdline' | grep -q ^sleep"
    batch "job attach $mixed"
    check "a launcher with the rights of two users: refused" has "^The real, effective and saved user ids of process $mixed differ, .*\. Type the process ids of the ranks\.$"
    kill_ours "$victim" "$mixed"
else
    skip "without root: $why_not"
fi
finish

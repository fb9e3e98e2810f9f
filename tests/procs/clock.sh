#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clock.sh - which clock stamps the events of a process: where the counter or the vDSO is missing,
# under seccomp, in a time namespace, and after another shell. (EZ_FAULT=clock:0:... stands for a
# machine that is not at hand.)
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
need python3 fxt_print
mono='set trace-clock monotonic'

ticks() { # per second, by the schema event; then the span of the probes' events in ticks
    fxt_print -d -f "$1" 2>/dev/null | python3 -c '
import re, sys
rate, ticks = 0, []
for line in sys.stdin:
    m = re.match(r"(\d+)u.*\s([0-9a-f]+)\((\d+)\)(.*)", line)
    if m and m[2] == "200006":
        rate = int(m[4].split("\t")[2].strip(" x"))
    elif m and int(m[2], 16) >= 0x1000000:
        ticks.append(int(m[1]))
print(rate, len(ticks), max(ticks) - min(ticks) if ticks else 0)'
}
# How many milliseconds the events span, by `stats`.
span() { sed -n 's/^[0-9]* events in \(.*\), [0-9]* thread.*/\1/p' stats.out |
    awk '{ u = $2 == "s" ? 1e3 : $2 == "ms" ? 1 : $2 == "us" ? 1e-3 : 1e-6; print $1 * u }'; }
between() { python3 -c 'import sys; a, x, b = map(float, sys.argv[1:]); sys.exit(not a <= x <= b)' "$@"; }

# ---- the choice ---------------------------------------------------------------------------
chosen() { # NAME CLOCK-OR-auto WANTED-RATE-REGEX
    rm -f ./*.fxt
    batch -ex "set trace-clock $2" -ex 'probe twice' -ex 'run 50 >t.out' "$targets/p_app"
    check "$1: events arrive" same "$(hits_of_run)" 100
    check "$1: the clock" expr "$(ticks ./*.fxt)" : "$3 100 "
}
hits_of_run() { sed -n 's/^Trace .*: \([0-9]*\) hits = \1 recorded.*/\1/p' log; }
chosen "monotonic is asked for" monotonic 1000000000
check "monotonic is asked for: nothing to tell" lacks log 'CLOCK_MONOTONIC|vDSO'
EZ_FAULT=clock:0:variant; export EZ_FAULT
chosen "the counter is not invariant" auto 1000000000
check "the counter is not invariant: it is told" has log 'stamped with CLOCK_MONOTONIC'
batch -ex 'set trace-clock auto' -ex 'probe -count twice' -ex 'run 50 >t.out' "$targets/p_app"
check "the counter is not invariant: nothing to tell where nothing is recorded" lacks log 'CLOCK_MONOTONIC'
chosen "the counter is asked for all the same" tsc '[0-9]*'
# The counter's ticks in a second of CLOCK_MONOTONIC.
cat >rate.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
/* The narrowest of many looks: no preemption lies between the two clocks. */
static void look(double *at, double *ticks)
{
    double best = 1;
    for (int i = 0; i < 1000; i++) {
        double a = now(), k = (double)__rdtsc(), b = now();
        if (b - a < best)
            best = b - a, *at = (a + b) / 2, *ticks = k;
    }
}
int main(int argc, char **argv)
{
    double t0, k0, t1, k1, told = argc > 1 ? atof(argv[1]) : 0;
    look(&t0, &k0);
    while (now() < t0 + 0.5)
        ;
    look(&t1, &k1);
    double rate = (k1 - k0) / (t1 - t0);
    printf("told %.0f, measured %.0f ticks a second\n", told, rate);
    return !(told > rate * 0.999 && told < rate * 1.001);
}
END
if ${CC:-cc} -O1 rate.c -o rate 2>cc.err; then
    check "the counter: its rate is the machine's" ./rate "$(ticks ./*.fxt | cut -d ' ' -f 1)"
else
    skip "the counter's rate: $(head -n 1 cc.err)"
fi
EZ_FAULT=clock:0:novdso
chosen "no vDSO" monotonic 1000000000
check "no vDSO: it is told" has log 'no vDSO: each recorded event costs a system call'
unset EZ_FAULT

# ---- seccomp: what would enter the kernel is left alone ---------------------------------------
enough() { say 'info trace' && has log '^[1-9][0-9]+ hits = [1-9][0-9]+ recorded'; }
coarse() { say 'info trace' && has log '^Clock: CLOCK_MONOTONIC, as last read'; }
guarded() { # NAME [FAULT]
    rm -f stop go ./*.fxt
    began=$(date +%s)
    [ -z "${2-}" ] || { EZ_FAULT=clock:0:$2; export EZ_FAULT; }
    shell_start "$targets/p_sec"
    unset EZ_FAULT
    say "$mono"
    say 'set args stop go >t.out 2>t.err'
    say 'start'
    say 'probe guarded'
    say 'continue &'
    until_ok 20 has t.out filtered
    [ -z "${2-}" ] || check "seccomp, $1: told by info trace" until_ok 20 coarse
    touch go
    check "seccomp, $1: events arrive" until_ok 20 enough
    touch stop
    say wait
    shell_end
    check "seccomp, $1: the target lives" same "$(tail -n 1 t.out)" alive
    check "seccomp, $1: ledger" has log '^Trace .*: ([0-9]+) hits = \1 recorded \+ 0 filtered \+ 0'
    check "seccomp, $1: the trace is valid" trace_valid "$(echo p_sec-*.fxt)"
    check "seccomp, $1: its times are of the same clock" between 0 "$(span)" $((1000 * ($(date +%s) - began + 1)))
}
guarded "the clock in the vDSO"
if [ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null)" = tsc ]; then
    check "seccomp, the clock in the vDSO: as exact as ever" lacks log '^Clock: CLOCK_MONOTONIC,'
fi
guarded "the clock in the kernel" enters
guarded "no vDSO" novdso
# A user of many groups makes a long line in /proc/PID/status, before the one about the filter.
groups=$(seq -s, 1000000000 1000000600)
if setpriv --groups "$groups" true 2>/dev/null; then
    printf '#!/bin/sh\nexec setpriv --groups %s "%s" "$@"\n' "$groups" "$eztsh" >grouped
    chmod 755 grouped
    plain=$eztsh eztsh=./grouped
    guarded "many groups" enters
    eztsh=$plain
else
    skip "seccomp, many groups: not allowed to set them"
fi

# ---- a time namespace: its CLOCK_MONOTONIC is another --------------------------------------------
rm -f stop ./*.fxt
if unshare -T --monotonic 5000000 true 2>/dev/null; then
    target unshare -T --monotonic 5000000 "$targets/p_loop" stop 2
    until_ok 10 expr "$(readlink "/proc/$pid/exe")" : '.*p_loop' >/dev/null
    shell_start -p "$pid"
    say "$mono"
    say 'probe beat'
    say 'continue &'
    check "time namespace: events arrive" until_ok 20 enough
    touch stop
    say wait
    shell_end
    reap "$pid"
    check "time namespace: the trace is valid" trace_valid "$(echo p_loop-*.fxt)"
    check "time namespace: all in the shell's time" python3 -c '
import re, subprocess, sys
t = [int(m) for m in re.findall(r"^(\d+)u", subprocess.run(["fxt_print", "-d", "-f", sys.argv[1]],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(), re.M)]
sys.exit(not t or max(t) - min(t) > 60e9)' p_loop-*.fxt
else
    skip "time namespace: none can be made"
fi

# ---- a shell with one clock is killed, another comes with the other ---------------------------------
rm -f stop ./*.fxt
target "$targets/p_loop" stop 3
began=$(date +%s)
for clock in monotonic tsc monotonic; do
    rm -f ./*.fxt
    shell_start -p "$pid"
    say "set trace-clock $clock"
    say 'probe beat pulse'
    say 'continue &'
    check "after another shell, $clock: events arrive" until_ok 20 enough
    shell_kill
    check "after another shell, $clock: the trace is valid" trace_valid "$(echo p_loop-*.fxt)"
    check "after another shell, $clock: its times are of one clock" between 0 "$(span)" $((1000 * ($(date +%s) - began + 1)))
done
batch -p "$pid" -ex detach
check "after other shells: text is the file's" text_intact "$pid"
touch stop
reap "$pid"
check "after other shells: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish

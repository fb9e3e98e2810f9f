#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# signals.sh - signals that a program needs for its work: those that do not stop it, one that does,
# a stop by job control, and signals that are ignored from the start.
. "${top_srcdir:-.}/tests/procs/lib.sh"

# ---- which of them stop the program ----------------------------------------------------------
cat >heard.sh <<'END'
for s in ALRM URG IO VTALRM PROF CHLD WINCH; do
    trap "heard=\"\$heard $s\"" $s
    kill -$s $$
done
trap 'heard="$heard USR1"' USR1
kill -USR1 $$
echo "heard:$heard" >heard
exit 7
END
shell_start --args /bin/sh heard.sh
say run
check "signals that a program lives by do not stop it" \
    same "$(sed -n 's/^.* received signal \(SIG[A-Z0-9]*\).*/\1/p' log)" SIGUSR1
say continue
check "they are passed on" same "$(cat heard)" "heard: ALRM URG IO VTALRM PROF CHLD WINCH USR1"
check "and it ends by itself" has log 'exited with code 07'
shell_end

# ---- stopped by job control --------------------------------------------------------------------
rm -f stop
target "$targets/p_loop" stop 2
kill -STOP "$pid"
until_ok 20 in_state "$pid" T
shell_start -p "$pid"
say 'probe -count beat'
check "job control: attached" in_state "$pid" t
post continue
touch stop # the target would end now if it ran
runs() { # within a second
    n=0
    while alive "$pid"; do
        [ $((n += 1)) -lt 50 ] || return 1
        sleep 0.02
    done
}
not() { ! "$@"; }
check "job control: continued, it stays stopped" not runs
kill -CONT "$pid"
said_end() { has log 'process [0-9]+\) (exited|ended)'; }
check "job control: SIGCONT is told" until_ok 20 has log 'received signal SIGCONT'
post continue
check "job control: and it goes on" until_ok 20 said_end
shell_end
reap "$pid"
check "job control: it ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- steps over calls that hold SIGTRAP back -----------------------------------------------------
# Each instruction is stepped, in libc too, up to `linger`: the SIGTRAP of a step must not come from such a
# call, for the kernel would let it through for good, and remove the program's handler.
native=$("$targets/p_mask")
LD_BIND_NOW=1 # no steps in the loader
export LD_BIND_NOW
shell_start --args "$targets/p_mask"
unset LD_BIND_NOW
say 'set args >t.out'
say start
stepped=$(pgrep -P "$shell" -x p_mask)
arrives() { say 'stepi 200' && say 'info symbol $pc' && has log '^linger( \+|$| in)'; }
check "stepi over calls that hold SIGTRAP back: it goes on, at its place" until_ok 20 arrives
held_back() { sed -n 's/^SigBlk:[[:space:]]*//p' "/proc/$stepped/status"; }
check "stepi over calls that hold SIGTRAP back: it is" same "$(held_back)" 0000000000000010
say detach
check "stepi over calls that hold SIGTRAP back: the target ends" until_ok 20 gone "$stepped"
check "stepi over calls that hold SIGTRAP back: with its handler" same "$(cat t.out)" "$native"
shell_end

# ---- what the shell hears ------------------------------------------------------------------------
# After each command the shell blocks the same signals as before. (Planting thousands of probes
# uses several threads, which block all.)
blocked() { sed -n 's/^SigBlk:[[:space:]]*//p' "/proc/$shell/status"; }
shell_start --args "$targets/p_many"
say 'echo ready\n'
before=$(blocked)
same_mask() { check "signals after $1: as before" same "$(blocked)" "$before"; }
say start
same_mask start
for c in 'probe -r ^many_1[0-9]{3}$' 'check many_1000' 'measure many_1000' 'mmap 4096' \
    'info functions ^main' delete continue; do
    say "$c"
    same_mask "$c"
done
shell_end

# ---- ignored from birth ------------------------------------------------------------------------
# A program inherits only that SIGHUP is ignored (nohup), not what the shell ignores for itself.
ignored() { # signals 1 to 31, in the kernel's hexadecimal; libc's own signals depend on our parent
    printf '%x' $((0x$(sed -n 's/^SigIgn:[[:space:]]*//p' born) & 0x7fffffff))
}
batch -ex run --args /bin/sh -c 'cat /proc/self/status >born'
check "nothing is ignored" same "$(ignored)" 0
(trap '' HUP QUIT USR2 &&
    "$eztsh" -nx -batch -ex run --args /bin/sh -c 'cat /proc/self/status >born') >log 2>&1
check "nohup stays in force, nothing else" same "$(ignored)" 1
finish

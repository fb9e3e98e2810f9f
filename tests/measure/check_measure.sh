#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_measure.sh - `measure` on a live process: the lengths, and that the process
# notices nothing. The target's source says what each function is.
set -u
eztsh=${EZTSH:-./eztsh}
target=${top_builddir:-.}/tests/targets/prologues
work=$(mktemp -d)
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; rm -rf "$work"' EXIT
failed=0

# expect NAME WANT GOT
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        failed=1
        printf 'not ok - %s\n#  want: %s\n#  got:  %s\n' "$1" "$2" "$3"
    fi
}

# has NAME TEXT: the last output holds it
has() {
    if grep -qF -- "$2" "$work/out"; then
        echo "ok - $1"
    else
        failed=1
        printf 'not ok - %s\n#  want: %s\n' "$1" "$2"
        sed 's/^/#  got:  /' "$work/out"
    fi
}

# begin WORDS...: start the target on a pipe and wait until it is where we want it
begin() {
    rm -f "$work/in" "$work/said"
    mkfifo "$work/in"
    "$@" <"$work/in" >"$work/said" 2>&1 &
    pid=$!
    exec 3>"$work/in"
    for _ in $(seq 100); do
        [ -s "$work/said" ] && break
        sleep 0.05
    done
}

# finish NAME: let it check itself
finish() {
    echo go >&3
    exec 3>&-
    wait "$pid"
    expect "$1" 0 $?
    pid=
}

measure() { # ARGS...: one attached session with these commands
    for c in "$@"; do
        set -- "$@" -ex "$c"
        shift
    done
    timeout 60 "$eztsh" -nx -batch -p "$pid" "$@" >"$work/out" 2>&1
}

agree() { # FUNC N BYTES OVERWRITTEN
    measure "measure -both $1"
    has "$1" "libopcodes and stepping agree: $2, $3; the 5-byte jump overwrites $4"
}

begin "$target"
agree plain '3 instructions' '8 bytes' 8
agree landing '4 instructions' '10 bytes' '6 behind the landing instruction'
agree relative '1 instruction' '7 bytes' 7
agree calls '2 instructions' '6 bytes' 6
agree taken '3 instructions' '9 bytes' 9
has taken-jumps '(jump)'
agree not_taken '2 instructions' '5 bytes' 5
if grep -q '(jump)' "$work/out"; then jumped=yes; else jumped=no; fi
expect not-taken-does-not-jump no $jumped
agree tiny '2 instructions' '3 bytes' 5
agree repeats '2 instructions' '7 bytes' 7

measure 'measure taken_near'
has taken-near-is-a-jump 'libopcodes and stepping agree: 3 instructions, 9 bytes'
measure 'measure system_call'
has system-call 'Stepping: stopped before the system call at +4'
has system-call-refused 'libopcodes: 3 instructions, 6 bytes, stepping agrees on the first 2; no probe can stand there:'
measure 'measure traps'
has trap 'Stepping: stopped before the trap at +1'
measure 'measure shared_store'
has shared-store 'Stepping: stopped before a store to shared memory at +1 (0x10000000)'
measure 'measure -step shared_first'
has shared-first 'Stepping: stopped before a store to shared memory at +0 (0x10000000)'
measure 'measure one_byte'
has too-short 'libopcodes and stepping agree: 1 instruction, 1 byte; no probe can stand there: too short: 1 byte, the jump needs 5'
measure 'measure -step plain'
has step-alone 'Verdict: stepping: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
measure 'measure -opcodes plain'
has opcodes-alone 'Verdict: libopcodes: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
measure 'measure malloc'
has library 'libopcodes and stepping agree: '
measure 'probe -count plain' 'measure plain'
has under-a-probe 'libopcodes and stepping agree: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'

set --
for _ in $(seq 50); do set -- "$@" 'measure plain'; done
measure "$@"
expect fifty-times 50 "$(grep -c 'agree: 3 instructions, 8 bytes' "$work/out")"
expect no-child-left '' "$(cat /proc/"$pid"/task/*/children; ps -o pid= --ppid "$pid")"
finish undisturbed

begin "$target" sleep
measure 'measure plain' 'measure shared_store'
has asleep 'libopcodes and stepping agree: 3 instructions, 8 bytes'
finish asleep-undisturbed
expect slept-its-time yes "$(awk '/^slept/ && $2 >= 1.0 && $2 < 3 && $4 == 0 { print "yes" }' "$work/said")"

begin "$target" seccomp
measure 'measure plain'
has seccomp-both 'Verdict: libopcodes: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
has seccomp-note 'Stepping: '
measure 'measure -step plain'
has seccomp-hint 'measure -opcodes'
finish seccomp-undisturbed

as_nobody=
if [ "$(id -u)" = 0 ]; then as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
if [ -n "$as_nobody" ] && ! $as_nobody test -x "$target" 2>/dev/null; then
    echo 'skip - nofork: root is under no limit, and another user cannot run the target'
else
    begin $as_nobody "$target" nofork
    measure 'measure plain'
    has nofork-both 'Verdict: libopcodes: 3 instructions, 8 bytes'
    has nofork-note 'its clone failed: EAGAIN'
    measure 'measure -step plain'
    has nofork-hint 'measure -opcodes'
    finish nofork-undisturbed
fi

"$eztsh" -nx -batch -ex 'measure plain' "$target" >"$work/out" 2>&1
has without-a-process 'Verdict: libopcodes: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
"$eztsh" -nx -batch -ex 'measure -step plain' "$target" >"$work/out" 2>&1
has step-needs-a-process 'The program is not being run.'
exit $failed

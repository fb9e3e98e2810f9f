#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_measure.sh - `measure` on a live process: the lengths are right, and the process is not
# disturbed. The target's source describes its functions.
. "${top_srcdir:-.}/tests/env.sh"
target=$targets/prologues
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; cd /; rm -rf "$work"' EXIT

# expect NAME WANT GOT
expect() {
    if [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        failed=1
        printf 'not ok - %s\n#  want: %s\n#  got:  %s\n' "$1" "$2" "$3"
    fi
}

# has NAME TEXT: the last output contains TEXT
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
    exec 3<>"$work/in" # the target may have ended when we write to it
    until_ok 10 test -s "$work/said"
}

# let_go NAME: let the target check itself
let_go() {
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
    timeout -k 5 $limit "$eztsh" -nx -batch -p "$pid" "$@" >"$work/out" 2>&1
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
expect no-child-left '' "$(cat /proc/"$pid"/task/*/children; grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null)"
let_go undisturbed

# A stepped thread must survive the death of the shell.
begin "$target"
mkfifo commands
rm -f "$work/out" # until_ok must not find the text of an earlier session
"$eztsh" -nx -p "$pid" <commands >"$work/out" 2>&1 &
shell=$!
exec 4>commands
echo 'measure plain' >&4
until_ok 10 grep -q Verdict "$work/out"
expect traced "$shell" "$(awk '/^TracerPid/ { print $2 }' /proc/"$pid"/status)"
kill -9 "$shell"
exec 4>&-
let_go killed-shell

begin "$target" sleep
before=$(date +%s.%N)
measure 'measure plain' 'measure shared_store'
after=$(date +%s.%N)
has asleep 'libopcodes and stepping agree: 3 instructions, 8 bytes'
let_go asleep-undisturbed
expect slept-its-time yes "$(awk -v held="$before $after" '
    BEGIN { split(held, t); most = t[2] - t[1]; most = (most > 1 ? most : 1) + 0.9 }
    /^slept/ && $2 >= 1.0 && $2 < most && $4 == 0 { print "yes" }' "$work/said")"

begin "$target" seccomp
measure 'measure plain'
has seccomp-both 'Verdict: libopcodes: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
has seccomp-note 'Stepping: '
measure 'measure -step plain'
has seccomp-hint 'measure -opcodes'
let_go seccomp-undisturbed

as=
if [ "$(id -u)" = 0 ] && ! other_user prologues; then
    skip "nofork: root is under no limit, another user $why_not"
else
    [ -z "$as" ] || target=$theirs/prologues
    # shellcheck disable=SC2086
    begin $as "$target" nofork
    measure 'measure plain'
    has nofork-both 'Verdict: libopcodes: 3 instructions, 8 bytes'
    has nofork-note 'its clone failed: EAGAIN'
    measure 'measure -step plain'
    has nofork-hint 'measure -opcodes'
    let_go nofork-undisturbed
fi

"$eztsh" -nx -batch -ex 'measure plain' "$target" >"$work/out" 2>&1
has without-a-process 'Verdict: libopcodes: 3 instructions, 8 bytes; the 5-byte jump overwrites 8'
"$eztsh" -nx -batch -ex 'measure -step plain' "$target" >"$work/out" 2>&1
has step-needs-a-process 'The program is not being run.'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# full.sh - the disk is full, or the trace reaches the limit of the size of files: the
# target runs on as it would have, the loss is counted, what is in the file is readable (fault 57).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need fxt_print
rounds=60000

native=$("$targets/p_app" $rounds exit=9)
cat >full.ezt <<'E2'
probe -r .
run 60000 exit=9 >t.out
info trace
E2

# lost NAME FILE: after a run, log is the shell's
lost() {
    check "57 $1: same output" same "$(cat t.out)" "$native"
    check "57 $1: same status" same $rc 9
    check "57 $1: told" has log '^Trace lost: The trace ended early: .*; the target runs on, its events are counted'
    check "57 $1: the ledger adds up and shows the loss" awk '
        / hits = / { h = $1; r = $4; f = $7; u = $10; d = $13 + 0 }
        END { exit !(h > 200000 && r > 1000 && u > 1000 && h == r + f + u + d) }' log
    check "57 $1: the trace is valid" trace_valid "$2"
    recorded=$(sed -n 's/^[0-9]* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 1)
    check "57 $1: what is counted as recorded is in the file" \
        same "$(sed -n 's/^\([0-9]*\) events in.*/\1/p' stats.out)" "$recorded"
    check "57 $1: fxt_print sees the same events" same \
        "$(fxt_print -d -f "$2" 2>/dev/null | grep -cE '	 *1[0-9a-f]{6}\(')" "$recorded"
}

# limited NAME ULIMIT-WORDS [PREFIX...]
limited() {
    name=$1 words=$2
    shift 2
    rm -f t.out ./*.fxt
    timeout -k 5 $limit "$@" sh -c "ulimit $words && exec \"\$0\" \"\$@\"" "$eztsh" -nx -batch \
        -return-child-result -x "$work/full.ezt" "$targets/p_app" >log 2>&1 </dev/null
    rc=$?
    lost "$name" "$(echo p_app-*.fxt)"
}
limited "soft limit of 4 MiB" '-S -f 8192'

# Files that the shell itself writes hit the limit too: one line, and nothing half-written stays.
rm -f t.out ./*.fxt
batch -ex 'probe -r .' -ex 'run 60000 >t.out' "$targets/p_app"
one=$(echo p_app-*.fxt)
"$eztsh" -nx -batch -ex "convert $one -t csv -o -" >/dev/full 2>log
check "57 a full standard output: an error" same $? 1
check "57 a full standard output: said" has log '^Cannot write to standard output: No space left on device'
TMPDIR=/nowhere batch -ex "convert $one -t csv -o -"
check "57 no folder for temporary files: said" \
    has log '^Cannot make /nowhere/eztsh-[^ ]*: No such file or directory'
for fmt in csv chrome html speedscope otf2 paje otf; do
    mkdir out
    (ulimit -f 64; batch -ex "convert $(echo p_app-*.fxt) -t $fmt -o out/o"; exit $rc)
    rc=$?
    if grep -qE 'is no format|built without|d3, which draws' log; then
        skip "57 converting to $fmt at the limit of the size of files"
    else
        check "57 converting to $fmt at the limit of the size of files: an error" same $rc 1
        check "57 converting to $fmt at the limit of the size of files: said in one line" \
            same "$(grep -cE 'File too large|incomplete \(disk full\?\)' log) $(wc -l <log)" "1 1"
        check "57 converting to $fmt at the limit of the size of files: nothing stays" \
            same "$(ls -A out)" ''
    fi
    rm -rf out
done

# Root may lift a hard limit, so root acts as another user here.
hard_limits() {
    # shellcheck disable=SC2086
    limited "hard limit of 4 MiB" '-f 8192' $as

    # Fewer probes fit: the others are refused, and counted.
    # shellcheck disable=SC2086
    timeout -k 5 $limit $as sh -c 'ulimit -f 16384 && exec "$0" "$@"' "$eztsh" -nx -batch \
        -ex 'set trace-auto off' -ex start -ex 'probe entry -count -r *:.' \
        -ex 'probe exit -count -r *:.' -ex 'info coverage' -ex kill "$targets/p_app" >log 2>&1 </dev/null
    check "57 more probes than there is room for are refused" \
        has log '^Planted [0-9]+ of [0-9]+ matched; refused:.* A process has room for [0-9]+ probes'
    check "57 and counted" has log '^ +[0-9]+  refused: A process has room for [0-9]+ probes'

    # Too small for the shared memory: nothing is planted, and the shell says why.
    rm -f t.out ./*.fxt
    # shellcheck disable=SC2086
    timeout -k 5 $limit $as sh -c 'ulimit -f 1024 && exec "$0" "$@"' "$eztsh" -nx -batch \
        -ex 'probe twice' -ex "run 60000 exit=9 >t.out" "$targets/p_app" >log 2>&1 </dev/null
    rc=$?
    check "57 hard limit of 512 KiB: the reason" has log 'The limit on the size of files'
    check "57 hard limit of 512 KiB: an error, not a signal" same $rc 1
}
if [ "$(id -u)" != 0 ]; then
    as='' hard_limits
elif other_user p_app libp.so; then
    (cd "$theirs" && eztsh=./eztsh targets=. EZTRACE_TRACE_DIR=. && hard_limits && finish) || failed=1
else
    skip "57 hard limits: $why_not"
fi

# A file system that is full.
mkdir disk
if mount -t tmpfs -o size=2m none disk 2>/dev/null; then
    mounted=$work/disk
    for overflow in wait drop; do
        rm -f t.out disk/*
        EZTRACE_TRACE_DIR=$work/disk timeout -k 5 $limit "$eztsh" -nx -batch -return-child-result \
            -ex "set overflow $overflow" -x "$work/full.ezt" "$targets/p_app" >log 2>&1 </dev/null
        rc=$?
        if [ $overflow = wait ]; then
            lost "full disk" "$(echo disk/p_app-*.fxt)"
        else
            check "57 full disk, drop: same output" same "$(cat t.out)" "$native"
            check "57 full disk, drop: the trace is valid" trace_valid "$(echo disk/p_app-*.fxt)"
        fi
    done
    # there is not even room for the header
    rm -f t.out disk/*.fxt
    dd if=/dev/zero of=disk/rest bs=64k 2>/dev/null
    EZTRACE_TRACE_DIR=$work/disk timeout -k 5 $limit "$eztsh" -nx -batch -return-child-result \
        -x "$work/full.ezt" "$targets/p_app" >log 2>&1 </dev/null
    rc=$?
    check "57 no room for a trace: same output" same "$(cat t.out) $rc" "$native 9"
    check "57 no room for a trace: told" has log 'No space left on device'
    check "57 no room for a trace: all are untraced" has log '^([0-9]+) hits = 0 recorded \+ 0 filtered \+ \1 untraced'
    umount disk && mounted=
else
    skip "full disk: no file system can be mounted"
fi
finish

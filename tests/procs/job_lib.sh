# SPDX-License-Identifier: GPL-3.0-or-later
# job_lib.sh - for scripts about jobs, behind tests/lib.sh.
#
#   batch COMMAND...          eztsh -nx -batch with these commands; output in log, status in $rc
#   has PATTERN               log has such a line
#   check NAME CMD...         one line "ok - NAME" or "not ok - NAME"
#   job_launch                makes ./launch -np N PROG ARGS, which does as a launcher does, with ranks in the environment
batch() {
    n=$#
    while [ $n -gt 0 ]; do set -- "$@" -ex "$1"; shift; n=$((n - 1)); done
    timeout -k 5 $limit "$eztsh" -nx -batch "$@" >log 2>&1 </dev/null
    rc=$?
}
has() { grep -qE "$1" log; }
check() { name=$1; shift; if "$@"; then pass "$name"; else fail "$name" log; fi; }
job_launch() {
    cat >launch <<'END_LAUNCH'
#!/bin/sh
n=$2; shift 2
i=0
while [ $i -lt "$n" ]; do PMI_RANK=$i PMI_SIZE=$n "$@" & i=$((i + 1)); done
wait
END_LAUNCH
    chmod +x launch
}

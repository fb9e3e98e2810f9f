#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timed.sh TEST [ARGUMENT...] - runs a test, and writes as the last line of its log how many seconds it took,
# and how many of a processor.
began=$(date +%s%N)
"$@"
status=$?
ended=$(date +%s%N)
took=$(((ended - began) / 1000000))
used=$(mktemp)
times >"$used" # in a pipe it would be about another shell
awk -v took=$took 'NR == 2 {
    for (i = 1; i <= 2; i++) {
        split($i, part, "m")
        used += part[1] * 60 + part[2]
    }
    printf "took %.1f s, %.1f s of a processor\n", took / 1000, used
}' "$used"
rm -f "$used"
exit $status

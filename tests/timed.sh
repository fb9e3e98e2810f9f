#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timed.sh TEST [ARGUMENT...] - runs a test, and writes as the last line of its log how many seconds it took.
began=$(date +%s%N)
"$@"
status=$?
ended=$(date +%s%N)
echo "took $(((ended - began) / 100000000)) tenths of a second"
exit $status

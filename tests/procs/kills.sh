#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kills.sh - shells that use each feature are killed at random moments, one after the other, on a program of few and of
# many threads (fault 49; kills.py). EZT_KILLS says how many shells are killed at 4 threads, and how many at 300
# (`make stress`: 1000); EZT_THREADS is used instead of 300, and EZT_SEED is the seed. Without EZT_KILLS there are few
# threads: 300 busy ones would disturb the tests beside this one.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
kills=${EZT_KILLS:-8} many=${EZT_THREADS:-300}
[ -n "${EZT_KILLS:-}" ] || many=${EZT_THREADS:-30}

kills() { # THREADS BUSY SHELLS
    timeout 9000 python3 "$top_srcdir/tests/procs/kills.py" "$eztsh" "$targets/p_kills" "$1" "$2" "$3" \
        ${EZT_SEED:+"$EZT_SEED"} >log 2>&1
    check "49 shells are killed, $1 threads, $2 of them busy: $(tail -n 1 log)" [ $? = 0 ]
}
kills 4 4 "$kills"
kills "$many" 4 $(((kills + 1) / 2))
kills "$many" "$many" $((kills / 2))
finish

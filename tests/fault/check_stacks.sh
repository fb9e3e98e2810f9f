#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_stacks.sh - frames that end without a return, and frames on other stacks.
. "${top_srcdir:-.}/tests/lib.sh"

# both PROG NAME FUNCTION...: runs PROG natively, then counted and recorded, with entry probes
# and with both
both() {
    prog=$targets/$1 name=$2
    shift 2
    native "$prog"
    for mode in -count -record; do
        probed "probe $mode -r .
$(exits_of "$@")" "$prog"
        same "$name, both $mode"
        counts "$name, both $mode: counts"
        ledger "$name, both $mode: ledger"
        probed "probe entry $mode -r ." "$prog"
        same "$name, entry $mode"
        counts "$name, entry $mode: counts"
        ledger "$name, entry $mode: ledger"
    done
    probed "probe -count -r *:.
$(exits_of "$@")" "$prog"
    same "$name, every function of every library"
    counts "$name, every function of every library: counts"
}
# Exceptions (fault 19), longjmp (fault 21), a timer on an alternate stack (fault 25).
for exit_mode in auto slots; do
    both throws "19 throw through 11 probed frames in 4 threads, exits $exit_mode" deeper catcher rethrower lander cleaner
    both throws_static "19 the same, static, exits $exit_mode" deeper catcher rethrower lander cleaner
    both longjmps "21 a thousand longjmps from depth 20, exits $exit_mode" down once level receiver
    both altstack "25 5 kHz timer on an 8 KiB alternate stack, exits $exit_mode" fib third handler
done
finish

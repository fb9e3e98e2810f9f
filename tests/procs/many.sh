#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# many.sh - 200,000 functions with probes: more than there was room for (131,008).
. "${top_srcdir:-.}/tests/procs/lib.sh"

all='^Planted 20000[0-9] of 20000[0-9] matched; refused: 1 it never returns; pending 0'
batch -ex 'probe -r .' -ex run -ex 'info probes' "$targets/p_many"
check "all have probes" has log "$all"
check "all that is hit is recorded" ledger_ok
check "the first one's calls are counted" same \
    "$(awk '$NF == "p_many" && $(NF - 1) == "many_0" { print $6 }' log)" 3
check "the last one's calls are counted" same \
    "$(awk '$NF == "p_many" && $(NF - 1) == "many_199999" { print $6 }' log)" 3
batch -ex "stats $(echo p_many-*.fxt)"
check "the trace names them" has log '^many_199999 +p_many +3 '
rm -f ./*.fxt

# Exits go by slots (above by call-through); text is the file's again when the probes go.
batch -ex start -ex 'set exit-mode slots' -ex 'probe -count -r .' -ex delete -ex 'info textdiff' \
    -ex continue "$targets/p_many"
check "by slots: all have probes" has log "$all"
check "by slots: all are gone" has log ': 5 bytes differ, 0 of them foreign' # the loader's hook
check "by slots: it ends right" has log 'exited normally'

# With less room for probes the refusal says what would help.
(ulimit -v 2000000 && batch -ex 'probe -count -r .' -ex run "$targets/p_many")
if has log 'A process has room for [0-9]+ probes: use a narrower REGEX, or LIB:REGEX'; then
    pass "less room: said, with what would help"
else
    fail "less room: said, with what would help" log
fi
check "less room: it runs all the same" has log 'exited normally'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# papi.sh - counters of the hardware by libpapi, on one whose counters are known (fake_papi.c), and the
# kernel's where it finds none.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
mkdir lib
cp "$targets/fake_papi.so" lib/libpapi.so.7
LD_LIBRARY_PATH=$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH
FAKE_PAPI_LOG=$work/papi.log; export FAKE_PAPI_LOG
unset EZT_PAPI EZT_COUNTERS FAKE_PAPI_NONE FAKE_PAPI_LATE

script() { # NAME ID COMMANDS OF work
    cat >"$1.tpl" <<SCRIPT
BEGIN_MODULE
NAME $1
DESC "what calls use"
ID $2
void work(int units)
BEGIN
    $3
END
void outer(int units)
BEGIN
    RECORD_STATE("Outer")
    COUNTERS
END
void *malloc(size_t n)
BEGIN
    COUNTERS
END
END_MODULE
SCRIPT
    check "$1: compiled" "$top_builddir/eztsh-modc" "$1.tpl"
}
traced() { # NAME THREADS CALLS [OPTIONS OF eztsh]
    rm -f ./*.fxt papi.log
    name=$1 arguments="$2 $3"
    shift 3
    timeout -k 5 $limit "$eztsh" -nx -batch -m "./$name.so" "$@" -ex "run $arguments >t.out 2>t.err" \
        "$targets/p_papi" >log 2>&1 </dev/null
    check "$name: the program ends right" same "$(tail -n 1 t.out)" right
    check "$name: the ledger adds up" ledger_ok
    shown
}
shown() { "$eztsh" -nx -batch -ex "stats $(echo $(ls ./*.fxt)) -json" >stats.json 2>stats.err; }
# Of one function: what there is in the table, "counter calls total min max".
rows() { # FUNCTION
    python3 -c 'import json, sys
for r in json.load(open("stats.json"))["counters"]:
    if r["function"] == sys.argv[1]:
        print(r["counter"], r["calls"], r["total"], r["min"], r["max"], end="; ")' "$1"
}
mallocs() { # in the program, as the module saw them
    python3 -c 'import json
print(sum(r["calls"] for r in json.load(open("stats.json"))["rows"] if r["function"] == "Doing function malloc"))'
}
work_rows() { rows 'Doing function work'; }

# ---- what is counted when nobody names events: what there is of the default ------------------------
script plain 70 COUNTERS
traced plain 1 4
check "default: what is not there is said, in one line" \
    same "$(grep '^Module plain: ' log)" "Module plain: not PAPI_L2_TCM (Event does not exist)."
# Of the thread 1 + 2 + 3 + 4; of main, 5 + 5 in outer, and 1 in the handler.
check "default: exact" same "$(work_rows)" "PAPI_TOT_INS 7 21000 1000 5000; PAPI_TOT_CYC 7 21 1 5; "
check "default: what a call makes others use is its own, too" \
    same "$(rows Outer)" "PAPI_TOT_INS 1 11000 11000 11000; PAPI_TOT_CYC 1 11 11 11; "
seen=$(mallocs)
check "default: nothing of it is work" has stats.json \
    '"function": "Doing function malloc", "module": "plain", "counter": "PAPI_TOT_INS", "calls": [0-9]+, "total": 0,'
check "default: as variables" has stats.json '"variable": "PAPI_TOT_INS per second"'

traced plain 8 50
check "threads: each has its own" same "$(work_rows)" \
    "PAPI_TOT_INS 403 $((8 * 1275 + 11))000 1000 50000; PAPI_TOT_CYC 403 $((8 * 1275 + 11)) 1 50; "
check "threads: those that ended have left nothing" has papi.log '^made [0-9]+ left 1 wrong 0$'

# ---- events by name --------------------------------------------------------------------------------
script named 71 'COUNTERS("PAPI_BR_INS, PAPI_NONE PAPI_BR_INS")'
traced named 1 4
check "script: its events" same "$(work_rows)" "PAPI_BR_INS 7 21000000000 1000000000 5000000000; "
check "script: what is not there" has log '^Module named: not PAPI_NONE \(Event does not exist\)\.$'
EZT_COUNTERS='PAPI_TOT_CYC perf::CACHE-MISSES:u PAPI_TOT_INS PAPI_BR_INS'
export EZT_COUNTERS
traced named 1 4
check "environment: its events come first; names as a trace can have them" same "$(work_rows)" \
    "PAPI_TOT_CYC 7 21 1 5; perf..CACHE-MISSES.u 7 21000000 1000000 5000000; PAPI_TOT_INS 7 21000 1000 5000; "
check "environment: what has no counter of the processor left is said" \
    has log '^Module named: not PAPI_BR_INS \(Event exists, but cannot be counted\)\.$'
unset EZT_COUNTERS

# ---- a forked child ----------------------------------------------------------------------------------
traced plain 2 4 -ex 'set follow-fork-mode child'
check "fork: two traces" same "$(ls ./*.fxt | wc -l | tr -d ' ')" 2
check "fork: the child begins anew" same "$(work_rows)" "PAPI_TOT_INS 13 37000 1000 5000; PAPI_TOT_CYC 13 37 1 5; "
check "fork: nothing was asked of dead sets" same "$(grep -c ' wrong 0$' papi.log) $(grep -c wrong papi.log)" "2 2"

# ---- brought into a process that runs ----------------------------------------------------------------
rm -f ./*.fxt go papi.log
target "$targets/p_papi" 3 20 go
until_ok 10 has t.out '^ready'
shell_start -p "$pid"
say 'continue &'
say 'module load ./plain.so'
touch go
reap "$pid"
say 'info modules'
shell_end
check "live: the program ends right" same "$trc $(tail -n 1 t.out)" "0 right"
shown
check "live: exact" same "$(work_rows)" "PAPI_TOT_INS 63 641000 1000 20000; PAPI_TOT_CYC 63 641 1 20; "

# ---- what fails ---------------------------------------------------------------------------------------
FAKE_PAPI_LATE=1; export FAKE_PAPI_LATE
traced plain 3 4
check "a thread without counters: no samples, and no zeros" same "$(work_rows)" \
    "PAPI_TOT_INS 3 11000 1000 5000; PAPI_TOT_CYC 3 11 1 5; "
"$eztsh" -nx -batch -ex "stats $(ls ./*.fxt)" >log 2>&1
check "a thread without counters: once each" has log 'no counters +plain +3 '
unset FAKE_PAPI_LATE

kernel() { # NAME WHY
    check "$1: why" same "$(grep '^Module plain: ' log)" "Module plain: $2; the kernel's counters are sampled instead."
    check "$1: the kernel's" same "$(work_rows | tr ';' '\n' | awk 'NF { print $1, $2 }' | tr '\n' ' ')" \
        "task-clock 7 page-faults 7 context-switches 7 migrations 7 "
}
FAKE_PAPI_NONE=1; export FAKE_PAPI_NONE
traced plain 1 4
kernel "no event" "not PAPI_TOT_INS (Event does not exist), not PAPI_TOT_CYC (Event does not exist), not PAPI_L2_TCM (Event does not exist)"
unset FAKE_PAPI_NONE
EZT_PAPI=; export EZT_PAPI
traced plain 1 4
kernel "no libpapi is wanted" "no libpapi"
check "no recursion: what libpapi allocates is not recorded" same "$seen" "$(mallocs)"
check "no recursion: what the program allocates is" [ "$seen" -ge 7 ]
EZT_PAPI=$work/nowhere.so
traced plain 1 4
kernel "libpapi is not there" "no libpapi, EZT_PAPI is $work/nowhere.so"
EZT_PAPI=$targets/libp.so
traced plain 1 4
kernel "it is no libpapi" "libpapi has no PAPI_library_init"
unset EZT_PAPI
script second 72 COUNTERS
traced second 1 4 -m ./plain.so
check "two modules: one has the counters" has log 'libpapi\.so\.7 is in use already'
LD_PRELOAD=$work/lib/libpapi.so.7 traced plain 1 4
kernel "the program's own" "libpapi.so.7 is in use already, and a thread has one set of counters"

# ---- the real one -----------------------------------------------------------------------------------
unset LD_LIBRARY_PATH
traced plain 1 4
if grep -q 'no libpapi' log; then
    skip "the real one: there is none here"
elif grep -q 'instead' log; then
    kernel "the real one" "$(sed -n 's/^Module plain: \(.*\); the kernel.s .*/\1/p' log)"
else
    check "the real one: calls" same "$(work_rows | sed 's/^[^ ]* \([0-9]*\).*/\1/')" 7
fi
finish

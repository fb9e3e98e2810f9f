#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# modules.sh - the built-in modules, on programs that know their own numbers, and on real ones,
# whose results stay the same.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
for m in memory io pthread; do
    [ -e "$top_builddir/modules/$m.so" ] && continue
    skip "modules: they were not built"
    exit 77
done
own() { awk -v w="$1" '$1 == w { print $2 }' t.out; }
# `run` with the module from the start; what it told is in `told`.
traced() { # MODULE PROGRAM ARGUMENTS (as typed)
    rm -f ./*.fxt
    timeout -k 5 $limit "$eztsh" -nx -batch -m "$1" -ex "run $3 >t.out 2>t.err" \
        -ex 'info modules' -ex 'info replacements' "$2" >log 2>&1 </dev/null
    cp log run.log
    check "$1: $(basename "$2"): the ledger adds up, and nothing was lost" whole_ledger
    check "$1: $(basename "$2"): no word of refused functions" lacks log 'refused: cannot'
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt) -t chrome -o t.json" >convert.out 2>&1
    python3 "$top_srcdir/tests/procs/modules.py" t.json "$1" >told
}
whole_ledger() { ledger_ok && has log ' 0 untraced \+ 0 dropped'; }
told() { awk -v w="$1" '{ n = $NF; sub(/ [^ ]*$/, "") } $0 == w { print n; f = 1 } END { if (!f) print 0 }' told; }
value() { awk -v w="var $1 " 'index($0, w) == 1 { n = $(NF - 1) } END { print n + 0 }' told; }
# One number of the variables by subject: of the rows whose subject begins with PREFIX.
about() { # KIND VARIABLE PREFIX EXPRESSION-OVER-r
    "$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -of $1 -json" >about.json 2>&1
    python3 -c 'import json, sys
_, variable, prefix, what = sys.argv
rows = json.load(open("about.json"))["variables"]
print(sum(int(eval(what)) for r in rows if r["variable"] == variable and r["of"].startswith(prefix)))' "$2" "$3" "$4"
}
never_negative() { awk '$1 == "var" && $NF < 0 { print; bad = 1 } END { exit bad }' told; }

"$eztsh" -nx -batch -ex 'module list' >log 2>&1 </dev/null
check "list: memory" has log '^memory +0x50 '

# ---- a program gets its arguments and its environment, though a module began the C library -------
rm -f ./*.fxt
MARK="a mark" "$eztsh" -nx -batch -m io -ex 'run MARK >t.out 2>t.err' "$(command -v printenv)" >log 2>&1 </dev/null
check "start: the environment" same "$(cat t.out)" "a mark"
"$eztsh" -nx -batch -m io -ex 'run /nothing/there >t.out 2>t.err' "$(command -v ls)" >log 2>&1 </dev/null
check "start: the program's name" has t.err '(^|/)ls: '
check "start: functions of other libraries are missing, and that is all" lacks log 'resolved'

# ---- memory: what the program did more than the same program that does nothing --------------------
memory_counts() {
    for w in malloc calloc realloc 'aligned allocation' free; do told "event $w"; done
    value 'Memory used'
}
for n in 1 4; do
    traced memory "$targets/p_memory" "$n 0 0"
    memory_counts >none
    check "memory ($n): what libc takes for itself" never_negative
    traced memory "$targets/p_memory" "$n 300 3"
    memory_counts | paste none - | awk '{ print $2 - $1 }' >more
    check "memory ($n): the program ends right" same "$(tail -n 1 t.out)" right
    check "memory ($n): calls, blocks freed, bytes that are left" \
        same "$(echo $(cat more))" "$(echo $(awk 'NF == 2 { print $2 }' t.out))"
    check "memory ($n): never negative" never_negative
    check "memory ($n): arguments by name, addresses in hexadecimal" \
        has t.json '"name":"malloc".*"args":[{]"block":"0x[0-9a-f]+","bytes":[0-9]+,"caller":"0x[0-9a-f]+"[}]'
    check "memory ($n): blocks and bytes that main has left" \
        same "$(about caller 'Memory used' main+ 'r["adds"] - r["subs"]') $(about caller 'Memory used' main+ 'r["added"] - r["taken"]')" "3 408"
    check "memory ($n): by caller, all together" \
        same "$(about caller 'Memory used' '' 'r["added"] - r["taken"]')" "$(value 'Memory used')"
done
check "memory: mmap, and munmap of a part" \
    same "$(told 'event munmap') $(($(value 'Memory mapped') % 40960 != 0))" "1 1"

query="with recursive c(x) as (select 1 union all select x+1 from c where x<20000)
select sum(x), count(distinct x % 977), group_concat(x, '-') from c where x % 13 = 5 order by x"
if command -v sqlite3 >/dev/null; then
    printf '%s;\n' "$query" >q.sql
    sqlite3 :memory: <q.sql >right.out
    traced memory "$(command -v sqlite3)" ":memory: <q.sql"
    check "memory: sqlite3's result" cmp t.out right.out
    check "memory: sqlite3's memory is never negative" never_negative
    check "memory: sqlite3 freed" [ "$(told 'event free')" -gt 100 ]
else
    skip "memory: no sqlite3 here"
fi

# ---- io ------------------------------------------------------------------------------------------
io_counts() {
    for w in Reading Writing 'Waiting for I/O' Opening Closing Synchronizing; do told "state $w"; done
    told 'event opened'
    value 'Bytes read'
    value 'Bytes written'
}
for n in 1 4; do
    traced io "$targets/p_io" "$n 0"
    io_counts >none
    traced io "$targets/p_io" "$n 50"
    io_counts | paste none - | awk '{ print $2 - $1 }' >more
    check "io ($n): the program ends right" same "$(tail -n 1 t.out)" right
    check "io ($n): calls, files opened, bytes" \
        same "$(echo $(cat more))" "$(echo $(awk 'NF == 2 { print $2 + 0 }' t.out))"
    check "io ($n): every state ends" lacks told '^open '
    check "io ($n): bytes by file" same \
        "$(about file 'Bytes read' file 'r["added"]') $(about file 'Bytes written' file 'r["added"]')" \
        "$((n * 50 * 19330)) $((n * 50 * 19310))"
    check "io ($n): all bytes" same "$(about file 'Bytes read' '' 'r["added"]')" "$(value 'Bytes read')"
done
check "io: the names of files" has t.json '"name":"opened"'

head -c 3000000 "$eztsh" >big
gzip -9cn <big >right.out
traced io "$(command -v gzip)" "-9cn big"
check "io: gzip's result" cmp t.out right.out
check "io: gzip's bytes" same "$(value 'Bytes read') $(value 'Bytes written')" \
    "$(stat -c %s big) $(stat -c %s right.out)"
if command -v sqlite3 >/dev/null; then
    printf '%s;\n' 'create table t(a, b)' \
        'insert into t with recursive c(x) as (select 1 union all select x+1 from c where x<20000) select x, x*x from c' \
        'create index i on t(b)' 'select count(*), sum(b) from t where b % 7 = 2' >db.sql
    sqlite3 plain.db <db.sql >right.out 2>&1
    traced io "$(command -v sqlite3)" "traced.db <db.sql"
    cat t.err >>t.out
    check "io: sqlite3's result" cmp t.out right.out
    check "io: sqlite3's file" cmp traced.db plain.db
fi

# ---- pthread: nothing is subtracted, since the calls of the C library are left out ---------------
lock_counts() {
    told 'state Critical Section'
    told 'event lock busy'
    told 'state Waiting for a condition'
    told 'state Waiting at a barrier'
    for w in 'semaphore taken' 'semaphore posted' 'condition signalled' 'condition broadcast'; do told "event $w"; done
    for w in 'spin lock' 'read lock' 'write lock' semaphore; do told "state Blocked on a $w"; done
    told 'event thread created'
    told 'state Waiting for a thread'
    told 'event thread ended'
    told 'link creation'
    told 'link creation to itself'
    told 'event thread named'
}
for n in 1 4; do
    traced pthread "$targets/p_lock" "$n 30"
    check "pthread ($n): the program ends right" same "$(tail -n 1 t.out)" right
    check "pthread ($n): locks, waits, semaphores, threads" \
        same "$(echo $(lock_counts))" "$(echo $(awk '/^mutex/ { exit } { print $2 }' t.out))"
    check "pthread ($n): a free mutex blocks nobody" same "$(told 'state Blocked on a mutex')" "$(own mutex)"
    check "pthread ($n): critical sections of each thread" \
        same "$(sed -n 's/^state Critical Section of //p' told | sort)" "$(grep '^[0-9]' t.out | sort)"
    check "pthread ($n): every state ends" lacks told '^open '
done
traced pthread "$targets/p_lock" "4 30 shared"
check "pthread: all on one mutex: the program ends right" same "$(tail -n 1 t.out)" right
check "pthread: all on one mutex" same "$(told 'state Critical Section')" "$(own held)"
"$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -of lock -json" >locks.json 2>&1
"$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -of lock -by thread -json" >threads.json 2>&1
locks() { # FILE EXPRESSION-OVER-s, the rows of critical sections
    python3 -c 'import json, sys
s = [r for r in json.load(open(sys.argv[1]))["rows"] if r["function"] == "Critical Section"]
print(eval(sys.argv[2]))' "$@"
}
check "pthread: by lock: all sections" same "$(locks locks.json 'sum(r["calls"] for r in s)')" "$(own held)"
check "pthread: by lock: one of them has nearly all" \
    same "$(locks locks.json 'max(r["calls"] for r in s) * 2 > sum(r["calls"] for r in s)')" True
check "pthread: by lock and thread: the same in all" \
    same "$(locks threads.json 'sum(r["calls"] for r in s)') $(locks threads.json 'len({r["thread"] for r in s}) >= 4')" "$(own held) True"

# ---- counters: a script names the functions ----------------------------------------------------------
cat >counters.tpl <<'SCRIPT'
BEGIN_MODULE
NAME count_it
DESC "what calls use"
ID 70
long touch(char *p, int pages)
BEGIN
    COUNTERS
END
void doze(long ns)
BEGIN
    RECORD_STATE("Dozing")
    PAPI()
    CALL_FUNC
END
END_MODULE
SCRIPT
counters() { # FUNCTION COUNTER EXPRESSION-OVER-r
    python3 -c 'import json, sys
_, function, counter, what = sys.argv
rows = json.load(open("counters.json"))["counters"]
print(*[int(eval(what)) for r in rows if r["function"] == function and r["counter"] == counter])' "$@"
}
check "counters: compiled" "$top_builddir/eztsh-modc" counters.tpl
# The program counts around each call, the samples within it: what recording a call touches for the first
# time (a page of the ring, of the runtime) is a page fault to the program, and to the samples where it
# falls between them. The calls themselves touch 744.
traced ./count_it.so "$targets/p_counters" "6 124"
"$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -json" >counters.json 2>counters.err
check "counters: the program ends right" same "$(tail -n 1 t.out)" right
faults=$(counters 'Doing function touch' page-faults 'r["total"]')
check "counters: each call" same "$(counters 'Doing function touch' page-faults 'r["calls"]')" 7
check "counters: page faults of each call ($faults of $(own faults))" \
    eval '[ "$faults" -ge 744 ] && [ "$faults" -le 748 ] && [ "$faults" -le "$(own faults)" ]'
check "counters: a call that sleeps is switched" [ "$(counters Dozing context-switches 'r["min"]')" -ge 1 ]
check "counters: and needs less time than it takes" [ "$(counters Dozing task-clock 'r["total"]')" -lt 2000000 ]
check "counters: as variables" grep -q '"variable": "page-faults per second"' counters.json

# A function with counters and without a state has them itself, not the state around it.
cat >around.c <<'END'
__attribute__((noipa)) long burn(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i; return s; }
__attribute__((noipa)) long late(long n) { return burn(n) + 1; }
__attribute__((noipa)) long outer(int k) { long s = k; for (int i = 0; i < 3; i++) s += burn(1000); return s; }
int main(void) { long s = 0; for (int i = 0; i < 5; i++) s += outer(i); for (int i = 0; i < 4; i++) s += late(1000); return s == 0; }
END
cat >around.tpl <<'SCRIPT'
BEGIN_MODULE
NAME around
DESC "what calls use"
ID 71
long burn(long n)
BEGIN
    ADD_VAR("n", n)
    COUNTERS
END
long late(long n)
BEGIN
    COUNTERS
    RECORD_STATE("Late")
END
long outer(int k)
BEGIN
    RECORD_STATE("Outer")
END
END_MODULE
SCRIPT
check "counters: without a state: compiled" "$top_builddir/eztsh-modc" around.tpl
if "${CC:-cc}" -g -O1 -o around around.c; then
    rm -f ./*.fxt
    "$eztsh" -nx -batch -m ./around.so -ex run ./around >log 2>&1
    "$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -json" >counters.json 2>counters.err
    check "counters: a function without a state has its own" same "$(counters 'Doing function burn' task-clock 'r["calls"]')" 19
    check "counters: so has one whose state begins later" same "$(counters 'Doing function late' task-clock 'r["calls"]')" 4
    check "counters: the state around it has none" same "$(counters Outer task-clock 'r["calls"]')$(counters Late task-clock 'r["calls"]')" ''
fi

# ---- all at once, with another allocator and threads ------------------------------------------------
redis() { redis-cli -s "$work/redis" "$@"; }
saw_much() {
    [ "$(told 'event malloc')" -gt 100 ] && [ "$(told 'state Reading')" -gt 30 ] &&
        [ "$(told 'state Critical Section')" -gt 10 ]
}
redis_asks() {
    until_ok 10 redis ping >/dev/null 2>&1
    for i in 1 2 3 4 5 6 7 8 9 10; do echo "set key$i $(head -c 9000 big | od -An -v -tx1 | tr -d ' \n' | head -c ${i}000)"; done | redis
    for i in 1 2 3 4 5 6 7 8 9 10; do echo "get key$i"; echo "append key$i $i"; echo "strlen key$i"; done | redis
    redis save
    redis shutdown nosave
}
if command -v redis-server >/dev/null && command -v redis-cli >/dev/null; then
    server=$(command -v redis-server) options="--port 0 --unixsocket $work/redis --save '' --daemonize no"
    (trap - EXIT && redis_asks) >want 2>&1 3>&- &
    client=$!
    children="$children $client"
    eval "timeout -k 5 $limit $server $options" >t.out 2>&1 </dev/null
    wait "$client"
    rm -f ./*.fxt
    (trap - EXIT && redis_asks) >got 2>&1 3>&- &
    client=$!
    children="$children $client"
    timeout -k 5 $limit "$eztsh" -nx -batch -m memory -m io -m pthread -ex "run $options >t.out 2>&1" \
        "$server" >log 2>&1 </dev/null
    wait "$client"
    check "all: redis answers the same" cmp got want
    check "all: redis answers at all" same "$(grep -c "^10002$" got) $(tail -n 1 want)" "2 OK"
    check "all: redis: the ledger adds up, and nothing was lost" whole_ledger
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt) -t chrome -o t.json" >convert.out 2>&1
    for m in memory io pthread; do python3 "$top_srcdir/tests/procs/modules.py" t.json $m >>told.all; done
    sort -u told.all >told
    check "all: redis: what each saw" saw_much
    check "all: redis: no memory below 0" never_negative
else
    skip "modules: no redis here"
fi

# ---- on and off, while four threads are in malloc nearly always --------------------------------------
rm -f stop ./*.fxt
target "$targets/p_module" 4 malloc stop
until_ok 10 has t.out '^ready'
shell_start -p "$pid"
say 'continue &'
for round in 1 2 3; do
    for m in memory io pthread; do say "module load $m"; done
    moved "$pid" 5
    for m in memory io pthread; do say "module unload $m"; done
done
shell_end
touch stop
reap "$pid"
check "live: the program ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "live: loaded each time" same "$(grep -c ' functions* replaced' log)" 9
check "live: the ledger adds up" ledger_ok

finish

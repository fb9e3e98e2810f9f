#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# real.sh - aggregates and collected values in programs that others wrote: sqlite3, and redis-server under
# load. What they answer is unchanged, and the counts are those that they claim themselves.
. "${top_srcdir:-.}/tests/procs/lib.sh"

have() { command -v "$1" >/dev/null 2>&1; }
# What the last session's log says that it did not find.
missing() { sed -n 's/.*\(Function "[^"]*" not defined[^.]*\).*/\1/p' log | tail -1; }

# ---- sqlite3 ---------------------------------------------------------------------------------------------
sqlite_db() {
    sqlite3 x.db 'create table t(a integer primary key, b text); with recursive c(x) as (select 1
        union all select x+1 from c where x<2000) insert into t select x, "row " || x from c;'
}
if have sqlite3 && sqlite_db 2>/dev/null; then
    question='select count(*), sum(a), max(b) from t'
    sqlite3 x.db "$question" >native.out
    for function in sqlite3VdbeExec sqlite3_step; do
        rm -f ./*.fxt
        { echo "hist $function"; echo "probe libc.so.6:pread64 collect \$args, \$ret"
          echo "run x.db '$question' >t.out"; echo 'info aggregates -json'; echo 'stats'; } >script.ezt
        batch -x script.ezt sqlite3
        if ! grep -q '"hits": [1-9]' log; then
            echo "skip - sqlite3, hist $function: $(missing)"
            continue
        fi
        check "sqlite3, $function: the answer is the same" cmp native.out t.out
        check "sqlite3, $function: calls took time" has log '"hits": [1-9][0-9]*, "sum": [1-9]'
        check "sqlite3, $function: pages are read" has log '^pread64 +count +entry +[1-9]'
        check "sqlite3, $function: with results" has log '^pread64 +\$ret +exit +[1-9]'
        check "sqlite3, $function: the trace has the histogram" has log "^1: hist $function$"
        check "sqlite3, $function: the ledger" ledger_ok
    done
else
    echo 'skip - sqlite3: it is not installed'
fi

# ---- redis -------------------------------------------------------------------------------------------------
answers() { redis-cli -s r.sock ping 2>/dev/null | grep -q PONG; }
processed() { redis-cli -s r.sock info stats | sed -n 's/^total_commands_processed:\([0-9]*\).*/\1/p'; }
called() { redis-cli -s r.sock info commandstats | sed -n "s/^cmdstat_$1:calls=\\([0-9]*\\).*/\\1/p"; }
hits() { sed -n "s/.*\"key\": \"$1\", \"hits\": \\([0-9]*\\).*/\\1/p" log | tail -1; }
if have redis-server && have redis-cli && have redis-benchmark; then
    target redis-server --port 0 --unixsocket "$work/r.sock" --save '' --appendonly no
    until_ok 20 answers
    shell_start -p "$pid"
    say 'count processCommand'
    say 'count setCommand by $thread'
    say 'hist processCommand'
    if grep -qE '^Aggregate [0-9]+ at processCommand' log; then
        before=$({ say 'continue &'; processed; })
        redis-benchmark -s r.sock -q -n 20000 -c 8 -t set,get >bench.out 2>&1
        redis-cli -s r.sock set key 'a value' >/dev/null
        check 'redis: it answers' same "$(redis-cli -s r.sock get key)" 'a value'
        sets=$(called set)
        after=$(processed)
        say 'interrupt'
        say 'info aggregates -json'
        # the first INFO counts in `after`, the last one in the hits alone
        check 'redis: as many commands as it says' same "$(hits '')" "$((after - before + 1))"
        if grep -qE '^Aggregate [0-9]+ at setCommand' log; then
            check 'redis: SET as often as it says, in one thread' same "$(hits "$pid")" "$sets"
        else
            echo "skip - redis by command: $(missing)"
        fi
        say 'detach'
        shell_end
        check 'redis: it lives on' answers
    else
        echo "skip - redis: $(missing)"
        shell_end
    fi
    redis-cli -s r.sock shutdown nosave >/dev/null 2>&1
    kill -KILL "$pid" 2>/dev/null
else
    echo 'skip - redis: redis-server, redis-cli and redis-benchmark are not installed'
fi

finish

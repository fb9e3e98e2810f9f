#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_programs.sh - programs of the distribution, every function of every object
# probed: same output, same status, and a ledger that adds up.
. "${top_srcdir:-.}/tests/lib.sh"

# try NAME PROG ARG...
try() {
    name=$1
    shift
    native "$@"
    for mode in -count -record; do
        probed "probe $mode -r *:." "$@"
        same "$name, every function, $mode"
        ledger "$name, every function, $mode: ledger"
        n=$(sed -n 's/^Planted \([0-9]*\) of .*/\1/p' log | sort -n | tail -n 1)
        [ "${n:-0}" -gt 1000 ] && pass "$name: $n functions planted, $mode" ||
            fail "$name: ${n:-0} functions planted, $mode" log
        rm -rf traces/*
    done
}

if [ -x /bin/gzip ]; then
    seq 1 60000 >data
    cat /bin/gzip >>data
    try "gzip" /bin/gzip -6 -n -c data
else
    skip "gzip is not installed"
fi

if [ -x /usr/bin/sqlite3 ]; then
    cat >load.sql <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into t select i, printf('%05d-%s', i * 7919 % 3001, hex(i)), i / 7.0 from n;
create index tb on t(b);
select count(*), sum(a), round(avg(c), 6) from t where b glob '0*';
update t set c = c * 2 where a % 3 = 0;
select substr(b, 1, 2) k, count(*), round(sum(c), 3) from t group by k order by k limit 7;
select a, b from t order by b desc limit 5;
with recursive f(n, a, b) as (select 1, 0, 1 union all select n + 1, b, a + b from f where n < 60)
    select max(a) from f;
delete from t where a > 100;
select group_concat(a, ',') from (select a from t order by c desc limit 9);
END
    try "sqlite3" /usr/bin/sqlite3 -batch -init load.sql :memory: .quit
else
    skip "sqlite3 is not installed"
fi

if [ -x /usr/bin/python3 ]; then
    cat >load.py <<'END'
import json, re, threading, zlib, hashlib, random
random.seed(7)
data = [{"k": i, "v": [random.random() for _ in range(5)], "s": "x%d" % i} for i in range(60)]
text = json.dumps(data, sort_keys=True)
assert json.loads(text) == data
print(len(re.findall(r"\d+\.\d+", text)), hashlib.sha256(text.encode()).hexdigest())
total, lock = [], threading.Lock()
def work(n):
    s = sum(zlib.crc32(b"%d" % i) for i in range(n))
    try:
        raise ValueError(n)
    except ValueError as e:
        with lock:
            total.append((s, e.args))
threads = [threading.Thread(target=work, args=(200 + i,)) for i in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(total))
raise SystemExit(7)
END
    try "python3" /usr/bin/python3 -S load.py
else
    skip "python3 is not installed"
fi
# lua's main loop is a computed goto.
lua=$(command -v lua5.4 || command -v lua)
if [ -n "$lua" ]; then
    cat >load.lua <<'END'
local t, s = {}, 0
for i = 1, 3000 do t[i] = string.format("%05d-%s", i * 7919 % 3001, i % 7) end
table.sort(t)
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local co = coroutine.wrap(function() for i = 1, 50 do coroutine.yield(i // 3 ~ i) end end)
for i = 1, 50 do s = s + co() * (i % 2 == 0 and 1.5 or 2) end
local mt = setmetatable({}, { __index = function(_, k) return k .. "!" end, __concat = function() return "c" end })
print(fib(16), s, t[1], t[3000], mt.a, mt .. 1, pcall(error, 1), select("#", table.unpack(t, 1, 100)))
for k, v in string.gmatch("a=1, b=2", "(%w+)=(%w+)") do io.write(k, v * 2, " ") end
print(#table.concat(t, ","), math.maxinteger // -3, 7 // 0.0, -7 % 3, ("x"):rep(3))
os.exit(5)
END
    try "lua" "$lua" load.lua
else
    skip "lua is not installed"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# values.sh - what probes collected, as every reader shows it: events while they come, formats, stats.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_data
has() { grep -qF -e "$2" "$1"; } # no pattern: $ and * are part of the names
lacks() { ! has "$1" "$2"; }

# ---- while they are recorded -------------------------------------------------------------------------
cat >script.ezt <<'END'
probe work collect $arg0:d, $farg0, $arg1:str, *(int *)$arg2 return $ret:d, $arg0:d
probe entry pthread_create collect $arg2:hex(3), $arg2:a, (void *)$arg2, (void *)$arg3
run 1 12 >t.out 2>claims
events 100
END
batch -return-child-result -x script.ezt "$prog"
cp log live
trace=$(echo ./*.fxt)
check 'live: of an entry' has live 'entry work  $arg0=6 $farg0=1.5 $arg1="two" *(int*)$arg2=6'
check 'live: what could not be read' has live '$arg0=5 $farg0=1.25 $arg1="one" *(int*)$arg2=<fault>'
check 'live: of an exit' has live 'exit  work  $ret=16 $arg0=6  '
check 'live: a function by its name' grep -q 'entry pthread_create  $arg2=[0-9a-f ]* $arg2#2=0x[0-9a-f]* <thread> ' live
check 'live: a pointer that is one' \
    grep -q '(void\*)$arg2=0x[0-9a-f]* <thread> (void\*)$arg3=0x[0-9a-f]*$' live
batch -ex "events $trace 100"
values_of() { # FILE: functions and values of its lines
    sed -n '/ ms .*=/{s/^ *[0-9.]* ms *[0-9]* *[a-z]* *//; s/  [0-9.]* [num]*s$//; p}' "$1" | sort
}
check 'a file: the same as live' same "$(values_of log)" "$(values_of live)"

# A call that an exception leaves has no values, and says so. The threads throw for as long as children are forked.
batch -ex 'probe sink collect $arg0:d return $ret:d' -ex 'run forks 40 >t.out' -ex 'events 40' \
    "$targets/p_unwind"
check 'live: an exit that is no return' grep -q 'exit  sink  [0-9.]* [num]*s  unwound$' log

# ---- formats ------------------------------------------------------------------------------------------
convert() { # FILE: in the format of its suffix
    batch -ex "convert $trace -o $1"
}
convert v.csv
check 'csv: of a call' has v.csv ',"$arg0=6 $farg0=1.5 $arg1=""two"" *(int*)$arg2=6 $ret=16 $arg0=6"'
check 'csv: of a point' grep -q ',pthread_create,libc.so.6,,.*,$arg2=[0-9a-f ]* $arg2#2=0x[0-9a-f]* <thread> ' v.csv
batch -ex "convert $trace -columns -o c.csv"
cat >columns.py <<'END'
import csv
rows = list(csv.DictReader(open("c.csv", newline="")))
assert list(rows[0])[17:] == ["$arg0", "$farg0", "$arg1", "*(int*)$arg2", "$ret", "return $arg0",
    "$arg2", "$arg2#2", "(void*)$arg2", "(void*)$arg3"], list(rows[0])
work = sorted((r for r in rows if r["function"] == "work"), key=lambda r: int(r["$arg0"]))
assert [r["$arg0"] for r in work] == [r["return $arg0"] for r in work] == [str(n) for n in range(12)]
assert [float(r["$farg0"]) for r in work] == [n / 4 for n in range(12)]
assert [r["$arg1"] for r in work] == ["zero", "one", "two", "0x0"] * 3
assert work[6]["$ret"] == "16" and work[5]["*(int*)$arg2"] == "<fault>" and work[6]["$arg2"] == ""
made = [r for r in rows if r["function"] == "pthread_create"]
assert len(made) == 1 and made[0]["$arg2#2"].endswith(" <thread>") and made[0]["$arg0"] == "", made
END
check 'csv -columns: a column each item' python3 columns.py
batch -ex "convert $trace -columns -o c.json"
check 'csv -columns: other formats have none' has log '-columns: the chrome format has no columns. Use -t csv.'
convert v.json
cat >typed.py <<'END'
import json
events = json.load(open("v.json"))["traceEvents"]
work = [e for e in events if e["name"] == "work"]
begin = [e["args"] for e in work if e["ph"] == "B"]
end = [e["args"] for e in work if e["ph"] == "E"]
assert [a["$arg0"] for a in begin] == list(range(12)), begin
assert [a["$farg0"] for a in begin] == [n / 4 for n in range(12)]
assert [a["$arg1"] for a in begin] == ["zero", "one", "two", "0x0"] * 3
assert [a["*(int*)$arg2"] for a in begin] == ["<fault>" if n % 5 == 0 else 40 if n & 1 else n for n in range(12)]
assert [a["$ret"] for a in end][6] == 16 and [a["$arg0"] for a in end] == list(range(12))
made = [e["args"] for e in events if e["name"] == "pthread_create"]
assert len(made) == 1 and made[0]["$arg2#2"].endswith(" <thread>"), made
assert made[0]["(void*)$arg2"] == made[0]["$arg2#2"] and made[0]["(void*)$arg3"].startswith("0x7f")
END
check 'chrome: types and values' python3 typed.py
if command -v otf2-print >/dev/null && grep -q '^#define HAVE_OTF2 1' "$top_builddir/config.h"; then
    convert v.otf2
    otf2-print -A -Werror v.otf2/traces.otf2 >otf2.out 2>&1
    check 'otf2: of an entry' has otf2.out 'INT64; 6), ("$farg0"'
    check 'otf2: a double' grep -q '("$farg0" <[0-9]*>; DOUBLE; 1.5)' otf2.out
    check 'otf2: a text' grep -q '("$arg1" <[0-9]*>; STRING; "two" <[0-9]*>)' otf2.out
    check 'otf2: of an exit' grep -q '("$ret" <[0-9]*>; INT64; 16), ("$arg0" <[0-9]*>; INT64; 6)' otf2.out
    check 'otf2: an address' grep -q '("(void\*)$arg3" <[0-9]*>; UINT64; 1[0-9]*)' otf2.out
fi
convert v.trace
check 'paje: says what it leaves out' has log 'what probes collected is left out'
batch -ex "report $trace -o v.html"
left_out || check 'report: of a call' has v.html '"$arg0=6 $farg0=1.5 $arg1=\"two\" *(int*)$arg2=6 $ret=16 $arg0=6"'
left_out || check 'report: of a point' grep -q '^"point_values":.*$arg2=[0-9a-f ]* $arg2#2=0x[0-9a-f]* .u003cthread>' v.html
check 'fxt_print: words' trace_valid "$trace"

batch -ex "probe 'libc.so.6:long write(int, char *, long)' collect \$arg1:str" -ex "run 'a\\z' >t.out" -ex 'events 9' /bin/echo
check 'a backslash is escaped once' has log '$arg1="a\\z\n'

# ---- stats --------------------------------------------------------------------------------------------
batch -ex "stats $trace"
check 'stats: numbers' grep -q '^work  *$farg0  *entry  *12  *0  *1.375  *0  *2.75  *16.5$' log
check 'stats: what could not be read' grep -q '^work  *\*(int\*)$arg2  *entry  *9  *3  ' log
check 'stats: of results' grep -q '^work  *$ret  *exit  *12  *0  *27.3333333333333  *4  *54  *328$' log
batch -ex "stats $trace -json" && cp log stats.json
cat >stats.py <<'END'
import json
rows = {(r["item"], r["at"]): r for r in json.load(open("stats.json"))["values"] if r["function"] == "work"}
assert len(rows) == 6, rows
r = rows["$arg0", "entry"]
assert (r["count"], r["other"], r["min"], r["max"], r["mean"], r["sum"]) == (12, 0, 0, 11, 5.5, 66), r
r = rows["$arg1", "entry"]
assert r["count"] == 0 and r["other"] == 12 and "sum" not in r, r
END
check 'stats: as JSON' python3 stats.py
batch -ex "stats $trace -of \$arg1"
check 'stats -of: a heading' grep -q '^$arg1  *Function  *Calls' log
check 'stats -of: calls of a value' grep -q '^"two"  *work  *3 ' log
check 'stats -of: a text that is not there' grep -q '^0x0  *work  *3 ' log
batch -ex "stats $trace -of \$arg1 -by thread"
check 'stats -of: by thread' grep -q '^p_data [0-9]*  *"zero"  *work  *3 ' log
batch -ex "stats $trace -of \$ret"
check 'stats -of: results' grep -q '^16  *work  *1 ' log
check 'stats -of: as many as calls' same "$(grep -c '  work  *[1-9]' log)" 12
batch -ex "stats $trace -of nosuch"
check 'stats -of: what there is' has log 'There is data about $arg2, $arg2#2, (void*)$arg2, (void*)$arg3, $arg0, $farg0, $arg1, *(int*)$arg2, $ret'
batch -ex "timeline $trace -of \$arg1"
check 'timeline: a letter for each value' \
    same "$(sed -n 's/^  [A-Z]  *[0-9.]* %  //p' log | sort | tr '\n' ' ')" '$arg1 "one" $arg1 "two" $arg1 "zero" $arg1 0x0 '
batch -ex "timeline $trace -of nosuch"
check 'timeline: nothing is about it' has log 'No call in the trace has data about "nosuch".'

# ---- other ways to the same trace ---------------------------------------------------------------------
told() { batch -ex "events $1 1000"; sed -n '/ ms .*=/{s/^ *[0-9.]* ms *//; s/  [0-9.]* [num]*s$//; p}' log | sort; }
want=$(told "$trace")
check 'the trace: all values' same "$(echo "$want" | grep -c =)" 25
cp "$trace" cut.fxt
printf 'torn' >>cut.fxt
truncate -s -2 cut.fxt
batch -ex 'trace repair cut.fxt'
check 'repaired: the same' same "$(told cut.fxt)" "$want"
if grep -qs '^#define HAVE_ZSTD 1' "$top_builddir/config.h"; then
    batch -ex 'set trace-compress on' -ex 'trace packed.fxt' -ex 'probe work collect $arg0:d, $arg1:str return $ret:d' \
        -ex 'run 1 12 >t.out 2>claims' -ex 'trace export plain.fxt' "$prog"
    check 'compressed: the values are there' same "$(told packed.fxt | grep -c '$arg1="two"')" 3
    check 'compressed: exported, the same' same "$(told plain.fxt)" "$(told packed.fxt)"
fi

# Ranks with items of their own, of one program: the same ids and other expressions.
for rank in 0 1; do
    env OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=job@7 timeout -k 5 $limit "$eztsh" -nx -batch \
        -ex "trace rank$rank.fxt" -ex "probe work collect \$arg0+$rank:d" -ex 'probe entry pthread_create collect $arg2:a' \
        -ex 'run 1 5 >t.out 2>claims' "$prog" >log 2>&1 </dev/null
done
batch -ex 'events rank0.fxt rank1.fxt 1000'
check 'ranks: each by its own names' same "$(grep -c '$arg0+0=[0-4] *$' log) $(grep -c '$arg0+1=[1-5] *$' log)" '5 5'
check 'ranks: the names of their functions' same "$(grep -c '$arg2=0x[0-9a-f]* <thread>$' log)" 2
batch -ex 'stats rank0.fxt rank1.fxt'
check 'ranks: sums' grep -q '^work  *$arg0+1  *entry  *5  *3  *1  *5  *15$' log
batch -ex 'stats rank0.fxt rank1.fxt -of $arg2'
check 'ranks: an address means something in its process alone' same "$(grep -c '^0x[0-9a-f]* <thread> (rank [01]: .*pthread_create  *1' log)" 2

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh - `make bench`: the figures of the README. Prints; asserts nothing.
# Environment: CC, EZTSH, EZT_GTG, top_srcdir, top_builddir (made by make).
here=$top_builddir/tests/bench
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT INT TERM

# Two sizes of the ring answer two questions. 16 MiB hold a round of a kernel, and each begins with
# an empty ring: what does a probe cost? 1 MiB, the default, do not: what does a thread pay that does nothing but hit? That
# depends on how fast the drain thread and the disk are. The bounds are for the probe; a run in
# which the thread slept for room did not measure the probe alone.
cost() { # EXIT-MODE RING-KIB
    echo "== cost per call, exits by $1, rings of $2 KiB"
    [ "$2" = 16384 ] && EZT_PAUSE=1 || EZT_PAUSE=
    export EZT_PAUSE
    EZTRACE_TRACE_DIR=$dir FUT_FILE=$dir/fut.trace EZT_EXITS=$1 \
        "$EZTSH" -q -nx -batch -ex "set ring-size $2" -ex "set exit-mode $1" \
        -ex 'probe -count c_exe c_lib' -ex 'probe r_exe r_lib' -ex 'probe entry e_exe' \
        -ex "module load $here/calls_module.so" -ex "run" "$here/calls_preloaded" |
        grep -vE '^(Probe|Module|Starting|Recording)'
    rm -f "$dir"/*
}
cost call-through 16384
cost slots 16384
cost call-through 1024
cost slots 1024

echo "== conditions, values and aggregates: per call, over the bare call"
cat >"$dir/data.ezt" <<'END'
set ring-size 16384
probe -count k_count
probe entry k_entry
probe k_both
probe entry k_two collect $arg0:d, $arg1:d
probe k_result return $ret:d
probe entry k_text collect $arg2:str
probe entry k_heap collect $arg3:str
probe -count entry k_false if $arg0 == 99
probe -count entry k_true if $arg0 != 99
probe -count entry k_inter if $arg0 * 3 + $arg1 == -7 && $arg0 > 5
count k_keyed by $arg0
hist $arg1 at k_hist
hist k_latency
dprintf k_line,"x=%d y=%ld\n",$arg0,$arg1
dprintf k_line_text,"x=%d %s\n",$arg0,$arg2
probe -count entry k_stop if $arg0 == 99 do stop
END
cat >"$dir/data.spec" <<'END'
file="*" line=1 code="#include <stdlib.h>"
entry routine="k_frag_empty" code=""
exit routine="k_frag_empty" code=""
decl routine="k_frag_count" code="static int n;"
entry routine="k_frag_count" code="n++;"
entry routine="k_frag_calls" code="rand();"
END
printf 'spec load %s\nrun\n' "$dir/data.spec" >>"$dir/data.ezt"
XDG_CACHE_HOME=$dir EZTRACE_TRACE_DIR=$dir "$EZTSH" -q -nx -batch -x "$dir/data.ezt" "$here/data" | grep ' ns$'
rm -rf "$dir"/*

echo "== eight threads, one probe"
for mode in call-through slots; do
    printf '%s: ' "exits by $mode"
    "$EZTSH" -q -nx -batch -ex "set exit-mode $mode" -ex 'probe -count c_exe' -ex run \
        "$here/threads" | grep '^count'
done

echo "== per call, beside other tools"
sh "$top_srcdir/tests/bench/peers.sh"

# The rings hold all of a run. Two calls a way; the least of nine runs, for others disturb each.
pingpong() { # IMPLEMENTATION COMMAND...
    impl=$1
    shift
    (cd "$dir" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        EZTRACE_TRACE_DIR=$dir "mpirun.$impl" -np 2 "$@" ./pingpong 20000 16 </dev/null 2>/dev/null) |
        awk '/ns one way/ { print $1 }'
}
for impl in openmpi mpich; do
    [ -e "$top_builddir/modules/mpi.so" ] && command -v mpirun.$impl >/dev/null &&
        mpicc.$impl -O2 "$top_srcdir/examples/pingpong.c" -o "$dir/pingpong" 2>/dev/null || continue
    echo "== module mpi, ping-pong of two ranks, $impl"
    printf '%s\n' 'set ring-size 16384' run >"$dir/run.ezt"
    for round in 1 2 3 4 5 6 7 8 9; do
        echo "$(pingpong $impl) $(pingpong $impl "$EZTSH" -q -nx -batch -m mpi -x "$dir/run.ezt" --args)"
        rm -f "$dir"/*.fxt
    done | awk 'NF == 2 { if (!n || $1 < bare) bare = $1; if (!n || $2 < with) with = $2; n++ }
        END { if (n) printf "one way %.0f ns, with the module %.0f: +%.0f ns a call (bound 100), %d runs\n",
            bare, with, (with - bare) / 2, n; else print "no run" }'
    rm -f "$dir"/*
done

echo "== planting"
"$here/plant" "$here/many"

echo "== a specification for a thousand routines of a program that stands at main"
printf '%s\n' 'decl code="static int n;"' 'entry code="n++;"' 'exit code="n--;"' |
    sed 's/ code/ routine~="^f_[0-9]{1,3}$" code/' >"$dir/many.spec"
milliseconds() { # EZTSH-ARGUMENT...
    start=$(date +%s%N)
    XDG_CACHE_HOME=$dir "$EZTSH" -q -nx -batch -ex start "$@" -ex kill "$here/many" >"$dir/log" 2>&1 </dev/null
    echo $((($(date +%s%N) - start) / 1000000))
}
bare=$(milliseconds)
for how in "compiled (bound 3000)" "from the cache (bound 100)" "from the cache (bound 100)"; do
    with=$(milliseconds -ex "spec load $dir/many.spec")
    echo "$how: $((with - bare)) ms; $(grep -o 'planted [0-9]*' "$dir/log")"
done

echo "== starting a program, probes on everything"
startup() { "$here/startup" "$EZTSH" "$here/startup_pre.so" "$@"; }
startup 15 30 "$here/many" "probe -r '^f_'"
startup 15 30 "$here/many" "probe -count -r '^f_'"
startup 15 30 "$here/many" "probe -r '*:.'"
for p in gdb python3; do # gdb has many libraries, python3 is on every machine
    p=$(command -v "/usr/bin/$p") && startup 7 - "$p" "probe -r '*:.'"
done

echo "== draining"
start=$(date +%s%N)
EZTRACE_TRACE_DIR=$dir "$EZTSH" -q -nx -batch -ex 'probe f_0' -ex 'run 10000000' "$here/many" |
    grep -E 'hits|events/s'
stop=$(date +%s%N)
size=$(cat "$dir"/many-*.fxt | wc -c)
ms=$(((stop - start) / 1000000))
echo "20,000,000 events in $ms ms, process start and end included: $((20000000 / ms * 1000)) events/s (bound 20,000,000)"
awk -v s="$size" 'BEGIN { printf "%.2f bytes an event in the file (bound 40)\n", s / 20000000 }'

echo "== compressed traces of real programs, all functions of the program or library probed"
packed() { # NAME LOCATION PROGRAM ARGUMENTS
    rm -f "$dir"/*.fxt
    EZTRACE_TRACE_DIR=$dir "$EZTSH" -q -nx -batch -ex 'set trace-compress on' -ex "probe -r $2" \
        -ex "run $4" "$3" >"$dir/log" 2>&1 || { cat "$dir/log"; return; }
    printf '%-22s ' "$1"
    "$here/trace" pack "$dir"/*.fxt
}
packed many '^f_' "$here/many" 1000000
if sqlite=$(command -v /usr/bin/sqlite3); then
    cat >"$dir/q.sql" <<'SQL'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i+1 from n where i<20000)
    insert into t select i, printf('row %d', i*7919%10007), i*0.5 from n;
create index x on t(b);
select count(*), sum(c) from t where b like 'row 1%';
select b, count(*) from t group by b order by 2 desc limit 3;
SQL
    packed sqlite3 libsqlite3.so.0:. "$sqlite" "-batch :memory: <$dir/q.sql >/dev/null"
fi
if redis=$(command -v /usr/bin/redis-server); then
    sock=$dir/redis.sock
    ask() { redis-cli -s "$sock" "$@" >/dev/null 2>&1; }
    (i=0; until ask ping || [ $((i += 1)) -gt 300 ]; do sleep 0.1; done
     redis-benchmark -s "$sock" -q -n 30000 -t set,get,lpush >/dev/null 2>&1
     ask shutdown nosave) &
    packed redis . "$redis" "--port 0 --unixsocket $sock --save '' --dir $dir >/dev/null"
    wait
fi
if py=$(command -v /usr/bin/python3); then
    packed python3 . "$py" "-S -c 'print(sum(hash(str(i)) % 7 for i in range(200000)))' >/dev/null"
fi

echo "== reading and converting, 10,000,000 events of 2 threads and 200 functions"
rm -f "$dir"/*
"$here/trace" write "$dir/t.fxt" 10000000
"$here/trace" read "$dir/t.fxt"
rate() { python3 "$top_srcdir/tests/bench/rate.py" 10 "$@"; }
rate stats "8, 64" "stats $dir/t.fxt"
# A filter may cost 0.3 of stats; criteria that need the end of a call read the trace twice.
rate "stats -function" "stats / 1.3" "stats $dir/t.fxt -function func_1"
rate "stats -no-pauses" "stats / 1.3" "stats $dir/t.fxt -no-pauses"
rate "stats -where" "stats / 1.3" "stats $dir/t.fxt -where depth<9&&thread!=7"
rate "stats -min" "stats / 1.3" "stats $dir/t.fxt -min 1ns"
rate "stats -where duration" "stats / 1.3" "stats $dir/t.fxt -where duration>0"
# The first look at a window makes the index of the trace. A second look at 100,000 events takes at most 100 ms.
XDG_CACHE_HOME=$dir/cache; export XDG_CACHE_HOME
rate "stats, late window" - "stats $dir/t.fxt -from 490ms"
window() { python3 "$top_srcdir/tests/bench/rate.py" 0.1 "$@"; }
window "a second look" "1, 64" "stats $dir/t.fxt -from 490ms -to 495ms"
"$here/trace" zstd "$dir/z.fxt" 10000000
window "a second look, zstd" "1, 64" "stats $dir/z.fxt -from 490ms -to 495ms"
rm -rf "$dir/z.fxt"
rate "stats -slowest" "stats / 1.3" "stats $dir/t.fxt -slowest 10"
rate "calltree" "stats / 1.3" "calltree $dir/t.fxt"
rate "timeline" "stats / 1.3" "timeline $dir/t.fxt"
rate "diff, of 20 M" "stats / 1.3" "diff $dir/t.fxt $dir/t.fxt"
rate "replay, 1/100 shown" - "replay $dir/t.fxt -function func_17$"
for f in otf2:8 chrome:3 perfetto:3 csv:- folded:- pprof:3 speedscope:3 callgrind:3 html:3; do
    rate "convert -t ${f%:*}" "${f#*:}, 64" "convert $dir/t.fxt -t ${f%:*} -o $dir/out.${f%:*}"
    rm -rf "$dir"/out*
done
if command -v chromedriver >/dev/null; then
    "$EZTSH" -nx -batch -ex "report $dir/t.fxt -o $dir/page.html" >/dev/null && python3 -B "$top_srcdir/tests/bench/page.py" "$dir" "$dir/page.html"
    rm -rf "$dir/page.html"
    mkdir "$dir/ranks" && "$here/ranks" write "$dir/ranks" 64 4 100000 20000000
    "$EZTSH" -nx -batch -ex "report $dir/ranks/*.fxt -max-size 200M -o $dir/page.html" >/dev/null &&
        echo "64 ranks with 4 threads, 100,000 functions:" && python3 -B "$top_srcdir/tests/bench/page.py" "$dir" "$dir/page.html"
    rm -rf "$dir/page.html" "$dir/ranks"
fi
for f in paje otf; do
    (cd "$dir" && "$here/gtg_alone" $f 10000000) |
        awk '{ printf "%-22s %6.1f M events/s\n", "libgtg alone, " $1, $4 / 1e6 }'
    rate "convert -t $f" "0.8 x that, 64" "convert $dir/t.fxt -t $f -o $dir/out.$f"
    find "$dir" -mindepth 1 ! -name t.fxt -delete
done

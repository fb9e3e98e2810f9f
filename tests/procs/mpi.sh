#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi.sh - module mpi, on jobs of Open MPI and of MPICH that count their own calls and messages; from
# C, and from Fortran by `mpi` and `mpi_f08`. A rank has its own eztsh and its own trace.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
if [ ! -e "$top_builddir/modules/mpi.so" ]; then
    skip "mpi: the module was not built"
    exit 77
fi
mpi_here
OMPI_MCA_pml=ob1; export OMPI_MCA_pml # nobody looks for networks: a job takes a third of the time
mpi_sleeps
${CC:-cc} -O2 -fPIC -c yield.c || { fail "mpi: yield.c does not compile"; finish; }
ranks=4
echo run >s.ezt

job() { timeout -k 5 $limit "mpirun.$mpi" -np "$@" </dev/null; }
all_right() { same "$(cat "$1".* 2>&1 | grep -c '^right$')" "$ranks"; } # WORD
# The program as a job without eztsh, and with it; its ranks' words are in right.* and told.*.
traced() { # NAME PROGRAM ARGUMENTS...
    what="$mpi: $1"
    shift
    rm -f ./*.fxt right.* told.*
    for _ in 1 2 3; do # at a load of 800 a rank of Open MPI alone did not end right
        job $ranks "$@" right >plain.out 2>&1
        ! all_right right || break
        cp plain.out t.out # a check that fails prints this
    done
    check "$what: without eztsh, too" all_right right
    job $ranks "$eztsh" -nx -batch -m mpi -x s.ezt --args "$@" told >log 2>&1
    check "$what: every rank ends right" all_right told
    check "$what: the result is the program's" same "$(grep -h '^result' told.*)" "$(grep -h '^result' right.*)"
    check "$what: the ledgers add up, and nothing was lost" whole_ledgers
    check "$what: no word of refused functions" lacks log 'refused: cannot'
    files=$(ls ./*.fxt | tr '\n' ' ')
    "$eztsh" -nx -batch -ex "stats -json $files" >stats.json 2>&1
    "$eztsh" -nx -batch -ex "stats -messages -json $files" >messages.json 2>&1
    check "$what: calls, messages, bytes" \
        python3 "$top_srcdir/tests/procs/mpi.py" stats.json messages.json told.*
}
whole_ledgers() { same "$(grep -cE ' hits = .* \+ 0 untraced \+ 0 dropped' log)" "$ranks"; }

built() { # COMPILER OUT OPTIONS...
    compiler=$1 out=$2
    shift 2
    "$compiler.$mpi" -DROUNDS=$rounds -O2 -g -o "$out" "$@" yield.o >log 2>&1 && [ -x "$out" ]
}

# ---- formats: every message is an arrow between threads of two ranks --------------------------------
messages() { sed -n 's/.*"messages": \([0-9]*\), "bytes".*/\1/p' messages.json | awk '{ n += $1 } END { print n + 0 }'; }
converted() { "$eztsh" -nx -batch -ex "convert $files -t $1 -o $2" >log 2>&1 </dev/null && [ -e "$2" ]; }
arrows() { # FILE: ids of flows that begin in one process and end in another, with their words
    python3 - "$1" <<'END'
import json, sys
begin = {}
n = 0
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if e["ph"] == "s":
        begin[e["id"]] = e
    if e["ph"] == "f":
        b = begin.pop(e["id"])
        assert b["args"] == e["args"] and list(e["args"]) == ["bytes", "tag", "communicator"] and b["ts"] <= e["ts"]
        n += b["pid"] != e["pid"]
assert not begin
print(n)
END
}
formats() {
    n=$(messages)
    check "$mpi: chrome" converted chrome x.json
    check "$mpi: chrome: a flow for each message" same "$(arrows x.json)" "$n"
    if command -v pj_dump >/dev/null; then
        check "$mpi: paje" converted paje x.trace
        pj_dump x.trace >pj 2>&1
        check "$mpi: paje: a link for each message" same "$(grep -c '^Link, .*message, rank . *.*, rank' pj)" "$n"
    else skip "$mpi: paje: no pj_dump"; fi
    if command -v otf2-print >/dev/null && converted otf2 x.otf2; then
        otf2-print x.otf2/traces.otf2 >otf2 2>&1
        check "$mpi: otf2: sends and receives" same "$(grep -cE '^MPI_I?SEND ' otf2) $(grep -cE '^MPI_I?RECV ' otf2)" "$n $n"
        check "$mpi: otf2: tag and bytes" has otf2 '^MPI_ISEND .*Receiver: .* Tag: 7, Length: 4'
        check "$mpi: otf2: a peer is named by its rank" same 0 "$(sed -nE 's/^MPI_I?(SEND|RECV) .*(Receiver|Sender): ([0-9]+) \("rank ([0-9]+):.*/\3 \4/p' otf2 | awk '$1 != $2' | wc -l)"
        otf2-print -G x.otf2/traces.otf2 >otf2 2>&1
        check "$mpi: otf2: the communicator is MPI's" has otf2 '^COMM  *0  Name: "MPI_COMM_WORLD"'
        check "$mpi: otf2: locations communicate by rank" same "$(grep COMM_LOCATIONS otf2 | grep -o '"rank [0-9]*:' | head -n 2 | tr -d '\n')" '"rank 0:"rank 1:'
        check "$mpi: otf2: calls are MPI's, with roles" has otf2 '^REGION .*"MPI_Isend" .*Role: POINT2POINT, Paradigm: "MPI"'
        check "$mpi: otf2: so is their group" has otf2 '^GROUP .*"mpi" .*REGIONS, Paradigm: "MPI"'
        check "$mpi: otf2: each region has a name" lacks otf2 '^REGION .* Name: ""'
    else skip "$mpi: otf2: no otf2-print, or built without OTF2"; fi
    "$eztsh" -nx -batch -ex "stats -messages $files" >table 2>&1
    check "$mpi: the table" has table '^rank 0: mpi_calls[^ ]* [0-9]+ +rank 1: mpi_calls[^ ]* [0-9]+ '"+$rounds +$((4 * rounds)) +4 +4 +4 "
    check "$mpi: the table's sum" has table "^all +$n "
    "$eztsh" -nx timeline $files -messages 3 -json >long.json 2>&1
    "$eztsh" -nx timeline $files -messages 3 >long.txt 2>&1
    check "$mpi: timeline: the longest messages are those of the trace" python3 - x.json long.json long.txt "$n" <<'END'
import json, re, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
name = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
begin, took = {}, []
for e in events:
    if e["ph"] == "s":
        begin[e["id"]] = e
    elif e["ph"] == "f":
        s = begin.pop(e["id"])
        took.append((round(1e3 * (e["ts"] - s["ts"])), round(1e3 * s["ts"]), s["tid"], e["tid"]))
took.sort(key=lambda m: (-m[0], m[1]))
long = json.load(open(sys.argv[2]))["messages"]
got = [(m["received_ns"] - m["sent_ns"], m["sent_ns"], m["from"], m["to"]) for m in long]
assert len(got) == 3 and [m[0] for m in got] == [m[0] for m in took[:3]], (got, took[:5])
for m, (_, sent, source, to) in zip(got, took):
    assert m[1] == sent and name[source] in m[2] and name[to] in m[3], (m, name[source], name[to])
text = open(sys.argv[3]).read()
rest = int(sys.argv[4]) - 3
assert re.search("\n%d more messages? took less time or the same\\." % rest, text), text
END
}

# ---- late: who waits for whom, as the times of the calls and messages say --------------------------------
# On a busy machine any rank may be late, so the waits are computed again from x.json: a receive waits from its start
# until the message is sent, a send until the receive begins. Each message of this program has a receive of its own.
late() {
    python3 - x.json <<'END'
import collections, json
rank, calls, sent, stack = {}, collections.defaultdict(list), {}, collections.defaultdict(list)
said, want = collections.Counter(), collections.Counter()
rows = json.load(open("x.json"))["traceEvents"]
for e in rows:
    if e["name"] == "process_name":
        rank[e["pid"]] = e["args"]["name"].split(":")[0]
    elif e["ph"] == "B":
        stack[e["tid"]].append((e["name"], e["ts"]))
    elif e["ph"] == "E":
        name, ts = stack[e["tid"]].pop()
        calls[e["pid"]].append((name, ts, e["ts"]))
    elif e["ph"] == "C" and e["name"].startswith("Late "):
        said[rank[e["pid"]], e["name"].split(" [")[0]] = e["args"]["value"]
call = lambda e, *names: next(c for c in calls[e["pid"]] if c[0] in names and c[1] <= e["ts"] <= c[2])
for e in rows:
    if e["ph"] == "s":
        sent[e["id"]] = e
    elif e["ph"] == "f":
        s = sent.pop(e["id"])
        _, posted, done = call(e, "MPI_Recv")
        want[rank[e["pid"]], "Late sender"] += max(0, min(s["ts"], done) - posted) / 1e6
        _, begin, end = call(s, "MPI_Send", "MPI_Ssend")
        if begin < posted < end:
            want[rank[s["pid"]], "Late receiver"] += (posted - begin) / 1e6
print(said, want)
assert all(abs(said[k] - want[k]) < 2e-5 for k in set(said) | set(want))
assert want["rank 0", "Late sender"] + want["rank 1", "Late receiver"] > 0
END
}

# ---- on and off, while two ranks are at it; two traces of one rank ------------------------------------
live() {
    rm -f ./*.fxt pid.* told.* stop
    target timeout -k 5 $limit "mpirun.$mpi" -np 2 ./mpi_edges.$mpi keep told
    until_ok 20 test -s pid.0
    shell_start -p "$(cat pid.0)"
    say 'continue &'
    for round in 1 2 3; do
        say 'module load mpi'
        moved "$(cat pid.0)" 20
        say 'module unload mpi'
    done
    say 'module load mpi'
    moved "$(cat pid.0)" 20
    say detach
    shell_end
    check "$mpi, live: loaded each time" same "$(grep -c ' functions* replaced' log)" 4
    check "$mpi, live: the ledger adds up" ledger_ok
    mkdir -p first
    mv ./*.fxt first
    shell_start -p "$(cat pid.0)" # the module is in the process already
    say 'module load mpi'
    say 'continue &'
    moved "$(cat pid.0)" 20
    say detach
    shell_end
    touch stop
    reap "$pid"
    check "$mpi, live: the ranks end right" same "$trc $(cat told.* | grep -c '^right$')" "0 2"
    check "$mpi, a second shell: the ledger adds up" ledger_ok
    for shell in first .; do
        "$eztsh" -nx -batch -ex "stats -messages $(ls $shell/*.fxt)" >log 2>&1
        check "$mpi, live: what that means for messages is said ($shell)" has log '^1 process was not seen all the time since'
    done
    rm -rf first
}
twins() { # of the last job's
    set -- ./*rank0*.fxt
    cp "$1" twin.fxt
    "$eztsh" -nx -batch -ex "stats -messages $files twin.fxt" >log 2>&1
    check "$mpi: two traces of one rank" has log '^1 process has a rank that another has, too'
    rm -f twin.fxt
}

for mpi in openmpi mpich; do
    if ! command -v mpicc.$mpi >/dev/null || ! command -v mpirun.$mpi >/dev/null; then
        skip "mpi: no mpicc.$mpi or mpirun.$mpi here"
        continue
    fi
    program=./mpi_calls.$mpi
    rounds=20
    [ $mpi = openmpi ] || rounds=7 # ranks of MPICH burn a processor while they wait
    check "$mpi: builds" built mpicc "$program" -pthread "$top_srcdir/tests/targets/mpi_calls.c"
    # A job of its own: ring, which the formats count, and threads, which begins MPI in another way.
    for part in ring ping_pong,persistent,collectives,both_ways,polls,probes,one_sided,cancelled,files threads; do
        traced $part "$program" $part
        [ $part != ring ] || formats
    done
    check "$mpi: edges: builds" built mpicc ./mpi_edges.$mpi -w -pthread "$top_srcdir/tests/targets/mpi_edges.c"
    traced edges ./mpi_edges.$mpi many,freed,parted,at_once,errors
    twins
    live
    traced late "$program" late
    check "$mpi: late: converted" converted chrome x.json
    check "$mpi: late: who waits for whom" late
    if command -v mpif90.$mpi >/dev/null; then
        for by in F90 F08; do
            check "$mpi: Fortran, $by: builds" built mpif90 ./mpi_calls.f -cpp -D$by -w \
                -fallow-argument-mismatch -ffree-line-length-none "$top_srcdir/tests/targets/mpi_calls.f90"
            traced "Fortran, $by" ./mpi_calls.f
        done
    else skip "mpi: no mpif90.$mpi here"; fi
done

# ---- a program without MPI ---------------------------------------------------------------------------------
rm -f ./*.fxt
batch -m mpi -ex 'run 20 >t.out' -ex 'info modules' "$targets/p_app"
check "no MPI: all functions are missing" has log '^mpi +0x53 .* 0 +[0-9]+ +0 +0 '
check "no MPI: that is all" same "$rc" 0
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ranks.sh - the ranks of a job: launched, and attached to; names of files, and rank, host and
# job in the trace, in tables and in every format, in the order of ranks. No MPI is needed: a
# rank is a process with a launcher's variables, another host a UTS namespace with another name.
. "${top_srcdir:-.}/tests/procs/lib.sh"
here=$(uname -n)

launched() { # N [COMMAND...]: with Open MPI's variables, under that command
    n=$1
    shift
    "$@" env OMPI_COMM_WORLD_RANK="$n" OMPI_COMM_WORLD_SIZE=11 PMIX_NAMESPACE=job@7 \
        timeout -k 5 $limit "$eztsh" -nx -batch -ex 'probe twice' -ex 'run 20 >t.out' -ex 'events 2' \
        "$targets/p_app" >log 2>&1 </dev/null
}
there=$here
cat >far <<'END'
hostname far.away && exec "$@"
END
unshare -u sh "$work/far" true 2>/dev/null && there=far.away
far() { if [ "$there" = "$here" ]; then "$@"; else unshare -u sh "$work/far" "$@"; fi; }

# the highest rank first: the order must not be that of the starts, of files or of digits
check "a rank that is launched" launched 10
check "events: the rank while it is known" has log '^ +[0-9.]+ ms  rank 10: [0-9]+ +exit  twice  '
check "a rank of another host" launched 2 far
touch go
target env OMPI_COMM_WORLD_RANK=1 PMIX_NAMESPACE=job@7 "$targets/p_keep" stop go 1
shell_start -p "$pid"
say 'probe lap'
say 'continue &'
counted() { say 'info probes' && [ "$(hits 1)" -gt 0 ]; }
until_ok 30 counted
touch stop
say wait
shell_end
reap "$pid"
place=$(printf %s "$here" | tr -c 'A-Za-z0-9._-' _)
for f in p_app-jobjob_7-rank10-$place p_app-jobjob_7-rank2-$(printf %s "$there" | tr -c 'A-Za-z0-9._-' _) \
    p_keep-jobjob_7-rank1-$place; do
    check "file $f" test -n "$(ls "$f"-[0-9]*.fxt)"
done

# ---- tables -------------------------------------------------------------------------------
files=$(ls ./*rank10*.fxt ./*rank2-*.fxt ./*rank1-*.fxt | tr '\n' ' ')
out() { # NAME COMMAND
    "$eztsh" -nx -batch -ex "$2" >"$1" 2>&1 </dev/null || cat "$1"
}
order() { # FILE WORDS: ranks in FILE, in the order they are first in
    same "$(grep -oE 'rank [0-9]+: [a-z_]+' "$1" | tr -d : | awk '!seen[$2]++ { printf "%s ", $2 }')" "$2"
}
out table "stats $files -by process -sort name"
check "stats: by rank" order table '1 2 10 '
check "stats: host and job" has table "^Job +Host +Process "
check "stats: of a rank" has table "^job@7 +$there +rank 2: p_app [0-9]+ "
out json "stats -json $files -by process"
check "stats -json" has json "\"process\": \"rank 2: p_app [0-9]+\", .*\"rank\": 2, \"host\": \"$there\", \"job\": \"job@7\""
out table "stats $files -by thread -sort name"
check "stats -by thread" has table "^job@7 +$here +rank 10: p_app "
out line "timeline $files"
check "timeline: by rank" order line '1 2 10 '

# ---- formats ------------------------------------------------------------------------------
converted() { # FORMAT OUT
    "$eztsh" -nx -batch -ex "convert $files -t $1 -o $2" >log 2>&1 </dev/null && [ -e "$2" ]
}
check "csv" converted csv x.csv
check "csv: rank, host, job" has x.csv ",2,$there,job@7,$"
check "chrome" converted chrome x.json
check "chrome: process names" has x.json "process_name\",\"args\":\{\"name\":\"rank 2: p_app [0-9]+\""
check "chrome: hosts" has x.json "process_labels\",\"args\":\{\"labels\":\"$there, job job@7\""
python3 - >sorted 2>&1 <<'END'
import json
e = json.load(open("x.json"))["traceEvents"]
name = {x["pid"]: x["args"]["name"] for x in e if x["name"] == "process_name"}
at = {x["pid"]: x["args"]["sort_index"] for x in e if x["name"] == "process_sort_index"}
print(*(name[p] for p in sorted(at, key=at.get)), sep="\n")
END
check "chrome: by rank" order sorted '1 2 10 '

if command -v pj_dump >/dev/null; then
    check "paje" converted paje x.trace
    pj_dump x.trace >pj 2>&1
    check "paje: hosts" has pj "^Container, [^,]*, Host, .*, $there$"
    grep '^Container, .*, Process,' pj >pj.process
    check "paje: three processes" same "$(wc -l <pj.process)" 3
    grep CT_Process x.trace >pj.made
    check "paje: by rank" order pj.made '1 2 10 '
else skip "paje: no pj_dump"; fi

if command -v otf2-print >/dev/null && converted otf2 x.otf2; then
    otf2-print -G x.otf2/traces.otf2 >otf2 2>&1
    check "otf2: a host is a node" has otf2 "SYSTEM_TREE_NODE .*\"$there\".*\"node\""
    check "otf2: hosts are below the machine, which is no program" \
        has otf2 "SYSTEM_TREE_NODE .*\"$there\".*\"node\".*Parent: \"machine::Linux\""
    check "otf2: a host shares its memory" has otf2 "DOMAIN .*\"node::$there\".*SHARED_MEMORY"
    check "otf2: a rank is below its host" has otf2 "LOCATION_GROUP .*rank 2: .*node::$there\""
    grep 'LOCATION_GROUP  *[0-9]' otf2 >otf2.groups
    check "otf2: by rank" order otf2.groups '1 2 10 '
    check "otf2: the job" has otf2 'EZTSH::JOB.*job@7'
else skip "otf2: no otf2-print, or built without OTF2"; fi

if command -v otfprint >/dev/null; then
    check "otf" converted otf x.otf
    otfprint -d x.otf >otf 2>&1 || otfprint x.otf >otf 2>&1
    check "otf: by rank" order otf '1 2 10 '
    check "otf: hosts" has otf "\"$there\""
else skip "otf: no otfprint"; fi

out log "report $files -o x.html"
if has log 'without d3|node-d3'; then skip "the page: d3 is not here"; else
    check "the page: rank and host" has x.html "rank 2: p_app [0-9]+, $there\""
fi

# ---- no rank ------------------------------------------------------------------------------
rm -f ./*.fxt
batch -ex 'probe twice' -ex 'run 20 >t.out' "$targets/p_app"
check "its file" test -n "$(ls p_app-[0-9]*.fxt)"
out table "stats p_app-*.fxt -by process"
check "no columns of ranks" has table '^Process '
batch -ex 'probe twice' -ex 'run 20 >t.out' -ex 'events 1' "$targets/p_app"
check "no rank of events" has log '^ +[0-9.]+ ms  [0-9]+ +exit  twice  '
finish

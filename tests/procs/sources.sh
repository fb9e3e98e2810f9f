#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh - where functions begin in the source, in traces and in the formats that have it: in the
# file that addr2line names, at the line that gdb names.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
need addr2line
need gdb
if ! command -v gcc >/dev/null; then skip "sources: no gcc"; exit 77; fi

mkdir 'a b'
cat >'a b/lib.c' <<'C'
static int hidden(int n)
{
    volatile int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

int
in_library(int n)
{
    return hidden(n) + hidden(n + 1);
}
C
cat >main.c <<'C'
#include <signal.h>
#include <unistd.h>
int in_library(int n);

__attribute__((noinline)) static int twice(int n) { return in_library(n) + in_library(n); }

int never(int n)
{
    return n;
}

int main(int argc, char **argv)
{
    int n = twice(100);
    if (argc > 1)
        kill(getpid(), SIGKILL);
    return n == 0;
}
C
gcc -g -O1 -fno-inline -fPIC -shared -o libit.so 'a b/lib.c' && gcc -g -O1 -fno-inline -o prog main.c -L. -lit -Wl,-rpath,'$ORIGIN' ||
    { fail "sources: the programs do not compile"; finish; }

# The places of the functions that are called: "NAME FILE:LINE". A function's first address may have
# the rows of several lines, of which addr2line names the last one.
for f in prog:main prog:twice libit.so:in_library libit.so:hidden; do
    at=$(nm "${f%:*}" | awk -v n="${f#*:}" '$3 == n { print $1 }')
    file=$(addr2line -e "${f%:*}" "$at")
    line=$(gdb -nx -q -batch -ex "info functions -n ^${f#*:}\$" "${f%:*}" 2>gdb.err | sed -nE 's/^([0-9]+):.*/\1/p')
    echo "${f#*:} ${file%:*}:$line"
done | sort >wanted
check "gdb knows the lines" same "$(grep -cE ':[0-9]+$' wanted)" 4

# The places in a trace, by four formats. The library begins calls in main's file, so no two are alike.
of_otf2() {
    otf2-print -G x.otf2/traces.otf2 |
        sed -nE 's/^REGION .*Name: "(main|twice|in_library|hidden)" .*File: "([^"]*)" <[0-9]+>, Begin: ([0-9]+),.*/\1 \2:\3/p' | sort
}
of_speedscope() {
    python3 -c 'import json
for f in json.load(open("x.speedscope"))["shared"]["frames"]:
    if "line" in f: print(f["name"], "%s:%d" % (f["file"], f["line"]))' | sort
}
of_callgrind() { # every own cost is on the function's line
    python3 - <<'END' | sort
import re
files, names, fl, fn = {}, {}, None, None
def known(table, text):
    number, name = re.match(r"\((\d+)\) ?(.*)", text).groups()
    if name: table[number] = name
    return table[number]
for line in open("x.callgrind"):
    key, _, value = line.rstrip("\n").partition("=")
    if key == "fl": fl = known(files, value)
    elif key == "cfl": known(files, value)
    elif key == "cfn": known(names, value)
    elif key == "fn": fn, first = known(names, value), True
    elif re.match(r"\d+ \d+ \d+$", line) and fn and first:
        first = False
        if fl != "???": print(fn, fl + ":" + line.split()[0])
END
}
of_perfetto() {
    protoc --decode=perfetto.Trace --proto_path="$top_srcdir/engine/format/proto" perfetto.proto <x.perfetto |
        awk '/file_name:/ { gsub(/"/, ""); sub(/^ *file_name: /, ""); f = $0 } /function_name:/ { gsub(/"/, ""); n = $2 }
            /line_number:/ { print n " " f ":" $2 }' | sort
}
of_pprof() { # go names the line of each function, with its file
    go tool pprof -lines -traces x.pprof 2>/dev/null | sed -nE 's/^ *([^ ]+ +)?(main|twice|in_library|hidden) (.*:[0-9]+)$/\2 \3/p' | sort -u
}
formats() { # NAME
    for t in otf2 speedscope callgrind perfetto pprof; do
        case $t in
        otf2) tool=otf2-print ;;
        perfetto) tool=protoc ;;
        pprof) tool=go ;;
        *) tool=python3 ;;
        esac
        command -v $tool >/dev/null || { skip "$1: $t: no $tool"; continue; }
        rm -rf "x.$t"
        "$eztsh" -nx -batch -ex "convert $(echo ./*.fxt) -t $t -o x.$t" >log 2>&1 ||
            { skip "$1: $t: $(tail -n 1 log)"; continue; }
        of_$t >got
        check "$1: $t: the places are right" cmp wanted got
    done
}
batch -ex 'probe -r "^(main|twice|never|in_library|hidden)$"' -ex 'set breakpoint pending on' -ex 'probe in_library hidden' -ex run ./prog
check "an ordinary end" has log 'exited (normally|with code)'
formats ended
rm -f ./*.fxt
batch -ex 'probe main' -ex 'probe twice' -ex 'probe libit.so:in_library' -ex 'probe libit.so:hidden' -ex 'run kill' ./prog
check "killed: the program" has log 'SIGKILL'
formats killed

# ---- without debug information there is no place -----------------------------------------------------
rm -f ./*.fxt
strip -g prog libit.so
batch -ex 'probe main' -ex run ./prog
"$eztsh" -nx -batch -ex "convert $(echo ./*.fxt) -t speedscope -o x.speedscope" >log 2>&1
check "stripped: the file is the program" has x.speedscope '"name":"main","file":"prog"\}'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# both.sh - one specification on the source code of real programs, and on the programs built without it: the same calls
# in the same order, by signature. (Functions are aligned: one whose first bytes lie on two pages has no probe.) Their
# sources are where EZT_SOURCES says (tests/source/sources.sh).
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"

[ -n "${EZT_SOURCES-}" ] && [ -d "$EZT_SOURCES" ] || { skip "both: no sources (EZT_SOURCES)"; finish; }
sources=$(cd "$EZT_SOURCES" && pwd)
have gcc || { skip "both: no gcc"; finish; }
gcc -O1 -fPIC -DBUFFERED -c "$here/entered.c" -o entered.o || { fail "the trace is compiled"; finish; }

unpack() { # NAME
    dir=$(ls -d "$sources/$1"-[0-9]* 2>/dev/null | head -n 1)
    [ -n "$dir" ] || { skip "$1: its source is not there"; return 1; }
}
built() { # COMPILER FILE...: ./probed and ./plain
    compiler=$1
    shift
    rm -f ./*.part.o
    for f in "$@"; do
        part=${f##*/}.part.o
        "$program" -spec "$here/dwarf.spec" -- $compiler -w -g -O0 -falign-functions=16 -c "$f" -o "probed_$part" &&
            $compiler -w -g -O0 -falign-functions=16 -c "$f" -o "plain_$part" || return 1
    done
    $compiler probed_*.part.o entered.o $libs -o probed && $compiler plain_*.part.o $libs -o plain
}
both() { # NAME ARG...: their calls in source.calls, binary.calls
    both=$1
    shift
    rm -f ./*.calls
    CALLS=source.calls ./probed "$@" </dev/null >source.out 2>/dev/null
    CALLS=binary.calls timeout -k 5 $limit "$eztsh" -nx -batch -ex "spec load '$here/dwarf.spec' -cc '$work/entered.o'" \
        -ex "run $* </dev/null >binary.out 2>/dev/null" ./plain >log 2>&1 </dev/null
    check "$both: the program does the same" cmp source.out binary.out
}
libs=
$libclang || skip "both: programs of C and C++: eztsh was built without libclang"

if $libclang && unpack bzip2; then
    check "bzip2: it is built" built gcc "$dir"/blocksort.c "$dir"/huffman.c "$dir"/crctable.c "$dir"/randtable.c \
        "$dir"/compress.c "$dir"/decompress.c "$dir"/bzlib.c "$dir"/bzip2.c
    both bzip2 -1 -c "$dir/sample1.ref"
    check "bzip2: the same calls" cmp source.calls binary.calls
    check "bzip2: there are many" [ "$(wc -l <source.calls)" -gt 200000 ]
fi
if $libclang && unpack tinyxml2 && have g++; then
    cat >parse.cc <<'EOT'
#include <cstdio>
#include <tinyxml2.h>
int main()
{
    using namespace tinyxml2;
    XMLDocument d;
    if (d.Parse("<?xml version='1.0'?><a n='1' t='x &amp; y'><!-- c --><b>2.5</b><![CDATA[<z>]]></a>"))
        return 1;
    XMLElement *e = d.NewElement("new");
    e->SetAttribute("key", 7u);
    e->SetText(true);
    d.RootElement()->InsertFirstChild(e);
    double v = 0;
    d.RootElement()->FirstChildElement("b")->QueryDoubleText(&v);
    std::printf("%g %d %s\n", v, d.RootElement()->IntAttribute("n"), d.RootElement()->Attribute("t"));
    XMLPrinter p;
    d.Print(&p);
    std::fputs(p.CStr(), stdout);
    return d.Parse("<a><b></a>") == XML_SUCCESS;
}
EOT
    check "tinyxml2: it is built" built "g++ -std=c++17 -I$dir" parse.cc "$dir/tinyxml2.cpp"
    both tinyxml2
    sort source.calls >source.sorted # constructors are entered before those of their bases and members there
    sort binary.calls >binary.sorted
    check "tinyxml2: the same calls, as often" cmp source.sorted binary.sorted
    check "tinyxml2: there are many" [ "$(wc -l <source.calls)" -gt 500 ]
fi
if unpack lapack && have gfortran; then
    check "blas: it is built" built gfortran "$dir"/BLAS/SRC/d*.f "$dir"/BLAS/SRC/d*.f90 "$dir"/BLAS/SRC/lsame.f \
        "$dir"/BLAS/SRC/xerbla*.f "$dir"/BLAS/SRC/idamax.f "$dir"/BLAS/TESTING/dblat1.f
    both blas
    check "blas: the same calls" cmp source.calls binary.calls
    check "blas: there are many" [ "$(wc -l <source.calls)" -gt 1000 ]
fi
finish

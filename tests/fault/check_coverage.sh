#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_coverage.sh - how many functions of real binaries bear an entry probe without a
# trap, by strategy, and why the others do not: a table. The sum is the number of
# functions, and the share is at least 99.9 %. In a program that is stripped, cold halves are taken
# for functions ("xor %eax,%eax; ret": 58 in Debian 13's python3.13), so functions that are shorter than
# a jump do not count there, but are at most 1 %. No single write plants a jump over the end of a page, and
# two could leave half of it (fault 49): such functions are at most another 0.1 %.
. "${top_srcdir:-.}/tests/lib.sh"
CC=${CC:-cc}

echo "                             functions    S1     S2     S3     S4  refused  share"
most=0.001 # the share of functions that may be refused
short=0    # and of those that are shorter than a jump, besides
# NAME PATTERN [ENV=VALUE] PROGRAM ARG...: the functions that PATTERN matches in it
row() {
    name=$1 pattern=$2
    shift 2
    {
        printf 'set trace-auto off\nset strategy auto\nprobe entry -count -r %s\n' "$pattern"
        printf 'run\ninfo coverage\n'
    } >script.ezt
    timeout -k 5 $limit env ${preload:+"LD_PRELOAD=$preload"} "$eztsh" -nx -batch -x script.ezt \
        -args "$@" >log 2>&1 </dev/null
    awk -v name="$name" -v most="$most" -v most_short="$short" '
        $2 == "requested" { all = $1 }
        $2 == "planted:" && match($0, /\(S[1-4]\)/) { n[substr($0, RSTART + 1, 2)] += $1; sum += $1 }
        $2 == "refused:" { sum += $1 }
        # code that is not of this file
        $2 == "refused:" && /\[vdso\]/ { all -= $1; sum -= $1; next }
        $2 == "refused:" && most_short && /too short: [1-4] byte/ { short += $1 }
        $2 == "refused:" && /its first [2-5] bytes are on two pages/ { paged += $1 }
        $2 == "refused:" { no += $1; why = why sprintf("      %3d %s\n", $1, substr($0, index($0, "refused:") + 9)) }
        END {
            if (all) printf "%-28s %9d %6d %6d %6d %6d %6d %9.3f %%\n%s", name, all, n["S1"], n["S2"],
                n["S3"], n["S4"], no, 100 * (all - no) / all, why
            exit !(all && sum == all && no - short - paged <= all * most && paged <= all * most &&
                short <= all * most_short)
        }' log >row
    good=$?
    cat row
    if [ $good = 0 ]; then pass "coverage of $name"; else fail "coverage of $name" log; fi
}
lib() { # NAME.so.N
    path=$(ldconfig -p 2>/dev/null | awk -v n="$1" '$1 == n { print $NF; exit }')
    [ -n "$path" ] || { skip "no $1"; return; }
    preload=$path row "$1" "${1%%.so*}:." /bin/sh -c :
}
lib libc.so.6
lib libstdc++.so.6
lib libcrypto.so.3
lib libsqlite3.so.0
preload=
python=/usr/bin/python3
[ -x $python ] || python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
python=$(readlink -f "$python")
if [ -x "$python" ]; then
    readelf -SW "$python" 2>/dev/null | grep -q ' \.symtab ' || short=0.01
    row python3 . "$python" -c 'print(1)'
    short=0
else
    skip "no python3"
fi

# The functions of cmds/ and shell/ (of each third file without EZT_LONG), built by other compilers and with other
# options; they are loaded, not run.
built() { # COMPILER OPTION
    command -v "$1" >/dev/null || { skip "no $1"; return; }
    so=$work/libreal-$1$2.so
    mkdir -p objects && rm -f objects/*
    ln -sfn "$top_srcdir" source # its path may hold spaces
    for f in $(find source/cmds/ source/shell/ -name "*.c" | sort | awk -v all="$EZT_LONG" 'all || NR % 3 == 0'); do
        echo "$f objects/$(basename "$(dirname "$f")")-$(basename "$f" .c).o"
    done | xargs -P 2 -n 2 sh -c '"$0" "$1" -g0 -w -fPIC -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H \
        -I"$2" -I"$3" -c "$4" -o "$5"' "$1" "$2" "$top_builddir" "$top_srcdir" 2>cc.err
    # What is of other files and of the engine is never called, but must be there: labels of data.
    { echo .data; { find "$top_builddir/cmds" "$top_builddir/shell" -name '*.o' -exec nm -g {} + | sed 's/^/all /'; nm -g objects/*.o; } |
        awk '$1 == "all" { all[$4]; next } $1 == "U" { want[$2] } NF == 3 { have[$3] }
        END { for (name in want) if ((name ~ /^ez_/ || name in all) && !(name in have)) printf ".globl %s\n%s: .zero 8\n", name, name }'; } >others.s
    "$1" -shared -o "$so" objects/*.o others.s -Wl,--unresolved-symbols=ignore-all -lreadline -ljson-c 2>>cc.err ||
        { fail "eztsh, $1 $2: it builds" cc.err; return; }
    preload=$so row "eztsh, $1 $2" "libreal-$1$2:." /bin/sh -c :
    preload=
}
built gcc -Os
built clang -O2
[ -z "$EZT_LONG" ] || { built clang -O0; built clang -Os; }
row "static, glibc and libstdc++" . "$targets/throws_static"
if command -v musl-gcc >/dev/null; then
    printf '#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\nint main(int c, char **v) { printf("%%f %%s", sin(c), getenv("PATH")); return 0; }\n' >m.c
    musl-gcc -O2 -static -o m m.c -lm && row "static, musl" . "$work/m"
else
    skip "no musl-gcc"
fi
finish

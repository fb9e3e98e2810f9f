#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# linkers.sh - small programs and libraries as each linker lays them out: a page of the file
# may be mapped twice, even from its start, and code need not lie at its offset. Each function is
# found, when the program is launched and when it is attached to (fault 69).
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}

cat >lib.c <<'END'
__attribute__((noinline)) int lib_part(int n) { return n * 5 + (n >> 1); }
int lib_whole(int n) { return lib_part(n + 1) + lib_part(n) * 2; }
END
cat >main.c <<'END'
#include <stdio.h>
#include <unistd.h>
int lib_whole(int n);
static __attribute__((noinline)) int own(int n) { return lib_whole(n) + (n ^ 3); }
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += own(i);
    for (; argc > 1 && access(argv[1], F_OK); usleep(1000))
        sum = own(sum & 7);
    printf("%d\n", argc > 1 ? 0 : sum);
    return 0;
}
END

# one KIND CFLAGS-OF-PROGRAM LINKER FLAG
one() {
    layout="$3: $1 $4" kind=$1 how=$2 ld=$3 flag=$4
    rm -f app liblay.so stop
    # shellcheck disable=SC2086
    if [ "${kind%% *}" = static ]; then
        $cc -O2 $how -fuse-ld="$ld" $flag -o app main.c lib.c >cc.out 2>&1
    else
        $cc -O2 -fPIC -shared -fuse-ld="$ld" $flag -o liblay.so lib.c >cc.out 2>&1 &&
            $cc -O2 $how -fuse-ld="$ld" $flag -o app main.c -L. -llay -Wl,-rpath,"$work" >>cc.out 2>&1
    fi || { skip "$layout: $(head -n 1 cc.out)"; return; }
    native=$(./app)
    batch -ex 'probe -count own' -ex 'probe -count lib_part' -ex 'run >t.out' -ex 'info probes' ./app
    check "$layout: it runs as it would" same "$(cat t.out)" "$native"
    check "$layout: its functions are counted" same "$(hits 1) $(hits 2)" '7 14'
    target ./app stop
    batch -p "$pid" -ex 'info symbol own' -ex 'probe -count own' -ex 'probe -count lib_whole'
    check "$layout: attached, its functions are found" same "$rc $(grep -c '^Probe [12] at ' log)" '0 2'
    touch stop
    reap "$pid"
    check "$layout: attached, it runs on" same "$trc" 0
}

for ld in bfd gold lld mold; do
    case $ld in mold) program=mold ;; *) program=ld.$ld ;; esac
    if ! command -v $program >/dev/null; then
        skip "$ld: it is not here"
        continue
    fi
    case $ld in
    bfd | mold) flags='-Wl,-z,noseparate-code -Wl,-z,separate-code' ;;
    gold) flags='-Wl,--rosegment -Wl,--no-rosegment' ;;
    lld) flags='-Wl,-z,noseparate-code -Wl,-z,separate-code -Wl,-z,separate-loadable-segments -Wl,--no-rosegment' ;;
    esac
    for flag in -Wl,--gc-sections $flags; do
        one PIE '-fPIE -pie' $ld $flag
        one non-PIE '-fno-pie -no-pie' $ld $flag
    done
    one static '-fno-pie -no-pie -static' $ld -Wl,--gc-sections
    [ $ld = gold ] || one 'static PIE' '-fPIE -static-pie' $ld -Wl,--gc-sections
done
finish

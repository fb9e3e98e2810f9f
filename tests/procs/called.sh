#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# called.sh - names of programs, functions and versions: a program has the name by which it was run,
# a function the name that was asked for; of several versions of a name the default one is meant.
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
column() { awk -v c="$1" '$2 == "both" { printf "%s ", $c }' log; }

# ---- a program that is run through a link ---------------------------------------------------
cp "$targets/p_app" real
cp "$targets/libp.so" .
ln -s real linked
batch -ex 'probe area' -ex 'run 5 >t.out' -ex 'info probes' ./linked
check "a link: the trace has the name that was run" has log '^Trace .*/linked-[0-9]+\.fxt: [1-9]'
check "a link: so has the library" same "$(column 8)" "linked "
"$eztsh" -nx -batch -ex 'stats linked-*.fxt' >stats.out 2>&1
check "a link: so has what reads the trace" has stats.out 'linked'
check "a link: the other is nowhere" lacks stats.out 'real'
rm -f ./*.fxt

cp "$targets/p_loop" real2
ln -s real2 linked2
rm -f stop
target ./linked2 stop
batch -p "$pid" -ex 'probe pulse' -ex 'info probes' -ex 'info trace'
check "attached to: the trace has the name that was run" has log "^Recording to .*/linked2-$pid\\.fxt"
check "attached to: so has the library" same "$(column 8)" "linked2 "
touch stop
reap "$pid"
rm -f ./*.fxt stop

# A program that changed its folder, so that its name leads to no file, has the kernel's name for it.
cat >away.c <<'END'
#include <unistd.h>
#include <fcntl.h>
int tick(int n) { return n + 1; }
int main(void)
{
    if (chdir("/"))
        return 1;
    close(0);
    for (volatile int i = 0; i >= 0; i = tick(i) & 15)
        usleep(1000);
}
END
$cc -O0 -o away away.c && ln -s away there || exit 99
target ./there
in_root() { [ "$(readlink "/proc/$pid/cwd")" = / ]; }
until_ok 10 in_root
batch -p "$pid" -ex 'probe -count tick' -ex 'info probes'
check "a name that leads nowhere: the kernel's" same "$(column 8)" "away "
kill -KILL "$pid"

# ---- aliases ---------------------------------------------------------------------------------
cat >alias.c <<'END'
__attribute__((noipa)) int answer(int n) { return n * 2; }
int cold_answer(int) __attribute__((alias("answer")));
int zzz(int) __attribute__((alias("answer")));
__asm__(".symver aaa,aaa@OLD_1");
int aaa(int) __attribute__((alias("answer")));
END
cat >alias_main.c <<'END'
int answer(int);
int main(void) { return answer(1) - 2; }
END
echo 'OLD_1 { }; NEW_1 { global: answer; cold_answer; zzz; local: *; };' >alias.map
if $cc -O1 -shared -fPIC -Wl,--version-script=alias.map -o libalias.so alias.c 2>cc.err &&
    $cc -o alias_main alias_main.c ./libalias.so 2>>cc.err; then
    for asked in answer zzz cold_answer; do
        batch -ex "probe libalias:$asked" -ex run -ex 'info probes' ./alias_main
        check "alias $asked: as it was asked for" same "$(column 7)" "$asked "
        "$eztsh" -nx -batch -ex 'stats alias_main-*.fxt' >stats.out 2>&1
        check "alias $asked: in the trace, too" has stats.out "(^| )$asked( |\$)"
        rm -f ./*.fxt
    done
    batch -ex start -ex 'info symbol answer' ./alias_main
    check "alias: a version for old programs is no name for others" has log '^answer in section'
else
    skip "aliases: $(tail -n 1 cc.err)"
fi

# ---- versions --------------------------------------------------------------------------------
cat >ver.c <<'END'
__asm__(".symver call_1,call@V_1");
__asm__(".symver call_2,call@@V_2");
__attribute__((noipa)) int call_1(int n) { return n + 1; }
__attribute__((noipa)) int call_2(int n) { return n + 2; }
END
cat >ver_main.c <<'END'
int call(int);
int main(void) { return call(1) + call(2) - 7; }
END
echo 'V_1 { global: call; local: *; }; V_2 { global: call; } V_1;' >ver.map
if $cc -O1 -shared -fPIC -Wl,--version-script=ver.map -o libver.so ver.c 2>cc.err &&
    $cc -o ver_main ver_main.c ./libver.so 2>>cc.err; then
    for asked in call libver:call call@libver call@V_2 call@@V_2 libver.so:call@V_2; do
        batch -ex 'set trace-auto off' -ex start -ex "probe -count $asked" -ex continue \
            -ex 'info probes' ./ver_main
        check "$asked: the one that is called" same "$(column 6)" "2 "
        case $asked in
        *V_2) check "$asked: no word about others" lacks log '^Note' ;;
        *) check "$asked: the other one is said" \
            has log '^Note: this is the default version; there is also call@V_1\.$' ;;
        esac
    done
    batch -ex start -ex "probe -count libver:call@V_1" -ex continue -ex 'info probes' ./ver_main
    check "a version that nobody calls" same "$(column 6)" "0 "
    batch -ex start -ex "probe call@V_3" ./ver_main
    check "no such version" has log 'Function "call" not defined in "V_3"'
    batch -ex 'set trace-auto off' -ex 'probe -count libver:call' -ex run -ex 'info probes' ./ver_main
    check "pending at first: the one that is called" same "$(column 6)" "2 "
else
    skip "versions: $(tail -n 1 cc.err)"
fi
finish

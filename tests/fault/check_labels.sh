#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_labels.sh - labels whose address is taken, among the bytes that jumps would take:
# interpreters by computed goto, as compilers, levels and ways of linking make them. Each runs
# natively and with every function probed, and `why` says of each what planting does (fault 66).
# Each two of level, way of linking and interpreter occur together; with EZT_LONG each three.
. "${top_srcdir:-.}/tests/lib.sh"
interp=$top_srcdir/tests/targets/interp.c
export eztsh interp

cat >try.sh <<'END'
# try.sh COMPILER LEVEL LINK TABLE: builds x, runs it natively and probed; prints a line for each
# thing that is wrong
x=x$1$2-$3-$4
case $3 in
pie) how='-fPIE -pie' ;;
exec) how='-fno-pie -no-pie' ;;
static) how='-fno-pie -no-pie -static' ;;
relr) how='-fPIE -pie -Wl,-z,pack-relative-relocs' ;;
lld) how='-fPIE -pie -fuse-ld=lld -Wl,-z,separate-loadable-segments' ;;
esac
"$1" "$2" $how -w -DTABLE="$4" "$interp" -o $x && ./$x >$x.native || { echo "unbuilt $x"; exit; }
{
    printf 'set confirm off\nset args >%s.probed\nstart\n' $x
    for f in falls clears shared skips; do
        printf 'echo @%s\\n\nwhy %s\nprobe entry -count %s\ndelete\n' $f $f $f
    done
    printf 'probe entry -count -r .\ncontinue\n'
} >$x.ezt
timeout -k 5 100 "$eztsh" -nx ./$x <$x.ezt >$x.log 2>&1
cmp -s $x.native $x.probed ||
    echo "wrong $x: another result than natively: $(grep signal $x.log)"
awk -v x=$x '
    /^@/ { f = $1; said = "nothing"; asked++ }
    /^Entry: / { said = $2 == "refused:" ? "refused" : "planted" }
    $1 == "jump" && /a jump table|is taken at|a pointer into/ { led++ }
    f && ($1 == "Probe" || /refused: / && !/^Entry|^Exit|^Planted/) {
        if (said != ($1 == "Probe" ? "planted" : "refused"))
            print "wrong " x ", " f ": why says " said ", then: " $0
        did++
        f = ""
    }
    END {
        if (asked != 4 || did != 4) print "wrong " x ": asked " asked + 0 ", answered " did + 0
        print "tried", led + 0
    }' $x.log
rm -f $x
END

for cc in gcc clang; do
    command -v $cc >/dev/null || { skip "no $cc"; continue; }
    l=0
    for level in -O0 -O1 -O2 -O3 -Os; do
        l=$((l + 1)) k=0
        for link in pie exec static; do
            k=$((k + 1))
            for table in 1 2 3 4 5; do
                [ -z "$EZT_LONG" ] && [ $(((l + k + table) % 3)) != 0 ] || echo $cc $level $link $table
            done
        done
        [ $level != -Os ] || printf "$cc $level %s 5\n" relr lld
    done >builds
    xargs -P 2 -n 4 sh try.sh <builds >said 2>&1
    n=$(grep -c '^tried' said) led=$(awk '/^tried/ { n += $2 } END { print n + 0 }' said)
    name="$cc: $n interpreters as natively, $led functions with labels in their first bytes"
    if grep -q '^wrong' said || [ "$n" = 0 ]; then fail "$name" said; else pass "$name"; fi
    [ $cc = clang ] || nofail "$cc: the labels were seen" [ "$led" -ge $((n / 2)) ]
done
# A symbol in the middle of an instruction, whose last bytes are instructions, too (fault 70).
cat >mid.c <<'END'
#include <stdio.h>
__asm__(".pushsection .text\n.globl outer,mid\n.type outer,@function\n.type mid,@function\n"
        "outer: lea 1(%rdi),%rax\ntest %rdi,%rdi\nmovabs $0xc39090909090,%rdx\nadd %rdx,%rax\nret\n"
        ".size outer,.-outer\n.set mid,outer+9\n.popsection"); /* 5 nops; ret */
long outer(long);
void mid(void);
int main(void)
{
    long sum = 0;
    for (int i = 0; i < 100; i++)
        mid(), sum += outer(i);
    printf("%ld\n", sum);
    fprintf(stderr, "count outer 100\n");
    return 0;
}
END
gcc -O1 -w mid.c -o mid
native ./mid
probed 'probe -count -r .' ./mid
same "a symbol in the middle of an instruction"
counts "a symbol in the middle of an instruction: counts"
printf 'start\nwhy mid\nprobe mid\n' >script.ezt
shell_feed ./mid
nofail "it is refused" [ "$(grep -c '^Cannot probe .*: the address is not an instruction boundary of outer\.$' log)" = 1 ]
nofail "and why says so" grep -q '^Entry: refused: the address is not an instruction boundary of outer\.$' log
finish

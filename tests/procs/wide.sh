#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wide.sh - numbers of more than 8 bytes: __int128 and long double in `print`, as arguments and results, in probes. What
# the program itself computes and passes is right: gdb before 14 computes with no such integers.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc python3
cat >wide.c <<'END'
#include <stdio.h>
typedef __int128 wide;
typedef unsigned __int128 uwide;
struct holds { char c; wide v; uwide a[3]; } m = { 'x', -5, { 1, 2, 3 } };
wide neg = -7, big = ((wide)0x123456789abcdef0 << 64) | 0xfedcba9876543210;
uwide all = ~(uwide)0;
long double quad = 2.75L;
int small = -3;
unsigned long top = ~0ul;
double real = -1e30;
struct { wide low : 40; } bits = { -9 };
static void hex(const char *name, uwide v) { printf("%s\t0x%016lx%016lx\n", name, (long)(v >> 64), (long)v); }
#define EACH(SAY) \
    SAY(neg) SAY(big) SAY(all) SAY(neg + 1) SAY(big * 2) SAY(big * big) SAY(-neg) SAY(~all) SAY(~neg) SAY(big >> 64) \
    SAY(neg >> 3) SAY(all >> 3) SAY(big << 5) SAY(neg << small + 4) SAY(all / 3) SAY(all % 7) SAY(neg / 2) SAY(neg % 2) \
    SAY(big / neg) SAY(big & all) SAY(big | neg) SAY(big ^ neg) SAY(neg == -7) SAY(neg < 0) SAY(all > neg) SAY(neg > small) \
    SAY(neg + small) SAY(top + (wide)1) SAY(neg + top) SAY((wide)top * top) SAY(small ? neg : 1) SAY(small ? 1 : neg) \
    SAY(neg ? 5 : 6) SAY(!neg) SAY(neg && small) SAY(m.v || 0) SAY((int)big) SAY((long)big) SAY((unsigned char)neg) \
    SAY((wide)real) SAY((wide)-2.75) SAY(m.v) SAY(m.a[1]) SAY(m.a[neg + 9]) SAY((wide)small) SAY((uwide)small) \
    SAY((uwide)'a' * 1000000007) SAY(sizeof(neg + 1)) SAY((long)(quad * 2)) SAY(quad > 2.5) SAY((wide)quad) SAY((wide)(quad * 1e20L)) \
    SAY(neg + neg * neg - (big - big)) SAY((long)((double)big / 1e30)) SAY((long)((float)neg * 2)) SAY(-big < big && big != all)
#define SAY(...) hex(#__VA_ARGS__, (uwide)(__VA_ARGS__));
__attribute__((noinline)) wide two(wide a, uwide b) { __asm__ volatile(""); return a + (wide)b; }
__attribute__((noinline)) wide split(long a, long b, long c, long d, long e, wide x, long y)
{
    hex("split.x", (uwide)x);
    hex("split.y", (uwide)y);
    return x + a + b + c + d + e + y;
}
__attribute__((noinline)) wide stacked(long a, long b, long c, long d, long e, long f, int g, wide x, long y)
{
    hex("stacked.x", (uwide)x);
    hex("stacked.y", (uwide)y);
    return x + a + b + c + d + e + f + g + y;
}
int main(void)
{
    EACH(SAY)
    SAY(two(neg, all)) SAY(two(2, 3)) SAY(split(1, 2, 3, 4, 5, big, 7)) SAY(stacked(1, 2, 3, 4, 5, 6, 7, neg, 8))
    fflush(stdout);
    __asm__ volatile("nop"); /* HERE */
    return 0;
}
END
line=$(sed -n '/HERE/=' wide.c)
cat >agree.py <<'END'
import re
want = [l.rstrip("\n").split("\t") for l in open("claims")]
want = [(n, v) for n, v in want if not re.match(r"(split|stacked)\.", n)]
got = dict(re.findall(r"^>>(\d+)\n(.*)$", open("log").read(), re.M))
bad = 0
for k, (e, value) in enumerate(want):
    m = re.match(r"\$\d+ = (-?\d+)( '.*')?$", got.get(str(k), ""))
    if not m or int(m[1]) % (1 << 128) != int(value, 16):
        bad += 1
        print("differs: %s is %s, got %r" % (e, value, got.get(str(k))))
print("%d of %d agree" % (len(want) - bad, len(want)))
END
value() { sed -n "s/^$1	//p" claims | head -1; } # what the program printed for it
dec() { python3 -c 'import sys
v = int(sys.argv[1], 16)
print(v - (1 << 128) if v >> 127 else v)' "$(value "$1")"; }
try() { # COMPILER OPTION...
    title="$*"
    command -v "$1" >/dev/null || { echo "skip - $title: no $1"; return; }
    rm -f ./*.fxt
    "$@" -g -w -fwrapv -o prog wide.c >cc.out 2>&1 || { fail "$title: it does not compile" cc.out; return; }
    ./prog >claims
    {
        echo "break wide.c:$line"
        echo 'run >/dev/null'
        grep -v '^split\.\|^stacked\.' claims | awk -F '\t' '{ printf "echo >>%d\\n\np %s\n", NR - 1, $1 }'
    } >ask.ezt
    timeout -k 5 $limit "$eztsh" -nx ./prog <ask.ezt >log 2>&1
    python3 agree.py >said 2>&1
    n=$(grep -cv '^split\.\|^stacked\.' claims)
    check "$title: $n expressions are what the program computes" has said "^$n of $n agree$"
    grep '^differs' said
    batch -ex "break wide.c:$line" -ex 'run >/dev/null' -ex 'p/x big' -ex 'p/a big' -ex 'p/d neg' -ex 'p/u neg' \
        -ex 'p/o big' -ex 'p/t m.v' -ex 'p/z m.a' -ex 'p m' -ex 'set var neg = 12' -ex 'p neg' -ex 'p neg *= -big / 100' \
        -ex 'p neg' -ex 'p neg++' -ex 'p neg--' -ex 'set var $k = big' -ex 'p $k + 1' -ex 'whatis neg + 1' \
        -ex 'ptype all + neg' -ex 'whatis neg < 1' -ex 'whatis small ? neg : quad' -ex 'p neg / 0' -ex 'p bits.low' ./prog
    sed -n 's/^\$[0-9]* = //p; s/^type = //p; /^Division/p; /^That operation/p' log >got
    printf '%s\n' 0x123456789abcdef0fedcba9876543210 \
        'That operation is not available on integers of more than 8 bytes.' -7 \
        340282366920938463463374607431768211449 0221505317046536336741773345651416625031020 \
        "$(printf '1%.0s' $(seq 125))011" \
        '{0x00000000000000000000000000000001, 0x00000000000000000000000000000002, 0x00000000000000000000000000000003}' \
        "{c = 120 'x', v = -5, a = {1, 2, 3}}" 12 -2903742864392008185821556929704106616 \
        -2903742864392008185821556929704106616 -2903742864392008185821556929704106616 \
        -2903742864392008185821556929704106615 24197857203266734881846307747534221841 \
        __int128 'unsigned __int128' int 'long double' 'Division by zero' -9 >want
    check "$title: formats, assignments, types" cmp got want
    diff want got
    # Where they are: at the entry, and what comes back.
    batch -ex 'probe two collect $args return $ret' -ex 'probe split collect $args return $ret' \
        -ex 'probe stacked collect $args return $ret' -ex 'run >/dev/null' ./prog
    batch -ex "convert $(echo ./*.fxt) -o got.json" ./prog
    tr -d '\n' <got.json >one.json
    for what in split.x split.y stacked.x stacked.y; do
        check "$title: $what at the entry" has one.json "\"${what#*.}\":\"?$(dec $what)\"?"
    done
    check "$title: a negative argument and one of all ones" has one.json '"a":"?-7"?,"b":"?340282366920938463463374607431768211455"?'
    check "$title: results" has one.json "\"?$(dec 'split(1, 2, 3, 4, 5, big, 7)')\"?"
    batch -ex 'break split' -ex 'run >/dev/null' -ex 'p x' -ex finish -ex 'p $' ./prog
    case $title in
    *clang*-O1) ;; # it tells of 16 bytes where it has stored 8
    *) check "$title: an argument at a breakpoint" has log "^\\\$1 = $(dec split.x)\$" ;;
    esac
    check "$title: finish" has log "^Value returned is \\\$2 = $(dec 'split(1, 2, 3, 4, 5, big, 7)')\$"
    batch -ex 'break *split' -ex 'start >/dev/null' -ex 'break *split' -ex continue -ex 'p x' -ex 'p y' -ex 'p x + y' ./prog
    check "$title: an argument at the first instruction" has log "^\\\$[0-9]* = $(dec split.x)\$"
    # What the target cannot compute is refused, never wrong.
    for words in 'split if x > 5' 'split collect x + 1' 'split collect y + x' 'two return $ret * 2' 'two if a' 'split collect x ? 1 : 2'; do
        batch -ex "probe $words" ./prog
        check "$title: refused: $words" has log '^Computing with a value of type .* is not possible in a probe\.'
    done
}
for cc in gcc clang; do
    try $cc -O0
    try $cc -O1
done
# A constant of more than 8 bytes is in no memory.
cat >konst.c <<'END'
#include <stdio.h>
static const __int128 five = 5, minus = -6;
__attribute__((noinline)) int use(const __int128 *p) { return (int)*p; }
int main(int argc, char **argv)
{
    __int128 local = 7, wide = ((__int128)3 << 64) | 9, below = -8;
    printf("%d\n", (int)(local + wide + below + argc)); /* HERE */
    return (int)(five + minus + argc) - 0;
}
END
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    $cc -g -O2 -o konst konst.c >cc.out 2>&1
    batch -ex "break konst.c:$(sed -n '/HERE/=' konst.c)" -ex 'run >/dev/null' -ex 'p five' -ex 'p minus' -ex 'p local' -ex 'p wide' -ex 'p below' ./konst
    sed -n 's/^\$[0-9]* = //p' log >got
    lost='<optimized out>'
    for pair in 1:5 2:-6 3:7 4:55340232221128654857 5:-8; do
        answer=$(sed -n "${pair%%:*}p" got)
        case $answer in "$lost") continue ;; esac
        check "$cc: a constant of 16 bytes, ${pair#*:}" same "$answer" "${pair#*:}"
    done
done
# Formats that are no others of C, complex numbers, vectors: as gdb computes.
cat >parts.c <<'END'
#include <stdio.h>
#include <complex.h>
_Float16 h = 1.5f16, hv[2] = {0.25f16, -2.0f16}; _Float128 q = 2.5f128, qn = -0.5f128, qi; __float128 big = 1e20q; long double ld = 1.25L, lds[2] = {1,2}; _Complex float cf = 1.5f + 2.5fi; _Complex double cd = 1 - 2i; _Complex long double cl = 3 + 4i; _Complex int ci; _Float32 f32 = 0.5f32; _Float64 f64 = 0.25; _Float64x f64x = 0.125;
typedef int v4 __attribute__((vector_size(16))); v4 vi = {1,2,3,4}, vj = {10,20,30,40}; typedef float f4 __attribute__((vector_size(16))); f4 vf = {1,2,3,4}; typedef unsigned char u16 __attribute__((vector_size(16))); u16 vu = {1,2,3};
struct flex { int n; char tail[]; } *fp; struct { int a; union { int b; float c; }; } an = {1,{2}}; 
int main(void) { int n = 1; printf("%d\n", n); return 0; }
END
cat >questions.txt <<'END'
p h
p hv
p h + 1
p q
p qn
p q + 1
p q * 2
p (int)q
p q > 1
ptype q
ptype h
p sizeof(h)
p ld
p lds
p ld + q
p cf
p cd
p cl
p cd + 1
p cd * cd
p cd - cf
p cd / 2
p -cd
p cd == cd
p f32
p f64
p f64x
p f64x * 2
ptype f64x
p vi + vj
p vi * vj
p vj - vi
p vj / vi
p vi & vj
p -vi
p vf + vf
p vf * vf
p vi + 1
p vi == vj
p vu
p vi[2]
ptype vf
whatis vi
p an
p an.b
p/x vi
p vi = vj
p vi
p sizeof(struct flex)
ptype struct flex
p fp
whatis cd
whatis cd + 1
p vi[1] = 7
p q = 5
p q
p h = 2
p h
END
cat >quads.c <<'END'
_Complex _Float128 q = 1.25f128, r = 3.5f128;
_Complex long double l = 1.25L, m = 2.5L;
_Complex double d = 2.5, zero = -0.0;
static _Complex _Float128 twice(_Complex _Float128 x) { return 2 * x; }
int main(void)
{
    __imag__ q = __imag__ l = -2.5;
    return (int)__real__ twice(q); /* STOP */
}
END
cat >quads.want <<'END'
1.25 + -2.5i
2.25 + -2.5i
2.5 + -5i
6 + 0i
1
0
1
1.25 + -2.5i
1.25 + -2.5i
1.25 + -2.5i
7 + 0i
END
if gcc -g -O0 -w -o quads quads.c >cc.out 2>&1; then # gdb 13 shows and passes other bytes
    batch -ex "break quads.c:$(sed -n '/STOP/=' quads.c)" -ex 'run >/dev/null' -ex 'p q' -ex 'p q + 1' -ex 'p twice(q)' \
        -ex 'p twice(3)' -ex 'p q == l' -ex 'p q == m' -ex 'p zero == 0' -ex 'p r = l' -ex 'p r' -ex 'p d = q' -ex 'p d = 7' ./quads
    sed -n 's/^\$[0-9]* = //p' log >got
    check 'complex numbers of 32 bytes: two formats' cmp got quads.want
else
    skip 'complex numbers of 32 bytes: this compiler has no _Float128'
fi
if ! command -v gdb >/dev/null; then
    skip 'complex numbers, vectors: no gdb'
elif ! gcc -g -O0 -w -o parts parts.c >cc.out 2>&1; then
    skip 'complex numbers, vectors: this compiler has no _Float16'
else
    sed 's/.*/echo \\n>> &\\n\n&/' questions.txt >questions
    { printf '%s\n' 'set disable-randomization on' 'break main' 'run >/dev/null'; cat questions; } >ours.ezt
    { gdb_quiet; printf '%s\n' 'unset env LINES' 'unset env COLUMNS' 'break main' 'run >/dev/null'; cat questions; } >theirs.gdb
    timeout -k 5 $limit "$eztsh" -nx ./parts <ours.ezt >ours 2>&1
    timeout -k 5 $limit gdb -nx -q ./parts <theirs.gdb >theirs 2>&1
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said 2>&1
    check "complex numbers, vectors, halves: $(grep -c . questions.txt) answers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
    for words in 'main if q > 1' 'main collect vi + vj' 'main collect cd * 2' 'main collect h' 'main collect q'; do
        batch -ex "probe $words" ./parts
        check "refused: $words" has log 'is not possible in a probe'
    done
fi
finish

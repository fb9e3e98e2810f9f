#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# types.sh - typed arguments and results: what a trace has of each call is what gdb prints there, in C,
# C++ and Fortran, compiled by gcc and clang at -O0, -O1 and -O2.
. "${top_srcdir:-.}/tests/procs/lib.sh"

sources=$(cd "$top_srcdir" && pwd)/tests/targets
tests=$(cd "$top_srcdir" && pwd)/tests/procs

c='ints reals long_double one_float texts by_regs mixed_result three by_memory bitfields enums flags
    complex_d complex_f wide nodes unions variadic many packed quads'
cxx='by_value by_ref ns::point::sum owned held make_owner virtuals nothing_in inherits leveled texted
    _ZN2ns9make_textB5cxx11Ei ns::twice<int> ns::twice<double> vectors'
fortran='things::scalars things::points things::complexes things::texts things::arrays'

record() { # PROGRAM FUNCTION...: probes them all; what was recorded is in `ev`
    prog=$1
    shift
    rm -f ./*.fxt
    for f; do
        case $f in
        *::texts | *::arrays) echo "probe $f collect \$args" ;;
        *) echo "probe $f collect \$args return \$ret" ;;
        esac
    done >script.ezt
    echo 'run' >>script.ezt
    batch -ex 'set trace-switches off' -x script.ezt "$prog"
    cp log planted
    batch -ex "events $(echo ./*.fxt) 1000"
    cp log ev
}

try() { # NAME LEAST FUNCTIONS COMPILER OPTION...
    title=$1 least=$2 functions=$3
    shift 3
    compiled "$title" "$@" -g || return
    # shellcheck disable=SC2086
    record ./prog $functions
    check "$title: all probes are planted" same "$(grep -c '^Probe [0-9]* at' planted)" "$(echo $functions | wc -w)"
    if ! command -v gdb >/dev/null; then
        echo "skip - $title: no gdb"
        return
    fi
    EVENTS=ev timeout -k 5 $limit gdb -batch -nx -x "$tests/gdb_types.py" ./prog >said 2>&1 </dev/null
    check "$title: values are gdb's" lacks said '^differs|^Error|Traceback|Python Exception'
    check "$title: gdb came to its end" has said '^done$|internal problem|internal-error'
    n=$(sed -n 's/^compared \([0-9]*\) of .*/\1/p' said | tail -n 1)
    check "$title: $n values were compared" [ "${n:-0}" -ge "$least" ]
    grep -E '^differs|^Error|Python' said
}

for o in 0 1 2; do
    for cc in gcc clang; do
        try "C by $cc -O$o" 60 "$c" $cc -std=gnu11 -O$o "$sources/t_types.c"
    done
    for cc in g++ clang++; do
        try "C++ by $cc -O$o" 25 "$cxx" $cc -O$o "$sources/t_types.cc"
    done
    try "Fortran by gfortran -O$o" 12 "$fortran" gfortran -fno-inline -fno-ipa-cp -fno-ipa-sra -O$o "$sources/t_types.f90"
done

# ---- all arguments: more than an event has items for, on the stack, by reference there ----------------------
cat >many.c <<'END'
#include <stdio.h>
struct big { int m[30]; };
volatile int kept;
#define SEEN __attribute__((noipa))
SEEN int many(int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10, int a11, int a12, int a13,
    int a14, int a15, int a16, int a17, int a18, int a19, int a20)
{
    fprintf(stderr, "many a1=%d a2=%d a3=%d a4=%d a5=%d a6=%d a7=%d a8=%d a9=%d a10=%d a11=%d a12=%d a13=%d a14=%d a15=%d a16=%d a17=%d a18=%d a19=%d a20=%d\n",
        a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20);
    return a1;
}
SEEN int texts(char *s1, char *s2, char *s3, char *s4, int n) { kept = *s1 + *s2 + *s3 + *s4; return n; }
SEEN int large(struct big b, int n) { kept = b.m[2]; return n; }
int main(void)
{
    struct big b = { { 1, 2, 3 } };
    char *s = "s";
    many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    return !(texts(s, s, s, s, 5) + large(b, 6));
}
END
rm -f ./*.fxt
if compiled 'many.c' "${CC:-cc}" -g -O1 many.c; then
    ./prog 2>truth
    batch -ex 'set max-string 150' -ex 'probe many collect $args' -ex 'probe texts collect $args' \
        -ex 'probe large collect $args' -ex 'run 2>t.err' -ex 'info probes' -ex 'info probes -json' ./prog
    check 'all of 20 arguments: nothing to say' lacks log 'probe 1 does not collect'
    check 'no room: said when it is planted' has log '^Note: probe 2 does not collect s4 \(no room\)\.$'
    check 'no room: and in info probes' has log '^Probe 2 does not collect s4 \(no room\)\.$'
    check 'no room: for programs' has log '"not_collected": "s4 \(no room\)"'
    check 'a large struct: said' has log '^Note: probe 3 does not collect b\.m \(members behind the first 24\)\.$'
    batch -ex "events $(echo ./*.fxt) 10"
    check 'all of 20 arguments' same "$(sed -n 's/.* entry many  /many /p' log)" "$(cat truth)"
    check 'what has room behind them' has log ' entry texts .* n=5$'
    batch -ex start -ex 'probe -r ^(many|texts)$ collect $args' -ex 'set max-string 150' -ex delete \
        -ex 'probe -r ^(many|texts)$ collect $args' ./prog
    check 'many probes: how many lack some' same "$(grep -c '^Note: 1 of them do not collect all arguments' log)" 1
fi
cat >many.f90 <<'END'
subroutine many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  integer :: a, b, c, d, e, f, h, i, j, k, l, m, n, o, p
  real(8) :: g
  write (*, '(6(a,i0,a),a,f3.1,9(a,i0))') 'a=', a, ' ', 'b=', b, ' ', 'c=', c, ' ', 'd=', d, ' ', 'e=', e, ' ', &
    'f=', f, ' ', 'g=', g, ' h=', h, ' i=', i, ' j=', j, ' k=', k, ' l=', l, ' m=', m, ' n=', n, ' o=', o, ' p=', p
end subroutine
program main
  call many(1, 2, 3, 4, 5, 6, 7.5d0, 8, 9, 10, 11, 12, 13, 14, 15, 16)
end program
END
cat >by_value.cc <<'END'
#include <cstdio>
struct own { int v; own(int n) : v(n) {} own(const own &o) : v(o.v) {} ~own() {} };
__attribute__((noipa)) void many(int a, int b, int c, int d, int e, int f, own g, own h)
{
    printf("a=%d b=%d c=%d d=%d e=%d f=%d g.v=%d h.v=%d\n", a, b, c, d, e, f, g.v, h.v);
}
int main() { many(1, 2, 3, 4, 5, 6, own(7), own(8)); }
END
for o in 0 2; do
    for how in "gfortran many.f90 many_" "${CXX:-c++} by_value.cc many"; do
        set -- $how
        rm -f ./*.fxt
        compiled "references on the stack, $1 -O$o" "$1" -g -O$o -fno-inline -fno-ipa-cp -fno-ipa-sra "$2" || continue
        ./prog >truth
        batch -ex "probe $3 collect \$args" -ex 'run >t.out' ./prog
        batch -ex "events $(echo ./*.fxt) 10"
        check "references on the stack, $2 -O$o" same "$(sed -n 's/.* entry many[^=]*  a=/a=/p' log)" "$(cat truth)"
    done
done

# ---- ptype, whatis, info scope: as gdb says ---------------------------------------------------------------
types_of() { # SHELL-ARGUMENTS...: answers, one block
    "$@" -ex 'ptype struct node' -ex 'ptype struct bits_in' -ex 'ptype struct two' -ex 'ptype union number' \
        -ex 'ptype enum colour' -ex 'ptype struct node **' -ex 'ptype word' -ex 'whatis word' -ex 'whatis second' \
        -ex 'whatis first.next->id' -ex 'whatis &counter' -ex 'whatis sink' -ex 'ptype callback' \
        -ex 'whatis (char)1' -ex 'whatis nosuch' -ex 'whatis struct nosuch' \
        "$targets/p_types" 2>&1 </dev/null
}
types_of "$eztsh" -nx -batch >ours
check 'ptype: members' has ours '^    unsigned int hi : 5;$'
check 'ptype: names of an enum' has ours '^type = enum colour \{RED, GREEN = 5, BLUE\}$'
if command -v gdb >/dev/null; then
    types_of gdb -nx -batch >theirs
    check 'ptype, whatis: as gdb says' cmp ours theirs
    diff ours theirs
fi
batch -ex 'info scope nodes' -ex 'info scope by_memory' -ex 'info scope nothing' -ex 'info functions -v ^cloned' \
    -ex 'info functions -v ^by_' "$targets/p_types"
check 'info scope: a parameter' has log '^Symbol p is a variable in \$[a-z0-9]*, length 8, type struct node \*\.$'
check 'info scope: on the stack' has log '^Symbol b is on the stack, .*length 32, type struct big\.$'
check 'info scope: the result' has log '^The result is where the caller wants it, length 32, type struct big\.$'
check 'info scope: nothing' has log '^It has no parameters and no result\.$'
check 'info functions -v: a static function' has log 'static int cloned\(int n, int always, struct node \*p\)'
check 'info functions -v: another one' has log ' struct two by_regs\(struct two t, struct mixed m, int n\)$'

# ---- without debug information -------------------------------------------------------------------------
objcopy --strip-debug "$targets/p_types" bare
rm -f ./*.fxt
batch -ex 'set trace-switches off' \
    -ex "probe 'int ints(signed char a, unsigned char, short c)' collect \$args return \$ret" \
    -ex "probe 'struct pair by_regs(long a, long b, double d)' collect \$args" \
    -ex "probe 'double reals(float f, double d, long double l, int n)' if n == 4 collect \$args return \$ret" \
    -ex 'probe nodes collect $args' -ex 'probe nodes if p->id' -ex run ./bare
cp log planted
batch -ex "events $(echo ./*.fxt) 100"
check 'a prototype: arguments by name, by position, result' has log 'ints  a=-1 .* \$arg1=200 .* c=-300$'
check 'a prototype: the result' has log 'exit  ints  \$ret=-70001 '
check 'a prototype: floats' has log 'reals  f=1.5 d=-2.25 l=3.75 n=4'
check 'a prototype: a type that nobody knows' has planted 'No struct type named pair'
check 'without one: it says why, and what helps' has planted 'not known: there is no debug information'
check 'without one: a name' has planted 'No symbol "p" in current context'

echo text >a.txt
rm -f ./*.fxt
batch -ex 'set trace-switches off' -ex 'probe libc.so.6:open collect $args, $ret' \
    -ex 'run a.txt' "$(command -v cat)"
batch -ex "events $(echo ./*.fxt) 100"
check "libc's functions: a path, and flags" has log 'open  path="a.txt" flags=O_RDONLY'
rm -f ./*.fxt
batch -ex 'set trace-switches off' -ex 'probe libc.so.6:open collect $args, $ret' -ex 'run -c "echo x >>b.txt"' /bin/sh
batch -ex "events $(echo ./*.fxt) 100"
check "libc's functions: flags by name" has log 'path="b.txt" flags=O_WRONLY \| O_CREAT \| O_APPEND'

# ---- what there is room for; members without this-> ------------------------------------------------------------
{
    echo 'struct big {'
    for i in $(seq 0 27); do echo "    int m$i;"; done
    cat <<'END'
};
__attribute__((noinline)) int f(int a, struct big b, const char *s, const char *none) { return a + b.m27 + !s + !none; }
int main(void)
{
    struct big b = { .m0 = 1, .m23 = 23, .m27 = 27 };
    return f(5, b, "txt", 0) - 33;
}
END
} >big.c
if gcc -w -g -O0 -o big big.c 2>cc.out; then
    rm -f ./*.fxt
    batch -ex 'probe f collect $args' -ex run ./big
    batch -ex "events $(echo ./*.fxt)"
    check 'a large struct is one of $args' has log 'entry f  a=5 b\.m0=1 .* b\.m23=23 s="txt" none=0x0$'
fi
if g++ -w -g -O1 -o prog "$sources/t_types.cc" 2>cc.out; then
    rm -f ./*.fxt
    batch -ex 'probe ns::point::sum if x == this->x collect x, this->x' -ex run ./prog
    batch -ex "events $(echo ./*.fxt)"
    check 'members without this->' has log 'entry ns::point::sum.*  x=([0-9]+) this->x=\1$'
fi
finish

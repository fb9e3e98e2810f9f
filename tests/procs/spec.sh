#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# spec.sh - specifications on running programs: what fragments see, when they run, what is kept around them, and what
# becomes of those that fault. (Equal to the same specification on source code: tests/source/apis.sh.)
. "${top_srcdir:-.}/tests/procs/lib.sh"
cc=${CC:-cc}
need python3 "${cc%% *}"
XDG_CACHE_HOME=$work/cache; export XDG_CACHE_HOME
mkdir cache
build() { $cc -g "$@" -lm -lpthread 2>cc.err || fail "$* is compiled" cc.err; }
spec() { # PROG COMMAND...: loads x.spec, runs; output in t.out
    prog=$1
    shift
    rm -f ./*.fxt
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' "$@" \
        -ex 'run >t.out 2>t.err </dev/null' -ex 'info spec' -ex 'info spec -routines -json' "$prog" >log 2>&1 </dev/null
}
clause() { awk -v p="$1" '$1 == p { print $2, $3 }' log; } # PLACE: routines and hits
whole_line() { grep -qxF -e "$2" "$1"; }

# ---- arguments, results, lines, activations -------------------------------------------------------
cat >a.c <<'E2'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct pair { int a; double b; };
static jmp_buf back;
static volatile int secret = 7;
static int hidden(int n) { return n + secret; }
double mean(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s / n;
}
int fact(int n)
{
    if (n <= 1)
        return 1;
    return n * fact(n - 1);
}
long many(char a, short b, int c, long d, unsigned e, unsigned char f, float g, double h, int i, struct pair *p)
{
    return a + b + c + d + e + f + (long)g + (long)h + i + p->a;
}
void leave(int n)
{
    if (n == 0)
        longjmp(back, 1);
    leave(n - 1);
}
void nothing(void)
{
}
int main(int argc, char **argv)
{
    double x[] = { 1, 2, 3, 4.5 };
    struct pair p = { 100, 0 };
    printf("%d %g %ld\n", fact(4) + hidden(argc), mean(x, 4), many(-1, -2, 3, 4, 5, 250, 6.5f, 7.5, 8, &p));
    nothing();
    if (!setjmp(back))
        leave(2);
    fflush(stdout);
    exit(3);
}
E2
cat >x.spec <<'E2'
file="a.c" line=1 code="#include <stdio.h>\nextern volatile int secret; int hidden(int);"
decl code="static int count; int mine = ++count;"
init code="printf(\"init %d %s\\n\", @ARGC@, @ARGV@[@ARGC@] ? \"bad\" : \"good\");"
entry code="printf(\"> @ROUTINE@ @FILE@:@LINE@ %d\\n\", mine);"
exit code="printf(\"< @ROUTINE@ %d\\n\", mine);"
exit routine="fact" code="printf(\"fact(%d) = %d\\n\", n, ez_ret());"
exit routine="mean" code="printf(\"mean(%g.., %d) = %g\\n\", x[0], n, ez_ret());"
entry routine="many" code="printf(\"many %d %d %d %ld %u %u %g %g %d\\n\", a, b, c, d, e, f, g, h, i);"
exit routine="many" code="printf(\"many = %ld\\n\", ez_ret());"
entry routine="main" code="printf(\"secret %d, hidden(1) = %d\\n\", secret, hidden(1));"
abort code="printf(\"! @ROUTINE@\\n\"); fflush(stdout);"
loop entry code="1;"
entry file="*.h" code="2;"
exit routine="nothing" code="printf(\"left %d\\n\", ez_ret());"
E2
for flags in -O0 '-O2 -fno-inline -fno-optimize-sibling-calls'; do
    build $flags -o a a.c
    spec ./a
    check "$flags: the program ends as it does" has log 'exited with code 03'
    check "$flags: its own output" has t.out '^32 2\.625 380$'
    check "$flags: init, with the arguments" same "$(sed -n 1p t.out)" 'init 1 good'
    check "$flags: main, its file and line, an exit by exit()" \
        same "$(grep -c '^> int main(int, char \*\*) a.c:[0-9]* 1$' t.out) $(grep -c '^! int main' t.out) $(grep -c '^< int main' t.out)" '1 1 0'
    check "$flags: the program's own functions and variables" whole_line t.out 'secret 7, hidden(1) = 8'
    check "$flags: arguments of all kinds" whole_line t.out 'many -1 -2 3 4 5 250 6.5 7.5 8'
    check "$flags: results" whole_line t.out 'many = 380'
    check "$flags: a double" whole_line t.out 'mean(1.., 4) = 2.625'
    check "$flags: each activation has its own variables" \
        same "$(grep '^fact(\|fact(int) [0-9]' t.out | tr '\n' ';')" \
        "< int fact(int) 4;fact(1) = 1;< int fact(int) 3;fact(2) = 2;< int fact(int) 2;fact(3) = 6;< int fact(int) 1;fact(4) = 24;"
    check "$flags: a longjmp ends those that it leaves, in order" \
        same "$(grep '^< void leave' t.out | tr '\n' ' ')" '< void leave(int) 3 < void leave(int) 2 < void leave(int) 1 '
    check "$flags: hits by clause" same "$(clause x.spec:4) $(clause x.spec:5) $(clause x.spec:6) $(clause x.spec:11)" \
        '7 11 7 10 1 4 7 1'
    check "$flags: what has no place in binaries" has log '^x.spec:12 .*loops are places of the source'
    check "$flags: what matches nothing" has log '^x.spec:13 .*matches nothing'
    check "$flags: a routine without a result" has log '^ +nothing .*left alone.*it has no result'
    check "$flags: for programs" python3 -c '
import json, sys
d = [json.loads(l) for l in ["".join(open("log")).split("\n{\"schema\"", 1)[1].join(["{\"schema\"", ""])]]
r = {x["routine"]: x for x in d[0]["rows"]}
assert d[0]["schema"] == "eztsh-spec-routines-1" and r["fact"]["entries"] == r["fact"]["exits"] == 4, r'
done

# ---- static variables and functions of the program ---------------------------------------------------
cat >st.c <<'E2'
#include <stdio.h>
static int level = 42, table[3] = { 1, 2, 3 };
static const char *word = "st";
static int twice(int a) { return 2 * a; }
static int (*chosen)(int) = twice;
int other(int k);
int main(void)
{
    level += 1;
    printf("%d %d %d %s\n", other(twice(level)), table[1], chosen(2), word);
    return 0;
}
E2
cat >st2.c <<'E2'
static int level = 7;
int other(int k)
{
    level += k;
    return level;
}
E2
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>\nstatic int level /* ; */, seen; static int given = 5;"
file="st.c" line=1 code="static int twice(int), table[3]; static const char *word __attribute__((unused));\nstatic int (*chosen)(int);"
exit routine!="twice" code="fprintf(stderr, \"@ROUTINE@ %d %d %d\\n\", level, ++seen, given);"
exit routine="main" code="fprintf(stderr, \"%d %d %d %s\\n\", twice(3), chosen(4), table[2], word); level = 50; fprintf(stderr, \"%d\\n\", level);"
E2
build -O0 -o st st.c st2.c
./st >st.out
spec ./st
check "statics: of the routine's own file, as in source code" same "$(tr '\n' ';' <t.err)" \
    'int other(int) 93 1 5;int main() 43 1 5;6 8 3 st;50;' && check "statics: the program computes what it did" cmp t.out st.out
if grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h"; then
    check "statics: on source, the same specification" "$top_builddir/eztsh-instrument" -spec x.spec -- $cc -w st.c st2.c -o st3
    ./st3 >/dev/null 2>st3.err
    check "statics: ... the same output" cmp t.err st3.err
fi
printf '%s\n' 'file="*" line=1 code="static int level; int printf(const char *, ...);"' 'entry routine="f" code="printf(\"%%d\\n\", level);"' \
    'entry routine="main" code="printf(\"main\\n\");"' >x.spec
printf 'static int level = 42;\n__attribute__((noinline)) int f(void) { return level; }\nint main(void) { return f() - 42; }\n' >st4.c
build -O2 -o st4 st4.c
spec ./st4
check "statics: one that the optimiser left out is no zero: its routine is left alone" \
    same "$(grep -c '^st4\.c:2: int f() is left alone: .*level' log) $(cat t.out)" '1 main'

# ---- places of bodies, and names of constructors --------------------------------------------------------
cat >ends.cc <<'E2'
namespace ns { struct T {}; }
template <class T> struct Box {
    T t;
    Box() : t() {}
    template <class U> Box(U, int) : t() {}
    ~Box() { t = T(); }
    int get() const { return 1; } };
struct Plain { int v; Plain(int a) : v(a) {} };
int one(int a) { int b = a + 1; return b; }
int two(int a)
{
    if (a) { a++; return a; }
    return 0; }
int main()
{
    Box<ns::T> b;
    Box<int> c(ns::T(), 1);
    Plain p(0);
    return b.get() + c.get() + one(p.v) + two(0) - 3;
}
E2
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
entry code="fprintf(stderr, \"@ROUTINE@ @END_LINE@:@END_COL@\\n\");"
E2
if ${CXX:-g++} -g -O0 -o ends ends.cc 2>cc.err; then
    spec ./ends
    check "ends: constructors of class templates have no result" same "$(grep -c 'void' t.err)" 0
    check "ends: ... nor have those that are templates" whole_line t.err 'Box<int>::Box<ns::T>(ns::T, int) 5:43'
    if grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h"; then
        check "ends: on source" "$top_builddir/eztsh-instrument" -spec x.spec -- ${CXX:-g++} ends.cc -o ends2
        ./ends2 2>ends2.err
        sed 's/.* //' ends2.err >ends.want
        sed 's/.* //' t.err >ends.got
        check "ends: ... lines and columns are the same" cmp ends.got ends.want
    fi
else
    skip "ends: no compiler of C++"
fi
# ---- __func__: the routine's, not that of the function in which its code is ---------------------------
cat >fn.cc <<'E2'
namespace ns {
template <class T> struct Box {
    T t;
    T get() const { return t; }
    Box &operator<<(int n) { t += n; return *this; }
};
}
static int plain(int n) { return n + 1; }
int main()
{
    ns::Box<int> b = { 3 };
    auto next = [](int n) { return n + 1; };
    b << 2;
    return b.get() + plain(1) + next(2) - 10;
}
E2
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
entry code="fprintf(stderr, \"> %s %s __func__\\n\", __func__, __FUNCTION__);"
exit code="fprintf(stderr, \"< %s\\n\", __func__);"
exit routine="plain" code="fprintf(stderr, \"%s\\n\", __PRETTY_FUNCTION__);"
E2
printf '> %s %s __func__\n' main main >fn.want
for f in operator'<<' get plain operator'()'; do
    printf '> %s %s __func__\n< %s\n' "$f" "$f" "$f"
    [ "$f" != plain ] || echo 'int plain(int)'
done >>fn.want
echo '< main' >>fn.want
if ${CXX:-g++} -g -O0 -o fn fn.cc 2>cc.err; then
    spec ./fn
    check "__func__: on a running program" cmp t.err fn.want
    if grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h"; then
        check "__func__: on source" "$top_builddir/eztsh-instrument" -spec x.spec -- ${CXX:-g++} fn.cc -o fn2
        ./fn2 2>fn2.err
        check "__func__: ... the same" cmp fn2.err fn.want
    fi
else
    skip "__func__: no compiler of C++"
fi

# ---- C++: objects live as long as the call, exceptions end them ------------------------------------
cat >b.cc <<'E2'
#include <cstdio>
#include <stdexcept>
namespace ns {
struct C {
    int k;
    explicit C(int n) : k(n) {}
    int get(int x) const;
};
int C::get(int x) const
{
    if (x > 2)
        throw std::runtime_error("x");
    return k + x;
}
template <typename T> T twice(T v) { return v + v; }
}
struct Base {
    virtual ~Base() {}
};
struct Made : Base {};
static std::runtime_error early("early");
static int deep(const ns::C &c, int n) { return n ? deep(c, n - 1) : c.get(3); }
int main()
{
    ns::C c(5);
    delete static_cast<Base *>(new Made);
    auto next = [](int n) { return n + 1; };
    try {
        std::printf("%d %g %d\n", c.get(1), ns::twice(1.5), next(1));
        deep(c, 2);
    } catch (std::exception &e) {
        std::printf("caught %s\n", e.what());
    }
    return 0;
}
E2
cat >x.spec <<'E2'
file="*" line=1 code="#include <cstdio>\nstruct T { const char *r; T(const char *n) : r(n) { std::printf(\"> %s\\n\", r); } ~T() { std::printf(\"< %s\\n\", r); } };"
entry code="T t(\"@ROUTINE@\");"
exit routine="ns::C::get" code="std::printf(\"get(%d) = %d\\n\", x, ez_ret());"
exit routine~="twice" code="std::printf(\"twice(%g) = %g\\n\", v, ez_ret());"
E2
if ${CXX:-g++} -g -O0 -o b b.cc 2>cc.err; then
    spec ./b
    grep -v '^spec' t.out >b.out
    check "C++: in the order of source code" cmp -s b.out - <<'E2'
> int main()
> ns::C::C(int)
< ns::C::C(int)
> Base::~Base()
< Base::~Base()
> main::operator()
< main::operator()
> double ns::twice<double>(double)
twice(1.5) = 3
< double ns::twice<double>(double)
> int ns::C::get(int) const
get(1) = 6
< int ns::C::get(int) const
6 3 2
> int deep(const ns::C &, int)
> int deep(const ns::C &, int)
> int deep(const ns::C &, int)
> int ns::C::get(int) const
get(3) = 0
< int ns::C::get(int) const
< int deep(const ns::C &, int)
< int deep(const ns::C &, int)
< int deep(const ns::C &, int)
caught x
< int main()
E2
    check "C++: exits by an exception are counted as such" has log 'deep .* 3 left by exceptions'
else
    skip "C++: no compiler"
fi

# ---- Fortran ---------------------------------------------------------------------------------------------
cat >c.f90 <<'E2'
module work
contains
subroutine add(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  x = x + n
  if (n > 2) return
  x = x * 2
end subroutine
end module
program p
  use work
  real(8) :: x
  x = 1
  call add(1, x)
  call add(twice(3), x)
  if (x == 10) stop 3
contains
integer function twice(n)
  integer, intent(in) :: n
  twice = 2 * n
end function
end program
E2
cat >x.spec <<'E2'
decl lang="fortran" code="integer, save :: count = 0"
entry lang="fortran" code="count = count + 1"
entry lang="fortran" code="write (0, '(a,i0)') '> @ROUTINE@ ', count"
exit lang="fortran" code="write (0, '(a)') '< @ROUTINE@'"
abort lang="fortran" code="write (0, '(a)') '! @ROUTINE@'"
E2
if command -v gfortran >/dev/null && gfortran -g -O0 -o c c.f90 2>cc.err; then
    spec ./c
    check "Fortran: modules, internal procedures, STOP" same "$(grep '^[<>!]' t.err | tr '\n' ' ')" \
        '> p 1 > work::add 1 < work::add > p::twice 1 < p::twice > work::add 2 < work::add ! p '
    check "Fortran: it ends as it does" has log 'exited with code 03'
    printf 'init code="n = @ARGC@"\nentry routine="p" code="continue"\n' >x.spec
    spec ./c
    check "Fortran: a keyword of C alone, with its place" has log '^x\.spec:1:1: @ARGC@ has no meaning in .*: restrict the clause by lang'
    check "Fortran: such a specification is not loaded" has log '^The specification has errors\.$'
    printf 'entry lang="fortran" routine="#add" code="call nosuch(1"\nentry lang="fortran" routine="p" code="continue"\n' >x.spec
    spec ./c
    check "Fortran: a mistake, with its place" has log '^x\.spec:1:[0-9]+: Error: Syntax error'
    check "Fortran: that routine is left alone" has log '^Specification 1: 2 routines; 1 when .*left alone 1'
    check "Fortran: ... said with its place" has log '^c\.f90:[0-9]+: work::add is left alone: Syntax error'
    cat >k.f90 <<'E2'
module work
  implicit none
  type pair
    integer :: a, b
  end type
contains
subroutine many(n, x, name, v, a, m, flag, z, r, b)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x
  character(*), intent(in) :: name
  integer, value :: v
  real(8) :: a(2, 3), r(m)
  logical, intent(in) :: flag
  complex(8) :: z
  integer(2) :: b
  x = x + n + a(2, 3) + v + r(1) + real(z) + len(name) + b
  if (flag) x = x + 1
end subroutine
integer(8) function twice(n)
  integer(8), intent(in) :: n
  twice = 2 * n
end function
real(8) function half(y)
  real(8), intent(in) :: y
  half = y / 2
end function
end module
program p
  use work
  real(8) :: x, a(2, 3), r(2)
  a = 1; a(2, 3) = 6; r = 2; x = 1
  call many(3, x, 'abc', 7, a, 2, .true., (1d0, 2d0), r, 9_2)
  if (twice(4_8) /= 8 .or. half(3d0) /= 1.5d0 .or. x /= 33) stop 1
end program
E2
    cat >x.spec <<'E2'
entry routine="#many" code="write (0,'(a,2i3,2f5.1,l2,f5.1,i3)') 'x v', N, m, x, a(2,3), flag, aimag(z), b"
exit routine="#many" code="write (0,'(f6.1)') x"
exit routine="#twice" code="write (0,'(2i3)') n, twice"
exit routine="#half" code="write (0,'(2f4.1)') y, half"
E2
    gfortran -g -O0 -o k k.f90 2>cc.err
    spec ./k
    check "Fortran: arguments, in registers and on the stack, and results" same "$(tr '\n' ';' <t.err)" \
        'x v  3  2  1.0  6.0 T  2.0  9;  33.0;  4  8; 3.0 1.5;'
    check "Fortran: it computes what it did" has log 'exited normally'
    if "$top_builddir/eztsh-instrument" -spec x.spec -- gfortran -w k.f90 -o k2 2>cc.err; then
        ./k2 2>k2.err
        check "Fortran: the same as in source code" cmp t.err k2.err
    fi
    cat >res.f90 <<'E2'
module work
contains
recursive function fact(n) result(r)
  integer, intent(in) :: n
  integer :: r
  r = 1
  if (n <= 1) return
  r = n * fact(n - 1)
end function
real(8) function half(y)
  real(8), intent(in) :: y
  half = y / 2
end function
end module
program p
  use work
  integer :: i
  i = fact(3)
  if (half(3d0) /= 1.5d0 .or. i /= 6) stop 1
end program
E2
    cat >x.spec <<'E2'
exit routine="#fact" code="write (0,'(a,3i3)') 'fact', n, FACT, r"
exit routine="#half" code="write (0,'(a,f4.1)') 'half', half"
E2
    for flags in -O0 -O2; do
        gfortran -g $flags -fno-inline -o res res.f90 2>cc.err
        spec ./res
        check "Fortran $flags: a result by both of its names" same "$(tr '\n' ';' <t.err)" \
            'fact  1  1  1;fact  2  2  2;fact  3  6  6;half 1.5;'
    done
    if "$top_builddir/eztsh-instrument" -spec x.spec -- gfortran -w res.f90 -o res2 2>cc.err; then
        ./res2 2>res2.err
        check "Fortran: ... on source, too" cmp t.err res2.err
    fi
    printf '%s\n' 'entry routine="#half" code="write (0,*) nosuch"' 'entry routine="p" code="write (0,*) i"' \
        'entry routine="#fact" code="write (0,*) n"' >x.spec
    spec ./res
    check "Fortran: an unknown name, a local variable: an error that is told, no variable of its own" \
        same "$(grep -c '^res\.f90:[0-9]*: \(work::half is left alone: Symbol .* has no IMPLICIT type\|p is left alone: i has no place\)' log) $(tr -d ' \n' <t.err)" '2 321'
    printf 'entry routine="#many" code="continue; if (V > 1) continue"\nentry routine="#half" code="continue"\n' >x.spec
    spec ./k
    check "Fortran: an argument that cannot be named is no other variable: its routine is left alone" \
        has log '^ +work::many .* left alone .*v is not passed by its address'
    # ---- Fortran: variables of modules, of COMMON blocks, saved ones
    cat >base.f90 <<'E2'
module base
  implicit none
  type pair
    integer :: a
  end type
  real :: box(0:2, -1:1) = 4
  logical :: on = .true.
  complex(8) :: z = (1d0, 2d0)
  integer(8), private :: big = 5000000000_8
  integer, parameter :: low = -7
  integer, allocatable :: dyn(:)
  type(pair) :: one
  character(4) :: word = 'four'
contains
subroutine a(v)
  real :: v(0:3)
  box(0, -1) = v(0)
  call inner
contains
  subroutine inner
    big = big + 1
  end subroutine
end subroutine
end module
E2
    cat >mid.f90 <<'E2'
module mid
  use base
  integer :: own = 2
end module
subroutine renamed
  use base, other => on
  use mid, only: mine => own
  if (other) mine = mine + 1
end subroutine
subroutine oldstyle(n)
  common /shared/ k, q(2)
  integer kept
  save kept
  data kept /8/
  kept = kept + n
  k = k + n
end subroutine
E2
    cat >uses.f90 <<'E2'
block data
  common /shared/ i, r(2)
  data i /17/, r /1.5, 2.5/
end block data
program uses
  use mid
  real :: f(4) = [1, 2, 3, 4]
  integer, save :: pv = 3
  call a(f)
  call renamed
  call oldstyle(4)
  call within
contains
subroutine within
  pv = pv + own
end subroutine
end program
E2
    cat >x.spec <<'E2'
entry routine="base::a" code="write (0,*) 'a', BOX(0, -1), box(2, 1), on, z, big, low, v(0), v(3), lbound(box); z = (3d0, 4d0)"
exit routine="base::a" code="write (0,*) 'a', box(0, -1), big"
decl routine="#inner" code="integer :: on, mine"
entry routine="#inner" code="on = 1; mine = 2; write (0,*) 'inner', on, mine, &\n  big, z"
entry routine="renamed" code="write (0,*) 'renamed', other, mine, z"
exit routine="oldstyle" code="write (0,*) 'oldstyle', k, q, kept"
entry routine="#within" code="write (0,*) 'within', pv, own, on"
entry routine="uses" code="write (0,*) 'uses', pv, on"
E2
    gfortran -w -g -O0 -o base base.f90 mid.f90 uses.f90 2>cc.err
    spec ./base
    check "Fortran: no routine is left alone that names variables of the program" lacks log 'left alone'
    check "Fortran: ... they are the program's, as those it declares are its own" same "$(tr -s ' ' <t.err | grep -c .) $(grep -c 'inner *1 *2 *5000000000 *(3' t.err)" '7 1'
    if "$top_builddir/eztsh-instrument" -spec x.spec -- gfortran -w base.f90 mid.f90 uses.f90 -o base2 2>cc.err; then
        ./base2 2>base2.err
        check "Fortran: ... as in source code" cmp t.err base2.err
    fi
    printf '%s\n' 'entry routine="base::a" code="write (0,*) dyn(1)"' 'entry routine="#inner" code="write (0,*) one%a"' \
        'entry routine="renamed" code="write (0,*) word"' 'entry routine="oldstyle" code="write (0,*) big"' \
        'entry routine="#within" code="open(unit=9, file=on)"' >x.spec
    spec ./base
    check "Fortran: of those that code cannot have the reason is said" same \
        "$(sed -n 's/^[a-z]*\.f90:[0-9]*: \([a-z:]*\) is left alone: \([^:]*\).*/\1 \2/p' log | sort | tr '\n' ';')" \
        "base::a dyn is allocatable, or has a shape that only the running program knows;base::a::inner one is of a derived type;oldstyle Symbol 'big' at (1) has no IMPLICIT type;renamed word is of type character;uses::within FILE tag at (1) must be of type CHARACTER;"
else
    skip "Fortran: no compiler"
fi

# ---- what the optimiser inlined, and filters ------------------------------------------------------------------
cat >j.c <<'E2'
#include <stdio.h>
static volatile int seen;
static inline __attribute__((always_inline)) int tiny(const int *x) { return (seen = *x) + 1; }
__attribute__((noinline)) int big(int x) { return tiny(&x) * 2; }
int helper(int a) { return big(a) + tiny(&a); }
__attribute__((flatten)) int main(int argc, char **argv)
{
    printf("%d\n", helper(argc));
    return 0;
}
E2
build -O2 -o j j.c
printf 'entry code=""\n' >x.spec
for cc in "$cc" clang; do
    command -v "${cc%% *}" >/dev/null || { skip "inlined: no $cc"; continue; }
    build -O2 -o j j.c
    spec ./j
    check "inlined, $cc: the program" has t.out '^6$'
    check "inlined, $cc: everywhere: it is left alone, and into what it was is said" \
        has log '^ +tiny +j\.c:3 +left alone .*  inlined everywhere, into ((big|helper|main)(, )?){2,3}: 3 copies$'
    check "inlined, $cc: spec load says it, too, with its place" \
        has log '^j\.c:3: int tiny\(const int \*\) is left alone: inlined everywhere, into '
    check "inlined, $cc: one that has code besides, and no calls" \
        has log '^ +[0-9]+ +helper +j\.c:5 .* 0 +0 +inlined, too, into main: 1 copy: calls of these are not seen$'
    check "inlined, $cc: nothing is noted of others" lacks log '^ +[0-9]* +(big|main) .*inlined'
done
cc=${CC:-cc}
build -O2 -o j j.c
filtered() { # LINE...: routines that a clause about all has
    printf '%s\n' "$@" >x.filter
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec -filter x.filter' -ex 'info spec' ./j >log 2>&1 </dev/null
    clause x.spec:1 | cut -d' ' -f1
}
check "filters: EXCLUDE_LIST, by signature, inlined ones too" same \
    "$(filtered BEGIN_EXCLUDE_LIST 'int tiny(const int *)' 'int main(int, char **)' END_EXCLUDE_LIST)" 2
check "filters: by a pattern" same "$(filtered BEGIN_EXCLUDE_LIST '"#i#"' END_EXCLUDE_LIST)" 0
check "filters: INCLUDE_LIST" same "$(filtered BEGIN_INCLUDE_LIST helper 'int big#' END_INCLUDE_LIST)" 2
check "filters: FILE_EXCLUDE_LIST" same "$(filtered BEGIN_FILE_EXCLUDE_LIST '?.c' END_FILE_EXCLUDE_LIST)" 0
check "filters: FILE_INCLUDE_LIST" same "$(filtered BEGIN_FILE_INCLUDE_LIST 'j*' END_FILE_INCLUDE_LIST)" 4
check "filters: of other files" same "$(filtered BEGIN_FILE_INCLUDE_LIST 'k*' END_FILE_INCLUDE_LIST)" 0
check "filters: a wrong one is said, and nothing is loaded" [ -z "$(filtered BEGIN_EXCLUDE_LIST main)" ] &&
    check "filters: where it is wrong" has log '^x\.filter:1:1: this list has no END_EXCLUDE_LIST'

# ---- fault 84: what goes wrong in fragments ---------------------------------------------------------------
cat >d.c <<'E2'
#include <errno.h>
#include <stdio.h>
int bad(int n) { return n + 1; }
int loops(int n) { return n + 2; }
int again(int n) { return n + 3; }
int aborts(int n) { return n + 4; }
int good(int n) { return n + 5; }
int inner(int n) { return n + 6; }
double keep(double a, double b) { errno = 42; return a * b; }
long double wide(long double a) { return a / 3; }
int main(void)
{
    int s = 0;
    double v = 0.1;
    for (int i = 0; i < 3; i++)
        s += bad(i) + loops(i) + again(i) + aborts(i) + good(i);
    v = keep(v, 2.5);
    printf("%d %g %d %d %.20Lf\n", s, v, errno, inner(1), wide(2));
    return 0;
}
E2
build -O2 -fno-inline -rdynamic -o d d.c
./d >d.out
cat >x.spec <<'E2'
file="*" line=1 code="#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\nint again(int); int inner(int);"
entry routine="bad" code="*(volatile int *)8 = 1;"
entry routine="loops" code="for (volatile int i = 1; i; i += 2);"
entry routine="again" code="fprintf(stderr, \"again %d\\n\", again(7));"
exit routine="aborts" code="abort();"
entry routine="good" code="fprintf(stderr, \"good %d %d\\n\", n, inner(n));"
entry routine="inner" code="fprintf(stderr, \"inner\\n\");"
exit routine="keep" code="fprintf(stderr, \"keep %g %g = %g\\n\", a, b, ez_ret()); errno = 5;"
exit routine="wide" code="fprintf(stderr, \"%Lf %g\\n\", (long double)1 / 3, sqrt(2)); errno = 6;"
E2
spec ./d -ex 'set fragment-timeout 1'
check "faults: the program ends as without them" cmp -s t.out d.out
check "faults: a bad address" has log '^The fragment of bad \(specification 1\) received SIGSEGV: it is disabled, and the program runs on\.'
check "faults: a loop" has log '^The fragment of loops .* runs longer than "set fragment-timeout" allows'
check "faults: abort()" has log '^The fragment of aborts .* received SIGABRT'
check "faults: a fragment that comes to its own routine" has log '^The fragment of again .* calls again itself'
check "faults: the others go on" same "$(grep -c '^good' t.err) $(clause x.spec:6)" '3 1 3'
check "faults: what fragments call runs none" same "$(grep -c '^inner' t.err)" 1
check "faults: their probes are disabled" same "$(grep -c '"state": "disabled"' log)" 4
check "kept: vector registers, x87, errno" has t.err '^keep 0\.1 2\.5 = 0\.25$'
printf '%s\n' 'exit routine="bad" code="(void)missing;"' 'entry routine="loops" code="*(volatile int *)8 = 1;"' >x.spec
spec ./d
check "faults: not named after a routine that is left alone" has log '^The fragment of loops '
check "faults: and disabled" same "$(grep -c '"state": "disabled"' log)" 1

# ---- registers hold more than arguments do; what fragments keep in them ---------------------------------------
cat >f.c <<'E2'
#include <stdbool.h>
#include <stdio.h>
#define APART __attribute__((noinline, noclone))
static volatile long one = 1;
APART bool flag(bool b) { return b; }
APART long double third(long double x) { return x / 3; }
static __attribute__((noinline)) double scaled(double by, float more, long n) { return by * n + more + one; }
APART int inner(int n) { return n + 1; }
APART int outer(int n) { return inner(n) + inner(n + 1); }
int main(void)
{
    int f = ((bool (*)(unsigned long))flag)(0xabcd00);
    printf("%d %.18Lf %g %d\n", f & 1, third(2), scaled(2.5, 1.25f, one) + scaled(2.5, 1.25f, 2), outer(1));
    return 0;
}
E2
build -O2 -o f f.c
./f >f.out
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
exit routine="flag" code="fprintf(stderr, \"flag(%d) = %d\\n\", b, ez_ret());"
decl routine="third" code="static volatile int seven = 7; long double kept = 1.0L / seven;"
exit routine="third" code="fprintf(stderr, \"kept %.4Lf\\n\", kept);"
entry routine="scaled" code="fprintf(stderr, \"scaled(%g, %g)\\n\", by, more);"
E2
spec ./f
check "registers: the program computes what it does" cmp -s t.out f.out
check "registers: a bool is a byte" whole_line t.err 'flag(0) = 0'
check "registers: x87's are kept over a call" whole_line t.err 'kept 0.1429'
check "registers: arguments that are constants" same "$(grep -cxF 'scaled(2.5, 1.25)' t.err)" 2

# ---- two specifications for the same routines ---------------------------------------------------------------------
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>"
decl routine~="inner|outer" code="int mine = n;"
entry routine~="inner|outer" code="fprintf(stderr, \"1> @ROUTINE@\\n\");"
exit routine~="inner|outer" code="fprintf(stderr, \"1< @ROUTINE@ %d\\n\", mine);"
abort code="fprintf(stderr, \"1! @ROUTINE@\\n\");"
E2
sed 's/\\"1/\\"2/' x.spec >2.spec
spec ./f -ex 'spec load 2.spec'
check "two specifications: all exits, the newer's first" same "$(grep inner t.err | head -n 4 | tr '\n' ';')" \
    '1> int inner(int);2> int inner(int);2< int inner(int) 1;1< int inner(int) 1;'
check "two specifications: none out of order" lacks log 'out of order'
check "two specifications: both are shown" has log '^Specification 2, 2\.spec'
printf '#include <stdlib.h>\nint main(void) { abort(); }\n' >g.c
build -O0 -o g g.c
spec ./g -ex 'spec load 2.spec'
check "two specifications: the end of the program" same "$(grep '!' t.err | tr '\n' ';')" '2! int main();1! int main();'

# ---- a running program of several threads; taken out again ---------------------------------------------------
cat >e.c <<'E2'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int stop;
static long done[4];
static long work(long k, long i) { return k * i; }
static void *run(void *a)
{
    long k = (long)a, s = 0;
    for (long i = 0; !stop; i++, done[k]++)
        s += work(k, i);
    return (void *)s;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    puts("ready");
    fflush(stdout);
    while (access(argv[1], F_OK))
        usleep(1000);
    stop = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("done %ld\n", done[0] + done[1] + done[2] + done[3]);
    return 0;
}
E2
build -O2 -fno-inline -o e e.c
cat >x.spec <<'E2'
file="*" line=1 code="#include <stdio.h>\nstatic long entered, left;"
decl routine="work" code="long mine = k; long at = i;"
init code="FILE *f = fopen(\"init\", \"a\"); fprintf(f, \"%d %s\\n\", @ARGC@, @ARGV@[1]); fclose(f);"
entry routine="work" code="__atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED);"
exit routine="work" code="__atomic_fetch_add(&left, 1, __ATOMIC_RELAXED); if (mine != k || at != i || ez_ret() != k * i) __builtin_trap();"
E2
rm -f stop init
target ./e stop
until_ok 10 has t.out '^ready'
shell_start -p "$pid"
for round in 1 2 3; do
    say 'spec load x.spec'
    say 'continue &'
    moved "$pid" 200
    say 'info spec'
    say "spec delete $round"
    say 'interrupt'
done
say 'continue &'
touch stop
say wait
shell_end
reap "$pid"
check "attached: the program ends as it does" same "$trc $(grep -c '^done [1-9]' t.out)" '0 1'
check "attached: calls ran it, each time" same "$(awk '$1 == "x.spec:4" && $3 > 1000' log | wc -l)" 3
check "attached: none faulted" lacks log 'it is disabled'
check "attached: init, at once" same "$(sort -u init)" '2 stop'
check "attached: nothing is left of it" lacks log 'wrong|lost'

# ---- the cache, compilers, mistakes ---------------------------------------------------------------------------
cat >x.spec <<'E2'
file="*" line=1 code="#include \"mine.h\""
entry routine="good" code="fprintf(stderr, \"mine %d\\n\", MINE);"
E2
printf '#include <stdio.h>\n#define MINE 1\n' >mine.h
spec ./d -ex 'spec delete 1' -ex "spec load x.spec -cc '-I$work'"
check "cache: compiled at first" same "$(grep -c 'compiled before' log) $(sort -u t.err)" '0 mine 1'
quick() { timeout -k 5 $limit "$eztsh" -nx -batch -ex "spec load x.spec -cc '-I$work'" -ex 'run >t.out 2>t.err' "$@" ./d >log 2>&1 </dev/null; }
quick
check "cache: then not" same "$(grep -c 'compiled before' log) $(sort -u t.err)" '1 mine 1'
ln -s cache linked
(XDG_CACHE_HOME=$work/linked; export XDG_CACHE_HOME; quick)
check "cache: in a folder that is a link" same "$(sort -u t.err)" 'mine 1'
printf '#include <stdio.h>\n#define MINE 22\n' >mine.h
quick
check "cache: a header that changed is noticed" same "$(grep -c 'compiled before' log) $(sort -u t.err)" '0 mine 22'
chmod 777 cache/eztsh/fragments
quick
check "cache: not where others may write" has log 'Other users can write to this folder, so compiled fragments are not kept there'
chmod 700 cache/eztsh/fragments
# Nor below a folder of another user's, or one to which others may write: it could be exchanged.
elsewhere() { # FOLDER: its cache is there
    (XDG_CACHE_HOME=$1; export XDG_CACHE_HOME; quick)
}
mkdir open open/cache && chmod 777 open
elsewhere "$work/open/cache"
check "cache: not below a folder to which others may write" has log "^$work/open: Other users can write to this folder, so compiled fragments are not kept there"
check "... and nothing is left there" same "$(ls open/cache)" ''
chmod 1777 open
elsewhere "$work/open/cache"
check "cache: below a sticky one, as /tmp is" same "$(sort -u t.err)" 'mine 22'
chmod 777 open && ln -s open/cache by_link
elsewhere "$work/by_link"
check "cache: a link leads to no folder that is not safe" has log "^$work/open: Other users can write to this folder, so compiled fragments are not kept there"
if other_user; then
    mkdir "$theirs/cache"
    elsewhere "$theirs/cache"
    check "cache: not below a folder of another user's" has log "^$theirs: Other users can write to this folder, so compiled fragments are not kept there"
    ln -s "$work/cache" linked_by_other && chown -h "$other" linked_by_other
    elsewhere "$work/linked_by_other"
    check "cache: not by a link of another user's" has log "linked_by_other: Other users can write to this folder, so compiled fragments are not kept there"
else
    skip "cache: another user's folder: $why_not"
fi
chmod 700 cache/eztsh/fragments
cat >x.spec <<'E2'
entry code="n = missing + 1;"
entry routine="inner" code="(void)n;"
E2
quick
check "mistakes: of all routines: the compiler's word, and the place" has log "^x\.spec:1:[0-9]+: error: .*'missing'"
check "mistakes: nothing is loaded, the program runs" cmp -s t.out d.out
printf 'entry routine="good" code="(void)n;"\nentry routine="main" code="(void)n;"\n' >x.spec
quick -ex 'info spec'
check "mistakes: of one routine: that one is left alone" has log '^ +main .*left alone .*'"'n'"
printf 'entry routine="good" code="nowhere(1);"\nfile="*" line=1 code="void nowhere(int);"\n' >x.spec
quick
check "mistakes: a function that is nowhere: the loader's word" has log '^Specification 1 is not loaded: .*undefined symbol: nowhere'
check "mistakes: and the program runs" cmp -s t.out d.out
printf 'static int same(int n) { return n + 1; }\nint one(int n) { return same(n); }\n' >h.c
printf 'static int same(int n) { return n + 2; }\nint one(int);\nint main(void) { return one(1) + same(1) - 5; }\n' >i.c
build -O0 -o i i.c h.c
printf 'file="*" line=1 code="int same(int);"\nexit routine="one" code="(void)same(2);"\n' >x.spec
spec ./i
check "mistakes: a name of two static functions" has log "^Specification 1 is not loaded: The code refers to 'same', but the program has several symbols of that name"
check "mistakes: that program runs" has log 'exited normally'
printf 'entry routin="good" code=""\n' >x.spec
quick
check "mistakes: of the language" has log '^x\.spec:1:7: routin is not a clause'
printf 'entry routine="good" code=""\n' >x.spec
EZT_CC=/nonexistent quick
check "no compiler: said, with what helps" has log 'Cannot run the compiler /nonexistent'
batch -ex 'spec load x.spec'
check "no program: said" has log 'No executable file specified'
batch -ex 'spec delete 7' ./d
check "no such specification" has log 'No specification number 7'
quick -ex 'spec list' -ex 'spec list -json'
check "list" has log '^ +1 +x\.spec +waits for a process'
printf 'BEGIN_EXCLUDE_LIST\nint good(int)\nEND_EXCLUDE_LIST\n' >x.filter
batch -ex 'spec load x.spec -filter x.filter' ./d
check "a filter wins" has log '^Specification 1: 0 routines'
strip -g d
printf 'entry routine="good" code=""\nexit code=""\n' >x.spec
spec ./d
check "symbols alone: functions, no stubs of the linker" same "$(clause x.spec:2 | cut -d' ' -f1) $(grep -c '@plt' log)" '9 0'
build -O2 -fno-inline -static -o d d.c
quick
check "a static program: refused, with the reason, and it runs" same "$(grep -c 'is not loaded: the program is static' log) $(cmp -s t.out d.out; echo $?)" '1 0'

# ---- stats: each call once, whatever counts it besides ------------------------------------------------------
cat >once.c <<'END'
#include <stdio.h>
static int n;
__attribute__((noipa)) int step(int k) { n++; return k + 1; }
int main(void) { int s = 0; for (int i = 0; i < 200; i++) s += step(i); printf("%d %d\n", n, s > 0); return 0; }
END
printf 'entry routine="step" code="static int n; n++;"
' >x.spec
if compiled 'once.c' "${CC:-cc}" -g -O1 once.c; then
    calls_with() { # CALLS COMMAND...
        want=$1 name=$2
        rm -f ./*.fxt
        shift
        { echo 'probe main'; for c; do echo "$c"; done; printf '%s\n' 'run >t.out' stats; } >once.ezt
        batch -x once.ezt ./prog
        check "calls once: $name, ..." same "$(sed -n 's/^step *prog *\([0-9]*\) .*/\1/p' log)" "$want"
    }
    calls_with 200 'spec load x.spec'
    calls_with 200 'spec load x.spec' 'probe step'
    calls_with 200 'probe step' 'spec load x.spec'
    calls_with 50 'probe -count step if k < 50'
    calls_with 200 'probe -count step if k < 50' 'probe step'
    calls_with 200 'probe -count step if k < 50' 'probe -count step'
    calls_with 200 'spec load x.spec' 'probe step if k < 50 collect k'
    calls_with 50 'probe -count step if k < 50' 'probe -count step if k < 20'
fi

# ---- what is not loaded ---------------------------------------------------------------------------------------------
echo 'file="*" line=1 code="int x = ;"' >x.spec
echo 'entry routine="twice" code="x++;"' >>x.spec
batch -ex start -ex 'spec load x.spec' "$targets/p_app"
check "code of all routines that is no C: refused" has log '^The code that the specification inserts does not compile\.$'
echo 'entry routine="twice" code="static int n; n++;"' >x.spec
cp "$targets/p_app" app && cp "$targets/libp.so" .
batch -ex start -ex 'spec load x.spec' -ex kill -ex 'shell cp app new; echo >>new; mv new app' -ex start ./app
check "a program that is built again: its specification is not loaded" \
    has log "^Specification 1 is not loaded: .*/app was rebuilt since the specification was loaded\. Load the specification again\.$"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kinds.sh - types of C++ that are none of C's plain ones, and how their values are shown, computed and described: pointers
# to members, classes, references, wide characters, bit-fields, complex numbers, vectors. gdb judges, for the same stop.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++ python3 gdb
cat >kinds.cc <<'END'
#include <cstdio>
#include <cstddef>
#include <string>
#include <complex>
struct A { int x; static int cnt; typedef long word; enum E { e1, e2 }; struct In { int q; }; A() : x(1) {} A(const A &o) = default; virtual ~A() {} int f(int a) const { return x + a; } virtual void v(const char *s, double d = 1) {} static int sf(int n) { return n; } template <class T> T tm(T t) { return t; } A &operator=(const A &) = default; A operator+(const A &o) const { return o; } operator bool() const { return true; } friend int fr(A &); using alias = int[3]; alias al;
protected: int prot; void pf() {} private: short priv : 5; unsigned u : 3; In in; E e; void (*fp)(int); int A::*mp; word w[2]; };
int A::cnt = 3;
struct B : A { int y; int g(int) { return 2; } void v(const char *, double) override {} };
class C : public B, private virtual A::In { int z; public: C() : z(9) { q = 4; } int own = 5; protected: static const int k = 7; };
struct P { int a; int b; double d; int arr[3]; };
int A::*pm = &A::x; int P::*pb = &P::b; int (A::*pf)(int) const = &A::f; void (A::*pv)(const char *, double) = &A::v; double P::*pnull = nullptr; int (P::*arrm)[3] = &P::arr;
typedef int (*row)[5]; typedef int (*fnp)(int, char *); typedef int five[5]; int grid[3][5] = {{1,2,3,4,5}}; row rw = grid; fnp fn = nullptr; five fv = {1,2};
typedef struct { unsigned a : 4; int b : 5; bool c : 1; unsigned long d : 40; } bits_t; bits_t gbits = { 5, -3, true, 77 };
struct anon { int k; union { int i; float f; struct { short lo, hi; }; }; struct { int n1; } named; enum { AA = 1, BB } en; } an = { 1, { 0x3f800000 }, { 4 }, anon::BB };
struct flex { int n; char tail[]; };
enum flags { F_A = 1, F_B = 2, F_C = 4 }; enum flags fl = (flags)3, fl2 = (flags)9, fl0 = (flags)0; enum multi { M_A = 1, M_B = 6, M_C = 8 }; multi mu = (multi)7, mu2 = (multi)2; enum neg { N_A = -1, N_B = 5 }; neg ng = (neg)3; enum class sc : unsigned char { one = 1, two = 2 }; sc scv = sc::two, scw = (sc)3, scx=(sc)8;
bool bo = true; wchar_t wc = L'w', ws[] = L"wide"; char16_t c16 = u'x', s16[] = u"six"; char32_t c32 = U'\u00e9', s32[] = U"th\u20acrty"; char8_t *none8; const wchar_t *wp = L"ptr\u00e9"; const char16_t *p16 = u"p16"; const char32_t *p32 = U"p32"; unsigned char uc = 200; signed char scc = -3; char hi = '\351';
std::complex<double> sc2(1, 2); _Complex double cd = 1.0 + 2.0j; _Complex float cf = 3.0f; long double ld = 1.25L; __float128 f128 = 2.5; _Complex int ci;
typedef int v4 __attribute__((vector_size(16))); v4 vi = {1,2,3,4}, vn = {-8,8,-9,5}; typedef float v2 __attribute__((vector_size(8))); v2 vf = {1.5f, 2}; typedef double v8 __attribute__((vector_size(64))); v8 vd = {1};
int base = 4; int &ref = base; int &&rref = 7; const int &cref = base; std::nullptr_t np = nullptr; A aobj; B bobj; C cobj; P pobj = { 1, 2, 3.5, { 7, 8, 9 } }; A *pa = &bobj; P *pp = &pobj; A &ra = bobj; volatile int vol = 3; const char *const kp = "const"; 
int main() {
    int cap = 10; std::string str = "s"; double dd = 2.5;
    auto lam = [cap, &dd, str](int k) mutable { cap += k; dd += 1; /* LAM */ return cap + (int)dd; };
    auto lam0 = [] { return 1; }; auto lamall = [&] { return cap + (int)dd; }; 
    struct Local { int lx; enum K { ka, kb } k; } loc = { 3, Local::kb }; typedef int lint; lint li = 8;
    int r = lam(2) + lam0() + lamall() + loc.lx + li + pa->f(1) + cobj.own + aobj.tm(3);
    printf("%d %p %d %d\n", r, (void *)none8, (pobj.*pb), (aobj.*pf)(3)); /* HERE */
    return 0;
}
END
cat >both <<'END'
p pm
ptype pm
whatis pm
p pb
p pf
ptype pf
p pv
ptype pv
p pnull
p arrm
p aobj.*pm
p aobj.*5
p aobj.*aobj
p pobj.*pb
p pp->*pb
p pa->*pm
p pobj.*arrm
p (aobj.*pf)(3)
p (pa->*pf)(4)
p &A::x
p &P::b
p &A::f
p &A::cnt
p A::cnt
p pobj.*&P::b
p pb == &P::b
p *pb
p (int)pb
ptype &A::x
ptype &A::f
whatis &P::d
ptype A
ptype struct A
ptype class A
ptype B
ptype C
ptype P
ptype pa
ptype *pa
ptype ra
whatis ra
ptype A::In
ptype A::E
ptype A::word
whatis A::word
ptype row
whatis row
whatis rw
ptype fnp
whatis fn
ptype five
whatis fv
whatis &fv
whatis grid
whatis &grid[0]
whatis *rw
p *rw
p rw
p gbits
p gbits.a=9
p gbits.b=-7
p gbits.b=15
p gbits.c=0
p gbits.d=1099511627775
p gbits.a++
p gbits.a
p gbits
whatis gbits.a
ptype gbits
ptype bits_t
whatis bits_t
p sizeof(gbits)
p an
p an.i
p an.f
p an.hi
p an.named.n1
p an.en
ptype an
ptype struct anon
whatis an.en
whatis an.named
ptype struct flex
p fl
p fl2
p fl0
p mu
p mu2
p ng
p scv
p scw
p scx
p (flags)5
p (flags)16
p F_A
p fl == F_A
p fl & F_B
p sc::one
p/d fl
ptype fl
ptype sc
whatis fl
p bo
p wc
p ws
p c16
p s16
p c32
p s32
p none8
p wp
p p16
p p32
p uc
p scc
p hi
p ws[1]
p *wp
p L'a'
p L"abc"
p u"x"
p U'y'
p &ws
p/x ws
p/c wc
p/s ws
p/x s16
p sc2
p cd
p cf
ptype cd
whatis cf
p ld
p ld * 2
p vi
p vn
p vn/2
p vn%3
p vn>>1
p -vn
p ~vn
p vf<<1
p ~cd
p vi[1]
p vf
p vd
ptype vi
whatis vf
p/x vi
p ref
p rref
p cref
whatis ref
whatis rref
whatis cref
ptype rref
p &ref
p *&ref
p ref + 1
whatis np
p aobj
p bobj
p cobj
p *pa
p ra
p pa
p vol
whatis vol
p kp
whatis kp
whatis &vol
ptype lam
whatis lam
p lam0
p lamall
p lam.cap
p loc
p loc.k
ptype loc
whatis loc
p (Local *)0
p sizeof(Local)
ptype Local
ptype lint
whatis li
p ka
p this
p aobj.f
p aobj.f(2)
p pa->v
p A::f
ptype main
whatis main
ptype A::f
p aobj.x + bobj.y
p bobj.A::x
p bobj.A::f(1)
p cobj.A::x
p cobj.q
p cobj.own
p C::k
p cobj.k
p sizeof(A)
p sizeof(int[3])
ptype int*(*)[3]
whatis (char)1
whatis 1+1L
whatis 1.0f
whatis 'a'
whatis "abc"
whatis 1==1
whatis &aobj
whatis *pa
ptype unsigned long
whatis unsigned
whatis (short)1 + (char)2
p pa == &bobj
p &bobj == pa
p (A*)&bobj == &bobj
p 1 ? pa : &bobj
END
cat >gcc.only <<'END'

END
cat >clang.only <<'END'

END
line=$(sed -n '/HERE/=' kinds.cc)
try() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" kinds.cc || return
    grep -h . both $title.only | sed 's/.*/echo \\n>> &\\n\n&/' >questions
    asked_both ./prog "kinds.cc:$line"
    check "$title: $(grep -c '>>' questions) answers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 12 '^differs' said
}
# In the body of a lambda: what it captured, by its names.
inside() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" kinds.cc || return
    at=$(sed -n '/LAM/=' kinds.cc)
    {
        printf '%s\n' 'echo \n>> -\n' continue
        printf '%s\n' 'p k' 'p cap' 'p dd' 'p cap + k' 'p dd * 2' 'whatis cap' 'info args' | sed 's/.*/echo \\n>> &\\n\n&/'
    } >questions
    asked_both ./prog "kinds.cc:$at"
    check "$title: in a lambda names are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 12 '^differs' said
    check "$title: and it is the lambda" has ours '^\$[0-9]* = 2$'
}
# What a lambda captured hides what the program has by these names, also at its first instruction, where a probe collects it:
# the program says what it is.
cat >closure.cc <<'END'
#include <cstdio>
int n = 1, m = 2, h = 77, q = 78;
struct W { int h = 9; int run(int q) { return [&, this](int z) { printf("z=%d h=%d q=%d\n", z, h, q); return z + h + q; }(1); } };
struct S { int h = 5; int run() { return [*this](int z) mutable { printf("z=%d h=%d n=%d\n", z, h, n); return z + h++ + n; }(3); } };
int both(int x) {
    int n = 10 + x, m = 20;
    auto by = [n, &m](int x) { printf("n=%d m=%d x=%d\n", n, m, x); m++; return x + n + m; };
    return by(1) + by(2);
}
int main() { W w; S s; return both(3) + w.run(4) + s.run() == 0; }
END
captured() { # COMPILER
    compiled "captures by $1" "$1" -g -O0 -std=gnu++17 closure.cc || return
    fn() { nm prog | sed -n "s/.* \($1[^ ]*cl[^ ]*\)$/\1/p" | head -n 1; }
    batch -ex "probe entry $(fn _ZZ4both) if n == 13 collect n, m, x" -ex "probe entry $(fn _ZZN1W) collect z, h, q" \
        -ex "probe entry $(fn _ZZN1S) collect z, h, n" -ex 'run >printed' -ex 'events' ./prog
    sed -n 's/.* entry .*)[ a-z]*  \([a-z]=.*\)/\1/p' log >collected
    check "captures by $1: they were collected" [ "$(wc -l <collected)" = 4 ]
    check "captures by $1: they are what the program printed" cmp printed collected
}
captured g++
captured clang++
try gcc g++ -g -O0 -std=gnu++20 -w
try clang clang++ -g -O0 -std=gnu++20 -w
inside gcc g++ -g -O0 -std=gnu++20 -w
inside clang clang++ -g -O0 -std=gnu++20 -w
# In the name of a function that takes a lambda there are parameters which are not its own.
cat >taking.cc <<'END'
template <class F> int call(F f) { return f(3); }
int main() { int n = 4; return call([n](int b) { return n + b; /* LAM */ }) == 0; }
END
if compiled 'taking' g++ -g -O0 taking.cc; then
    batch -ex 'break call' -ex 'run >printed' -ex bt ./prog
    check 'backtrace: the name of a function that takes a lambda is whole' has log '^#0  call<main\(\)::<lambda\(int\)> > \(f=\.\.\.\) at '
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# classes.sh - C++'s objects in expressions: pointers to bases and derived classes, virtual bases, calls of overloaded
# functions, of templates and of an object's functions. What the program prints for an expression is right; gdb's
# answers are compared where it has no fault of its own.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++ python3

cat >classes.cc <<'END'
#include <cstdio>
#include <string>
namespace sh {
struct base { int b = 5; virtual int area() const { return b; } virtual ~base() {} };
struct left : virtual base { int l = 11; int only() { return l + b; } };
struct right : virtual base { int r = 22; };
struct both : left, right { int d = 33; int area() const override { return 99; } };
struct plain { int p = 1; int own(int k) { return p + k; } static int shared; static int twice(int k) { return 2 * k; } };
int plain::shared = 44;
struct second { int s = 2; virtual int id() { return s; } };
struct multi : plain, second { int m = 3; int id() override { return m; } int own(long k) { return m + (int)k; } };
enum plain_enum { one = 1 };
enum class strict : short { two = 2 };
}
namespace rt {
struct top { virtual ~top() {} int t = 1; };
struct other { virtual ~other() {} int e = 5; };
struct near : top { int n = 2; };
struct far : virtual near { int f = 3; };
struct whole : far, virtual other { int o = 6; };
template <class T> struct holds : other, near { T h = 8; };
struct hides : private other, public near { other *part() { return this; } };
}
namespace un {
struct opaque;
struct first : sh::plain { int twin = 1; };
struct other : sh::plain { int twin = 2; };
struct split : first, other {};
struct heap { char byte[70000]; };
typedef double eight __attribute__((vector_size(64)));
typedef int four __attribute__((vector_size(16)));
}
using namespace sh; using namespace rt;
struct number { int n; };
int over(char) { return 1; }
int over(int) { return 2; }
int over(long) { return 3; }
int over(double) { return 4; }
int over(const char *) { return 5; }
int over(plain *) { return 6; }
int over(strict) { return 7; }
int over(number) { return 8; }
int kind(const int &) { return 1; }
int kind(const double &) { return 2; }
int level(base *) { return 1; }
int level(left *) { return 2; }
int reads(second *p) { return p->s; }
int refers(second &p) { return p.s; }
int changes(int &n) { return ++n; }
int any(const char *, ...) { return 1; }
int any(int) { return 2; }
template <class T> T most(T a, T b) { return a > b ? a : b; }
template <class T, int N> struct row { T v[N]; static int made; T sum() const { T s = 0; for (T x : v) s += x; return s; } };
template <class T, int N> int row<T, N>::made = N;
template <class T> struct boxed { T t; T get() const { return t; } };
boxed<unsigned long> wide_box = { 12 }; boxed<unsigned short> small_box = { 13 }; boxed<boxed<long long>> box_box = { { 14 } };
namespace hidden { int found = 15; int of(int k) { return k + 16; } namespace inner { int deep = 17; } }
using hidden::found; using hidden::of;
namespace alias { using hidden::inner::deep; using namespace hidden; }
both diamond; multi many; plain flat; second *to_second = &many; base *to_base = &diamond; left *to_left = &diamond;
whole all; near lone; holds<int> eight; top *to_top = &all, *to_lone = &lone, *to_eight = &eight, *no_top; other &part = eight;
hides own; other *to_hidden = own.part(); near *to_shown = &own;
second &ref = many; row<int, 4> ints = { { 1, 2, 3, 4 } }; row<double, 2> reals = { { 0.5, 1.5 } };
int count = 10; long wide = 7; short small = 3; float real = 1.5f; const char *text = "text"; number num = { 9 };
strict two = strict::two; plain_enum one_enum = one; bool yes = true; unsigned char byte = 200;
#define EACH(SAY) \
    SAY(over('c')) SAY(over(1)) SAY(over(1L)) SAY(over(1.0)) SAY(over(text)) SAY(over(&flat)) SAY(over(1.5f)) SAY(over(true)) \
    SAY(over(count)) SAY(over(wide)) SAY(over(small)) SAY(over(real)) SAY(over(two)) SAY(over(num)) SAY(over(one_enum)) \
    SAY(over(byte)) SAY(over(&many)) SAY(over("lit")) SAY(over(small + 1)) SAY(over(wide + small)) SAY(over(yes)) \
    SAY(kind(count)) SAY(kind(real)) SAY(kind(1)) SAY(level(&diamond)) SAY(level(to_left)) SAY(level(to_base)) \
    SAY(reads(&many)) SAY(refers(many)) SAY(reads(to_second)) SAY(any("x", 1, 2)) SAY(any(1)) \
    SAY(most<int>(3, 4)) SAY(most<double>(2.5, 1)) SAY(ints.sum()) SAY(reals.sum()) \
    SAY(to_base->area()) SAY(diamond.area()) SAY(diamond.only()) SAY(to_left->only()) SAY(to_second->id()) SAY(ref.id()) \
    SAY(flat.own(2)) SAY(many.own(2L)) SAY(many.plain::p) SAY(many.s) SAY(flat.twice(4)) SAY(plain::twice(5)) \
    SAY(flat.shared) SAY(plain::shared) SAY(row<int, 4>::made) SAY(row<double, 2>::made) SAY(ints.made) \
    SAY(((second *)&many)->s) SAY(static_cast<multi *>(to_second)->m) SAY(((base *)&diamond)->b) SAY(to_left->b) SAY(diamond.b) \
    SAY(((right *)&diamond)->r) SAY(((base &)diamond).b) SAY(reinterpret_cast<plain *>(to_second) == (void *)to_second) \
    SAY((second *)(void *)&flat == (void *)&flat) SAY(int(2.75)) SAY((count, wide)) SAY(::count) SAY(sh::one) SAY(sizeof(row<int, 4>)) \
    SAY(sizeof(second &)) SAY((second *)0 == 0) SAY(((multi *)(second *)&many)->p) \
    SAY(to_second == &many) SAY(&many == to_second) SAY(to_second != &many) SAY(to_second <= &many) SAY((plain *)&many == &many) \
    SAY((count ? &many : to_second)->s) SAY((count ? to_second : &many)->s) SAY(((second *)0 == (multi *)0)) \
    SAY(many.second::id()) SAY(many.plain::own(1)) SAY(flat.plain::own(2)) SAY((&many)->second::id()) SAY(many.multi::id()) \
    SAY(sizeof(boxed<unsigned long>)) SAY(sizeof(boxed<unsigned short>)) SAY(sizeof(boxed<boxed<long long> >)) \
    SAY(((boxed<unsigned long> *)&wide_box)->t) SAY(wide_box.get()) SAY(small_box.get()) SAY(box_box.t.get()) \
    SAY(dynamic_cast<whole *>(to_top)->o) SAY(dynamic_cast<whole *>(to_top) == &all) SAY(dynamic_cast<other *>(to_top)->e) \
    SAY(dynamic_cast<far *>(to_lone) == 0) SAY(dynamic_cast<near *>(to_lone)->n) SAY(dynamic_cast<other *>(to_eight)->e) \
    SAY(dynamic_cast<void *>(to_eight) == (void *)&eight) SAY(dynamic_cast<holds<int> &>(part).h) SAY(dynamic_cast<near &>(part).n) \
    SAY(dynamic_cast<holds<int> *>(no_top) == 0) SAY(dynamic_cast<both *>(to_base)->d) SAY(dynamic_cast<top *>(&all)->t) \
    SAY(dynamic_cast<hides *>(to_hidden) == 0) SAY(dynamic_cast<near *>(to_hidden) == 0) SAY(dynamic_cast<other *>(to_shown) == 0) \
    SAY(dynamic_cast<hides *>(to_shown) == &own) SAY(dynamic_cast<const multi &>(ref).m) SAY(dynamic_cast<multi *>(to_second)->p) SAY(dynamic_cast<far *>(&part) == 0) \
    SAY(multi::shared) SAY(::found) SAY(::of(1)) SAY(alias::deep) SAY(alias::found)
#define SAY(...) printf("%s\t%.17g\n", #__VA_ARGS__, (double)(__VA_ARGS__));
un::split split; un::opaque *opaque; un::heap heap; un::eight eight_reals; un::four four_ints; int (plain::*no_function)(int) = nullptr; int plain::*no_member = nullptr;
int takes(un::heap h) { return h.byte[0]; }
un::eight gives() { return eight_reals; }
int bare() { return count; }
void used() { bare(); int k = 1; changes(k); many.second::id(); takes(heap); gives(); split.first::own(1); }
int main()
{
    used();
    EACH(SAY)
    fflush(stdout);
    __asm__ volatile("nop"); /* HERE */
}
END
line=$(sed -n '/HERE/=' classes.cc)
cat >truth.py <<'END'
import re, sys
want = [l.rstrip("\n").split("\t") for l in open("claims")]
parts = re.split(r"^>>(\d+)$", open("log").read(), flags=re.M)
got = dict(zip(parts[1::2], parts[2::2]))
bad = 0
for k, (e, value) in enumerate(want):
    text = got.get(str(k), "").strip()
    m = re.match(r"\$\d+ = (-?[0-9.e+-]+|true|false|[a-z:]+one)$", text)
    told = m and {"true": 1.0, "false": 0.0}.get(m[1], 1.0 if m[1].endswith("one") else None)
    told = told if not m or told is not None else float(m[1])
    if told != float(value):
        bad += 1
        print("differs: %s is %s, got %r" % (e, value, text))
print("%d of %d agree" % (len(want) - bad, len(want)))
END
try() { # COMPILER OPTION...
    title="$*"
    command -v "$1" >/dev/null || { echo "skip - $title: no $1"; return; }
    "$@" -g -w -o prog classes.cc >cc.out 2>&1 || { fail "$title: it does not compile" cc.out; return; }
    ./prog >claims
    { # the expressions, and assignments of what has to be moved
        echo "break classes.cc:$line"
        echo 'run >/dev/null'
        awk -F '\t' '{ printf "echo >>%d\\n\\n", NR - 1; print "p " $1 }' claims | sed 's/\\n\\n/\\n\n/'
        printf '%s\n' 'echo \n>>1000\n'
        echo 'set var to_second = &many'
        echo 'p/x reads(to_second)'
        echo 'set var to_left = &diamond'
        echo 'set var to_base = to_left'
        echo 'p to_base->b'
        echo 'p over(many)'
        echo 'p over(2u)'
        echo 'p level(&flat)'
        echo 'p static_cast<both *>(to_base)'
        echo 'p dynamic_cast<far &>(lone)'
        echo 'p dynamic_cast<int *>(to_top)'
        echo 'p dynamic_cast<far>(lone)'
        echo 'p dynamic_cast<far *>(count)'
        echo 'count changes if dynamic_cast<far *>(to_lone)'
        echo 'p flat.none(1)'
        echo 'p changes(count)'
        echo 'p count'
        echo 'set var *(long *)to_lone = *(long *)to_lone + 8'
        echo 'p dynamic_cast<far *>(to_lone)'
    } >ask.ezt
    timeout -k 5 $limit "$eztsh" -nx ./prog <ask.ezt >log 2>&1
    python3 truth.py >said 2>&1
    n=$(wc -l <claims)
    check "$title: $n expressions are what the program computes" has said "^$n of $n agree$"
    grep '^differs' said
    check "$title: a pointer that is assigned leads to the base" has log '^\$[0-9]+ = 0x2$'
    check "$title: so does one to a virtual base" has log '^\$[0-9]+ = 5$'
    check "$title: no function takes it" has log '^No function over takes these arguments: over\(char\), '
    check "$title: an ambiguous call is refused" has log '^The call of over is ambiguous: over\(char\), over\(int\), '
    check "$title: no pointer leads to another class" has log '^No function level takes these arguments: '
    check "$title: no pointer leads from a virtual base" has log "^Cannot cast from 'sh::base' to 'sh::both': 'sh::base' is a virtual base"
    check "$title: a reference to no such part is refused" has log '^dynamic_cast failed$'
    check "$title: only classes are cast" has log "^Argument to dynamic_cast must be pointer to class or \`void \*'$"
    check "$title: and only pointers and references" has log '^Argument to dynamic_cast must be a pointer or reference type$'
    check "$title: an operand must be one" has log '^Argument to dynamic_cast does not have pointer type$'
    check "$title: a probe cannot ask the object" has log '^A dynamic_cast is not possible in a probe\. '
    check "$title: an object whose table is none is not guessed" has log "^Couldn't determine value's most derived type for dynamic_cast$"
    check "$title: there is no such function" has log "^Couldn't find method sh::plain::none$"
    check "$title: a function changes what a reference leads to" has log '^\$[0-9]+ = 11$'
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'probe entry bare' -ex 'break bare' -ex 'run >/dev/null' -ex 'p static_cast<multi *>(to_second)->m' ./prog >log 2>&1
    check "$title: C++ is C++ where a probe moved the instruction, too" has log '^\$1 = 3$'

    replies "$title: what is wrong" ./prog "classes.cc:$line" <<'END'
p (plain *)&split => base class 'sh::plain' is ambiguous in type 'un::split'
p split.plain::p => base class 'sh::plain' is ambiguous in type 'un::split'
p split.own(1) => base class 'sh::plain' is ambiguous in type 'un::split'
p split.twice(4) => $1 = 8
p split.twin => Request for member 'twin' is ambiguous in type 'un::split'.
p diamond.plain::p => plain is not a base of this object's class.
p flat.second::id() => second is not a base of this object's class.
p sizeof(*opaque) => The size of un::opaque is not known: the type is incomplete.
p opaque + 1 => The size of un::opaque is not known: the type is incomplete.
p num + num => There is no operator+ for operands of type number.
p !flat => There is no operator! for operands of type sh::plain.
p many.*count => non-pointer-to-member value used in pointer-to-member construct
p count.*(&plain::p) => The operand left of ".*" is not an object of a class.
p count->*(&plain::p) => The operand left of "->*" is not a pointer to an object.
p many->*(&plain::p) => The operand left of "->*" is not a pointer to an object.
p many.*no_member => The pointer to a member is null.
p (many.*no_function)(1) => The pointer to a member is null.
p (many.*(&plain::p))(1) => Invalid data type for function to be called.
p *(&plain::p) => Attempt to dereference pointer to member without an object
p text(1) => Invalid data type for function to be called.
p over() => No function over takes these arguments: over(char), over(int), over(long), over(double), over(char const*), over(sh::plain*), over(sh::strict), over(number). Cast the arguments, or call the function by its address.
p takes(heap) => Cannot pass an argument of type un::heap: the arguments of the call have more than 64 KiB.
p eight_reals + four_ints => An operation needs vectors of the same size.
p gives() => The function was called, but the value that it returned is not known.
disassemble over => "over" is ambiguous: over(char), over(number). Write one of these names in quotes.
replace *zz with bare => Invalid address "zz". Write for example *0x401136 or *4198710.
replace over with bare => "over" names 8 functions. LIB:FUNC or *ADDRESS names a single one.
replace bare with over => Cannot replace bare(): "over" names 8 functions, but only one can be called.
list _start => No line number known for _start.
probe bare if dynamic_cast<far *>(to_lone) => A dynamic_cast is not possible in a probe. If the object has that very type, use static_cast<TYPE>(...).
END
    command -v gdb >/dev/null || { echo "skip - $title: no gdb"; return; }
    for what in 'p diamond' 'p *to_left' 'p *to_base' 'p &diamond.b' 'p (right *)&diamond' 'p (base *)to_left' 'p many' 'p &many.s' 'p (second *)&many' \
        'p (multi *)to_second' 'p *(multi *)to_second' 'p (second &)many' 'p ref' 'p ints' 'p row<int, 4>::made' 'p &ints' 'whatis ints' 'p flat' \
        'p two' 'p (strict)2' 'p one_enum' 'ptype strict' 'ptype plain_enum' 'p to_second = &many' 'p *to_second' 'p sizeof(multi)' "p L'x'" "p 0x1.8p1" \
        'p "a" "b"' 'p (1,2)' 'p ((char (*)[2])text)[0]' 'p *(char (*)[5])text' 'whatis (char (*)[5])text'; do
        printf 'echo \\n>> %s\\n\n%s\n' "$(echo "$what" | sed 's/"/\\"/g')" "$what"
    done >questions
    { echo 'set disable-randomization on'; echo "break classes.cc:$line"; echo 'run >/dev/null'; cat questions; } >ours.ezt
    { gdb_quiet; printf '%s\n' 'unset env LINES' 'unset env COLUMNS' "break classes.cc:$line" 'run >/dev/null'; cat questions; } >theirs.gdb
    timeout -k 5 $limit "$eztsh" -nx ./prog <ours.ezt >ours 2>&1
    timeout -k 5 $limit gdb -nx -q ./prog <theirs.gdb >theirs 2>&1
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said 2>&1
    check "$title: answers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 2 '^differs' said
}
try g++ -O0
try g++ -O0 -gdwarf-2
try clang++ -O0 -fstandalone-debug
finish

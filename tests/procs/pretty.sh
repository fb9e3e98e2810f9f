#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pretty.sh - set print pretty, set print elements, set listsize: what is shown is what gdb shows.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++
need gdb
cat >pretty.cc <<'END'
struct A { int x; int y[3]; };
struct B { A a; A arr[2]; const char *s; char t[20]; };
struct Base { int b; };
struct D : Base { int d; A in; };
struct E : D { };
struct Empty { };
union U { int i; float f; };
struct W { union { int u; char c; }; Empty e; U un; struct { int q; } v; };
int many[300];
int main()
{
    B b = { { 1, { 1, 2, 3 } }, { { 4, { 5, 6, 7 } }, { 8, { 9, 1, 2 } } }, "hello world this is long", "abcdefghij" };
    D d; d.b = 1; d.d = 2; d.in = { 3, { 4, 5, 6 } };
    E e; e.b = 7; e.d = 8; e.in = { 1, { 2, 3, 4 } };
    W w {}; w.u = 65;
    A two[2] = { { 1, { 2, 3, 4 } }, { 5, { 6, 7, 8 } } }, *p = &b.a;
    for (int i = 0; i < 300; i++) many[i] = i;
    const char *l = "aaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbcdefg";
    return b.a.x + d.d + w.u + e.d + two[0].x + p->x + (l != 0);
}
END
g++ -g -O0 pretty.cc -o pretty || exit 1
cat >script <<'END'
break 19
run
set print pretty on
print b
print d
print e
print w
print two
print *p
print/x d
output b.a
info locals
set print elements 4
print b
print many
print l
print two
print b.s
x/s b.s
set print elements 0
print l
print many
set print pretty off
print b
print e
set listsize 4
list 3
list
list -
list 5,
list 12
show print elements
show print pretty
END
masked() { sed -E "s/0x[0-9a-f]+/ADDR/g; s|$PWD/||g; /^\[Thread debug|^Using host|^Starting program/d; /will list by/d" "$1"; }
timeout -k 5 $limit "$eztsh" -nx -batch -x script ./pretty >log 2>&1 </dev/null
masked log >ours
gdb -nx -q -batch -ex 'set debuginfod enabled off' -x script ./pretty >theirs.log 2>&1 </dev/null
masked theirs.log >theirs
check 'values and lines are as gdb shows them' diff theirs ours
check 'there are some' [ "$(wc -l <ours)" -gt 100 ]
batch -ex 'show listsize' -ex 'set listsize unlimited' -ex 'show listsize' -ex 'list 1' ./pretty
check 'listsize: what it is' has log 'list by default is 10'
check 'listsize: unlimited' has log '^20	'
finish

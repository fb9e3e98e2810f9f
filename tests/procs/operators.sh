#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# operators.sh - operators of C++'s classes are functions of the program: members, functions of the classes' namespaces, and global
# ones. Functions of an argument's namespace are found, too. gdb judges, for the same stop; where it refuses, the program does.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++ gdb python3
cat >operators.cc <<'END'
#include <cstdio>
namespace net {
  struct Vec { double x, y;
    Vec operator+(const Vec &o) const { return {x + o.x, y + o.y}; }
    Vec operator-() const { return {-x, -y}; }
    double operator[](int i) const { return i ? y : x; }
    bool operator==(const Vec &o) const { return x == o.x && y == o.y; }
    bool operator!() const { return x == 0; }
    Vec &operator++() { x++; return *this; }
    Vec operator++(int) { Vec was = *this; y++; return was; }
    Vec &operator+=(const Vec &o) { x += 2 * o.x; return *this; }
    Vec &operator<<=(int n) { x *= 1 << n; return *this; }
    Vec operator%(int n) const { return {x + n, y}; } };
  Vec operator*(double k, const Vec &v) { return {k * v.x, k * v.y}; }
  Vec operator*(const Vec &v, int k) { return {k + v.x, k + v.y}; }
  bool operator<(const Vec &a, const Vec &b) { return a.x < b.x; }
  enum Color { red, green }; 
  int shade(Color c) { return c + 40; }
  int length(const Vec &v) { return (int)(v.x + v.y); }
  int both(const Vec *v, int k) { return (int)v->x + k; }
  namespace inner { struct Deep { int n; }; int depth(const Deep &d) { return d.n; } Deep operator|(const Deep &a, int b) { return {a.n | b}; } }
}
int around(const net::inner::Deep &d) { return d.n + 1; }
struct Plain { int n; };
Plain operator+(const Plain &a, const Plain &b) { return {a.n + b.n + 100}; }
template <class T> struct Ptr { T *p; T &operator*() const { return *p; } T *operator->() const { return p; } };
struct Base { int b; virtual int operator()(int n) { return n; } virtual int operator/(int n) { return b / n; } };
struct Derived : Base { int operator/(int n) override { return b * n; } };
struct Idx { int at[4]; int &operator[](unsigned i) { return at[i]; } const int &operator[](unsigned i) const { return at[i]; } };
int use(net::Vec &v, net::Vec w, const net::Vec cv, Plain p, Plain q, Ptr<net::Vec> ptr, Base &base, Idx idx, const Idx cidx, net::inner::Deep deep, net::Color color, int n)
{
  return printf("%d\n", (int)(v.x + w.x + cv.x + p.n + q.n + (*ptr).x + base.b + idx[1u] + cidx[2u] + deep.n + n) + color); /* HERE */
}
int main()
{
  net::Vec v{1.5, 2.5}, w{3, 4}; Plain p{1}, q{2}; Ptr<net::Vec> ptr{&w}; Derived d; d.b = 6; Idx idx{{1, 2, 3, 4}}; net::inner::Deep deep{5}; Ptr<int> pi; int k = 3; pi.p = &k;
  net::Vec t = v + w; t = -t; t = 2.0 * t; t = t * 3; ++t; t++; t += v; t <<= 1; t = t % 2; Plain r = p + q; deep = deep | 8;
  printf("%d %d %d %d %d %d %d %d %d %f %f %d %d %d\n", v == w, !v, v < w, net::shade(net::green), net::length(v), net::both(&v, 1), net::inner::depth(deep), around(deep), r.n, t[0], t[1], ptr->x > 1, *pi, d(1) + d / 2);
  net::Vec twice = 2.0 * v; printf("twice {x = %g, y = %g}\n", twice.x, twice.y); fflush(stdout);
  return use(v, w, v, p, q, ptr, d, idx, idx, deep, net::green, 7) == 0;
}
END
cat >both <<'END'
print v + w
print -v
print v[0]
print cv[1]
print cv[0]
print v == w
print v == v
print !v
print v * 3
print v < w
print w < v
print v % 4
print p + q
print p + q + p
print (v + w) + v
print (v + w).x
print *ptr
print ptr->y
print p->n
print p->n + ptr->x
whatis p->n
print &p->n
print (*ptr)->x
print (*ptr).x
print base / 2
print idx[1]
print cidx[2]
print &idx[1]
print idx[1] = 9
print idx
print idx[1] + 1
print shade(color)
print length(v)
print both(&v, 3)
print depth(deep)
print around(deep)
print deep | 16
print length(v + w)
print v + w == w + v
print v == w || v < w
print v[0] * 2
whatis v + w
whatis v == w
whatis *ptr
whatis p + q
print sizeof(v + w)
print ++v
print v
print v++
print v
print v += w
print v
print v
print v = w
print v
print length(p)
print depth(v)
print n + n
print v[0] ? 1 : 2
END
line=$(sed -n '/HERE/=' operators.cc)
try() { # TITLE COMMAND...
    title=$1
    shift
    compiled "$title" "$@" operators.cc || return
    gdb_judges "$title" operators "operators.cc:$line"
    batch -ex "break operators.cc:$line" -ex 'run >printed' -ex 'print 2.0 * v' -ex 'print net::length(1)' \
        -ex 'print v + 1' -ex 'print p + 1' -ex 'print deep + 1' -ex 'print ptr + 1' -ex 'print v -= w' -ex 'print --v' -ex 'print v' ./prog
    check "$title: a function of the right operand's namespace" has log "^\\\$1 = $(sed -n 's/^twice //p' printed)\$"
    check "$title: a number is no object" has log '^No function net::length takes these arguments'
    check "$title: what the program does not have is refused, as gdb does" same 6 "$(grep -cE '^(No function .*operator\+ takes|There is no operator-[-=] for operands)' log)"
    check "$title: nothing was changed" has log '^\$2 = .*\{x = 1\.5, y = 2\.5\}$'
    batch -ex "break operators.cc:$line if p->n == 1" -ex "break operators.cc:$line if v == w" -ex 'run >printed' ./prog
    check "$title: a condition calls no operator" has log '^Error in testing condition for breakpoint 2: This command calls no functions of the program'
    check "$title: members of what is no pointer need none" lacks log 'condition for breakpoint 1'
}
try g++ g++ -std=c++17 -g -O0
command -v clang++ >/dev/null && try clang++ clang++ -std=c++17 -g -O0
finish

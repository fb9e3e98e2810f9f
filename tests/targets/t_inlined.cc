/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_inlined.cc - as t_inlined.c, in C++: members, templates and a namespace without a name, with references and
 * structs (tests/procs/bt.sh, tests/procs/inlined.sh). */
#include <cstdlib>

#define APART __attribute__((noinline, noipa))
#define WITHIN inline __attribute__((always_inline))

namespace geo
{
struct point {
    int x, y;
};

volatile int sink;
int dummy, *volatile nowhere;

template <typename T> WITHIN T doubled(T v)
{
    volatile T kept = v + v;
    sink = kept;
    *nowhere = kept;
    return kept;
}

class shape
{
    int sides;

  public:
    explicit shape(int n)
        : sides(n)
    {
    }
    WITHIN int area(const point &p, int by)
    {
        volatile int base = p.x * p.y;
        int got = doubled<int>(by) * base;
        sides += got;
        return got + p.x;
    }
    APART int measure(const point *p, int deep)
    {
        volatile int level = deep;
        if (level)
            sink = measure(p, deep - 1) + 1;
        else
            sink = area(*p, 3);
        return sink + level + deep + p->y + sides;
    }
};

namespace
{
WITHIN int hidden(shape &s, const point &p)
{
    volatile int x = p.x;
    int got = s.measure(&p, 2);
    return got + x + p.y;
}
} // namespace

APART int entry(int n)
{
    volatile int here = n;
    shape s(n);
    point p = { here, here + 1 };
    sink = hidden(s, p);
    return sink + here + n;
}
} // namespace geo

int main(int argc, char **argv)
{
    geo::nowhere = argc > 1 ? &geo::dummy : nullptr;
    int got = geo::entry(argc + 2);
    geo::sink = got + argc;
    return argv[0] == nullptr;
}

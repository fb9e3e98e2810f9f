/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_calls.cc - functions of C++ that are called from the shell. Tests: tests/procs/calls.sh */
#include <cstdio>
#include <string>
#define KEEP __attribute__((noipa, used))

namespace ns
{
KEEP int add(int a, int b)
{
    return a + b;
}
} // namespace ns
struct point {
    int x, y;
};
point here = { 1, 2 };
int counted;

KEEP int &counter()
{
    return counted;
}
KEEP void raise_by(int &what, int by)
{
    what += by;
}
KEEP int sum(const point &p)
{
    return p.x + p.y;
}
KEEP bool same(const point &a, const point *b)
{
    return &a == b;
}
KEEP int inner(int n)
{
    return n + counted;
}

int main()
{
    std::printf("%d\n", inner(2));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// t_frames.cc - methods, templates and overloads that are open (tests/procs/bt.sh).
#include <algorithm>
#include <string>

static int *volatile nowhere;
static volatile int sink;

namespace outer
{
struct shape {
    int sides;
    __attribute__((noinline)) int measure(int by, const shape &other);
};
template <typename T> __attribute__((noinline)) T twice(T v, const int &ref)
{
    shape a{ 3 }, b{ 4 };
    sink = a.measure((int)v + ref, b);
    return v + v;
}
int shape::measure(int by, const shape &other)
{
    *nowhere = by + other.sides;
    return sides;
}
}

__attribute__((noinline)) static int over(long v)
{
    int five = 5;
    return (int)outer::twice<long>(v, five) + 1;
}
__attribute__((noinline)) static int over(char c)
{
    return over((long)c) + 1;
}

int main()
{
    return over('a');
}

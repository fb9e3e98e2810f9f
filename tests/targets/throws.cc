// SPDX-License-Identifier: GPL-3.0-or-later
// throws.cc - exceptions through frames with destructors, in four threads (fault 19).
#include "target.h"
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

static unsigned long frames[4], destroyed[4], caught[4];

struct Guard {
    unsigned long &n;
    NI explicit Guard(unsigned long &n) : n(n) { OPAQUE; }
    NI ~Guard() { n++; OPAQUE; }
};

extern "C" NI int deeper(int me, int depth)
{
    Guard g(destroyed[me]);
    frames[me]++;
    if (depth == 0)
        throw std::runtime_error("bottom");
    return deeper(me, depth - 1) + 1;
}

extern "C" NI int catcher(int me)
{
    try {
        return deeper(me, 10);
    } catch (const std::exception &e) {
        caught[me]++;
        return -1;
    }
}

extern "C" NI int rethrower(int me)
{
    try {
        return catcher(me) + deeper(me, 3);
    } catch (...) {
        Guard g(destroyed[me]);
        throw;
    }
}

// Arguments on the stack that only the ways of an exception use.
extern "C" NI long lander(long, long, long, long, long, long me, long seventh)
{
    try {
        return deeper((int)me, 2);
    } catch (...) {
        return seventh;
    }
}

struct Sum {
    long &to, add;
    ~Sum() { to += add; }
};

extern "C" NI void cleaner(long *to, long, long, long, long, long me, long seventh)
{
    Sum s{*to, seventh};
    deeper((int)me, 1);
}

static long landings()
{
    long sum = 0;
    for (long i = 0; i < 100; i++)
        try {
            sum += lander(1, 2, 3, 4, 5, 0, 1000 + i);
            cleaner(&sum, 2, 3, 4, 5, 0, 7000 + i);
        } catch (std::runtime_error &) {
            sum++;
        }
    return sum;
}

static void work(int me)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        try {
            sum += rethrower(me);
        } catch (std::runtime_error &) {
            sum++;
        }
    if (sum != 1000)
        abort();
}

int main()
{
    unsigned long f = 0, d = 0, c = 0;
    bounded();
    {
        std::vector<std::thread> t;
        for (int i = 0; i < 4; i++)
            t.emplace_back(work, i);
        for (auto &x : t)
            x.join();
    }
    printf("landings %ld\n", landings());
    for (int i = 0; i < 4; i++)
        f += frames[i], d += destroyed[i], c += caught[i];
    printf("frames %lu destroyed %lu caught %lu\n", f, d, c);
    claim("count", "deeper", f);
    claim("exits", "deeper", 0);
    claim("count", "catcher", 4000);
    claim("exits", "catcher", 4000);
    claim("count", "rethrower", 4000);
    claim("exits", "rethrower", 0);
    claim("count", "lander", 100);
    claim("exits", "lander", 100);
    claim("count", "cleaner", 100);
    claim("exits", "cleaner", 0);
    return 19;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_leaves.cc - for tests/procs/leaves.sh: calls that an exception or longjmp leaves. */
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
static int n;
static jmp_buf out;
struct guard { int k; ~guard() { n += k; } };
__attribute__((noinline)) void throws(int k)
{
    guard g = { k };
    if (k)
        throw k;
    n++;
}
__attribute__((noinline)) int catches(int k)
{
    guard g = { k };
    try {
        throws(k);
    } catch (int e) {
        n += e;
    }
    n++;
    return n;
}
__attribute__((noinline)) int passes(int k)
{
    guard g = { k };
    n++;
    throws(k);
    return n;
}
__attribute__((noinline)) void jumps(int k)
{
    n++;
    longjmp(out, k);
}
int main()
{
    catches(1);
    n += catches(2);
    try {
        n += passes(3);
        n++;
    } catch (int e) {
        n -= e;
    }
    if (setjmp(out) == 0)
        jumps(2);
    n++;
    try {
        n += passes(3);
        n++;
    } catch (int e) {
        n -= e;
    }
    printf("%d\n", n);
    return 0;
}

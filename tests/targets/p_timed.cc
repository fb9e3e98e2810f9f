/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_timed.cc - calls that return, throw, and jump away, in four threads and deeper than a chunk of slots; in a
 * forked child, too. Prints a result on standard output, and on standard error how many calls of each function
 * returned. */
#include <csetjmp>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define CALLED __attribute__((noinline))

static jmp_buf back;
static long sum, returned[4];

static int counted(int which, int value)
{
    __sync_fetch_and_add(&returned[which], 1);
    return value;
}

extern "C" {
CALLED int leaf(int x)
{
    if (x % 7 == 0)
        throw x;
    return counted(0, x);
}
CALLED int mid(int x)
{
    int r = 0;
    try {
        r = leaf(x);
    } catch (int e) {
        if (e % 2)
            throw;
        r = -e;
    }
    return counted(1, r);
}
CALLED int deep(int d)
{
    return counted(2, (d ? deep(d - 1) : leaf(1)) + 1);
}
CALLED int jumper(int x)
{
    if (x % 5 == 0)
        longjmp(back, 1);
    return counted(3, x);
}
}

static void work()
{
    long s = 0;
    for (int i = 1; i < 3000; i++)
        try {
            s += mid(i);
        } catch (int e) {
            s += e * 3;
        }
    for (int i = 0; i < 50; i++)
        s += deep(i * 20);
    __sync_fetch_and_add(&sum, s);
}

int main()
{
    std::vector<std::thread> thread;
    for (int i = 0; i < 4; i++)
        thread.emplace_back(work);
    for (auto &t : thread)
        t.join();
    for (volatile int i = 1; i < 1000; i = i + 1)
        if (!setjmp(back))
            sum += jumper(i);
    pid_t child = fork();
    if (!child)
        _exit(deep(60));
    int status;
    waitpid(child, &status, 0);
    printf("%ld %d\n", sum, WEXITSTATUS(status));
    fprintf(stderr, "leaf %ld\nmid %ld\ndeep %ld\njumper %ld\n", returned[0], returned[1],
            returned[2], returned[3]);
    return 0;
}

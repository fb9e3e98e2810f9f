// SPDX-License-Identifier: GPL-3.0-or-later
// t_catch.cc - does each thing that a catchpoint can catch, once or a few times. Used by catch.sh.
#include <csignal>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(int i)
{
    if (i > 1)
        throw i;
    throw 2.5;
}

static void exceptions()
{
    for (int i = 1; i < 3; i++) {
        try {
            fail(i);
        } catch (int) {
        } catch (double) {
        }
    }
    try {
        try {
            fail(2);
        } catch (...) {
            throw;
        }
    } catch (int) {
    }
}

static void ended(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write(1, "second\n", 7) == 7 ? 7 : 1;
    if (write(1, "first\n", 6) != 6)
        return 1;
    exceptions();
    pid_t child = fork();
    if (!child)
        _exit(3);
    ended(child);
    child = vfork();
    if (!child)
        _exit(4);
    ended(child);
    void *h = dlopen("./libcaught.so", RTLD_NOW);
    if (!h || dlclose(h))
        return 2;
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    raise(SIGUSR1);
    execl("/proc/self/exe", argv[0], "again", static_cast<char *>(nullptr));
    return 3;
}

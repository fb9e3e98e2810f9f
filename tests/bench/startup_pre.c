/* SPDX-License-Identifier: GPL-3.0-or-later */
/* startup_pre.c - preloaded by startup.c: when main would begin, say how long ago the
 * process was told to exec (its last argument, CLOCK_MONOTONIC in ns), and end. Only in
 * the program that STARTUP_PROG names: the shells on the way have it preloaded too. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                     void *);

static int say(int argc, char **argv, char **env)
{
    struct timespec ts;
    char line[64];
    clock_gettime(CLOCK_MONOTONIC, &ts);
    long long now = ts.tv_sec * 1000000000ll + ts.tv_nsec;
    int fd = open(getenv("STARTUP_OUT"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int n = snprintf(line, sizeof line, "%lld\n", now - atoll(argv[argc - 1]));
    (void)env;
    _exit(write(fd, line, (size_t)n) != n);
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    start_fn *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    const char *prog = getenv("STARTUP_PROG"), *slash = strrchr(argv[0], '/');
    if (prog && !strcmp(prog, slash ? slash + 1 : argv[0]))
        main = say;
    return next(main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* SPDX-License-Identifier: MIT */
/* entered.c - writes what is entered and left to the file that CALLS names, for tests/source/dwarf.py: addresses, as the
 * compiler's -finstrument-functions gives them, or names, as dwarf.spec does. Nothing is buffered, for a program may abort;
 * but with BUFFERED, of programs that end well. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *routine, void *site);
void __cyg_profile_func_exit(void *routine, void *site);
void ez_entered(const char *routine);
void ez_left(const char *routine);
void ez_entered_f_(const char *routine, size_t n);
void ez_left_f_(const char *routine, size_t n);

#ifdef BUFFERED
static FILE *to;

__attribute__((destructor)) static void done(void)
{
    if (to)
        fflush(to);
}

static FILE *buffered(void)
{
    const char *path = getenv("CALLS");
    return to ? to : (to = fopen(path ? path : "/dev/null", "a"));
}
#define dprintf(to, ...) fprintf(buffered(), __VA_ARGS__)
#else
static int out(void)
{
    static int fd = -1;
    const char *path = getenv("CALLS");
    if (fd < 0 && path)
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    return fd;
}
#endif

void __cyg_profile_func_enter(void *routine, void *site)
{
    (void)site;
    dprintf(out(), "> %p\n", routine);
}

void __cyg_profile_func_exit(void *routine, void *site)
{
    (void)site;
    dprintf(out(), "< %p\n", routine);
}

void ez_entered(const char *routine)
{
    dprintf(out(), "> %s\n", routine);
}

void ez_left(const char *routine)
{
    dprintf(out(), "< %s\n", routine);
}

void ez_entered_f_(const char *routine, size_t n)
{
    dprintf(out(), "> %.*s\n", (int)n, routine);
}

void ez_left_f_(const char *routine, size_t n)
{
    dprintf(out(), "< %.*s\n", (int)n, routine);
}

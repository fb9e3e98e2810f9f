/* SPDX-License-Identifier: MIT */
/* apis.c - see api.h; and the interfaces as Fortran calls them. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "TAU.h"

void api_init(int argc, const char *program)
{
    const char *slash = strrchr(program, '/');
    printf("init %d %s\n", argc, slash ? slash + 1 : program);
}

void api_enter(const char *name, const char *file, int line)
{
    printf("> %s %s:%d\n", name, file, line);
}

void api_leave(const char *name)
{
    printf("< %s\n", name);
}

void api_exit(void)
{
    printf("exit\n");
}

void tau_start(const struct tau_timer *t)
{
    char file[256] = "?";
    int line = 0;
    sscanf(t->type, " [{%255[^}]} {%d,", file, &line);
    printf("group %s\n", t->group);
    api_enter(t->name, file, line);
}

/* ---- Fortran: lengths of texts behind the arguments -------------------------------------------------------- */

#define FORTRAN(name, ...)                                                                         \
    void name(__VA_ARGS__);                                                                        \
    void name(__VA_ARGS__)

static char *api_text(const char *text, size_t n)
{
    return strndup(text, n);
}

FORTRAN(epik_user_start_, const char *name, const char *file, const int *line, size_t n, size_t m)
{
    api_enter(api_text(name, n), api_text(file, m), *line);
}

FORTRAN(epik_user_end_, const char *name, const char *file, const int *line, size_t n, size_t m)
{
    (void)file, (void)line, (void)m;
    api_leave(api_text(name, n));
}

FORTRAN(vt_user_start_, const char *name, const char *file, const int *line, size_t n, size_t m)
{
    epik_user_start_(name, file, line, n, m);
}

FORTRAN(vt_user_end_, const char *name, const char *file, const int *line, size_t n, size_t m)
{
    epik_user_end_(name, file, line, n, m);
}

FORTRAN(tau_profile_init_, void)
{
    api_init(1, "fortran");
}

FORTRAN(tau_profile_set_node_, const int *node)
{
    (void)node;
}

static struct tau_timer timers[100];
static int timer_count;

FORTRAN(tau_profile_timer_, int *timer, const char *text, size_t n)
{
    if (timer[0])
        return;
    char *name = api_text(text, n), *type = strstr(name, " [{");
    timer[0] = ++timer_count;
    timers[timer[0]] = (struct tau_timer){ name, type ? strdup(type) : "", TAU_USER };
    if (type)
        *type = 0;
}

FORTRAN(tau_profile_start_, const int *timer)
{
    tau_start(&timers[timer[0]]);
}

FORTRAN(tau_profile_stop_, const int *timer)
{
    api_leave(timers[timer[0]].name);
}

FORTRAN(tau_profile_exit_, const char *why, size_t n)
{
    (void)why, (void)n;
    api_exit();
}

FORTRAN(scorep_f_begin_, int64_t *region, const char *name, const char *file, const int *line,
        size_t n, size_t m)
{
    char *text = api_text(name, n);
    *region = (int64_t)(intptr_t)text;
    api_enter(text, api_text(file, m), *line);
}

FORTRAN(scorep_f_regionend_, const int64_t *region)
{
    api_leave((const char *)(intptr_t)*region);
}

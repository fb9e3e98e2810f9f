/* SPDX-License-Identifier: MIT */
/* calls.c - see calls.h. Prints each call, and dies when one does not fit those before. */
#define _GNU_SOURCE
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth, loops, stopped, started;

static void at_end(void)
{
    fprintf(stderr, "%s: depth %d loops %d\n", depth == 0 || stopped ? "balanced" : "UNBALANCED",
            depth, loops);
}

void START(void)
{
    started++;
    atexit(at_end);
}

int ENTER(const char *routine, int line)
{
    fprintf(stderr, "enter %s %d\n", routine, line);
    if (started != 1)
        abort();
    return ++depth;
}

void LEAVE(int level, int line)
{
    fprintf(stderr, "leave %d\n", line);
    if (level != depth--)
        abort();
}

void STOP(int line)
{
    fprintf(stderr, "stop %d\n", line);
    stopped = 1;
}

void LOOP(int line)
{
    fprintf(stderr, "loop %d\n", line);
    loops++;
}

void DONE(int line)
{
    fprintf(stderr, "done %d\n", line);
    loops--;
}

void THROWN(int line)
{
    fprintf(stderr, "throw %d\n", line);
}

void CAUGHT(int line)
{
    fprintf(stderr, "catch %d\n", line);
}

/* ---- for Fortran: by reference, with the lengths of texts behind ------------------------------------------ */

void start_f_(void);
void enter_f_(int *level, const char *routine, const int *line, size_t n);
void leave_f_(const int *level, const int *line);
void stop_f_(const int *line);
void call_f_(const int *line);
void loop_f_(const int *line);
void done_f_(const int *line);

void start_f_(void)
{
    START();
}

void enter_f_(int *level, const char *routine, const int *line, size_t n)
{
    char *name = strndup(routine, n);
    *level = ENTER(name, *line);
    free(name);
}

void leave_f_(const int *level, const int *line)
{
    LEAVE(*level, *line);
}

void stop_f_(const int *line)
{
    STOP(*line);
}

void call_f_(const int *line)
{
    fprintf(stderr, "call %d\n", *line);
}

void loop_f_(const int *line)
{
    LOOP(*line);
}

void done_f_(const int *line)
{
    DONE(*line);
}

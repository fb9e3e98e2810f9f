/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gtg_alone - how many events a second libgtg writes when all else is free: a program,
 * a process, two threads, 200 functions, calls in each other, every string ready.
 *
 *   gtg_alone paje|otf EVENTS     writes in a folder of its own under the current one
 *
 * Prints "TYPE EVENTS SECONDS EVENTS/S". What `convert` reaches is set against it. */
#include <GTG.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FUNCTIONS = 200, THREADS = 2, DEPTH = 4 };

static char function[FUNCTIONS][16];
static const char *const thread[THREADS] = { "T0", "T1" };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void define(void)
{
    addContType("CT_Program", "0", "Program");
    addContType("CT_Process", "CT_Program", "Process");
    addContType("CT_Thread", "CT_Process", "Thread");
    addStateType("ST_Thread", "CT_Thread", "Thread State");
    addContainer(0, "A", "CT_Program", "0", "app", "0");
    addContainer(0, "P", "CT_Process", "A", "app 42", "0");
    for (int i = 0; i < THREADS; i++)
        addContainer(0, thread[i], "CT_Thread", "P", thread[i], "0");
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[32];
        snprintf(function[i], sizeof function[i], "F%d", i);
        snprintf(name, sizeof name, "function_%d", i);
        addEntityValue(function[i], "ST_Thread", name, GTG_RED);
    }
}

/* DEPTH pushes, DEPTH pops, then the other thread. */
static void tell(long events, double tick)
{
    for (long i = 0; i < events; i++) {
        const char *t = thread[i / (2 * DEPTH) % THREADS];
        if (i % (2 * DEPTH) < DEPTH)
            pushState((double)i * tick, "ST_Thread", t, function[i * 7 % FUNCTIONS]);
        else
            popState((double)i * tick, "ST_Thread", t);
    }
}

static void clean_up(const char *folder)
{
    DIR *d = opendir(".");
    for (struct dirent *e; d && (e = readdir(d));)
        unlink(e->d_name);
    if (d)
        closedir(d);
    if (chdir("..") == 0)
        rmdir(folder);
}

int main(int argc, char **argv)
{
    char folder[] = "gtg_alone-XXXXXX";
    long events = argc == 3 ? atol(argv[2]) / (2 * DEPTH) * (2 * DEPTH) : 0;
    bool otf = argc == 3 && !strcmp(argv[1], "otf");
    if (events <= 0 || !mkdtemp(folder) || chdir(folder))
        return 2;
    double tick = otf ? 1e-5 : 1e-6, begin = now(), end;
    setTraceType(otf ? OTF : PAJE);
    initTrace("t", 0, GTG_FLAG_NONE);
    define();
    tell(events, tick);
    for (int i = 0; i < THREADS; i++)
        destroyContainer((double)events * tick, thread[i], "CT_Thread");
    destroyContainer((double)events * tick, "P", "CT_Process");
    destroyContainer((double)events * tick, "A", "CT_Program");
    endTrace();
    end = now();
    printf("%s %ld %.3f %.0f\n", argv[1], events, end - begin, (double)events / (end - begin));
    clean_up(folder);
    return 0;
}

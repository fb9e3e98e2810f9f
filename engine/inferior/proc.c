/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.c - reads fields of files in /proc (proc.h).
 * Tests: tests/unit/inferior/check_places.c */
#include "engine/inferior/proc.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/strutil.h"
#include "engine/ezt.h"

#define STATUS_MOST (1u << 20) /* maximum size in bytes; the file lists all groups of the user */

static const struct number {
    const char *name;
    int base;
    size_t at;
} number[] = {
    { "Tgid", 10, offsetof(struct ez_proc_status, process) },
    { "PPid", 10, offsetof(struct ez_proc_status, parent) },
    { "TracerPid", 10, offsetof(struct ez_proc_status, tracer) },
    /* the first of four numbers, which is the real uid */
    { "Uid", 10, offsetof(struct ez_proc_status, uid) },
    { "VmLck", 10, offsetof(struct ez_proc_status, locked_kb) },
    { "SigPnd", 16, offsetof(struct ez_proc_status, pending) },
    { "ShdPnd", 16, offsetof(struct ez_proc_status, shared_pending) },
    { "SigBlk", 16, offsetof(struct ez_proc_status, blocked) },
    { "SigIgn", 16, offsetof(struct ez_proc_status, ignored) },
    { "SigCgt", 16, offsetof(struct ez_proc_status, caught) },
    { "Seccomp", 10, offsetof(struct ez_proc_status, seccomp) },
};

static void proc_field(struct ez_proc_status *s, const char *name, const char *value)
{
    static const char features[] = "_Thread_features"; /* after the processor's name */
    size_t n = strlen(name);
    for (size_t i = 0; i < EZ_ARRAY_LEN(number); i++)
        if (!strcmp(name, number[i].name))
            *(uint64_t *)((char *)s + number[i].at) = strtoull(value, NULL, number[i].base);
    if (!strcmp(name, "Name"))
        snprintf(s->comm, sizeof s->comm, "%s", value);
    else if (!strcmp(name, "State"))
        s->state = *value;
    else if (n > strlen(features) && !strcmp(name + n - strlen(features), features))
        snprintf(s->features, sizeof s->features, "%s", value);
    else if (!strcmp(name, "NSpid"))
        s->nested = strchr(value, '\t') != NULL;
}

bool ez_proc_status(pid_t pid, pid_t tid, struct ez_proc_status *s)
{
    char path[64];
    size_t n;
    memset(s, 0, sizeof *s);
    snprintf(path, sizeof path, tid ? "/proc/%d/task/%d/status" : "/proc/%d/status", pid, tid);
    EZ_FREE char *text = ez_str_load(path, STATUS_MOST, &n);
    if (!text || !n)
        return false;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *value = strchr(line, ':');
        if (!value)
            continue;
        *value++ = 0;
        proc_field(s, line, value + strspn(value, " \t"));
    }
    return true;
}

bool ez_is_zombie(pid_t pid, pid_t tid)
{
    char path[64];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    EZ_FREE char *text = ez_str_load(path, 4096, &n);
    /* the fields follow the name, which may contain spaces */
    char *p = text ? strrchr(text, ')') : NULL;
    return !p || !p[1] || p[2] == 'Z' || p[2] == 'X';
}

uint64_t ez_auxv(pid_t pid, uint64_t type)
{
    char path[64];
    Elf64_auxv_t a;
    uint64_t v = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    while (!v && fread(&a, sizeof a, 1, f) == 1 && a.a_type != AT_NULL)
        if (a.a_type == type)
            v = a.a_un.a_val;
    fclose(f);
    return v;
}

double ez_process_cpu_ns(int pid)
{
    clockid_t clock;
    struct timespec t;
    if (!pid || clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int ez_yama_scope(void)
{
    int v = 0;
    FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (f) {
        if (fscanf(f, "%d", &v) != 1)
            v = 0;
        fclose(f);
    }
    return v;
}

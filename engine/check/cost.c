/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.c - see cost.h. */
#include "engine/check/cost.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/base/helper.h"
#include "engine/inferior/pt.h"
#include "engine/target.h"

#define DEADLINE_MS 10000 /* half a second on an idle machine */
#define OUTPUT_MOST 16384

extern char **environ;

static const char *const name[EZ_COST_N] = {
    [EZ_COST_BARE] = "bare",
    [EZ_COST_COUNT_ENTRY] = "count_entry",
    [EZ_COST_COUNT_BOTH] = "count_both",
    [EZ_COST_COUNT_SLOTS] = "count_slots",
    [EZ_COST_RECORD_SLOTS] = "record_slots",
    [EZ_COST_RECORD_ENTRY] = "record_entry",
    [EZ_COST_RECORD_BOTH] = "record_both",
    [EZ_COST_STAMP] = "stamp",
    [EZ_COST_BOUND] = "bound",
};

static ez_err *cost_start(char *const argv[], int out, pid_t *pid)
{
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setpgroup(&attr, 0); /* ended as a group: its target too */
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&fa, out, 1);
    posix_spawn_file_actions_adddup2(&fa, out, 2);
    int e = posix_spawn(pid, "/proc/self/exe", &fa, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    return e ? ez_err_new(EZ_E_SYS, e, "cannot run eztsh") : NULL;
}

/* All it says, until it has ended. */
static ez_err *listen_to(int fd, char *text)
{
    size_t n = 0;
    double end = ez_now_exact() + DEADLINE_MS;
    for (;;) {
        struct pollfd p = { fd, POLLIN, 0 };
        double left = end - ez_now_exact();
        if (left <= 0)
            return ez_err_new(EZ_E_TIMEOUT, 0, "no figures within %d s: the machine is busy",
                              DEADLINE_MS / 1000);
        if (poll(&p, 1, (int)left + 1) <= 0)
            continue;
        ssize_t got = read(fd, text + n, OUTPUT_MOST - 1 - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || n + (size_t)got >= OUTPUT_MOST - 1)
            return NULL;
        n += (size_t)got;
        text[n] = 0;
    }
}

static ez_err *cost_converse(char *const argv[], char *text)
{
    int fd[2], status;
    pid_t pid, got;
    if (pipe2(fd, O_CLOEXEC))
        return ez_err_new(EZ_E_SYS, errno, "pipe");
    ez_err *e = cost_start(argv, fd[1], &pid);
    close(fd[1]);
    if (!e) {
        e = listen_to(fd[0], text);
        if (e)
            kill(-pid, SIGTERM); /* it takes its target along */
        ez_err_drop(pt_wait(pid, 0, &status, &got, "collect the eztsh that measures"));
    }
    close(fd[0]);
    return e;
}

/* The probes that count and those that record are alike: as many events are recorded as
 * are counted, or some probe was not there. */
static bool all_probed(const char *text)
{
    unsigned long hits, recorded, filtered;
    const char *sum = NULL;
    for (const char *p = text; (p = strstr(p, " hits = ")); p++)
        sum = p; /* the last is the program's end */
    while (sum && sum > text && sum[-1] != ' ' && sum[-1] != '\n')
        sum--;
    return sum && sscanf(sum, "%lu hits = %lu recorded + %lu", &hits, &recorded, &filtered) == 3 &&
           recorded && recorded == filtered && hits == recorded + filtered;
}

static ez_err *cost_parse(const char *text, struct ez_cost *out)
{
    unsigned found = 0;
    char word[32];
    double ns;
    for (const char *p = text; (p = strstr(p, "ezt-cost: ")); p++)
        for (int i = 0; sscanf(p, "ezt-cost: %31s %lf", word, &ns) == 2 && i < EZ_COST_N; i++)
            if (!strcmp(word, name[i])) {
                out->ns[i] = ns;
                found |= 1u << i;
            }
    out->mono = strstr(text, "CLOCK_MONOTONIC") != NULL;
    if (found == (1u << EZ_COST_N) - 1 && all_probed(text))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "the measuring session gave no figures: %.*s",
                                  (int)strcspn(text, "\n"), text),
                       "try its program by hand: eztsh ezt-cost");
}

static ez_err *cost_measure(const struct ez_settings *set, const char *dir, struct ez_cost *out)
{
    static const char *const clock[] = { "auto", "tsc", "monotonic" };
    EZ_FREE char *program = ez_helper("ezt-cost", "EZT_COST");
    EZ_FREE char *text = ez_alloc(OUTPUT_MOST);
    EZ_FREE char *trace = ez_sprintf("trace start %s/cost.fxt", dir);
    EZ_FREE char *use = ez_sprintf("set trace-clock %s", clock[set->trace_clock % 3]);
    /* clang-format off */
    char *argv[] = { "eztsh", "-q", "-nx", "-batch", "-ex", use, "-ex", "set ring-size 1024",
                     "-ex", trace, "-ex", "start", /* the mode of an exit is that of its planting */
                     "-ex", "set exit-mode call-through",
                     "-ex", "probe entry -count count_entry", "-ex", "probe -count count_both",
                     "-ex", "probe entry record_entry", "-ex", "probe record_both",
                     "-ex", "set exit-mode slots",
                     "-ex", "probe -count count_slots", "-ex", "probe record_slots",
                     "-ex", "info trace", "-ex", "continue", program, NULL };
    /* clang-format on */
    if (access(program, X_OK))
        return ez_err_new(EZ_E_SYS, errno, "cannot run %s", program);
    EZ_TRY(cost_converse(argv, text));
    return cost_parse(text, out);
}

ez_err *ez_cost(const struct ez_settings *set, struct ez_cost *out)
{
    const char *tmp = getenv("TMPDIR");
    EZ_FREE char *dir = ez_sprintf("%s/eztsh-cost.XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
    *out = (struct ez_cost){ .stamp = ez_arch_host()->tick_insn };
    EZ_TRY(ez_need_strategy());
    if (!mkdtemp(dir))
        return ez_err_new(EZ_E_SYS, errno, "cannot make %s", dir);
    ez_err *e = cost_measure(set, dir, out);
    EZ_FREE char *file = ez_sprintf("%s/cost.fxt", dir);
    unlink(file);
    rmdir(dir);
    return e;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.c - measures the cost of a probe in a second process of eztsh (cost.h). */
#include "engine/check/cost.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/installed.h"
#include "engine/inferior/pt.h"
#include "engine/target.h"
#include "engine/inferior/image.h"

#define DEADLINE_MS 10000 /* timeout; on an idle machine measuring takes half a second */
#define ASK_MS 50

extern char **environ;

/* option of the second eztsh; PROGRAM FOLDER CLOCK follow */
static char measures[] = "--measure-cost";

static char *cost_file(const char *dir, const char *name)
{
    return ez_sprintf("%s/%s", dir, name);
}

/* ---- the process that measures --------------------------------------------------------- */

/* Waits until the target stops or ends, at most DEADLINE_MS. Ignores the events in between. */
static void cost_pump(struct ez_target *t)
{
    double end = ez_now_exact() + DEADLINE_MS; /* ends this process if the user's eztsh has died */
    while (ez_target_state(t) == EZ_RUNNING && ez_now_exact() < end) {
        struct pollfd fd[4];
        struct ez_event ev;
        poll(fd, ez_poll_fds(t, fd, EZ_ARRAY_LEN(fd)), 1000);
        while (ez_next_event(t, &ev))
            ez_event_clear(&ev);
    }
}

/* Plants the probes. Sets exit_mode before each probe, because a probe gets the mode that is set
 * when the probe is planted. */
static ez_err *cost_plant(struct ez_target *t)
{
    static const struct {
        struct ez_probe_spec spec;
        unsigned exit_mode;
    } probe[] = {
        { { EZ_PROBE_ENTRY, .location = "count_entry" }, EZ_EXIT_THROUGH },
        { { EZ_PROBE_BOTH, .location = "count_both" }, EZ_EXIT_THROUGH },
        { { EZ_PROBE_BOTH, .location = "count_trampoline" }, EZ_EXIT_RETURN_TRAMPOLINES },
        { { EZ_PROBE_ENTRY, .record = true, .location = "record_entry" }, EZ_EXIT_THROUGH },
        { { EZ_PROBE_BOTH, .record = true, .location = "record_both" }, EZ_EXIT_THROUGH },
        { { EZ_PROBE_BOTH, .record = true, .location = "record_trampoline" },
          EZ_EXIT_RETURN_TRAMPOLINES },
    };
    int first, n;
    for (size_t i = 0; i < EZ_ARRAY_LEN(probe); i++) {
        ez_settings(t)->exit_mode = probe[i].exit_mode;
        EZ_TRY(ez_probe_add(t, &probe[i].spec, &first, &n));
    }
    return NULL;
}

/* Checks that all probes were active. There are as many counting as recording probes, and all
 * functions are called equally often, so as many hits must be recorded as counted only. */
static ez_err *cost_check(const struct ez_accounting *l)
{
    if (l->recorded && l->recorded == l->filtered && l->hits == l->recorded + l->filtered)
        return NULL;
    return ez_err_new(
        EZ_E_STATE, 0,
        "Not all probes were active: of %llu hits, %llu were recorded and %llu counted",
        (unsigned long long)l->hits, (unsigned long long)l->recorded,
        (unsigned long long)l->filtered);
}

static ez_err *cost_run(struct ez_target *t, char **arg, struct ez_cost *out)
{
    const struct ez_run how = { .args = ">figures", .cwd = arg[1], .stop_at_main = true };
    EZ_FREE char *trace = cost_file(arg[1], "cost.fxt");
    struct ez_settings *set = ez_settings(t);
    struct ez_trace_info info;
    set->trace_auto = false;
    set->pass_signals = true;
    set->ring_kib = 1024;
    set->max_string = 64;
    set->trace_clock = (unsigned)atoi(arg[2]);
    EZ_TRY(ez_target_file(t, arg[0]));
    EZ_TRY(ez_trace_start(t, trace));
    EZ_TRY(ez_run(t, &how));
    cost_pump(t);
    EZ_TRY(cost_plant(t));
    ez_trace_info(t, &info);
    out->mono = info.mono;
    EZ_TRY(ez_continue(t, false, -1));
    cost_pump(t);
    ez_trace_info(t, &info);
    return cost_check(&info.accounting);
}

/* Reads the figures that the measured program wrote. */
static ez_err *cost_read(const char *dir, struct ez_cost *out)
{
    struct cost_figures f;
    EZ_FREE char *path = cost_file(dir, "figures");
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !cost_pass(fd, false, &f))
        return ez_err_new(EZ_E_STATE, 0, "The measured program wrote no results");
    memcpy(out->ns, f.cost.ns, sizeof out->ns);
    return NULL;
}

bool ez_cost_measures(int argc, char **argv)
{
    struct cost_figures f = { .why_not = "" };
    struct ez_target *t = NULL;
    if (argc != 5 || strcmp(argv[1], measures))
        return false;
    ez_err *e = ez_target_create(&t);
    if (!e)
        e = cost_run(t, argv + 2, &f.cost);
    if (!e)
        e = cost_read(argv[3], &f.cost);
    if (e)
        snprintf(f.why_not, sizeof f.why_not, "%s", e->msg);
    ez_err_free(e);
    if (t)
        ez_target_destroy(t);
    cost_pass(STDOUT_FILENO, true, &f);
    return true;
}

/* ---- the user's eztsh ------------------------------------------------------------------- */

static ez_err *cost_start(char *const argv[], int out, pid_t *pid)
{
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setpgroup(&attr, 0); /* so that kill(-pid) reaches its target, too */
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&fa, out, 1);
    posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
    int e = posix_spawn(pid, "/proc/self/exe", &fa, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    return e ? ez_err_new(EZ_E_SYS, e, "Cannot run eztsh") : NULL;
}

static ez_err *cost_listen(int fd, const struct ez_progress *progress, struct cost_figures *f)
{
    double end = ez_now_exact() + DEADLINE_MS;
    struct pollfd p = { fd, POLLIN, 0 };
    for (double left; (left = end - ez_now_exact()) > 0;) {
        if (poll(&p, 1, EZ_MIN((int)left + 1, ASK_MS)) <= 0) {
            if (!ez_progress_go_on(progress, 0, 0))
                return ez_err_gdb(EZ_E_QUIT, "Quit");
            continue;
        }
        bool whole = cost_pass(fd, false, f);
        if (whole && !*f->why_not)
            return NULL;
        return ez_err_new(EZ_E_STATE, 0, "The measuring process gave no results: %s",
                          whole ? f->why_not : "it has ended");
    }
    return ez_err_new(EZ_E_TIMEOUT, 0,
                      "The measuring process gave no results within %d s: the machine may be busy",
                      DEADLINE_MS / 1000);
}

static ez_err *cost_run_program(char *const argv[], const struct ez_progress *progress,
                                struct cost_figures *f)
{
    int fd[2], status;
    pid_t pid, got;
    if (pipe2(fd, O_CLOEXEC))
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pipe");
    ez_err *e = cost_start(argv, fd[1], &pid);
    close(fd[1]);
    if (e) {
        close(fd[0]);
        return e;
    }
    e = cost_listen(fd[0], progress, f);
    if (e)
        kill(-pid, SIGKILL); /* the signal also kills the helper's target */
    /* The pipe must be closed before pt_wait(): a helper that still writes would block. */
    close(fd[0]);
    ez_err_drop(pt_wait(pid, 0, &status, &got, "collect the process that measures"));
    return e;
}

const char *ez_cost_stamp(void)
{
    return ez_arch_host()->clock.insn;
}

ez_err *ez_cost(const struct ez_settings *set, const struct ez_progress *progress,
                struct ez_cost *out)
{
    const char *tmp = getenv("TMPDIR");
    EZ_FREE char *program = ez_helper("ezt-cost", "EZT_COST");
    EZ_FREE char *dir = ez_sprintf("%s/eztsh-cost.XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
    EZ_FREE char *clock = ez_sprintf("%u", set->trace_clock);
    struct cost_figures f = { .why_not = "" };
    EZ_TRY(ez_need_strategy());
    if (access(program, X_OK))
        return ez_err_new(EZ_E_SYS, errno, "Cannot run %s", program);
    if (!mkdtemp(dir))
        return ez_err_new(EZ_E_SYS, errno, "Cannot make %s", dir);
    ez_err *e =
        cost_run_program((char *[]){ "eztsh", measures, program, dir, clock, NULL }, progress, &f);
    EZ_FREE char *figures = cost_file(dir, "figures"), *trace = cost_file(dir, "cost.fxt");
    unlink(figures);
    unlink(trace);
    rmdir(dir);
    *out = f.cost;
    return e;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - starts child processes that are no targets, and writes to their pipes (child.h).
 * Tests: tests/procs/jobs.sh */
#include "engine/base/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/vec.h"

extern char **environ;

/* Sets *set to the signals whose action is reset to the default in a child. */
static void child_defaults(sigset_t *set)
{
    struct sigaction hup;
    sigfillset(set);
    if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler == SIG_IGN)
        sigdelset(set, SIGHUP); /* so that a child of an eztsh under nohup ignores SIGHUP, too */
}

/* Returns true if `place` sets or removes the variable NAME of the entry `own` of the shell's
 * environment, NAME=VALUE. */
static bool child_changes(const struct ez_child_place *place, const char *own)
{
    size_t n = strcspn(own, "=");
    for (size_t i = 0; i < place->nenv; i++)
        if (!strncmp(place->env[i], own, n) && (!place->env[i][n] || place->env[i][n] == '='))
            return true;
    return false;
}

/* Returns the environment of a child. The caller frees only the array. */
static char **child_environment(const struct ez_child_place *place)
{
    EZ_VEC(char *) env = { 0 };
    for (char **e = environ; *e; e++)
        if (!child_changes(place, *e))
            EZ_PUSH(&env, *e);
    for (size_t i = 0; i < place->nenv; i++)
        if (strchr(place->env[i], '='))
            EZ_PUSH(&env, place->env[i]);
    EZ_PUSH(&env, NULL);
    return env.at;
}

ez_err *ez_child_start(char *const *argv, int in, int out, const struct ez_child_place *place,
                       pid_t *pid)
{
    static const struct ez_child_place ours;
    if (!place)
        place = &ours;
    EZ_FREE char *inside = place->cwd ? ez_sprintf("%s/.", place->cwd) : NULL;
    /* posix_spawnp() reports a missing folder with the errno of a missing program */
    if (inside && access(inside, X_OK) < 0)
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", place->cwd);
    char **env = child_environment(place);
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none, defaults;
    sigemptyset(&none);
    child_defaults(&defaults);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                        POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&fa);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&fa, out, STDOUT_FILENO);
    if (place->cwd)
        posix_spawn_file_actions_addchdir_np(&fa, place->cwd);
    int e = posix_spawnp(pid, argv[0], &fa, &attr, argv, env);
    free(env);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    return e ? ez_err_new(e == ENOENT ? EZ_E_NOTFOUND : EZ_E_SYS, e, "%s", argv[0]) : NULL;
}

/* SIGPIPE is blocked, not ignored: programs that are started later would inherit an ignored
 * signal. */
bool ez_outbox_flush(struct ez_outbox *b, int to)
{
    sigset_t broken, before;
    bool gone = false;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    while (b->text.n && !gone) {
        ssize_t r = write(to, b->text.at, b->text.n);
        if (r < 0 && errno == EAGAIN)
            break;
        gone = r < 0 && errno != EINTR;
        if (r > 0)
            memmove(b->text.at, b->text.at + r, b->text.n -= (size_t)r);
    }
    if (gone && errno == EPIPE && !sigismember(&before, SIGPIPE))
        sigtimedwait(&broken, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !gone;
}

bool ez_outbox_send(struct ez_outbox *b, int to, const char *text, size_t n)
{
    EZ_APPEND(&b->text, text, n);
    return ez_outbox_flush(b, to);
}

bool ez_child_ended(pid_t pid, bool wait, int *status)
{
    siginfo_t si = { .si_pid = 0 };
    int r;
    do {
        r = waitid(P_PID, (id_t)pid, &si, WEXITED | (wait ? 0 : WNOHANG));
    } while (r < 0 && errno == EINTR);
    if (!r && !si.si_pid)
        return false;
    *status = r || si.si_code == CLD_EXITED ? (r ? 0 : si.si_status) : 128 + si.si_status;
    return true;
}

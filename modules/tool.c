/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.c - runs a compiler (tool.h).
 * Tests: tests/unit/modules/check_module.c */
#include "modules/tool.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char **environ;

typedef EZ_VEC(char *) tool_words;

/* Copies eztsh's environment, without the variables for the language of messages: the messages are
 * parsed. */
static void tool_environment(tool_words *v)
{
    for (char **e = environ; e && *e; e++)
        if (strncmp(*e, "LC_", 3) && strncmp(*e, "LANG", 4))
            EZ_PUSH(v, ez_strdup(*e));
    EZ_PUSH(v, ez_strdup("LC_ALL=C"));
    EZ_PUSH(v, NULL);
}

static ez_err *tool_spawn(const struct ez_tool *t, int in, int out, pid_t *pid)
{
    tool_words env = { 0 };
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none;
    tool_environment(&env);
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, in, 0);
    posix_spawn_file_actions_adddup2(&fa, out, 1);
    posix_spawn_file_actions_adddup2(&fa, out, 2);
    if (t->folder)
        posix_spawn_file_actions_addchdir_np(&fa, t->folder);
    int failed = posix_spawnp(pid, t->argv[0], &fa, &attr, (char *const *)t->argv, env.at);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    for (size_t i = 0; i < env.n; i++)
        free(env.at[i]);
    EZ_VEC_FREE(&env);
    return failed
               ? ez_err_hint(ez_err_new(EZ_E_SYS, failed, "Cannot run %s %s", t->what, t->argv[0]),
                             "%s", t->hint)
               : NULL;
}

static ez_err *tool_memory(const char *name, const char *text, size_t n, int *fd)
{
    *fd = memfd_create(name, MFD_CLOEXEC);
    while (*fd >= 0 && n) {
        ssize_t k = write(*fd, text, n);
        if (k < 0 && errno != EINTR)
            break;
        text += EZ_MAX(k, 0);
        n -= (size_t)EZ_MAX(k, 0);
    }
    if (*fd < 0 || n || lseek(*fd, 0, SEEK_SET) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a file in memory for the compiler");
    return NULL;
}

ez_err *ez_tool_run(const struct ez_tool *t, bool *good, char **said)
{
    EZ_CLOSE int in = -1;
    EZ_CLOSE int out = -1;
    pid_t pid;
    siginfo_t end = { 0 };
    *said = NULL;
    EZ_TRY(tool_memory("source", t->text, t->n, &in));
    EZ_TRY(tool_memory("messages", "", 0, &out));
    EZ_TRY(tool_spawn(t, in, out, &pid));
    while (waitid(P_PID, (id_t)pid, &end, WEXITED) < 0 && errno == EINTR)
        ;
    *good = end.si_code == CLD_EXITED && end.si_status == 0;
    *said = ez_alloc(EZ_TOOL_SAID + 1);
    ssize_t n = pread(out, *said, EZ_TOOL_SAID, 0);
    (*said)[n > 0 ? n : 0] = 0;
    if (end.si_code == CLD_KILLED || end.si_code == CLD_DUMPED)
        return ez_err_new(EZ_E_SYS, 0, "Signal %d ended %s", end.si_status, t->what);
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.c - makes and removes temporary files (scratch.h). The signal handler reads the list: an
 * entry is complete before it is counted.
 * Tests: tests/source/command.sh */
#include "modules/instrument/source/scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH_FILES 4096

static char *scratch_folder;
static struct {
    char *folder, *path;
} scratch_files[SCRATCH_FILES];
static volatile sig_atomic_t scratch_count;

void ez_scratch_clean(void)
{
    for (int i = scratch_count; i-- > 0;) {
        unlink(scratch_files[i].path);
        rmdir(scratch_files[i].folder);
    }
    if (scratch_folder)
        rmdir(scratch_folder);
}

static void scratch_signal(int sig)
{
    ez_scratch_clean();
    signal(sig, SIG_DFL);
    raise(sig);
}

static char **scratch_argv;

/* Handles a crash of this program: libclang parses any file here, and may crash. Reports it and
 * executes the command of ez_scratch_instead(). */
static void scratch_crash(int sig)
{
    static const char text[] =
        "eztsh-instrument crashed; the files are compiled without the inserted code\n";
    sigset_t none;
    signal(sig, SIG_DFL);
    ez_scratch_clean();
    (void)!write(2, text, sizeof text - 1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(scratch_argv[0], scratch_argv);
    _exit(127);
}

void ez_scratch_instead(char **argv)
{
    static char stack[64 << 10]; /* stack for the handler, because the thread's own may be
                                  * exhausted */
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
    const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction a = { .sa_handler = scratch_crash, .sa_flags = SA_ONSTACK };
    scratch_argv = argv;
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < EZ_ARRAY_LEN(signals); i++)
        sigaction(signals[i], &a, NULL);
}

/* Makes the folder, under $TMPDIR or /tmp. */
static ez_err *scratch_make(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    const char *tmp = getenv("TMPDIR");
    EZ_FREE char *name = ez_sprintf("%s/eztsh-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(name))
        return ez_err_new(EZ_E_SYS, errno, "%s: Cannot create a folder", name);
    scratch_folder = ez_strdup(name);
    /* Keeps signals ignored that were ignored before, as under nohup. */
    for (size_t i = 0; i < EZ_ARRAY_LEN(signals); i++)
        if (signal(signals[i], scratch_signal) == SIG_IGN)
            signal(signals[i], SIG_IGN);
    return NULL;
}

ez_err *ez_scratch_path(const char *name, const char **path)
{
    int i = scratch_count;
    if (!scratch_folder)
        EZ_TRY(scratch_make());
    if (i == SCRATCH_FILES)
        return ez_err_new(EZ_E_LIMIT, 0, "One command cannot compile more than %d files",
                          SCRATCH_FILES);
    scratch_files[i].folder = ez_sprintf("%s/%d", scratch_folder, i);
    scratch_files[i].path = ez_sprintf("%s/%s", scratch_files[i].folder, name);
    if (mkdir(scratch_files[i].folder, 0700))
        return ez_err_new(EZ_E_SYS, errno, "%s", scratch_files[i].folder);
    *path = scratch_files[i].path;
    scratch_count = i + 1;
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cc.c - see cc.h
 *
 * The compiler gets its arguments as they are, no shell is between. Its input and output are
 * files in memory: nothing is left behind, and no pipe can fill up. */
#include "modules/plugin/cc.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "engine/base/strutil.h"

#define CC_SAID (1u << 20) /* bytes of messages that are read */
#define CC_LINES 10        /* of them that are passed on as they are */

extern char **environ;

typedef EZ_VEC(char *) cc_words;

static void cc_arguments(const struct ez_cc *cc, cc_words *v)
{
    static const char *const always[] = { "-std=gnu11",
                                          "-O2",
                                          "-fPIC",
                                          "-fvisibility=hidden",
                                          "-fexceptions",
                                          "-fdiagnostics-color=never",
                                          "-Werror=implicit-function-declaration" };
    const struct ez_script *s = cc->c->s;
    const char *program = getenv("EZT_CC");
    EZ_PUSH(v, ez_strdup(program && *program ? program : "cc"));
    for (size_t i = 0; i < EZ_ARRAY_LEN(always); i++)
        EZ_PUSH(v, ez_strdup(always[i]));
    EZ_PUSH(v, ez_sprintf("-I%s", cc->include));
    EZ_PUSH(v, ez_sprintf("-I%s", cc->home));
    for (size_t i = 0; i < s->cflags.n; i++)
        EZ_PUSH(v, ez_strdup(s->cflags.at[i]));
    if (cc->object) {
        EZ_PUSH(v, ez_strdup("-shared"));
        EZ_PUSH(v, ez_strdup("-Wl,-z,now"));
        EZ_PUSH(v, ez_strdup("-o"));
        EZ_PUSH(v, ez_strdup(cc->object));
    } else {
        EZ_PUSH(v, ez_strdup("-fsyntax-only"));
    }
    EZ_PUSH(v, ez_strdup("-x"));
    EZ_PUSH(v, ez_strdup("c"));
    EZ_PUSH(v, ez_strdup("-"));
    EZ_PUSH(v, ez_strdup("-x"));
    EZ_PUSH(v, ez_strdup("none"));
    for (size_t i = 0; cc->object && i < s->ldflags.n; i++)
        EZ_PUSH(v, ez_strdup(s->ldflags.at[i]));
    EZ_PUSH(v, NULL);
}

/* Our own, but for the language of messages: they are read here. */
static void cc_environment(cc_words *v)
{
    for (char **e = environ; e && *e; e++)
        if (strncmp(*e, "LC_", 3) && strncmp(*e, "LANG", 4))
            EZ_PUSH(v, ez_strdup(*e));
    EZ_PUSH(v, ez_strdup("LC_ALL=C"));
    EZ_PUSH(v, NULL);
}

static void cc_free_words(cc_words *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i]);
    EZ_VEC_FREE(v);
}

static ez_err *cc_spawn(const struct ez_cc *cc, int in, int out, pid_t *pid)
{
    cc_words argv = { 0 }, env = { 0 };
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t attr;
    sigset_t none;
    cc_arguments(cc, &argv);
    cc_environment(&env);
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, in, 0);
    posix_spawn_file_actions_adddup2(&fa, out, 1);
    posix_spawn_file_actions_adddup2(&fa, out, 2);
    posix_spawn_file_actions_addchdir_np(&fa, cc->home);
    int failed = posix_spawnp(pid, argv.at[0], &fa, &attr, argv.at, env.at);
    posix_spawn_file_actions_destroy(&fa);
    posix_spawnattr_destroy(&attr);
    ez_err *e =
        failed
            ? ez_err_hint(ez_err_new(EZ_E_SYS, failed, "cannot run the C compiler %s", argv.at[0]),
                          "install gcc or clang, or name another in EZT_CC")
            : NULL;
    cc_free_words(&argv);
    cc_free_words(&env);
    return e;
}

static ez_err *cc_memory(const char *name, const char *text, size_t n, int *fd)
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
        return ez_err_new(EZ_E_SYS, errno, "a file in memory for the C compiler");
    return NULL;
}

/* ---- what it says ----------------------------------------------------------------------------- */

struct cc_said {
    const struct ez_emit *c;
    struct ez_src *t;
    char *rest;           /* lines that have no place */
    unsigned lines, from; /* from: the line of ours that includes the header spoken of */
    char *pending;        /* about a macro: the next note says where it was used */
};

static void cc_raw(struct cc_said *s, const char *text)
{
    if (!text || ++s->lines > CC_LINES)
        return;
    EZ_FREE char *plain = ez_str_ours(text), *before = s->rest;
    s->rest = ez_sprintf("%s%s\n", before, plain);
}

/* Puts what is said about a place of ours where it belongs. */
static bool cc_place(struct cc_said *s, unsigned line, unsigned col, const char *message)
{
    size_t at = ez_emit_origin(s->c, line, col);
    if (at == SIZE_MAX)
        return false;
    const char *text = strstr(message, "error: "), *warning = strstr(message, "warning: ");
    if (warning && (!text || warning < text))
        ez_src_warn(s->t, at, "%s", warning + strlen("warning: "));
    else
        ez_src_error(s->t, at, "%s", text ? text + strlen("error: ") : message);
    return true;
}

/* "<stdin>:12:5: error: text", or the same of a header. */
static void cc_line(struct cc_said *s, char *text)
{
    unsigned line = 0, col = 0;
    bool ours = sscanf(text, "<stdin>:%u:%u: ", &line, &col) == 2;
    if (sscanf(text, "In file included from <stdin>:%u", &line) == 1)
        s->from = line;
    if (!*text || *text == ' ' || strstr(text, ": In function ") || strstr(text, " generated.") ||
        !strncmp(text, "In file ", 8) || strstr(text, ": At top level"))
        return;
    if (strstr(text, ": note: ")) {
        if (s->pending && ours && cc_place(s, line, col, s->pending))
            s->pending = NULL;
        return;
    }
    cc_raw(s, s->pending);
    s->pending = NULL;
    bool said = strstr(text, "error: ") || strstr(text, "warning: ");
    if (said && ours && cc_place(s, line, col, text))
        s->from = 0;
    else if (said && !ours && s->from && cc_place(s, s->from, 1, text))
        return;
    else if (said && !ours && !strstr(text, "ld: "))
        s->pending = text;
    else
        cc_raw(s, text);
}

static void cc_listen(const struct ez_cc *cc, struct ez_src *t, int fd, char **said)
{
    EZ_FREE char *all = ez_alloc(CC_SAID + 1);
    struct cc_said s = { .c = cc->c, .t = t, .rest = ez_strdup("") };
    ssize_t n = pread(fd, all, CC_SAID, 0);
    all[n > 0 ? n : 0] = 0;
    char *rest = all;
    for (char *line; (line = strsep(&rest, "\n"));)
        cc_line(&s, line);
    cc_raw(&s, s.pending);
    *said = s.rest;
}

ez_err *ez_cc_run(const struct ez_cc *cc, struct ez_src *t, bool *good, char **said)
{
    EZ_CLOSE int in = -1;
    EZ_CLOSE int out = -1;
    pid_t pid;
    siginfo_t end = { 0 };
    EZ_TRY(cc_memory("module.c", cc->c->out.at, cc->c->out.n, &in));
    EZ_TRY(cc_memory("messages", "", 0, &out));
    EZ_TRY(cc_spawn(cc, in, out, &pid));
    while (waitid(P_PID, (id_t)pid, &end, WEXITED) < 0 && errno == EINTR)
        ;
    *good = end.si_code == CLD_EXITED && end.si_status == 0;
    cc_listen(cc, t, out, said);
    if (end.si_code == CLD_KILLED || end.si_code == CLD_DUMPED)
        return ez_err_new(EZ_E_SYS, 0, "the C compiler was ended by signal %d", end.si_status);
    return NULL;
}

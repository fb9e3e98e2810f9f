/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - runs compilers, and knows their languages (command.h). */
#include "modules/instrument/source/command.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/base/strutil.h"

extern char **environ;

static const struct {
    const char *ending;
    unsigned lang;
} endings[] = {
    { "c", EZ_SPEC_C },         { "i", EZ_SPEC_C },         { "cc", EZ_SPEC_CXX },
    { "cp", EZ_SPEC_CXX },      { "cxx", EZ_SPEC_CXX },     { "cpp", EZ_SPEC_CXX },
    { "CPP", EZ_SPEC_CXX },     { "c++", EZ_SPEC_CXX },     { "C", EZ_SPEC_CXX },
    { "ii", EZ_SPEC_CXX },      { "f", EZ_SPEC_FORTRAN },   { "for", EZ_SPEC_FORTRAN },
    { "ftn", EZ_SPEC_FORTRAN }, { "f77", EZ_SPEC_FORTRAN }, { "f90", EZ_SPEC_FORTRAN },
    { "f95", EZ_SPEC_FORTRAN }, { "f03", EZ_SPEC_FORTRAN }, { "f08", EZ_SPEC_FORTRAN },
    { "F", EZ_SPEC_FORTRAN },   { "FOR", EZ_SPEC_FORTRAN }, { "FTN", EZ_SPEC_FORTRAN },
    { "F77", EZ_SPEC_FORTRAN }, { "F90", EZ_SPEC_FORTRAN }, { "F95", EZ_SPEC_FORTRAN },
    { "F03", EZ_SPEC_FORTRAN }, { "F08", EZ_SPEC_FORTRAN }, { "fpp", EZ_SPEC_FORTRAN },
    { "FPP", EZ_SPEC_FORTRAN },
};

/* Returns true if the driver compiles .c as C++. */
static bool command_is_cxx(const char *compiler)
{
    static const char *const names[] = { "++", "mpicxx", "mpiCC", "icpc", "icpx" };
    const char *name = compiler ? ez_base_name(compiler) : "";
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++)
        if (strstr(name, names[i]))
            return true;
    return false;
}

unsigned ez_command_lang(const char *compiler, const char *file, const char *forced)
{
    static const struct {
        const char *name;
        unsigned lang;
    } names[] = { { "c", EZ_SPEC_C },         { "cpp-output", EZ_SPEC_C },
                  { "c++", EZ_SPEC_CXX },     { "c++-cpp-output", EZ_SPEC_CXX },
                  { "f77", EZ_SPEC_FORTRAN }, { "f77-cpp-input", EZ_SPEC_FORTRAN },
                  { "f95", EZ_SPEC_FORTRAN }, { "f95-cpp-input", EZ_SPEC_FORTRAN } };
    const char *dot = strrchr(ez_base_name(file), '.');
    for (size_t i = 0; forced && i < EZ_ARRAY_LEN(names); i++)
        if (!strcmp(forced, names[i].name))
            return names[i].lang;
    for (size_t i = 0; !forced && dot && i < EZ_ARRAY_LEN(endings); i++)
        if (!strcmp(dot + 1, endings[i].ending))
            return endings[i].lang == EZ_SPEC_C && command_is_cxx(compiler) ? EZ_SPEC_CXX
                                                                            : endings[i].lang;
    return 0;
}

/* Reads the next word of a response file: blanks separate words, quotes keep them, a backslash
 * escapes the next character. */
static const char *command_word(const char *p, ez_words *out)
{
    EZ_VEC(char) word = { 0 };
    char quote = 0;
    p += strspn(p, " \t\r\n\f\v");
    if (!*p)
        return p;
    for (; *p && (quote || !strchr(" \t\r\n\f\v", *p)); p++)
        if (*p == '\\' && p[1])
            EZ_PUSH(&word, *++p);
        else if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else
            EZ_PUSH(&word, *p);
    EZ_PUSH(&word, 0);
    EZ_PUSH(out, word.at);
    return p;
}

void ez_command_expand(char **argv, size_t n, ez_words *out)
{
    size_t size, deep = 0;
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(out, ez_strdup(argv[i]));
    for (size_t i = 0; i < out->n && deep < 100; i++) {
        EZ_FREE char *text =
            *out->at[i] == '@' ? ez_str_load(out->at[i] + 1, 16u << 20, &size) : NULL;
        ez_words inside = { 0 };
        if (!text)
            continue;
        for (const char *p = text; *p;)
            p = command_word(p, &inside);
        free(out->at[i]);
        EZ_RESERVE(out, inside.n);
        memmove(out->at + i + inside.n, out->at + i + 1, (out->n - i - 1) * sizeof *out->at);
        if (inside.n)
            memcpy(out->at + i, inside.at, inside.n * sizeof *out->at);
        out->n += inside.n - 1;
        EZ_VEC_FREE(&inside);
        deep++;
        /* Examines the first inserted word, too, because that word may name another response
         * file. */
        i--;
    }
}

void ez_words_free(ez_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i]);
    EZ_VEC_FREE(w);
}

static bool command_has(const ez_words *options, const char *word)
{
    for (size_t i = 0; i < options->n; i++)
        if (!strcmp(options->at[i], word))
            return true;
    return false;
}

bool ez_command_preprocessed(const char *file, const ez_words *options)
{
    const char *dot = strrchr(ez_base_name(file), '.');
    return command_has(options, "-cpp") || (dot && (dot[1] == 'F' || !strcasecmp(dot + 1, "fpp")) &&
                                            !command_has(options, "-nocpp"));
}

bool ez_command_fixed(const char *file, const ez_words *options)
{
    static const char *const fixed[] = { "f", "for", "ftn", "f77", "fpp" };
    const char *dot = strrchr(ez_base_name(file), '.');
    bool is = command_has(options, "-ffixed-form");
    for (size_t i = 0; dot && i < EZ_ARRAY_LEN(fixed); i++)
        is |= !strcasecmp(dot + 1, fixed[i]);
    return is && !command_has(options, "-ffree-form");
}

static char *command_listen(int fd)
{
    EZ_VEC(char) v = { 0 };
    char buf[65536];
    for (ssize_t k; (k = read(fd, buf, sizeof buf)) > 0 || (k < 0 && errno == EINTR);)
        if (k > 0)
            EZ_APPEND(&v, buf, (size_t)k);
    EZ_PUSH(&v, 0);
    return v.at;
}

/* Starts argv. Returns the process id; 0 with errno set if that fails. */
static pid_t command_spawn(char **argv, posix_spawn_file_actions_t *fa)
{
    pid_t pid;
    int failed = posix_spawnp(&pid, argv[0], fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(fa);
    errno = failed;
    return failed ? 0 : pid;
}

static int command_wait(pid_t pid)
{
    siginfo_t si = { 0 };
    if (!pid)
        return 127;
    while (waitid(P_PID, (id_t)pid, &si, WEXITED) && errno == EINTR)
        ;
    errno = 0;
    return si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
}

int ez_command_run(char **argv, int fd, char **out)
{
    int ends[2] = { -1, -1 };
    posix_spawn_file_actions_t fa;
    if (out && pipe2(ends, O_CLOEXEC))
        return 127;
    posix_spawn_file_actions_init(&fa);
    if (out) {
        posix_spawn_file_actions_addopen(&fa, 3 - fd, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&fa, ends[1], fd);
    }
    pid_t pid = command_spawn(argv, &fa);
    if (out) {
        close(ends[1]);
        *out = command_listen(ends[0]);
        close(ends[0]);
    }
    return command_wait(pid);
}

int ez_command_run_quietly(char **argv)
{
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
    return command_wait(command_spawn(argv, &fa));
}

/* Runs cc OPTIONS -E MORE..., and stores its output on descriptor fd in *out, which the caller
 * frees. Returns the exit status. */
static int command_preprocess(const char *cc, const ez_words *options, const char *const *more,
                              int fd, char **out)
{
    EZ_VEC(char *) argv = { 0 };
    EZ_PUSH(&argv, (char *)cc);
    for (size_t i = 0; i < options->n; i++)
        EZ_PUSH(&argv, options->at[i]);
    EZ_PUSH(&argv, (char *)"-E");
    for (; *more; more++)
        EZ_PUSH(&argv, (char *)*more);
    EZ_PUSH(&argv, NULL);
    int status = ez_command_run(argv.at, fd, out);
    EZ_VEC_FREE(&argv);
    return status;
}

char *ez_command_preprocess(const char *cc, const ez_words *options, const char *const *more)
{
    char *said = NULL;
    if (!command_preprocess(cc, options, more, 1, &said))
        return said;
    free(said);
    return NULL;
}

void ez_command_folders(const char *cc, const ez_words *options, bool cxx, ez_words *out)
{
    const char *const more[] = { "-v", "-x", cxx ? "c++" : "c", "/dev/null", NULL };
    char *said = NULL, *rest;
    struct stat st;
    (void)command_preprocess(cc, options, more, 2, &said);
    for (char *line = said ? strtok_r(said, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        if (!strncmp(line, " /", 2) && !stat(line + 1, &st) && S_ISDIR(st.st_mode)) {
            EZ_PUSH(out, ez_strdup("-idirafter"));
            EZ_PUSH(out, ez_strdup(line + 1));
        }
    free(said);
}

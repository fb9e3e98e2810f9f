/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - see command.h; the options are those of GCC and Clang, and of MPI's wrappers around them. */
#include "modules/source/command.h"

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

/* Options whose value is the next word. Those that do not decide what a file means are passed over. */
static const char *const with_value[] = {
    "-o",        "-x", "-MF",     "-MT", "-MQ",   "-Xlinker",   "-Xassembler", "-Xpreprocessor",
    "-T",        "-u", "-z",      "-e",  "-arch", "-framework", "-dumpbase",   "-dumpdir",
    "-aux-info", "-J", "--param", "-L",  "-l",    "-Xclang",
};
static const char *const meaning_value[] = { "-I",       "-D",           "-U",        "-include",
                                             "-imacros", "-isystem",     "-iquote",   "-idirafter",
                                             "-iprefix", "-iwithprefix", "-isysroot", "-A" };
static const char *const meaning_prefix[] = { "-I",
                                              "-D",
                                              "-U",
                                              "-std=",
                                              "-ansi",
                                              "-isystem",
                                              "-iquote",
                                              "-idirafter",
                                              "-include",
                                              "-m",
                                              "-pthread",
                                              "-O",
                                              "-fopenmp",
                                              "-fno-openmp",
                                              "-fexceptions",
                                              "-fno-exceptions",
                                              "-frtti",
                                              "-fno-rtti",
                                              "-fsigned-char",
                                              "-funsigned-char",
                                              "-fno-signed-char",
                                              "-fshort-enums",
                                              "-fms-extensions",
                                              "-fgnu89-inline",
                                              "-fPIC",
                                              "-fpic",
                                              "-fPIE",
                                              "-fpie",
                                              "-fchar8_t",
                                              "-fcoroutines",
                                              "-fno-builtin",
                                              "-nostdinc",
                                              "--sysroot",
                                              "-trigraphs",
                                              "-fblocks",
                                              "-fno-char8_t",
                                              "-fsized-deallocation",
                                              "-faligned-new",
                                              "-fpermissive" };

static bool command_among(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], word))
            return true;
    return false;
}
#define AMONG(list, word) command_among(list, EZ_ARRAY_LEN(list), word)

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

unsigned ez_command_lang(const char *file, const char *forced)
{
    if (forced && !strncmp(forced, "c++", 3))
        return EZ_SPEC_CXX;
    if (forced && !strncmp(forced, "f", 1))
        return EZ_SPEC_FORTRAN;
    if (forced && strcmp(forced, "none") != 0)
        return !strcmp(forced, "c") || !strcmp(forced, "cpp-output") ? EZ_SPEC_C : 0;
    const char *dot = strrchr(ez_base_name(file), '.');
    for (size_t i = 0; dot && i < EZ_ARRAY_LEN(endings); i++)
        if (!strcmp(dot + 1, endings[i].ending))
            return endings[i].lang;
    return 0;
}

/* The next word of a response file: blanks part words, quotes keep them, a backslash takes what follows. */
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
        memcpy(out->at + i, inside.at, inside.n * sizeof *out->at);
        out->n += inside.n - 1;
        EZ_VEC_FREE(&inside);
        deep++;
        i--; /* a word of it may name another */
    }
}

/* Which word names the compiler: "ccache gcc", "env LC_ALL=C gcc". */
static size_t command_compiler(char **argv, size_t n)
{
    static const char *const launchers[] = { "ccache", "sccache", "distcc", "icecc",
                                             "env",    "nice",    "time" };
    size_t i = 0;
    while (i < n && AMONG(launchers, ez_base_name(argv[i])))
        do
            i++;
        while (i < n && (*argv[i] == '-' || strchr(argv[i], '=')));
    return i < n ? i : 0;
}

void ez_command_read(struct ez_command *c, char **argv, size_t n)
{
    static const char *const no_code[] = {
        "-E",           "-M",  "-MM",  "-fsyntax-only", "--version",         "-dumpversion",
        "-dumpmachine", "-dM", "-###", "--help",        "-print-search-dirs"
    };
    *c = (struct ez_command){
        .argv = argv, .n = n, .compiles = true, .compiler = command_compiler(argv, n)
    };
    for (size_t i = 1; i < n; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "-x") && i + 1 < n) {
            c->forced = argv[++i];
        } else if (AMONG(with_value, a) || AMONG(meaning_value, a)) {
            i++;
        } else if (!strcmp(a, "-")) {
            c->input = true;
        } else if (*a == '-') {
            c->compiles &= !AMONG(no_code, a);
            c->depends |= !strcmp(a, "-MD") || !strcmp(a, "-MMD");
        } else if (ez_command_lang(a, c->forced)) {
            EZ_PUSH(&c->sources, i);
        }
    }
}

void ez_command_free(struct ez_command *c)
{
    EZ_VEC_FREE(&c->sources);
}

void ez_words_free(ez_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i]);
    EZ_VEC_FREE(w);
}

void ez_command_meaning(const struct ez_command *c, ez_words *out)
{
    for (size_t i = 1; i < c->n; i++) {
        const char *a = c->argv[i];
        bool value = AMONG(meaning_value, a), keep = value;
        for (size_t k = 0; !keep && k < EZ_ARRAY_LEN(meaning_prefix); k++)
            keep = !strncmp(a, meaning_prefix[k], strlen(meaning_prefix[k]));
        if (keep && !AMONG(with_value, a))
            EZ_PUSH(out, ez_strdup(a));
        if (value && i + 1 < c->n)
            EZ_PUSH(out, ez_strdup(c->argv[i + 1]));
        i += value || AMONG(with_value, a);
    }
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

int ez_command_run(char **argv, int fd, char **out)
{
    int ends[2] = { -1, -1 };
    pid_t pid;
    posix_spawn_file_actions_t fa;
    if (out && pipe2(ends, O_CLOEXEC))
        return 127;
    posix_spawn_file_actions_init(&fa);
    if (out) {
        posix_spawn_file_actions_addopen(&fa, 3 - fd, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&fa, ends[1], fd);
    }
    int failed = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    if (out) {
        close(ends[1]);
        *out = command_listen(ends[0]);
        close(ends[0]);
    }
    if (failed) {
        errno = failed;
        return 127;
    }
    siginfo_t si = { 0 };
    while (waitid(P_PID, (id_t)pid, &si, WEXITED) && errno == EINTR)
        ;
    return si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
}

/* cc OPTIONS -E MORE..., and what it writes to fd. */
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

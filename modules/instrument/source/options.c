/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - analyzes the options of GCC, Clang, and MPI's wrappers around them (command.h).
 *
 * An unknown option may use the next word as its value, or name a file in place of the source. So a
 * command line with an unknown option is not changed.
 * Tests: tests/source/wrapper.sh */
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/command.h"

/* Options whose value is the next word. */
static const char *const with_value[] = {
    "-o",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xanalyzer",
    "-Xopenmp-target",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-u",
    "-z",
    "-e",
    "-h",
    "-arch",
    "-framework",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-aux-info",
    "-J",
    "--param",
    "-L",
    "-l",
    "-B",
    "-wrapper",
    "-mllvm",
    "-target",
    "-G",
    "-install_name",
    "-current_version",
    "-compatibility_version",
    "-rpath",
    "-fdebug-compilation-dir",
    "-serialize-diagnostics",
    "-index-store-path",
    "-imultilib",
    "-imultiarch",
    "-specs",
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

/* First letters of all other known options. The value of such an option is in the same word. */
static const char *const known[] = {
    "-f",       "-m",           "-W",         "-O",           "-g",        "-s",
    "-p",       "-n",           "-d",         "-a",           "-c",        "-S",
    "-v",       "-D",           "-U",         "-I",           "-L",        "-l",
    "-B",       "-A",           "-T",         "-t",           "-u",        "-z",
    "-e",       "-r",           "-Q",         "-H",           "-C",        "-P",
    "-q",       "-J",           "-E",         "-include",     "-imacros",  "-isystem",
    "-iquote",  "-idirafter",   "-iprefix",   "-iwithprefix", "-isysroot", "-Xarch_",
    "--param=", "--sysroot",    "--coverage", "--std=",       "--target=", "--gcc-toolchain=",
    "--rtlib=", "--unwindlib=", "--ld-path=", "--verbose",    "--version", "--help",
    "-MP",
};
/* Treated like unknown options: with these, the output depends on more than the source, or on more
 * than one compilation. */
static const char *const unknown[] = { "-fdeps-", "-fdep-format", "-fmodule-output",
                                       "-working-directory", "-dependency-" };
static const char *const no_code[] = {
    "-E",  "-M",   "-MM",    "-fsyntax-only",      "--version",    "-dumpversion",
    "-dM", "-###", "--help", "-print-search-dirs", "-dumpmachine", "-dumpspecs"
};
static const char *const languages[] = {
    "none",
    "c",
    "c-header",
    "cpp-output",
    "c++",
    "c++-header",
    "c++-cpp-output",
    "c++-system-header",
    "c++-user-header",
    "c-system-header",
    "c-user-header",
    "c++-module",
    "objective-c",
    "objective-c-header",
    "objective-c++",
    "objective-c++-header",
    "objective-c-cpp-output",
    "objective-c++-cpp-output",
    "assembler",
    "assembler-with-cpp",
    "ada",
    "d",
    "f77",
    "f77-cpp-input",
    "f95",
    "f95-cpp-input",
    "go",
    "cuda",
    "hip",
    "cl",
    "ir",
};

static bool command_among(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], word))
            return true;
    return false;
}
#define AMONG(list, word) command_among(list, EZ_ARRAY_LEN(list), word)

static bool command_begins(const char *const *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strncmp(word, list[i], strlen(list[i])))
            return true;
    return false;
}
#define BEGINS(list, word) command_begins(list, EZ_ARRAY_LEN(list), word)

/* Returns the index of the compiler's name, behind launchers: "ccache gcc", "env LC_ALL=C gcc". */
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

static void command_odd(struct ez_command *c, const char *what)
{
    if (!c->odd)
        c->odd = ez_strdup(what);
}

/* Stores the name of a file to which an option writes rules for make. If that is standard output,
 * the rules cannot be corrected. */
static void command_rules(struct ez_command *c, const char *option, const char *file)
{
    if (!file || !*file || !strcmp(file, "-"))
        command_odd(c, option);
    else
        EZ_PUSH(&c->rules, ez_strdup(file));
}

/* Handles words of -Wp and -Xpreprocessor, which are for the preprocessor itself. In these, a file
 * name follows -MD and -MMD. */
static void command_preprocessor(struct ez_command *c, const ez_words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const char *a = w->at[i], *next = i + 1 < w->n ? w->at[i + 1] : NULL;
        bool one = a[0] == '-' && strchr("DUI", a[1]) && a[1];
        if (!strcmp(a, "-MD") || !strcmp(a, "-MMD")) {
            c->depends = true;
            command_rules(c, a, next);
            i++;
        } else if (!strncmp(a, "-MF", 3)) {
            command_rules(c, a, a[3] ? a + 3 : next);
            i += !a[3];
        } else if (!strncmp(a, "-MT", 3) || !strncmp(a, "-MQ", 3)) {
            i += !a[3];
        } else if (one) {
            i += !a[2];
        } else if (strcmp(a, "-MP") != 0) {
            command_odd(c, a);
        }
    }
}

/* Appends the words A and B of an option -Wp,A,B. */
static void command_pieces(const char *text, ez_words *out)
{
    for (size_t n;; text += n + 1) {
        n = strcspn(text, ",");
        EZ_PUSH(out, ez_strndup(text, n));
        if (!text[n])
            return;
    }
}

/* Handles an option that begins with -M. */
static void command_make(struct ez_command *c, const char *a, const char *next)
{
    if (!strcmp(a, "-MD") || !strcmp(a, "-MMD"))
        c->depends = true;
    else if (!strncmp(a, "-MF", 3))
        command_rules(c, a, a[3] ? a + 3 : next);
    else if (strncmp(a, "-MT", 3) != 0 && strncmp(a, "-MQ", 3) != 0 && strcmp(a, "-MP") != 0 &&
             !AMONG(no_code, a))
        command_odd(c, a);
}

static const char *command_language(struct ez_command *c, const char *name)
{
    if (!name || !AMONG(languages, name))
        command_odd(c, "-x");
    return name && strcmp(name, "none") != 0 ? name : NULL;
}

static void command_output(struct ez_command *c, const char *file)
{
    c->out = file;
    /* Output on standard output cannot be corrected. */
    if (file &&
        (!strcmp(file, "-") || !strncmp(file, "/dev/std", 8) || !strncmp(file, "/dev/fd/", 8)))
        command_odd(c, "-o to standard output");
}

static void command_option(struct ez_command *c, const char *a, const char *next, ez_words *pre)
{
    c->compiles &= !AMONG(no_code, a);
    if (!strncmp(a, "-Wp,", 4))
        command_pieces(a + 4, pre);
    else if (!strcmp(a, "-Xpreprocessor") && next)
        EZ_PUSH(pre, ez_strdup(next));
    else if (!strcmp(a, "-Xclang") && next && BEGINS(unknown, next))
        command_odd(c, next);
    else if (!strncmp(a, "-M", 2))
        command_make(c, a, next);
    else if (!strncmp(a, "-o", 2))
        command_output(c, a[2] ? a + 2 : next);
    else if (BEGINS(unknown, a) || (strcmp(a, "-w") != 0 && !AMONG(with_value, a) &&
                                    !AMONG(meaning_value, a) && !BEGINS(known, a)))
        command_odd(c, a);
}

void ez_command_read(struct ez_command *c, char **argv, size_t n)
{
    ez_words pre = { 0 };
    bool options = true;
    *c = (struct ez_command){
        .argv = argv, .n = n, .compiles = true, .compiler = command_compiler(argv, n)
    };
    for (size_t i = c->compiler + 1; i < n; i++) {
        const char *a = argv[i], *next = i + 1 < n ? argv[i + 1] : NULL;
        bool option = options && *a == '-',
             source = !option && ez_command_lang(argv[c->compiler], a, c->forced);
        if (!c->options && (option || source))
            c->options = i;
        if (option && !strcmp(a, "-")) {
            c->input = true;
        } else if (option && !strcmp(a, "--")) {
            options = false;
        } else if (option && !strncmp(a, "-x", 2)) {
            c->forced = command_language(c, a[2] ? a + 2 : next);
            i += !a[2];
        } else if (option) {
            command_option(c, a, next, &pre);
            i += AMONG(with_value, a) || AMONG(meaning_value, a);
        } else if (source) {
            EZ_PUSH(&c->sources, ((struct ez_source){ i, c->forced }));
        }
    }
    command_preprocessor(c, &pre);
    ez_words_free(&pre);
    /* the compiler also writes rules to the file that this variable names */
    if (getenv("DEPENDENCIES_OUTPUT") || getenv("SUNPRO_DEPENDENCIES"))
        command_odd(c, "DEPENDENCIES_OUTPUT");
}

void ez_command_free(struct ez_command *c)
{
    EZ_VEC_FREE(&c->sources);
    ez_words_free(&c->rules);
    free(c->odd);
}

/* Appends options about macros and folders inside of -Wp,... */
static void command_meaning_pieces(const char *text, ez_words *out)
{
    ez_words w = { 0 };
    command_pieces(text, &w);
    for (size_t i = 0; i < w.n; i++) {
        const char *a = w.at[i];
        if (a[0] != '-' || !a[1] || !strchr("DUI", a[1]))
            continue;
        EZ_PUSH(out, ez_strdup(a));
        if (!a[2] && i + 1 < w.n)
            EZ_PUSH(out, ez_strdup(w.at[++i]));
    }
    ez_words_free(&w);
}

void ez_command_meaning(const struct ez_command *c, ez_words *out)
{
    for (size_t i = 1; i < c->n; i++) {
        const char *a = c->argv[i];
        bool value = AMONG(meaning_value, a), keep = value;
        if (!strcmp(a, "--"))
            return;
        if (!strncmp(a, "-Wp,", 4))
            command_meaning_pieces(a + 4, out);
        for (size_t k = 0; !keep && k < EZ_ARRAY_LEN(meaning_prefix); k++)
            keep = !strncmp(a, meaning_prefix[k], strlen(meaning_prefix[k]));
        if (keep && !AMONG(with_value, a))
            EZ_PUSH(out, ez_strdup(a));
        if (value && i + 1 < c->n)
            EZ_PUSH(out, ez_strdup(c->argv[i + 1]));
        i += value || AMONG(with_value, a);
    }
}

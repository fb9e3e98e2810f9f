/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.c - eztsh-instrument as a wrapper around a compiler.
 *
 * Each instrumented file is written to a folder of its own, the compiler runs on that file with
 * unchanged options, and the folder is removed. A build must not fail because of this tool, and the
 * tool must not hide that it did nothing. So a file that cannot be instrumented is compiled
 * unchanged. All files of a command line are compiled unchanged if it has an unknown option, if the
 * compiler fails on the instrumented files, and if this program itself crashes. Each case is
 * reported.
 * Tests: tests/source/command.sh, tests/source/wrapper.sh */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/depends.h"
#include "modules/instrument/source/main.h"
#include "modules/instrument/source/scratch.h"

struct wrap_made {           /* a source, and the instrumented file in its place */
    const char *file, *path; /* file: the source; path: the instrumented file, NULL = the source is
                              * compiled unchanged */
    unsigned lang;
    bool near; /* the source may include headers of its own folder (wrap_looks_near()) */
    struct ez_instrumented d;
};

struct wrap {
    struct ez_main *m;
    struct ez_command c;
    struct wrap_made *made; /* result for each of c.sources */
};

static void wrap_leave(struct wrap_made *f, const char *why)
{
    if (!f->d.whole)
        f->d.whole = ez_strdup(why);
    f->path = NULL;
}

/* Returns true if the line at p is an #include "x", or an #include of a macro. */
static bool wrap_includes_near(const char *p)
{
    static const char *const words[] = { "include", "include_next", "import", "embed" };
    p += strspn(p, " \t");
    if (*p != '#')
        return false;
    p += 1 + strspn(p + 1, " \t");
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (n == strlen(words[i]) && !memcmp(p, words[i], n) && p[n + strspn(p + n, " \t")] != '<')
            return true;
    return false;
}

/* Returns true if the compiler may look for headers in the file's own folder. */
static bool wrap_looks_near(const char *text)
{
    for (const char *p = text; !wrap_includes_near(p); p++) {
        p = strchr(p, '\n');
        if (!p)
            return strstr(text, "__has_include") || strstr(text, "__has_embed");
    }
    return true;
}

/* Returns the folder of the file. The caller frees it. */
static char *wrap_folder(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == file ? ez_strdup("/")
                         : ez_strndup(slash ? file : ".", slash ? (size_t)(slash - file) : 1);
}

/* Returns why the source cannot be replaced, or NULL. For example, a file that is not regular can
 * be read only once. */
static const char *wrap_why_not(const struct wrap_made *f)
{
    struct stat st;
    if (!stat(f->file, &st) && !S_ISREG(st.st_mode))
        return "it is not a regular file";
    bool odd = strpbrk(f->file, "\"\\") != NULL;
    for (const char *p = f->file; *p; p++)
        odd |= iscntrl((unsigned char)*p) != 0;
    return odd && f->lang == EZ_SPEC_FORTRAN ? "its name cannot be said in Fortran's lines" : NULL;
}

/* Returns true if an earlier source is in another folder in which the compiler also looks for
 * headers. */
static bool wrap_elsewhere(const struct wrap *w, const struct wrap_made *f)
{
    EZ_FREE char *own = wrap_folder(f->file);
    for (const struct wrap_made *k = w->made; k < f; k++) {
        EZ_FREE char *folder = wrap_folder(k->file);
        if (k->path && k->near && strcmp(folder, own) != 0)
            return true;
    }
    return false;
}

/* Gives the instrumented file the source's times, for __TIMESTAMP__. */
static void wrap_times(const char *file, const char *path)
{
    struct stat st;
    if (stat(file, &st))
        return;
    const struct timespec times[] = { st.st_atim, st.st_mtim };
    (void)!utimensat(AT_FDCWD, path, times, 0);
}

static ez_err *wrap_make(struct wrap *w, const ez_words *options, struct wrap_made *f)
{
    EZ_FREE char *name = ez_strdup(ez_base_name(f->file));
    const char *why = wrap_why_not(f), *path;
    if (why)
        return ez_err_new(EZ_E_REFUSED, 0, "%s", why);
    EZ_TRY(ez_main_apply(w->m, f->file, f->lang, w->c.argv + w->c.compiler, options, &f->d));
    if (!f->d.text)
        return NULL;
    f->near = f->lang == EZ_SPEC_FORTRAN || wrap_looks_near(f->d.text);
    if (f->near && wrap_elsewhere(w, f))
        return ez_err_new(EZ_E_REFUSED, 0,
                          "the file includes files of its own folder, and an earlier file of the "
                          "command includes files of another folder");
    char *dot = strrchr(name, '.');
    if (f->lang == EZ_SPEC_FORTRAN && dot) /* a suffix such as .f90, because the file has been
                                            * preprocessed */
        for (; *dot; dot++)
            *dot = (char)tolower((unsigned char)*dot);
    EZ_TRY(ez_scratch_path(name, &path));
    EZ_TRY(ez_main_write(path, f->d.text, f->d.n));
    wrap_times(f->file, path);
    f->path = path;
    return NULL;
}

/* Makes the instrumented files. Returns true if there are any. */
static bool wrap_make_all(struct wrap *w)
{
    ez_words options = { 0 };
    bool some = false;
    ez_command_meaning(&w->c, &options);
    for (size_t i = 0; i < w->c.sources.n; i++) {
        ez_err *e = wrap_make(w, &options, &w->made[i]);
        if (e)
            wrap_leave(&w->made[i], e->msg);
        ez_err_free(e);
        some |= w->made[i].path != NULL;
    }
    ez_words_free(&options);
    return some;
}

/* Adds the options for an instrumented file: its source's folder is searched first for headers, and
 * no output names the temporary file. */
static void wrap_options(const struct wrap_made *f, ez_words *out)
{
    EZ_FREE char *folder = wrap_folder(f->file);
    const char *slash = strrchr(f->file, '/');
    bool fortran = f->lang == EZ_SPEC_FORTRAN;
    if (f->near)
        EZ_PUSH(out, ez_sprintf("%s%s", fortran ? "-I" : "-iquote", folder));
    if (fortran)
        EZ_PUSH(out, ez_sprintf("-fdebug-prefix-map=%s=%s", f->path, f->file));
    else /* Maps only the folders, because the option separates names by '='. */
        EZ_PUSH(out,
                ez_sprintf("-ffile-prefix-map=%.*s=%.*s", (int)(ez_base_name(f->path) - f->path),
                           f->path, slash ? (int)(slash + 1 - f->file) : 0, f->file));
}

/* Runs the compiler with the instrumented files. Returns its exit status. */
static int wrap_compile(const struct wrap *w)
{
    ez_words argv = { 0 };
    size_t source = 0;
    for (size_t i = 0; i < w->c.n; i++) {
        for (size_t k = 0; i == w->c.options && k < w->c.sources.n; k++)
            if (w->made[k].path)
                wrap_options(&w->made[k], &argv);
        const char *word = w->c.argv[i];
        if (source < w->c.sources.n && w->c.sources.at[source].word == i) {
            word = w->made[source].path ? w->made[source].path : word;
            source++;
        }
        EZ_PUSH(&argv, ez_strdup(word));
    }
    EZ_PUSH(&argv, NULL);
    int status = ez_command_run(argv.at, 0, NULL);
    argv.n--;
    ez_words_free(&argv);
    return status;
}

/* Names the original in the rules for make. Returns false if the rules may be wrong. */
static bool wrap_depends(const struct wrap *w)
{
    bool good = true;
    for (size_t i = 0; i < w->c.sources.n; i++) {
        bool found = true;
        if (!w->made[i].path || !w->c.depends)
            continue;
        ez_err *e = ez_depends_rename(&w->c, w->made[i].path, w->made[i].file, &found);
        EZ_FREE char *text = e ? ez_err_text(e) : NULL;
        if (e)
            ez_main_fail("%s", text);
        good &= !e && found;
        ez_err_free(e);
    }
    return good;
}

static void wrap_leave_all(struct wrap *w, const char *why)
{
    for (size_t i = 0; i < w->c.sources.n; i++)
        wrap_leave(&w->made[i], why);
}

/* Compiles the instrumented files; if that fails, compiles the sources. */
static int wrap_run(struct wrap *w, char **argv)
{
    if (ez_main_reported(w->m)) {
        wrap_leave_all(w, "the specification is wrong");
        return ez_command_run(argv, 0, NULL);
    }
    int status = wrap_compile(w);
    if (!status && wrap_depends(w))
        return 0;
    if (status == 127 && errno && errno != E2BIG)
        return status;
    bool failed = status;
    status =
        failed && errno != E2BIG ? ez_command_run_quietly(argv) : ez_command_run(argv, 0, NULL);
    if (!status)
        wrap_leave_all(w, failed ? "the compiler fails with what was put in"
                                 : "the file with its rules for make is not found");
    return status;
}

static void wrap_report(const struct wrap *w)
{
    for (size_t i = 0; i < w->c.sources.n; i++)
        if (w->m->report)
            ez_main_report(w->m, w->made[i].file, &w->made[i].d);
        else if (w->made[i].d.whole)
            ez_main_fail("%s is not instrumented: %s", w->made[i].file, w->made[i].d.whole);
        else
            ez_main_warn(w->made[i].file, &w->made[i].d);
    if (w->c.input)
        ez_main_fail("standard input is not instrumented");
}

int ez_main_wrap(struct ez_main *m, char **argv)
{
    struct wrap w = { .m = m };
    ez_words words = { 0 };
    size_t n = 0;
    while (argv[n])
        n++;
    ez_command_expand(argv, n, &words);
    ez_command_read(&w.c, words.at, words.n);
    if (!w.c.compiles)
        w.c.sources.n = 0;
    w.made = ez_alloc((w.c.sources.n + 1) * sizeof *w.made);
    for (size_t i = 0; i < w.c.sources.n; i++) {
        const struct ez_source *s = &w.c.sources.at[i];
        const char *file = words.at[s->word];
        w.made[i] =
            (struct wrap_made){ .file = file,
                                .lang = ez_main_lang(m, words.at[w.c.compiler], file, s->forced) };
    }
    if (w.c.odd) {
        EZ_FREE char *why = ez_sprintf("%s is not understood", w.c.odd);
        wrap_leave_all(&w, why);
    }
    ez_scratch_instead(argv);
    bool made = !w.c.odd && wrap_make_all(&w);
    int status = made ? wrap_run(&w, argv) : ez_command_run(argv, 0, NULL);
    if (status == 127 && errno)
        ez_main_fail("cannot run %s: %s", argv[0], strerror(errno));
    if (!status)
        wrap_report(&w);
    for (size_t i = 0; i < w.c.sources.n; i++)
        ez_instrumented_free(&w.made[i].d);
    free(w.made);
    ez_words_free(&words);
    ez_command_free(&w.c);
    return status;
}

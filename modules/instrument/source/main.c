/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - eztsh-instrument: applies specifications to source files. As a wrapper around compilers:
 * wrap.c.
 *
 * Exit status: the compiler's; 1: a specification or a file is wrong; 2: the command line is
 * wrong.
 * Tests: tests/source/command.sh */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "modules/instrument/source/main.h"
#include "modules/instrument/source/scratch.h"

static const char usage[] =
    "Usage: eztsh-instrument -spec FILE [OPTION...] SOURCE... [-- COMPILER-FLAGS]\n"
    "       eztsh-instrument -spec FILE [OPTION...] -- COMPILER ARG...\n"
    "Insert the code of a specification into source files, or compile such files "
    "(doc/HOWTO_SPEC.md).\n"
    "  -spec FILE      the specification; several are read one after the other\n"
    "  -filter FILE    lists of routines, files to exclude or include (TAU's format)\n"
    "  -o OUT          write to OUT, - for standard output, not to NAME.inst.EXT\n"
    "  -lang LANG      c, c++ or fortran; the default depends on the suffix\n"
    "  -fixed, -free   Fortran's source form; the default depends on the suffix\n"
    "  -report[=json]  report what was inserted in each routine\n"
    "EZT_CC names the compiler whose preprocessor expands macros (cc).\n";

int ez_main_fail(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "eztsh-instrument: ");
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return 2;
}

/* ---- messages -------------------------------------------------------------------------------- */

static int main_report_error(ez_err *e)
{
    EZ_FREE char *text = ez_err_text(e);
    ez_main_fail("%s", text);
    ez_err_free(e);
    return 1;
}

static int main_spec(struct ez_main *m, const char *path)
{
    struct ez_src *t = ez_alloc(sizeof *t);
    ez_err *e = ez_src_load(t, path);
    if (e) {
        free(t);
        return main_report_error(e);
    }
    EZ_PUSH(&m->read, t);
    ez_spec_read(&m->spec, t);
    return 0;
}

bool ez_main_reported(struct ez_main *m)
{
    unsigned errors = 0;
    for (size_t i = 0; i < m->read.n; i++) {
        struct ez_src *t = m->read.at[i];
        EZ_FREE char *said = ez_src_said(t);
        fputs(said, stderr);
        errors += t->errors;
        for (size_t k = 0; k < t->notes.n; k++)
            free(t->notes.at[k].text);
        t->notes.n = 0;
        t->errors = t->warnings = 0;
    }
    return errors;
}

static int main_option(struct ez_main *m, char **argv, int argc, int *i)
{
    const char *a = argv[*i], *name = !strncmp(a, "--", 2) ? a + 1 : a;
    const char *value = *i + 1 < argc ? argv[*i + 1] : NULL;
    bool valued = !strcmp(name, "-spec") || !strcmp(name, "-filter") || !strcmp(name, "-o") ||
                  !strcmp(name, "-lang");
    if (valued && !value)
        return ez_main_fail("option '%s' requires an argument.", a);
    *i += valued;
    if (!strcmp(name, "-spec") || !strcmp(name, "-filter"))
        return main_spec(m, value);
    if (!strcmp(name, "-o"))
        m->out = value;
    else if (!strcmp(name, "-lang") && ez_spec_lang(value))
        m->lang = value;
    else if (!strcmp(name, "-lang"))
        return ez_main_fail("Invalid value \"%s\" for -lang. The values are c, c++ and fortran.",
                            value);
    else if (!strcmp(name, "-fixed") || !strcmp(name, "-free"))
        m->form = !strcmp(name, "-fixed") ? 1 : 2;
    else if (!strcmp(name, "-report") || !strcmp(name, "-report=json"))
        m->report = true, m->json = strchr(name, '=');
    else
        return ez_main_fail(
            "unrecognized option '%s'. \"eztsh-instrument -help\" lists the options.", a);
    return 0;
}

/* Parses options. Returns 0 to continue, -1 if all is done, else the exit status. */
static int main_options(struct ez_main *m, int argc, char **argv)
{
    int status = 0;
    for (int i = 1; i < argc && !m->first && !status; i++) {
        if (!strcmp(argv[i], "--"))
            m->first = i + 1;
        else if (!strcmp(argv[i], "-help") || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return fputs(usage, stdout), -1;
        else if (!strcmp(argv[i], "-version") || !strcmp(argv[i], "--version"))
            return puts("eztsh-instrument (" PACKAGE_STRING ")"), -1;
        else if (*argv[i] == '-' && argv[i][1])
            status = main_option(m, argv, argc, &i);
        else
            EZ_PUSH(&m->sources, argv[i]);
    }
    if (status)
        return status;
    if (!m->read.n)
        return ez_main_fail("No specification is named. Use -spec FILE.");
    if (!m->sources.n && (!m->first || m->first == argc))
        return ez_main_fail("Nothing to do. Name source files, or a compiler after --.");
    if (m->out && m->sources.n != 1)
        return ez_main_fail("-o %s needs exactly one source file.", m->out);
    return ez_main_reported(m) ? 1 : 0;
}

/* ---- the report ------------------------------------------------------------------------------------------------ */

static void main_report_json(const char *file, const struct ez_instrumented *d)
{
    struct ez_json j = { .compact = true };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "schema", "eztsh-instrument-1");
    ez_json_add_text(&j, "file", file);
    ez_json_add_text(&j, "left", d->whole);
    ez_json_add_uint(&j, "lines", d->lines);
    ez_json_begin(&j, "routines", '[');
    for (size_t i = 0; i < d->routines.n; i++) {
        const struct ez_done *r = &d->routines.at[i];
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "name", r->name);
        ez_json_add_text(&j, "routine", r->signature);
        ez_json_add_uint(&j, "line", r->line);
        ez_json_add_uint(&j, "places", r->places);
        ez_json_add_text(&j, "left", r->left);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    ez_json_end(&j, '}');
    puts(j.text);
    ez_json_free(&j);
}

void ez_main_report(const struct ez_main *m, const char *file, const struct ez_instrumented *d)
{
    unsigned done = 0, left = 0, places = 0;
    if (m->json) {
        main_report_json(file, d);
        return;
    }
    for (size_t i = 0; i < d->routines.n; i++) {
        const struct ez_done *r = &d->routines.at[i];
        done += !r->left;
        left += r->left != NULL;
        places += r->places;
        if (r->left)
            printf("%s:%u: %s is left alone: %s\n", file, r->line, r->signature, r->left);
        else
            printf("%s:%u: %s: %u place%s\n", file, r->line, r->signature, r->places,
                   ez_plural(r->places));
    }
    if (d->whole)
        printf("%s: left alone: %s\n", file, d->whole);
    else
        printf("%s: %u routine%s instrumented at %u place%s, %u left alone\n", file, done,
               ez_plural(done), places, ez_plural(places), left);
}

void ez_main_warn(const char *file, const struct ez_instrumented *d)
{
    for (size_t i = 0; i < d->routines.n; i++) {
        const struct ez_done *r = &d->routines.at[i];
        if (r->missed)
            ez_main_fail("%s:%u: %s is left alone: %s", file, r->line, r->signature, r->left);
    }
}

/* ---- one file ------------------------------------------------------------------------------------------------------ */

unsigned ez_main_lang(const struct ez_main *m, const char *compiler, const char *file,
                      const char *forced)
{
    return m->lang ? ez_spec_lang(m->lang) : ez_command_lang(compiler, file, forced);
}

ez_err *ez_main_apply(struct ez_main *m, const char *file, unsigned lang, char *const *cc,
                      const ez_words *options, struct ez_instrumented *d)
{
    struct ez_instrument k = {
        .spec = &m->spec, .file = file, .lang = lang, .cc = cc, .options = options
    };
    *d = (struct ez_instrumented){ 0 };
    if (lang == EZ_SPEC_FORTRAN) {
        k.fixed = m->form ? m->form == 1 : ez_command_fixed(file, options);
        return ez_instrument_fortran(&k, d);
    }
#ifdef HAVE_LIBCLANG
    EZ_TRY(ez_instrument_c(&k, d));
#else
    (void)k;
    d->whole = ez_strdup("built without libclang: install libclang-dev and build eztsh again");
#endif
    return NULL;
}

ez_err *ez_main_write(const char *path, const char *text, size_t n)
{
    bool terminal = !strcmp(path, "-");
    FILE *f = terminal ? stdout : fopen(path, "we");
    bool good = f && fwrite(text, 1, n, f) == n && !fflush(f);
    int failed = errno;
    if (f && !terminal && fclose(f) && good) {
        good = false;
        failed = errno;
    }
    return good ? NULL : ez_err_new(EZ_E_SYS, failed, "%s", path);
}

/* ---- source files ------------------------------------------------------------------------------------------------------ */

/* Returns the length of a path without the suffix of its last part. */
static size_t main_stem(const char *path)
{
    const char *dot = strrchr(ez_base_name(path), '.');
    return dot ? (size_t)(dot - path) : strlen(path);
}

static char *main_place(const char *file)
{
    size_t stem = main_stem(file);
    return ez_sprintf("%.*s.inst%s", (int)stem, file, file + stem);
}

static int main_source(struct ez_main *m, const char *file, char **flags, size_t n)
{
    struct ez_command c;
    struct ez_instrumented d = { 0 };
    ez_words options = { 0 };
    const char *program = getenv("EZT_CC");
    EZ_VEC(char *) argv = { 0 };
    bool fortran = ez_main_lang(m, NULL, file, NULL) == EZ_SPEC_FORTRAN;
    EZ_PUSH(&argv, (char *)(program && *program ? program : fortran ? "gfortran" : "cc"));
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&argv, flags[i]);
    ez_command_read(&c, argv.at, argv.n);
    ez_command_meaning(&c, &options);
    unsigned lang = ez_main_lang(m, argv.at[0], file, c.forced);
    ez_err *e =
        lang ? ez_main_apply(m, file, lang, argv.at, &options, &d)
             : ez_err_new(EZ_E_ARG, 0,
                          "%s: the language is not known: name the language with -lang", file);
    bool wrong = ez_main_reported(m);
    EZ_FREE char *place = m->out ? ez_strdup(m->out) : main_place(file);
    if (!e && !wrong && d.text)
        e = ez_main_write(place, d.text, d.n);
    else if (!e && !wrong)
        e = ez_err_new(EZ_E_REFUSED, 0, "%s: %s", file,
                       d.whole ? d.whole : "a list leaves the file out");
    if (!e && m->report && strcmp(place, "-") != 0)
        ez_main_report(m, file, &d);
    else if (!e)
        ez_main_warn(file, &d);
    ez_instrumented_free(&d);
    ez_words_free(&options);
    ez_command_free(&c);
    EZ_VEC_FREE(&argv);
    return e ? main_report_error(e) : wrong;
}

int main(int argc, char **argv)
{
    struct ez_main m = { 0 };
    int status = main_options(&m, argc, argv);
    if (!status && m.sources.n) {
        char **flags = m.first ? argv + m.first : argv;
        for (size_t i = 0; i < m.sources.n; i++) {
            int one =
                main_source(&m, m.sources.at[i], flags, m.first ? (size_t)(argc - m.first) : 0);
            status = status ? status : one;
        }
    } else if (!status) {
        status = ez_main_wrap(&m, argv + m.first);
    }
    ez_scratch_clean();
    ez_spec_deinit(&m.spec);
    for (size_t i = 0; i < m.read.n; i++) {
        ez_src_deinit(m.read.at[i]);
        free(m.read.at[i]);
    }
    EZ_VEC_FREE(&m.read);
    EZ_VEC_FREE(&m.sources);
    return status < 0 ? 0 : status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_spec.c - any bytes as a specification.
 *
 * What is said is printable lines, each with a place inside the file. What was read without errors is shown
 * in a form that reads as the same; fragments of it, at a place whose names are hostile, hold no zero. The same bytes are
 * declarations. */
#include "modules/instrument/spec/declare.h"
#include "modules/instrument/spec/ftoken.h"
#include "modules/instrument/spec/spec.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 60000;
const size_t fuzz_max = 2048;

static const char *const seeds[] = {
    "file=\"*\" line=1 code=\"#include <stdio.h>\"\nentry routine=\"#\" "
    "code=\"f(\\\"@ROUTINE@\\\", @LINE@);\"\n",
    "# c\nexit file=\"a?.c\" routine!~=\"^ma(in|x)$\" lang=\"c,c++\" code=\"\\x41\\101\\n\" \\\n  "
    "# d\n"
    "loop entry code=\"@COL@\"\nthrow code=\"t\"\ncatch code=\"@RTTI@\"\n",
    "BEGIN_EXCLUDE_LIST\nvoid f(int *)\n\"#x\"\n# "
    "no\nEND_EXCLUDE_LIST\nBEGIN_FILE_INCLUDE_LIST\n*.c\n"
    "END_FILE_INCLUDE_LIST\nBEGIN_INSTRUMENT_SECTION\nentry call=\"MPI_#\" code=\"@CALLEE@\"\n"
    "END_INSTRUMENT_SECTION\n",
    "namespace n {\nextern int *a[2], f(int) noexcept;\n} extern \"C\" {\nstatic T "
    "(*w)(int);\n}\ninteger, save :: b(2) "
    "= 3, c\ncommon /d/ e\n",
    "init code=\"i(@ARGC@, '@ARGV@')\"\ndecl lang=\"fortran\" code=\"integer :: i = "
    "@BEGIN_LINE@\"\nabort code=\"\"\n",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    return fuzz_text(n < EZ_ARRAY_LEN(seeds) ? seeds[n] : "", buf, max);
}

static void spec_said(struct ez_src *t)
{
    EZ_FREE char *said = ez_src_said(t);
    for (const char *p = said; *p; p++)
        MUST(*p == '\n' || *p == '\t' || ((unsigned char)*p >= ' ' && *p != 0x7f), "byte %d", *p);
    for (size_t i = 0; i < t->notes.n; i++)
        MUST(t->notes.at[i].at <= t->n, "a place outside");
}

static void spec_again(const struct ez_spec *s)
{
    EZ_FREE char *shown = ez_spec_show(s);
    struct ez_spec again = { 0 };
    struct ez_src t;
    ez_src_init(&t, "y", shown, strlen(shown));
    ez_spec_read(&again, &t);
    EZ_FREE char *said = ez_src_said(&t);
    MUST(!t.errors, "what was shown is wrong: %s", said);
    MUST(again.clauses.n == s->clauses.n, "%zu clauses, shown %zu", s->clauses.n, again.clauses.n);
    EZ_FREE char *twice = ez_spec_show(&again);
    MUST(!strcmp(shown, twice), "shown:\n%s\nthen:\n%s", shown, twice);
    ez_spec_deinit(&again);
    ez_src_deinit(&t);
}

static void spec_places(const struct ez_spec *s, struct ez_src *t)
{
    static const enum ez_spec_lang langs[] = { EZ_SPEC_C, EZ_SPEC_CXX, EZ_SPEC_FORTRAN };
    for (unsigned k = 0; k < EZ_ARRAY_LEN(langs); k++)
        for (unsigned p = 0; p < EZ_SPEC_POINTS; p++) {
            struct ez_spec_routine r = { .name = "a\"\\'#(",
                                         .signature = "int a\"\\'#(int)",
                                         .file = "d/\"a.c",
                                         .lang = langs[k],
                                         .argc = "c",
                                         .argv = "v" };
            struct ez_spec_site site = {
                p == EZ_SPEC_FILE ? NULL : &r, r.file, langs[k], 1, 2, "f"
            };
            free(ez_spec_fragment(s, p, &site));
        }
    spec_said(t);
}

static bool spec_declared(const struct ez_declaration *d, char **text, char **last, void *arg)
{
    MUST(!strncmp(d->before + d->at, d->name, strlen(d->name)), "%s is not in %s", d->name,
         d->before);
    *last = ez_strdup(d->name);
    *text = NULL;
    return ++*(unsigned *)arg % 2;
}

static void spec_fortran(const char *name, const char *statement, void *arg)
{
    (void)arg;
    MUST(*name && *statement, "a name without letters");
}

static void spec_declarations(const uint8_t *data, size_t size)
{
    unsigned n = 0;
    char *last;
    EZ_FREE char *code = ez_sprintf("%.*s", (int)size, (const char *)data);
    free(ez_spec_declarations(code, spec_declared, &n, &last));
    free(last);
    ez_fdeclared(code, spec_fortran, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ez_src t;
    struct ez_spec s = { 0 };
    ez_src_init(&t, "x", (const char *)data, size);
    ez_spec_read(&s, &t);
    spec_said(&t);
    if (!t.errors) {
        spec_again(&s);
        spec_places(&s, &t);
    }
    ez_spec_deinit(&s);
    ez_src_deinit(&t);
    spec_declarations(data, size);
    return 0;
}

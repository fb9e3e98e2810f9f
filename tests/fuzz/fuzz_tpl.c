/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_tpl.c - any bytes as a plugin script.
 *
 * What is said is printable lines, each with a place inside the script. A script without errors
 * becomes C in which each function is replaced once, where every place leads back into the
 * script, and of which no line but those of BEGIN_INCLUDE is one of the preprocessor. */
#include "modules/compiler/emit.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 60000;
const size_t fuzz_max = 4096;

#define HEAD "BEGIN_MODULE\nNAME m\nDESC \"d\"\nID 20\n"

static const char *const seeds[] = {
    HEAD "int f(int a, double b[3])\nBEGIN\nSET_VAR(\"x\", a + b[1])\nCALL_FUNC\n"
         "IF (RESULT > "
         "(int)sizeof(a))\nEVENT(\"e\")\nELSE\nPUSH_STATE(\"s\")\nEND_IF\nPOP_STATE()\nEND\n"
         "END_MODULE\n",
    HEAD "LANGUAGE FORTRAN\nTYPE APPLICATION\nadi()\nBEGIN\n EVENT (\"New loop\")\nEND\nadd()\n"
         "SUBROUTINE s(INTEGER n, CHARACTER c, VALUE REAL8 x)\nBEGIN\nADD_VAR(\"v\", "
         "n)\nEND\nEND_MODULE\n",
    HEAD "BEGIN_INCLUDE\n#include <stdio.h>\nint y;\nEND_INCLUDE\nBEGIN_CFLAGS\n-DX='a b' \"-I c\" "
         "# no\n"
         "END_CFLAGS\nBEGIN_LDFLAGS\n-lm\nEND_LDFLAGS\nFILE *fopen(const char *, const char "
         "*)\nEND_MODULE\n",
    HEAD "void (*signal(int sig, void (*act)(int)))(int)\nint printf(const char *format, ...);\n"
         "extern struct s f(__typeof__(int) x) __attribute__((nothrow))\nEND_MODULE\n",
    HEAD "void f(int a) /* c */ // d\nBEGIN\nRECORD_STATE(\"\\\"\\\\\")\nIF "
         "(g(a))\nRECORD_STATE(\"r\")\nEND_IF\n"
         "SUB_VAR(\"x\", (a ? 'x' : '\\''))\nSET_STATE(\"t\");\nEND\nEND_MODULE\n",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    return fuzz_text(n < EZ_ARRAY_LEN(seeds) ? seeds[n] : "", buf, max);
}

static void tpl_said(struct ez_src *t)
{
    EZ_FREE char *said = ez_src_said(t);
    size_t lines = 0, places = 0;
    for (const char *p = said; *p; p++) {
        MUST(*p == '\n' || *p == '\t' || ((unsigned char)*p >= ' ' && *p != 0x7f), "byte %d", *p);
        lines += *p == '\n';
    }
    for (size_t i = 0; i < t->notes.n; i++, places++)
        MUST(t->notes.at[i].at <= t->n, "a place outside");
    MUST(places <= 2 * EZ_SRC_ERRORS, "%zu messages", places);
    MUST(lines == 3 * places + (t->errors > EZ_SRC_ERRORS), "%zu lines, %zu places", lines, places);
}

static void tpl_c(const struct ez_script *s)
{
    struct ez_emit c;
    size_t replaced = 0;
    ez_emit_module(&c, s);
    MUST(strlen(c.out.at) == c.out.n, "a zero in the C");
    for (const char *p = c.out.at, *end; *p; p = end + 1) {
        end = strchr(p, '\n');
        replaced += !strncmp(p, "EZT_REPLACE(\"", 13) || !strncmp(p, "EZT_REPLACE_VARIADIC(\"", 22);
        MUST(s->includes.n || *p != '#' || !strncmp(p, "#include <", 10),
             "a line of the preprocessor");
    }
    MUST(s->includes.n || replaced == s->functions.n, "%zu of %zu functions", replaced,
         s->functions.n);
    for (unsigned line = 1; line <= EZ_MIN(c.line, 200u); line++)
        for (unsigned col = 1; col < 100; col += 7) {
            size_t at = ez_emit_origin(&c, line, col);
            MUST(at == SIZE_MAX || at <= s->t->n, "a place outside");
        }
    ez_emit_deinit(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ez_src t;
    struct ez_script s;
    ez_src_init(&t, "x", (const char *)data, size);
    ez_script_read(&s, &t);
    tpl_said(&t);
    if (!t.errors)
        tpl_c(&s);
    ez_script_deinit(&s);
    ez_src_deinit(&t);
    return 0;
}

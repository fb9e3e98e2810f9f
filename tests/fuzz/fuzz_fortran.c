/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fortran.c - any bytes as a file of Fortran, in both forms.
 *
 * Statements stand in the file one behind the other, each letter where it says; units and loops have their
 * parts in order, and what a statement does is asked of a letter that it has. */
#include <ctype.h>

#include "modules/instrument/source/floop.h"
#include "modules/instrument/source/lines.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 40000;
const size_t fuzz_max = 2048;

static const char *const seeds[] = {
    "module m\ncontains\n pure integer function f(i) result(r)\n  integer :: i, r; r = 'a''b' ! c\n"
    "  if (i > &\n  & 3) return\n 10 continue\n  do i = 1, 3; exit; end do\n end function\nend "
    "module\n",
    "      SUBROUTINE S(A, N)\nC     NO\n      DIMENSION A(N)\n      SF(X) = X * 2\n      DO 10 I "
    "= 1, N\n"
    "   10 A(I) = SF(A(I))\n      IF (N .EQ.\n     1 2) RETURN\n      END\n\tprogram p\n\tcall "
    "s\n\tend\n",
    "interface g\n module procedure a, b\n subroutine x\n end subroutine\nend interface\ntype, "
    "public :: t\n integer :: n\n"
    "contains\n procedure :: q\nend type t\nname: do concurrent (i=1:2)\ncycle name\nend do "
    "name\nend\n",
    "submodule (m) s\ncontains\nmodule procedure p\nentry q(i)\nerror stop \"x\"\ngoto 10\nend "
    "procedure\nend submodule\n"
    "block data b\ncommon /c/ a(3), d\nend block data b\n",
    "# 1 \"x.F90\"\n# 1 \"<built-in>\"\n# 1 \"x.F90\"\nprogram p\n# 1 \"a.h\" 1\ni = 1\n# 12 "
    "\"x.F90\" 2\nend\n# 7\n",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    return fuzz_text(n < EZ_ARRAY_LEN(seeds) ? seeds[n] : "", buf, max);
}

static void fortran_statements(const ez_fstmts *s, const char *text, size_t size)
{
    size_t behind = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct ez_fstmt *k = &s->at[i];
        size_t from;
        MUST(k->n && k->n == k->at.n && k->n == k->in_raw.n && strlen(k->t) == k->n,
             "letters of %zu", i);
        MUST(k->a >= behind && k->a <= k->at.at[0] && k->b <= size, "statement %zu at %zu", i,
             k->a);
        for (size_t c = 0; c < k->n; c++) {
            MUST(k->at.at[c] < size && (!c || k->at.at[c] > k->at.at[c - 1]), "letter %zu of %zu",
                 c, i);
            MUST(k->raw.at[k->in_raw.at[c]] == text[k->at.at[c]], "letter %zu of %zu as written", c,
                 i);
        }
        MUST(!k->label_n || k->label + k->label_n <= size, "label of %zu", i);
        (void)ez_unit_act(k, &from);
        MUST(from <= k->n, "act of %zu", i);
        behind = k->b;
    }
}

static void fortran_loop(const ez_fstmts *s, const struct ez_unit *u, const struct ez_floop *l,
                         size_t k)
{
    const struct ez_fstmt *first = &s->at[l->begin];
    MUST(l->begin < l->end && l->end <= u->end, "loop %zu", k);
    MUST(l->label + l->label_n <= first->n, "label of loop %zu", k);
    for (size_t i = 0; i < l->label_n; i++)
        MUST(isdigit((unsigned char)first->t[l->label + i]), "letter %zu of loop %zu's label", i,
             k);
}

static void fortran_form(const char *text, size_t size, bool fixed)
{
    ez_fstmts s = { 0 };
    ez_units units = { 0 };
    ez_floops loops = { 0 };
    ez_fscan(text, size, fixed, &s);
    fortran_statements(&s, text, size);
    ez_units_find(&s, &units);
    for (size_t i = 0; i < units.n; i++) {
        const struct ez_unit *u = &units.at[i];
        MUST(u->parent == SIZE_MAX || u->parent < i, "parent of %zu", i);
        if (u->end == SIZE_MAX)
            continue;
        MUST(u->end < s.n && u->first <= u->end && (u->head == SIZE_MAX || u->head < u->end),
             "ends of %zu", i);
        loops.n = 0;
        ez_floops_find(&s, u, &loops);
        for (size_t k = 0; k < loops.n; k++)
            fortran_loop(&s, u, &loops.at[k], k);
        for (size_t k = 0; k < u->own.n; k++)
            MUST(ez_floops_left(&s, u, &loops, u->own.at[k]) <= loops.n, "loops left at %zu", k);
    }
    EZ_VEC_FREE(&loops);
    ez_units_free(&units);
    ez_fscan_free(&s);
}

/* Each byte is on one line, and a line that is found begins one. */
static void fortran_lines(const char *text, size_t size)
{
    ez_lines lines = { 0 };
    ez_lines_read(&lines, text, size, true);
    for (size_t i = 0; i < lines.n; i++) {
        size_t at = lines.at[i].at, end = i + 1 < lines.n ? lines.at[i + 1].at : size;
        unsigned line, col;
        MUST(at <= end && (!at || text[at - 1] == '\n'), "line %zu at %zu", i, at);
        for (; at < end; at++) {
            ez_lines_place(&lines, at, &line, &col);
            MUST(line == lines.at[i].number && col == at - lines.at[i].at + 1, "place of %zu", at);
        }
        at = ez_lines_find(&lines, lines.at[i].number);
        MUST(at == SIZE_MAX || ez_lines_begin(&lines, at) == at, "line %zu found at %zu", i, at);
        MUST(at != SIZE_MAX || lines.at[i].mark || !lines.at[i].own, "line %zu is not found", i);
    }
    EZ_VEC_FREE(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EZ_FREE char *text = ez_alloc(size + 1);
    memcpy(text, data, size);
    size = strlen(text);
    fortran_form(text, size, false);
    fortran_form(text, size, true);
    fortran_lines(text, size);
    return 0;
}

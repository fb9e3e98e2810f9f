/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_line.c - finds the row of a line table for an instruction, as gdb does; finds where a
 * function is in its source file.
 *
 * Tests: tests/procs/moving.sh, tests/procs/spec.sh */
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf_read.h"

static Dwarf_Addr dwarfline_addr(Dwarf_Lines *rows, size_t i)
{
    Dwarf_Addr at = 0;
    return dwarf_lineaddr(dwarf_onesrcline(rows, i), &at) ? 0 : at;
}

/* Returns the number of the last row whose address is pc or lower, or n if there is none. */
static size_t dwarfline_find(Dwarf_Lines *rows, size_t n, uint64_t pc)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (dwarfline_addr(rows, mid) <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? lo - 1 : n;
}

/* Returns whether the row has line 0. gdb drops these rows, so their code continues the previous
 * line. */
static bool dwarfline_of_none(Dwarf_Lines *rows, size_t i)
{
    int line = 1;
    bool end = true;
    Dwarf_Line *row = dwarf_onesrcline(rows, i);
    return !dwarf_lineno(row, &line) && !line && !dwarf_lineendsequence(row, &end) && !end;
}

bool dwarfline_same(Dwarf_Line *a, Dwarf_Line *b)
{
    int la = 0, lb = 0;
    bool end = false;
    const char *fa = dwarf_linesrc(a, NULL, NULL), *fb = dwarf_linesrc(b, NULL, NULL);
    return !dwarf_lineno(a, &la) && !dwarf_lineno(b, &lb) && la == lb &&
           !dwarf_lineendsequence(a, &end) && !end && fa && fb && !strcmp(fa, fb);
}

/* Returns whether the row before k has the same address and does not end an earlier sequence. */
static bool dwarfline_beside(Dwarf_Lines *rows, size_t k)
{
    bool end = true;
    return k && dwarfline_addr(rows, k - 1) == dwarfline_addr(rows, k) &&
           !dwarf_lineendsequence(dwarf_onesrcline(rows, k - 1), &end) && !end;
}

/* Returns whether the row before k has another line at the same address, as in clang's tables for a
 * function without a prologue. */
static bool dwarfline_of_two(Dwarf_Lines *rows, size_t k)
{
    return dwarfline_beside(rows, k) && !dwarfline_of_none(rows, k - 1) &&
           !dwarfline_same(dwarf_onesrcline(rows, k - 1), dwarf_onesrcline(rows, k));
}

/* Returns whether gdb drops the row, because it has the same line as the row before, and the row,
 * or one of the adjacent rows before it with that line, has a discriminator (a number that the
 * compiler writes if a line has several blocks). */
static bool dwarfline_goes_on(Dwarf_Lines *rows, size_t i)
{
    unsigned block = 0;
    for (size_t k = i; k > 0 && i - k < 64; k--) {
        Dwarf_Line *row = dwarf_onesrcline(rows, k);
        bool same = dwarfline_same(dwarf_onesrcline(rows, k - 1), row);
        if (k == i && !same)
            return false;
        if (!dwarf_linediscriminator(row, &block) && block)
            return true;
        if (!same)
            return false;
    }
    return false;
}

/* Returns the row that gdb uses if several rows have the same address, of which k is the last: the
 * last row that begins a statement, or k if no row does. *statement says whether one does. */
static size_t dwarfline_statement(Dwarf_Lines *rows, size_t k, bool *statement)
{
    for (size_t i = k;; i--) {
        dwarf_linebeginstatement(dwarf_onesrcline(rows, i), statement);
        if (*statement)
            return i;
        if (!dwarfline_beside(rows, i))
            return k;
    }
}

char *dwarfline_full_name(Dwarf_Die *unit, const char *name)
{
    Dwarf_Files *files;
    const char *const *folder;
    size_t n;
    bool whole = *name == '/' || dwarf_getsrcfiles(unit, &files, &n) ||
                 dwarf_getsrcdirs(files, &folder, &n) || !n || !*folder || !**folder;
    return whole ? ez_strdup(name) : ez_sprintf("%s/%s", *folder, name);
}

void dwarfline_emit_file(struct dwarf_answer *a, Dwarf_Die *unit, const char *name)
{
    EZ_FREE char *full = dwarfline_full_name(unit, name ? name : "");
    dwarf_answer_text(a, name ? full : "");
}

/* the rows k to next - 1, which have the line of an instruction */
struct span {
    Dwarf_Lines *rows;
    size_t n, k, next, own; /* own: the instruction's own row, as the compiler wrote it */
};

static bool dwarfline_span(struct dwarf_unit *u, uint64_t pc, struct span *out)
{
    Dwarf_Lines *rows;
    size_t n;
    bool end = true;
    if (!u || dwarf_getsrclines(&u->die, &rows, &n))
        return false;
    size_t k = dwarfline_find(rows, n, pc);
    while (k && k < n && dwarfline_of_none(rows, k))
        k--;
    if (k + 1 >= n || dwarf_lineendsequence(dwarf_onesrcline(rows, k), &end) || end)
        return false;
    size_t next = k + 1, own = k;
    while (k > 0 && dwarfline_goes_on(rows, k))
        k--;
    while (next + 1 < n && (dwarfline_of_none(rows, next) || dwarfline_goes_on(rows, next)))
        next++;
    *out = (struct span){ rows, n, k, next, own };
    return true;
}

void dwarfline_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    struct span at;
    int line = 0, own = 0, col = 0;
    bool statement = false;
    if (!dwarfline_span(u, pc, &at))
        return;
    Dwarf_Line *row = dwarf_onesrcline(at.rows, dwarfline_statement(at.rows, at.k, &statement));
    Dwarf_Line *own_row = dwarf_onesrcline(at.rows, at.own);
    const char *name = dwarf_linesrc(row, NULL, NULL);
    dwarf_lineno(row, &line);
    dwarf_lineno(own_row, &own);
    dwarf_linecol(own_row, &col);
    dwarf_answer_number(a, dwarfline_addr(at.rows, at.k));
    dwarf_answer_number(a, dwarfline_addr(at.rows, at.next));
    dwarf_answer_number(a, (uint64_t)line);
    dwarf_answer_number(a, dwarfline_addr(at.rows, at.own));
    dwarf_answer_number(a, (uint64_t)own);
    dwarf_answer_number(a, (uint64_t)col);
    dwarf_answer_number(a, statement);
    dwarf_answer_number(a, name ? ez_hash_key(EZ_HASH_SEED, ez_base_name(name)) : 0);
    dwarfline_emit_file(a, &u->die, name);
    dwarfline_emit_file(a, &u->die, dwarf_linesrc(own_row, NULL, NULL));
}

/* ---- where the prologue of a function ends --------------------------------------------------- */

/* Returns the first address in the function that the line table marks as the prologue's end, or
 * 0. */
static uint64_t dwarfline_marked(const struct span *at, uint64_t func, uint64_t end)
{
    bool ends = false, marked = false;
    size_t k = at->k;
    while (dwarfline_beside(at->rows, k))
        k--;
    for (; k < at->n && dwarfline_addr(at->rows, k) < end; k++) {
        Dwarf_Line *row = dwarf_onesrcline(at->rows, k);
        if (dwarf_lineendsequence(row, &ends) || ends || dwarf_lineprologueend(row, &marked))
            return 0;
        if (marked && dwarfline_addr(at->rows, k) >= func)
            return dwarfline_addr(at->rows, k);
    }
    return 0;
}

/* Emits the end of the prologue by gdb's rules: gdb 16 and later use the marked row; older versions
 * use the function's second line, if clang compiled the function. */
void dwarfline_emit_prologue(struct dwarf_file *f, struct dwarf_answer *a, uint64_t func,
                             uint64_t end)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, func);
    struct span at;
    Dwarf_Attribute by;
    if (!dwarfline_span(u, func, &at))
        return;
    uint64_t marked = dwarfline_marked(&at, func, end), next = dwarfline_addr(at.rows, at.next);
    const char *producer = dwarf_attr(&u->die, DW_AT_producer, &by) ? dwarf_formstring(&by) : NULL;
    bool clang = producer && strstr(producer, "clang") && !dwarfline_of_two(at.rows, at.k);
    dwarf_answer_number(a, marked ? marked : clang && next < end ? next : 0);
}

/* ---- where the body of a function begins and ends -------------------------------------------- */

/* The body begins on the line of the function's first row, which is that of the opening brace (gcc)
 * or of the function's name (clang). It ends on the largest line among the function's rows, without
 * those of inlined functions. */
#define DEEPEST 16 /* maximum depth of nested blocks */

struct body {
    EZ_VEC(struct dwarf_range) inlined;
    const char *file; /* source file of the first row */
    uint64_t lo, hi;
    int begin, begin_col, end, end_col;
    int last, last_col; /* line and column of the last row */
};

static void dwarfline_body_find_inlined(struct body *b, Dwarf_Die *die, unsigned depth)
{
    Dwarf_Die child;
    Dwarf_Addr base, lo, hi;
    if (depth > DEEPEST || dwarf_child(die, &child))
        return;
    do {
        int tag = dwarf_tag(&child);
        ptrdiff_t at = 0;
        while (tag == DW_TAG_inlined_subroutine &&
               (at = dwarf_ranges(&child, at, &base, &lo, &hi)) > 0)
            EZ_PUSH(&b->inlined, ((struct dwarf_range){ lo, hi, 0 }));
        if (tag == DW_TAG_lexical_block)
            dwarfline_body_find_inlined(b, &child, depth + 1);
    } while (!dwarf_siblingof(&child, &child));
}

static bool dwarfline_body_is_inlined(const struct body *b, uint64_t at)
{
    for (size_t i = 0; i < b->inlined.n; i++)
        if (at >= b->inlined.at[i].lo && at < b->inlined.at[i].hi)
            return true;
    return false;
}

static void dwarfline_body_row(struct body *b, Dwarf_Line *row)
{
    Dwarf_Addr at;
    int line, col = 0;
    bool end = false;
    const char *file = dwarf_linesrc(row, NULL, NULL);
    if (dwarf_lineendsequence(row, &end) || end || dwarf_lineaddr(row, &at) || at < b->lo ||
        at >= b->hi || dwarf_lineno(row, &line) || !line || !file)
        return;
    dwarf_linecol(row, &col);
    if (!b->file) {
        b->file = file;
        b->begin = line;
        b->begin_col = col;
    }
    if (strcmp(file, b->file) || dwarfline_body_is_inlined(b, at))
        return;
    b->last = line;
    b->last_col = col;
    if (line < b->end)
        return;
    if (line > b->end)
        b->end_col = 0;
    b->end = line;
    /* No code follows the closing brace on its line, so the largest column is that of the brace. */
    b->end_col = EZ_MAX(b->end_col, col);
}

static void dwarfline_body_rows(struct body *b, Dwarf_Lines *rows, size_t n)
{
    size_t i = dwarfline_find(rows, n, b->lo ? b->lo - 1 : 0);
    for (i = i < n ? i + 1 : 0; i < n && dwarfline_addr(rows, i) < b->hi; i++)
        dwarfline_body_row(b, dwarf_onesrcline(rows, i));
}

static bool dwarfline_is_optimized(Dwarf_Die *unit)
{
    Dwarf_Attribute by;
    const char *producer = dwarf_attr(unit, DW_AT_producer, &by) ? dwarf_formstring(&by) : NULL;
    for (; producer && (producer = strstr(producer, " -O")); producer++)
        if (producer[3] != '0')
            return true;
    return false;
}

static void dwarfline_body_rows(struct body *b, Dwarf_Lines *rows, size_t n);

/* Corrects the end line of a Fortran procedure. gfortran has no row for the END of a procedure that
 * contains others (CONTAINS); the END follows the last inner procedure. If the procedure uses a
 * COMMON block of a module, its rows contain one of the module's end; so in unoptimized code the
 * last row, not the largest line, is the END. */
static void dwarfline_body_fortran(struct body *b, Dwarf_Die *function, Dwarf_Die *unit,
                                   Dwarf_Lines *rows, size_t n)
{
    Dwarf_Die die;
    int behind = 0, line = 0;
    if (!dwarfline_is_optimized(unit) && b->last) {
        b->end = b->last;
        b->end_col = b->last_col;
    }
    if (dwarf_child(function, &die))
        return;
    do {
        struct body inner = { .file = NULL };
        Dwarf_Addr base;
        if (dwarf_tag(&die) != DW_TAG_subprogram)
            continue;
        if (dwarf_ranges(&die, 0, &base, &inner.lo, &inner.hi) > 0) {
            dwarfline_body_rows(&inner, rows, n);
            dwarfline_body_fortran(&inner, &die, unit, rows, n);
        }
        /* An inner procedure that is never called has no code. */
        if (!inner.end && !dwarf_decl_line(&die, &line))
            inner.end = line + 1;
        behind = EZ_MAX(behind, inner.end + 1);
        EZ_VEC_FREE(&inner.inlined);
    } while (!dwarf_siblingof(&die, &die));
    b->end = EZ_MAX(b->end, behind);
}

/* Returns the source file as given to the compiler, or NULL if the function is in a header. */
static const char *dwarfline_body_file(const struct body *b, Dwarf_Die *unit)
{
    const char *name = dwarf_diename(unit);
    return b->file && name && !strcmp(ez_base_name(b->file), ez_base_name(name)) ? name : NULL;
}

/* Returns the variable of `result(NAME)`: gfortran describes it as a variable with the function's
 * type, on the line of the FUNCTION statement. If the source has no result(), the variable is
 * marked as artificial, and is not returned. */
static const char *dwarfline_body_result(Dwarf_Die *function)
{
    int line = 0, at;
    Dwarf_Die die, type, of;
    if (dwarf_answer_language(function) != DWARF_FN_FORTRAN ||
        !dwarfread_type_of(function, &type) || dwarf_decl_line(function, &line) ||
        dwarf_child(function, &die))
        return NULL;
    do
        if (dwarf_tag(&die) == DW_TAG_variable && !dwarf_hasattr(&die, DW_AT_artificial) &&
            !dwarf_decl_line(&die, &at) && at == line && dwarfread_type_of(&die, &of) &&
            of.addr == type.addr)
            return dwarf_diename(&die);
    while (!dwarf_siblingof(&die, &die));
    return NULL;
}

/* Emits file, name, language, the end of the code, lines and columns, and the result's name. */
void dwarfline_emit_body(struct dwarf_file *f, struct dwarf_answer *a, uint64_t vaddr)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, vaddr);
    struct dwarf_entry *e = u ? dwarfindex_function_at(u, vaddr) : NULL;
    struct body b = { .lo = vaddr };
    Dwarf_Lines *rows;
    Dwarf_Addr base, lo, hi;
    ptrdiff_t at = 0;
    size_t n = 0;
    if (!e)
        return;
    while ((at = dwarf_ranges(&e->die, at, &base, &lo, &hi)) > 0)
        if (vaddr >= lo && vaddr < hi)
            b.hi = hi;
    dwarfline_body_find_inlined(&b, &e->die, 0);
    if (!dwarf_getsrclines(&u->die, &rows, &n) && n)
        dwarfline_body_rows(&b, rows, n);
    if (dwarf_answer_language(&e->die) == DWARF_FN_FORTRAN && b.file)
        dwarfline_body_fortran(&b, &e->die, &u->die, rows, n);
    /* Functions that the compiler generates (initializers, implicit destructors) are artificial,
     * and no routines of the source file. Lambdas are artificial, too, but are routines. */
    bool made =
        dwarfread_number(&e->die, DW_AT_artificial, 0) && e->name && strcmp(e->name, "operator()");
    EZ_FREE char *name = ez_sprintf("%s%s", made ? "" : e->within, made || !e->name ? "" : e->name);
    const int number[] = { b.begin, b.begin_col, b.end, b.end_col };
    dwarf_answer_text(a, dwarfline_body_file(&b, &u->die));
    dwarf_answer_text(a, name);
    dwarf_answer_number(a, dwarf_answer_language(&e->die));
    dwarf_answer_number(a, b.hi);
    for (size_t i = 0; i < EZ_ARRAY_LEN(number); i++)
        dwarf_answer_number(a, (uint64_t)number[i]);
    dwarf_answer_text(a, dwarfline_body_result(&e->die));
    EZ_VEC_FREE(&b.inlined);
}

/* ---- how a unit was compiled ----------------------------------------------------------------- */

/* Returns a string of the unit, such as its folder, which only the skeleton of a split unit may
 * have. */
static const char *dwarfline_text(struct dwarf_unit *u, unsigned name)
{
    Dwarf_Attribute by;
    Dwarf_Die die = u->die;
    if (!dwarf_hasattr(&die, name) && u->skeleton.addr)
        die = u->skeleton;
    const char *text = dwarf_attr(&die, name, &by) ? dwarf_formstring(&by) : NULL;
    return text ? text : "";
}

/* Returns gdb's name of the language. */
static const char *dwarfline_language(Dwarf_Die *unit)
{
    static const struct {
        int lang;
        const char *name;
    } known[] = {
        { DW_LANG_C89, "c" },
        { DW_LANG_C, "c" },
        { DW_LANG_C99, "c" },
        { DW_LANG_C11, "c" },
        { DW_LANG_C_plus_plus, "c++" },
        { DW_LANG_C_plus_plus_03, "c++" },
        { DW_LANG_C_plus_plus_11, "c++" },
        { DW_LANG_C_plus_plus_14, "c++" },
        { DW_LANG_Fortran77, "fortran" },
        { DW_LANG_Fortran90, "fortran" },
        { DW_LANG_Fortran95, "fortran" },
        { DW_LANG_Fortran03, "fortran" },
        { DW_LANG_Fortran08, "fortran" },
        { DW_LANG_Mips_Assembler, "asm" },
        { DW_LANG_D, "d" },
        { DW_LANG_Go, "go" },
        { DW_LANG_Rust, "rust" },
        { DW_LANG_Ada83, "ada" },
        { DW_LANG_Ada95, "ada" },
        { DW_LANG_ObjC, "objective-c" },
        { DW_LANG_Pascal83, "pascal" },
        { DW_LANG_Modula2, "modula-2" },
    };
    int lang = dwarf_srclang(unit);
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++)
        if (known[i].lang == lang)
            return known[i].name;
    return "";
}

void dwarfline_emit_unit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    Dwarf_Half version = 0;
    if (!u || !dwarf_cu_die(u->die.cu, &(Dwarf_Die){ .addr = NULL }, &version, NULL, NULL, NULL,
                            NULL, NULL))
        return;
    dwarf_answer_text(a, dwarfline_text(u, DW_AT_name));
    dwarf_answer_text(a, dwarfline_text(u, DW_AT_comp_dir));
    dwarf_answer_text(a, dwarfline_language(&u->die));
    dwarf_answer_text(a, dwarfline_text(u, DW_AT_producer));
    dwarf_answer_number(a, version);
    dwarf_answer_number(a, dwarf_hasattr(&u->die, DW_AT_macros) ||
                               dwarf_hasattr(&u->die, DW_AT_GNU_macros) ||
                               dwarf_hasattr(&u->die, DW_AT_macro_info));
}

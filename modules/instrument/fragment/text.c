/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - writes the text of fragments (fragment.h, modules/ezt_fragment.h).
 *
 * A unit is a text that is compiled separately: it has the routines of one language for which the
 * same code of rules comes first. A line directive precedes each line of a specification's code, so
 * that a compiler's messages name the specification; directives with the file name "<eztsh>" mark
 * generated code. Functions are named by their rows: ez_fragment_7.
 * Tests: tests/procs/spec.sh */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "modules/ezt_fragment.h"
#include "modules/instrument/fragment/fragment.h"

static void text_add(ez_fragment_bytes *to, const char *fmt, ...) EZ_PRINTF(2, 3);
static void text_add(ez_fragment_bytes *to, const char *fmt, ...)
{
    char *s = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    for (int i = 0; i < n; i++)
        EZ_PUSH(to, s[i]);
    free(s);
}

/* ---- pieces of the specification ------------------------------------------------------------------ */

char *ez_fragment_placed(const struct ez_fragment_routine *r, const struct ez_spec_clause *c,
                         const struct ez_spec_site *site)
{
    EZ_FREE char *code = ez_spec_expand(c, site);
    return ez_spec_placed(c, code, r->r.lang == EZ_SPEC_FORTRAN ? "# " : "#line ", "\"");
}

static void text_code(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r, enum ez_spec_point p,
                      struct ez_spec_site *site)
{
    for (size_t k = 0; (k = ez_spec_next(f->spec, k, p, site)) != SIZE_MAX; k++) {
        const struct ez_spec_clause *c = &f->spec->clauses.at[k];
        if (f->clause.at[k].why)
            continue;
        EZ_FREE char *placed = ez_fragment_placed(r, c, site);
        EZ_FREE char *bound = p == EZ_SPEC_FILE ? NULL : ez_fragment_bind(f, r, placed, true);
        text_add(to, "%s\n", bound ? bound : placed);
    }
}

void ez_fragment_code(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r, enum ez_spec_point p)
{
    struct ez_spec_site site = ez_fragment_site(r, p);
    if (p != EZ_SPEC_INIT || r->is_main)
        text_code(f, to, r, p, &site);
}

/* Returns true if the n characters of text contain the name as a whole word. */
static bool text_names(const char *text, size_t n, const char *name)
{
    const size_t len = strlen(name);
    for (const char *at = text; (at = memmem(at, n - (size_t)(at - text), name, len)); at += len) {
        const char before = at > text ? at[-1] : ' ', after = at[len];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_')
            return true;
    }
    return false;
}

/* ---- C and C++ -------------------------------------------------------------------------------------- */

static void text_params(ez_fragment_bytes *to, const struct ez_fragment_routine *r,
                        const char *code, size_t n)
{
    for (size_t i = 0; i < r->nparams; i++)
        if (text_names(code, n, r->param[i].name))
            text_add(to, "    %s; (void)%s;\n", r->param[i].declaration, r->param[i].name);
    if (r->is_main && text_names(code, n, "ez_argc"))
        text_add(to, "    int ez_argc = (int)ez_argument(ez, 0); (void)ez_argc;\n");
    if (r->is_main && text_names(code, n, "ez_argv"))
        text_add(to, "    char **ez_argv = (char **)ez_argument(ez, 1); (void)ez_argv;\n");
}

/* Writes a check of the structs to which parameters point. The specification may define such a
 * struct, and must give it the size that it has in the program. An error has the line of the first
 * clause. */
static void text_pointed(ez_fragment_bytes *to, const struct ez_fragment_routine *r,
                         const char *code, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < r->nparams; i++) {
        const struct ez_fragment_param *p = &r->param[i];
        if (!p->tag || !text_names(code, n, p->name))
            continue;
        EZ_FREE char *check = ez_fragment_same_tag(p->tag, p->size, (unsigned)i);
        EZ_FREE char *line = ez_sprintf("%.*s\n", (int)strcspn(code, "\n"), code);
        text_add(to, "%s%s", strncmp(line, "#line ", 6) ? "" : line, check);
        any = true;
    }
    if (any)
        text_add(to, "#line 1 \"<eztsh>\"\n");
}

static void text_result(ez_fragment_bytes *to, const struct ez_fragment_routine *r)
{
    text_add(to, "#undef ez_ret\n");
    if (r->result && *r->result)
        text_add(to, "#define ez_ret() %s\n", r->result);
    else if (!r->known)
        text_add(to, "#define ez_ret() ez_result(ez)\n");
}

/* Writes the code that runs between entry and exit: at places and at `abort`. */
static void text_inside(struct ez_fragments *f, ez_fragment_bytes *to,
                        const struct ez_fragment_routine *r)
{
    if (!r->place.n) {
        text_add(to, "#line 1 \"<eztsh>\"\n    while (ez_suspend(&ez) == EZT_ABORT) {\n");
        ez_fragment_code(f, to, r, EZ_SPEC_ABORT);
        text_add(to, "#line 1 \"<eztsh>\"\n    }\n");
        return;
    }
    text_add(to, "#line 1 \"<eztsh>\"\n    for (;;) {\n        const uint64_t ez_phase = "
                 "ez_suspend(&ez);\n        if (ez_phase == EZT_ABORT) {\n");
    ez_fragment_code(f, to, r, EZ_SPEC_ABORT);
    for (unsigned i = 0; i < 2 * r->place.n; i++) {
        const struct ez_fragment_place *p = &r->place.at[i / 2];
        const char *code = i % 2 ? p->behind : p->before;
        if (code)
            text_add(to,
                     "#line 1 \"<eztsh>\"\n        } else if (ez_phase == EZT_PLACE + %u) {\n%s", i,
                     code);
    }
    text_add(to, "#line 1 \"<eztsh>\"\n        } else {\n            break;\n        }\n    }\n");
}

/* Writes the code of `exit`. If it uses @LINE@ and the routine has several returns, writes it once
 * for each line, selected by the line that the activation has stored (place.c). */
static void text_exit(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r)
{
    struct ez_spec_site site = ez_fragment_site(r, EZ_SPEC_EXIT);
    bool several = false;
    for (size_t i = 0; i < r->nrets; i++) {
        bool known = !r->ret[i].at;
        for (size_t k = 0; k < i; k++)
            known |= r->ret[k].at && r->ret[k].line == r->ret[i].line;
        if (known)
            continue;
        site.line = r->ret[i].line;
        text_add(to, "#line 1 \"<eztsh>\"\n    if (ez->line == %u) {\n", site.line);
        text_code(f, to, r, EZ_SPEC_EXIT, &site);
        text_add(to, "#line 1 \"<eztsh>\"\n    } else\n");
        several = true;
    }
    text_add(to, several ? "    {\n" : "");
    ez_fragment_code(f, to, r, EZ_SPEC_EXIT);
    text_add(to, several ? "#line 1 \"<eztsh>\"\n    }\n" : "");
}

static void text_c(struct ez_fragments *f, struct ez_fragment_unit *u,
                   const struct ez_fragment_routine *r)
{
    ez_fragment_bytes before = { 0 }, behind = { 0 }, all = { 0 };
    ez_fragment_code(f, &before, r, EZ_SPEC_DECL);
    ez_fragment_code(f, &before, r, EZ_SPEC_INIT);
    ez_fragment_code(f, &before, r, EZ_SPEC_ENTRY);
    if (r->suspends) {
        text_inside(f, &behind, r);
        text_exit(f, &behind, r);
    }
    text_add(&all, "%.*s%.*s", (int)before.n, before.n ? before.at : "", (int)behind.n,
             behind.n ? behind.at : "");
    text_result(&u->text, r);
    text_add(&u->text, "#line 1 \"<eztsh>\"\nEZT_FRAGMENT(%u)\n{\n", r->row);
    text_params(&u->text, r, all.n ? all.at : "", all.n);
    if (all.n)
        text_pointed(&u->text, r, all.at, all.n);
    if (r->is_main && f->init)
        text_add(&u->text, "    ez_fragment_inited = 1;\n");
    text_add(&u->text, "%.*s", (int)all.n, all.n ? all.at : "");
    text_add(&u->text, "#line 1 \"<eztsh>\"\n    (void)ez;\n}\n");
    EZ_VEC_FREE(&before);
    EZ_VEC_FREE(&behind);
    EZ_VEC_FREE(&all);
}

/* Writes the code of `init` as a separate function, for processes in which main has begun
 * already. */
static void text_init(struct ez_fragments *f, struct ez_fragment_unit *u,
                      const struct ez_fragment_routine *r)
{
    text_add(&u->text, "#line 1 \"<eztsh>\"\nEZT_EXPORTED void ez_fragment_init(int ez_argc, char "
                       "**ez_argv)\n{\n    (void)ez_argc, (void)ez_argv;\n    if "
                       "(ez_fragment_inited++)\n        return;\n");
    ez_fragment_code(f, &u->text, r, EZ_SPEC_DECL);
    ez_fragment_code(f, &u->text, r, EZ_SPEC_INIT);
    text_add(&u->text, "#line 1 \"<eztsh>\"\n}\n");
}

/* ---- Fortran ------------------------------------------------------------------------------------------ */

/* Converts Fortran code to lower case, and blanks the contents of literals, also of the file names
 * in line markers. */
static void text_plain(ez_fragment_bytes *code)
{
    char quote = 0;
    for (size_t i = 0; i < code->n; i++) {
        const char c = code->at[i];
        const bool in = quote != 0;
        if (c == '\n' || (in && c == quote))
            quote = 0;
        else if (!in && (c == '\'' || c == '"'))
            quote = c;
        code->at[i] = in && c != '\n' ? ' ' : (char)tolower((unsigned char)c);
    }
    EZ_PUSH(code, 0);
}

/* Returns an argument, or the result, or another variable that the code names. */
static const struct ez_fragment_param *text_param(const struct ez_fragment_routine *r, size_t i)
{
    return i < r->nparams ? &r->param[i] : &r->outer.at[i - r->nparams];
}

/* Finds out which of these parameters the code names, without regard to case. Returns an array with
 * an element for each; the caller frees it. */
static bool *text_used(struct ez_fragments *f, const struct ez_fragment_routine *r)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_DECL, EZ_SPEC_INIT, EZ_SPEC_ENTRY,
                                                 EZ_SPEC_ABORT, EZ_SPEC_EXIT };
    ez_fragment_bytes code = { 0 };
    bool *used = ez_alloc((r->nparams + r->outer.n + 1) * sizeof *used);
    for (size_t i = 0; i < EZ_ARRAY_LEN(points); i++)
        ez_fragment_code(f, &code, r, points[i]);
    for (size_t i = 0; i < r->place.n; i++)
        text_add(&code, "%s%s", r->place.at[i].before ? r->place.at[i].before : "",
                 r->place.at[i].behind ? r->place.at[i].behind : "");
    text_plain(&code);
    for (size_t i = 0; i < r->nparams + r->outer.n; i++)
        used[i] = i >= r->nparams ||
                  (r->param[i].fortran && text_names(code.at, code.n - 1, r->param[i].name));
    EZ_VEC_FREE(&code);
    return used;
}

/* Writes C functions, in the unit with the table, that return addresses for the Fortran code: of
 * arguments from registers, of variables from symbols. */
static void text_places(ez_fragment_bytes *table, ez_fragment_bytes *to,
                        const struct ez_fragment_routine *r, const bool *used)
{
    for (size_t i = 0; i < r->nparams + r->outer.n; i++) {
        const struct ez_fragment_param *p = text_param(r, i);
        if (!used[i] || !p->declaration)
            continue;
        if (i >= r->nparams)
            text_add(table, "extern char ez_outer_%u_%zu[] __asm__(\"%s\");\n", r->row, i,
                     p->declaration);
        EZ_FREE char *outer = ez_sprintf("ez_outer_%u_%zu", r->row, i);
        text_add(table,
                 "const void *ez_place_%u_%zu(const struct ezt_activation *ez)\n{\n    (void)ez;\n "
                 "   return (const void *)(%s);\n}\n",
                 r->row, i, i < r->nparams ? p->declaration : outer);
        text_add(to,
                 "function ez_place_%u_%zu(ez) bind(c)\nimport :: c_ptr\ntype(c_ptr), value :: "
                 "ez\ntype(c_ptr) :: ez_place_%u_%zu\nend function\n",
                 r->row, i, r->row, i);
    }
}

static void text_point_to(ez_fragment_bytes *to, const struct ez_fragment_routine *r,
                          const bool *used, bool result)
{
    for (size_t i = 0; i < r->nparams + r->outer.n; i++) {
        const struct ez_fragment_param *p = text_param(r, i);
        if (!used[i] || !p->declaration || p->result != result)
            continue;
        text_add(to, "call ez_point(ez_place_%u_%zu(ez), %s%s)\n", r->row, i, p->name,
                 p->shape ? p->shape : "");
        if (p->bounds)
            text_add(to, "%s%s => %s\n", p->name, p->bounds, p->name);
    }
}

static void text_inside_fortran(struct ez_fragments *f, ez_fragment_bytes *to,
                                const struct ez_fragment_routine *r)
{
    if (!r->place.n) {
        text_add(to, "do while (ez_fragment_wait(ez) == 2)\n");
        ez_fragment_code(f, to, r, EZ_SPEC_ABORT);
        text_add(to, "end do\n");
        return;
    }
    text_add(to, "do\nez_phase = ez_fragment_wait(ez)\nif (ez_phase == 2) then\n");
    ez_fragment_code(f, to, r, EZ_SPEC_ABORT);
    for (unsigned i = 0; i < 2 * r->place.n; i++) {
        const struct ez_fragment_place *p = &r->place.at[i / 2];
        const char *code = i % 2 ? p->behind : p->before;
        if (code)
            text_add(to, "else if (ez_phase == %u) then\n%s", EZT_PLACE + i, code);
    }
    text_add(to, "else\nexit\nend if\nend do\n");
}

static void text_fortran(struct ez_fragments *f, ez_fragment_bytes *table,
                         struct ez_fragment_unit *u, const struct ez_fragment_routine *r)
{
    EZ_FREE bool *used = text_used(f, r);
    text_add(&u->text,
             "# 1 \"<eztsh>\"\nsubroutine ez_fragment_%u(ez) bind(c)\n"
             "use, intrinsic :: iso_c_binding, only: c_ptr, c_int, ez_point => c_f_pointer\n"
             "implicit none\n"
             "type(c_ptr), value :: ez\n"
             "interface\n"
             "function ez_fragment_wait(ez) bind(c)\n"
             "import :: c_ptr, c_int\n"
             "type(c_ptr) :: ez\n"
             "integer(c_int) :: ez_fragment_wait\n"
             "end function\n",
             r->row);
    text_places(table, &u->text, r, used);
    text_add(&u->text, "end interface\n");
    for (size_t i = 0; i < r->nparams + r->outer.n; i++)
        if (used[i])
            text_add(&u->text, "%s\n", text_param(r, i)->fortran);
    if (r->place.n)
        text_add(&u->text, "integer(c_int) :: ez_phase\n");
    ez_fragment_code(f, &u->text, r, EZ_SPEC_DECL);
    text_point_to(&u->text, r, used, false);
    ez_fragment_code(f, &u->text, r, EZ_SPEC_INIT);
    ez_fragment_code(f, &u->text, r, EZ_SPEC_ENTRY);
    if (r->suspends) {
        text_inside_fortran(f, &u->text, r);
        text_point_to(&u->text, r, used, true);
        ez_fragment_code(f, &u->text, r, EZ_SPEC_EXIT);
    }
    text_add(&u->text, "end subroutine\n");
}

/* ---- units ---------------------------------------------------------------------------------------------- */

/* Returns the code of rules that comes first in the unit of a routine. The result is empty for
 * Fortran, where such code is not a declaration. */
static char *text_head(struct ez_fragments *f, const struct ez_fragment_routine *r)
{
    ez_fragment_bytes head = { 0 };
    if (r->r.lang != EZ_SPEC_FORTRAN)
        ez_fragment_code(f, &head, r, EZ_SPEC_FILE);
    EZ_PUSH(&head, 0);
    EZ_FREE char *text = head.at;
    return ez_fragment_bind(f, r, text, false);
}

static struct ez_fragment_unit *text_unit(struct ez_fragments *f, struct ez_fragment_texts *t,
                                          const struct ez_fragment_routine *r)
{
    EZ_FREE char *head = text_head(f, r);
    for (size_t i = 0; i < t->unit.n; i++)
        if (t->unit.at[i].lang == r->r.lang && !strcmp(t->unit.at[i].head, head))
            return &t->unit.at[i];
    struct ez_fragment_unit u = { .lang = r->r.lang, .head = ez_strdup(head) };
    if (r->r.lang != EZ_SPEC_FORTRAN)
        text_add(&u.text, "#include \"ezt_suspend.h\"\n%s", head);
    EZ_PUSH(&t->unit, u);
    return &t->unit.at[t->unit.n - 1];
}

/* Returns the length of the name at p, 0 if no name begins at p. *skip: number of characters up to
 * the next place where a name may begin. */
static size_t text_name(const char *p, size_t *skip)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    *skip = n ? n : 1;
    return isdigit((unsigned char)*p) ? 0 : n;
}

/* Adds the names that the program defines, but may not export. Those that the object needs become
 * weak (weak.c), and the engine binds them. The names are part of the text, because the object
 * depends on them. */
static void text_own(struct ez_fragments *f, struct ez_fragment_unit *u)
{
    struct ez_hash seen = { 0 };
    for (size_t i = 0, n = u->text.n, skip; i < n; i += skip) {
        EZ_PUSH(&u->text, 0); /* ends the text with a zero; the vector may move */
        u->text.n--;
        const size_t len = text_name(u->text.at + i, &skip);
        EZ_FREE char *name = ez_strndup(u->text.at + i, len);
        const uint64_t key = ez_hash_key(EZ_HASH_SEED, name);
        if (!len || ez_hash_put(&seen, key, i) != i || !strncmp(name, "ez_", 3) || !f->is_own ||
            !f->is_own(name, f->arg))
            continue;
        ez_hash_put(&f->own, key, 1);
        text_add(&u->text, "\n%s %s\n", u->lang == EZ_SPEC_FORTRAN ? "!" : "//", name);
    }
    ez_hash_free(&seen);
}

/* Returns when the code of a place runs: EZT_BEFORE, ... */
static int text_when(const struct ez_fragment_routine *r, const struct ez_fragment_at *at)
{
    if (at->call == EZ_FRAGMENT_NO_CALL)
        return EZT_THERE;
    const struct ez_fragment_place *p = &r->place.at[at->number];
    const int behind = r->r.lang == EZ_SPEC_CXX ? EZT_BEHIND | EZT_LEAVES : EZT_BEHIND;
    return (p->before ? EZT_BEFORE : 0) | (p->behind ? behind : 0);
}

static void text_places_of(struct ez_fragment_unit *u, const struct ez_fragment_routine *r)
{
    text_add(&u->text, "static const struct ezt_place ez_places_%u[] = {\n", r->row);
    for (size_t i = 0; i < r->at.n; i++)
        text_add(&u->text, "    { %lld, %u, %d },\n", (long long)r->at.at[i].at, r->at.at[i].number,
                 text_when(r, &r->at.at[i]));
    text_add(&u->text, "};\n");
}

static void text_table(struct ez_fragments *f, struct ez_fragment_unit *u)
{
    text_add(&u->text,
             "#line 1 \"<eztsh>\"\n#include <errno.h>\nstatic int *ez_errno_at(void)\n{\n    "
             "return &errno;\n}\nint ez_fragment_inited;\nuint32_t "
             "ez_fragment_wait(struct ezt_activation **ez)\n{\n    return "
             "(uint32_t)ez_suspend(ez);\n}\n");
    for (unsigned i = 0; i < f->rows; i++)
        text_add(&u->text, "void ez_fragment_%u(struct ezt_activation *);\n", i);
    for (size_t i = 0; i < f->n; i++)
        if (f->routine[i].applies && f->routine[i].at.n)
            text_places_of(u, &f->routine[i]);
    text_add(&u->text, "EZT_EXPORTED struct ezt_fragment ez_fragments[] = {\n");
    for (size_t i = 0; i < f->n; i++) {
        const struct ez_fragment_routine *r = &f->routine[i];
        EZ_FREE char *places =
            r->at.n ? ez_sprintf("ez_places_%u, %zu", r->row, r->at.n) : ez_strdup("0, 0");
        if (r->applies)
            text_add(&u->text, "    { ez_fragment_%u, ez_errno_at, 0, 0, 0, 0, { 0 }, %s },\n",
                     r->row, places);
    }
    text_add(&u->text, "};\nEZT_EXPORTED uint32_t ez_fragments_n = %u;\n", f->rows);
}

/* Numbers the rows of the table again, because routines may have been excluded. */
static void text_number(struct ez_fragments *f)
{
    f->rows = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->routine[i].applies)
            f->routine[i].row = f->rows++;
}

void ez_fragment_write(struct ez_fragments *f, struct ez_fragment_texts *out)
{
    text_number(f);
    struct ez_fragment_unit table = { .lang = EZ_SPEC_C, .head = ez_strdup("") };
    text_add(&table.text, "#include \"ezt_suspend.h\"\nstatic const uint64_t ez_nothing[2] "
                          "__attribute__((unused));\n");
    EZ_PUSH(&out->unit, table);
    for (size_t i = 0; i < f->n; i++) {
        const struct ez_fragment_routine *r = &f->routine[i];
        struct ez_fragment_unit *u = r->applies ? text_unit(f, out, r) : NULL;
        if (u && r->r.lang == EZ_SPEC_FORTRAN)
            text_fortran(f, &out->unit.at[0].text, u, r);
        else if (u)
            text_c(f, u, r);
        if (u && r->is_main && f->init && r->r.lang != EZ_SPEC_FORTRAN)
            text_init(f, u, r);
    }
    for (size_t i = 0; i < out->unit.n; i++)
        text_own(f, &out->unit.at[i]);
    text_table(f, &out->unit.at[0]);
}

void ez_fragment_texts_free(struct ez_fragment_texts *t)
{
    for (size_t i = 0; i < t->unit.n; i++) {
        free(t->unit.at[i].head);
        EZ_VEC_FREE(&t->unit.at[i].text);
    }
    EZ_VEC_FREE(&t->unit);
}

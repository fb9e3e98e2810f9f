/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bind.c - declarations of the program's static variables and functions in fragments (fragment.h).
 *
 * In source code, `static int level;` before the program's own definition declares that variable.
 * In a separate object it would define another variable. So a declaration of what the routine's
 * file defines becomes `extern`, with a symbol that contains its address. The engine binds the
 * symbol (engine/plugin/import.c).
 *
 * In source code the compiler sees both declarations, and refuses different types. So the program's
 * own declaration is written behind that of the specification, in the same line. If only a size is
 * known, the size is compared.
 * Tests: tests/procs/spec.sh, tests/source/types.sh */
#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/ezt_fragment.h"
#include "modules/instrument/fragment/fragment.h"
#include "modules/instrument/spec/declare.h"

#define BIND_SAYS "eztsh: " /* prefix of error messages that eztsh makes the compiler print */

struct bind {
    struct ez_fragments *f;
    const char *file; /* file of the routine that gets the code */
    bool cxx;
    bool block;      /* the code is inside a function, so functions cannot be defined there */
    unsigned checks; /* number of functions and types made for checks */
};

char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr)
{
    char *label = ez_sprintf(EZT_FRAGMENT_STATIC "%llx", (unsigned long long)vaddr);
    ez_hash_put(&f->own, ez_hash_key(EZ_HASH_SEED, label), 1);
    return label;
}

/* ---- comparison of types --------------------------------------------------------------------- */

/* Returns where the declaration names the function: no '(' follows a type of the same name. */
static const char *bind_name(const char *declaration, const char *name)
{
    const size_t n = strlen(name);
    const char *at = declaration;
    while (
        (at = strstr(at, name)) &&
        (at[n] != '(' || (at > declaration && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))))
        at++;
    return at;
}

/* Returns code that makes the compiler print `text` as an error in the specification's line, unless
 * the condition is true after optimization. The code uses no macro, because an error inside of a
 * macro names the file that defines the macro. The caller frees. */
static char *bind_assert(struct bind *b, const char *condition, const char *text)
{
    const unsigned n = b->checks++;
    EZ_FREE char *in =
        b->block ? ez_strdup("")
                 : ez_sprintf("static __attribute__((__used__)) void ez_check_%u(void) ", n);
    return ez_sprintf(" %s{ extern __attribute__((__error__(\"" BIND_SAYS
                      "%s\"))) void ez_wrong_%s%u(void); if "
                      "(!(%s)) ez_wrong_%s%u(); }",
                      in, text, b->block ? "in_" : "", n, condition, b->block ? "in_" : "", n);
}

/* Returns code that compares function types in C++, where a function with other parameters is
 * another function. The types get names of their own. how: "same"; or "agree", if other parameters
 * are allowed because they mean another function. */
static char *bind_same_function(struct bind *b, const struct ez_declaration *d,
                                const struct ez_fragment_static *is, const char *how)
{
    const size_t len = strlen(d->name);
    const char *own = bind_name(is->declaration, d->name);
    if (!own)
        return ez_strdup("");
    const unsigned n = b->checks;
    EZ_FREE char *text = ez_sprintf("the program has: %s", is->declaration);
    EZ_FREE char *same =
        ez_sprintf("ez_%s<__typeof__(ez_said_%u), __typeof__(ez_own_%u)>::is", how, n, n);
    EZ_FREE char *check = bind_assert(b, same, text);
    return ez_sprintf(" extern%s %.*sez_said_%u%s; extern %.*sez_own_%u%s;%s", d->specifiers,
                      (int)d->at, d->before, n, d->before + d->at + len,
                      (int)(own - is->declaration), is->declaration, n, own + len, check);
}

/* Returns code that compares the variable's size with that in the program. An incomplete type has
 * no size, so it is not compared. */
static char *bind_same_size(struct bind *b, const struct ez_declaration *d,
                            const struct ez_fragment_static *is)
{
    const unsigned long size = is->size;
    EZ_FREE char *said =
        ez_sprintf("__builtin_object_size((const void *)%s%s%s, 0)",
                   b->cxx ? "__builtin_addressof(" : "&", d->name, b->cxx ? ")" : "");
    EZ_FREE char *same = ez_sprintf("%s == -1ul || %s == %luul", said, said, size);
    EZ_FREE char *text =
        ez_sprintf("the program's %s has %lu byte%s", d->name, size, ez_plural(size));
    return bind_assert(b, same, text);
}

static char *bind_whole(const char *tag, uint64_t size, const char *name, char **same)
{
    EZ_FREE char *said = ez_sprintf("__builtin_object_size((const void *)&%s, 0)", name);
    *same = ez_sprintf("%s == -1ul || %s == %luul", said, said, (unsigned long)size);
    return ez_sprintf(" extern %s %s;", tag, name);
}

static char *bind_whole_says(const char *tag, uint64_t size)
{
    return ez_sprintf("the program's %s has %lu byte%s", tag, (unsigned long)size, ez_plural(size));
}

/* Returns code that compares the size of the struct to which the variable points with that in the
 * program. A struct of another size is another struct. */
static char *bind_same_pointed(struct bind *b, const struct ez_fragment_static *is)
{
    char *same;
    if (b->cxx) { /* an abstract class cannot be used by value */
        EZ_FREE char *sized =
                         ez_sprintf("ez_sized<%s, %luul>::is", is->tag, (unsigned long)is->pointed),
                     *says = bind_whole_says(is->tag, is->pointed);
        return bind_assert(b, sized, says);
    }
    EZ_FREE char *name = ez_sprintf("ez_whole_%s%u", b->block ? "in_" : "", b->checks),
                 *whole = bind_whole(is->tag, is->pointed, name, &same),
                 *text = bind_whole_says(is->tag, is->pointed), *check = bind_assert(b, same, text);
    free(same);
    return ez_sprintf("%s%s", whole, check);
}

char *ez_fragment_same_tag(const char *tag, uint64_t size, unsigned n)
{
    char *same;
    EZ_FREE char *name = ez_sprintf("ez_whole_at_%u", n),
                 *whole = bind_whole(tag, size, name, &same), *text = bind_whole_says(tag, size),
                 *condition = same;
    return ez_sprintf("    {%s extern __attribute__((__error__(\"" BIND_SAYS
                      "%s\"))) void ez_wrong_at_%u(void); if (!(%s)) ez_wrong_at_%u(); }\n",
                      whole, text, n, condition, n);
}

/* Returns the code that compares a declaration with the program's, to be written behind the
 * declaration. The caller frees it. */
static char *bind_check(struct bind *b, const struct ez_declaration *d,
                        const struct ez_fragment_static *is, bool by_symbol)
{
    if (!is->declaration && d->is_function != is->function && (is->function || is->size)) {
        EZ_FREE char *text =
            ez_sprintf("the program's %s is a %s", d->name, is->function ? "function" : "variable");
        return bind_assert(b, "0", text);
    }
    if (is->declaration && is->function && d->is_function && b->cxx)
        return bind_same_function(b, d, is, by_symbol ? "agree" : "same");
    EZ_FREE char *size = is->size ? bind_same_size(b, d, is) : ez_strdup(""),
                 *pointed = is->tag ? bind_same_pointed(b, is) : ez_strdup("");
    return is->declaration ? ez_sprintf(" extern %s;%s%s", is->declaration, size, pointed)
                           : ez_sprintf("%s%s", size, pointed);
}

char *ez_fragment_plain(const char *error)
{
    const char *call = strstr(error, "call to "), *words = call ? strstr(call, BIND_SAYS) : NULL;
    return words ? ez_sprintf("%.*s%s", (int)(call - error), error, words + strlen(BIND_SAYS))
                 : ez_strdup(error);
}

/* ---- declarations ------------------------------------------------------------------------------------ */

/* Returns true if the innermost namespace has no name. Such a declaration is written outside of
 * the namespace, where the declaration can have an assembler label. */
static bool bind_is_unnamed(const char *within)
{
    const size_t n = strlen(within), len = strlen(EZ_SPEC_UNNAMED);
    return n >= len && !strcmp(within + n - len, EZ_SPEC_UNNAMED);
}

static char *bind_text(struct bind *b, const struct ez_declaration *d, enum ez_fragment_own own,
                       const struct ez_fragment_static *is)
{
    const bool unnamed = bind_is_unnamed(d->within);
    /* true: bound by the plain symbol, because the symbol's name selects one of several functions,
     * or because another file defines the symbol; false: bound by the address */
    const bool by_symbol = own == EZ_FRAGMENT_OTHER ||
                           (own == EZ_FRAGMENT_THERE && is->function && !d->is_static && !unnamed);
    EZ_FREE char *check = bind_check(b, d, is, by_symbol);
    EZ_FREE char *label = by_symbol ? NULL : ez_fragment_label(b->f, is->vaddr);
    EZ_FREE char *place = label ? ez_sprintf(" __asm__(\"%s\")", label) : ez_strdup("");
    return ez_sprintf("%sextern%s %s%s%s;%s%s", unnamed ? "} " : "", d->specifiers, d->before,
                      place, d->behind, check, unnamed ? " namespace {" : "");
}

static bool bind_declare(const struct ez_declaration *d, char **text, char **last, void *arg)
{
    struct bind *b = arg;
    struct ez_fragment_static is = { .vaddr = 0 };
    if (b->block && d->is_static) /* declares a variable of the routine's code, not the program's */
        return false;
    EZ_FREE char *full = ez_sprintf("%s%s", d->within, d->name);
    const bool enums = strstr(d->specifiers, "enum ") != NULL;
    const enum ez_fragment_own own = b->f->own_static(full, b->file, b->cxx, enums, &is, b->f->arg);
    (void)last;
    switch (own) {
    /* Without an address, code that uses the name must not compile, because the name would mean
     * another variable. */
    case EZ_FRAGMENT_NO_PLACE:
        /* A variable without declaration is an error anyway; a function in C is not. */
        if (d->is_function)
            *text =
                ez_sprintf("extern%s %s __attribute__((__error__(\"" BIND_SAYS "the program has no "
                           "code of %s\")))%s;",
                           d->specifiers, d->before, d->name, d->behind);
        return true;
    case EZ_FRAGMENT_OTHER:
        if (d->is_static)
            return false;
        /* fall through */
    case EZ_FRAGMENT_PLAIN:
    case EZ_FRAGMENT_THERE:
        *text = bind_text(b, d, own, &is);
        return true;
    default:
        return false;
    }
}

char *ez_fragment_bind(struct ez_fragments *f, const struct ez_fragment_routine *r,
                       const char *code, bool block)
{
    struct bind b = { .f = f, .file = r->r.file, .cxx = r->r.lang == EZ_SPEC_CXX, .block = block };
    return f->own_static && r->r.lang != EZ_SPEC_FORTRAN
               ? ez_spec_declarations(code, bind_declare, &b, NULL)
               : ez_strdup(code);
}

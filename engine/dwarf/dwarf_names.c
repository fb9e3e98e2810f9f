/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_names.c - finds what a name means in the code of a function (dwarf_read.h).
 *
 * The function's scopes are searched from the innermost outwards: using-directives and
 * using-declarations in the function, its class with the bases, the namespaces around it, the file.
 * A scope is the text before a name ("ns::cls::"). A name with "::" begins in one of the scopes, as
 * in C++. Names of an anonymous or inline namespace are visible in the namespace around it.
 *
 * Tests: tests/procs/scopes.sh */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/dwarf/dwarf_read.h"
#include "engine/sym/sym.h"

/* Maximum processor time to search all units. A name that is not found within this time counts as
 * unknown. */
#define LOOK (CLOCKS_PER_SEC * 3 / 2)
#define MOST_SCOPES 64
#define MOST_IMPORTS 256 /* maximum number of entries searched for using-directives in a function */

/* ---- text ------------------------------------------------------------------------------------ */

/* Returns the length of the scope around a scope of n bytes: for "a::b::", the length of "a::". */
static size_t dwarfnames_around(const char *scope, size_t n)
{
    EZ_FREE char *inner = ez_strndup(scope, n > 2 ? n - 2 : 0);
    return (size_t)(ez_name_last(inner) - inner);
}

/* ---- scopes of a function -------------------------------------------------------------------- */

struct dwarfnames {
    struct dwarf_unit *u;
    Dwarf_Die function;              /* addr NULL: in no function */
    EZ_VEC(char *) scope;            /* innermost first */
    EZ_VEC(const char *) directive;  /* namespaces named by using-directives */
    EZ_VEC(struct dwarf_import) own; /* using-declarations and aliases in the function */
    bool is_fortran;
    EZ_VEC(Dwarf_Die) host; /* the functions in which the function is nested */
};

/* Appends a scope, and the scopes whose names are visible in it, such as the bases of a class. */
static void dwarfnames_push(struct dwarfnames *n, const char *text, size_t len);

/* Appends the bases of the class `text`. */
static void dwarfnames_push_bases(struct dwarfnames *n, const char *text)
{
    for (size_t i = 0; i < n->u->space.n; i++) {
        const struct dwarf_space *s = &n->u->space.at[i], *base;
        Dwarf_Die die = s->die, part, type;
        if (dwarf_tag(&die) == DW_TAG_namespace || strcmp(s->full, text) ||
            dwarf_child(&die, &part))
            continue;
        do
            if (dwarf_tag(&part) == DW_TAG_inheritance && dwarfread_type_of(&part, &type) &&
                !dwarf_peel_type(&type, &type) && (base = dwarfindex_space(n->u, &type)))
                dwarfnames_push(n, base->full, strlen(base->full));
        while (!dwarf_siblingof(&part, &part));
    }
}

static void dwarfnames_push(struct dwarfnames *n, const char *text, size_t len)
{
    for (size_t i = 0; i < n->scope.n; i++)
        if (strlen(n->scope.at[i]) == len && !memcmp(n->scope.at[i], text, len))
            return;
    if (n->scope.n == MOST_SCOPES)
        return;
    char *scope = ez_strndup(text, len);
    EZ_PUSH(&n->scope, scope);
    dwarfnames_push_bases(n, scope);
}

/* Adds the using-directives, using-declarations and aliases of the function's blocks. *left: how
 * many more may be added. */
static void dwarfnames_add_used(struct dwarfnames *n, Dwarf_Die *in, unsigned *left)
{
    Dwarf_Die die, used;
    Dwarf_Attribute a;
    if (dwarf_child(in, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        bool all = tag == DW_TAG_imported_module;
        if (!*left)
            return;
        /* "use m, x => y" of Fortran has the renaming as a child */
        if (tag == DW_TAG_lexical_block || all)
            dwarfnames_add_used(n, &die, left);
        if ((!all && tag != DW_TAG_imported_declaration) || !dwarf_attr(&die, DW_AT_import, &a) ||
            !dwarf_formref_die(&a, &used))
            continue;
        --*left;
        const struct dwarf_space *s = all ? dwarfindex_space(n->u, &used) : NULL;
        const char *name = dwarf_diename(&die) ? dwarf_diename(&die) : dwarf_diename(&used);
        if (s)
            EZ_PUSH(&n->directive, s->full);
        else if (!all && name)
            EZ_PUSH(&n->own, ((struct dwarf_import){ "", name, used }));
    } while (!dwarf_siblingof(&die, &die));
}

/* Appends a scope that contains the function, and the namespaces whose names become visible in it.
 * A using-directive makes the names of a namespace visible in the nearest scope that contains both
 * the directive and that namespace. */
static void dwarfnames_push_around(struct dwarfnames *n, const char *text, size_t len)
{
    dwarfnames_push(n, text, len);
    for (size_t i = 0; i < n->u->import.n; i++) {
        const struct dwarf_import *by = &n->u->import.at[i];
        const struct dwarf_space *s = by->name ? NULL : dwarfindex_space(n->u, &by->die);
        if (s && strlen(by->in) == len && !memcmp(by->in, text, len))
            EZ_PUSH(&n->directive, s->full);
    }
    for (size_t i = 0; i < n->directive.n; i++)
        if (!strncmp(n->directive.at[i], text, len))
            dwarfnames_push(n, n->directive.at[i], strlen(n->directive.at[i]));
}

/* Returns the scope that contains a function of the unit: "ns::cls::" or "". */
static const char *dwarfnames_home(const struct dwarf_unit *u, const Dwarf_Die *function)
{
    const struct dwarf_entry *e = dwarfindex_entry(u, function);
    for (size_t i = 0; !e && i < u->inner.n; i++)
        if (u->inner.at[i].die.addr == function->addr)
            e = &u->inner.at[i];
    return e ? e->within : "";
}

/* For Fortran, adds the scopes that the listed scopes import: code that uses a module also sees the
 * names of the modules that this module uses. */
static void dwarfnames_follow(struct dwarfnames *n, const struct dwarf_unit *u)
{
    for (size_t k = 0; n->is_fortran && k < n->scope.n; k++)
        for (size_t i = 0; i < u->import.n; i++) {
            const struct dwarf_import *by = &u->import.at[i];
            const struct dwarf_space *s = by->name ? NULL : dwarfindex_space(u, &by->die);
            if (s && !strcmp(by->in, n->scope.at[k]))
                dwarfnames_push(n, s->full, strlen(s->full));
        }
}

/* Adds the functions in which an internal procedure of Fortran, or a nested function of C, is
 * nested, and the imports in these functions. */
static void dwarfnames_enter_hosts(struct dwarfnames *n, Dwarf_Die *function, unsigned *left)
{
    Dwarf_Die *scope = NULL;
    n->is_fortran = dwarf_answer_language(function) == DWARF_FN_FORTRAN;
    bool nests =
        n->is_fortran || !(dwarf_answer_language(function) & (DWARF_FN_CXX | DWARF_FN_RUST));
    int many = nests ? dwarf_getscopes_die(function, &scope) : 0;
    for (int i = 1; i < many; i++)
        if (dwarf_tag(&scope[i]) == DW_TAG_subprogram) {
            dwarfnames_add_used(n, &scope[i], left);
            EZ_PUSH(&n->host, scope[i]);
        }
    free(scope);
}

/* Adds the scopes of the function. If the function is an instance of a function of another unit,
 * adds the scopes that this other function has in its unit. */
static void dwarfnames_enter(struct dwarfnames *n, struct dwarf_file *f)
{
    Dwarf_Die at = n->function;
    Dwarf_Attribute a;
    unsigned left = MOST_IMPORTS;
    struct dwarf_unit *u = dwarfsplit_unit_of(f, &at);
    n->u = u ? u : n->u;
    dwarfindex_unit(n->u);
    dwarfnames_add_used(n, &at, &left);
    if (dwarf_attr(&at, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &at)) {
        u = dwarfsplit_unit_of(f, &at);
        n->u = u ? u : n->u;
        dwarfindex_unit(n->u);
        dwarfnames_add_used(n, &at, &left);
    }
    dwarfnames_enter_hosts(n, &at, &left);
    const char *home = dwarfnames_home(n->u, &at);
    for (size_t len = strlen(home); len; len = dwarfnames_around(home, len))
        dwarfnames_push_around(n, home, len);
}

static void dwarfnames_begin(struct dwarfnames *n, struct dwarf_file *f, struct dwarf_unit *u,
                             uint64_t function)
{
    *n = (struct dwarfnames){ .u = u };
    dwarfindex_unit(u);
    if (function && dwarfread_die(f, function, &n->function))
        dwarfnames_enter(n, f);
    dwarfnames_push_around(n, "", 0);
    dwarfnames_follow(n, n->u);
}

static void dwarfnames_end(struct dwarfnames *n)
{
    for (size_t i = 0; i < n->scope.n; i++)
        free(n->scope.at[i]);
    EZ_VEC_FREE(&n->scope);
    EZ_VEC_FREE(&n->directive);
    EZ_VEC_FREE(&n->own);
    EZ_VEC_FREE(&n->host);
}

/* ---- entries by name ------------------------------------------------------------------------- */

struct dwarfnames_query {
    const char *name; /* the wanted name, without "struct " and leading "::" */
    const char *last; /* part after the last "::" */
    int tag;          /* tag of a type; 0 = any */
    enum dwarf_means means;
};

/* Removes "struct " and similar from a name, and sets *tag to the DWARF tag of that word, or to 0
 * (any type) if the name has no such word. */
static const char *dwarfnames_untagged(const char *name, int *tag)
{
    static const struct {
        const char *word;
        int tag;
    } tags[] = { { "struct ", DW_TAG_structure_type },
                 { "class ", DW_TAG_structure_type },
                 { "union ", DW_TAG_union_type },
                 { "enum ", DW_TAG_enumeration_type } };
    *tag = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(tags); i++)
        if (!strncmp(name, tags[i].word, strlen(tags[i].word))) {
            *tag = tags[i].tag;
            return name + strlen(tags[i].word);
        }
    return name;
}

/* Returns whether the entry is a constructor, which is ignored, because the name of a class inside
 * the class means the class. */
static bool dwarfnames_constructs(const struct dwarf_entry *e, const struct dwarfnames_query *q)
{
    size_t n = strlen(e->name), k = strlen(e->within);
    return e->tag == DW_TAG_subprogram && q->last == q->name && k >= n + 2 &&
           !strncmp(e->within + k - n - 2, e->name, n) &&
           (k == n + 2 || e->within[k - n - 3] == ':');
}

/* Returns whether the entry is of the requested kind (value or type, and tag) and no
 * constructor. */
static bool dwarfnames_fits(const struct dwarf_entry *e, const struct dwarfnames_query *q)
{
    bool type = dwarfindex_is_type(e->tag);
    int tag = e->tag == DW_TAG_class_type ? DW_TAG_structure_type : e->tag;
    if ((q->means == DWARF_MEANS_TYPE && !type) || (q->means == DWARF_MEANS_VALUE && type))
        return false;
    return (!q->tag || tag == q->tag) && !dwarfnames_constructs(e, q);
}

static bool dwarfnames_is_declared(const struct dwarf_entry *e)
{
    return dwarf_hasattr((Dwarf_Die *)&e->die, DW_AT_declaration);
}

/* Returns whether `text` is the whole name of the entry. An enumerator may also be named with its
 * type. */
static bool dwarfnames_is(const struct dwarf_entry *e, const char *text)
{
    const char *within[] = { e->within, e->plain };
    for (size_t i = 0; i < EZ_ARRAY_LEN(within); i++) {
        EZ_FREE char *whole = ez_sprintf("%s%s", within[i], e->name);
        if (dwarfwritten_same(whole, text))
            return true;
    }
    if (e->tag != DW_TAG_enumerator)
        return false;
    Dwarf_Die of = e->die;
    of.addr = e->around;
    of.abbrev = NULL;
    const char *type = dwarf_diename(&of);
    EZ_FREE char *whole = ez_sprintf("%s%s::%s", e->plain, type ? type : "", e->name);
    return type && dwarfwritten_same(whole, text);
}

/* Returns how well the entry matches, 0 = not at all. An entry in an inner scope is better than one
 * in an outer scope. */
static unsigned dwarfnames_rank(const struct dwarfnames *n, const struct dwarf_entry *e,
                                const struct dwarfnames_query *q)
{
    for (size_t i = 0; i < n->scope.n; i++) {
        EZ_FREE char *text = ez_sprintf("%s%s", n->scope.at[i], q->name);
        if (!dwarfnames_is(e, text))
            continue;
        bool value = !dwarfindex_is_type(e->tag); /* a value hides a struct tag of the same name */
        return 4 * (unsigned)(n->scope.n - i) + 2 * !dwarfnames_is_declared(e) + value;
    }
    return 0;
}

/* Returns whether `e` is the function with code of which `of` is the abstract entry. */
static bool dwarfnames_has_code(const struct dwarf_entry *e, const struct dwarf_entry *of)
{
    Dwarf_Die die = e->die, origin;
    Dwarf_Attribute a;
    return e->begin && !of->begin && dwarf_attr(&die, DW_AT_abstract_origin, &a) &&
           dwarf_formref_die(&a, &origin) && origin.addr == of->die.addr;
}

static unsigned dwarfnames_best(const struct dwarfnames *n, const struct dwarf_unit *u,
                                const struct dwarfnames_query *q, struct dwarf_entry *out)
{
    unsigned best = 0, rank;
    for (size_t i = 0; i < u->entry.n; i++) {
        const struct dwarf_entry *e = &u->entry.at[i];
        if (!e->name || !dwarfnames_fits(e, q) || !dwarfwritten_same(e->name, q->last))
            continue;
        rank = dwarfnames_rank(n, e, q);
        if (rank > best || (rank && rank == best && dwarfnames_has_code(e, out))) {
            best = rank;
            *out = *e;
        }
    }
    return best;
}

/* Sets *out to the qualified name that `name` means by the using-declaration or alias `by`. The
 * caller frees *out. Returns false if `by` does not apply to `name`. */
static bool dwarfnames_used(const struct dwarfnames *n, const struct dwarf_import *by,
                            const char *name, char **out)
{
    size_t k = strlen(by->name);
    bool whole = !strcmp(name, by->name);
    if (strncmp(name, by->name, k) || (!whole && strncmp(name + k, "::", 2)))
        return false;
    const struct dwarf_space *s = dwarfindex_space(n->u, &by->die);
    const struct dwarf_entry *e = dwarfindex_entry(n->u, &by->die);
    if (!whole && s)
        *out = ez_sprintf("%s%s", s->full, name + k + 2);
    else if (whole && e && e->name)
        *out = ez_sprintf("%s%s", e->within, e->name);
    return *out != NULL;
}

/* Tries all using-declarations and aliases in scope, from the innermost scope outwards, and returns
 * the first result of dwarfnames_used(). *scope says where the using-declaration or alias is: 0 =
 * in the function itself, 1 = in the innermost scope that contains the function, and so on. */
static bool dwarfnames_imported(const struct dwarfnames *n, const char *name, size_t *scope,
                                char **out)
{
    *scope = 0;
    for (size_t i = 0; i < n->own.n; i++)
        if (dwarfnames_used(n, &n->own.at[i], name, out))
            return true;
    for (size_t k = 0; k < n->scope.n; k++)
        for (size_t i = 0; i < n->u->import.n; i++)
            if (n->u->import.at[i].name && !strcmp(n->u->import.at[i].in, n->scope.at[k]) &&
                dwarfnames_used(n, &n->u->import.at[i], name, out)) {
                *scope = k + 1;
                return true;
            }
    return false;
}

/* ---- variables of functions ------------------------------------------------------------------ */

/* Finds the parameter or variable called `name` in the outermost block of the function `host`.
 * Functions nested in `host` see this variable, which hides names outside of `host`. */
static bool dwarfnames_of_host(Dwarf_Die *host, const char *name, struct dwarf_entry *out)
{
    Dwarf_Die die;
    if (dwarf_child(host, &die))
        return false;
    do {
        int tag = dwarf_tag(&die);
        bool variable = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
        const char *its = variable ? dwarf_diename(&die) : NULL;
        *out = (struct dwarf_entry){
            .name = name, .within = "", .plain = "", .die = die, .tag = DW_TAG_variable
        };
        if (its && !strcmp(its, name))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

/* Finds a variable called `name`, at a fixed address, in the outermost block of the function or,
 * with `all`, in any of its blocks. */
static bool dwarfnames_local(Dwarf_Die *in, const char *name, bool all, unsigned depth,
                             Dwarf_Die *out)
{
    Dwarf_Die die;
    if (depth > 32 || dwarf_child(in, &die))
        return false;
    do {
        const char *its = dwarf_tag(&die) == DW_TAG_variable ? dwarf_diename(&die) : NULL;
        *out = die;
        if (its && !strcmp(its, name) && dwarfwhere(&die, NULL, 0).at == DWARF_AT_ADDRESS)
            return true;
        if (all && dwarf_tag(&die) == DW_TAG_lexical_block &&
            dwarfnames_local(&die, name, all, depth + 1, out))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

static bool dwarfnames_as_local(Dwarf_Die *in, const char *name, bool all, struct dwarf_entry *out)
{
    Dwarf_Die die;
    if (!dwarfnames_local(in, name, all, 0, &die))
        return false;
    *out = (struct dwarf_entry){
        .name = name, .within = "", .plain = "", .die = die, .tag = DW_TAG_variable
    };
    return true;
}

/* Finds a type that the function defines. */
static bool dwarfnames_local_type(Dwarf_Die *in, const struct dwarfnames_query *q, unsigned depth,
                                  struct dwarf_entry *out)
{
    Dwarf_Die die;
    if (depth > 32 || dwarf_child(in, &die))
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *name = dwarfindex_is_type(tag) ? dwarf_diename(&die) : NULL;
        *out =
            (struct dwarf_entry){ .name = name, .within = "", .plain = "", .die = die, .tag = tag };
        if (name && !strcmp(name, q->name) && dwarfnames_fits(out, q))
            return true;
        if (tag == DW_TAG_lexical_block && dwarfnames_local_type(&die, q, depth + 1, out))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

static bool dwarfnames_as_local_type(Dwarf_Die *in, const char *name, enum dwarf_means means,
                                     struct dwarf_entry *out)
{
    struct dwarfnames_query q = { .means = means };
    q.name = q.last = dwarfnames_untagged(name, &q.tag);
    return means != DWARF_MEANS_VALUE && dwarfnames_local_type(in, &q, 0, out);
}

/* Finds the static variable "function::name". */
static bool dwarfnames_of_function(const struct dwarfnames *n, const struct dwarf_unit *u,
                                   const struct dwarfnames_query *q, struct dwarf_entry *out)
{
    if (q->last - q->name < 3)
        return false;
    EZ_FREE char *function = ez_strndup(q->name, (size_t)(q->last - q->name - 2));
    const struct dwarfnames_query of = { function, ez_name_last(function), 0, DWARF_MEANS_VALUE };
    for (size_t i = 0; i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        if (e->tag == DW_TAG_subprogram && e->name && dwarfwritten_same(e->name, of.last) &&
            dwarfnames_rank(n, e, &of) && dwarfnames_as_local(&e->die, q->last, true, out))
            return true;
    }
    return false;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Removes the file's name from "FILE\tNAME", as which the user's 'FILE'::NAME arrives. Returns
 * whether the unit is compiled from that file; true if the name has no file. */
static bool dwarfnames_in_file(struct dwarf_unit *u, const char **name)
{
    const char *bar = strchr(*name, '\t');
    if (!bar)
        return true;
    EZ_FREE char *file = ez_strndup(*name, (size_t)(bar - *name));
    const char *its = ez_text(dwarf_diename(&u->die)); /* "": the unit has no name */
    size_t n = strlen(file), k = strlen(its);
    *name = bar + 1;
    return k >= n && !strcmp(its + k - n, file) && (k == n || its[k - n - 1] == '/');
}

/* Finds a name in the global scope. */
static unsigned dwarfnames_global(const struct dwarfnames *n, const struct dwarf_unit *u,
                                  struct dwarfnames_query *q, struct dwarf_entry *out)
{
    char none[] = "", *outer[] = { none };
    struct dwarfnames global = *n;
    global.scope.at = outer;
    global.scope.n = 1;
    q->last = ez_name_last(q->name);
    return dwarfnames_best(&global, u, q, out);
}

/* Finds the last part of "der::x" if the scope `space` ("der::") does not declare it: in the bases
 * of a class, and by using-declarations and using-directives of a namespace. */
static unsigned dwarfnames_inside(const struct dwarfnames *n, const struct dwarf_unit *u,
                                  const char *space, const struct dwarfnames_query *q,
                                  unsigned depth, struct dwarf_entry *out)
{
    struct dwarfnames inner = { .u = (struct dwarf_unit *)u };
    struct dwarfnames_query by = *q;
    unsigned best = 0;
    dwarfnames_push_bases(&inner, space);
    for (size_t i = 0; i < u->import.n; i++) {
        const struct dwarf_import *m = &u->import.at[i];
        const struct dwarf_space *s = m->name ? NULL : dwarfindex_space(u, &m->die);
        EZ_FREE char *used = NULL;
        if (strcmp(m->in, space))
            continue;
        if (s)
            dwarfnames_push(&inner, s->full, strlen(s->full));
        else if (!best && m->name && dwarfnames_used(&inner, m, q->last, &used)) {
            by.name = used;
            best = dwarfnames_global(n, u, &by, out);
        }
    }
    for (size_t i = 0; i < inner.scope.n && !best && depth < 8; i++) {
        EZ_FREE char *full = ez_sprintf("%s%s", inner.scope.at[i], q->last);
        by.name = full;
        best = dwarfnames_global(n, u, &by, out);
        by.name = q->name;
        if (!best)
            best = dwarfnames_inside(n, u, inner.scope.at[i], &by, depth + 1, out);
    }
    dwarfnames_end(&inner);
    return best;
}

/* Finds a qualified name ("der::x", "ns::x", "::x") that its scope does not declare itself, but
 * makes visible. */
static unsigned dwarfnames_through(const struct dwarfnames *n, const struct dwarf_unit *u,
                                   const struct dwarfnames_query *q, bool global,
                                   struct dwarf_entry *out)
{
    unsigned best = 0;
    if (!global && q->last == q->name)
        return 0;
    for (size_t i = 0; i < (global ? 1 : n->scope.n) && !best; i++) {
        EZ_FREE char *space =
            ez_sprintf("%s%.*s", global ? "" : n->scope.at[i], (int)(q->last - q->name), q->name);
        best = dwarfnames_inside(n, u, space, q, 0, out);
    }
    return best ? 1 : 0;
}

static unsigned dwarfnames_find_in(const struct dwarfnames *n, struct dwarf_unit *u,
                                   const char *name, enum dwarf_means means,
                                   struct dwarf_entry *out)
{
    struct dwarfnames_query q = { .means = means };
    EZ_FREE char *used = NULL;
    dwarfindex_unit(u);
    q.name = dwarfnames_untagged(name, &q.tag);
    if (!strncmp(q.name, "::", 2)) {
        q.name += 2;
        unsigned rank = dwarfnames_global(n, u, &q, out);
        return rank ? rank : dwarfnames_through(n, u, &q, true, out);
    }
    q.last = ez_name_last(q.name);
    unsigned best = dwarfnames_best(n, u, &q, out);
    size_t at = best ? n->scope.n - best / 4 + 1 : SIZE_MAX, by;
    if (dwarfnames_imported(n, q.name, &by, &used) && by < at) {
        struct dwarf_entry e;
        q.name = used;
        if (dwarfnames_global(n, u, &q, &e)) {
            *out = e;
            best = 4 * (unsigned)(n->scope.n - (by ? by - 1 : 0)) + 3;
        }
    }
    if (!best)
        best = dwarfnames_through(n, u, &q, false, out);
    if (!best && means != DWARF_MEANS_TYPE && dwarfnames_of_function(n, u, &q, out))
        best = 1;
    return best;
}

static unsigned dwarfnames_find(const struct dwarfnames *n, struct dwarf_unit *u, const char *name,
                                enum dwarf_means means, struct dwarf_entry *out)
{
    dwarfsplit_ready(u);
    if (!dwarfnames_in_file(u, &name))
        return 0;
    unsigned best = dwarfnames_find_in(n, u, name, means, out);
    for (size_t i = 0; i < u->types.n; i++) {
        struct dwarf_entry e;
        const unsigned rank = dwarfnames_find_in(n, u->types.at[i], name, means, &e);
        if (rank > best) {
            best = rank;
            *out = e;
        }
    }
    return best;
}

/* Adds imported scopes from other units, because a module may be defined in another unit than the
 * one that uses it. */
static void dwarfnames_follow_others(struct dwarfnames *n, struct dwarf_file *f)
{
    clock_t end = clock() + LOOK;
    for (size_t i = 0; n->is_fortran && i < f->unit.n && clock() < end; i++) {
        struct dwarf_unit *u = &f->unit.at[i];
        const bool was = u->indexed;
        dwarfindex_unit(u);
        dwarfnames_follow(n, u);
        if (!was)
            dwarfindex_forget(u);
    }
}

/* Searches all units except n->u. best: rank of the match in n->u, 0 = none. Returns the best
 * rank. */
static unsigned dwarfnames_find_others(const struct dwarfnames *n, struct dwarf_file *f,
                                       const char *name, enum dwarf_means means, unsigned best,
                                       struct dwarf_entry *out)
{
    clock_t end = clock() + LOOK;
    /* if n->u declares the name: number of the declaration's scope; other scopes are ignored */
    unsigned scope = best / 4;
    for (size_t i = 0; i < f->unit.n && clock() < end; i++) {
        struct dwarf_unit *u = &f->unit.at[i];
        struct dwarf_entry e;
        bool was = u->indexed;
        /* The unit that defines a Fortran module knows the module's imports. */
        struct dwarfnames there = *n;
        there.u = n->is_fortran ? u : n->u;
        unsigned rank = u == n->u ? 0 : dwarfnames_find(&there, u, name, means, &e);
        if (rank > best && (!scope || rank / 4 == scope)) {
            best = rank;
            *out = e;
        } else if (!was) {
            dwarfindex_forget(u);
        }
        if (best && !dwarfnames_is_declared(out) && best >= 4 * n->scope.n)
            break; /* no other entry can match better */
    }
    return best;
}

bool dwarfnames_means(struct dwarf_file *f, size_t unit, uint64_t function, const char *name,
                      enum dwarf_means means, bool near, struct dwarf_entry *out)
{
    static struct dwarf_unit none = { .indexed = true };
    struct dwarfnames n;
    unsigned best = 0;
    dwarfnames_begin(&n, f, unit < f->unit.n ? &f->unit.at[unit] : &none, function);
    bool local = means != DWARF_MEANS_TYPE && n.function.addr &&
                 dwarfnames_as_local(&n.function, name, false, out);
    for (size_t i = 0; i < n.host.n && !local && means != DWARF_MEANS_TYPE; i++)
        local = dwarfnames_of_host(&n.host.at[i], name, out);
    local = local || (n.function.addr && dwarfnames_as_local_type(&n.function, name, means, out));
    if (!local && n.u != &none)
        best = dwarfnames_find(&n, n.u, name, means, out);
    if (!local && !near && !best)
        dwarfnames_follow_others(&n, f);
    if (!local && !near && (!best || dwarfnames_is_declared(out)))
        best = dwarfnames_find_others(&n, f, name, means, best, out);
    dwarfnames_end(&n);
    return local || best;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.c - finds program units, and classifies statements (unit.h).
 *
 * Fortran has no reserved words: a statement that looks like an assignment is one. Otherwise its
 * first letters decide.
 * Tests: tests/source/snippets.sh, tests/fuzz/fuzz_fortran.c */
#include "modules/instrument/source/unit.h"

#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"

/* ---- heads and ends ----------------------------------------------------------------------------------------- */

/* Skips prefixes of a procedure's head: pure, recursive, real*8, type(t) and so on. Returns how
 * many letters they have. *pure: one of them is pure or elemental. */
static size_t unit_prefixes(const char *t, bool *pure)
{
    static const char *const words[] = { "impure",        "pure",          "elemental",
                                         "recursive",     "non_recursive", "module",
                                         "integer",       "real",          "doubleprecision",
                                         "doublecomplex", "complex",       "logical",
                                         "character",     "byte",          "type",
                                         "class",         "attributes" };
    size_t i = 0;
    bool impure = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < EZ_ARRAY_LEN(words) && !more; k++)
            if (ez_fstarts(t + i, words[k])) {
                impure |= k == 0;
                *pure |= k == 1 || k == 2;
                i += strlen(words[k]);
                more = true;
            }
        if (more && t[i] == '*')
            for (i++; isdigit((unsigned char)t[i]);)
                i++;
        if (more && t[i] == '(') {
            size_t end = ez_fclose(t, i);
            if (end == SIZE_MAX)
                return i;
            i = end + 1;
        }
    }
    *pure &= !impure;
    return i;
}

static bool unit_exactly_name(const char *t)
{
    size_t n = ez_fname(t);
    return n && !t[n];
}

/* Returns true if the statement is the head of a unit. *name: the unit's name, n letters. */
static bool unit_head(const char *t, struct ez_unit *u, const char **name, size_t *n)
{
    bool pure = false;
    size_t i = unit_prefixes(t, &pure);
    const char *rest = t + i;
    *u = (struct ez_unit){
        .kind = EZ_UNIT_PROCEDURE, .end = SIZE_MAX, .contains = SIZE_MAX, .pure = pure
    };
    if (ez_fassigns(t))
        return false;
    for (int function = 0; function < 2; function++) {
        const char *word = function ? "function" : "subroutine";
        *name = rest + strlen(word);
        if (!ez_fstarts(rest, word) || !(*n = ez_fname(*name)))
            continue;
        const char *behind = *name + *n;
        if (*behind == '(' || (!function && (!*behind || *behind == ';')))
            return true;
        const char *bind = strstr(*name, "bind(");
        if (!function && bind && bind > *name) {
            *n = (size_t)(bind - *name);
            return true;
        }
    }
    static const struct {
        const char *word;
        enum ez_unit_kind kind;
    } words[] = { { "program", EZ_UNIT_PROGRAM },
                  { "moduleprocedure", EZ_UNIT_PROCEDURE },
                  { "module", EZ_UNIT_SCOPE } };
    for (size_t k = 0; k < EZ_ARRAY_LEN(words); k++)
        if (ez_fstarts(t, words[k].word) && unit_exactly_name(t + strlen(words[k].word))) {
            *name = t + strlen(words[k].word);
            *n = strlen(*name);
            u->kind = words[k].kind;
            return true;
        }
    size_t end = ez_fstarts(t, "submodule(") ? ez_fclose(t, 9) : SIZE_MAX;
    *name = end != SIZE_MAX ? t + end + 1 : t + strlen("blockdata");
    *n = end != SIZE_MAX || ez_fstarts(t, "blockdata") ? ez_fname(*name) : 0;
    u->kind = EZ_UNIT_SCOPE;
    return end != SIZE_MAX || ez_fstarts(t, "blockdata");
}

static bool unit_end(const char *t)
{
    static const char *const words[] = { "subroutine", "function",  "program",  "module",
                                         "submodule",  "procedure", "blockdata" };
    if (!ez_fstarts(t, "end") || ez_fassigns(t))
        return false;
    for (size_t k = 0; k < EZ_ARRAY_LEN(words); k++)
        if (ez_fstarts(t + 3, words[k]) &&
            (!t[3 + strlen(words[k])] || unit_exactly_name(t + 3 + strlen(words[k]))))
            return true;
    return !t[3];
}

static bool unit_interface(const char *t)
{
    return !ez_fassigns(t) && (ez_fstarts(t, "interface") || !strcmp(t, "abstractinterface"));
}

/* Returns true for a type's definition, not for a declaration with a type or a TYPE IS. */
static bool unit_type(const char *t)
{
    return ez_fstarts(t, "type") && !ez_fassigns(t) && !ez_fstarts(t, "typeis(") &&
           (t[4] == ',' || t[4] == ':' || isalpha((unsigned char)t[4]));
}

/* ---- executable statements -------------------------------------------------------------------------------------- */

/* Facts from declarations about names: the set of arrays. */
struct unit_names {
    EZ_VEC(char *) arrays;
    EZ_VEC(char *) scalars;
    bool others; /* names may come from elsewhere: USE, INCLUDE, a host */
};

static bool unit_among(char *const *list, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && !memcmp(list[i], name, len))
            return true;
    return false;
}

/* Returns the next comma outside of parentheses, plus 1; the end of the list if there is none. */
static const char *unit_comma(const char *list)
{
    while (*list && *list != ',') {
        size_t end = *list == '(' || *list == '[' ? ez_fclose(list, 0) : SIZE_MAX;
        list += end == SIZE_MAX ? 1 : end + 1;
    }
    return list + (*list == ',');
}

static void unit_note_names(struct unit_names *names, const char *list, bool dimension)
{
    for (; *list; list = unit_comma(list)) {
        if (*list == '/') /* /name/ of a common block */
            list += strcspn(list + 1, "/") + 1;
        list += *list == '/';
        size_t n = ez_fname(list);
        if (!n)
            continue;
        char *name = ez_strndup(list, n);
        if (dimension || list[n] == '(')
            EZ_PUSH(&names->arrays, name);
        else
            EZ_PUSH(&names->scalars, name);
    }
}

static void unit_note(struct unit_names *names, const char *t)
{
    static const char *const types[] = { "integer",       "real",    "doubleprecision", "complex",
                                         "doublecomplex", "logical", "character",       "byte",
                                         "type",          "class" };
    static const char *const arrays[] = { "dimension", "common",      "target",
                                          "pointer",   "allocatable", "codimension" };
    names->others |= ez_fstarts(t, "use") || ez_fstarts(t, "include") || ez_fstarts(t, "import");
    for (size_t k = 0; k < EZ_ARRAY_LEN(arrays); k++)
        if (ez_fstarts(t, arrays[k]))
            unit_note_names(names, t + strlen(arrays[k]), false);
    for (size_t k = 0; k < EZ_ARRAY_LEN(types); k++) {
        const char *rest = t + strlen(types[k]);
        if (!ez_fstarts(t, types[k]))
            continue;
        for (rest += *rest == '*'; isdigit((unsigned char)*rest);)
            rest++;
        if (*rest == '(' && ez_fclose(rest, 0) != SIZE_MAX)
            rest += ez_fclose(rest, 0) + 1;
        const char *colons = strstr(rest, "::");
        bool dimension = colons && memmem(rest, (size_t)(colons - rest), "dimension", 9);
        unit_note_names(names, colons ? colons + 2 : rest, dimension);
        return;
    }
}

/* Returns true if `f(x) = ...` defines a statement function; false if it assigns to an element of
 * an array. */
static bool unit_statement_function(const struct unit_names *names, const char *t)
{
    size_t n = ez_fname(t), end = t[n] == '(' ? ez_fclose(t, n) : SIZE_MAX;
    if (end == SIZE_MAX || t[end + 1] != '=' || unit_among(names->arrays.at, names->arrays.n, t, n))
        return false;
    for (size_t i = n + 1; i < end; i++)
        if (!isalnum((unsigned char)t[i]) && t[i] != '_' && t[i] != ',')
            return false;
    if (isdigit((unsigned char)t[n + 1]))
        return false;
    return unit_among(names->scalars.at, names->scalars.n, t, n) || !names->others;
}

static bool unit_executable(const struct unit_names *names, const char *t)
{
    static const char *const words[] = {
        "use",         "import",       "implicit",        "parameter",  "dimension",     "common",
        "equivalence", "external",     "intrinsic",       "save",       "data",          "namelist",
        "integer",     "real",         "doubleprecision", "complex",    "doublecomplex", "logical",
        "character",   "byte",         "type(",           "class(",     "procedure(",    "public",
        "private",     "allocatable",  "pointer",         "target",     "optional",      "intent(",
        "value",       "volatile",     "asynchronous",    "contiguous", "protected",     "bind(",
        "format(",     "enum,",        "enumerator",      "endenum",    "include",       "generic",
        "codimension", "automatic",    "static",          "structure/", "union",         "map",
        "record/",     "endstructure", "endunion",        "endmap",     "entry"
    };
    if (ez_fassigns(t))
        return !unit_statement_function(names, t);
    size_t n = ez_fname(t);
    if (t[n] == ':' && t[n + 1] != ':')
        return true; /* a construct with a name */
    for (size_t k = 0; k < EZ_ARRAY_LEN(words); k++)
        if (ez_fstarts(t, words[k]))
            return false;
    return true;
}

/* ---- units --------------------------------------------------------------------------------------------------------- */

struct unit_walk {
    const ez_fstmts *s;
    ez_units *out;
    EZ_VEC(size_t) open; /* indexes of units that have begun and not ended */
    int interfaces;      /* number of open interfaces: units in them have no bodies */
    int inside;          /* number of open units inside of interface blocks */
    bool type;
};

static size_t unit_current(const struct unit_walk *w)
{
    return w->open.n ? w->open.at[w->open.n - 1] : SIZE_MAX;
}

static void unit_begin(struct unit_walk *w, struct ez_unit u, const char *name, size_t n,
                       size_t head)
{
    const char *t = head == SIZE_MAX ? "" : w->s->at[head].t;
    size_t root = strlen("submodule(");
    u.parent = unit_current(w);
    u.head = head;
    if (ez_fstarts(t, "submodule(")) /* the name becomes "module.submodule", as in symbols of
                                      * compilers */
        u.name = ez_sprintf("%.*s.%.*s", (int)ez_fname(t + root), t + root, (int)n, name);
    else
        u.name = u.parent == SIZE_MAX || !*w->out->at[u.parent].name
                     ? ez_strndup(name, n)
                     : ez_sprintf("%s::%.*s", w->out->at[u.parent].name, (int)n, name);
    EZ_PUSH(&w->open, w->out->n);
    EZ_PUSH(w->out, u);
}

static void unit_own(struct unit_walk *w, size_t i)
{
    static const struct ez_unit program = { .kind = EZ_UNIT_PROGRAM,
                                            .end = SIZE_MAX,
                                            .contains = SIZE_MAX };
    if (unit_current(w) == SIZE_MAX)
        unit_begin(w, program, "main", 4, SIZE_MAX);
    EZ_PUSH(&w->out->at[unit_current(w)].own, i);
}

/* Skips the start and the end of units in an interface block. */
static void unit_in_interface(struct unit_walk *w, const char *t)
{
    struct ez_unit u;
    const char *name;
    size_t n;
    if (!w->inside && ez_fstarts(t, "endinterface"))
        w->interfaces--;
    else if (unit_interface(t))
        w->interfaces++;
    else if (w->inside && ez_fstarts(t, "endinterface"))
        w->interfaces--;
    else if (unit_end(t))
        w->inside -= w->inside > 0;
    else if (!ez_fstarts(t, "moduleprocedure") && unit_head(t, &u, &name, &n) &&
             u.kind == EZ_UNIT_PROCEDURE)
        w->inside++;
}

static void unit_statement(struct unit_walk *w, size_t i)
{
    const char *t = w->s->at[i].t, *name;
    struct ez_unit u;
    size_t n, now = unit_current(w);
    if (w->interfaces) {
        unit_in_interface(w, t);
    } else if (w->type) {
        w->type = !ez_fstarts(t, "endtype") || ez_fassigns(t);
    } else if (unit_interface(t)) {
        w->interfaces++;
    } else if (unit_type(t)) {
        w->type = true;
    } else if (unit_head(t, &u, &name, &n)) {
        unit_begin(w, u, name, n, i);
    } else if (!strcmp(t, "contains") && now != SIZE_MAX) {
        w->out->at[now].contains = i;
    } else if (unit_end(t)) {
        unit_own(w, i);
        w->out->at[unit_current(w)].end = i;
        w->open.n--;
    } else {
        unit_own(w, i);
    }
}

static void unit_find_first(const ez_fstmts *s, struct ez_unit *u)
{
    struct unit_names names = { .others = u->parent != SIZE_MAX };
    u->first = u->contains != SIZE_MAX ? u->contains : u->end;
    for (size_t k = 0; k < u->own.n; k++) {
        const char *t = s->at[u->own.at[k]].t;
        if (u->own.at[k] >= u->first)
            break;
        if (unit_executable(&names, t)) {
            u->first = u->own.at[k];
            break;
        }
        unit_note(&names, t);
    }
    for (size_t k = 0; k < names.arrays.n; k++)
        free(names.arrays.at[k]);
    for (size_t k = 0; k < names.scalars.n; k++)
        free(names.scalars.at[k]);
    EZ_VEC_FREE(&names.arrays);
    EZ_VEC_FREE(&names.scalars);
}

void ez_units_find(const ez_fstmts *s, ez_units *out)
{
    struct unit_walk w = { .s = s, .out = out };
    for (size_t i = 0; i < s->n; i++)
        unit_statement(&w, i);
    EZ_VEC_FREE(&w.open);
    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].end != SIZE_MAX)
            unit_find_first(s, &out->at[i]);
}

void ez_units_free(ez_units *v)
{
    for (size_t i = 0; i < v->n; i++) {
        free(v->at[i].name);
        EZ_VEC_FREE(&v->at[i].own);
    }
    EZ_VEC_FREE(v);
}

/* ---- what statements do ----------------------------------------------------------------------------------------------- */

static enum ez_unit_act unit_act(const char *t)
{
    size_t n = ez_fname(t);
    if (ez_fassigns(t) || (t[n] == ':' && t[n + 1] != ':'))
        return EZ_UNIT_OTHER;
    if (ez_fstarts(t, "return"))
        return EZ_UNIT_RETURN;
    if (ez_fstarts(t, "stop") || ez_fstarts(t, "errorstop"))
        return EZ_UNIT_STOP;
    if (ez_fstarts(t, "call")) {
        size_t m = ez_fname(t + 4);
        return (m == 4 && ez_fstarts(t + 4, "exit")) || (m == 5 && ez_fstarts(t + 4, "abort"))
                   ? EZ_UNIT_STOP
                   : EZ_UNIT_CALL;
    }
    return ez_fstarts(t, "entry") ? EZ_UNIT_ENTRY : EZ_UNIT_OTHER;
}

enum ez_unit_act ez_unit_act(const struct ez_fstmt *s, size_t *from)
{
    *from = 0;
    if (ez_fstarts(s->t, "if(") && !ez_fassigns(s->t)) {
        size_t end = ez_fclose(s->t, 2);
        *from = end == SIZE_MAX ? 0 : end + 1;
    }
    return unit_act(s->t + *from);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fown.c - finds and replaces names in code for Fortran (fown.h).
 * Tests: tests/source/names.sh */
#include "modules/instrument/source/fown.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "modules/instrument/source/fwrap.h"
#include "modules/instrument/spec/ftoken.h"

struct fown {
    const char *text, *head;
    size_t n;
    ez_fown_names *out;
    bool shared; /* some statement declares names that others share: COMMON, EQUIVALENCE, USE */
};

static bool fown_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool fown_has(const char *text, size_t n, const char *name)
{
    const size_t len = strlen(name);
    for (size_t i = 0; i + len <= n; i++)
        if (!strncasecmp(text + i, name, len) && (!i || !fown_in_name(text[i - 1])) &&
            (i + len == n || !fown_in_name(text[i + len])))
            return true;
    return false;
}

static bool fown_is_type(const char *statement)
{
    static const char *const words[] = { "integer", "real",      "double", "complex",
                                         "logical", "character", "type",   "class" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (!strcmp(statement, words[i]))
            return true;
    return false;
}

static void fown_declared(const char *name, const char *statement, void *arg)
{
    struct fown *o = arg;
    if (!fown_is_type(statement)) {
        o->shared = true;
        return;
    }
    if (strcmp(name, "precision") != 0 && fown_has(o->text, o->n, name) &&
        !fown_has(o->head, strlen(o->head), name))
        EZ_PUSH(o->out, ez_strdup(name));
}

void ez_fown_find(const char *code, const char *text, size_t n, const char *head,
                  ez_fown_names *out)
{
    struct fown o = { .text = text, .head = head, .n = n, .out = out };
    ez_fdeclared(code, fown_declared, &o);
    /* In this case the code means the program's variables, and no name is replaced. */
    if (o.shared)
        ez_fown_free(out);
}

char *ez_fown_rename(const ez_fown_names *names, char *code)
{
    for (size_t i = 0; code && i < names->n; i++) {
        EZ_FREE char *as = ez_sprintf("ez_own_%s", names->at[i]);
        code = ez_frename(code, names->at[i], as, true);
    }
    return code;
}

void ez_fown_free(ez_fown_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    EZ_VEC_FREE(names);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe_class.c - C++ classes as gdb's ptype writes them: access, static members, functions,
 * typedefs.
 *
 * Tests: tests/procs/kinds.sh */
#include "engine/expr/describe_priv.h"

#include <ctype.h>
#include <string.h>

struct class
{
    char **to;
    const struct ez_type *t;
    const struct ez_type_class *of;
    unsigned depth, *left;
    int section; /* access of the last label that was written; 0 = none */
    bool labels; /* access labels must be written, because a member's access is not the default */
};

static bool describe_class_is_hidden(const struct ez_field *f)
{
    return f->base || (f->name && !strncmp(f->name, "_vptr", 5));
}

static bool describe_class_needs_labels(const struct class *c)
{
    int usual = c->of->is_class ? EZ_PRIVATE : EZ_PUBLIC;
    for (size_t i = 0; i < c->t->nfields; i++)
        if (!describe_class_is_hidden(&c->t->field[i]) && c->t->field[i].access != usual)
            return true;
    for (size_t i = 0; i < c->of->nfixed; i++)
        if (c->of->fixed[i].access != usual)
            return true;
    for (size_t i = 0; i < c->of->nmethods; i++)
        if (c->of->method[i].access != usual)
            return true;
    for (size_t i = 0; i < c->of->naliases; i++)
        if (c->of->alias[i].access != usual)
            return true;
    return false;
}

static void describe_class_label(struct class *c, int access)
{
    if (c->section == access || !access)
        return;
    c->section = access;
    EZ_FREE char *line = ez_sprintf("%*s%s:\n", (int)(4 * c->depth + 2), "",
                                    access == EZ_PRIVATE     ? "private"
                                    : access == EZ_PROTECTED ? "protected"
                                                             : "public");
    describe_add(c->to, line);
}

/* Replaces "CLASS::TYPEDEF" by "TYPEDEF" in the text, for typedefs of the class itself. Returns
 * `text`. */
static char *describe_class_local(const struct class *c, char *text)
{
    for (size_t i = 0; i < c->of->naliases; i++) {
        EZ_FREE char *full =
            ez_sprintf("%s::%s", c->t->name ? c->t->name : "", c->of->alias[i].name);
        size_t n = strlen(full), own = strlen(c->of->alias[i].name);
        for (char *at = text; (at = strstr(at, full)); at++) {
            bool begins = at == text || !(isalnum((unsigned char)at[-1]) || strchr("_:", at[-1]));
            bool ends = !isalnum((unsigned char)at[n]) && !(at[n] && strchr("_:<", at[n]));
            if (begins && ends)
                memmove(at, at + n - own, strlen(at + n - own) + 1);
        }
    }
    return text;
}

/* Appends the text as a line of the class, and frees it. */
static void describe_class_line(struct class *c, char *text)
{
    EZ_FREE char *own = describe_class_local(c, text);
    EZ_FREE char *line = ez_sprintf("%*s%s;\n", (int)(4 * (c->depth + 1)), "", own);
    describe_add(c->to, line);
}

static void describe_class_static(struct class *c, const struct ez_class_static *s)
{
    EZ_FREE char *declared = ez_type_declare(s->type, s->name);
    if (c->labels)
        describe_class_label(c, s->access);
    describe_class_line(c, ez_sprintf("static %s", declared));
}

static void describe_class_members(struct class *c)
{
    size_t k = 0;
    for (size_t i = 0; i <= c->t->nfields && *c->left; i++) {
        for (; k < c->of->nfixed && (c->of->fixed[k].before <= i || i == c->t->nfields); k++)
            describe_class_static(c, &c->of->fixed[k]);
        if (i == c->t->nfields || describe_class_is_hidden(&c->t->field[i]))
            continue;
        --*c->left;
        if (c->labels)
            describe_class_label(c, c->t->field[i].access);
        describe_add(c->to, "");
        EZ_FREE char *line =
            describe_class_local(c, describe_member(&c->t->field[i], c->depth, c->left));
        describe_add(c->to, line);
    }
}

/* Returns whether the function is written with a return type: not for constructors, destructors and
 * conversion operators. */
static bool describe_class_returns(const struct class *c, const char *name)
{
    static const char conversion[] = "operator ";
    const char *own = c->t->name ? strrchr(c->t->name, ':') : NULL;
    own = own ? own + 1 : c->t->name;
    size_t n = own ? strcspn(own, "<") : 0;
    bool constructs = own && !strncmp(name, own, n) && (!name[n] || name[n] == '<');
    bool converts = !strncmp(name, conversion, sizeof conversion - 1) &&
                    strncmp(name + sizeof conversion - 1, "new", 3) &&
                    strncmp(name + sizeof conversion - 1, "delete", 6);
    return !constructs && !converts && *name != '~';
}

/* Returns whether the compiler generated the function. The destructor of a class without a name (a
 * lambda) counts as generated. */
static bool describe_class_is_implicit(const struct class *c, const struct ez_class_method *m)
{
    return m->is_artificial || (!c->t->name && *m->name == '~');
}

static char *describe_class_parameters(const struct ez_class_method *m)
{
    char *s = ez_strdup("");
    size_t shown = 0;
    for (size_t i = m->hidden; i < m->type->nparams; i++) {
        EZ_FREE char *one = ez_type_text(m->type->param[i].type);
        describe_add(&s, shown++ ? ", " : "");
        describe_add(&s, one);
    }
    if (m->type->is_variadic)
        describe_add(&s, shown ? ", ..." : "...");
    else if (!shown)
        describe_add(&s, "void");
    return s;
}

/* Returns the qualifier of `this`: " const", " volatile". */
static const char *describe_class_qualifier(const struct ez_class_method *m)
{
    const struct ez_type *this =
        m->is_static || !m->type->nparams ? NULL : ez_type_strip(m->type->param[0].type);
    const struct ez_type *to = this && this->kind == EZ_TY_POINTER ? this->to : NULL;
    if (!to || to->kind != EZ_TY_CONST)
        return "";
    return !strcmp(to->name, "volatile") ? " volatile" : " const";
}

static void describe_class_method(struct class *c, const struct ez_class_method *m)
{
    if (describe_class_is_implicit(c, m) || m->type->kind != EZ_TY_FUNC || !*c->left)
        return;
    --*c->left;
    ez_type_load(m->type);
    EZ_FREE char *params = describe_class_parameters(m), *result = ez_type_text(m->type->to);
    bool returns = describe_class_returns(c, m->name);
    describe_class_label(c, m->access);
    describe_class_line(c,
                        ez_sprintf("%s%s%s%s(%s)%s%s",
                                   m->vtable      ? "virtual "
                                   : m->is_static ? "static "
                                                  : "",
                                   returns ? result : "", returns ? " " : "", m->name, params,
                                   describe_class_qualifier(m), m->is_deleted ? " = delete" : ""));
}

/* Appends the member functions. Functions that have the same name follow each other, where the
 * first of them was declared. */
static void describe_class_methods(struct class *c)
{
    const struct ez_class_method *m = c->of->method;
    size_t real = 0;
    for (size_t i = 0; i < c->of->nmethods; i++)
        real += !describe_class_is_implicit(c, &m[i]);
    if (real && c->section)
        describe_add(c->to, "\n");
    for (size_t i = 0; i < c->of->nmethods; i++) {
        size_t first = 0;
        while (strcmp(m[first].name, m[i].name))
            first++;
        for (size_t k = i; first == i && k < c->of->nmethods; k++)
            if (!strcmp(m[k].name, m[i].name))
                describe_class_method(c, &m[k]);
    }
}

static void describe_class_aliases(struct class *c)
{
    if (c->of->naliases && (c->t->nfields || c->of->nmethods || c->of->nfixed))
        describe_add(c->to, "\n");
    for (size_t i = 0; i < c->of->naliases; i++) {
        const struct ez_class_alias *a = &c->of->alias[i];
        EZ_FREE char *declared = ez_type_declare(a->type, a->name);
        if (c->labels)
            describe_class_label(c, a->access);
        describe_class_line(c, ez_sprintf("typedef %s", declared));
    }
}

bool describe_class(char **s, const struct ez_type *t, unsigned depth, unsigned *left)
{
    struct class c = { .to = s, .t = t, .of = ez_type_class(t), .depth = depth, .left = left };
    if (t->is_declared || (!t->nfields && !c.of->nfixed && !c.of->nmethods && !c.of->naliases))
        return false;
    c.labels = describe_class_needs_labels(&c);
    describe_class_members(&c);
    describe_class_methods(&c);
    describe_class_aliases(&c);
    return true;
}

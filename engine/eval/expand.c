/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.c - expands macros in expressions. The macros are those defined at the line of the
 * selected frame or, without a frame, at the end of main's source file.
 *
 * Tests: tests/procs/macros.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/macro.h"
#include "engine/eval/eval_priv.h"

struct expand {
    struct ez_dwarf *d;
    uint64_t vaddr;
    /* true if all definitions of the compilation unit apply, also those after the frame's line */
    bool whole;
    struct ez_dwarf_macro last;
};

static void expand_keep_main(const struct ez_sym *s, void *arg)
{
    uint64_t *at = arg;
    *at = *at ? *at : s->vaddr;
}

static void expand_keep_program(const struct ez_module_info *m, void *arg)
{
    struct expand *x = arg;
    const char *why;
    if (!m->is_program || !m->obj)
        return;
    ez_object_find_name(m->obj, "main", expand_keep_main, &x->vaddr);
    x->d = ez_dwarf_of(m->obj, &why);
}

/* Finds the compilation unit whose macros are expanded. Returns false if the debug information has
 * no macros for the unit. */
static bool expand_begin(const struct eval *ev, struct expand *x)
{
    const char *why;
    bool here = ev->look && ev->here.obj;
    *x = (struct expand){ .whole = !here };
    if (here) {
        x->d = ez_dwarf_of(ev->here.obj, &why);
        x->vaddr = ev->look - ev->here.bias;
    } else {
        ez_err_drop(ez_modules(ev->t, expand_keep_program, x));
    }
    return x->d && x->vaddr && ez_dwarf_has_macros(x->d, x->vaddr);
}

static const char *expand_find(void *arg, const char *name)
{
    struct expand *x = arg;
    return ez_dwarf_macro(x->d, x->vaddr, x->whole, name, &x->last) ? x->last.text : NULL;
}

/* Returns the position of the comma that ends the expression at `p`, or of the text's end. */
static const char *expand_item_end(const char *p)
{
    int depth = 0;
    for (char quote = 0; *p; p++) {
        if (quote && *p == '\\' && p[1])
            p++;
        else if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        depth += !quote && strchr("([{", *p) != NULL;
        depth -= !quote && strchr(")]}", *p) != NULL;
        if (*p == ',' && !quote && depth <= 0)
            break;
    }
    return p;
}

ez_err *expand_text(const struct eval *ev, const char *text, const char **end, char **out)
{
    struct expand x;
    const char *stop = end ? expand_item_end(text) : text + strlen(text);
    EZ_FREE char *item = ez_strndup(text, (size_t)(stop - text));
    *out = NULL;
    if (!expand_begin(ev, &x))
        return NULL;
    EZ_TRY(ez_macro_expand(&(struct ez_macros){ expand_find, &x }, item, out));
    if (*out && end)
        *end = stop;
    return NULL;
}

bool expand_macro(const struct eval *ev, const char *name, struct ez_macro *out)
{
    struct expand x;
    bool found = expand_begin(ev, &x) && expand_find(&x, name);
    *out = (struct ez_macro){ .text = x.last.text };
    for (; out->n < x.last.n && out->n < EZ_ARRAY_LEN(out->at); out->n++) {
        out->at[out->n].file = x.last.at[out->n].file;
        out->at[out->n].line = x.last.at[out->n].line;
    }
    return found;
}

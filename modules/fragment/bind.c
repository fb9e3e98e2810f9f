/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bind.c - declarations of the program's static variables and functions: see fragment.h.
 *
 * In source code `static int level;` before the program's own definition declares that. In an object of its own it would be
 * another variable. So what the routine's file defines becomes `extern`, by a symbol that says its address: the
 * engine connects it (engine/plugin/import.c).
 * Test: tests/procs/spec.sh */
#include "engine/base/strutil.h"
#include "modules/ezt_fragment.h"
#include "modules/fragment/fragment.h"
#include "modules/spec/declare.h"

struct bind {
    struct ez_fragments *f;
    const char *file; /* the routines' */
};

char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr)
{
    char *label = ez_sprintf(EZT_FRAGMENT_STATIC "%llx", (unsigned long long)vaddr);
    ez_hash_put(&f->own, ez_hash_key(EZ_HASH_SEED, label), 1);
    return label;
}

static bool bind_declare(const struct ez_declaration *d, char **text, void *arg)
{
    struct bind *b = arg;
    uint64_t vaddr;
    const enum ez_fragment_own own = b->f->own_static(d->name, b->file, &vaddr, b->f->arg);
    if (!d->is_static && own != EZ_FRAGMENT_PLAIN) /* its symbol says what it is */
        return false;
    switch (own) {
    case EZ_FRAGMENT_PLAIN:
    case EZ_FRAGMENT_THERE: {
        EZ_FREE char *label = ez_fragment_label(b->f, vaddr);
        *text = ez_sprintf("extern%s %s __asm__(\"%s\")%s;", d->specifiers, d->before, label,
                           d->behind);
        return true;
    }
    case EZ_FRAGMENT_NO_PLACE: /* code that names it does not compile: it is no other variable */
        return true;
    default:
        return false;
    }
}

char *ez_fragment_bind(struct ez_fragments *f, const char *file, const char *head)
{
    struct bind b = { .f = f, .file = file };
    return f->own_static ? ez_spec_declarations(head, bind_declare, &b) : ez_strdup(head);
}

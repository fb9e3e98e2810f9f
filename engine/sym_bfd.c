/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_bfd.c - what libbfd knows better: PLT slots and debug links.
 *
 * A file that libbfd rejects keeps its symbols and has no PLT names or lines.
 * Tests: tests/unit/engine/check_sym.c */
#include "config.h"

#include <bfd.h>
#include <stdio.h>
#include <string.h>

#include "engine/sym_priv.h"

static void say_nothing(const char *fmt, va_list ap)
{
    (void)fmt, (void)ap; /* libbfd would print to the user's terminal */
}

static void assert_nothing(const char *fmt, const char *version, const char *file, int line)
{
    (void)fmt, (void)version, (void)file, (void)line;
}

/* What libbfd 2.40 finds while it checks a format it prints past its handler. */
FILE *symbfd_hush(void)
{
    static FILE *null;
    FILE *loud = stderr;
    if (!null)
        null = fopen("/dev/null", "we");
    if (null)
        stderr = null;
    return loud;
}

void symbfd_unhush(FILE *loud)
{
    stderr = loud;
}

void symbfd_open(struct ez_object *o)
{
    static bool ready;
    if (!ready) {
        bfd_init();
        bfd_set_error_handler(say_nothing);
        bfd_set_assert_handler(assert_nothing);
        ready = true;
    }
    o->bfd = bfd_openr(o->path, NULL);
    if (!o->bfd)
        return;
    o->bfd->flags |= BFD_DECOMPRESS;
    FILE *loud = symbfd_hush();
    bool ok = bfd_check_format(o->bfd, bfd_object);
    symbfd_unhush(loud);
    if (!ok)
        symbfd_close(o);
}

void symbfd_close(struct ez_object *o)
{
    if (o->bfd)
        bfd_close(o->bfd);
    o->bfd = NULL;
}

char *symbfd_debuglink(struct ez_object *o)
{
    return o->bfd ? bfd_follow_gnu_debuglink(o->bfd, "/usr/lib/debug") : NULL;
}

/* libbfd names a slot "f@plt" or "f@VERSION@plt"; we say f@plt. */
static char *plt_name(const char *name)
{
    const char *at = strchr(name, '@');
    return at && strcmp(at, "@plt") ? ez_sprintf("%.*s@plt", (int)(at - name), name)
                                    : ez_strdup(name);
}

void symbfd_read_plt(struct ez_object *o)
{
    asymbol *slots = NULL;
    long size = o->bfd ? bfd_get_dynamic_symtab_upper_bound(o->bfd) : 0;
    if (size <= 0)
        return;
    EZ_FREE asymbol **dynsyms = ez_alloc((size_t)size);
    long n = bfd_canonicalize_dynamic_symtab(o->bfd, dynsyms);
    if (n > 0)
        n = bfd_get_synthetic_symtab(o->bfd, 0, NULL, n, dynsyms, &slots);
    for (long i = 0; i < n && slots; i++) {
        struct ez_sym s = {
            .vaddr = bfd_asymbol_value(&slots[i]), .kind = EZ_SYM_PLT, .local = true, .obj = o
        };
        if (!sym_section(o, s.vaddr))
            continue;
        s.name = sym_keep(o, plt_name(slots[i].name));
        EZ_PUSH(&o->syms, s);
    }
    free(slots);
}

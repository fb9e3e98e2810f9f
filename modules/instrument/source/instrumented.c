/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrumented.c - what instrumenting needs for files of all languages (instrument.h).
 * Tests: tests/source/snippets.sh */
#include "modules/instrument/source/instrument.h"

#include <errno.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/fwrap.h"

#define MOST (64u << 20) /* maximum number of bytes of a source file */

ez_err *ez_instrument_load(const struct ez_instrument *k, char **text, size_t *size)
{
    *text = ez_str_load(k->file, MOST, size);
    return *text ? NULL
                 : ez_err_new(errno == ENOENT ? EZ_E_NOTFOUND : EZ_E_SYS, errno, "%s", k->file);
}

unsigned ez_instrument_lines(const struct ez_instrument *k, const ez_lines *lines,
                             struct ez_edits *edits, ez_declare_fn *own, void *arg)
{
    struct ez_spec_site site = { .file = k->file, .lang = k->lang, .col = 1 };
    const struct ez_spec *s = k->spec;
    unsigned n = 0;
    for (size_t i = ez_spec_next(s, 0, EZ_SPEC_FILE, &site); i != SIZE_MAX;
         i = ez_spec_next(s, i + 1, EZ_SPEC_FILE, &site)) {
        site.line = s->clauses.at[i].line;
        size_t at = ez_lines_find(lines, site.line);
        char *code = at == SIZE_MAX ? NULL : ez_spec_expand(&s->clauses.at[i], &site);
        if (!code)
            continue; /* the file has fewer lines than the rule's number */
        n++;
        EZ_FREE char *was = code;
        char *last = NULL;
        code = own ? ez_spec_declarations(was, own, arg, &last) : ez_strdup(was);
        if (last) /* text for the end of the file, behind the file's own definitions */
            ez_edit_around(edits, SIZE_MAX, ez_spec_mark(&s->clauses.at[i], last), SIZE_MAX, NULL);
        code = ez_spec_mark(&s->clauses.at[i], code);
        if (k->lang == EZ_SPEC_FORTRAN)
            code = ez_fwrap(k->fixed, code);
        ez_edit_around(edits, at, code, at, NULL);
    }
    return n;
}

void ez_instrumented_free(struct ez_instrumented *d)
{
    for (size_t i = 0; i < d->routines.n; i++) {
        free(d->routines.at[i].name);
        free(d->routines.at[i].signature);
        free(d->routines.at[i].left);
    }
    EZ_VEC_FREE(&d->routines);
    free(d->text);
    free(d->whole);
    *d = (struct ez_instrumented){ 0 };
}

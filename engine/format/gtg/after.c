/* SPDX-License-Identifier: GPL-3.0-or-later */
/* after.c - checks that the output of libgtg is complete.
 *
 * libgtg ignores failed writes, so this file reads the trace again: a complete Paje trace has
 * exactly as many lines as write.c requested. The same pass compresses the trace. This file also
 * writes the notice about what the format could not represent. The output of libgtg is in the
 * current folder: "t.trace", or for OTF several files "t.*".
 *
 * Tests: tests/unit/format/check_gtg.c */
#include "engine/format/gtg/gtg.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Counts the lines of a file that is read in pieces. Lines that begin with '%' are not counted. */
struct lines {
    uint64_t n;
    bool middle; /* the last piece ended inside a line */
};

static void after_count(struct lines *l, const char *p, size_t n)
{
    const char *end = p + n;
    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        l->n += !l->middle && *p != '%';
        l->middle = nl == NULL;
        p = nl ? nl + 1 : end;
    }
}

static bool after_paje_complete(struct gtg *g, FILE *f, gzFile z)
{
    static char buf[1 << 17];
    struct lines l = { 0 };
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, f))) {
        after_count(&l, buf, n);
        if (z && gzwrite(z, buf, (unsigned)n) != (int)n)
            return false;
    }
    return !ferror(f) && !l.middle && l.n == g->lines;
}

static void after_paje(struct gtg *g)
{
    const char *file = "t_root.ept";
    gzFile z = NULL;
    FILE *f = fopen(file, "r");
    if (!f)
        gtg_fail(g, "libgtg wrote no trace");
    if (g->compress && !(z = gzopen("t.gz", "w")))
        gtg_incomplete(g);
    bool ok = after_paje_complete(g, f, z);
    fclose(f);
    if (z && gzclose(z) != Z_OK)
        ok = false;
    if (!ok || (rename(z ? "t.gz" : file, "t.trace")))
        gtg_incomplete(g);
}

/* ---- the notice ------------------------------------------------------------------------ */

static __attribute__((format(printf, 3, 4))) void note(struct gtg *g, uint64_t n, const char *fmt,
                                                       ...)
{
    size_t at = strlen(g->report->text), room = sizeof g->report->text - at;
    va_list ap;
    if (!n)
        return;
    int k = snprintf(g->report->text + at, room, "%s%" PRIu64 " ", at ? "; " : "", n);
    if (k < 0 || (size_t)k >= room)
        return;
    va_start(ap, fmt);
    vsnprintf(g->report->text + at + k, room - (size_t)k, fmt, ap);
    va_end(ap);
}

void gtg_after(struct gtg *g)
{
    const uint64_t exact = g->type == GTG_T_OTF ? 2200000000000000u : 100000000000000u;
    if (g->type == GTG_T_OTF)
        gtg_after_otf(g);
    else
        after_paje(g);
    note(g, g->rounded, "values of variables rounded: OTF's counters are integers");
    note(g, g->left_out, "values of variables left out: no numbers, or too large");
    note(g, g->bent, "ends of links moved to a container of another level");
    if (g->last_ns >= exact)
        note(g, exact / 1000000000u, "seconds after the beginning, times lose their last digit");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.c - reads TAU's filter files: lists of routines and files between BEGIN_... and END_...
 *
 * A line is a name, as in a clause's routine or file, with or without quotes. A line that begins
 * with '#' is a comment, so a pattern that begins with '#' needs quotes. BEGIN_INSTRUMENT_SECTION
 * and END_INSTRUMENT_SECTION enclose clauses, and are ignored.
 * Tests: tests/unit/modules/check_spec.c */
#include <string.h>

#include "modules/instrument/spec/words.h"

static struct ez_piece filter_line(const struct ez_src *t, size_t at)
{
    struct ez_piece p = { at, ez_src_line_end(t, at) - at };
    while (p.n && strchr(" \t\r\f\v", t->text[p.at]))
        p.at++, p.n--;
    while (p.n && strchr(" \t\r\f\v", t->text[p.at + p.n - 1]))
        p.n--;
    return p;
}

/* Returns the list (enum ez_spec_list) whose marker, PREFIX_NAME, is on the line. EZ_SPEC_LISTS:
 * the marker is INSTRUMENT_SECTION; larger: no marker. */
static unsigned filter_marker(const struct ez_src *t, struct ez_piece line, const char *prefix)
{
    size_t n = strlen(prefix);
    if (line.n < n || memcmp(t->text + line.at, prefix, n) != 0)
        return EZ_SPEC_LISTS + 1;
    struct ez_piece name = { line.at + n, line.n - n };
    for (unsigned i = 0; i < EZ_SPEC_LISTS; i++)
        if (ez_piece_is(t, name, ez_spec_list_names[i]))
            return i;
    return ez_piece_is(t, name, "INSTRUMENT_SECTION") ? EZ_SPEC_LISTS : EZ_SPEC_LISTS + 1;
}

static const char *filter_name(unsigned list)
{
    return list < EZ_SPEC_LISTS ? ez_spec_list_names[list] : "INSTRUMENT_SECTION";
}

static void filter_add(struct ez_spec *s, struct ez_src *t, unsigned list, struct ez_piece p)
{
    if (p.n > 1 && t->text[p.at] == '"' && t->text[p.at + p.n - 1] == '"') {
        p.at++;
        p.n -= 2;
    }
    if (!p.n || t->text[p.at] == '"')
        ez_src_error(t, p.at, p.n ? "the quote is not closed on its line" : "the name is empty");
    else
        EZ_PUSH(&s->lists[list], ((struct ez_spec_pattern){ .text = ez_piece_copy(t, p) }));
}

/* Skips a marker of INSTRUMENT_SECTION, which has no effect. Returns false if the line is no
 * marker. Reports a marker END_... without its BEGIN_... */
static bool filter_section(struct ez_src *t, struct ez_piece line, size_t *at)
{
    unsigned end = filter_marker(t, line, "END_");
    if (filter_marker(t, line, "BEGIN_") != EZ_SPEC_LISTS && end > EZ_SPEC_LISTS)
        return false;
    if (end < EZ_SPEC_LISTS)
        ez_src_error(t, line.at, "END_%s without BEGIN_%s", filter_name(end), filter_name(end));
    *at = line.at + line.n;
    return true;
}

bool ez_spec_read_list(struct ez_spec *s, struct ez_src *t, size_t *at)
{
    struct ez_piece line = filter_line(t, *at);
    size_t begin = line.at;
    unsigned list = filter_marker(t, line, "BEGIN_");
    if (list >= EZ_SPEC_LISTS)
        return filter_section(t, line, at);
    for (size_t i = ez_src_line_end(t, *at); i < t->n;) {
        line = filter_line(t, i + 1);
        i = ez_src_line_end(t, i + 1);
        if (filter_marker(t, line, "END_") == list) {
            *at = line.at + line.n;
            return true;
        }
        if (filter_marker(t, line, "END_") <= EZ_SPEC_LISTS ||
            filter_marker(t, line, "BEGIN_") <= EZ_SPEC_LISTS) {
            ez_src_error(t, line.at, "END_%s was expected before", filter_name(list));
            *at = line.at;
            while (*at && t->text[*at - 1] != '\n')
                --*at;
            *at -= *at > 0; /* The line is read again from its beginning. */
            return true;
        }
        if (line.n && t->text[line.at] != '#')
            filter_add(s, t, list, line);
    }
    ez_src_error(t, begin, "this list has no END_%s", filter_name(list));
    *at = t->n;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame.c - finds the fragments that the compiler refuses (fragment.h).
 *
 * A compiler's message names a place of the specification, but a clause there may be in the
 * fragments of a thousand routines. So the text is compiled once more, without its line directives.
 * Messages then have line numbers of that text, and each line belongs to one fragment or to the
 * start of the text, which all share.
 * Tests: tests/procs/spec.sh */
#include <stdio.h>
#include <string.h>

#include "modules/instrument/fragment/fragment.h"
#include "modules/tool.h"

/* Returns the text with its line directives made empty. The caller frees it. */
static char *blame_plain(const struct ez_fragment_unit *u)
{
    char *text = ez_strndup(u->text.at, u->text.n);
    for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, "#line ", 6) ||
            (!strncmp(line, "# ", 2) && line[2] >= '0' && line[2] <= '9'))
            memset(line, ' ', strcspn(line, "\n"));
    return text;
}

/* Finds the fragment that contains that line of the text. Returns false if there is none. */
static bool blame_row(const char *text, unsigned line, unsigned *row)
{
    bool in = false;
    for (unsigned at = 1; at <= line && *text; at++) {
        if (sscanf(text, "EZT_FRAGMENT(%u)", row) == 1 ||
            sscanf(text, "subroutine ez_fragment_%u", row) == 1)
            in = true;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return in;
}

static void blame_leave(struct ez_fragments *f, unsigned row, const char *why)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->routine[i].applies && f->routine[i].row == row)
            ez_fragment_leave(f, i, why);
}

/* Excludes all routines of the unit, if other units exist: the error is in the text at the unit's
 * start, which all routines share. Returns the number of excluded routines. */
static unsigned blame_head(struct ez_fragments *f, const char *text, const char *why)
{
    unsigned row, n = 0, applies = 0;
    EZ_FREE bool *in = ez_alloc((f->rows + 1) * sizeof *in);
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (sscanf(text, "EZT_FRAGMENT(%u)", &row) == 1 && row < f->rows)
            in[row] = true;
    for (size_t i = 0; i < f->n; i++) {
        applies += f->routine[i].applies;
        n += f->routine[i].applies && in[f->routine[i].row];
    }
    for (size_t i = 0; i < f->n && n < applies; i++)
        if (f->routine[i].applies && in[f->routine[i].row])
            ez_fragment_leave(f, i, why);
    return n < applies ? n : 0;
}

/* Reads messages such as "<stdin>:12:3: error: words", and excludes the routine of each. gfortran
 * prints the words some lines later, after "Error: ". */
static unsigned blame_listen(struct ez_fragments *f, const char *text, char *said)
{
    unsigned line = 0, col, row, found = 0;
    for (char *one; (one = strsep(&said, "\n"));) {
        if (sscanf(one, "<stdin>:%u:%u", &line, &col) != 2 && strncmp(one, "Error: ", 7))
            continue;
        const char *error = strstr(one, "rror: ");
        if (!error || !line)
            continue;
        EZ_FREE char *why = ez_fragment_plain(error + strlen("rror: "));
        if (!blame_row(text, line, &row)) {
            found += blame_head(f, text, why);
            continue;
        }
        blame_leave(f, row, why);
        found++;
        line = 0;
    }
    return found;
}

bool ez_fragment_blame(struct ez_fragments *f, const struct ez_fragment_unit *u,
                       const char *const *argv)
{
    bool good;
    EZ_FREE char *said = NULL, *text = blame_plain(u);
    const struct ez_tool tool = {
        .what = "the compiler", .hint = "", .argv = argv, .text = text, .n = strlen(text)
    };
    ez_err *e = ez_tool_run(&tool, &good, &said);
    return ez_err_drop(e) && !good && blame_listen(f, text, said);
}

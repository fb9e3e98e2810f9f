/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec_end.c - finds the end of a Fortran routine in its source file, if that is readable (spec.h).
 *
 * Debug information does not describe the END of a procedure with CONTAINS. The END follows the
 * last internal procedure, after blank lines and comments.
 * Tests: tests/source/places.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmds/probe/spec.h"
#include "engine/base/foreign.h"
#include "engine/base/strutil.h"

#define END_MOST (16u << 20) /* maximum bytes of a file */

/* Reads the file by its name. If that fails, reads a file with the same base name in the current
 * folder, as `list` does. */
static char *end_load(const char *file)
{
    size_t got = 0;
    int fd = ez_foreign_regular(file);
    fd = fd < 0 ? ez_foreign_regular(ez_base_name(file)) : fd;
    char *text = ez_alloc(END_MOST + 1ul);
    for (ssize_t n = 1; fd >= 0 && n > 0 && got<END_MOST; got += n> 0 ? (size_t)n : 0)
        n = read(fd, text + got, END_MOST - got);
    if (fd >= 0)
        close(fd);
    text[got] = 0;
    return text;
}

/* Returns true for a blank line, a comment or a preprocessor line. */
static bool end_is_nothing(const char *line)
{
    const char *p = line + strspn(line, " \t\r");
    const bool fixed = strchr("cC*", *line) && *line && !isalnum((unsigned char)line[1]);
    return !*p || *p == '\n' || *p == '!' || *line == '#' || fixed;
}

/* Returns true for "end", "end subroutine f"; false for "10 enddo". */
static bool end_is_end(const char *line)
{
    static const char *const what[] = { "subroutine", "function", "program", "procedure" };
    const char *p = line + strspn(line, " \t0123456789");
    if (strncasecmp(p, "end", 3))
        return false;
    p += 3 + strspn(p + 3, " \t");
    for (size_t i = 0; i < EZ_ARRAY_LEN(what); i++)
        if (!strncasecmp(p, what[i], strlen(what[i])))
            return true;
    return !*p || strchr("\r\n!;", *p);
}

unsigned spec_end_line(struct spec_end *e, const char *file, unsigned line)
{
    unsigned at = 1;
    if (!e->file || strcmp(e->file, file) != 0) {
        spec_end_free(e);
        e->file = ez_strdup(file);
        e->text = end_load(file);
    }
    const char *p = e->text;
    for (; at < line && *p; at++)
        p += strcspn(p, "\n"), p += *p == '\n';
    for (; *p && end_is_nothing(p); at++)
        p += strcspn(p, "\n"), p += *p == '\n';
    return *p && end_is_end(p) ? at : line;
}

void spec_end_free(struct spec_end *e)
{
    free(e->file);
    free(e->text);
    *e = (struct spec_end){ NULL, NULL };
}

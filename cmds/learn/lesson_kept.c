/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_kept.c - remembers passed lessons beyond the session. The file eztsh/lessons in the user's
 * state folder ($XDG_STATE_HOME, else ~/.local/state) has a title a line. If the file is not
 * readable or writable, nothing is stored and no error is printed, because no lesson depends on it.
 * Tests: tests/procs/lessons.sh */
#include <string.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmds/learn/lesson.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"

#define MOST (64u << 10) /* maximum bytes of the file */

/* Returns the path of the file; `make` creates its folders. NULL: no state folder is known. The
 * caller frees. */
static char *kept_path(bool make)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *path = state && *state == '/' ? ez_sprintf("%s/eztsh/lessons", state)
                 : home && *home == '/' ? ez_sprintf("%s/.local/state/eztsh/lessons", home)
                                        : NULL;
    for (char *p = path ? path + 1 : NULL; make && p && (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        /* mkdir() fails if the folder exists, and on real errors, which fopen() then reports. */
        mkdir(path, 0700);
    }
    return path;
}

static bool kept_has(const char *text, const char *title)
{
    size_t n = strlen(title);
    for (const char *p = text; p && (p = strstr(p, title)); p += n)
        if ((p == text || p[-1] == '\n') && p[n] == '\n')
            return true;
    return false;
}

static char *kept_load(const char *path)
{
    size_t n;
    return path ? ez_str_load(path, MOST, &n) : NULL;
}

bool lesson_is_passed(const char *title)
{
    EZ_FREE char *path = kept_path(false);
    EZ_FREE char *text = kept_load(path);
    return kept_has(text, title);
}

void lesson_pass(const char *title)
{
    EZ_FREE char *path = kept_path(true);
    EZ_FREE char *text = kept_load(path);
    struct ez_outfile *f;
    if (!path || kept_has(text, title) || !ez_err_drop(ez_outfile_open(path, false, &f)))
        return;
    ez_outfile_printf(f, "%s%s\n", text ? text : "", title);
    ez_err_drop(ez_outfile_commit(f));
    ez_outfile_destroy(f);
}

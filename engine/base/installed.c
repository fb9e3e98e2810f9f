/* SPDX-License-Identifier: GPL-3.0-or-later */
/* installed.c - finds the files that belong to eztsh (installed.h).
 * Tests: tests/e2e/install.sh, tests/procs/cost.sh, tests/procs/module.sh,
 * tests/procs/manners.sh */
#include "engine/base/installed.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "engine/base/base.h"
#include "engine/base/strutil.h"

#define FOLDERS_MOST 64

char *ez_own_program(void)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    return ez_strndup(self, n > 0 ? (size_t)n : 0);
}

/* Returns the folder of the running program, or "". The caller frees the text. */
static char *installed_own_folder(void)
{
    char *self = ez_own_program(), *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    return self;
}

/* Sets *a and *b to the lengths of the paths x and y without the trailing components that x and y
 * have in common. */
static void installed_prefixes(const char *x, const char *y, size_t *a, size_t *b)
{
    size_t i = strlen(x), j = strlen(y);
    *a = i;
    *b = j;
    while (i && j && x[i - 1] == y[j - 1]) {
        i--;
        j--;
        if (x[i] == '/') {
            *a = i;
            *b = j;
        }
    }
}

/* Returns the current path of the file or folder that `make install` put at `path`. The caller
 * frees the text. own: folder of the running program. If the installation was moved later, and the
 * file exists below the new prefix, the path begins with the new prefix. */
static char *installed_path(const char *own, const char *path)
{
    size_t now, then;
    installed_prefixes(own, EZ_BINDIR, &now, &then);
    if (!strncmp(path, EZ_BINDIR, then) && path[then] == '/') {
        char *moved = ez_sprintf("%.*s%s", (int)now, own, path + then);
        if (!access(moved, F_OK))
            return moved;
        free(moved);
    }
    return ez_strdup(path);
}

/* Returns the path of a file. If the file `built`, a path relative to the folder of the running
 * program, exists (a build tree), returns this file; otherwise returns the current path of the file
 * that was installed at `path`. The caller frees the text. */
static char *installed_or_built(const char *built, const char *path)
{
    EZ_FREE char *own = installed_own_folder();
    char *here = ez_sprintf("%s/%s", own, built);
    if (!access(here, F_OK))
        return here;
    free(here);
    return installed_path(own, path);
}

char *ez_helper(const char *name, const char *variable)
{
    const char *set = getenv(variable);
    if (set)
        return ez_strdup(set);
    EZ_FREE char *installed = ez_sprintf(EZ_LIBEXECDIR "/%s", name);
    return installed_or_built(name, installed);
}

char *ez_example(const char *name)
{
    EZ_FREE char *built = ez_sprintf("examples/%s", name);
    EZ_FREE char *installed = ez_sprintf(EZ_EXAMPLEDIR "/%s", name);
    return installed_or_built(built, installed);
}

char *ez_header_folder(void)
{
    return installed_or_built("modules/include", EZ_INCLUDEDIR);
}

/* Appends `folder` to v if it is an absolute path and v has room, else frees it. */
static void folders_add(char **v, size_t *n, char *folder)
{
    if (*n < FOLDERS_MOST && *folder == '/')
        v[(*n)++] = folder;
    else
        free(folder);
}

char **ez_module_folders(size_t *n)
{
    char **v = ez_alloc(FOLDERS_MOST * sizeof *v);
    const char *list = getenv("EZTRACE_LIBRARY_PATH");
    *n = 0;
    for (const char *p = list ? list : ""; *p; p += strcspn(p, ":"), p += *p == ':') {
        size_t len = strcspn(p, ":");
        char real[PATH_MAX];
        EZ_FREE char *one = ez_strndup(p, len);
        if (len && realpath(one, real))
            folders_add(v, n, ez_strdup(real));
    }
    EZ_FREE char *own = installed_own_folder();
    folders_add(v, n, ez_sprintf("%s/modules", own));
    folders_add(v, n, installed_path(own, EZ_MODULEDIR));
    return v;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folders.c - see folders.h. The folders are those of EZTRACE_LIBRARY_PATH (separated by colons;
 * empty ones, which would be the current directory, are skipped), then the one beside eztsh in a
 * build tree, then the installed one.
 *
 * Test: tests/procs/module.sh */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/folders.h"
#include "engine/base/strutil.h"

#define FOLDERS_MOST 64

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
        EZ_FREE char *one = ez_sprintf("%.*s", (int)len, p);
        if (len && realpath(one, real))
            folders_add(v, n, ez_strdup(real));
    }
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len > 0) {
        self[len] = 0;
        *strrchr(self, '/') = 0;
        folders_add(v, n, ez_sprintf("%s/modules", self));
    }
    folders_add(v, n, ez_strdup(EZ_MODULEDIR));
    return v;
}

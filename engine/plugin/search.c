/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - where modules are looked for: the folders of EZTRACE_LIBRARY_PATH (parted by colons;
 * an empty one is left out: it would be the current directory), then the one beside eztsh in a
 * build tree, then the one that eztsh was installed with.
 * Test: tests/procs/module.sh */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/helper.h"
#include "engine/plugin/plugin.h"

#define FOLDERS_MOST 64

static void search_add(char **v, size_t *n, char *folder)
{
    if (*n < FOLDERS_MOST && *folder == '/')
        v[(*n)++] = folder;
    else
        free(folder);
}

char **ez_plugin_folders(size_t *n)
{
    char **v = ez_alloc(FOLDERS_MOST * sizeof *v);
    const char *list = getenv("EZTRACE_LIBRARY_PATH");
    *n = 0;
    for (const char *p = list ? list : ""; *p; p += strcspn(p, ":"), p += *p == ':') {
        size_t len = strcspn(p, ":");
        char real[PATH_MAX];
        EZ_FREE char *one = ez_sprintf("%.*s", (int)len, p);
        if (len && realpath(one, real))
            search_add(v, n, ez_strdup(real));
    }
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len > 0) {
        self[len] = 0;
        *strrchr(self, '/') = 0;
        search_add(v, n, ez_sprintf("%s/modules", self));
    }
    search_add(v, n, ez_strdup(EZ_MODULEDIR));
    return v;
}

ez_err *ez_plugin_find(const char *name, char **path)
{
    char real[PATH_MAX];
    size_t n;
    *path = NULL;
    if (strchr(name, '/')) {
        if (!realpath(name, real))
            return ez_err_new(EZ_E_NOTFOUND, 0, "%s: No such file or directory.", name);
        *path = ez_strdup(real);
        return NULL;
    }
    char **folder = ez_plugin_folders(&n);
    for (size_t i = 0; i < n; i++) {
        EZ_FREE char *at = ez_sprintf("%s/%s.so", folder[i], name);
        if (!*path && !access(at, R_OK))
            *path = ez_strdup(at);
        free(folder[i]);
    }
    free(folder);
    return *path
               ? NULL
               : ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "There is no module \"%s\".", name),
                             "\"module list\" shows those that are there; ./FILE.so names a file");
}

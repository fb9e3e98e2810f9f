/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - finds a module's file by its name.
 * Tests: tests/procs/module.sh */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/installed.h"
#include "engine/plugin/plugin.h"

ez_err *ez_plugin_find(const char *name, char **path)
{
    char real[PATH_MAX];
    size_t n;
    *path = NULL;
    if (strchr(name, '/')) {
        if (!realpath(name, real))
            return ez_err_new(EZ_E_NOTFOUND, 0, "%s: No such file or directory", name);
        *path = ez_strdup(real);
        return NULL;
    }
    char **folder = ez_module_folders(&n);
    for (size_t i = 0; i < n; i++) {
        EZ_FREE char *at = ez_sprintf("%s/%s.so", folder[i], name);
        if (!*path && !access(at, R_OK) && realpath(at, real))
            *path = ez_strdup(real);
        free(folder[i]);
    }
    free(folder);
    return *path ? NULL
                 : ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "There is no module \"%s\"", name),
                               "\"module list\" shows the modules; ./FILE.so names a file");
}

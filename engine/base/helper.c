/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.c - see helper.h. Tests: tests/procs/cost.sh, tests/procs/manners.sh */
#include "engine/base/helper.h"

#include <limits.h>
#include <string.h>

#include "config.h"
#include "engine/base/base.h"

char *ez_helper(const char *name, const char *variable)
{
    char self[PATH_MAX];
    const char *set = getenv(variable);
    if (set)
        return ez_strdup(set);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash) {
        char *beside = ez_sprintf("%.*s/%s", (int)(slash - self), self, name);
        if (!access(beside, X_OK))
            return beside;
        free(beside);
    }
    return ez_sprintf(EZ_LIBEXECDIR "/%s", name);
}

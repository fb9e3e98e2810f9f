/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cachedir.h - folders of eztsh below the user's cache folder: $XDG_CACHE_HOME or ~/.cache.
 *
 * Invariants: such a folder, and each file that is used from it, belongs to the user, and nobody
 * else can write to it or replace it.
 *
 * Tests: tests/procs/spec.sh, tests/unit/trace/check_index.c */
#ifndef EZ_CACHEDIR_H
#define EZ_CACHEDIR_H

#include <sys/types.h>

#include "engine/base/base.h"

struct ez_cachedir {
    char *path;   /* NULL if neither HOME nor XDG_CACHE_HOME is an absolute path */
    char *unsafe; /* the first folder or link that other users could replace, or NULL */
    int err;      /* errno if the folder is missing, or could not be made */
};

/* Finds the folder "eztsh/NAME". With `make`, makes the folder if it is missing. Returns true if
 * the folder is safe to use; otherwise returns false, and d->unsafe, d->err, or a NULL d->path is
 * the reason. The caller calls ez_cachedir_close(). */
bool ez_cachedir_open(struct ez_cachedir *d, const char *name, bool make) EZ_WUR;
void ez_cachedir_close(struct ez_cachedir *d);
/* Returns true if the file or folder (`kind`: S_IFREG or S_IFDIR) belongs to the user, and no other
 * user can write to it. Does not follow a symbolic link. */
bool ez_cachedir_is_ours(const char *path, mode_t kind);

#endif

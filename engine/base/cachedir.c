/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cachedir.c - folders of eztsh below the user's cache folder (cachedir.h). */
#include "engine/base/cachedir.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#define LINKS 40 /* maximum number of symbolic links that are followed on the path to the cache */

bool ez_cachedir_is_ours(const char *path, mode_t kind)
{
    struct stat st;
    return !lstat(path, &st) && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid() &&
           !(st.st_mode & 022);
}

/* Checks that nobody else can replace the folder. The folder, each folder above it, and each
 * symbolic link on its path must belong to the user or root, and no other user may have permission
 * to write to them, as ssh and sudo require. A folder to which everybody can write, such as /tmp,
 * is accepted if its sticky bit protects the files of other users. Returns the first unsafe path,
 * or NULL if the folder is safe. The caller frees the path. links: number of links followed so
 * far. */
static char *cachedir_unsafe(const char *folder, unsigned links)
{
    struct stat st;
    char to[PATH_MAX];
    EZ_FREE char *path = ez_strdup(folder);
    for (char *end = path + strlen(path); end > path + 1 && end[-1] == '/';)
        *--end = 0;
    char *last = strrchr(path, '/');
    EZ_FREE char *above = ez_strndup(path, (size_t)EZ_MAX(last - path, 1));
    char *unsafe = last > path || path[1] ? cachedir_unsafe(above, links) : NULL;
    if (unsafe)
        return unsafe;
    bool trusted = !lstat(path, &st) && (!st.st_uid || st.st_uid == geteuid());
    if (!trusted || (S_ISLNK(st.st_mode) && links == LINKS))
        return ez_strdup(path);
    if (!S_ISLNK(st.st_mode))
        return S_ISDIR(st.st_mode) && (!(st.st_mode & 022) || st.st_mode & S_ISVTX)
                   ? NULL
                   : ez_strdup(path);
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return ez_strdup(path);
    to[n] = 0;
    EZ_FREE char *next = *to == '/' ? ez_strdup(to) : ez_sprintf("%s/%s", above, to);
    return cachedir_unsafe(next, links + 1);
}

/* Makes the folder if it is missing and `make` is set. Returns false and sets errno if the folder
 * does not exist. */
static bool cachedir_make(const char *path, bool make)
{
    return make ? !mkdir(path, 0700) || errno == EEXIST : !access(path, F_OK);
}

bool ez_cachedir_open(struct ez_cachedir *d, const char *name, bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    EZ_FREE char *top = cache && *cache == '/' ? ez_strdup(cache)
                        : home && *home == '/' ? ez_sprintf("%s/.cache", home)
                                               : NULL;
    *d = (struct ez_cachedir){ .path = NULL };
    if (!top)
        return false;
    EZ_FREE char *ours = ez_sprintf("%s/eztsh", top);
    d->path = ez_sprintf("%s/%s", ours, name);
    d->unsafe = cachedir_make(top, make) ? cachedir_unsafe(top, 0) : NULL;
    if (d->unsafe)
        return false;
    if (!cachedir_make(ours, make) || !cachedir_make(d->path, make)) {
        d->err = errno;
        return false;
    }
    if (ez_cachedir_is_ours(ours, S_IFDIR) && ez_cachedir_is_ours(d->path, S_IFDIR))
        return true;
    d->unsafe = ez_strdup(d->path);
    return false;
}

void ez_cachedir_close(struct ez_cachedir *d)
{
    free(d->path);
    free(d->unsafe);
    *d = (struct ez_cachedir){ .path = NULL };
}

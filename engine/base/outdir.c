/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outdir.c - an output folder that appears only when it is complete (outdir.h). */
#include "engine/base/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/newfile.h"

/* Called for each file and folder below the folder `top`, for a folder after its contents. `path`
 * is the whole path, `name` is relative to `top`. Returns false to end the walk. */
typedef bool visit_fn(void *arg, const char *path, const char *name, bool folder);

/* Calls fn for the contents of top/below and of the folders in it, but no deeper than two levels
 * below `top`. Returns false if fn returned false, or if a folder cannot be read. */
static bool outdir_walk(const char *top, const char *below, visit_fn *fn, void *arg)
{
    EZ_FREE char *folder = ez_sprintf("%s/%s", top, below);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    bool go = d != NULL;
    for (struct dirent *e; go && (e = readdir(d));) {
        struct stat st;
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        EZ_FREE char *name = ez_sprintf("%s%s%s", below, *below ? "/" : "", e->d_name);
        EZ_FREE char *path = ez_sprintf("%s/%s", top, name);
        if (lstat(path, &st))
            continue;
        bool is_folder = S_ISDIR(st.st_mode);
        go = (!is_folder || *below || outdir_walk(top, name, fn, arg)) &&
             fn(arg, path, name, is_folder);
    }
    if (d)
        closedir(d);
    return go;
}

static bool outdir_is_ours(void *arg, const char *path, const char *name, bool folder)
{
    return ((struct ez_outdir *)arg)->ours(name, folder);
}

static bool outdir_delete_ours(void *arg, const char *path, const char *name, bool folder)
{
    if (((struct ez_outdir *)arg)->ours(name, folder))
        (void)!(folder ? rmdir(path) : unlink(path));
    return true;
}

static void outdir_delete_folder(struct ez_outdir *d, const char *path)
{
    outdir_walk(path, "", outdir_delete_ours, d);
    rmdir(path);
}

static ez_err *outdir_refused(struct ez_outdir *d)
{
    struct stat st;
    if (lstat(d->real, &st))
        return NULL;
    if (S_ISDIR(st.st_mode) && outdir_walk(d->real, "", outdir_is_ours, d))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s exists and is not %s", d->path, d->kind),
                       "Choose another name, or move the existing file away");
}

ez_err *ez_outdir_open(struct ez_outdir *d, const char *path, const char *kind,
                       ez_outdir_ours *ours)
{
    EZ_FREE char *bare = ez_strdup(path);
    for (size_t n = strlen(bare); n > 1 && bare[n - 1] == '/'; n--)
        bare[n - 1] = 0;
    *d = (struct ez_outdir){
        .path = ez_strdup(path), .real = ez_newfile_place(bare), .kind = kind, .ours = ours
    };
    ez_err *e = outdir_refused(d);
    int made = -1;
    for (unsigned n = 0; !e && made && n < 1000; n++) {
        EZ_FREE char *tmp = ez_newfile_beside(d->real, n);
        made = mkdir(tmp, 0777);
        if (!made)
            d->tmp = ez_strdup(tmp);
        else if (errno != EEXIST)
            break;
    }
    if (!e && made)
        e = ez_err_new(EZ_E_SYS, errno, "Cannot write %s", path);
    if (e)
        ez_outdir_close(d);
    return e;
}

/* Exchanges the two folders in one step, or in several if the file system cannot do that. Returns
 * false and sets errno if the new folder is not at d->real then. */
static bool outdir_exchange(struct ez_outdir *d)
{
    if (!renameat2(AT_FDCWD, d->tmp, AT_FDCWD, d->real, RENAME_EXCHANGE))
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    EZ_FREE char *aside = ez_sprintf("%s.old", d->tmp);
    if (rename(d->real, aside))
        return false;
    if (rename(d->tmp, d->real)) {
        int why = errno;
        (void)!rename(aside, d->real);
        errno = why;
        return false;
    }
    (void)!rename(aside, d->tmp);
    return true;
}

ez_err *ez_outdir_commit(struct ez_outdir *d)
{
    /* checks again, because another process may have created something at this path */
    EZ_TRY(outdir_refused(d));
    /* rename() replaces an empty folder; a folder with contents needs the exchange */
    bool replaced = false;
    if (rename(d->tmp, d->real)) {
        if (errno != ENOTEMPTY && errno != EEXIST)
            return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", d->path);
        if (!outdir_exchange(d))
            return ez_err_new(EZ_E_SYS, errno, "Cannot replace %s", d->path);
        replaced = true;
    }
    if (replaced)
        outdir_delete_folder(d, d->tmp);
    free(d->tmp);
    d->tmp = NULL;
    return NULL;
}

void ez_outdir_close(struct ez_outdir *d)
{
    if (d->tmp)
        outdir_delete_folder(d, d->tmp);
    free(d->tmp);
    free(d->real);
    free(d->path);
    *d = (struct ez_outdir){ 0 };
}

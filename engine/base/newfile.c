/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newfile.c - creates the shell's output files (newfile.h). */
#include "engine/base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/strutil.h"

enum { LINKS = 40, TRIES = 1000 };

/* ---- names -------------------------------------------------------------------- */

/* Returns the length of the path without the file's name: the length of the folder with its
 * slash. */
static int folder_part(const char *path)
{
    return (int)(ez_base_name(path) - path);
}

static char *newfile_folder_of(const char *path)
{
    int n = folder_part(path);
    return n ? ez_strndup(path, (size_t)n) : ez_strdup(".");
}

/* Returns the target of the symbolic link at `path`, or NULL if there is no link, or if it must not
 * be followed because neither root nor the user owns it. */
static char *newfile_follow(const char *path)
{
    struct stat st;
    char to[PATH_MAX];
    if (lstat(path, &st) || !S_ISLNK(st.st_mode) || (st.st_uid && st.st_uid != geteuid()))
        return NULL;
    ssize_t n = readlink(path, to, sizeof to);
    if (n <= 0 || n == sizeof to)
        return NULL;
    int folder = to[0] == '/' ? 0 : folder_part(path);
    return ez_sprintf("%.*s%.*s", folder, path, (int)n, to);
}

char *ez_newfile_place(const char *path)
{
    char *at = ez_strdup(path), *next = at;
    for (int links = 0; next && links < LINKS; links++) {
        at = next;
        next = newfile_follow(at);
        if (next)
            free(at);
    }
    return next ? next : at;
}

char *ez_newfile_beside(const char *path, unsigned n)
{
    const char *base = ez_base_name(path);
    size_t most = NAME_MAX - 32; /* a long name is cut to leave room for the suffix */
    int keep = (int)(base - path + (ptrdiff_t)EZ_MIN(strlen(base), most));
    return ez_sprintf("%.*s.%d-%u.tmp", keep, path, getpid(), n);
}

ez_err *ez_newfile_refused(const char *place)
{
    struct stat st;
    if (lstat(place, &st) || S_ISLNK(st.st_mode))
        return NULL;
    if (S_ISDIR(st.st_mode))
        return ez_err_new(EZ_E_ARG, 0, "%s is a folder", place);
    if (!S_ISREG(st.st_mode))
        return ez_err_new(EZ_E_ARG, 0, "%s is not a regular file", place);
    if (access(place, W_OK))
        return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", place);
    return NULL;
}

/* ---- files -------------------------------------------------------------------- */

/* Returns true if newfile_name_it() can give a name to an unnamed file. */
static bool newfile_procfs(void)
{
    return !access("/proc/self/fd", X_OK);
}

bool ez_newfile_open(struct ez_newfile *f, const char *place, mode_t mode)
{
    struct stat st;
    EZ_FREE char *folder = newfile_folder_of(place);
    *f = (struct ez_newfile){ .fd = -1 };
    if (newfile_procfs())
        f->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    for (unsigned n = 0; f->fd < 0 && n < TRIES; n++) {
        free(f->tmp);
        f->tmp = ez_newfile_beside(place, n);
        f->fd = open(f->tmp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (f->fd < 0 && errno != EEXIST)
            break;
    }
    if (f->fd < 0) {
        int why = errno;
        free(f->tmp);
        f->tmp = NULL;
        errno = why;
        return false;
    }
    if (!lstat(place, &st) && S_ISREG(st.st_mode)) /* keep the permissions of the replaced file */
        (void)!fchmod(f->fd, st.st_mode & 0777);
    return true;
}

/* Links the unnamed file to the name. Returns false if the name exists: linkat() never replaces a
 * file. */
static bool newfile_name_it(struct ez_newfile *f, const char *name)
{
    char from[40];
    snprintf(from, sizeof from, "/proc/self/fd/%d", f->fd);
    return !linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static bool newfile_forget_name(struct ez_newfile *f)
{
    free(f->tmp);
    f->tmp = NULL;
    return true;
}

bool ez_newfile_claim(struct ez_newfile *f, const char *place)
{
    if (!f->tmp)
        return newfile_name_it(f, place);
    if (renameat2(AT_FDCWD, f->tmp, AT_FDCWD, place, RENAME_NOREPLACE)) {
        if (errno == EEXIST || link(f->tmp, place)) /* NFS supports only link() */
            return false;
        unlink(f->tmp);
    }
    return newfile_forget_name(f);
}

bool ez_newfile_replace(struct ez_newfile *f, const char *place)
{
    if (ez_newfile_claim(f, place)) /* usually the name is free and no temporary name is needed */
        return true;
    for (unsigned n = 0; !f->tmp; n++) {
        EZ_FREE char *name = ez_newfile_beside(place, n);
        if (newfile_name_it(f, name))
            f->tmp = ez_strdup(name);
        else if (errno != EEXIST || n == TRIES)
            return false;
    }
    return !rename(f->tmp, place) && newfile_forget_name(f);
}

void ez_newfile_drop(struct ez_newfile *f)
{
    if (f->tmp)
        unlink(f->tmp);
    newfile_forget_name(f);
}

static bool newfile_accepts_lines(const struct stat *st)
{
    return S_ISREG(st->st_mode) || S_ISCHR(st->st_mode);
}

ez_err *ez_newfile_log(const char *path, bool empty, int *fd)
{
    struct stat st;
    EZ_FREE char *place = ez_newfile_place(path);
    bool there = !lstat(place, &st);
    if (there && !S_ISLNK(st.st_mode) && !newfile_accepts_lines(&st))
        return ez_err_new(EZ_E_ARG, 0, "%s is %s", path,
                          S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
    *fd = open(place,
               O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
                   (empty ? O_TRUNC : O_APPEND),
               0666);
    if (*fd < 0)
        return ez_err_new(EZ_E_SYS, 0, "%s: %s", path, strerror(errno));
    /* checked again, because the file may have been replaced since lstat() */
    if (!fstat(*fd, &st) && newfile_accepts_lines(&st))
        return NULL;
    close(*fd);
    return ez_err_new(EZ_E_ARG, 0, "%s is not a regular file", path);
}

const char *ez_tmp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int ez_newfile_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* for file systems without O_TMPFILE */
    EZ_FREE char *name = ez_sprintf("%s/eztsh-XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

int ez_pwrite_all(int fd, const void *buf, size_t n, uint64_t at, size_t *done)
{
    size_t all = 0;
    int e = 0;
    while (all < n && !e) {
        ssize_t k = pwrite(fd, (const char *)buf + all, n - all, (off_t)(at + all));
        if (k > 0)
            all += (size_t)k;
        else if (k == 0 || errno != EINTR)
            e = k ? errno : EIO;
    }
    if (done)
        *done = all;
    return e;
}

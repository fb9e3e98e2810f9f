/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.c - finds the file of a mapping, and reads its symbols, once per file.
 *
 * A path does not identify the file: the file may have been deleted or replaced, and in another
 * mount namespace the path names another file. So the path is opened below /proc/PID/root, and its
 * device and inode must be those of the mapping. If they differ, the kernel's own links are opened:
 * /proc/PID/exe for the program, /proc/PID/map_files for root, and a descriptor by which the
 * process still has the file open (a memfd has no path).
 *
 * If devices and inodes in /proc/PID/maps differ from those of stat() (overlayfs, btrfs), or if an
 * equal file has replaced the mapped one, the file is accepted if its first page equals the mapped
 * page and contains a build-id.
 * Tests: tests/procs/foreign.sh */
#include "engine/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/base/foreign.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/objects.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"

/* ---- files, read once ------------------------------------------------------------------ */

static ez_err *objects_load(struct ez_target *t, struct ez_foreign *file, const char *path,
                            const char *display, struct ez_object **out)
{
    for (size_t i = 0; i < t->inf.object.n; i++)
        if (ez_object_is_of(t->inf.object.at[i].obj, file)) {
            ez_foreign_close(file);
            *out = t->inf.object.at[i].obj;
            return NULL;
        }
    struct ez_file_entry f = { 0 };
    EZ_TRY(ez_object_load(file, path, display, &f.obj));
    EZ_PUSH(&t->inf.object, f);
    *out = f.obj;
    return NULL;
}

ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out)
{
    struct ez_foreign *file;
    EZ_TRY(ez_foreign_open(path, display, &file));
    return objects_load(t, file, path, display, out);
}

static void objects_note_change(struct ez_target *t, const struct ez_object *o)
{
    if (!o || !ez_object_changed(o))
        return;
    for (size_t i = 0; i < t->inf.object.n; i++) {
        struct ez_file_entry *f = &t->inf.object.at[i];
        if (f->obj != o)
            continue;
        if (!f->reported)
            ez_post_note(t, "%s has changed since its symbols were read; eztsh keeps the old ones.",
                         ez_object_path(o));
        f->reported = true;
    }
}

void ez_objects_changed(struct ez_target *t)
{
    objects_note_change(t, t->inf.prog_obj);
    for (size_t i = 0; i < t->inf.module.n; i++)
        objects_note_change(t, t->inf.module.at[i]->obj);
}

/* ---- the file that is mapped ----------------------------------------------------------- */

static bool objects_same_inode(const struct ez_foreign *file, const struct ez_map *m)
{
    const struct ez_foreign_id *id = ez_foreign_id(file);
    return id->ino == m->inode && id->dev == makedev(m->dev_major, m->dev_minor);
}

/* Returns true if the n bytes at page, the start of a file, contain a build-id note. */
static bool objects_has_build_id(const uint8_t *page, size_t n)
{
    /* head of the note NT_GNU_BUILD_ID */
    static const uint8_t note[] = { 3, 0, 0, 0, 'G', 'N', 'U', 0 };
    return memmem(page, n, note, sizeof note);
}

static bool objects_same_beginning(struct ez_target *t, struct ez_foreign *file,
                                   const struct ez_map *m)
{
    uint8_t live[EZ_PAGE], page[EZ_PAGE];
    size_t n = ez_foreign_read(file, 0, page, sizeof page);
    return n > sizeof(Elf64_Ehdr) && ez_mem_read_some(t, m->lo, live, n) == n &&
           !memcmp(live, page, n) && objects_has_build_id(page, n);
}

/* Returns true if /proc/PID/exe names the mapped file, so that the file is the program. */
static bool objects_is_exe(pid_t tid, const struct ez_map *m)
{
    char text[PATH_MAX];
    EZ_FREE char *exe = ez_sprintf("/proc/%d/exe", tid);
    ssize_t n = readlink(exe, text, sizeof text);
    return n > 0 && (size_t)n == strlen(m->name) && !memcmp(text, m->name, (size_t)n);
}

static ez_err *objects_not_to_be_had(const struct ez_map *m)
{
    const char *why = geteuid() ? "; the kernel shows the old one to root only" : "";
    return ez_err_new(EZ_E_NOTFOUND, 0, "%s: this file was deleted or replaced%s", m->name, why);
}

/* Finds a descriptor by which the process has the mapped file open. Returns false if there is
 * none. */
static bool objects_by_descriptor(pid_t tid, const struct ez_map *m, struct ez_foreign **file,
                                  char **path)
{
    EZ_FREE char *folder = ez_sprintf("/proc/%d/fd", tid);
    const dev_t dev = makedev(m->dev_major, m->dev_minor);
    struct dirent *d;
    struct stat st;
    bool found = false;
    DIR *dir = opendir(folder);
    while (dir && !found && (d = readdir(dir))) {
        EZ_FREE char *link = ez_sprintf("%s/%s", folder, d->d_name);
        if (stat(link, &st) || st.st_ino != m->inode || st.st_dev != dev ||
            !ez_err_drop(ez_foreign_open(link, m->name, file)))
            continue;
        found = objects_same_inode(*file, m);
        if (found)
            *path = ez_strdup(link);
        else
            ez_foreign_close(*file);
    }
    if (dir)
        closedir(dir);
    return found;
}

uint64_t ez_auxv_of(struct ez_target *t, uint64_t type)
{
    Elf64_auxv_t a;
    size_t n;
    if (!t->inf.core)
        return ez_auxv(ez_live_tid(t), type);
    const uint8_t *v = ez_corefile_auxv(t->inf.core, &n);
    for (size_t i = 0; i + sizeof a <= n; i += sizeof a) {
        memcpy(&a, v + i, sizeof a);
        if (a.a_type == type || a.a_type == AT_NULL)
            return a.a_type == type ? a.a_un.a_val : 0;
    }
    return 0;
}

/* Opens the file that was mapped in the process of the core file. */
static ez_err *objects_of_core(struct ez_target *t, const struct ez_map *m, struct ez_object **out)
{
    struct ez_foreign *file;
    bool other;
    const char *path = ez_corefile_find(t->inf.core, m->name, &other);
    if (!path)
        return ez_err_new(EZ_E_NOTFOUND, 0,
                          other ? "%s is not the file that the process had mapped (another "
                                  "build-id)"
                                : "%s: there is no such file",
                          m->name);
    EZ_TRY(ez_foreign_open(path, m->name, &file));
    return objects_load(t, file, path, path, out);
}

ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m, struct ez_object **out)
{
    if (t->inf.core)
        return objects_of_core(t, m, out);
    struct ez_foreign *file = NULL;
    const pid_t tid = ez_live_tid(t);
    EZ_FREE char *inside = ez_sprintf("/proc/%d/root%s", tid, m->name);
    EZ_FREE char *exe = ez_sprintf("/proc/%d/exe", tid);
    EZ_FREE char *mapped =
        ez_sprintf("/proc/%d/map_files/%lx-%lx", tid, (unsigned long)m->lo, (unsigned long)m->hi);
    ez_err *e = ez_foreign_open(inside, m->name, &file);
    if (!e && (objects_same_inode(file, m) || objects_same_beginning(t, file, m)))
        return objects_load(t, file, inside, m->name, out);
    if (!e)
        ez_foreign_close(file);
    if (!e || e->code == EZ_E_NOTFOUND || e->code == EZ_E_FORMAT) {
        ez_err_free(e);
        e = objects_not_to_be_had(m);
    }
    bool found = objects_is_exe(tid, m) && ez_err_drop(ez_foreign_open(exe, m->name, &file));
    const char *path = found ? exe : mapped;
    EZ_FREE char *descriptor = NULL;
    found = found || ez_err_drop(ez_foreign_open(mapped, m->name, &file));
    if (!found && !objects_by_descriptor(tid, m, &file, &descriptor))
        return e;
    ez_err_free(e);
    return objects_load(t, file, descriptor ? descriptor : path, m->name, out);
}

char *ez_mapped_name(const struct ez_map *m)
{
    /* The kernel adds this suffix, unless the file's own name ends in it. */
    static const char mark[] = " (deleted)";
    const size_t n = strlen(m->name), k = sizeof mark - 1;
    bool marked =
        *m->name == '/' && n > k && !strcmp(m->name + n - k, mark) && access(m->name, F_OK);
    return ez_strndup(m->name, marked ? n - k : n);
}

/* ---- the name by which the program was run --------------------------------------------------- */

/* Returns the file name that exec got, as an absolute path, or NULL if it is unknown. */
static char *objects_exec_name(struct ez_target *t, pid_t tid)
{
    char name[PATH_MAX], cwd[PATH_MAX];
    uint64_t at = ez_auxv(tid, AT_EXECFN);
    if (!at || !ez_err_drop(ez_mem_read_string(t, at, name, sizeof name)))
        return NULL;
    if (*name == '/')
        return ez_strdup(name);
    EZ_FREE char *link = ez_sprintf("/proc/%d/cwd", tid);
    ssize_t n = readlink(link, cwd, sizeof cwd - 1);
    if (!*name || n <= 0)
        return NULL;
    cwd[n] = 0;
    return ez_sprintf("%s/%s", strcmp(cwd, "/") ? cwd : "",
                      strncmp(name, "./", 2) ? name : name + 2);
}

void ez_run_name(struct ez_target *t, struct ez_module *m)
{
    struct stat st;
    if (t->inf.core)
        return;
    const pid_t tid = ez_live_tid(t);
    const struct ez_foreign_id *id = ez_object_file(m->obj);
    EZ_FREE char *name = objects_exec_name(t, tid);
    EZ_FREE char *inside = name ? ez_sprintf("/proc/%d/root%s", tid, name) : NULL;
    if (!name || stat(inside, &st) || st.st_ino != id->ino || st.st_dev != id->dev)
        /* the name does not lead to the file: the process may have changed its directory or its
         * auxv */
        return;
    free(m->path);
    m->path = ez_strdup(name);
}

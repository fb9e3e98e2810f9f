/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - the program file: finds it by $PATH, reads it, and reads it again when it has
 * changed.
 * Tests: tests/procs/rebuilt.sh, tests/procs/called.sh */
#include "engine/target.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/objects.h"
#include "engine/inferior/queue.h"
#include "engine/probe/resolve.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the absolute path, with symbolic links in the directory part resolved; a copy of `path`
 * if there is no such directory. The last component is not resolved, because a program may depend
 * on its name (busybox). The caller frees it. */
static char *program_absolute(const char *path)
{
    EZ_FREE char *copy = ez_strdup(path);
    char *slash = strrchr(copy, '/');
    const char *base = slash ? slash + 1 : path;
    if (slash)
        *slash = 0;
    EZ_FREE char *dir = realpath(!slash ? "." : *copy ? copy : "/", NULL);
    if (!dir)
        return ez_strdup(path);
    return ez_sprintf("%s/%s", strcmp(dir, "/") ? dir : "", base);
}

/* Searches $PATH for a name without a slash, unless the current directory has a file of that name.
 * Returns the path, which the caller frees, or NULL if there is none. */
static char *on_path(const char *name)
{
    struct stat st;
    EZ_FREE char *dirs = ez_strdup(getenv("PATH") ? getenv("PATH") : "");
    if (strchr(name, '/') || !*name || !access(name, F_OK))
        return NULL;
    for (char *rest = dirs, *dir; (dir = strsep(&rest, ":"));) {
        char *there = ez_sprintf("%s/%s", *dir ? dir : ".", name);
        if (!stat(there, &st) && S_ISREG(st.st_mode) && !access(there, X_OK))
            return there;
        free(there);
    }
    return NULL;
}

ez_err *ez_target_file(struct ez_target *t, const char *name)
{
    struct ez_object *obj = NULL;
    EZ_FREE char *found = name ? on_path(name) : NULL;
    const char *path = found ? found : name;
    EZ_FREE char *full = path ? program_absolute(path) : NULL;
    if (path && access(path, F_OK) < 0)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: %s", path, strerror(errno));
    ez_progress_begin(t);
    EZ_TRY(ez_progress_end(t, path ? ez_object_cached(t, full, full, &obj) : NULL));
    if (obj && ez_object_machine(obj) != t->inf.arch->elf.machine)
        return ez_err_new(EZ_E_FORMAT, 0,
                          "%s is a program for another processor; this eztsh supports only %s",
                          path, t->inf.arch->name);
    ez_inferior_program(t, path ? full : NULL, obj);
    return NULL;
}

ez_err *ez_program_reread(struct ez_target *t)
{
    const struct ez_object *old = t->inf.prog_obj;
    EZ_TRY(ez_target_file(t, t->inf.program));
    if (!old || old == t->inf.prog_obj)
        return NULL;
    ez_post_note(t, "`%s' has changed; re-reading symbols.", t->inf.program);
    ez_probes_resolve(t, false);
    return NULL;
}

ez_err *ez_modules(struct ez_target *t, void (*fn)(const struct ez_module_info *, void *),
                   void *arg)
{
    if (t->inf.state == EZ_NONE) {
        if (t->inf.prog_obj) {
            /* if the new file cannot be read, the old symbols remain */
            ez_err_drop(ez_program_reread(t));
            struct ez_module_info m = { t->inf.prog_obj, t->inf.program, 0, 0, 0, true };
            m.hi = ez_object_vaddr_max(t->inf.prog_obj);
            ez_objects_changed(t);
            fn(&m, arg);
        }
        return NULL;
    }
    /* while many probes are planted (depth > 0), the list is not read again */
    if ((t->inf.state == EZ_STOPPED && !t->inf.progress.depth) || !t->inf.module.n)
        EZ_TRY(ez_modules_refresh(t));
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module_info m = ez_module_info_of(t->inf.module.at[i]);
        fn(&m, arg);
    }
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_beside.c - paths of other files with parts of a file's debug information: .dwo files,
 * packages of .dwo files (.dwp), and files that dwz extracted.
 *
 * The names come from untrusted files: any path may be in them. So only regular files are opened,
 * for reading (engine/base/foreign.h). The reader is confined and accepts a file only if its id
 * matches. For a process in a container, an absolute path from a file is first looked up in the
 * container's file system.
 *
 * Tests: tests/procs/split.sh */
#include "engine/sym/sym_priv.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"

#define DEBUG_ROOT "/usr/lib/debug"

struct beside {
    const struct ez_object *o;
    EZ_VEC(char *) path;
    int root; /* length of the beginning of o->path that is not part of the path in the container */
};

/* Adds an allocated path, or frees it if b has it already. */
static void beside_add(struct beside *b, char *path)
{
    for (size_t i = 0; i < b->path.n; i++)
        if (!strcmp(b->path.at[i], path)) {
            free(path);
            return;
        }
    EZ_PUSH(&b->path, path);
}

/* Adds the path folder/name, first in the file system of the process's container, then in that of
 * the shell. n: length of `folder`. */
static void beside_add_seen(struct beside *b, const char *folder, int n, const char *name)
{
    const char *slash = n && folder[n - 1] != '/' ? "/" : "";
    if (b->root)
        beside_add(b, ez_sprintf("%.*s%.*s%s%s", b->root, b->o->path, n, folder, slash, name));
    beside_add(b, ez_sprintf("%.*s%s%s", n, folder, slash, name));
}

/* Adds the paths of `name` in the folder of the debug file and in that of the object's file. */
static void beside_add_near(struct beside *b, const char *name)
{
    const char *own = b->o->path,
               *debug = b->o->debug.file ? ez_foreign_path(b->o->debug.file) : "";
    const char *of[] = { debug, own };
    for (size_t i = 0; i < EZ_ARRAY_LEN(of); i++)
        if (*of[i])
            beside_add(b, ez_sprintf("%.*s%s", (int)(ez_base_name(of[i]) - of[i]), of[i], name));
}

static void beside_dwo(struct beside *b, const char *folder, const char *name)
{
    EZ_FREE char *under = ez_sprintf("%s/%s", folder, name);
    if (*name == '/')
        beside_add_seen(b, "", 0, name);
    else if (*folder == '/')
        beside_add_seen(b, folder, (int)strlen(folder), name);
    else if (*folder)
        beside_add_near(b, under);
    if (*name != '/') {
        beside_add_near(b, name);
        beside_add(b, ez_strdup(name));
        beside_add(b, ez_sprintf(DEBUG_ROOT "/%s", name));
    }
    beside_add_near(b, ez_base_name(name));
}

static void beside_pack(struct beside *b)
{
    static const char debug[] = ".debug";
    const char *own = b->o->path, *of = b->o->debug.file ? ez_foreign_path(b->o->debug.file) : NULL;
    size_t n = of ? strlen(of) : 0;
    EZ_FREE char *real = realpath(own, NULL);
    if (of)
        beside_add(b, ez_sprintf("%s.dwp", of));
    if (n > sizeof debug && !strcmp(of + n + 1 - sizeof debug, debug))
        beside_add(b, ez_sprintf("%.*s.dwp", (int)(n + 1 - sizeof debug), of));
    beside_add(b, ez_sprintf("%s.dwp", own));
    beside_add(b, ez_sprintf("%s.dwp", real ? real : own));
    beside_add(b, ez_sprintf("%.*s%s.dwp", b->root, own, b->o->display));
    beside_add(b, ez_sprintf(DEBUG_ROOT "%s.dwp", b->o->display));
}

static void beside_alt(struct beside *b, const char *id, const char *name)
{
    if (*name == '/')
        beside_add_seen(b, "", 0, name);
    else
        beside_add_near(b, name);
    if (strlen(id) > 2)
        beside_add(b, ez_sprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", id, id + 2));
    beside_add(b, ez_sprintf(DEBUG_ROOT "/.dwz/%s", ez_base_name(name)));
}

char *ez_object_beside(const struct ez_object *o, enum ez_beside what, const char *folder,
                       const char *name, size_t k)
{
    const size_t path = strlen(o->path), seen = strlen(o->display);
    const bool below = path > seen && !strcmp(o->path + path - seen, o->display);
    struct beside b = { .o = o, .root = below ? (int)(path - seen) : 0 };
    if (what == EZ_BESIDE_DWO)
        beside_dwo(&b, folder, name);
    else if (what == EZ_BESIDE_PACK)
        beside_pack(&b);
    else
        beside_alt(&b, folder, name);
    char *it = k < b.path.n ? b.path.at[k] : NULL;
    for (size_t i = 0; i < b.path.n; i++)
        if (i != k)
            free(b.path.at[i]);
    EZ_VEC_FREE(&b.path);
    return it;
}

/* ---- notes for the user ---------------------------------------------------------------------- */

static EZ_VEC(char *) beside_notes;

void ez_object_note(char *text)
{
    EZ_PUSH(&beside_notes, text);
}

char *ez_object_noted(void)
{
    if (!beside_notes.n)
        return NULL;
    char *first = beside_notes.at[0];
    beside_notes.n--;
    memmove(beside_notes.at, beside_notes.at + 1, beside_notes.n * sizeof *beside_notes.at);
    return first;
}

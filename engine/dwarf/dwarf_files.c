/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_files.c - opens files for the reader of debug information, which has no access to files:
 * the reader names a file (dwarf_priv.h), and the shell finds it (engine/sym/sym_beside.c), opens
 * it and sends the descriptor.
 *
 * A damaged or hostile file may have taken over the reader. So the shell sends it only regular
 * files, opened for reading, and empty files in memory.
 *
 * Tests: tests/procs/split.sh */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/foreign.h"
#include "engine/dwarf/dwarf_query.h"
#include "engine/sym/sym.h"

#define LARGEST (1ul << 30) /* largest file in memory that the reader may request, in bytes */
/* maximum size of all files in memory for one object, in bytes; the reader may map 2 GiB at a
 * time */
#define MOST_MEMORY (4ul << 30)
#define MOST_NOTES 4

static int dwarffiles_memory(struct ez_dwarf *d, uint64_t n)
{
    if (n > LARGEST || d->given + n > MOST_MEMORY)
        return -1;
    d->given += n;
    int fd = memfd_create("dwo", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)n)) {
        close(fd);
        return -1;
    }
    return fd;
}

static enum ez_beside dwarffiles_kind(uint64_t what)
{
    return what == DWARF_WANT_DWO    ? EZ_BESIDE_DWO
           : what == DWARF_WANT_PACK ? EZ_BESIDE_PACK
                                     : EZ_BESIDE_ALT;
}

/* Opens the first usable file among the paths where the wanted file may be, from path number *k on,
 * and sets *k to the number of its path. Returns -1 if there is none. */
static int dwarffiles_open(const struct ez_dwarf *d, const struct dwarf_want *w, uint64_t *k)
{
    struct ez_foreign *file;
    char *path;
    int fd = -1;
    for (; fd < 0 &&
           (path = ez_object_beside(d->obj, dwarffiles_kind(w->what), w->folder, w->name, *k));
         *k += fd < 0) {
        if (ez_err_drop(ez_foreign_open(path, path, &file))) {
            fd = ez_foreign_dup(file);
            ez_foreign_close(file);
        }
        free(path);
    }
    return fd;
}

/* Returns a text for the user that says why a file is not used. */
static char *dwarffiles_text(const struct ez_dwarf *d, const struct dwarf_want *w)
{
    const char *of = ez_object_path(d->obj);
    const enum dwarf_trouble trouble = w->n & 0xff;
    EZ_FREE char *path =
        ez_object_beside(d->obj, dwarffiles_kind(w->of), w->folder, w->name, w->n >> 8);
    const char *file = path ? path : w->name;
    const char *has = "has a part of its debug information in";
    switch (trouble) {
    case DWARF_TROUBLE_MISSING:
        return w->of == DWARF_WANT_ALT
                   ? ez_sprintf("%s %s %s, which cannot be found", of, has, w->name)
                   : ez_sprintf("Could not find DWO file %s: %s %s it", w->name, of, has);
    case DWARF_TROUBLE_OTHER:
        return ez_sprintf("%s is not used: it is of another build than %s, which %s it", file, of,
                          has);
    case DWARF_TROUBLE_DAMAGED:
        return ez_sprintf("%s %s %s, which cannot be read: it is damaged", of, has, file);
    case DWARF_TROUBLE_FORMAT:
        return ez_sprintf("%s %s %s, which cannot be read: its format is not known", of, has, file);
    }
    return NULL;
}

static void dwarffiles_note(struct ez_dwarf *d, const struct dwarf_want *w)
{
    char *text = dwarffiles_text(d, w);
    const size_t n = d->noted.n;
    if (!text || ez_hash_put(&d->noted, ez_hash_key(EZ_HASH_SEED, text), n) != n ||
        n > MOST_NOTES) {
        free(text);
        return;
    }
    if (n == MOST_NOTES) {
        free(text);
        text = ez_sprintf("More files with debug information of %s are missing or not used",
                          ez_object_path(d->obj));
    }
    ez_object_note(text);
}

bool dwarf_give(struct ez_jail *reader, struct ez_dwarf *d)
{
    struct dwarf_want w;
    EZ_CLOSE int fd = -1;
    if (!ez_jail_hear(reader, &w, sizeof w))
        return false;
    w.folder[sizeof w.folder - 1] = w.name[sizeof w.name - 1] = 0;
    if (w.what == DWARF_WANT_NOTE) {
        if (d)
            dwarffiles_note(d, &w);
        return true;
    }
    uint64_t place = w.n;
    if (d && w.what == DWARF_WANT_MEMORY)
        fd = dwarffiles_memory(d, w.n);
    else if (d)
        fd = dwarffiles_open(d, &w, &place);
    return ez_jail_give(reader, fd, place);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_debug.c - the separate debug file of a stripped program.
 *
 * Where: by the build-id under /usr/lib/debug; by the name in .gnu_debuglink beside the program, in
 * .debug there, and in the same folder under /usr/lib/debug. Only the part of that name after the
 * last slash is used, because the program's file is not trusted.
 *
 * Invariant: an accepted debug file has the program's build-id or, if the program has none, the
 * checksum in the program.
 *
 * Errors: none; without a debug file there are fewer symbols.
 *
 * Tests: tests/procs/foreign.sh ("debuglink") */
#include "engine/sym/sym_priv.h"

#include <string.h>
#include <zlib.h>

#include "engine/base/strutil.h"

#define DEBUG_ROOT "/usr/lib/debug"

static uint32_t sym_debug_checksum(struct ez_foreign *f)
{
    const uint64_t size = ez_foreign_id(f)->size;
    uint8_t buf[16 << 10];
    uLong sum = crc32(0, NULL, 0);
    size_t n;
    for (uint64_t at = 0; at < size; at += n) {
        n = ez_foreign_read(f, at, buf, sizeof buf);
        if (!n || (at % (1 << 20) == 0 && ez_foreign_stopped()))
            break;
        sum = crc32(sum, buf, (uInt)n);
    }
    return (uint32_t)sum;
}

/* Opens `path` as o->debug if it is the debug file of `o`, by the build-id or, if `o` has none, by
 * the checksum *sum. Returns whether it is the debug file. */
static bool sym_debug_accept(struct ez_object *o, const char *path, const uint32_t *sum)
{
    struct ez_foreign *file;
    if (!ez_err_drop(ez_foreign_open(path, path, &file)))
        return false;
    bool good = elf_open(file, &o->debug) && o->debug.is64;
    EZ_FREE char *id = good ? elf_build_id(&o->debug) : NULL;
    if (good)
        good =
            o->build_id ? id && !strcmp(id, o->build_id) : sum && sym_debug_checksum(file) == *sum;
    if (!good)
        elf_close(&o->debug);
    return good;
}

/* Returns the base name in .gnu_debuglink, and sets *sum to the checksum there. Returns NULL if the
 * section is missing or damaged. */
static const char *sym_link_of(const struct ez_object *o, uint32_t *sum)
{
    size_t size;
    const uint8_t *p = elf_data(&o->elf, elf_named(&o->elf, ".gnu_debuglink"), &size);
    const uint8_t *nul = p ? memchr(p, 0, size) : NULL;
    size_t at = nul ? EZ_ROUND_UP(nul - p + 1, 4) : 0;
    if (!nul || size < at + sizeof *sum)
        return NULL;
    memcpy(sum, p + at, sizeof *sum);
    return ez_base_name((const char *)p);
}

static void sym_by_link(struct ez_object *o)
{
    uint32_t sum;
    const char *name = sym_link_of(o, &sum);
    if (!name || !*name)
        return;
    /* The path is relative to the file's folder, below the folder at which the shell sees the
     * target's root. */
    size_t path = strlen(o->path), seen = strlen(o->display);
    bool below = path >= seen && !strcmp(o->path + path - seen, o->display);
    int root = below ? (int)(path - seen) : 0;
    int folder = (int)(ez_base_name(o->display) - o->display);
    EZ_FREE char *beside = ez_sprintf("%.*s%.*s%s", root, o->path, folder, o->display, name);
    EZ_FREE char *dot = ez_sprintf("%.*s%.*s.debug/%s", root, o->path, folder, o->display, name);
    EZ_FREE char *own = ez_sprintf(DEBUG_ROOT "%.*s%s", folder, o->display, name);
    if (!sym_debug_accept(o, beside, &sum) && !sym_debug_accept(o, dot, &sum))
        (void)!sym_debug_accept(o, own, &sum);
}

void symdebug_open(struct ez_object *o)
{
    if (o->build_id) {
        EZ_FREE char *path =
            ez_sprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", o->build_id, o->build_id + 2);
        if (sym_debug_accept(o, path, NULL))
            return;
    }
    sym_by_link(o);
}

struct ez_foreign *ez_object_debug(struct ez_object *o, bool *separate)
{
    bool own = elf_named(&o->elf, ".debug_info") || elf_named(&o->elf, ".zdebug_info");
    if (!own && !o->debug.file)
        symdebug_open(o);
    *separate = !own;
    return own ? o->elf.file : o->debug.file;
}

struct ez_foreign *ez_object_own(const struct ez_object *o)
{
    return o->elf.file;
}

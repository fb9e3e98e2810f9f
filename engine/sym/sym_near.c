/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_near.c - the rows of a file's line tables by address: for lines that libbfd does not tell, as of units of DWARF 5
 * whose entries are in .dwo files (sym_bfd.c). Any bytes may come in.
 * Tests: tests/procs/split.sh */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "engine/sym/sym_rows.h"

#define MOST_ROWS (8u << 20)

static size_t near_path(struct rows_near *n, const struct row *r)
{
    char path[PATH_MAX];
    const int len = snprintf(path, sizeof path, "%s%s%s%s%s", r->path[0], *r->path[0] ? "/" : "",
                             r->path[1], *r->path[1] ? "/" : "", r->path[2]);
    if (len < 0 || (size_t)len >= sizeof path)
        return SIZE_MAX;
    const size_t i = ez_hash_put(&n->by_path, ez_hash_key(EZ_HASH_SEED, path), n->path.n);
    if (i == n->path.n)
        EZ_PUSH(&n->path, ez_strdup(path));
    return i;
}

static void near_add(const struct row *r, void *arg)
{
    struct rows_near *n = arg;
    size_t path = n->row.n < MOST_ROWS && r->end > r->vaddr && r->line ? near_path(n, r) : SIZE_MAX;
    if (path != SIZE_MAX)
        EZ_PUSH(&n->row, ((struct rows_at){ r->vaddr, r->end, r->line, (uint32_t)path }));
}

static int near_by_address(const void *pa, const void *pb)
{
    const struct rows_at *a = pa, *b = pb;
    return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

void symrows_sort(const struct rows_in *in, struct rows_near *out)
{
    symrows_read(in, near_add, out);
    ez_sort(out->row.at, out->row.n, sizeof *out->row.at, near_by_address);
    ez_hash_free(&out->by_path);
}

bool symrows_near(const struct rows_near *n, uint64_t vaddr, const char **file, unsigned *line)
{
    const size_t i = EZ_UPTO(n->row.at, n->row.n, vaddr, vaddr);
    const struct rows_at *r = i ? &n->row.at[i - 1] : NULL;
    if (!r || vaddr >= r->end)
        return false;
    *file = n->path.at[r->path];
    *line = r->line;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_rows.h - the line programs of a file (DWARF 2 to 5). Any bytes may come in. */
#ifndef EZ_SYM_ROWS_H
#define EZ_SYM_ROWS_H

#include "engine/base/base.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"

struct rows_part {
    const uint8_t *data;
    size_t size;
};
struct rows_in { /* contents of .debug_line, .debug_str, .debug_line_str */
    struct rows_part line, str, line_str;
    bool all; /* rows at which no statement begins, too                                */
};
struct row {
    uint64_t vaddr, end; /* end == vaddr: another line has the same address */
    uint32_t line;
    const char *path[3]; /* with a slash between those that are not ""; may be relative */
};
typedef void rows_fn(const struct row *, void *arg);

/* Calls fn for each row at which a statement begins, or for all of them, in the order of the file. */
void symrows_read(const struct rows_in *in, rows_fn *fn, void *arg);

/* sym_near.c: rows by address */
struct rows_at {
    uint64_t vaddr, end;
    uint32_t line, path;
};
struct rows_near {
    EZ_VEC(struct rows_at) row;
    EZ_VEC(char *) path;
    struct ez_hash by_path;
};
void symrows_sort(const struct rows_in *in, struct rows_near *out);
/* The line of an instruction; false = none is told. *file lives as long as n. */
bool symrows_near(const struct rows_near *n, uint64_t vaddr, const char **file, unsigned *line);

#endif

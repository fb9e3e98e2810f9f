/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_rows.h - the line programs of a file (DWARF 2 to 5). Any bytes may come in. */
#ifndef EZ_SYM_ROWS_H
#define EZ_SYM_ROWS_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct rows_part {
    const uint8_t *data;
    size_t size;
};
struct rows_in { /* contents of .debug_line, .debug_str, .debug_line_str */
    struct rows_part line, str, line_str;
};
struct row {
    uint64_t vaddr, end; /* end == vaddr: another line has the same address */
    uint32_t line;
    const char *path[3]; /* with a slash between those that are not ""; may be relative */
};
typedef void rows_fn(const struct row *, void *arg);

/* Calls fn for each row at which a statement begins, in the order of the file. */
void symrows_read(const struct rows_in *in, rows_fn *fn, void *arg);

#endif

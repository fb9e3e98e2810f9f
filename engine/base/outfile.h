/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outfile.h - a text file that appears only when it is complete.
 *
 * The text goes to a new file (newfile.h), optionally through gzip. ez_outfile_commit() replaces
 * the file at the path. The first error is kept: later writes do nothing, and ez_outfile_commit()
 * returns the error, so callers need to check for errors only once.
 *
 * Tests: tests/unit/base/check_outputs.c */
#ifndef EZ_OUTFILE_H
#define EZ_OUTFILE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_json;
struct ez_outfile;

/* Opens an output file. Returns EZ_E_SYS if the folder is missing or not writable, EZ_E_ARG if
 * `path` exists and is not a regular file, or EZ_E_LIMIT if zlib fails. */
ez_err *ez_outfile_open(const char *path, bool gzip, struct ez_outfile **out) EZ_WUR;
void ez_outfile_write(struct ez_outfile *f, const void *data, size_t n);
void ez_outfile_puts(struct ez_outfile *f, const char *text);
void ez_outfile_printf(struct ez_outfile *f, const char *fmt, ...) EZ_PRINTF(2, 3);
void ez_outfile_u64(struct ez_outfile *f, uint64_t v); /* decimal; fast */
/* Writes the text of *j, and empties the text. The JSON document can continue. */
void ez_outfile_json(struct ez_outfile *f, struct ez_json *j);
/* Returns false if a write has failed. */
bool ez_outfile_good(const struct ez_outfile *f);
/* Returns the first error so far, or NULL. The caller frees the error. Later writes and the commit
 * still fail. */
ez_err *ez_outfile_error(struct ez_outfile *f) EZ_WUR;
/* afterwards, call only ez_outfile_destroy() */
ez_err *ez_outfile_commit(struct ez_outfile *f) EZ_WUR;
/* deletes the file unless ez_outfile_commit() was called */
void ez_outfile_destroy(struct ez_outfile *f);

#endif

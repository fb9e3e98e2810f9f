/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool.h - stores many streams of small records in one unnamed file, and reads them back stream by
 * stream. Uses one block of memory for each stream.
 *
 * Tests: tests/unit/base/check_outputs.c */
#ifndef EZ_SPOOL_H
#define EZ_SPOOL_H

#include "engine/base/base.h"
#include "engine/base/err.h"

enum { EZ_SPOOL_BLOCK = 16 << 10 };

struct ez_spool;

/* Creates the file in `folder`. Error messages call it `what`. */
ez_err *ez_spool_open(const char *folder, const char *what, struct ez_spool **out) EZ_WUR;
/* Appends a record of n <= EZ_SPOOL_BLOCK bytes to a stream. The numbers of streams begin at 0. */
ez_err *ez_spool_put(struct ez_spool *s, size_t stream, const void *rec, size_t n) EZ_WUR;
/* Called with the records of a stream in their order: n bytes of whole records in each call. */
typedef ez_err *ez_spool_fn(void *arg, const char *records, size_t n);
/* Calls fn with all records of a stream. Returns the first error of reading or of fn. */
ez_err *ez_spool_each(struct ez_spool *s, size_t stream, ez_spool_fn *fn, void *arg) EZ_WUR;
void ez_spool_close(struct ez_spool *s);

#endif

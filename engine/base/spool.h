/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool.h - sets many streams of small records aside in one file without a name, and reads
 * them back one stream after the other. Memory: a block for each stream.
 * Tests: tests/unit/engine/check_outputs.c */
#ifndef EZ_SPOOL_H
#define EZ_SPOOL_H

#include "engine/base/base.h"
#include "engine/base/err.h"

enum { EZ_SPOOL_BLOCK = 16 << 10 };

struct ez_spool;

/* The file is in `folder`; errors name `what`. */
ez_err *ez_spool_open(const char *folder, const char *what, struct ez_spool **out) EZ_WUR;
/* n <= EZ_SPOOL_BLOCK */
ez_err *ez_spool_put(struct ez_spool *s, size_t stream, const void *rec, size_t n) EZ_WUR;
/* Records come back in their order; each call of fn gets whole records, n bytes of them. */
typedef ez_err *ez_spool_fn(void *arg, const char *records, size_t n);
ez_err *ez_spool_each(struct ez_spool *s, size_t stream, ez_spool_fn *fn, void *arg) EZ_WUR;
void ez_spool_close(struct ez_spool *s);

#endif

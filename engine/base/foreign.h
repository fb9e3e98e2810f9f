/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h - files that a process has mapped, or that such files name: the only place
 * where they are opened and read.
 *
 * Why: they may be anything, and another thing tomorrow: a FIFO, a device, 100 GB of holes,
 * a program that is being compiled anew.
 * Invariants: opening never waits and touches no device; what was read is a copy of ours, so
 * that nobody can change it, or end us by making the file shorter; all copies together take a
 * quarter of the machine's memory at most. Where there are many files, some give their
 * descriptor back, and are opened again when they are needed.
 * Tests: tests/unit/engine/check_foreign.c, check_sym.c, tests/procs/foreign.sh */
#ifndef EZ_FOREIGN_H
#define EZ_FOREIGN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_foreign;

struct ez_foreign_id { /* which file it is, and which state of it */
    uint64_t dev, ino, size, mtime_ns;
};

/* Regular files only. EZ_E_NOTFOUND, EZ_E_SYS; EZ_E_FORMAT where something else is. `name`
 * is for people. */
ez_err *ez_foreign_open(const char *path, const char *name, struct ez_foreign **out) EZ_WUR;
void ez_foreign_close(struct ez_foreign *f);
const struct ez_foreign_id *ez_foreign_id(const struct ez_foreign *f);
bool ez_foreign_same(const struct ez_foreign_id *a, const struct ez_foreign_id *b);
/* Was it written to, since it was opened? */
bool ez_foreign_changed(struct ez_foreign *f);

/* n bytes of it, as they were when this was called first; ours as long as it is open. NULL:
 * there are not as many, or they cannot be had. */
const uint8_t *ez_foreign_part(struct ez_foreign *f, uint64_t offset, uint64_t n);
/* The same for whoever wants a little here and there: how many bytes there are, as they are
 * now; 0 once it was written to. */
size_t ez_foreign_read(struct ez_foreign *f, uint64_t offset, void *buf, size_t n);
/* For another process: a descriptor of it, the caller's; -1. Where it was opened. */
int ez_foreign_dup(struct ez_foreign *f);
const char *ez_foreign_path(const struct ez_foreign *f);
/* What is in the file and could not be had so far, in one line. */
ez_err *ez_foreign_trouble(const struct ez_foreign *f) EZ_WUR;

/* Asked while much is read: true = give up. From then on, until the next ez_foreign_ask,
 * whatever reads such files fails, with this. */
void ez_foreign_ask(bool (*stop)(void *arg), void *arg);
bool ez_foreign_stopped(void);
ez_err *ez_foreign_interrupted(void) EZ_WUR;

#endif

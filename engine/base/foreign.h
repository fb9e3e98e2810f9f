/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h - opens and reads files that a process has mapped, or that such files name; no
 * other code does so.
 *
 * Why: such a file may be anything, and may change at any time: a FIFO, a device, 100 GB of
 * holes, a program that is being compiled anew.
 * Invariants: opening never waits and touches no device; what was read is a copy, so that
 * nobody can change it, or end the shell by making the file shorter; all copies together take a
 * quarter of the machine's memory at most. If many files are open, some give their descriptor
 * back, and are opened again when they are needed.
 * Tests: tests/unit/engine/check_foreign.c, check_sym.c, tests/procs/foreign.sh */
#ifndef EZ_FOREIGN_H
#define EZ_FOREIGN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_foreign;

struct ez_foreign_id { /* identifies a file and its state         */
    uint64_t dev, ino, size, mtime_ns;
};

/* Opens a regular file. EZ_E_NOTFOUND, EZ_E_SYS; EZ_E_FORMAT: `path` is something else. `name`
 * is the name shown to people. */
ez_err *ez_foreign_open(const char *path, const char *name, struct ez_foreign **out) EZ_WUR;
/* Opens a path for reading if it is a regular file, and none of the kernel's (/proc, /sys, tracefs). Returns -1, with errno, if it
 * is not. It neither waits nor wakes a device. */
int ez_foreign_regular(const char *path);
void ez_foreign_close(struct ez_foreign *f);
const struct ez_foreign_id *ez_foreign_id(const struct ez_foreign *f);
bool ez_foreign_same(const struct ez_foreign_id *a, const struct ez_foreign_id *b);
/* Was the file written to since it was opened? */
bool ez_foreign_changed(struct ez_foreign *f);

/* n bytes of the file, as they were at the first call. They stay until the file is closed.
 * NULL: the file has fewer bytes, or they cannot be had. */
const uint8_t *ez_foreign_part(struct ez_foreign *f, uint64_t offset, uint64_t n);
/* Reads a few bytes, as they are now; returns how many there are, 0 once the file was written
 * to. */
size_t ez_foreign_read(struct ez_foreign *f, uint64_t offset, void *buf, size_t n);
/* ez_foreign_dup: a descriptor of the file for another process, owned by the caller; -1 =
 * none. ez_foreign_path: the path where the file was opened. */
int ez_foreign_dup(struct ez_foreign *f);
const char *ez_foreign_path(const struct ez_foreign *f);
/* The error of the parts of the file that could not be read so far, in one line. */
ez_err *ez_foreign_trouble(const struct ez_foreign *f) EZ_WUR;

/* `stop` is asked during long reading: true = give up. Then, until the next ez_foreign_on_wait,
 * all reading of such files fails, with ez_foreign_interrupted(). */
void ez_foreign_on_wait(bool (*stop)(void *arg), void *arg);
bool ez_foreign_stopped(void);
ez_err *ez_foreign_interrupted(void) EZ_WUR;

#endif

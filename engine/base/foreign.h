/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h - opens and reads files that a process has mapped, and files that such files name.
 *
 * Why: such a file may be anything (a FIFO, a device, 100 GB of holes), and may change at any time
 * (a program that is being compiled again).
 *
 * Invariants: opening never blocks and touches no device. Data that was read is a copy, not a
 * mapping, so nobody can change the data, or end the shell by truncating the file. All copies
 * together use at most a quarter of the machine's memory, or 256 MiB if that is more. If many
 * descriptors are in use, a file's descriptor is closed after each read, and the file is opened
 * again for the next read.
 *
 * Tests: tests/unit/base/check_foreign.c, tests/unit/sym/check_sym.c, tests/procs/foreign.sh */
#ifndef EZ_FOREIGN_H
#define EZ_FOREIGN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_foreign;

struct ez_foreign_id { /* identifies a file and its state */
    uint64_t dev, ino, size, mtime_ns;
};

/* Opens a regular file. Returns EZ_E_NOTFOUND, EZ_E_SYS, or EZ_E_FORMAT if ez_foreign_regular()
 * refuses the file. `name` is the name shown to the user. */
ez_err *ez_foreign_open(const char *path, const char *name, struct ez_foreign **out) EZ_WUR;
/* Opens a path for reading if it is a regular file outside the kernel's file systems (/proc, /sys,
 * tracefs). Returns the descriptor, or -1 and sets errno. Neither blocks nor activates a device. */
int ez_foreign_regular(const char *path);
void ez_foreign_close(struct ez_foreign *f);
const struct ez_foreign_id *ez_foreign_id(const struct ez_foreign *f);
bool ez_foreign_same(const struct ez_foreign_id *a, const struct ez_foreign_id *b);
/* Returns true if the file was written to since it was opened. If its descriptor was closed: also
 * if another file has its path now. */
bool ez_foreign_changed(struct ez_foreign *f);

/* Returns the n bytes at `offset` of the file. The bytes are read at the first call, and kept for
 * later calls until ez_foreign_close(). Returns NULL if the file has fewer bytes, or if the bytes
 * cannot be read. */
const uint8_t *ez_foreign_part(struct ez_foreign *f, uint64_t offset, uint64_t n);
/* Copies up to n bytes at `offset` of the file to buf; the file object keeps no copy. Returns the
 * number of bytes: less than n at the end of the file, or if the file was written to since it was
 * opened. */
size_t ez_foreign_read(struct ez_foreign *f, uint64_t offset, void *buf, size_t n);
/* ez_foreign_dup returns a descriptor of the file for another process, owned by the caller, or -1.
 * ez_foreign_path returns the path where the file was opened. */
int ez_foreign_dup(struct ez_foreign *f);
const char *ez_foreign_path(const struct ez_foreign *f);
/* Returns an error about the first part of the file that could not be read so far, or NULL. */
ez_err *ez_foreign_trouble(const struct ez_foreign *f) EZ_WUR;

/* Sets the function `stop` (NULL: no function), which is called during long reads, and returns true
 * to cancel them. Once `stop` has returned true, ez_foreign_stopped() returns true until the next
 * ez_foreign_on_wait(): large parts cannot be read, and callers return ez_foreign_interrupted(). */
void ez_foreign_on_wait(bool (*stop)(void *arg), void *arg);
bool ez_foreign_stopped(void); /* also calls the callback `stop` */
ez_err *ez_foreign_interrupted(void) EZ_WUR;

#endif

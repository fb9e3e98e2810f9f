/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.h - the target's memory, through /proc/PID/mem. See mem.c. */
#ifndef EZ_INFERIOR_MEM_H
#define EZ_INFERIOR_MEM_H

#include "engine/inferior/inferior.h"

/* Opens /proc/PID/mem of the process. */
ez_err *ez_mem_open(struct ez_target *t) EZ_WUR;
/* Returns a duplicate, in the shell, of the target's descriptor `there`; after an error returns -1
 * and sets errno. */
int ez_fetch_fd(struct ez_target *t, int there);
/* Reads n bytes at address `from`. In place of a halt's trap the result has the program's own
 * bytes. Returns an error if a byte cannot be read. */
ez_err *ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n) EZ_WUR;
/* Like ez_mem_read(), but returns the number of bytes before the first one that cannot be read. */
size_t ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n);
/* Like ez_mem_read_some(), but leaves the traps of halts in the result. */
size_t ez_mem_read_raw(struct ez_target *t, uint64_t from, void *buf, size_t n);
/* Returns EZ_E_GONE if the process has no address space any more, otherwise NULL. Call it after a
 * failed read, whose EIO does not show the cause. */
ez_err *ez_mem_alive(const struct ez_target *t) EZ_WUR;
/* Replaces the n bytes `was` by `is` at address `at` in the memory of process pid, if `was` is
 * there now. n is at most 16; all bytes are in one page. */
void ez_mem_swap_of(pid_t pid, uint64_t at, const void *was, const void *is, size_t n);
/* Writes n bytes at address `to`, also to read-only and executable pages. Within each page all
 * bytes are written or none, even if the shell or the target is killed (if ptrace has to write the
 * bytes: within each word). */
ez_err *ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                     const char *why) EZ_WUR;
/* Reads n - 1 bytes, or fewer if a byte cannot be read, and appends a NUL. Returns an error if no
 * byte can be read. */
ez_err *ez_mem_read_string(struct ez_target *t, uint64_t from, char *buf, size_t n) EZ_WUR;

#endif

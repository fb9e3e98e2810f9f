/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.h - the target's memory, through /proc/PID/mem. See mem.c. */
#ifndef EZ_INFERIOR_MEM_H
#define EZ_INFERIOR_MEM_H

#include "engine/inferior/inferior.h"

/* Opens /proc/PID/mem of the process. */
ez_err *ez_mem_open(struct ez_target *t) EZ_WUR;
/* Returns a duplicate of the target's descriptor `there`, or -1 and errno. */
int ez_fetch_fd(struct ez_target *t, int there);
/* Reads n bytes at `from`. Where a trap of a halt is planted, the result has the program's own
 * bytes. Returns an error if a byte cannot be read. */
ez_err *ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n) EZ_WUR;
/* Like ez_mem_read(), but returns the number of bytes before the first one that cannot be read. */
size_t ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n);
/* Like ez_mem_read_some(), but leaves the traps of halts in the result. */
size_t ez_mem_read_raw(struct ez_target *t, uint64_t from, void *buf, size_t n);
/* Returns EZ_E_GONE if the process has no address space any more. After a failed read, this error
 * is more precise than EIO. */
ez_err *ez_mem_alive(const struct ez_target *t) EZ_WUR;
/* Replaces `was` by `is` in the memory of another process, if `was` is at that address. n: number
 * of bytes, at most 16, all in one page. */
void ez_mem_swap_of(pid_t pid, uint64_t at, const void *was, const void *is, size_t n);
/* Writes also to read-only and executable pages. Bytes within one page are written at once: all or
 * none of them, whichever process is killed. */
ez_err *ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                     const char *why) EZ_WUR;
/* Reads up to n - 1 bytes of a string, up to the first byte that cannot be read, and appends a NUL.
 * Returns an error if no byte can be read. */
ez_err *ez_mem_read_string(struct ez_target *t, uint64_t from, char *buf, size_t n) EZ_WUR;

#endif

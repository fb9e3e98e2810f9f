/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.c - the target's memory, through /proc/PID/mem.
 *
 * Writing text: process_vm_writev refuses read-only pages. /proc/PID/mem can write them, unless the
 * kernel's configuration forbids it (PROC_MEM_*); then ptrace writes the text word by word.
 *
 * The kernel divides a write into pieces. If the writer is killed, the write ends between two
 * pieces. A piece ends at each page border of the target, and after each EZ_PAGE bytes of the
 * source buffer. So mem_write_piece() writes within one page: it writes all bytes or none. If the
 * shell is killed during ez_mem_write() of several pages, the last pages may be unwritten.
 * Tests: tests/procs/pages.sh, tests/procs/sweep.sh (the door "write") */
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/now.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/pt_log.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

ez_err *ez_mem_open(struct ez_target *t)
{
    char path[64];
    if (t->inf.memfd >= 0)
        close(t->inf.memfd);
    snprintf(path, sizeof path, "/proc/%d/mem", ez_live_tid(t));
    t->inf.memfd = open(path, O_RDWR | O_CLOEXEC);
    if (t->inf.memfd < 0)
        return ez_err_new(errno == ENOENT ? EZ_E_GONE : EZ_E_PERM, errno, "Cannot open %s", path);
    return NULL;
}

/* If the main thread has ended, the kernel refuses its descriptors. Then the descriptor is fetched
 * from a live thread, by PIDFD_THREAD (Linux 6.9) or by /proc/TID/fd, which cannot open sockets. */
int ez_fetch_fd(struct ez_target *t, int there)
{
    char path[64];
    int fd = (int)syscall(SYS_pidfd_getfd, t->inf.pidfd, there, 0);
    if (fd >= 0 || ez_live_tid(t) == t->inf.pid)
        return fd;
    EZ_CLOSE int task = (int)syscall(SYS_pidfd_open, ez_live_tid(t), O_EXCL); /* PIDFD_THREAD */
    fd = (int)syscall(SYS_pidfd_getfd, task, there, 0);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", ez_live_tid(t), there);
    return fd >= 0 ? fd : open(path, O_RDWR | O_CLOEXEC);
}

size_t ez_mem_read_raw(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    size_t done = 0;
    if (t->inf.core)
        return ez_corefile_read(t->inf.core, from, buf, n);
    while (done < n) {
        ssize_t got = pread(t->inf.memfd, (char *)buf + done, n - done, (off_t)(from + done));
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

/* Replaces the traps of halts by the program's own bytes. */
static void mem_hide_traps(const struct ez_target *t, uint64_t from, uint8_t *buf, size_t n)
{
    size_t len = t->inf.arch->trap.len;
    for (size_t i = 0; i < t->inf.halts.trap.n; i++) {
        const struct ez_halt_trap *h = &t->inf.halts.trap.at[i];
        for (size_t k = 0; h->stands && k < len; k++)
            if (h->addr + k - from < n && buf[h->addr + k - from] == t->inf.arch->trap.insn[k])
                buf[h->addr + k - from] = h->insn[k];
    }
}

size_t ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    size_t got = ez_mem_read_raw(t, from, buf, n);
    if (t->inf.halts.trap.n)
        mem_hide_traps(t, from, buf, got);
    return got;
}

void ez_mem_swap_of(pid_t pid, uint64_t at, const void *was, const void *is, size_t n)
{
    char path[64];
    uint8_t live[16];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    EZ_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && n <= sizeof live && pread(fd, live, n, (off_t)at) == (ssize_t)n &&
        !memcmp(live, was, n) && pwrite(fd, is, n, (off_t)at) != (ssize_t)n)
        return; /* a failure is ignored, because the trap does no harm (ez_halt_traps_cleanse) */
}

ez_err *ez_mem_alive(const struct ez_target *t)
{
    char byte;
    /* A read of 0 bytes means that the address space no longer exists. */
    if (t->inf.memfd < 0 || pread(t->inf.memfd, &byte, 1, 0))
        return NULL;
    return ez_err_new(EZ_E_GONE, 0, "The memory of process %d is gone", t->inf.pid);
}

ez_err *ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    size_t got = ez_mem_read_some(t, from, buf, n);
    if (got == n)
        return NULL;
    EZ_TRY(ez_mem_alive(t));
    ez_err *e =
        ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%lx", (unsigned long)(from + got));
    e->errnum = EIO;
    e->addr = from + got;
    return e;
}

/* Writes words of 8 bytes. A word begins at the first byte that changes, so that a whole jump is in
 * one word, unless the word would cross the page's end. */
static ez_err *mem_poke_words(struct ez_target *t, uint64_t to, const uint8_t *buf, size_t n,
                              const char *why)
{
    for (size_t i = 0; i < n;) {
        uint64_t room = EZ_PAGE - (to + i) % EZ_PAGE, at = to + i - (room < 8 ? 8 - room : 0), word;
        size_t off = (size_t)(to + i - at), len = EZ_MIN(8 - off, n - i);
        EZ_TRY(ez_mem_read(t, at, &word, 8));
        if (((uint8_t *)&word)[off] == buf[i]) {
            i++;
            continue;
        }
        memcpy((char *)&word + off, buf + i, len);
        EZ_TRY(pt_poke(ez_live_tid(t), at, word, why));
        i += len;
    }
    return NULL;
}

static ssize_t mem_pwrite(struct ez_target *t, uint64_t to, const uint8_t *buf, size_t n,
                          const char *why)
{
    struct ez_ptrace_call c = { .tid = t->inf.pid, .addr = to, .data = n, .why = why };
    uint8_t old[EZ_PAGE];
    if (pt_log_has_listener() && n <= sizeof old)
        c.had = pread(t->inf.memfd, old, n, (off_t)to) == (ssize_t)n;
    while (c.had && c.offset < n && old[c.offset] == buf[c.offset])
        c.offset++;
    c.nbytes = (uint8_t)EZ_MIN(n - c.offset, sizeof c.after);
    memcpy(c.before, old + c.offset, c.had ? c.nbytes : 0);
    memcpy(c.after, buf + c.offset, c.nbytes);
    uint64_t began = ez_now_ns();
    ssize_t put = pwrite(t->inf.memfd, buf, n, (off_t)to);
    c.errnum = put < 0 ? errno : 0;
    pt_log(PT_WRITE, began, &c);
    errno = c.errnum;
    return put;
}

/* Writes n bytes, which are within one page: all of them or none, unless ptrace must write them
 * (mem_poke_words). */
static ez_err *mem_write_piece(struct ez_target *t, uint64_t to, const uint8_t *buf, size_t n,
                               const char *why)
{
    errno = pt_fault("write", t->inf.pid);
    ssize_t put = errno ? -1 : mem_pwrite(t, to, buf, n, why);
    if (put == (ssize_t)n)
        return NULL;
    if (put >= 0)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone (writing, to %s)", t->inf.pid, why);
    if (errno == EACCES || errno == EPERM) {
        t->inf.pokes = true;
        return mem_poke_words(t, to, buf, n, why);
    }
    return ez_err_new(EZ_E_SYS, errno, "Cannot write %zu bytes at 0x%lx (to %s)", n,
                      (unsigned long)to, why);
}

ez_err *ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n, const char *why)
{
    for (size_t done = 0, len; done < n; done += len) {
        len = EZ_MIN(n - done, (size_t)(EZ_PAGE - (to + done) % EZ_PAGE));
        EZ_TRY(mem_write_piece(t, to + done, (const uint8_t *)buf + done, len, why));
    }
    return NULL;
}

ez_err *ez_mem_read_string(struct ez_target *t, uint64_t from, char *buf, size_t n)
{
    size_t got = ez_mem_read_some(t, from, buf, n - 1);
    buf[got] = 0;
    return got ? NULL : ez_mem_read(t, from, buf, 1);
}

/* Reads from the program's file, for use while there is no process. Returns the number of bytes. */
static size_t mem_read_some_of_file(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    return t->inf.prog_obj ? ez_object_read(t->inf.prog_obj, from, buf, n) : 0;
}

static ez_err *mem_read_file(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    size_t got = mem_read_some_of_file(t, from, buf, n);
    if (got == n)
        return NULL;
    return ez_err_gdb(EZ_E_STATE, "Cannot access memory at address 0x%lx",
                      (unsigned long)(from + got));
}

ez_err *ez_read(struct ez_target *t, ez_addr from, void *buf, size_t n)
{
    return t->inf.state == EZ_NONE ? mem_read_file(t, from.v, buf, n)
                                   : ez_mem_read(t, from.v, buf, n);
}

size_t ez_read_some(struct ez_target *t, ez_addr from, void *buf, size_t n)
{
    return t->inf.state == EZ_NONE ? mem_read_some_of_file(t, from.v, buf, n)
                                   : ez_mem_read_some(t, from.v, buf, n);
}

ez_err *ez_write(struct ez_target *t, ez_addr to, const void *buf, size_t n)
{
    if (t->inf.core) /* gdb's words */
        return ez_err_gdb(EZ_E_STATE, "Cannot access memory at address 0x%lx", (unsigned long)to.v);
    EZ_TRY(ez_need_stopped(t));
    return ez_mem_write(t, to.v, buf, n, "write memory for a command");
}

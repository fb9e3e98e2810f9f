/* SPDX-License-Identifier: MIT */
/* io_probes.h - the functions of io.tpl whose events have a descriptor and bytes.
 *
 * Bytes are counted where they leave or enter the process: in the functions that make system calls,
 * whoever calls these functions. So bytes in a buffer of fwrite or fprintf count once, when they
 * are written. Only the outermost call has a state: a read() that fread() calls has no state.
 *
 * A call is inside another call if both are on the same stack and libc makes the inner one. A
 * signal handler that runs while the thread waits in read() is called by the kernel, so a read() in
 * the handler counts as outermost. A longjmp out of a call leaves the call's word in the thread,
 * but the address in that word is below the stack pointer then, so it has no effect.
 *
 * errno stays as the original left it: recording calls nothing of libc. */
#ifndef IO_PROBES_H
#define IO_PROBES_H

#include <errno.h>
#include <ezt_probe.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "range.h"

enum {
    IO_POP = 1000,
    IO_READ,
    IO_WRITE,
    IO_WAIT,
    IO_OPEN,
    IO_CLOSE,
    IO_BYTES_READ,
    IO_BYTES_WRITTEN,
    IO_OPENED,
    IO_CLOSED,
    IO_MADE
};
EZT_EVENT(1000, "pop", "thread", "")
EZT_EVENT(1001, "push", "thread", "Reading")
EZT_WORDS(1001, "@file:int")
EZT_EVENT(1002, "push", "thread", "Writing")
EZT_WORDS(1002, "@file:int")
EZT_EVENT(1003, "push", "thread", "Waiting for I/O")
EZT_WORDS(1003, "descriptors:uint")
EZT_EVENT(1004, "push", "thread", "Opening")
EZT_WORDS(1004, "folder:int")
EZT_EVENT(1005, "push", "thread", "Closing")
EZT_WORDS(1005, "@file:int")
EZT_EVENT(1006, "var-add", "process", "Bytes read")
EZT_WORDS(1006, "bytes:double @file:int")
EZT_EVENT(1007, "var-add", "process", "Bytes written")
EZT_WORDS(1007, "bytes:double @file:int")
EZT_EVENT(1008, "event", "thread", "opened") /* the descriptor refers to the path from now on */
EZT_WORDS(1008, "@file:int flags:hex path:name")
EZT_EVENT(1009, "event", "thread", "closed") /* the descriptor refers to nothing from now on */
EZT_WORDS(1009, "@file:int path:name")
EZT_EVENT(1010, "event", "thread", "descriptor made") /* a socket, a pipe, ... */
EZT_WORDS(1010, "@file:int kind:name")

static struct range io_libc;
static __thread const void *io_outer __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void io_find(void)
{
    io_libc = range_around((uintptr_t)getauxval); /* a program has no getauxval of its own */
}

/* ---- one call ------------------------------------------------------------------------------ */

struct io_call {
    const void *was;
    uint64_t word; /* argument of the call's state */
    int open;
};

/* Ends a call, also if an exception or a cancellation leaves the call. */
static inline void io_leave(struct io_call *c)
{
    if (!c->open)
        return;
    ezt_event0(IO_POP);
    io_outer = c->was;
}

static inline void io_enter(struct io_call *c, const void *frame, const void *caller,
                            uint32_t state, uint64_t word)
{
    c->word = word;
    c->open = !(io_outer > frame && range_has(&io_libc, caller));
    if (!c->open)
        return;
    c->was = io_outer > frame ? io_outer : NULL;
    io_outer = frame;
    ezt_event1(state, word);
}

static inline void io_bytes(uint32_t event, int64_t n, int fd)
{
    if (n > 0)
        ezt_event2(event, ezt_double((double)n), (uint64_t)fd);
}

/* Records an opened file, if the call succeeded and the path is readable. */
static inline void io_opened(int fd, int flags, const char *path)
{
    union {
        char c[EZT_MAX_WORDS * 8];
        uint64_t word[EZT_MAX_WORDS];
    } u;
    uint32_t n = 16;
    if (fd < 0)
        return;
    u.word[0] = (uint64_t)fd;
    u.word[1] = (uint64_t)flags;
    for (; n < sizeof u.c && *path; path++)
        u.c[n++] = *path;
    while (n % 8)
        u.c[n++] = 0;
    ezt_event(IO_OPENED, n / 8, u.word);
}

/* Records that the file is closed. Called before the original, because another thread may get the
 * same descriptor at once. */
static inline int io_closing(int fd)
{
    if (fd >= 0)
        ezt_event1(IO_CLOSED, (uint64_t)fd);
    return fd;
}

/* Returns the stream's descriptor; -1 if the stream is in memory. */
static inline int io_fileno(FILE *f)
{
    int was = errno, fd = fileno_unlocked(f);
    errno = was;
    return fd;
}

/* `done` runs after the call, whose result is r. */
#define IO_FUNCTION(type, f, params, args, state, word, done)                                      \
    EZT_REPLACE("libc.so.6:" #f, replace_##f, orig_##f)                                            \
    EZT_ORIG type(*orig_##f) params;                                                               \
    EZT_EXPORT type replace_##f params                                                             \
    {                                                                                              \
        __attribute__((cleanup(io_leave))) struct io_call call = { 0, 0, 0 };                      \
        io_enter(&call, __builtin_frame_address(0), RANGE_CALLER, state, (uint64_t)(word));        \
        type r = orig_##f args;                                                                    \
        done;                                                                                      \
        return r;                                                                                  \
    }
#define IO_READS(f, params, args)                                                                  \
    IO_FUNCTION(ssize_t, f, params, args, IO_READ, fd, io_bytes(IO_BYTES_READ, r, fd))
#define IO_WRITES(f, params, args)                                                                 \
    IO_FUNCTION(ssize_t, f, params, args, IO_WRITE, fd, io_bytes(IO_BYTES_WRITTEN, r, fd))
#define IO_NOTHING (void)0

/* ---- descriptors ----------------------------------------------------------------------------- */

IO_READS(read, (int fd, void *to, size_t n), (fd, to, n))
IO_READS(pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at))
IO_READS(readv, (int fd, const struct iovec *v, int n), (fd, v, n))
IO_READS(preadv64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
IO_READS(recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags))
IO_READS(recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags))
IO_READS(recvfrom, (int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *size),
         (fd, to, n, flags, from, size))

IO_WRITES(write, (int fd, const void *from, size_t n), (fd, from, n))
IO_WRITES(pwrite64, (int fd, const void *from, size_t n, off64_t at), (fd, from, n, at))
IO_WRITES(writev, (int fd, const struct iovec *v, int n), (fd, v, n))
IO_WRITES(pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
IO_WRITES(send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags))
IO_WRITES(sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags))
IO_WRITES(sendto,
          (int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
           socklen_t size),
          (fd, from, n, flags, to, size))

/* open() is variadic, but its "..." is one argument at most, in the register of a named one.
 * Without that argument, the register's value is passed on. */
IO_FUNCTION(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), IO_OPEN,
            AT_FDCWD, io_opened(r, flags, path))
IO_FUNCTION(int, openat, (int dir, const char *path, int flags, mode_t mode),
            (dir, path, flags, mode), IO_OPEN, dir, io_opened(r, flags, path))
IO_FUNCTION(int, creat, (const char *path, mode_t mode), (path, mode), IO_OPEN, AT_FDCWD,
            io_opened(r, O_CREAT | O_WRONLY | O_TRUNC, path))
IO_FUNCTION(int, close, (int fd), (io_closing(fd)), IO_CLOSE, fd, IO_NOTHING)

/* ---- descriptors that are no files: "socket 5" ------------------------------------------------- */

static inline int io_made(int fd, const char *kind)
{
    union {
        char c[32];
        uint64_t word[4];
    } u = { { 0 } };
    char digits[12];
    uint32_t n = 8, d = 0;
    if (fd < 0)
        return fd;
    u.word[0] = (uint64_t)fd;
    while (*kind)
        u.c[n++] = *kind++;
    u.c[n++] = ' ';
    do
        digits[d++] = (char)('0' + fd % 10);
    while (fd /= 10);
    while (d)
        u.c[n++] = digits[--d];
    ezt_event(IO_MADE, (n + 7) / 8, u.word);
    return (int)u.word[0];
}

/* Replaces f, which makes descriptors. `made` is code that runs after a successful call. */
#define IO_MAKES(f, params, args, made)                                                            \
    EZT_REPLACE("libc.so.6:" #f, replace_##f, orig_##f)                                            \
    EZT_ORIG int(*orig_##f) params;                                                                \
    EZT_EXPORT int replace_##f params                                                              \
    {                                                                                              \
        int r = orig_##f args;                                                                     \
        if (r >= 0) {                                                                              \
            made;                                                                                  \
        }                                                                                          \
        return r;                                                                                  \
    }
#define IO_PAIR(kind) io_made(fd[0], kind), io_made(fd[1], kind)

IO_MAKES(socket, (int domain, int type, int protocol), (domain, type, protocol),
         io_made(r, "socket"))
IO_MAKES(socketpair, (int domain, int type, int protocol, int *fd), (domain, type, protocol, fd),
         IO_PAIR("socket"))
IO_MAKES(accept, (int fd, struct sockaddr *from, socklen_t *size), (fd, from, size),
         io_made(r, "socket"))
IO_MAKES(accept4, (int fd, struct sockaddr *from, socklen_t *size, int flags),
         (fd, from, size, flags), io_made(r, "socket"))
IO_MAKES(pipe, (int *fd), (fd), IO_PAIR("pipe"))
IO_MAKES(pipe2, (int *fd, int flags), (fd, flags), IO_PAIR("pipe"))
IO_MAKES(eventfd, (unsigned n, int flags), (n, flags), io_made(r, "eventfd"))
IO_MAKES(epoll_create, (int n), (n), io_made(r, "epoll"))
IO_MAKES(epoll_create1, (int flags), (flags), io_made(r, "epoll"))
IO_MAKES(timerfd_create, (int clock, int flags), (clock, flags), io_made(r, "timerfd"))
IO_MAKES(memfd_create, (const char *name, unsigned flags), (name, flags), io_made(r, "memfd"))
IO_MAKES(dup, (int fd), (fd), io_made(r, "copy"))
IO_MAKES(dup2, (int fd, int to), (fd, to), if (fd != to) io_made(r, "copy"))
IO_MAKES(dup3, (int fd, int to, int flags), (fd, to, flags), io_made(r, "copy"))

/* ---- waiting ---------------------------------------------------------------------------------- */

IO_FUNCTION(int, poll, (struct pollfd * p, nfds_t n, int ms), (p, n, ms), IO_WAIT, n, IO_NOTHING)
IO_FUNCTION(int, ppoll,
            (struct pollfd * p, nfds_t n, const struct timespec *t, const sigset_t *mask),
            (p, n, t, mask), IO_WAIT, n, IO_NOTHING)
IO_FUNCTION(int, select, (int n, fd_set *r_, fd_set *w, fd_set *e, struct timeval *t),
            (n, r_, w, e, t), IO_WAIT, n, IO_NOTHING)
IO_FUNCTION(int, pselect,
            (int n, fd_set *r_, fd_set *w, fd_set *e, const struct timespec *t,
             const sigset_t *mask),
            (n, r_, w, e, t, mask), IO_WAIT, n, IO_NOTHING)
IO_FUNCTION(int, epoll_wait, (int fd, struct epoll_event *e, int n, int ms), (fd, e, n, ms),
            IO_WAIT, n, IO_NOTHING)
IO_FUNCTION(int, epoll_pwait, (int fd, struct epoll_event *e, int n, int ms, const sigset_t *mask),
            (fd, e, n, ms, mask), IO_WAIT, n, IO_NOTHING)

/* ---- streams: the bytes count in the read or write that they make -------------------------------- */

IO_FUNCTION(size_t, fread, (void *to, size_t each, size_t n, FILE *f), (to, each, n, f), IO_READ,
            io_fileno(f), IO_NOTHING)
IO_FUNCTION(size_t, fread_unlocked, (void *to, size_t each, size_t n, FILE *f), (to, each, n, f),
            IO_READ, io_fileno(f), IO_NOTHING)
IO_FUNCTION(size_t, __fread_chk, (void *to, size_t room, size_t each, size_t n, FILE *f),
            (to, room, each, n, f), IO_READ, io_fileno(f), IO_NOTHING)
IO_FUNCTION(size_t, fwrite, (const void *from, size_t each, size_t n, FILE *f), (from, each, n, f),
            IO_WRITE, io_fileno(f), IO_NOTHING)
IO_FUNCTION(size_t, fwrite_unlocked, (const void *from, size_t each, size_t n, FILE *f),
            (from, each, n, f), IO_WRITE, io_fileno(f), IO_NOTHING)

/* libc closes the file by an internal function, after the last write, so this event comes after the
 * close. If another thread has opened a file with the same number since the call began, the reader
 * of a trace keeps that file's name (engine/trace/interp_default.c). */
IO_FUNCTION(int, fclose, (FILE * f), (f), IO_CLOSE, io_fileno(f), io_closing((int)call.word))

#endif

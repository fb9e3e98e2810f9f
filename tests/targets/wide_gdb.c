/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wide_gdb.c - a library for gdb before 14 on processors with AMX. Their extended state (XSAVE) is larger than this
 * gdb's buffer. The kernel accepts the whole state only, and gdb says "Couldn't write extended state status: Bad
 * address." at each call of a function. The library completes what gdb writes by what the thread has; all else of gdb is
 * as it was. wide_gdb.sh preloads it. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

__attribute__((constructor)) static void for_gdb_alone(void)
{
    unsetenv("LD_PRELOAD"); /* not for the programs that gdb starts */
    close(9);               /* this library, opened by wide_gdb.sh */
}

static long request_to_kernel(long request, long pid, void *addr, void *data)
{
    return syscall(SYS_ptrace, request, pid, addr, data);
}

static long write_state(long pid, const struct iovec *part)
{
    static char state[1 << 16];
    struct iovec whole = { state, sizeof state };
    void *const note = (void *)(long)NT_X86_XSTATE;
    if (request_to_kernel(PTRACE_GETREGSET, pid, note, &whole))
        return -1;
    memcpy(state, part->iov_base, part->iov_len < whole.iov_len ? part->iov_len : whole.iov_len);
    return request_to_kernel(PTRACE_SETREGSET, pid, note, &whole);
}

long ptrace(enum __ptrace_request request, ...) __attribute__((visibility("default")));
long ptrace(enum __ptrace_request request, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, request);
    const long pid = __builtin_va_arg(args, long);
    void *const addr = __builtin_va_arg(args, void *);
    void *const data = __builtin_va_arg(args, void *);
    __builtin_va_end(args);
    if (request == PTRACE_SETREGSET && (long)addr == NT_X86_XSTATE)
        return write_state((pid_t)pid, data);
    if (request != PTRACE_PEEKTEXT && request != PTRACE_PEEKDATA && request != PTRACE_PEEKUSER)
        return request_to_kernel(request, (pid_t)pid, addr, data);
    long word; /* the C library's function returns what the kernel stores */
    if (request_to_kernel(request, (pid_t)pid, addr, &word))
        return -1;
    errno = 0;
    return word;
}

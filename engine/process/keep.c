/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.c - `detach -keep`: releases the process with its probes planted.
 *
 * A later shell needs two descriptors in the target: one of the segment with the rings, and one of
 * the list of probes (kept.c). The shell sends both by SCM_RIGHTS through a socket pair that the
 * target creates. SCM_RIGHTS does not require that the target may access the shell, works between
 * users and namespaces, and needs no file. The descriptors are close-on-exec, and have high
 * numbers, which programs do not choose themselves.
 *
 * The descriptors are sent before the first step that cannot be undone, so if they cannot be sent,
 * the shell is attached as before. Once ez_rt_leave() has been called, the target waits for no
 * shell: events that do not fit into a full ring are dropped and counted, and the loader's hook
 * does not wait.
 * Tests: tests/procs/keep.sh, tests/procs/sweep.sh */
#include "engine/process/keep_priv.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/solib.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define NFDS 2
#define HIGH_FD 900 /* below the usual limit of 1024 */

struct parcel { /* the arguments of recvmsg in the target, in one block */
    struct msghdr msg;
    struct iovec iov;
    int32_t pair[2];
    char byte[8];
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(NFDS * sizeof(int))];
    } control;
};
_Static_assert(sizeof(struct parcel) <= 512, "");

static ez_err *keep_remote(struct ez_target *t, long nr, const uint64_t arg[6], int64_t *r,
                           const char *why)
{
    EZ_TRY(ez_inject_syscall(t, ez_inject_thread(t), nr, arg, r, why));
    return ez_inject_error(*r, "The process cannot keep the buffers of the probes", why);
}

static void keep_close_there(struct ez_target *t, int fd)
{
    int64_t r;
    ez_err_drop(keep_remote(t, SYS_close, (uint64_t[6]){ (uint64_t)fd }, &r, "close a descriptor"));
}

static ez_err *keep_send_fds(int sock, const int fd[NFDS])
{
    struct parcel p = { .byte = "k" };
    p.iov = (struct iovec){ p.byte, 1 };
    p.msg = (struct msghdr){ .msg_iov = &p.iov,
                             .msg_iovlen = 1,
                             .msg_control = p.control.room,
                             .msg_controllen = sizeof p.control.room };
    p.control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(NFDS * sizeof(int)),
                                       .cmsg_level = SOL_SOCKET,
                                       .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(&p.control.head), fd, NFDS * sizeof(int));
    if (sendmsg(sock, &p.msg, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
        return NULL;
    return ez_err_new(EZ_E_SYS, errno, "Cannot pass the buffers of the probes to the process");
}

/* Makes the target receive the descriptors from descriptor `sock`, its end of the socket pair.
 * there: the numbers in the target. */
static ez_err *keep_receive(struct ez_target *t, int sock, int there[NFDS])
{
    uint64_t at = ez_rt_scratch(t);
    struct parcel p = { 0 };
    int64_t r;
    p.iov = (struct iovec){ (void *)(at + offsetof(struct parcel, byte)), 1 };
    p.msg.msg_iov = (void *)(at + offsetof(struct parcel, iov));
    p.msg.msg_iovlen = 1;
    p.msg.msg_control = (void *)(at + offsetof(struct parcel, control));
    p.msg.msg_controllen = sizeof p.control.room;
    EZ_TRY(ez_mem_write(t, at, &p, sizeof p, "prepare to receive the buffers"));
    EZ_TRY(keep_remote(t, SYS_recvmsg,
                       (uint64_t[6]){ (uint64_t)sock, at, MSG_DONTWAIT | MSG_CMSG_CLOEXEC }, &r,
                       "receive the buffers"));
    EZ_TRY(ez_mem_read(t, at, &p, sizeof p));
    const int *got = (const int *)CMSG_DATA(&p.control.head);
    size_t n = p.control.head.cmsg_len < CMSG_LEN(0)
                   ? 0
                   : (p.control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < NFDS; i++)
        there[i] = i < n && p.control.head.cmsg_type == SCM_RIGHTS ? got[i] : -1;
    if (n < NFDS)
        return ez_err_new(EZ_E_REMOTE, 0, "The process cannot open two more files");
    return NULL;
}

/* Moves the target's descriptor to a high number, which programs do not choose themselves. Leaves
 * the number unchanged if no high number is free. */
static void keep_move_up(struct ez_target *t, int *fd)
{
    int64_t r;
    if (!ez_err_drop(keep_remote(t, SYS_fcntl,
                                 (uint64_t[6]){ (uint64_t)*fd, F_DUPFD_CLOEXEC, HIGH_FD }, &r,
                                 "give a descriptor a high number")))
        return;
    keep_close_there(t, *fd);
    *fd = (int)r;
}

static ez_err *keep_through(struct ez_target *t, const int32_t pair[2], const int fd[NFDS],
                            int there[NFDS])
{
    EZ_CLOSE int ours = ez_fetch_fd(t, pair[0]);
    if (ours < 0)
        return ez_err_new(EZ_E_SYS, errno,
                          "Cannot get a socket from the process, to pass it the buffers");
    EZ_TRY(keep_send_fds(ours, fd));
    return keep_receive(t, pair[1], there);
}

static ez_err *keep_hand_over(struct ez_target *t, const int fd[NFDS])
{
    int64_t r;
    int32_t pair[2] = { -1, -1 };
    int there[NFDS] = { -1, -1 };
    struct parcel wiped = { 0 };
    EZ_TRY(keep_remote(t, SYS_socketpair,
                       (uint64_t[6]){ AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ez_rt_scratch(t) }, &r,
                       "make a socket pair"));
    ez_err *e = ez_mem_read(t, ez_rt_scratch(t), pair, sizeof pair);
    if (!e)
        e = keep_through(t, pair, fd, there);
    for (int i = 0; i < 2 && pair[i] >= 0; i++)
        keep_close_there(t, pair[i]);
    for (int i = 0; i < NFDS && t->inf.state != EZ_NONE; i++) {
        if (there[i] >= 0 && e)
            keep_close_there(t, there[i]);
        else if (!e)
            keep_move_up(t, &there[i]);
    }
    ez_err_drop(t->inf.state == EZ_NONE ? NULL
                                        : ez_mem_write(t, ez_rt_scratch(t), &wiped, sizeof wiped,
                                                       "clear the received descriptors"));
    return e;
}

static ez_err *keep_prepare(struct ez_target *t)
{
    struct ez_instant now;
    struct stat st;
    EZ_TRY(ez_inject_allowed(t));
    EZ_TRY(ez_temp_bp_clear(t));
    EZ_TRY(ez_halts_end(t));
    for (size_t i = 0; i < t->probes.probe.n; i++)
        ez_probe_collect(t, t->probes.probe.at[i]);
    if (fstat(t->rt.memfd, &st))
        return ez_err_new(EZ_E_SYS, errno, "Cannot examine the buffers of the probes");
    ez_drain_instant(t->tracing.drain, &now);
    EZ_CLOSE int list = -1;
    EZ_TRY(kept_write(t, st.st_ino, &now, &list));
    return keep_hand_over(t, (int[NFDS]){ t->rt.memfd, list });
}

/* Returns true if a planted probe or a rule has clauses. A later shell does not have a clause's
 * source text, so the later shell could not generate the trampoline again to verify it. */
static bool keep_has_data(const struct ez_target *t)
{
    for (uint32_t i = 0; i < t->rt.nids; i++)
        if (t->rt.rows[i].flags & EZ_ROW_DATA && t->rt.rows[i].planted)
            return true;
    for (size_t i = 0; i < t->probes.rule.n; i++)
        if (ez_spec_has_request(&t->probes.rule.at[i].spec))
            return true;
    return false;
}

/* Plants the probes that wait for the loader's first consistent state, because no shell will be
 * attached at that time. */
static ez_err *keep_plant_waiting(struct ez_target *t)
{
    if (!ez_solib_awaited(t))
        return NULL;
    ez_solib_consistent(t, true);
    ez_progress_begin(t);
    return ez_progress_end(t, ez_probes_pending(t, false));
}

ez_err *ez_keep_begin(struct ez_target *t, unsigned *kept)
{
    enum ez_state was;
    struct ez_drain_stat s;
    EZ_TRY(ez_need_process(t));
    *kept = (unsigned)t->probes.probe.n;
    if (!t->probes.probe.n || !t->rt.up)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe to keep in process %d", t->inf.pid),
                           "\"detach\" without -keep ends the tracing of the process");
    if (t->probes.holding)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "A transaction is open"),
                           "Use \"commit\" or \"rollback\" first");
    if (keep_has_data(t))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Probes with a condition or data cannot be kept"),
            "\"detach\" without -keep removes all probes");
    EZ_TRY(ez_world_stop(t, &was));
    /* Throttled probes record again, because without a shell the budget is not checked. */
    ez_err_drop(ez_budget_release(t));
    ez_err *e = t->rt.up ? keep_plant_waiting(t)
                         : ez_err_new(EZ_E_GONE, 0, "The program was replaced by exec");
    if (!e)
        e = ez_rt_stacks_free(t);
    if (!e)
        e = keep_prepare(t);
    if (!e && t->inf.state == EZ_NONE)
        e = ez_err_new(EZ_E_GONE, 0, "The process ended");
    if (e) {
        ez_err_drop(t->inf.state == EZ_NONE ? NULL : ez_world_resume(t, was));
        return e;
    }
    ez_drain_stat(t->tracing.drain, &s);
    bool open = s.open || (t->rt.hdr->trace_open && !s.lost);
    ez_drain_park(t->tracing.drain);
    ez_rt_describe(t);
    ez_trace_process_ended(t); /* the target is stopped, so no event falls between the two traces */
    ez_probes_process_ended(t);
    ez_rt_leave(t, open);
    return ez_threads_detach(t);
}

void ez_keep_end(struct ez_target *t)
{
    ez_probes_forget(t);
}

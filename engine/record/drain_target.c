/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_target.c - checks whether the target lives, tells the target that the drain thread lives,
 * and notifies the main thread.
 *
 * Tests: tests/unit/record/check_drain.c */
#include "engine/record/drain_target.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/record/drain_priv.h"

void drain_progress(struct ez_drain *d)
{
    d->hdr->progress++;
}

bool drain_target_ended(const struct ez_drain *d)
{
    return __atomic_load_n(&d->life.ended, __ATOMIC_ACQUIRE) ||
           (kill(d->cfg.pid, 0) && errno == ESRCH);
}

bool drain_thread_gone(const struct ez_drain *d, uint32_t tid)
{
    if (d->foreign_tids)
        return drain_target_ended(d);
    return syscall(SYS_tgkill, d->cfg.pid, (int)tid, 0) && errno == ESRCH;
}

void drain_notify(const struct ez_drain *d)
{
    uint64_t one = 1;
    ssize_t n = d->cfg.event_fd >= 0 ? write(d->cfg.event_fd, &one, sizeof one) : 0;
    (void)n; /* if the eventfd is full, write() fails, but the eventfd is readable already */
}

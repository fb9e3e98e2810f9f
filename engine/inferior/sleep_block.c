/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sleep_block.c - makes an untraced thread sleep in a restorer block, after which it continues
 * where it was.
 *
 * The block (restorer.c) makes one system call, nanosleep, and has the duration and a magic number
 * at its end. eztsh releases the thread at this call, so the thread executes no instruction of the
 * program until the time is over. Signals except SIGKILL and SIGSTOP stay blocked until then. To
 * its parent the process looks as if it had not been scheduled yet. A shell that attaches during
 * the sleep finds the block around the thread's pc, and in the block the registers and the signal
 * mask to restore. If this shell dies before it has restored them, the thread sleeps for the rest
 * of its time. The block remains in borrowed bytes after the sleep; the next attach clears it.
 *
 * The target can write its block. A forged block only changes the registers of the target's own
 * thread, which the target can do anyway.
 * Tests: tests/procs/offer.sh, tests/unit/arch/check_restorer.c */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

#define MARK 0x657a74646f7a6501u /* "eztdoze", 1 */

struct sleep_block { /* the data at the end of the block */
    int64_t sec, nsec;
    uint64_t mark;
};
_Static_assert(sizeof(struct sleep_block) == EZ_RESTORER_SPARE_BYTES, "");

ez_err *ez_sleep_block(struct ez_target *t, struct ez_thread *th, unsigned ms)
{
    static const char why[] = "hold it for another shell";
    const struct sleep_block sleep_block = { ms / 1000, ms % 1000 * 1000000, MARK };
    struct ez_restored_thread was;
    uint8_t block[EZ_RESTORER_BYTES];
    uint64_t at = ez_restorer_for(t, th);
    if (!at)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "process %d cannot wait for another eztsh: no file in it has %d unused "
                          "bytes behind its code for the code that waits",
                          t->inf.pid, EZ_RESTORER_BYTES);
    EZ_TRY(ez_restorer_keep(th, &was));
    struct ez_restorer a = { .what = EZ_RESTORED_SYSCALL,
                             .back = &was.regs,
                             .mask = was.mask,
                             .func = t->inf.arch->regs.pc(&was.regs),
                             .at = at };
    const uint64_t arg[6] = { at + EZ_RESTORER_SPARE };
    struct ez_regs r = was.regs;
    t->inf.arch->restorer.write(block, &a);
    memcpy(block + EZ_RESTORER_SPARE, &sleep_block, sizeof sleep_block);
    EZ_TRY(ez_mem_write(t, at, block, sizeof block, why));
    t->inf.arch->syscall.prepare(&r, at, SYS_nanosleep, arg);
    ez_err *e = ez_restorer_enter(t, th, &r, ~0ull, &was, why);
    if (!e)
        EZ_TWICE(e, pt_detach(th->tid, 0, why));
    return e ? ez_restorer_home(t, th, &was, e) : NULL;
}

bool ez_sleep_block_possible(pid_t pid)
{
    char path[64];
    long nr = SYS_nanosleep;
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return errno != ENOENT || kill(pid, 0) == 0;
    /* the file contains "running" if the thread is not in a system call */
    bool known = fscanf(f, "%ld", &nr) == 1;
    fclose(f);
    return known && nr == SYS_nanosleep;
}

/* Reads the sleep block that contains pc into block. Returns its address, or 0 if pc is in none. */
static uint64_t sleep_block_of(struct ez_target *t, uint64_t pc, uint8_t block[EZ_RESTORER_BYTES])
{
    uint64_t at = (pc & ~(uint64_t)(EZ_PAGE - 1)) + EZ_PAGE - EZ_RESTORER_BYTES;
    struct sleep_block sleep_block;
    if (pc - at >= EZ_RESTORER_BYTES || !t->inf.arch->restorer.left ||
        ez_mem_read_some(t, at, block, EZ_RESTORER_BYTES) != EZ_RESTORER_BYTES)
        return 0;
    memcpy(&sleep_block, block + EZ_RESTORER_SPARE, sizeof sleep_block);
    return sleep_block.mark == MARK && t->inf.arch->restorer.left(block) ? at : 0;
}

ez_err *ez_sleep_block_end(struct ez_target *t, struct ez_thread *th, bool *was)
{
    static const uint8_t zeros[EZ_RESTORER_BYTES];
    uint8_t block[EZ_RESTORER_BYTES];
    struct ez_regs *live;
    ez_err *e;
    *was = false;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t at = sleep_block_of(t, t->inf.arch->regs.pc(live), block);
    if (!at)
        return NULL;
    EZ_TRY(ez_restorer_skip(t, th, block));
    *was = true;
    EZ_TWICE(e, ez_mem_write(t, at, zeros, sizeof zeros, "clear the bytes that eztsh used"));
    return e;
}

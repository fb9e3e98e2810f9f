/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair.c - at attach, adopts the probes that an earlier shell left in the process (adopt.c), or
 * removes their patches by the journal, so that text is the file's again.
 *
 * The fields of the journal's rows that this file reads are the same in every version of the ABI
 * (of version 1, only the fields before `trampoline`). So probes of another build can be removed,
 * too. The target can forge the journal, so rows are compared with the live bytes and the file: at
 * worst, a forged row makes eztsh write the file's bytes over other bytes of the target's text.
 * Errors: EZ_E_STATE if the earlier shell is still alive; EZ_E_QUIT; those of reading and writing.
 * Tests: tests/procs/killed.sh, tests/procs/keep.sh */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/foreign.h"
#include "engine/inferior/guard.h"
#include "engine/process/keep_priv.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/restorer.h"
#include "engine/probe/stap.h"
#include "engine/probe/unwind.h"

#define ROW_LEAST offsetof(struct ez_row, trampoline)
#define ROW_LED offsetof(struct ez_row, first) /* bytes that all versions since 2 share */
#define ROW_MOST 4096
#define IDS_MOST (1u << 20)
#define ROWS_MOST (2 * IDS_MOST) /* maximum number of rows in all segments together */

static bool repair_is_segment(const struct ez_map *m)
{
    return !strncmp(m->name, "/memfd:" EZ_SEG_NAME, strlen("/memfd:" EZ_SEG_NAME));
}

static bool repair_named_eztsh(pid_t pid)
{
    char comm[16] = "";
    EZ_FREE char *path = ez_sprintf("/proc/%d/comm", pid);
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && read(fd, comm, sizeof comm - 1) > 0 && !strncmp(comm, "eztsh", 5);
}

static bool repair_same_program(pid_t a, pid_t b)
{
    struct stat x, y;
    EZ_FREE char *one = ez_sprintf("/proc/%d/exe", a), *two = ez_sprintf("/proc/%d/exe", b);
    return !stat(one, &x) && !stat(two, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns true if process `shell`, the pid in the header, is the shell that has mapped these rings.
 * The target can write the pid, so it is checked: a shell maps the segment and does not run the
 * target's program (the target's children may map the segment, but they run that program). If the
 * process belongs to another user, so that its mappings cannot be read, the name "eztsh" is
 * enough. */
static bool repair_has_rings(const struct ez_target *t, pid_t shell, uint64_t seg_ino)
{
    struct ez_maps maps;
    bool has = false;
    if (!ez_err_drop(ez_maps_read(shell, &maps)))
        return repair_named_eztsh(shell);
    for (size_t i = 0; i < maps.map.n; i++)
        has |= maps.map.at[i].inode == seg_ino && repair_is_segment(&maps.map.at[i]);
    ez_maps_free(&maps);
    return has && !repair_same_program(shell, t->inf.pid);
}

/* Returns true if the shell that owns the segment lives. If it died, the kernel usually has set
 * FUTEX_OWNER_DIED in the robust futex h->owner. EPERM: the shell lives, as another user's
 * process. */
static bool repair_owner_lives(const struct ez_target *t, const struct ez_hdr *h, uint64_t seg_ino)
{
    pid_t shell = (pid_t)h->shell_pid;
    return !(h->owner.word & FUTEX_OWNER_DIED) && (h->owner.word & FUTEX_TID_MASK) && shell > 0 &&
           (!kill(shell, 0) || errno == EPERM) && repair_has_rings(t, shell, seg_ino);
}

static bool repair_read_header(struct ez_target *t, const struct ez_kept_map *seg, struct ez_hdr *h)
{
    uint64_t size = seg->hi - seg->lo;
    return ez_mem_read_some(t, seg->lo, h, sizeof *h) == sizeof *h && h->magic == EZ_ABI_MAGIC &&
           h->target_pid == (uint32_t)t->inf.pid && h->row_bytes >= ROW_LEAST &&
           h->row_bytes <= ROW_MOST && h->ids_used <= h->ids_max && h->ids_used <= IDS_MOST &&
           h->off_rows <= size && (uint64_t)h->ids_used * h->row_bytes <= size - h->off_rows;
}

/* Reads the fields of the rows that are the same in all versions; the other fields become zero. */
static ez_err *repair_read_rows(struct ez_target *t, uint64_t seg, const struct ez_hdr *h,
                                struct ez_row **out)
{
    size_t most = h->abi < 2 ? ROW_LEAST : ROW_LED, known = EZ_MIN(h->row_bytes, most);
    EZ_FREE struct ez_row *row = ez_alloc(h->ids_used * sizeof *row + 1);
    known = known < ROW_LED ? ROW_LEAST : known;
    for (uint32_t i = 0; i < h->ids_used; i++)
        EZ_TRY(ez_mem_read(t, seg + h->off_rows + (uint64_t)i * h->row_bytes, &row[i], known));
    *out = row;
    row = NULL;
    return NULL;
}

static bool repair_any_stands(struct ez_target *t, const struct ez_row *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        /* interrupted: the caller then returns an error */
        if ((i % 4096 == 0 && ez_foreign_stopped()) ||
            row_stands(t, &row[i]) & (ROW_SITE | ROW_ISLAND))
            return true;
    return false;
}

/* Returns true if the row is a plain jump from a function of an unwinder to eztsh's hook. */
static bool repair_is_unwinders(struct ez_target *t, const struct ez_row *r)
{
    return r->flags & EZ_ROW_INTERNAL && r->planted && r->len == t->inf.arch->jump.len &&
           ez_strategy(r->strategy)->direct && ez_unwind_is_hook(t, r->func);
}

/* Keeps the hooks on unwinders if a probe followed exits: calls of its function may be open, which
 * this shell cannot check, and which exceptions may unwind. Also keeps a hook if its original bytes
 * are not those of the file. Sets `planted` to 0 in the copies of the rows of kept hooks. */
static ez_err *repair_spare_unwinders(struct ez_target *t, struct ez_row *row, uint32_t n)
{
    bool follows = false;
    const struct ez_module *named = NULL;
    for (uint32_t i = 0; i < n; i++)
        follows |= row[i].addr && row[i].flags & (EZ_ROW_EXIT | EZ_ROW_DATA);
    for (uint32_t i = 0; i < n; i++) {
        if (i % 4096 == 0 && ez_foreign_stopped())
            return ez_foreign_interrupted();
        /* A hook that was planted over an older hook stays even if no probe followed exits, because
         * an earlier shell kept the older hook for open calls. */
        if (!repair_is_unwinders(t, &row[i]) || (!follows && row_is_files(t, &row[i])))
            continue;
        const struct ez_module *m = ez_module_at(t, row[i].func);
        if (m != named && row_stands(t, &row[i]) & ROW_SITE)
            ez_post_note(
                t,
                "%s keeps a hook of eztsh: calls of probed functions may be open, and may throw.",
                m->path);
        named = m;
        ez_left_hook_add(t, row[i].addr, row[i].after, row[i].len);
        row[i].planted = 0;
    }
    return NULL;
}

/* Clears `planted` of the rows in the target's journal, because a later patch may have the same
 * bytes. halts: only in rows of halts' traps. */
static ez_err *repair_unplant(struct ez_target *t, const struct ez_kept_map *seg,
                              const struct ez_hdr *h, struct ez_row *row, bool halts)
{
    const uint8_t none = 0;
    for (uint32_t i = 0; i < h->ids_used; i++) {
        uint64_t at = seg->lo + h->off_rows + (uint64_t)i * h->row_bytes;
        if (!row[i].planted || (halts && !row_is_halt(t, &row[i])))
            continue;
        EZ_TRY(ez_mem_write(t, at + offsetof(struct ez_row, planted), &none, sizeof none,
                            "mark a removed patch in the journal"));
        row[i].planted = 0;
    }
    return NULL;
}

/* Returns true if the segment has a journal of the counters of USDT probes. */
static bool repair_has_semaphores(const struct ez_kept_map *seg, const struct ez_hdr *h)
{
    const uint64_t size = seg->hi - seg->lo, n = EZ_SEMAPHORES * sizeof(struct ez_semaphore);
    return h->abi >= EZ_SEMAPHORES_SINCE && n <= size && h->off_semaphores <= size - n;
}

/* Removes the patches of the earlier shell's probes, and undoes its increments of the counters of
 * USDT probes. why: why they were not adopted; NULL = the user requested the removal. */
static ez_err *repair_remove(struct ez_target *t, const struct ez_kept_map *seg, struct ez_row *row,
                             const struct ez_hdr *h, const char *why)
{
    unsigned n;
    if (repair_has_semaphores(seg, h))
        EZ_TRY(ez_semaphores_recover(t, seg->lo + h->off_semaphores));
    EZ_TRY(repair_spare_unwinders(t, row, h->ids_used));
    EZ_TRY(rows_restore(t, row, h->ids_used, "remove a probe of another eztsh", &n));
    EZ_TRY(repair_unplant(t, seg, h, row, false));
    if (n && why)
        ez_post_note(t, "Removed %u probe%s of an earlier eztsh (process %u): %s.", n,
                     n == 1 ? "" : "s", h->shell_pid, why);
    else if (n)
        ez_post_note(t, "Removed %u probe%s of another eztsh (process %u).", n, n == 1 ? "" : "s",
                     h->shell_pid);
    return NULL;
}

static bool repair_has_list(struct ez_target *t, uint64_t seg_ino)
{
    struct kept k;
    int there;
    EZ_CLOSE int fd = kept_find_fd(t, EZ_KEPT_NAME, 0, &there);
    if (fd < 0)
        return false;
    ez_err *e = kept_read(fd, &k);
    /* a damaged list counts as found, so that adoption reports the error */
    bool ours = e || k.head.seg_ino == seg_ino;
    ez_err_free(e);
    kept_free(&k);
    return ours;
}

struct leftovers { /* of one attach */
    const struct ez_maps *maps;
    uint32_t rows;  /* number of rows that may still be read */
    unsigned fails; /* see ez_rt_sweep() */
    bool done;      /* there were probes */
};

/* Handles one segment: adopts or removes its probes, or unmaps it with its runtime if no patch
 * stands. EZ_E_STATE without `force`: the shell that owns the segment lives. */
static ez_err *repair_one(struct ez_target *t, struct leftovers *all, const struct ez_kept_map *seg,
                          bool force)
{
    struct ez_hdr h;
    EZ_FREE struct ez_row *row = NULL;
    if (!repair_read_header(t, seg, &h) || h.ids_used > all->rows)
        return NULL;
    all->rows -= h.ids_used;
    if (!force && repair_owner_lives(t, &h, seg->ino))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Process %d has the probes of another eztsh (process %u)",
                       t->inf.pid, h.shell_pid),
            "Use \"detach\" in that eztsh first; \"attach -force\" removes its probes");
    EZ_TRY(repair_read_rows(t, seg->lo, &h, &row));
    if (!repair_any_stands(t, row, h.ids_used) && !repair_has_list(t, seg->ino))
        return ez_rt_sweep(t, all->maps, seg->lo, seg->ino, &h, row, &all->fails);
    if (ez_foreign_stopped())
        return ez_foreign_interrupted();
    all->done = true;
    EZ_TRY(rows_free_halts(t, row, h.ids_used));
    EZ_TRY(repair_unplant(t, seg, &h, row, true));
    ez_err *e = force ? repair_remove(t, seg, row, &h, NULL) : ez_adopt(t, seg);
    if (e && !force && e->code != EZ_E_GONE) {
        ez_err *r = repair_remove(t, seg, row, &h, e->msg);
        ez_err_free(e);
        e = r;
    }
    if (!e)
        ez_kept_close(t, seg->ino);
    return e;
}

/* Handles at most one segment with planted patches, because each shell adopts or removes the probes
 * of the shell before it. A second one would be forged. */
ez_err *ez_leftovers(struct ez_target *t, bool force)
{
    struct ez_maps maps;
    ez_err *e = NULL;
    struct leftovers all = { .maps = &maps, .rows = ROWS_MOST };
    EZ_TRY(ez_restorer_tidy(t));
    EZ_TRY(ez_guard_tidy(t));
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    for (size_t i = 0; i < maps.map.n && !e && !all.done; i++) {
        const struct ez_map *m = &maps.map.at[i];
        struct ez_kept_map seg = { m->lo, m->hi, m->inode };
        if (repair_is_segment(m))
            e = repair_one(t, &all, &seg, force);
    }
    ez_maps_free(&maps);
    return e;
}

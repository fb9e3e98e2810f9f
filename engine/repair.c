/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair.c - at attach: what an earlier shell left in the process. It is taken over
 * (adopt.c), or else taken away by the journal, so that text is the file's again.
 *
 * The journal's rows are the same in every version of the ABI up to what is read here (of
 * version 1, up to the bytes of the patch), so probes of another build can be taken away
 * too. Anything the target could have forged is checked against the live bytes and the
 * file: a row can at worst make us put the file's bytes where they are already missing.
 * Errors: EZ_E_STATE when the other shell is alive. Tests: tests/procs/killed.sh, keep.sh */
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>

#include "engine/keep.h"

#define ROW_LEAST offsetof(struct ez_row, stub)
#define ROW_LED offsetof(struct ez_row, first) /* what is known of version 2 and later */
#define ROW_MOST 4096
#define IDS_MOST (1u << 20)

/* The robust word says it, if the kernel had the chance to write it. It may be another
 * user's, whom we cannot signal. */
static bool owner_lives(const struct ez_hdr *h)
{
    return !(h->owner.word & FUTEX_OWNER_DIED) && (h->owner.word & FUTEX_TID_MASK) &&
           (!kill((pid_t)h->shell_pid, 0) || errno == EPERM);
}

static bool read_header(struct ez_target *t, uint64_t seg, struct ez_hdr *h)
{
    return ez_mem_read_some(t, seg, h, sizeof *h) == sizeof *h && h->magic == EZ_ABI_MAGIC &&
           h->target_pid == (uint32_t)t->pid && h->row_bytes >= ROW_LEAST &&
           h->row_bytes <= ROW_MOST && h->ids_used <= h->ids_max && h->ids_used <= IDS_MOST;
}

/* As far as this version knows them; the rest is zero. */
static ez_err *read_rows(struct ez_target *t, uint64_t seg, const struct ez_hdr *h,
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

static bool any_stands(struct ez_target *t, const struct ez_row *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (row_stands(t, &row[i]) & (ROW_SITE | ROW_HOP))
            return true;
    return false;
}

static ez_err *take_away(struct ez_target *t, const struct ez_row *row, const struct ez_hdr *h,
                         const char *why)
{
    unsigned n;
    EZ_TRY(rows_restore(t, row, h->ids_used, "take away a dead shell's probe", &n));
    if (n)
        ez_post_note(t,
                     "Took away %u probes that a shell (process %u) left behind when it ended: %s.",
                     n, h->shell_pid, why);
    return NULL;
}

static bool has_list(struct ez_target *t, uint64_t seg_ino)
{
    struct kept k;
    int there;
    EZ_CLOSE int fd = kept_find_fd(t, EZ_KEPT_NAME, 0, &there);
    if (fd < 0)
        return false;
    ez_err *e = kept_read(fd, &k);
    bool ours = e || k.head.seg_ino == seg_ino; /* a damaged one is told */
    ez_err_free(e);
    kept_free(&k);
    return ours;
}

static ez_err *one(struct ez_target *t, const struct ez_kept_map *seg)
{
    struct ez_hdr h;
    EZ_FREE struct ez_row *row = NULL;
    if (!read_header(t, seg->lo, &h))
        return NULL;
    if (owner_lives(&h))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                      "process %d carries the probes of another eztsh (process %u)",
                                      t->pid, h.shell_pid),
                           "`detach` there first");
    EZ_TRY(read_rows(t, seg->lo, &h, &row));
    if (!any_stands(t, row, h.ids_used) && !has_list(t, seg->ino))
        return NULL;
    ez_err *e =
        t->rt.up ? ez_err_new(EZ_E_STATE, 0, "those of another were taken over") : ez_adopt(t, seg);
    if (e && e->code != EZ_E_GONE) {
        ez_err *r = take_away(t, row, &h, e->msg);
        ez_err_free(e);
        e = r;
    }
    if (!e)
        ez_kept_close(t, seg->ino);
    return e;
}

ez_err *ez_leftovers(struct ez_target *t)
{
    struct ez_maps maps;
    ez_err *e = NULL;
    EZ_TRY(ez_anchor_tidy(t));
    EZ_TRY(ez_maps_read(t->pid, &maps));
    for (size_t i = 0; i < maps.map.n && !e; i++) {
        const struct ez_map *m = &maps.map.at[i];
        struct ez_kept_map seg = { m->lo, m->hi, m->inode };
        if (!strncmp(m->name, "/memfd:" EZ_SEG_NAME, strlen("/memfd:" EZ_SEG_NAME)))
            e = one(t, &seg);
    }
    ez_maps_free(&maps);
    return e;
}

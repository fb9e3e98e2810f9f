/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair.c - at attach: what an earlier shell left in the process. It is taken over
 * (adopt.c), or else taken away by the journal, so that text is the file's again.
 *
 * The journal's rows are the same in every version of the ABI up to what is read here,
 * so probes of another build can be taken away too. Anything the target could have
 * forged is checked against the live bytes and the file: a row can at worst make us put
 * the file's bytes where they are already missing.
 * Errors: EZ_E_STATE when the other shell is alive. Tests: tests/procs/killed.sh, keep.sh */
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>

#include "engine/keep.h"

#define ROW_LEAST offsetof(struct ez_row, stub)
#define ROW_MOST 4096

/* The robust word says it, if the kernel had the chance to write it. */
static bool owner_lives(const struct ez_hdr *h)
{
    return !(h->owner.word & FUTEX_OWNER_DIED) && (h->owner.word & FUTEX_TID_MASK) &&
           kill((pid_t)h->shell_pid, 0) == 0;
}

static bool read_header(struct ez_target *t, uint64_t seg, struct ez_hdr *h)
{
    return ez_mem_read_some(t, seg, h, sizeof *h) == sizeof *h && h->magic == EZ_ABI_MAGIC &&
           h->target_pid == (uint32_t)t->pid && h->row_bytes >= ROW_LEAST &&
           h->row_bytes <= ROW_MOST && h->ids_used <= h->ids_max;
}

/* Goes through the rows whose jump stands there; with `away` the file's bytes come back. */
static ez_err *planted(struct ez_target *t, uint64_t seg, const struct ez_hdr *h, bool away,
                       unsigned *n)
{
    struct ez_row row = { 0 };
    *n = 0;
    for (uint32_t i = 0; i < h->ids_used; i++) {
        uint8_t live[16], file[16];
        EZ_TRY(ez_mem_read(t, seg + h->off_rows + (uint64_t)i * h->row_bytes, &row, ROW_LEAST));
        struct ez_module *m = row.planted && row.len <= 16 ? ez_module_at(t, row.addr) : NULL;
        if (!m || !m->obj || ez_mem_read_some(t, row.addr, live, row.len) != row.len ||
            memcmp(live, row.after, row.len) ||
            ez_object_read_text(m->obj, row.addr - m->bias, file, row.len) != row.len ||
            !memcmp(live, file, row.len))
            continue;
        if (away)
            EZ_TRY(ez_mem_write(t, row.addr, file, row.len, "take away a dead shell's probe"));
        ++*n;
    }
    return NULL;
}

static ez_err *take_away(struct ez_target *t, uint64_t seg, const struct ez_hdr *h, const char *why)
{
    unsigned n;
    EZ_TRY(planted(t, seg, h, true, &n));
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
    unsigned n;
    if (!read_header(t, seg->lo, &h))
        return NULL;
    if (owner_lives(&h))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                      "process %d carries the probes of another eztsh (process %u)",
                                      t->pid, h.shell_pid),
                           "`detach` there first");
    EZ_TRY(planted(t, seg->lo, &h, false, &n));
    bool kept = has_list(t, seg->ino);
    if (!n && !kept)
        return NULL;
    ez_err *e =
        t->rt.up ? ez_err_new(EZ_E_STATE, 0, "those of another were taken over") : ez_adopt(t, seg);
    if (e && e->code != EZ_E_GONE) {
        ez_err *r = take_away(t, seg->lo, &h, e->msg);
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

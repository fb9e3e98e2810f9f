/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_priv.h - probes that stay in a process without a shell, and the shell that takes them
 * over. What keep.c, kept.c, adopt.c and adopt_probes.c share; for them alone.
 *
 *   keep.c          `detach -keep`: the list of probes and the rings get a descriptor in
 *                   the target, the drain thread leaves
 *   kept.c          that list: a sealed memfd; written once, read by who does not trust it
 *   adopt.c         `attach`: runtime and rings of an earlier shell, each byte checked
 *   adopt_rows.c    its sites: those that stay as they are, those to be planted anew
 *   adopt_probes.c  the probes on them: from the list, else as the journal lets one guess
 *   restore.c       text by the journal's rows, for these and for repair.c */
#ifndef EZ_KEEP_PRIV_H
#define EZ_KEEP_PRIV_H

#include "engine/keep/keep.h"
#include "engine/target.h"

#define EZ_KEPT_NAME "eztsh-kept" /* "/memfd:eztsh-kept" in /proc/PID/fd */

struct kept_head {
    uint64_t magic, size; /* of all of it, bytes                                */
    uint64_t seg_ino;     /* of the segment it belongs to                       */
    uint32_t version, nprobes, nrules, next_number;
    uint64_t text_size; /* probes, rules, text follow in this order           */
    struct ez_instant since;
};

struct kept_probe { /* texts are offsets; 0 = NULL */
    int32_t number;
    uint8_t kind, state, record, user_disabled;
    uint32_t line, location, reason, object_path, function, library, file, ifunc;
    uint64_t vaddr, func; /* func: its site, 0 = none                           */
    uint64_t entries, exits, base_entry, base_exit;
};

struct kept_rule {
    uint8_t kind, record, matched, pad;
    uint32_t spec;
};

struct kept { /* a list that was read: all offsets are within, all texts end */
    uint8_t *all;
    struct kept_head head;
    const struct kept_probe *probe;
    const struct kept_rule *rule;
    const char *text;
};

/* Of every probe and rule; *fd is sealed. */
ez_err *kept_write(struct ez_target *t, uint64_t seg_ino, const struct ez_instant *since,
                   int *fd) EZ_WUR;
ez_err *kept_read(int fd, struct kept *k) EZ_WUR;
void kept_free(struct kept *k);
char *kept_string(const struct kept *k, uint32_t at); /* to free; NULL for 0 */

/* The target's descriptor of this file (inode; 0 = any) and name among the memfds.
 * *there = its number; the result is ours to close, -1 = none. */
int kept_find_fd(struct ez_target *t, const char *name, uint64_t ino, int *there);

struct ez_kept_map {
    uint64_t lo, hi, ino;
};

struct adoption { /* what is there, as far as it was checked */
    struct ez_hdr hdr;
    struct ez_kept_map seg;
    struct ez_maps maps;
    uint64_t blob;
    struct rt_state state;
    struct ez_row *row;
    struct kept kept;         /* .all NULL = there is no list                     */
    EZ_VEC(uint32_t) given;   /* ids whose rows are given back, or may have been  */
    EZ_VEC(uint32_t) carried; /* by site: the flags of what stood and is given back */
    bool anew;                /* something stands that must be planted anew       */
};
#define CARRIED_TRAP 0x10000 /* it was a breakpoint                                */

ez_err *adopt_differs(const char *what);
/* Is all of [lo, hi) mapped so, with no file behind it? */
bool adopt_mapped(const struct adoption *o, uint64_t lo, uint64_t hi, const char *perm);

/* adopt_rows.c. Changes nothing in the target. */
ez_err *adopt_rows(struct ez_target *t, struct adoption *o) EZ_WUR;
/* Give back what is to be planted anew; then say what each site carries. */
ez_err *adopt_give_back(struct ez_target *t, struct adoption *o) EZ_WUR;

/* adopt_probes.c: the probes, once the sites and the drain are there. Returns how many. */
unsigned adopt_probes(struct ez_target *t, const struct adoption *o);

/* restore.c */
#define ROW_SITE 1   /* its patch stands                                             */
#define ROW_ISLAND 2 /* its island in padding does                                      */
#define ROW_PUN 4    /* its island in memory of ours does                               */
/* What it says was patched is as long as the jumps we write: half of one given back is neither. */
bool row_whole(const struct ez_target *t, const struct ez_row *r);
unsigned row_stands(struct ez_target *t, const struct ez_row *r);
/* Give back what stands of these rows; *sites = how many probed functions. */
ez_err *rows_restore(struct ez_target *t, const struct ez_row *row, size_t n, const char *why,
                     unsigned *sites) EZ_WUR;

/* adopt.c */
/* Take over what an earlier shell left in the segment mapped there. An error says
 * why it cannot be had; nothing has changed then. */
ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg) EZ_WUR;
/* Close the descriptors that `detach -keep` left there. World stopped. */
void ez_kept_close(struct ez_target *t, uint64_t seg_ino);

#endif

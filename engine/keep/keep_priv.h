/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_priv.h - probes that stay in a process without a shell, and the shell that takes them
 * over. For the files of this folder alone:
 *
 *   keep.c          `detach -keep`: the list of probes and the rings get a descriptor in
 *                   the target, the drain thread leaves
 *   kept.c          writes that list, a sealed memfd, once; reads it without trusting it
 *   adopt.c         `attach`: checks each byte of an earlier shell's runtime and rings
 *   adopt_rows.c    the earlier shell's sites: those that stay, those to be planted anew
 *   adopt_probes.c  the probes on these sites: from the list, else guessed from the journal
 *   restore.c       puts the file's bytes back by the journal's rows, for repair.c too
 *   repair.c        at attach: lets adopt.c take over, or takes away by the journal */
#ifndef EZ_KEEP_PRIV_H
#define EZ_KEEP_PRIV_H

#include "engine/keep/keep.h"
#include "engine/target.h"

#define EZ_KEPT_NAME "eztsh-kept" /* "/memfd:eztsh-kept" in /proc/PID/fd */

struct kept_head {
    uint64_t magic, size; /* size: bytes of the whole list                      */
    uint64_t seg_ino;     /* inode of the segment that the list belongs to      */
    uint32_t version, nprobes, nrules, next_number;
    uint64_t text_size; /* probes, rules, text follow in this order           */
    struct ez_instant since;
};

struct kept_probe { /* texts are offsets; 0 = NULL */
    int32_t number;
    uint8_t kind, state, record, user_disabled;
    uint32_t line, location, reason, object_path, function, library, file, ifunc, with, orig;
    int32_t family; /* struct ez_probe: below 0 it is -serial of a rule              */
    uint32_t copy;
    uint64_t vaddr, func; /* func: the function of its site, 0 = no site        */
    uint64_t entries, exits, base_entry, base_exit;
};

struct kept_rule {
    uint8_t kind, record, matched, pad;
    uint32_t spec, serial;
};

struct kept { /* a list that was read and checked: offsets are in it, texts end with 0 */
    uint8_t *all;
    struct kept_head head;
    const struct kept_probe *probe;
    const struct kept_rule *rule;
    const char *text;
};

/* Write the list of all probes and rules to a new memfd; *fd is sealed. */
ez_err *kept_write(struct ez_target *t, uint64_t seg_ino, const struct ez_instant *since,
                   int *fd) EZ_WUR;
ez_err *kept_read(int fd, struct kept *k) EZ_WUR;
void kept_free(struct kept *k);
char *kept_string(const struct kept *k, uint32_t at); /* to free; NULL for 0 */

/* Find the target's descriptor of the memfd with this name and inode (0 = any). *there = its
 * number in the target; returns our copy, which the caller closes, or -1 = none. */
int kept_find_fd(struct ez_target *t, const char *name, uint64_t ino, int *there);

struct ez_kept_map {
    uint64_t lo, hi, ino;
};

struct adoption { /* copies of what the earlier shell left, as far as they were checked */
    struct ez_hdr hdr;
    struct ez_kept_map seg;
    struct ez_maps maps;
    uint64_t blob;
    struct rt_state state;
    struct ez_row *row;
    struct kept kept;         /* .all NULL = there is no list                     */
    EZ_VEC(uint32_t) given;   /* ids of the retired variants: their rows are given back */
    EZ_VEC(uint32_t) carried; /* by site: flags of the patch that is given back   */
    unsigned left_out;        /* patches with clauses, which are given back for good */
    bool anew;                /* some patch stands that must be planted anew      */
};
#define CARRIED_TRAP 0x10000 /* the patch was a breakpoint                         */

ez_err *adopt_differs(const char *what);
/* Is all of [lo, hi) mapped with the permissions `perm`, and with no file behind it? */
bool adopt_mapped(const struct adoption *o, uint64_t lo, uint64_t hi, const char *perm);

/* adopt_rows.c. Changes nothing in the target. */
ez_err *adopt_rows(struct ez_target *t, struct adoption *o) EZ_WUR;
/* Give back the patches that are to be planted anew; then set what each site carries. */
ez_err *adopt_give_back(struct ez_target *t, struct adoption *o) EZ_WUR;

/* adopt_probes.c: make the probes, once the sites and the drain are there. Returns how many. */
unsigned adopt_probes(struct ez_target *t, const struct adoption *o);

/* restore.c */
#define ROW_SITE 1   /* the row's patch stands                                       */
#define ROW_ISLAND 2 /* its island in padding, or in a host, stands                     */
#define ROW_PUN 4    /* its island in memory of ours stands                             */
/* Is the row's patch as long as a patch of its strategy is? Giving back part of a jump would leave
 * half of one. */
bool row_whole(const struct ez_target *t, const struct ez_row *r);
/* ROW_* flags: which parts of the row's patch stand in the target. */
unsigned row_stands(struct ez_target *t, const struct ez_row *r);
bool row_is_halt(const struct ez_target *t, const struct ez_row *r); /* a trap that is no probe's */
/* Are the bytes that the row calls original those of the file? */
bool row_is_files(struct ez_target *t, const struct ez_row *r);
/* Give back what the traps of halts replaced, and lead threads home that are on their way past one. Call this first:
 * a trap may stand in another row's jump. */
ez_err *rows_free_halts(struct ez_target *t, const struct ez_row *row, size_t n) EZ_WUR;
/* Put the file's bytes back where these rows' patches stand; *sites = how many carried probes. */
ez_err *rows_restore(struct ez_target *t, const struct ez_row *row, size_t n, const char *why,
                     unsigned *sites) EZ_WUR;

/* adopt.c */
/* Take over what an earlier shell left, by the segment mapped at `seg`. An error says why it
 * cannot be taken over. */
ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg) EZ_WUR;
/* Close the descriptors that `detach -keep` left in the target. World stopped. */
void ez_kept_close(struct ez_target *t, uint64_t seg_ino);

#endif

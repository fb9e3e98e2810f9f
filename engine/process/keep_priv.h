/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_priv.h - probes that stay in a process without a shell, and their adoption by a later
 * shell. For the files of this folder alone:
 *
 *   keep.c          `detach -keep`: the list of probes and the rings get a descriptor in
 *                   the target, the drain thread leaves
 *   kept.c          writes that list, a sealed memfd, once; reads it without trusting it
 *   adopt.c         `attach`: checks each byte of an earlier shell's runtime and rings
 *   adopt_rows.c    the earlier shell's sites: those that stay, those to be planted again
 *   adopt_probes.c  the probes on these sites: from the list, else guessed from the journal
 *   restore.c       restores the file's bytes by the journal's rows, also for repair.c
 *   repair.c        at attach: adopts by adopt.c, or removes by the journal */
#ifndef EZ_KEEP_PRIV_H
#define EZ_KEEP_PRIV_H

#include "engine/process/keep.h"
#include "engine/target.h"

#define EZ_KEPT_NAME "eztsh-kept" /* "/memfd:eztsh-kept" in /proc/PID/fd */

struct kept_head {
    uint64_t magic, size; /* size: bytes of the whole list */
    uint64_t seg_ino;     /* inode of the segment that the list belongs to */
    uint32_t version, nprobes, nrules, next_number;
    uint64_t text_size;      /* probes, rules, text follow in this order */
    struct ez_instant since; /* when the shell left */
};

struct kept_probe { /* a probe of the list; its texts are offsets in kept.text, 0 = NULL */
    int32_t number;
    uint8_t kind, state, record, user_disabled;
    uint32_t line, location, reason, object_path, function, library, file, ifunc, with, orig;
    int32_t family; /* as in struct ez_probe: for probes of a rule -serial of the rule */
    uint32_t copy;
    uint64_t vaddr, func; /* func: address of the site's function, 0 = no site */
    uint64_t entries, exits, base_entry, base_exit;
};

struct kept_rule { /* a `probe -r`; spec: offset of its text */
    uint8_t kind, record, matched, no_startup;
    uint32_t spec, serial;
};

struct kept { /* a list that was read and checked: all offsets are inside, and all texts end with
               * 0 */
    uint8_t *all;
    struct kept_head head;
    const struct kept_probe *probe;
    const struct kept_rule *rule;
    const char *text;
};

/* Writes the list of all probes and rules to a new memfd, and seals *fd. */
ez_err *kept_write(struct ez_target *t, uint64_t seg_ino, const struct ez_instant *since,
                   int *fd) EZ_WUR;
/* Reads and checks a list. EZ_E_FORMAT. */
ez_err *kept_read(int fd, struct kept *k) EZ_WUR;
void kept_free(struct kept *k);
/* Returns a copy of the text at this offset, which the caller frees; NULL for 0. */
char *kept_string(const struct kept *k, uint32_t at);

/* Finds the target's descriptor of the memfd with this name and inode (0 = any inode). *there =
 * number of the descriptor in the target. Returns a duplicate in the shell, which the caller
 * closes; -1 if the target has no such descriptor. */
int kept_find_fd(struct ez_target *t, const char *name, uint64_t ino, int *there);

struct ez_kept_map { /* mapping of a segment (rings) in the target */
    uint64_t lo, hi, ino;
};

struct adoption { /* checked copies of the earlier shell's data */
    struct ez_hdr hdr;
    struct ez_kept_map seg;
    struct ez_maps maps;
    uint64_t blob;
    struct rt_state state;
    struct ez_row *row;
    struct kept kept;       /* .all NULL = no list */
    EZ_VEC(uint32_t) given; /* rows that became retired variants, and whose patches are removed */
    /* index: site; EZ_ROW_* flags of the removed patch, and CARRIED_TRAP */
    EZ_VEC(uint32_t) carried;
    unsigned left_out; /* number of patches with clauses, which are removed and not planted
                               * again */
    bool anew;         /* some patch is removed and planted again */
};
#define CARRIED_TRAP 0x10000 /* the patch was a breakpoint */

/* adopt_rows.c. adopt_differs returns EZ_E_MISMATCH with this text: the target's memory is not as
 * an eztsh would have left it. */
ez_err *adopt_differs(const char *what);
/* Makes the sites, and their variants, by the journal's rows. Changes nothing in the target. */
ez_err *adopt_rows(struct ez_target *t, struct adoption *o) EZ_WUR;
/* Removes the patches of o->given. Then finds out which variant is in the text at each site. */
ez_err *adopt_give_back(struct ez_target *t, struct adoption *o) EZ_WUR;

/* Makes the probes, once the sites and the drain exist (adopt_probes.c). Returns their number. */
unsigned adopt_probes(struct ez_target *t, const struct adoption *o);

/* restore.c */
#define ROW_SITE 1   /* the row's patch is in the text */
#define ROW_ISLAND 2 /* its island, in padding or in an evicted neighbour, is in the text */
#define ROW_MAPPED 4 /* its island in eztsh's memory exists */
/* Returns true if the row's patch has a length that its strategy allows. Otherwise removing it
 * might leave half of a jump. */
bool row_whole(const struct ez_target *t, const struct ez_row *r);
/* Returns ROW_* flags: the parts of the row's patch that are in the target. */
unsigned row_stands(struct ez_target *t, const struct ez_row *r);
/* Returns true if the row is the trap of a halt, not of a probe. */
bool row_is_halt(const struct ez_target *t, const struct ez_row *r);
/* Returns true if the row's original bytes are equal to the bytes of the file. */
bool row_is_files(struct ez_target *t, const struct ez_row *r);
/* Restores the bytes under the traps of halts, and moves threads that are at such a trap, or in its
 * copied instruction, back to the program. Call this first: a trap may be in another row's jump. */
ez_err *rows_free_halts(struct ez_target *t, const struct ez_row *row, size_t n) EZ_WUR;
/* Restores the file's bytes under these rows' patches; *sites = number of restored sites with
 * probes. why: purpose of the writes, for error messages and the log. */
ez_err *rows_restore(struct ez_target *t, const struct ez_row *row, size_t n, const char *why,
                     unsigned *sites) EZ_WUR;

/* adopt.c */
/* Adopts what an earlier shell left in the process. seg: where the target has mapped that shell's
 * segment. The error says why adoption is impossible. */
ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg) EZ_WUR;
/* Closes the descriptors that `detach -keep` left in the target. The target must be stopped. */
void ez_kept_close(struct ez_target *t, uint64_t seg_ino);

#endif

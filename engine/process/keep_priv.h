/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_priv.h - probes that stay in a process without a shell, and their adoption by a later
 * shell. Only these files of the folder include it:
 *
 *   keep.c          `detach -keep`: stores the descriptors of the list of probes and of the rings
 *                   in the target, and ends the drain thread
 *   kept.c          writes the list of probes to a sealed memfd; reads and checks such a list
 *   adopt.c         `attach`: checks each byte of an earlier shell's runtime and rings
 *   adopt_rows.c    the earlier shell's sites: adopts a patch, or removes it to plant it again
 *   adopt_probes.c  creates the probes on these sites, from the list or, without a list, from the
 *                   journal
 *   restore.c       restores the file's bytes by the journal's rows, also for repair.c
 *   repair.c        at attach: adopts by adopt.c, or removes the patches by the journal */
#ifndef EZ_KEEP_PRIV_H
#define EZ_KEEP_PRIV_H

#include "engine/process/keep.h"
#include "engine/target.h"

#define EZ_KEPT_NAME "eztsh-kept" /* "/memfd:eztsh-kept" in /proc/PID/fd */

struct kept_head {
    uint64_t magic, size; /* size: size of the whole list in bytes */
    uint64_t seg_ino;     /* inode of the segment that the list belongs to */
    uint32_t version, nprobes, nrules, next_number;
    /* bytes of text; after this struct come the probes, the rules and the text */
    uint64_t text_size;
    struct ez_instant since; /* time at which the shell detached */
};

/* a probe of the list; each of its strings is an offset in kept.text, 0 = NULL */
struct kept_probe {
    int32_t number;
    uint8_t kind, state, record, user_disabled;
    uint32_t line, location, reason, object_path, function, library, file, ifunc, with, orig;
    int32_t family; /* as in struct ez_probe: negative for a probe of a rule, -serial of the rule */
    uint32_t copy;
    uint64_t vaddr, func; /* func: address of the probed function, 0 = the probe had no site */
    uint64_t entries, exits, base_entry, base_exit;
};

struct kept_rule { /* a `probe -r`; spec: offset of its specification in kept.text */
    uint8_t kind, record, matched, no_startup;
    uint32_t spec, serial;
};

/* a list that was read and checked: all offsets are below text_size, and all strings end with a
 * NUL */
struct kept {
    uint8_t *all;
    struct kept_head head;
    const struct kept_probe *probe;
    const struct kept_rule *rule;
    const char *text;
};

/* Writes the list of all probes and rules to a new memfd, seals it, and stores its descriptor in
 * *fd. */
ez_err *kept_write(struct ez_target *t, uint64_t seg_ino, const struct ez_instant *since,
                   int *fd) EZ_WUR;
/* Reads and checks a list. EZ_E_FORMAT: it is damaged, or of another version. */
ez_err *kept_read(int fd, struct kept *k) EZ_WUR;
void kept_free(struct kept *k);
/* Returns a copy of the string at offset `at`, which the caller frees; NULL if `at` is 0. */
char *kept_string(const struct kept *k, uint32_t at);

/* Finds the target's descriptor of the memfd with this name and inode (ino 0 = any inode). Sets
 * *there to its number in the target. Returns a duplicate in the shell, which the caller closes; -1
 * if there is no such descriptor. */
int kept_find_fd(struct ez_target *t, const char *name, uint64_t ino, int *there);

struct ez_kept_map { /* the target's mapping of a segment (header and rings) */
    uint64_t lo, hi, ino;
};

struct adoption { /* checked copies of the earlier shell's data */
    struct ez_hdr hdr;
    struct ez_kept_map seg;
    struct ez_maps maps;
    uint64_t blob;
    struct rt_state state;
    struct ez_row *row;
    struct kept kept;       /* kept.all NULL = there is no list */
    EZ_VEC(uint32_t) given; /* rows that became retired variants, and whose patches are removed */
    /* for each site (by its index): EZ_ROW_* flags of the removed patch, and CARRIED_TRAP */
    EZ_VEC(uint32_t) carried;
    unsigned left_out; /* number of patches with clauses: removed, and not planted again */
    bool anew;         /* some patch is removed and planted again */
};
#define CARRIED_TRAP 0x10000 /* the patch was a trap */

/* adopt_rows.c. adopt_differs() returns EZ_E_MISMATCH with message `what`, which says in what the
 * target's memory differs from what this eztsh would have left. */
ez_err *adopt_differs(const char *what);
/* Creates the sites and their variants from the journal's rows. Changes nothing in the target. */
ez_err *adopt_rows(struct ez_target *t, struct adoption *o) EZ_WUR;
/* Removes the patches of the rows o->given, then determines which variant is planted at each
 * site. */
ez_err *adopt_give_back(struct ez_target *t, struct adoption *o) EZ_WUR;

/* Creates the probes, after the sites and the drain (adopt_probes.c). Returns the number of
 * probes. */
unsigned adopt_probes(struct ez_target *t, const struct adoption *o);

/* Interface of restore.c: */
#define ROW_SITE 1   /* the row's patch is in the text */
#define ROW_ISLAND 2 /* the row's island, in padding or in an evicted neighbour, is in the text */
#define ROW_MAPPED 4 /* the row's island is in memory that eztsh mapped */
/* Returns true if the row's patch has a length that its strategy allows. If it had not, removing
 * the patch might leave a part of a jump. */
bool row_whole(const struct ez_target *t, const struct ez_row *r);
/* Returns ROW_* flags: which parts of the row's patch are in the target now. */
unsigned row_stands(struct ez_target *t, const struct ez_row *r);
/* Returns true if the row is the trap of a halt, not of a probe. */
bool row_is_halt(const struct ez_target *t, const struct ez_row *r);
/* Returns true if the row's original bytes are equal to the bytes of the file. */
bool row_is_files(struct ez_target *t, const struct ez_row *r);
/* Restores the bytes under the traps of halts, and moves threads that hit such a trap, or are in
 * the copy of its instruction, back to the program's code. Must precede rows_restore(), because a
 * halt's trap can be inside another row's jump. */
ez_err *rows_free_halts(struct ez_target *t, const struct ez_row *row, size_t n) EZ_WUR;
/* Restores the file's bytes under the patches of the n rows; *sites = number of restored sites with
 * probes. why: purpose of the writes, for error messages and the log. */
ez_err *rows_restore(struct ez_target *t, const struct ez_row *row, size_t n, const char *why,
                     unsigned *sites) EZ_WUR;

/* Interface of adopt.c: */
/* Adopts the runtime and the probes that an earlier shell left in the process. seg: the target's
 * mapping of the earlier shell's segment. An error says why adoption is impossible. */
ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg) EZ_WUR;
/* Closes the descriptors that `detach -keep` left in the target. seg_ino: inode of the segment. The
 * target must be stopped. */
void ez_kept_close(struct ez_target *t, uint64_t seg_ino);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.h - probes that stay in a process without a shell, and the shell that takes them
 * over. What keep.c, kept.c, adopt.c and adopt_probes.c share; for them alone.
 *
 *   keep.c          `detach -keep`: the list of probes and the rings get a descriptor in
 *                   the target, the drain thread leaves
 *   kept.c          that list: a sealed memfd; written once, read by who does not trust it
 *   adopt.c         `attach`: runtime, rings, sites of an earlier shell, each byte checked
 *   adopt_probes.c  the probes on them: from the list, else as the journal lets one guess */
#ifndef EZ_KEEP_H
#define EZ_KEEP_H

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

/* The probes, once the sites and the drain are there. k NULL = no list. Returns how many. */
unsigned adopt_probes(struct ez_target *t, const struct kept *k);

#endif

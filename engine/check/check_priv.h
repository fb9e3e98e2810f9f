/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_priv.h - shared by check.c (selects function and copy) and check_run.c (executes the two
 * processes in step). */
#ifndef EZ_CHECK_PRIV_H
#define EZ_CHECK_PRIV_H

#include "engine/check/check.h"
#include "engine/inferior/scratch.h"

#define CHECK_ROOM 0x4000 /* bytes of stack and data, at one address in both processes */
#define CHECK_SP 0x17f8   /* the stack pointer, as a call leaves it */
#define CHECK_DATA 0x3000 /* what pointers point to */
#define CHECK_EXTENDED 16384

struct ez_checker {
    struct ez_target *t;
    struct ez_scratch side[2]; /* 0 runs the original, 1 the copy; 1 is a copy of 0 */
    pid_t maker;               /* thread of the target that made side[0] */
    bool open[2];
    uint64_t room;
    uint64_t rseq;       /* address of struct rseq, which the kernel writes at any time */
    uint32_t rseq_size;  /* bytes; 0 = none */
    struct ez_regs regs; /* registers of a fresh process */
    uint8_t extended[CHECK_EXTENDED];
    size_t extended_len;
};

struct check_global { /* target of a pc-relative operand */
    uint64_t at;
    uint8_t was[8];
    bool writable; /* private and writable: other values are tried there */
};

/* Instructions and their copy. */
struct check_code {
    uint64_t va, to;
    uint8_t bytes[32];
    size_t n;
    struct ez_reloc reloc;
    struct ez_insn insn[EZ_MAX_PROLOGUE];
    struct check_global global[4];
    size_t nglobal;
};

/* Create two fresh copies of the process, and end them. */
ez_err *check_pair_open(struct ez_checker *c) EZ_WUR;
ez_err *check_pair_close(struct ez_checker *c) EZ_WUR;
/* Runs both processes from starting state `state`. Counts the state in *out, or sets out->text at a
 * difference. */
ez_err *check_state(struct ez_checker *c, const struct check_code *k, unsigned state,
                    struct ez_checked *out) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_priv.h - data that check.c (selects function and copy) and check_run.c (executes the two
 * processes in step) share. */
#ifndef EZ_CHECK_PRIV_H
#define EZ_CHECK_PRIV_H

#include "engine/check/check.h"
#include "engine/inferior/scratch.h"

#define CHECK_ROOM 0x4000 /* size of the room, memory for stack and data, in bytes */
#define CHECK_SP 0x17f8 /* offset in the room of the initial stack pointer, aligned as by a call */
#define CHECK_DATA 0x3000 /* offset in the room of the data, to which the initial pointers point */
#define CHECK_EXTENDED 16384

struct ez_checker {
    struct ez_target *t;
    struct ez_scratch side[2]; /* 0 executes the original, 1 the copy; process 1 is forked from 0 */
    pid_t maker;               /* thread of the target that made side[0] */
    bool open[2];
    uint64_t room;
    uint64_t rseq;       /* address of struct rseq, which the kernel writes at any time */
    uint32_t rseq_size;  /* size of struct rseq in bytes; 0 = none */
    struct ez_regs regs; /* registers of side[0] when it was made */
    uint8_t extended[CHECK_EXTENDED];
    size_t extended_len;
};

struct check_global { /* target of a pc-relative operand */
    uint64_t at;
    uint8_t was[8];
    bool writable; /* the memory is private and writable, so check.c tries other values in it */
};

/* A prologue and its relocated copy. */
struct check_code {
    uint64_t va, to; /* addresses of the prologue and of the copy */
    uint8_t bytes[32];
    size_t n;
    struct ez_reloc reloc;
    struct ez_insn insn[EZ_MAX_PROLOGUE];
    struct check_global global[4];
    size_t nglobal;
};

/* Make the two copies of the target's process, and end them. */
ez_err *check_pair_open(struct ez_checker *c) EZ_WUR;
ez_err *check_pair_close(struct ez_checker *c) EZ_WUR;
/* Executes the prologue and its copy with starting state number `state`. If there is no difference,
 * counts the state in *out; else sets out->how and out->text. */
ez_err *check_state(struct ez_checker *c, const struct check_code *k, unsigned state,
                    struct ez_checked *out) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a64.h - declarations that the files of arch/aarch64 share, grouped by the file that defines
 * them. */
#ifndef EZ_A64_H
#define EZ_A64_H

#include "arch/decode.h"
#include "arch/regs.h"
#include "arch/restorer.h"

#define A64_LEN 4 /* bytes of each instruction */

/* Interface of decode.c: */
uint32_t a64_word(const uint8_t *code);
size_t a64_length(const uint8_t *code, size_t n);
size_t a64_nop(const uint8_t *code, size_t n);
ez_err *a64_decode(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out) EZ_WUR;
bool a64_plt_slot(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
uint64_t a64_first_argument(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);

/* Interface of user.c: */
uint64_t a64_pc(const struct ez_regs *r);
void a64_set_pc(struct ez_regs *r, uint64_t pc);
uint64_t a64_sp(const struct ez_regs *r);
void a64_skip_syscall(struct ez_regs *r);
void a64_syscall_again(struct ez_regs *r);
void a64_prepare_syscall(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
void a64_prepare_call(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
int64_t a64_result(const struct ez_regs *r);
bool a64_restart(struct ez_regs *r);
long a64_syscall_nr(const struct ez_regs *r);
bool a64_clear_trap_flag(struct ez_regs *r);
unsigned a64_pushes_flags(const uint8_t *code, size_t n);
void a64_trapped_result(void *ucontext, int64_t result);
bool a64_tick_invariant(void);

/* Interface of restorer.c: */
void a64_restorer(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
uint64_t a64_restored_result(const struct ez_regs *r);
enum ez_restored a64_restorer_left(const uint8_t block[EZ_RESTORER_BYTES]);
void a64_restorer_home(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask);

#endif

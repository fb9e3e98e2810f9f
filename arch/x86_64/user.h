/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user.h - functions for struct ez_arch (regs.c), grouped by the file that defines them. */
#ifndef EZ_X64_USER_H
#define EZ_X64_USER_H

#include "arch/regs.h"
#include "arch/restorer.h"
#include "arch/rt.h"
#include "arch/step.h"

/* Interface of user.c: */
uint64_t x64_pc(const struct ez_regs *r);
void x64_set_pc(struct ez_regs *r, uint64_t pc);
uint64_t x64_sp(const struct ez_regs *r);
uint64_t x64_thread_pointer(const struct ez_regs *r);
void x64_set_thread_pointer(struct ez_regs *r, uint64_t tp);
bool x64_read_counter(struct ez_regs *r, const uint8_t *code, size_t n);
void x64_fail_syscall(struct ez_regs *r, int errnum);
void x64_skip_syscall(struct ez_regs *r);
void x64_syscall_again(struct ez_regs *r);
void x64_prepare_syscall(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
void x64_prepare_call(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
uint64_t x64_call_stack(struct ez_regs *r, size_t bytes, unsigned vectors);
void x64_end_fragment(struct ez_regs *r, uint64_t back, uint64_t frame);
int64_t x64_result(const struct ez_regs *r);
bool x64_restart_eintr(struct ez_regs *r);
bool x64_restart_anew(struct ez_regs *r);
long x64_syscall_nr(const struct ez_regs *r);
long x64_next_syscall(const struct ez_regs *r);
bool x64_tick_invariant(void);
void x64_vector_state(uint32_t *mask, uint32_t *inuse, uint32_t *size);

/* Interface of runtime.c: */
extern const struct ez_arch_rt x64_rt;

/* Interface of restorer.c: */
void x64_restorer(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
uint64_t x64_restored_result(const struct ez_regs *r);
void x64_restored_left(struct ez_regs *r);
enum ez_restored x64_restorer_left(const uint8_t block[EZ_RESTORER_BYTES]);
void x64_restorer_home(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask);
#define X64_THUNK_CONT 6  /* length of `call *target(%rip)` in a return thunk */
#define X64_TF 0x100ull   /* the trap flag */
#define X64_RF 0x10000ull /* resume flag: ignores a hardware breakpoint at the pc */
bool x64_clear_trap_flag(struct ez_regs *r);
void x64_pass_break(struct ez_regs *r, bool pass);
void x64_trapped_result(void *ucontext, int64_t result);
uint64_t x64_unmangle(uint64_t word, uint64_t guard);
bool x64_begins_frame(const uint8_t *code, size_t n);
unsigned x64_pushes_flags(const uint8_t *code, size_t n);
void x64_step_guard(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);

/* Interface of states.c: */
#define X64_NSTATES 24
void x64_seed(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
void x64_steer(struct ez_regs *r, unsigned state);
void x64_seed_extended(uint8_t *block, size_t n, unsigned state);
void x64_set_vector(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
const char *x64_differs(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                        uint64_t *vb);
const char *x64_extended_differs(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                 size_t size);

#endif

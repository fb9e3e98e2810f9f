/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.c - the block of code in which a thread makes an injected call, and which restores the
 * thread's registers even if the shell is dead (engine/inferior/restorer.c).
 *
 * A system call changes only x0. So the block restores the registers that a64_prepare_syscall()
 * changed, and ends with a direct branch to the old pc, which needs no register, but must reach the
 * old pc. If the stop interrupted a system call of the program, the kernel has set the old pc to
 * that call, so the branch restarts it. After a call of a function, the block cannot restore all
 * registers: it ends with a trap, which only the shell can handle.
 * Source: Arm ARM DDI 0487, C6.2; AAPCS64, 6.1.
 * Tests: tests/arm64/boot.sh */
#include <string.h>
#include <asm/ptrace.h>

#include "arch/aarch64/a64.h"

/* Indexes of the words at the end of the block, after the code. */
enum { W_MASK, W_FUNC, W_X0, W_X8 = W_X0 + 6, W_N };
#define BLOCK_WORDS (EZ_RESTORER_BYTES - 8 * W_N)
_Static_assert(BLOCK_WORDS >= EZ_RESTORER_SPARE + EZ_RESTORER_SPARE_BYTES, "");

struct block {
    uint8_t *bytes;
    uint32_t at; /* offset of the next instruction */
};

static void a64_put(struct block *b, uint32_t word)
{
    memcpy(b->bytes + b->at, &word, sizeof word);
    b->at += A64_LEN;
}

/* Opcodes of ldr xN, word and adr xN, word, which have the same operands. */
#define LDR 0x58000000u
#define ADR 0x10000000u
static void restorer_put_near(struct block *b, uint32_t op, unsigned reg, unsigned word)
{
    a64_put(b, op | (BLOCK_WORDS + 8 * word - b->at) / A64_LEN << 5 | reg);
}

static void restorer_put_mov(struct block *b, unsigned reg, uint32_t value)
{
    a64_put(b, 0xd2800000 | value << 5 | reg);
}

#define SVC 0xd4000001u
#define CBNZ_X0 0xb5000000u
#define NR_EXIT_GROUP 94
#define NR_RT_SIGPROCMASK 135
#define NR_WAIT4 260

/* Writes the code after a system call that copies the process (clone). The child calls
 * exit_group(0). The parent calls wait4 for the child, so that no zombie remains (unless the shell
 * changes the parent's pc before). */
static void restorer_put_copy(struct block *b)
{
    a64_put(b, CBNZ_X0 | 4 << 5); /* in the parent, jumps over the next three instructions */
    restorer_put_mov(b, 8, NR_EXIT_GROUP);
    restorer_put_mov(b, 0, 0);
    a64_put(b, SVC);
    restorer_put_mov(b, 1, 0);
    a64_put(b, 0x52a80002); /* mov w2, __WALL */
    restorer_put_mov(b, 3, 0);
    restorer_put_mov(b, 8, NR_WAIT4);
    a64_put(b, SVC);
}

/* Writes the call of the function, and a move of its result to x9, which the next system call does
 * not change. */
static void restorer_put_call(struct block *b)
{
    restorer_put_near(b, LDR, 16, W_FUNC);
    a64_put(b, 0xd63f0200); /* blr x16 */
    a64_put(b, 0xaa0003e9); /* mov x9, x0 */
}

static void restorer_put_mask(struct block *b)
{
    restorer_put_mov(b, 8, NR_RT_SIGPROCMASK);
    restorer_put_mov(b, 0, 2); /* SIG_SETMASK */
    restorer_put_near(b, ADR, 1, W_MASK);
    restorer_put_mov(b, 2, 0);
    restorer_put_mov(b, 3, 8);
    a64_put(b, SVC);
}

static void restorer_put_home(struct block *b, uint64_t at, uint64_t pc)
{
    for (unsigned i = 0; i < 6; i++)
        restorer_put_near(b, LDR, i, W_X0 + i);
    restorer_put_near(b, LDR, 8, W_X8);
    a64_put(b, 0x14000000 | ((uint32_t)((pc - at - b->at) / A64_LEN) & 0x3ffffff)); /* b pc */
}

void a64_restorer(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a)
{
    struct block b = { .bytes = block };
    const struct user_pt_regs *u = (const void *)a->back;
    uint64_t word[W_N] = { [W_MASK] = a->mask, [W_FUNC] = a->func, [W_X8] = u->regs[8] };
    memcpy(word + W_X0, u->regs, 6 * sizeof *word);
    memset(block, 0, EZ_RESTORER_BYTES);
    memcpy(block + BLOCK_WORDS, word, sizeof word);
    if (a->what == EZ_RESTORED_CALL)
        restorer_put_call(&b);
    else
        a64_put(&b, SVC);
    if (a->what == EZ_RESTORED_COPY)
        restorer_put_copy(&b);
    restorer_put_mask(&b);
    if (a->what == EZ_RESTORED_CALL)
        a64_put(&b, 0xd4200000); /* brk #0 */
    else
        restorer_put_home(&b, a->at, u->pc);
}

uint64_t a64_restored_result(const struct ez_regs *r)
{
    return ((const struct user_pt_regs *)(const void *)r)->regs[9];
}

enum ez_restored a64_restorer_left(const uint8_t block[EZ_RESTORER_BYTES])
{
    uint32_t next = a64_word(block + A64_LEN);
    if (a64_word(block) != SVC)
        return EZ_RESTORED_NOTHING;
    if (next == (0xd2800000 | NR_RT_SIGPROCMASK << 5 | 8))
        return EZ_RESTORED_SYSCALL;
    return next == (CBNZ_X0 | 4 << 5) ? EZ_RESTORED_COPY : EZ_RESTORED_NOTHING;
}

void a64_restorer_home(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask)
{
    struct user_pt_regs *u = (void *)r;
    uint64_t word[W_N];
    memcpy(word, block + BLOCK_WORDS, sizeof word);
    memcpy(u->regs, word + W_X0, 6 * sizeof *word);
    u->regs[8] = word[W_X8];
    u->pc = word[W_FUNC];
    *mask = word[W_MASK];
}

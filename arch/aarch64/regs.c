/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.c - the registers of an AArch64 thread, and the architecture's struct.
 *
 * The order of the registers is gdb's. There is no runtime, so probes cannot be planted
 * (doc/HOWTO_ARCH.md, from step 6 on).
 * Tests: tests/unit/arch/check_a64.c, tests/arm64/run.sh */
#include <asm/ptrace.h>
#include <elf.h>
#include <signal.h>

/* dis-asm.h requires config.h, which must be included after the system's headers. */
#include "config.h"

#include <dis-asm.h>

#include "arch/aarch64/a64.h"
#include "arch/arch.h"
#include "arch/disas.h"

#define X(n)                                                                                       \
    {                                                                                              \
        .name = "x" #n, .offset = 8 * (n), .size = 8                                               \
    }

static const struct ez_reg_desc a64_regs[] = {
    X(0),
    X(1),
    X(2),
    X(3),
    X(4),
    X(5),
    X(6),
    X(7),
    X(8),
    X(9),
    X(10),
    X(11),
    X(12),
    X(13),
    X(14),
    X(15),
    X(16),
    X(17),
    X(18),
    X(19),
    X(20),
    X(21),
    X(22),
    X(23),
    X(24),
    X(25),
    X(26),
    X(27),
    X(28),
    X(29),
    X(30),
    { .name = "sp", .offset = offsetof(struct user_pt_regs, sp), .size = 8, .as = EZ_REG_DATA },
    { .name = "pc", .offset = offsetof(struct user_pt_regs, pc), .size = 8, .as = EZ_REG_CODE },
    { .name = "cpsr", .offset = offsetof(struct user_pt_regs, pstate), .size = 4 },
};

static unsigned a64_reloc_kind(uint32_t type)
{
    switch (type) {
    case R_AARCH64_RELATIVE:
        return EZ_RELOC_RELATIVE;
    case R_AARCH64_IRELATIVE:
        return EZ_RELOC_IRELATIVE;
    case R_AARCH64_ABS64:
    case R_AARCH64_GLOB_DAT:
    case R_AARCH64_JUMP_SLOT:
        return EZ_RELOC_SYMBOL;
    }
    return 0;
}

/* Ignores p->intel: A64 has only one assembler syntax. */
static ez_err *a64_print(const struct ez_print *p, char *buf, size_t bufsize, size_t *len)
{
    const struct ez_disas by = { bfd_arch_aarch64, bfd_mach_aarch64, NULL };
    return ez_disas(&by, p, buf, bufsize, len);
}

const struct ez_arch ez_arch_aarch64 = {
    .name = "aarch64",
    .address_bits = 48,
    .elf = {
        .machine = EM_AARCH64,
        .reloc_kind = a64_reloc_kind,
        .plt_slot = a64_plt_slot,
        .plt_align = 4 * A64_LEN,
        .first_argument = a64_first_argument,
    },
    .decode = {
        .align = A64_LEN,
        .landing_len = A64_LEN, /* bti */
        .insn = a64_decode,
        .length = a64_length,
        .nop = a64_nop,
        .print = a64_print,
    },
    .jump = {
        .len = A64_LEN,         /* b */
        .reach = (1 << 27) - 4, /* a signed distance of 26 bits, in instructions */
    },
    .regs = {
        .desc = a64_regs,
        .n = EZ_ARRAY_LEN(a64_regs),
        .size = sizeof(struct user_pt_regs),
        .extended_regset = NT_FPREGSET,
        .pc = a64_pc,
        .set_pc = a64_set_pc,
        .sp = a64_sp,
    },
    .abi = {
        .entry_cfa_reg = 31, /* the CFA is sp; the return address is in x30 */
        .entry_cfa_offset = 0,
        .prepare_call = a64_prepare_call,
        .result = a64_result,
    },
    .syscall = {
        .insn = "\x01\x00\x00\xd4", /* svc #0 */
        .len = A64_LEN,
        .nr = a64_syscall_nr,
        .next = a64_syscall_nr,
        .prepare = a64_prepare_syscall,
        .skip = a64_skip_syscall,
        .again = a64_syscall_again,
        .number_regset = 0x404, /* NT_ARM_SYSTEM_CALL */
        .restart_eintr = a64_restart,
        .restart_anew = a64_restart,
        .trapped_result = a64_trapped_result,
    },
    .trap = {
        .insn = (const uint8_t *)"\x00\x00\x20\xd4", /* brk #0 */
        .len = A64_LEN,
        .pc_after = 0,
        .si_code = TRAP_BRKPT,
        /* After a hardware breakpoint of perf, the kernel itself steps the thread, and a single
         * step of the tracer is lost. */
        .hw_len = 0,
    },
    .step = {
        .clear_trap_flag = a64_clear_trap_flag,
        .pushes_flags = a64_pushes_flags,
        .by_nobody = true,
    },
    .restorer = {
        .write = a64_restorer,
        .result = a64_restored_result,
        .left = a64_restorer_left,
        .home = a64_restorer_home,
        .reach = 1 << 27, /* b */
    },
    .clock = {
        .invariant = a64_tick_invariant,
        .insn = "mrs cntvct_el0",
        .source = "arch_sys_counter",
        .vdso_sources = (const char *const[]){ "arch_sys_counter", NULL },
        .vdso_function = "__kernel_clock_gettime",
    },
};

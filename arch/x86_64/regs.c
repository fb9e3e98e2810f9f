/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.c - the registers of an x86-64 thread, and the architecture's struct ez_arch.
 *
 * The registers have the order of gdb's `info registers`. The order in the kernel's struct
 * user_regs_struct, where each register has 8 bytes, is different.
 * Tests: tests/unit/inferior/check_live.c, tests/procs/regs.sh */
#include <elf.h>
#include <signal.h>
#include <sys/user.h>

#include "arch/arch.h"
#include "arch/x86_64/user.h"
#include "arch/x86_64/x64.h"

#define REG(r, bytes)                                                                              \
    {                                                                                              \
        .name = #r, .offset = offsetof(struct user_regs_struct, r), .size = bytes                  \
    }
#define REG_AS(r, what)                                                                            \
    {                                                                                              \
        .name = #r, .offset = offsetof(struct user_regs_struct, r), .size = 8, .as = what          \
    }
/* A part of register r: n bytes from byte `from` on. */
#define PART(n, r, from, bytes)                                                                    \
    {                                                                                              \
        .name = #n, .offset = offsetof(struct user_regs_struct, r) + (from), .size = bytes         \
    }
#define OLD_PARTS(k)                                                                               \
    PART(e##k##x, r##k##x, 0, 4), PART(k##x, r##k##x, 0, 2), PART(k##l, r##k##x, 0, 1),            \
        PART(k##h, r##k##x, 1, 1)
#define INDEX_PARTS(k) PART(e##k, r##k, 0, 4), PART(k, r##k, 0, 2), PART(k##l, r##k, 0, 1)
#define NEW_PARTS(k) PART(r##k##d, r##k, 0, 4), PART(r##k##w, r##k, 0, 2), PART(r##k##l, r##k, 0, 1)

const struct ez_reg_desc x64_regs[] = {
    REG(rax, 8),
    REG(rbx, 8),
    REG(rcx, 8),
    REG(rdx, 8),
    REG(rsi, 8),
    REG(rdi, 8),
    REG_AS(rbp, EZ_REG_DATA),
    REG_AS(rsp, EZ_REG_DATA),
    REG(r8, 8),
    REG(r9, 8),
    REG(r10, 8),
    REG(r11, 8),
    REG(r12, 8),
    REG(r13, 8),
    REG(r14, 8),
    REG(r15, 8),
    REG_AS(rip, EZ_REG_CODE),
    { .name = "eflags",
      .offset = offsetof(struct user_regs_struct, eflags),
      .size = 4,
      .flags = "CF=1,PF=4,AF=16,ZF=64,SF=128,TF=256,IF=512,DF=1024,OF=2048,NT=16384,RF=65536,"
               "VM=131072,AC=262144,VIF=524288,VIP=1048576,ID=2097152" },
    REG(cs, 4),
    REG(ss, 4),
    REG(ds, 4),
    REG(es, 4),
    REG(fs, 4),
    REG(gs, 4),
    REG(fs_base, 8),
    REG(gs_base, 8),
    REG(orig_rax, 8),
};
static const struct ez_reg_desc x64_parts[] = {
    OLD_PARTS(a),    OLD_PARTS(b),    OLD_PARTS(c),  OLD_PARTS(d),  INDEX_PARTS(si),
    INDEX_PARTS(di), INDEX_PARTS(bp), NEW_PARTS(8),  NEW_PARTS(9),  NEW_PARTS(10),
    NEW_PARTS(11),   NEW_PARTS(12),   NEW_PARTS(13), NEW_PARTS(14), NEW_PARTS(15),
};
/* The control registers at their offsets in FXSAVE's layout. The tag word is not listed: FXSAVE
 * stores it in another format than the processor's. */
#define CONTROL(word, at, bytes, names)                                                            \
    {                                                                                              \
        .name = #word, .offset = (at), .size = (bytes), .flags = (names)                           \
    }
static const struct ez_reg_desc x64_extended[] = {
    CONTROL(fctrl, 0, 2, NULL),
    CONTROL(fstat, 2, 2, NULL),
    CONTROL(fop, 6, 2, NULL),
    CONTROL(fioff, 8, 4, NULL),
    CONTROL(fiseg, 12, 2, NULL),
    CONTROL(fooff, 16, 4, NULL),
    CONTROL(foseg, 20, 2, NULL),
    CONTROL(mxcsr, 24, 4,
            "IE=1,DE=2,ZE=4,OE=8,UE=16,PE=32,DAZ=64,IM=128,DM=256,ZM=512,OM=1024,UM=2048,PM=4096,"
            "FZ=32768"),
};
const size_t x64_nregs = EZ_ARRAY_LEN(x64_regs);

static unsigned x64_reloc_kind(uint32_t type)
{
    switch (type) {
    case R_X86_64_RELATIVE:
        return EZ_RELOC_RELATIVE;
    case R_X86_64_IRELATIVE:
        return EZ_RELOC_IRELATIVE;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        return EZ_RELOC_SYMBOL;
    }
    return 0;
}

static const char *const x64_dwarf_name[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
                                              "rbp", "rsp", "r8",  "r9",  "r10", "r11",
                                              "r12", "r13", "r14", "r15" };
static const uint8_t x64_argument[] = { 5, 4, 1, 2, 8, 9 }; /* rdi rsi rdx rcx r8 r9 */

static const struct ez_convention x64_convention = {
    .place_result = x64_place_result,
    .place_argument = x64_place_argument,
    .vector = "xmm",
    .vector0 = 17,
    .nvectors = 16,
    .name = x64_dwarf_name,
    .nnames = EZ_ARRAY_LEN(x64_dwarf_name),
    .sp = 7,
    .fp = 6,
    .argument = x64_argument,
    .narguments = EZ_ARRAY_LEN(x64_argument),
    .nfloats = 8,
    .result = { 0, 1 }, /* rax rdx */
};

const struct ez_arch ez_arch_x86_64 = {
    .name = "x86_64",
    .address_bits = 47,
    .elf = {
        .machine = EM_X86_64,
        .reloc_kind = x64_reloc_kind,
        .plt_slot = x64_plt_slot,
        .plt_align = 8,
        .first_argument = x64_first_argument,
    },
    .decode = {
        .align = 1,
        .landing_len = 4, /* endbr64 */
        .insn = x64_decode,
        .length = x64_length,
        .nop = x64_nop,
        .print = x64_print,
        .results = x64_results,
        .is_plain = x64_is_plain,
        .grows_stack = x64_grows_stack,
        .reads_preserved = x64_reads_preserved,
        .begins_frame = x64_begins_frame,
    },
    .scan = {
        .branches = x64_scan_branches,
        .far_branches = x64_scan_far,
        .near_reach = X64_NEAR,
        .addresses = x64_scan_addresses,
        .data = x64_scan_data,
        .may_jump_indirectly = x64_may_jump_indirectly,
    },
    .frame = {
        .pointer = 5,
        .begin = x64_frame_begin,
        .step = x64_frame_step,
        .pops_arguments = x64_pops_arguments,
    },
    .jump = {
        .len = X64_JUMP_LEN,
        .reach = INT32_MAX,
        .short_len = X64_SHORT_JUMP_LEN,
        .short_reach = 128,
        .far_len = X64_FAR_JUMP_LEN,
        .write = x64_jump,
        .write_short = x64_short_jump,
        .write_far = x64_far_jump,
        .pun_range = x64_pun_range,
        .write_pun = x64_pun_jump,
    },
    .codegen = {
        .relocate = x64_relocate,
        .straight_tests = x64_straight_tests,
        .straight_words = x64_straight_words,
        .straight_count = x64_straight_count,
    },
    .regs = {
        .desc = x64_regs,
        .n = EZ_ARRAY_LEN(x64_regs),
        .size = sizeof(struct user_regs_struct),
        .extended_regset = 0x202, /* NT_X86_XSTATE */
        .extended_vector = 160,   /* FXSAVE's layout */
        .extended_stack = 32,
        .extended = x64_extended,
        .nextended = EZ_ARRAY_LEN(x64_extended),
        .parts = x64_parts,
        .nparts = EZ_ARRAY_LEN(x64_parts),
        .pc = x64_pc,
        .set_pc = x64_set_pc,
        .sp = x64_sp,
        .thread_pointer = x64_thread_pointer,
        .set_thread_pointer = x64_set_thread_pointer,
        .set_vector = x64_set_vector,
    },
    .abi = {
        .convention = &x64_convention,
        .entry_cfa_reg = 7, /* %rsp */
        .entry_cfa_offset = 8,
        .prepare_call = x64_prepare_call,
        .call_stack = x64_call_stack,
        .operand = x64_operand,
        .result = x64_result,
        .tls_vector = 8,
        .tls_below = true,
        .unmangle = x64_unmangle,
        .jmp_buf_pc = 56,
        .pointer_guard = 0x30,
    },
    .syscall = {
        .insn = "\x0f\x05",
        .len = 2,
        .nr = x64_syscall_nr,
        .next = x64_next_syscall,
        .prepare = x64_prepare_syscall,
        .fail = x64_fail_syscall,
        .skip = x64_skip_syscall,
        .again = x64_syscall_again,
        .restart_eintr = x64_restart_eintr,
        .restart_anew = x64_restart_anew,
        .trapped_result = x64_trapped_result,
    },
    .trap = {
        .insn = (const uint8_t *)"\xcc",
        .len = 1,
        .pc_after = 1,
        .si_code = SI_KERNEL,
        .hw_len = sizeof(long),
        .pass_hw = x64_pass_break,
    },
    .step = {
        .guard = x64_step_guard,
        .guard_len = 27,
        .clear_trap_flag = x64_clear_trap_flag,
        .pushes_flags = x64_pushes_flags,
        .trap_flag = X64_TF,
        .emulated_insn = "\x0f\xa2", /* cpuid */
        .emulated_len = 2,
    },
    .restorer = {
        .write = x64_restorer,
        .result = x64_restored_result,
        .restore_results = x64_restored_left,
        .left = x64_restorer_left,
        .home = x64_restorer_home,
    },
    .trial = {
        .nstates = X64_NSTATES,
        .seed = x64_seed,
        .steer = x64_steer,
        .seed_extended = x64_seed_extended,
        .differs = x64_differs,
        .extended_differs = x64_extended_differs,
    },
    .clock = {
        .invariant = x64_tick_invariant,
        .insn = "rdtsc",
        .source = "tsc",
        .vdso_sources = (const char *const[]){ "tsc", "hyperv_clocksource_tsc_page", NULL },
        .vdso_function = "__vdso_clock_gettime",
        .emulate = x64_read_counter,
    },
    .rt = &x64_rt,
};

/* SPDX-License-Identifier: MIT */
/* rt_macros.h - assembler macros for rt_entry.S and rt_pool.S.
 *
 * Offsets from rsp after SAVE: 0 rdx, 8 rcx, 16 flags (lahf/seto), 24 rax, 32 the word that was on
 * top of the stack before. */
#include "engine/rt/rt.h"

.macro SPUSH r
    push \r
    .cfi_adjust_cfa_offset 8
    .endm
    .macro SPOP r
    pop \r
    .cfi_adjust_cfa_offset -8
    .endm

    /* Saves the flags by lahf and seto, which take 0.9 ns; pushf and popf take 9.2 ns. */
    .macro SAVE
    SPUSH %rax
    lahf
    seto %al
    SPUSH %rax
    SPUSH %rcx
    SPUSH %rdx
    .endm
    .macro RESTORE
    SPOP %rdx
    SPOP %rcx
    SPOP %rax
    add $127,%al                    /* restores OF */
    sahf                            /* restores SF ZF AF PF CF */
    SPOP %rax
    .endm

    /* Sets rcx to the address of this thread's control block, or jumps to \slow if the thread
     * control block (at %fs) does not have it. The first two instructions that read %fs have 8
     * bytes each, and their offsets are in lists, so that the shell can set the tid's offset, or
     * replace the instructions if the thread control block has no room for the runtime's words
     * (engine/patch/rt_fit.c). */
    .macro CTL slow                 /* clobbers eax */
    CTL_VIA 0,\slow
    .endm
    .macro CTLC slow                /* clobbers rcx only */
    CTL_VIA 1,\slow
    .endm
    .macro CTL_VIA c,slow           /* c = 1: uses ecx, c = 0: uses eax */
    .pushsection .ezfs_tid,"a"
    .long 101f
    .popsection
    .pushsection .ezfs_key,"a"
    .long 102f
    .popsection
101: .byte 0x64,0x8b,0x04+8*\c,0x25 /* mov %fs:TID,%eax */
    .long 0x2d0
    .pushsection .ezcookie,"a"
    .long 104f + 2
    .popsection
104: .byte 0x81,0xf0+\c             /* xor $COOKIE,%eax: so that a zeroed TCB is not equal */
    .long 0xffffffff
102: .byte 0x64,0x39,0x04+8*\c,0x25 /* cmp %eax,%fs:KEY */
    .long EZ_TCB_KEY
    jne \slow
    mov %fs:EZ_TCB_CTL,%rcx
    .endm

    /* Counts a hit. The base register contains the address of the buffer's counters; the shell
     * writes the offset of the id's counter into the instruction. */
    .macro COUNT n,modrm
    .byte 0x48,0xff,\modrm          /* incq CNT(\base) */
ez_t\n\()_cnt:
    .long 0x7fffffff
    .endm
    .macro COUNT_RDX n
    COUNT \n,0x82
    .endm
    .macro COUNT_RCX n
    COUNT \n,0x81
    .endm

    /* If the clock is CLOCK_MONOTONIC, one of these jumps to ez_tick_thunk replaces the
     * instructions that read the counter (from 105 to 106 in TICKS); rdx is the address at which to
     * continue. A call would overwrite the words below the stack pointer, which are in use.
     * TICK_VIA jumps through the word at \ptr, because trampolines may be more than 2 GiB away;
     * TICK_TO jumps directly. */
    .macro TICK_VIA ptr
    .byte 0xff,0x25                 /* jmp *\ptr(%rip) */
    .long \ptr - (105f + 13)
    .endm
    .macro TICK_TO thunk
    .byte 0xe9                      /* jmp \thunk */
    .long \thunk - (105f + 12)
    .byte 0xcc
    .endm

    /* Reserves a record, writes the time and the frame's address into it, and sets rax to the
     * record's address; jumps to \full if the sub-buffer is full. \loc: offset of the frame's
     * address from rsp. rcx: the control block. Clobbers rdx and the word at -16(%rsp). */
    .macro RECORD full,loc,how,thunk
    mov EZ_CTL_HEAD(%rcx),%rax
103: test $(EZ_SUB_BYTES - 1),%eax
    jz \full
    lea EZ_REC_BYTES(%rax),%rdx
    cmpxchg %rdx,EZ_CTL_HEAD(%rcx)  /* atomic only against signal handlers of this thread (no
                                     * lock) */
    jne 103b
    STAMP \loc,\how,\thunk
    .endm
    /* Writes the time and the frame's address as RECORD does, into the reserved record whose
     * position in the ring is rax, and sets rax to its address. */
    .macro STAMP loc,how,thunk
    and EZ_CTL_MASK(%rcx),%rax
    add EZ_CTL_RING(%rcx),%rax
    prefetchw 512(%rax)             /* these cache lines are in the drain thread's cache */
    TICKS \how,\thunk
    mov %rdx,(%rax)
    lea \loc(%rsp),%rdx
    mov %rdx,8(%rax)
    .endm
    /* Sets rdx to the time in ticks. rcx: the control block. Clobbers the word at -16(%rsp). */
    .macro TICKS how,thunk
    .pushsection .ezmono,"a"        /* struct ez_alt */
    .long 105f
    .byte 19
    .byte 0x48,0x8d,0x15            /* lea 106f(%rip),%rdx */
    .long 106f - (105f + 7)
    \how \thunk
    .fill 6,1,0xcc
    .popsection
105: mov %rax,-16(%rsp)
    rdtsc
    shl $32,%rdx
    or %rax,%rdx
    mov -16(%rsp),%rax
106: .if 106b - 105b - 19
    .error "struct ez_alt: another length"
    .endif
    .endm
    /* Commits the record at rax. edx: the low half of the record's code word. */
    .macro COMMIT
    bts $EZ_CODE_BIT,%rdx
    mov %rdx,16(%rax)
    .endm

    .macro TRAMPOLINE_DATA
    .balign 8
94: .skip EZ_SD_BYTES
    .endm

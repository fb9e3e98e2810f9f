/* SPDX-License-Identifier: MIT */
/* rt_pool.S - call-through: the trampolines, and the thunk pool with return thunks and the code to
 * which they jump (theory: engine/rt/rt.h). The rules of rt_entry.S also hold for this file. */
#include "arch/x86_64/rt_macros.h"

    .text
    .irp n,5,6
    .globl ez_t\n, ez_t\n\()_end, ez_t\n\()_data, ez_t\n\()_cnt
    .hidden ez_t\n, ez_t\n\()_end, ez_t\n\()_data, ez_t\n\()_cnt
    .endr
    .irp s,ez_pool_words,ez_through,ez_through_rec,ez_return_thunk
    .globl \s
    .hidden \s
    .endr
/* ---- templates: call-through -------------------------------------------------------------------
 *   trampoline: count, record, move rsp one word below the return address (this pad keeps the
 *         body's stack alignment), jump to the id's return thunk
 *   thunk: call *thunk.target    -> relocated code; jmp f+5
 *   cont: jmp *thunk.exit       <- ret of f
 * The trampoline saves registers in the red zone: -16 rax, -24 rcx, -32 flags. */
    .balign 64
ez_t5:
    .cfi_startproc
    mov %rax,-16(%rsp)
    lahf
    seto %al
    mov %rcx,-24(%rsp)
    CTLC 8f
    mov EZ_CTL_CNT(%rcx),%rcx
    test %rcx,%rcx                  /* 0: fork cleared the control block */
    jz 8f
    COUNT_RCX 5
7:  add $127,%al
    sahf
    mov -16(%rsp),%rax
    mov -24(%rsp),%rcx
    .cfi_remember_state
    lea -8(%rsp),%rsp
    .cfi_adjust_cfa_offset 8
    jmp *94f+EZ_SD_RETURN_THUNK(%rip)
    .cfi_restore_state
8:  mov %rax,-32(%rsp)
    lea -40(%rsp),%rsp
    .cfi_adjust_cfa_offset 40
    lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    lea 40(%rsp),%rsp
    .cfi_adjust_cfa_offset -40
    mov -32(%rsp),%rax
    jmp 7b
    .cfi_endproc
    .balign 8
ez_t5_data:
94: .skip EZ_SD_BYTES
ez_t5_end:

    .balign 64
ez_t6:
    .cfi_startproc
    SAVE
    CTL 8f
    mov EZ_CTL_CNT(%rcx),%rdx
    test %rdx,%rdx                  /* 0: fork cleared the control block */
    jz 8f
    COUNT_RDX 6
5:  RECORD 6f,24,TICK_VIA,94f+EZ_SD_TICK
    mov 94f+EZ_SD_CODE(%rip),%edx
    COMMIT
7:  .cfi_remember_state
    RESTORE
    lea -8(%rsp),%rsp
    .cfi_adjust_cfa_offset 8
    jmp *94f+EZ_SD_RETURN_THUNK(%rip)
    .cfi_restore_state
6:  call *94f+EZ_SD_ROOM(%rip)
    test %rax,%rax
    jnz 5b
    jmp 7b
8:  lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    jmp 7b
    .cfi_endproc
    .balign 8
ez_t6_data:
94: .skip EZ_SD_BYTES
ez_t6_end:

/* ---- the thunk pool: return thunks and the code that they jump to ------------------------------
 * There is a thunk pool near each group of functions with call-through, because a jump over more
 * than 4 GiB takes about one nanosecond longer. The shell copies the first page, which contains the
 * pool's unwind table, sets the words at ez_pool_words, and writes return thunks behind the page
 * when ids are assigned. */
    .section .ezpool,"a"
    .balign 64
    .globl ez_pool, ez_pool_end
    .hidden ez_pool, ez_pool_end
ez_pool:
    /* A CIE for the unwind table. \aug: augmentation; \pers: 1 if it has a personality, as for
     * return thunks, else 0. */
    .macro CIE aug,pers
    .long 2f - 1f
1:  .long 0
    .byte 1
    .string "\aug"
    .uleb128 1
    .sleb128 -8
    .uleb128 16
    .if \pers
    .uleb128 6
    .byte 0x9b                      /* the personality's encoding: pc-relative, 4 bytes, indirect,
                                     * because the */
    .long ez_pool_left - .           /* runtime may be more than 2 GiB away */
    .else
    .uleb128 1
    .endif
    .byte 0x1b                      /* the FDEs' encoding: pc-relative, 4 bytes */
    .byte 0x0c,7,16                 /* CFA = rsp + 16: the pad, the return address */
    .byte 0x80+16,1                 /* the return address is at CFA - 8 */
    .balign 8,0
2:
    .endm
ez_pool_cie_return_thunks:
    CIE zPR,1
ez_pool_cie:
    CIE zR,0
    .macro FDE cie,begin,size,rows:vararg
    .long 4f - 3f
3:  .long 3b - \cie
    .long \begin - .
    .long \size
    .uleb128 0
    .byte \rows
    .balign 8,0
4:
    .endm
    /* DW_CFA_advance_loc1, DW_CFA_def_cfa_offset */
    FDE ez_pool_cie_return_thunks, ez_pool+EZ_POOL_THUNKS, EZ_RETURN_THUNK_DIST, 0
    FDE ez_pool_cie, ez_through, ez_through_end-ez_through, \
        2,ez_th_out - ez_through,0x0e,8, 2,ez_th_slow - ez_th_out,0x0e,16, \
        2,ez_th_low - ez_th_slow,0x0e,56, 2,ez_th_back - ez_th_low,0x0e,16
    FDE ez_pool_cie, ez_through_rec, ez_through_rec_end-ez_through_rec, \
        2,ez_tr_low - ez_through_rec,0x0e,56, 2,ez_tr_out - ez_tr_low,0x0e,8, \
        2,ez_tr_slow - ez_tr_out,0x0e,56
    .long 0                         /* end of the table */
    .balign 8,0
ez_pool_words:                       /* struct ez_pool_words */
ez_pool_cont: .quad 0
ez_pool_slow: .quad 0
ez_pool_room: .quad 0
ez_pool_tick: .quad 0
ez_pool_left: .quad 0

ez_return_thunk:                            /* copied for each return thunk */
    .byte 0xff,0x15                 /* call *thunk.target(%rip) */
    .long EZ_RETURN_THUNK_DIST - 6
    .byte 0xff,0x25                 /* jmp *thunk.exit(%rip) */
    .long EZ_RETURN_THUNK_DIST + 8 - 12
    .fill EZ_RETURN_THUNK - 12,1,0xcc

/* The exit of a call-through that only counts. rsp = address of the pad. The word below rsp, in the
 * red zone, still contains the continuation, from which the code computes the offset of the counter
 * and the code word. Saved: -16 rax, -24 rcx, -32 rdx, flags in al and ah. */
    .balign 64
ez_through:
    mov %rax,-16(%rsp)
    lahf
    seto %al
    mov %rcx,-24(%rsp)
    CTLC 8f
    mov EZ_CTL_CNT(%rcx),%rcx
    test %rcx,%rcx                  /* 0: fork cleared the control block */
    jz 8f
    add -8(%rsp),%rcx
    sub ez_pool_cont(%rip),%rcx
    incq 8(%rcx)
7:  add $127,%al
    sahf
    mov -16(%rsp),%rax
    mov -24(%rsp),%rcx
    lea 8(%rsp),%rsp
ez_th_out:
    ret                             /* this ret pairs with the caller's call */
ez_th_slow:
8:  mov %rdx,-32(%rsp)
    mov -8(%rsp),%rdx
    sub ez_pool_cont(%rip),%rdx
    mov %rax,-8(%rsp)
    lea -40(%rsp),%rsp
ez_th_low:
    call *ez_pool_slow(%rip)
    lea 40(%rsp),%rsp
ez_th_back:
    mov -32(%rsp),%rdx
    mov -8(%rsp),%rax
    jmp 7b
ez_through_end:

/* The exit of a call-through that counts and records. Saved: 0 rdx, 8 rcx, 16 flags, 24 rax, 32 the
 * continuation. */
    .balign 64
ez_through_rec:
    lea -40(%rsp),%rsp
ez_tr_low:
    mov %rax,24(%rsp)
    lahf
    seto %al
    mov %rax,16(%rsp)
    mov %rcx,8(%rsp)
    mov %rdx,(%rsp)
    CTL 8f
    mov EZ_CTL_CNT(%rcx),%rax
    test %rax,%rax                  /* 0: fork cleared the control block */
    jz 8f
    mov 32(%rsp),%rdx
    sub ez_pool_cont(%rip),%rdx
    mov %rdx,32(%rsp)               /* id * EZ_RETURN_THUNK */
    incq 8(%rax,%rdx)
5:  RECORD 6f,40,TICK_VIA,ez_pool_tick
    mov 32(%rsp),%edx
    shl $5,%edx                     /* the code word has the id from bit 9 on */
    add $(1 << 8 | 1),%edx
    COMMIT
7:  mov (%rsp),%rdx
    mov 8(%rsp),%rcx
    mov 16(%rsp),%rax
    add $127,%al
    sahf
    mov 24(%rsp),%rax
    lea 48(%rsp),%rsp
ez_tr_out:
    ret
ez_tr_slow:
6:  call *ez_pool_room(%rip)
    test %rax,%rax
    jnz 5b
    jmp 7b
8:  mov 32(%rsp),%rdx
    sub ez_pool_cont(%rip),%rdx
    or $1,%rdx                      /* this exit is recorded */
    call *ez_pool_slow(%rip)
    jmp 7b
ez_through_rec_end:
ez_pool_end:
    .section .note.GNU-stack,"",@progbits

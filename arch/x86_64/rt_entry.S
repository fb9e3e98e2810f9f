/* SPDX-License-Identifier: MIT */
/* rt_entry.S - trampolines, return trampolines and exits of the runtime (theory: engine/rt/rt.h).
 *
 * Rules for the code of this file. It restores all registers, flags and vector registers before it
 * returns to the program. On the program's stack, it writes only to the red zone and below. None of
 * its instructions may fault in any state of the program, if %fs points to a thread control block
 * (or its replacement). The code for call-through is in rt_pool.S. */
#include "arch/x86_64/rt_macros.h"

/* ---- the blob's header (struct ez_blob_hdr) -------------------------------------- */
    .section .ezhdr,"a"
    .quad ez_blob_size
    .quad ez_t0, ez_t1, ez_t2, ez_t3, ez_t4, ez_t5, ez_t6, ez_t7, ez_t8, ez_t9, ez_t10, ez_t11
    .quad ez_t0_end, ez_t1_end, ez_t2_end, ez_t3_end, ez_t4_end, ez_t5_end, ez_t6_end, ez_t7_end, ez_t8_end, ez_t9_end, ez_t10_end, ez_t11_end
    .quad ez_t0_data, ez_t1_data, ez_t2_data, ez_t3_data, ez_t4_data, ez_t5_data, ez_t6_data, ez_t7_data, ez_t8_data, ez_t9_data, ez_t10_data, ez_t11_data
    .quad ez_t0_cnt, ez_t1_cnt, 0, 0, 0, ez_t5_cnt, ez_t6_cnt, 0, 0, 0, 0, 0
    .quad ez_t7_cond, ez_t8_cond, ez_t9_cond, ez_t10_cond, ez_t11_cond
    .quad ez_t7_not, ez_t8_not, ez_t9_not, ez_t10_not, ez_t11_not
    .quad ez_t7_pass, ez_t8_pass, ez_t9_pass, ez_t10_pass, ez_t11_pass
    .quad ez_t7_filtered, ez_t8_filtered, ez_t9_filtered, ez_t10_filtered, ez_t11_filtered
    .quad ez_t9_fit, ez_t9_take, ez_t9_passed, ez_t9_words, ez_t10_count, ez_t10_more, ez_t11_passed
    .quad ez_exit, ez_pool, ez_pool_end, ez_pool_words, ez_through, ez_through_rec, ez_return_thunk
    .quad ez_through_thunk, ez_slow_thunk, ez_room_thunk, ez_loader_thunk, ez_unwind_thunk, ez_profile_thunk, ez_tick_thunk
    .quad ez_trap, ez_trap_return, ez_left_return_thunk, ez_jump_thunk, ez_data_thunk
    .quad ez_keep, ez_keep_in, ez_keep_in_end, ez_keep_in_data
    .quad ez_event_call, ez_enter, ez_again
    .quad ez_dl_here, ez_dl_apart
    .quad ez_fragment_back
    .quad ez_eh_frame, ez_fs_tid, ez_fs_tid_end, ez_fs_key, ez_fs_key_end
    .quad ez_cookie, ez_cookie_end, ez_mono_alt, ez_mono_alt_end, ez_text_end

/* ---- return trampolines: one unwind row for all of them ----------------------------
 * The row is true at return trampoline i, at its continuation, and while the body runs (return
 * trampoline i is the caller then): rsp is the address above the return address, whose original
 * value is in the shadow frame. So
 *   CFA = rsp + 8   not equal to the callee's CFA (libgcc and gdb distinguish frames by the
 *                   CFA), and not above the caller's CFA (nptl's cancellation)
 *   rsp = CFA - 8
 *   rip at          (rip & -32) + EZ_DIST + EZ_E_RA   (breg16 as in ld's PLT row)
 * The unwinder calls the personality if an exception or a cancellation leaves the body
 * (rt_left.c). */
    .section .ezslots,"ax",@nobits
    .balign 4096
    .globl ez_return_trampolines
    .hidden ez_return_trampolines
    .type ez_return_trampolines,@function
    .cfi_startproc
    .cfi_personality 0x1b, ez_left_return_trampoline
    .cfi_def_cfa rsp, 8
    .cfi_escape 0x16,0x07,2, 0x38,0x1c
    .cfi_escape 0x10,0x10,10, 0x80,0x00, 0x09,0xe0, 0x1a, 0x23,0x80,0x80,0x80,0x10
ez_return_trampolines:
    .skip EZ_DIST
    .cfi_endproc
    .size ez_return_trampolines,.-ez_return_trampolines
    .skip EZ_DIST

/* ---- templates: entry and exit ------------------------------------------------------
 * before                      after
 *   f: push %rbp                f: jmp trampoline
 *      mov  %rsp,%rbp              ...
 *   trampoline: reserve a shadow frame, count, record, go to the return trampoline
 *   return trampoline: call *frame.target -> relocated code: push %rbp; mov %rsp,%rbp; jmp f+4
 *   cont: jmp *exit           <- ret of f */
    .text
    .hidden ez_data, ez_data_exit, ez_mono, ez_slow, ez_room, ez_exit_slow, ez_through_slow, ez_release_slow, ez_loader, ez_unwind, ez_profile, ez_left_return_trampoline, ez_left_return_thunk, ez_jump
    .macro PAIRED n,rec
    .balign 64
ez_t\n:
    .cfi_startproc
    SAVE
    CTL 8f
    mov 32(%rsp),%rdx               /* if the return address is a continuation, this call is a tail
                                     * call */
    sub EZ_CTL_RETURN_TRAMPOLINES(%rcx),%rdx
    cmp $EZ_DIST,%rdx
    jb 8f
    mov EZ_CTL_TOP(%rcx),%rax
2:  test $(EZ_CHUNK - 1),%eax       /* 0 at the end of a chunk, and after fork cleared the control
                                     * block */
    jz 8f
    lea EZ_RETURN_TRAMPOLINE(%rax),%rdx
    cmpxchg %rdx,EZ_CTL_TOP(%rcx)   /* reserves the shadow frame */
    jne 2b
    mov 32(%rsp),%rdx
    mov %rdx,EZ_E_RA(%rax)
    mov 94f+EZ_SD_BODY(%rip),%rdx
    mov %rdx,EZ_E_TARGET(%rax)
    mov 94f+EZ_SD_INFO(%rip),%rdx
    mov %rdx,EZ_E_CNT(%rax)
    lea 32(%rsp),%rdx
    mov %rdx,EZ_E_LOC(%rax)         /* last, because it commits the frame */
    sub $EZ_DIST,%rax
    mov %rax,-8(%rsp)               /* address of the return trampoline, in the red zone */
    mov EZ_CTL_CNT(%rcx),%rdx
    mov 94f+EZ_SD_INFO(%rip),%eax
    incq (%rdx,%rax)
    .if \rec
5:  RECORD 6f,32,TICK_VIA,94f+EZ_SD_TICK
    mov 94f+EZ_SD_CODE(%rip),%edx
    COMMIT
    .endif
7:  .cfi_remember_state
    RESTORE
    lea 8(%rsp),%rsp                /* pop the return address */
    .cfi_adjust_cfa_offset -8
    jmp *-48(%rsp)                  /* calls the body: the continuation takes
                                     * the return address's place */
    .cfi_restore_state
    .if \rec
6:  SPUSH -8(%rsp)                  /* saves the return trampoline's address, which the call
                                     * overwrites */
    call *94f+EZ_SD_ROOM(%rip)
    SPOP -8(%rsp)
    test %rax,%rax
    jnz 5b
    jmp 7b
    .endif
8:  .cfi_remember_state
    lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    test %rax,%rax
    jz 9f
    mov %rax,-8(%rsp)
    jmp 7b
9:  RESTORE                         /* the exit is not followed: leaves the stack unchanged */
    jmp *94f+EZ_SD_BODY(%rip)
    .cfi_restore_state
    .cfi_endproc
    .balign 8
ez_t\n\()_data:
94: .skip EZ_SD_BYTES
ez_t\n\()_end:
    .endm

/* ---- templates: entry only -----------------------------------------------------------
 * The jump to this trampoline can be anywhere in a function, so the trampoline first lowers rsp
 * below the red zone. */
    .macro ENTRY n,rec
    .balign 64
ez_t\n:
    .cfi_startproc
    lea -128(%rsp),%rsp
    .cfi_adjust_cfa_offset 128
    SAVE
    CTL 8f
    mov EZ_CTL_CNT(%rcx),%rdx
    test %rdx,%rdx                  /* 0: fork cleared the control block */
    jz 8f
    COUNT_RDX \n
    .if \rec
5:  RECORD 6f,160,TICK_VIA,94f+EZ_SD_TICK
    mov 94f+EZ_SD_CODE(%rip),%edx
    COMMIT
    .endif
7:  .cfi_remember_state
    RESTORE
    lea 128(%rsp),%rsp
    .cfi_adjust_cfa_offset -128
    jmp *94f+EZ_SD_BODY(%rip)
    .cfi_restore_state
    .if \rec
6:  call *94f+EZ_SD_ROOM(%rip)
    test %rax,%rax
    jnz 5b
    jmp 7b
    .endif
8:  lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    jmp 7b
    .cfi_endproc
    .balign 8
ez_t\n\()_data:
94: .skip EZ_SD_BYTES
ez_t\n\()_end:
    .endm

    ENTRY 0,0
    ENTRY 1,1
    PAIRED 2,0
    PAIRED 3,1

/* ---- template: a hook (rt_hook.c) ------------------------------------------------------ */
    .balign 64
ez_t4:
    .cfi_startproc
    lea -128(%rsp),%rsp
    .cfi_adjust_cfa_offset 128
    SAVE
    lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    test %rax,%rax
    jnz 5f
    .cfi_remember_state
    RESTORE
    lea 128(%rsp),%rsp
    .cfi_adjust_cfa_offset -128
    jmp *94f+EZ_SD_BODY(%rip)
    .cfi_restore_state
5:  SPOP %rdx                       /* the hook returns from the function: result rax */
    SPOP %rcx
    lea 144(%rsp),%rsp
    .cfi_adjust_cfa_offset -144
    ret
    .cfi_endproc
    .balign 8
ez_t4_data:
94: .skip EZ_SD_BYTES
ez_t4_end:

/* ---- templates: functions with clauses (engine/rt/rt_data.c) -----------------------------------
 * For conditions that only compare registers, the shell writes code to the hole `cond`. This code
 * jumps to ez_t\n_not if a condition is false, and to ez_t\n_pass if all are true. A clause that
 * only records registers at the entry needs no C code (fast = 1), except if the event does not fit
 * into the sub-buffer: the code in the hole `words` stores the words after the record, in pairs. A
 * count by the value of a register (fast = 2) needs C code only to add a row for a new key: the
 * code in the hole `count` finds the row. For a histogram of the durations of calls (fast = 3), the
 * trampoline reserves the call's shadow frame and its two companions as data_reserve() does, and
 * stores the time in a companion; ez_exit adds the duration to the histogram. */
    .macro DATA n,paired,fast
    .globl ez_t\n, ez_t\n\()_end, ez_t\n\()_data
    .hidden ez_t\n, ez_t\n\()_end, ez_t\n\()_data
    .balign 64
ez_t\n:
    .cfi_startproc
    .if !\paired
    lea -128(%rsp),%rsp             /* the jump to this code may be anywhere in a function: skips
                                     * the red zone */
    .cfi_adjust_cfa_offset 128
    .endif
    SAVE
ez_t\n\()_cond:
    jmp ez_t\n\()_pass
    .skip EZ_HOLE_COND - (. - ez_t\n\()_cond),0xcc
ez_t\n\()_not:                      /* counts a hit that a condition filtered out */
    CTL ez_t\n\()_pass
    mov EZ_CTL_CNT(%rcx),%rdx
    test %rdx,%rdx                  /* 0: fork cleared the control block */
    jz ez_t\n\()_pass
    .byte 0x48,0xff,0x82            /* incq FILTERED(%rdx) */
ez_t\n\()_filtered:
    .long 0x7fffffff
    jmp 9f
ez_t\n\()_pass:
    .if \fast == 2
    CTL 8f
ez_t\n\()_count:
    .skip EZ_HOLE_COUNT,0x90
    jmp 9f
ez_t\n\()_more:
    .endif
    .if \fast == 1
    CTL 8f
    mov EZ_CTL_CNT(%rcx),%rdx
    test %rdx,%rdx
    jz 8f
    mov EZ_CTL_HEAD(%rcx),%rax
1:  mov %eax,%edx
    and $(EZ_SUB_BYTES - 1),%edx
    jz 8f
    .byte 0x81,0xfa                 /* cmp $(EZ_SUB_BYTES - bytes),%edx */
ez_t\n\()_fit:
    .long 0
    ja 8f
    .byte 0x48,0x8d,0x90            /* lea bytes(%rax),%rdx */
ez_t\n\()_take:
    .long 0
    cmpxchg %rdx,EZ_CTL_HEAD(%rcx)
    jne 1b
    mov EZ_CTL_CNT(%rcx),%rdx
    .byte 0x48,0xff,0x82            /* incq CNT(%rdx) */
ez_t\n\()_passed:
    .long 0x7fffffff
    STAMP 160,TICK_VIA,94f+EZ_SD_TICK
    prefetchw 576(%rax)
ez_t\n\()_words:
    .skip EZ_HOLE_WORDS,0x90
    mov 94f+EZ_SD_CODE(%rip),%edx
    COMMIT
    jmp 9f
    .endif
    .if \fast == 3
    CTL 8f
    mov 32(%rsp),%rdx               /* tail call, if it is a continuation */
    sub EZ_CTL_RETURN_TRAMPOLINES(%rcx),%rdx
    cmp $EZ_DIST,%rdx
    jb 8f
    mov EZ_CTL_TOP(%rcx),%rax
1:  mov %eax,%edx
    and $(EZ_CHUNK - 1),%edx        /* 0 at the end of a chunk, and after fork cleared the control
                                     * block */
    jz 8f
    cmp $(EZ_CHUNK - 3*EZ_RETURN_TRAMPOLINE),%edx
    ja 8f
    lea 3*EZ_RETURN_TRAMPOLINE(%rax),%rdx
    cmpxchg %rdx,EZ_CTL_TOP(%rcx)   /* reserves the shadow frame */
    jne 1b
    movq $EZ_HOLE,EZ_E_LOC(%rax)
    movq $EZ_HOLE,EZ_RETURN_TRAMPOLINE+EZ_E_LOC(%rax)
    lea 94f(%rip),%rdx
    mov %rdx,EZ_RETURN_TRAMPOLINE+EZ_E_RA(%rax)
    movl $1,EZ_RETURN_TRAMPOLINE+EZ_E_CNT(%rax)
    mov 32(%rsp),%rdx
    mov %rdx,2*EZ_RETURN_TRAMPOLINE+EZ_E_RA(%rax)
    mov 94f+EZ_SD_BODY(%rip),%rdx
    mov %rdx,2*EZ_RETURN_TRAMPOLINE+EZ_E_TARGET(%rax)
    mov 94f+EZ_SD_INFO(%rip),%rdx
    mov %rdx,2*EZ_RETURN_TRAMPOLINE+EZ_E_CNT(%rax)
    mov EZ_CTL_CNT(%rcx),%rdx
    .byte 0x48,0xff,0x82            /* incq CNT(%rdx) */
ez_t\n\()_passed:
    .long 0x7fffffff
    TICKS TICK_VIA,94f+EZ_SD_TICK
    mov %rdx,EZ_E_RA(%rax)
    mov %rdx,EZ_RETURN_TRAMPOLINE+EZ_E_TARGET(%rax)
    lea 32(%rsp),%rdx
    mov %rdx,2*EZ_RETURN_TRAMPOLINE+EZ_E_LOC(%rax) /* last, because it commits the frame */
    add $(2*EZ_RETURN_TRAMPOLINE - EZ_DIST),%rax
    jmp 2f
    .endif
8:  lea 94f(%rip),%rax
    call *94f+EZ_SD_SLOW(%rip)
    .if \paired
    test %rax,%rax
    jz 9f
2:  mov %rax,-8(%rsp)               /* address of the return trampoline, in the red zone */
    .cfi_remember_state
    RESTORE
    lea 8(%rsp),%rsp
    .cfi_adjust_cfa_offset -8
    jmp *-48(%rsp)
    .cfi_restore_state
9:  RESTORE
    .else
9:  RESTORE
    lea 128(%rsp),%rsp
    .cfi_adjust_cfa_offset -128
    .endif
    jmp *94f+EZ_SD_BODY(%rip)
    .cfi_endproc
    .balign 8
ez_t\n\()_data:
94: .skip EZ_SD_BYTES
ez_t\n\()_end:
    .endm
    DATA 7,0,0
    DATA 8,1,0
    DATA 9,0,1
    DATA 10,0,2
    DATA 11,1,3

/* ---- exit: from a continuation -----------------------------------------------------------------
 * Here, rsp = loc + 8. The word at loc, now in the red zone, still contains the continuation, from
 * which the code finds the shadow frame of the call. */
    .balign 64
    .globl ez_exit
    .hidden ez_exit
    .type ez_exit,@function
ez_exit:
    .cfi_startproc
    .cfi_def_cfa rsp, 0             /* the "return address" at rsp-8 is the continuation; the unwind
                                     * row of return trampolines is used from there */
    lea -8(%rsp),%rsp
    .cfi_adjust_cfa_offset 8
    SAVE
    mov 32(%rsp),%rdx
    and $-EZ_RETURN_TRAMPOLINE,%rdx
    add $EZ_DIST,%rdx               /* rdx = address of the shadow frame */
    CTL 8f
    mov EZ_CTL_CNT(%rcx),%rax
    test %rax,%rax                  /* 0: fork cleared the control block */
    jz 8f
    cmpl $0,EZ_E_CODE_LO(%rdx)
    jne 5f
3:  mov %rdx,-8(%rsp)
    mov EZ_E_CNT(%rdx),%edx
    incq 8(%rax,%rdx)
    mov -8(%rsp),%rdx
    mov EZ_E_RA(%rdx),%rax
    mov %rax,32(%rsp)               /* restores the real return address, for unwinders from here
                                     * on */
    movq $0,EZ_E_LOC(%rdx)
    lea EZ_RETURN_TRAMPOLINE(%rdx),%rax
    cmpxchg %rdx,EZ_CTL_TOP(%rcx)   /* releases the shadow frame, if it is on top */
    jne 9f
7:  .cfi_remember_state
    RESTORE
    ret                             /* this ret pairs with the caller's call */
    .cfi_restore_state
5:  testb $EZ_DATA_EXIT,EZ_E_CODE_LO(%rdx)
    jnz 10f
    mov %rdx,-8(%rsp)
    RECORD 6f,32,TICK_TO,ez_tick_thunk
    mov %rax,-16(%rsp)
    mov -8(%rsp),%rdx
    mov EZ_E_CODE_LO(%rdx),%edx
    COMMIT
4:  mov -8(%rsp),%rdx
    mov EZ_CTL_CNT(%rcx),%rax
    test %rax,%rax                  /* 0: fork cleared the control block during a wait for room */
    jnz 3b
    jmp 8f
6:  SPUSH -8(%rsp)
    call ez_room_thunk
    SPOP -8(%rsp)
    mov -8(%rsp),%rdx
    test %rax,%rax
    jnz 5b
    jmp 4b
8:  testb $EZ_DATA_EXIT,EZ_E_CODE_LO(%rdx)
    jnz 13f
    call ez_exit_thunk
    jmp 7b
    /* The exit of a call with clauses. If only its duration is added to a histogram without key,
     * this code adds it to the row of key 0; C code adds the row if it is new. */
10: testb $EZ_DATA_TIMED,EZ_E_CODE_LO(%rdx)
    jz 13f
    mov %rdx,%rax
    TICKS TICK_TO,ez_tick_thunk
    mov %rsi,-8(%rsp)
    mov %rdi,-16(%rsp)
    mov %rax,%rsi                   /* address of the shadow frame */
    mov EZ_CTL_ADDUPS(%rcx),%rdi
    test %rdi,%rdi                  /* 0: fork cleared the control block */
    jz 12f
    mov EZ_E_RA-EZ_RETURN_TRAMPOLINE(%rsi),%rax  /* the trampoline's data */
    mov EZ_SD_CODE(%rax),%eax
    add %rax,%rdi                   /* address of the row */
    sub EZ_E_TARGET-EZ_RETURN_TRAMPOLINE(%rsi),%rdx
    mov $EZ_ADDUP_KEY0,%rax
    cmp %rax,(%rdi)
    jne 12f
    cmpq $0,EZ_AR_N(%rdi)
    je 12f
    mov EZ_AR_LEAST(%rdi),%rax
1:  cmp %rax,%rdx
    jge 2f
    cmpxchg %rdx,EZ_AR_LEAST(%rdi)
    jne 1b
2:  mov EZ_AR_MOST(%rdi),%rax
1:  cmp %rax,%rdx
    jle 2f
    cmpxchg %rdx,EZ_AR_MOST(%rdi)
    jne 1b
2:  test %rdx,%rdx                  /* negative if the clocks of two processors differ */
    js 12f
    add %rdx,EZ_AR_SUM(%rdi)
    incq EZ_AR_N(%rdi)
    mov %rcx,%rax
    mov %rdx,%rcx                   /* computes the bucket as ez_addup_bucket() does */
    or $8,%rcx
    bsr %rcx,%rcx
    sub $3,%ecx
    shr %cl,%rdx
    lea (%rdx,%rcx,8),%rdx
    incq EZ_AR_BUCKET(%rdi,%rdx,8)
    mov %rax,%rcx
    mov EZ_E_RA-EZ_RETURN_TRAMPOLINE(%rsi),%rdi
    mov EZ_SD_RETURN_THUNK(%rdi),%rdi /* offset of the clause's counter */
    mov EZ_CTL_CNT(%rcx),%rax
    incq 8(%rax,%rdi)
    mov EZ_E_RA(%rsi),%rax
    mov %rax,32(%rsp)               /* restores the real return address */
    movq $0,EZ_E_LOC(%rsi)
    lea EZ_RETURN_TRAMPOLINE(%rsi),%rax
    cmp %rax,EZ_CTL_TOP(%rcx)
    jne 11f
    movq $0,EZ_E_LOC-EZ_RETURN_TRAMPOLINE(%rsi)  /* a free frame has loc 0 */
    movq $0,EZ_E_LOC-2*EZ_RETURN_TRAMPOLINE(%rsi)
    lea -2*EZ_RETURN_TRAMPOLINE(%rsi),%rdx
    cmpxchg %rdx,EZ_CTL_TOP(%rcx)
    mov -8(%rsp),%rsi
    mov -16(%rsp),%rdi
    jne 14f
    jmp 7b
11: mov %rsi,%rdx
    mov -8(%rsp),%rsi
    mov -16(%rsp),%rdi
    jmp 9f
12: mov %rsi,%rdx
    mov -8(%rsp),%rsi
    mov -16(%rsp),%rdi
13: call ez_data_exit_thunk
    jmp 7b
14: add $2*EZ_RETURN_TRAMPOLINE,%rdx             /* a signal handler left frames above, so the
                                                  * companions become holes */
    movq $EZ_HOLE,EZ_E_LOC-EZ_RETURN_TRAMPOLINE(%rdx)
    movq $EZ_HOLE,EZ_E_LOC-2*EZ_RETURN_TRAMPOLINE(%rdx)
9:  call ez_release_thunk
    jmp 7b
    .cfi_endproc
    .size ez_exit,.-ez_exit

/* ---- an event of a module: void ez_event_call(rt, event, n, word) ------------------------------
 * A function with C's calling convention. Calls ez_event() with the same arguments and, as the
 * fifth, the thread's control block, which it finds as trampolines do (0 = not found). */
    .hidden ez_event, ez_enter, ez_again, ez_dl_here, ez_dl_apart, ez_fragment_back
    .balign 16
    .globl ez_event_call
    .hidden ez_event_call
    .type ez_event_call,@function
ez_event_call:
    .cfi_startproc
    mov %rcx,%r8
    CTL 8f
    xchg %rcx,%r8                   /* control block as the fifth argument */
    jmp ez_event
8:  mov %r8,%rcx
    xor %r8d,%r8d
    jmp ez_event
    .cfi_endproc
    .size ez_event_call,.-ez_event_call

/* ---- thunks: call C functions, and restore all registers but rax --------------------------------
 * The C files are compiled for general registers only. The thunk clears DF and AC for C code.
 * Arguments of the C function: rdi = address of the word that was on top of the stack before SAVE
 * (in a trampoline that pairs calls, the return address), rsi = \arg, rdx = address of the saved
 * registers, r11 first (RT_SAVED_ARG0). */
    .macro THUNK name,fn,arg
    .balign 16
\name:
    .cfi_startproc
    .cfi_def_cfa_offset 8
    SPUSH %rbp
    .cfi_rel_offset rbp,0
    mov %rsp,%rbp
    .cfi_def_cfa_register rbp
    pushfq
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    push %r11
    pushfq
    andl $~0x40400,(%rsp)
    popfq
    lea 48(%rbp),%rdi
    mov \arg,%rsi
    mov %rsp,%rdx
    and $-16,%rsp
    call \fn
    lea -72(%rbp),%rsp
    pop %r11
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rdx
    pop %rcx
    popfq
    pop %rbp
    .cfi_def_cfa rsp,8
    ret
    .cfi_endproc
    .endm
    THUNK ez_slow_thunk, ez_slow, %rax
    THUNK ez_room_thunk, ez_room, %rcx
    THUNK ez_exit_thunk, ez_exit_slow, %rdx
    THUNK ez_through_thunk, ez_through_slow, %rdx
    THUNK ez_release_thunk, ez_release_slow, %rdx
    THUNK ez_loader_thunk, ez_loader, %rax
    THUNK ez_unwind_thunk, ez_unwind, %rax
    THUNK ez_profile_thunk, ez_profile, %rax
    THUNK ez_jump_thunk, ez_jump, %rax

/* A thunk for functions with clauses, which must be called right after a SAVE. As THUNK, but rdx =
 * address of all general registers of the program, in the order of their DWARF numbers (the value
 * of rsp is not valid). */
    .macro DATA_THUNK name,fn,arg
    .balign 16
\name:
    .cfi_startproc
    .cfi_def_cfa_offset 8
    SPUSH %rbp
    .cfi_rel_offset rbp,0
    mov %rsp,%rbp
    .cfi_def_cfa_register rbp
    pushfq
    .irp r,r15,r14,r13,r12,r11,r10,r9,r8,rsp
    push %\r
    .endr
    push (%rbp)
    push %rdi
    push %rsi
    push %rbx
    push 24(%rbp)                   /* rcx */
    push 16(%rbp)                   /* rdx */
    push 40(%rbp)                   /* rax */
    lea 48(%rbp),%rdi
    mov \arg,%rsi
    mov %rsp,%rdx
    testl $0x40400,-8(%rbp)         /* DF or AC set? popf only then, because it is slow */
    jnz 3f
1:  and $-16,%rsp
    call \fn
    lea -136(%rbp),%rsp
    mov 32(%rsp),%rsi
    mov 40(%rsp),%rdi
    mov 64(%rsp),%r8
    mov 72(%rsp),%r9
    mov 80(%rsp),%r10
    mov 88(%rsp),%r11
    testl $0x40400,-8(%rbp)
    jnz 4f
2:  .cfi_remember_state
    mov %rbp,%rsp
    pop %rbp
    .cfi_def_cfa rsp,8
    ret
    .cfi_restore_state
3:  pushfq
    andl $~0x40400,(%rsp)
    popfq
    jmp 1b
4:  push -8(%rbp)
    popfq
    jmp 2b
    .cfi_endproc
    .endm
    DATA_THUNK ez_data_thunk, ez_data, %rax
    DATA_THUNK ez_data_exit_thunk, ez_data_exit, %rdx

/* ---- return from the SIGTRAP handler: unwinders and patch.c compare these bytes --------- */
    .hidden ez_trap
    .balign 16
ez_trap_return:
    mov $15,%rax                    /* rt_sigreturn */
    syscall

/* ---- CLOCK_MONOTONIC as the clock --------------------------------------------------------------
 * TICKS jumps to ez_tick_thunk with rdx = the address at which to continue. There, rdx is the
 * result of ez_mono(); all other registers, the flags, and the two words below the stack pointer
 * are unchanged. For unwinders, the address in rdx is the return address. */
    .balign 16
ez_tick_thunk:
    .cfi_startproc
    .cfi_def_cfa rsp,0
    .cfi_register rip,rdx
    lea -16(%rsp),%rsp
    .cfi_adjust_cfa_offset 16
    SPUSH %rdx
    .cfi_offset rip,-24
    SPUSH %rbp
    .cfi_rel_offset rbp,0
    mov %rsp,%rbp
    .cfi_def_cfa_register rbp
    .irp r,rax,rcx,rsi,rdi,r8,r9,r10,r11
    push %\r
    .endr
    pushfq
    testl $0x40400,(%rsp)           /* DF or AC set? popf only then, because it is slow */
    jnz 3f
1:  and $-16,%rsp
    mov %rcx,%rdi                   /* the control block */
    call ez_mono
    mov %rax,%rdx
    lea -72(%rbp),%rsp
    testl $0x40400,(%rsp)
    jnz 4f
    lea 8(%rsp),%rsp
2:  .irp r,r11,r10,r9,r8,rdi,rsi,rcx,rax
    pop %\r
    .endr
    .cfi_remember_state
    pop %rbp
    .cfi_restore rbp
    .cfi_def_cfa rsp,24
    lea 24(%rsp),%rsp
    .cfi_def_cfa_offset 0
    jmp *-24(%rsp)
    .cfi_restore_state
3:  pushfq
    andl $~0x40400,(%rsp)
    popfq
    jmp 1b
4:  popfq
    jmp 2b
    .cfi_endproc

/* long ez_call_clock(fn, struct timespec *, area): calls fn(CLOCK_MONOTONIC, t) and returns its
 * result. Before the call, saves the vector registers and mxcsr in `area` (272 bytes) or, if area
 * is 0, on the stack; afterwards, restores them. */
    .balign 16
    .globl ez_call_clock
    .hidden ez_call_clock
    .type ez_call_clock,@function
ez_call_clock:
    .cfi_startproc
    SPUSH %rbp
    .cfi_rel_offset rbp,0
    mov %rsp,%rbp
    .cfi_def_cfa_register rbp
    push %rbx
    .cfi_offset rbx,-24
    push %rbx
    mov %rdx,%rbx
    test %rbx,%rbx
    jnz 1f
    sub $272,%rsp
    mov %rsp,%rbx
1:  .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps %xmm\n,\n*16(%rbx)
    .endr
    stmxcsr 256(%rbx)
    movb $1,264(%rbx)
    mov %rdi,%rax
    mov $1,%edi
    call *%rax
    cmpb $0,264(%rbx)
    je 2f                           /* fork cleared the area in this process */
    ldmxcsr 256(%rbx)
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps \n*16(%rbx),%xmm\n
    .endr
2:  mov -8(%rbp),%rbx
    .cfi_restore rbx
    leave
    .cfi_restore rbp
    .cfi_def_cfa rsp,8
    movslq %eax,%rax
    ret
    .cfi_endproc
    .size ez_call_clock,.-ez_call_clock

    .section .note.GNU-stack,"",@progbits

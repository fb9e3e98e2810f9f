/* SPDX-License-Identifier: MIT */
/* rt_fragment.S - switches between a thread's stack and a fragment's stack
 * (engine/rt/rt_fragment.c, modules/ezt_fragment.h). */
#include "engine/rt/rt.h"

#include "modules/ezt_fragment.h"

    .text
    .hidden rt_state
    .irp s,ez_fragment_go,ez_fragment_back,ez_fragment_keep,ez_fragment_restore
    .globl \s
    .hidden \s
    .type \s,@function
    .endr

/* void ez_fragment_go(struct ezt_activation *): switches to the activation's stack pointer and
 * continues at its pc, with the activation in rdi and rbx. To suspend itself, a fragment loads rsp
 * from the activation's `back` and executes ret; to end, it executes ret on its stack. Both lead to
 * ez_fragment_back, the return address of the call below, with the activation in rbx. */
    .balign 64
ez_fragment_go:
    .cfi_startproc
    .irp r,rbx,rbp,r12,r13,r14,r15
    push %\r
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \r,0
    .endr
    mov %rdi,%rbx
    call 1f
ez_fragment_back:
    mov EZT_ACT_BACK(%rbx),%rsp
    lea 8(%rsp),%rsp
    cld
    .cfi_remember_state
    .irp r,r15,r14,r13,r12,rbp,rbx
    pop %\r
    .cfi_adjust_cfa_offset -8
    .cfi_restore \r
    .endr
    ret
    .cfi_restore_state
1:  .cfi_adjust_cfa_offset 8
    mov %rsp,EZT_ACT_BACK(%rbx)
    mov EZT_ACT_PC(%rbx),%rax
    mov EZT_ACT_SP(%rbx),%rsp
    movq $0,EZT_ACT_PC(%rbx)
    jmp *%rax
    .cfi_endproc
    .size ez_fragment_go,.-ez_fragment_go

/* void ez_fragment_keep(void *area), ez_fragment_restore: save and restore all vector and x87
 * registers, with their control words. The area is aligned to 64 bytes, was zeroed before its first
 * use, and has xsave's layout. If the processor reports that only the low halves of the vector
 * registers are in use, only these are copied, which is much faster; restoring then sets all other
 * components that the fragment used to their initial state. A nonzero word at offset SHORT, in
 * bytes that xsave reserves for software, marks such an area. */
    .set SHORT,464
    .set XMM,160
    .set MXCSR,24
    .set HEADER,512

    .balign 16
ez_fragment_keep:
    .cfi_startproc
    mov rt_state+EZ_ST_XS_MASK(%rip),%eax
    test %eax,%eax
    jz 2f
    cmpl $0,rt_state+EZ_ST_XS_INUSE(%rip)
    je 1f
    fnstsw %ax                      /* at an entry the x87 stack is empty; at an exit it has at most
                                     * one result */
    test $0x3800,%eax
    mov rt_state+EZ_ST_XS_MASK(%rip),%eax
    jnz 1f
    mov $1,%ecx
    xgetbv                          /* reads which components are in use */
    and rt_state+EZ_ST_XS_MASK(%rip),%eax
    jz 3f
1:  or $3,%eax
    xor %edx,%edx
    mov %rdx,HEADER(%rdi)           /* the area has no other component */
    movl %edx,SHORT(%rdi)
    xsave64 (%rdi)
    ret
2:  movl $0,SHORT(%rdi)
    fxsave64 (%rdi)
    ret
3:  movl $1,SHORT(%rdi)
    stmxcsr MXCSR(%rdi)
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps %xmm\n,XMM+\n*16(%rdi)
    .endr
    ret
    .cfi_endproc
    .size ez_fragment_keep,.-ez_fragment_keep

    .balign 16
ez_fragment_restore:
    .cfi_startproc
    mov rt_state+EZ_ST_XS_MASK(%rip),%eax
    cmpl $0,SHORT(%rdi)
    jne 2f
    test %eax,%eax
    jz 1f
    or $3,%eax
    xor %edx,%edx
    xrstor64 (%rdi)
    ret
1:  fxrstor64 (%rdi)
    ret
2:  mov $1,%ecx
    xgetbv
    and rt_state+EZ_ST_XS_MASK(%rip),%eax
    jz 3f
    xor %edx,%edx
    mov %rdx,HEADER(%rdi)
    xrstor64 (%rdi)                 /* sets the initial state */
3:  ldmxcsr MXCSR(%rdi)
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps XMM+\n*16(%rdi),%xmm\n
    .endr
    ret
    .cfi_endproc
    .size ez_fragment_restore,.-ez_fragment_restore

    .section .note.GNU-stack,"",@progbits

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exits.S - long stepped_call(long (*f)(long, long), long a, long b): f(a, b) with one
 * SIGTRAP after each instruction. */
    .text
    .globl stepped_call
    .type stepped_call,@function
stepped_call:
    .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx,0
    mov %rdi,%rbx
    mov %rsi,%rdi
    mov %rdx,%rsi
    pushf
    .cfi_adjust_cfa_offset 8
    orq $0x100,(%rsp)
    popf
    .cfi_adjust_cfa_offset -8
    call *%rbx
    pushf
    .cfi_adjust_cfa_offset 8
    andq $~0x100,(%rsp)
    popf
    .cfi_adjust_cfa_offset -8
    pop %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size stepped_call,.-stepped_call
    .section .note.GNU-stack,"",@progbits

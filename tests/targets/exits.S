/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exits.S - long stepped_call(long (*f)(long, long), long a, long b): f(a, b) with one
 * SIGTRAP after each instruction. Also functions whose exits must not be followed:
 * call_popper(a, b) calls one that takes its arguments off the stack; call_skipper() calls one
 * that returns behind the data that follow the call. */
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
    .globl popper, call_popper, skipper, call_skipper
    .type popper,@function
popper:
    mov 8(%rsp),%rax
    lea (%rax,%rax,2),%rax
    add 16(%rsp),%rax
    ret $16
    .size popper,.-popper
    .type call_popper,@function
call_popper:
    .cfi_startproc
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    call popper
    .cfi_adjust_cfa_offset -16
    ret
    .cfi_endproc
    .size call_popper,.-call_popper
    .type skipper,@function
skipper:
    mov (%rsp),%rcx
    mov (%rcx),%eax
    addq $4,(%rsp)
    ret
    .size skipper,.-skipper
    .type call_skipper,@function
call_skipper:
    .cfi_startproc
    call skipper
    .long 1234
    ret
    .cfi_endproc
    .size call_skipper,.-call_skipper
    .section .note.GNU-stack,"",@progbits

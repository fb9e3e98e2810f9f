/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.S - functions whose first five bytes are five instructions, so that a thread
 * can stand at each of them when the jump is planted (fault 29). */
    .macro PROLOGUE
    push %rbp
    .cfi_adjust_cfa_offset 8
    push %rbx
    .cfi_adjust_cfa_offset 8
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    push %rdx
    .cfi_adjust_cfa_offset 8
    .endm
    .macro EPILOGUE
    pop %rdx
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    pop %rbx
    .cfi_adjust_cfa_offset -8
    pop %rbp
    .cfi_adjust_cfa_offset -8
    .endm

    .text
    .balign 32,0xcc
    .globl main                     /* where `start` stops */
    .type main,@function
main:
    .cfi_startproc
    PROLOGUE
    call real_main
    EPILOGUE
    ret
    .cfi_endproc
    .size main,.-main

    .balign 32,0xcc
    .globl victim                   /* long victim(long a, long b): a * 3 + b */
    .type victim,@function
victim:
    .cfi_startproc
    PROLOGUE
    lea (%rdi,%rdi,2),%rax
    add (%rsp),%rax
    sub %rdx,%rax
    add %rsi,%rax
    EPILOGUE
    ret
    .cfi_endproc
    .size victim,.-victim

    .balign 32,0xcc
    .globl stepped                  /* long stepped(long a, long b): victim, under TF */
    .type stepped,@function
stepped:
    .cfi_startproc
    pushf
    .cfi_adjust_cfa_offset 8
    orq $0x100,(%rsp)
    popf
    .cfi_adjust_cfa_offset -8
    call victim
    pushf
    .cfi_adjust_cfa_offset 8
    andq $~0x100,(%rsp)
    popf
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size stepped,.-stepped
    .section .note.GNU-stack,"",@progbits

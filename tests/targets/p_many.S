/* SPDX-License-Identifier: MIT */
/* p_many.S - 200,000 functions, of which main calls the first and the last three times. */
    .text
    .globl main
    .type main, @function
main:
    push %rbx
    mov $3, %ebx
1:  call many_0
    call many_199999
    dec %ebx
    jnz 1b
    xor %eax, %eax
    pop %rbx
    ret
    .size main, .-main
    .altmacro
    .macro one n
    .type many_\n, @function
many_\n:
    push %rbp
    mov %rsp, %rbp
    lea 1(%rdi), %eax
    pop %rbp
    ret
    .size many_\n, .-many_\n
    .endm
    .set i, 0
    .rept 200000
    one %i
    .set i, i + 1
    .endr
    .section .note.GNU-stack,"",@progbits

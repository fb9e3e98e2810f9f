/* SPDX-License-Identifier: MIT */
/* p_why.S - a function that can bear only a trap, more such functions than one process has traps
 * for, and two functions that are no code. main returns 0 and calls none of them. */
    .text
    .fill 300,1,0xf8 /* clc: no padding for an island */

/* A loop leads to the second byte: no jump and no island. The first instruction has one byte, so a
 * pun leads to one address only, which is in this text. */
    .globl trap_only
    .type trap_only,@function
trap_only:
    push %rax
1:  .byte 0x10,0,0,0 /* adc %al,(%rax); add %al,(%rax) */
    dec %edi
    jnz 1b
    pop %rax
    .fill 300,1,0xf8
    ret
    .size trap_only,.-trap_only

    .macro MANY
    .type many_\@,@function
many_\@:
    mov $1,%eax
    ret
    .size many_\@,.-many_\@
    .endm
    .rept 800
    MANY
    .endr

    .macro BAD name
    .type \name,@function
\name:
    .byte 0x06 /* no instruction */
    ret
    .size \name,.-\name
    .endm
    BAD bad_1
    BAD bad_2

    .globl pun_me /* leads below the program, to one page or, with a prefix, another */
    .type pun_me,@function
pun_me:
    xor %eax,%eax
    nop
    nop
    clc
    ret
    nopl 0(%rax,%rax,1)
    .size pun_me,.-pun_me

    .globl main
    .type main,@function
main:
    xor %eax,%eax
    ret
    nopl 0(%rax,%rax,1)
    .size main,.-main
    .section .note.GNU-stack,"",@progbits

/* SPDX-License-Identifier: MIT */
/* rt_keep.S - calls the replacement of a function, and preserves the registers that the replaced
 * function does not change.
 *
 * If the compiler has a function's body, the code of callers can rely on the registers that the
 * body does not change (gcc -fipa-ra, on at -O2): e.g. a value can remain in %rcx or %xmm5 across
 * the call. The replacement may change these registers. So if callers may rely on registers
 * (engine/patch/clobber.c), the trampoline leads to this code. It saves all registers that a call
 * may change, and restores them after the call of the replacement, except the result registers that
 * the replaced function sets.
 *
 * Because the saved registers are between the stack arguments and the return address of the
 * replacement, EZ_KEEP_ARGS bytes of stack arguments, if readable, are copied below the saved
 * registers.
 *
 * The site's trampoline (ez_keep_in) is: push %rbp; lea data,%rbp; jmp *data.enter. In ez_keep:
 *   0(%rbp) caller's rbp   -8 rbx   -16 rax  -24 rcx  -32 rdx  -40 rsi  -48 rdi  -56 r8  -64 r9
 *   -72 r10  -80 r11       -88 components that xsave saved, 0 = xmm only   -96 rax, -104 rdx of
 *   the replacement        -112 address A; %xmm0 is at A + 160, as in xsave's layout
 *   %rbx = the site's data (struct ez_keep) */
#include "engine/rt/rt.h"

    .text
    .hidden ez_readable, rt_state
    .irp s,ez_keep,ez_keep_in,ez_keep_in_end,ez_keep_in_data
    .globl \s
    .hidden \s
    .endr

    .balign 16
ez_keep_in:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp,-16
    lea 94f(%rip),%rbp
    jmp *94f+EZ_KEEP_ENTER(%rip)
    .cfi_endproc
    .balign 8
ez_keep_in_data:
94: .skip EZ_KEEP_BYTES
ez_keep_in_end:

    .balign 64
    .type ez_keep,@function
ez_keep:
    .cfi_startproc
    .cfi_def_cfa rsp,16
    .cfi_offset rbp,-16
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbx,-24
    mov %rbp,%rbx
    lea 8(%rsp),%rbp
    .cfi_def_cfa rbp,16
    .irp r,rax,rcx,rdx,rsi,rdi,r8,r9,r10,r11
    push %\r
    .endr
    sub $32,%rsp
    mov rt_state+EZ_ST_XS_MASK(%rip),%eax
    test %eax,%eax
    jz 1f
    cmpl $0,rt_state+EZ_ST_XS_INUSE(%rip)
    je 2f
    mov $1,%ecx
    xgetbv                          /* are more components than the low halves in use? */
    and rt_state+EZ_ST_XS_MASK(%rip),%eax
    jnz 2f
1:  movq $0,-88(%rbp)
    sub $256,%rsp
    and $-16,%rsp
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps %xmm\n,\n*16(%rsp)
    .endr
    lea -160(%rsp),%rax
    jmp 3f
2:  or $2,%eax
    mov %rax,-88(%rbp)
    mov rt_state+EZ_ST_XS_SIZE(%rip),%ecx
    sub %rcx,%rsp
    and $-64,%rsp
    xor %ecx,%ecx
    .irp n,0,1,2,3,4,5,6,7
    mov %rcx,512+8*\n(%rsp)         /* a word of xsave's header */
    .endr
    xor %edx,%edx
    xsave64 (%rsp)
    mov %rsp,%rax
3:  mov %rax,-112(%rbp)
    sub $EZ_KEEP_ARGS,%rsp
    lea 16(%rbp),%rsi
    lea EZ_KEEP_ARGS-1(%rsi),%rax
    xor %rsi,%rax
    test $-4096,%rax
    jnz 8f
    .set at,0
    .rept EZ_KEEP_ARGS/32
    movups at(%rsi),%xmm0
    movups at+16(%rsi),%xmm1
    movaps %xmm0,at(%rsp)
    movaps %xmm1,at+16(%rsp)
    .set at,at+32
    .endr
4:  mov -112(%rbp),%rax
    movaps 160(%rax),%xmm0
    movaps 176(%rax),%xmm1
    .macro GENERAL                  /* all general registers but %rax and %rdx */
    mov -24(%rbp),%rcx
    mov -40(%rbp),%rsi
    mov -48(%rbp),%rdi
    mov -56(%rbp),%r8
    mov -64(%rbp),%r9
    mov -72(%rbp),%r10
    mov -80(%rbp),%r11
    .endm
    GENERAL
    mov -16(%rbp),%rax
    mov -32(%rbp),%rdx
    lock incl rt_state+EZ_ST_KEEPING(%rip)
    call *EZ_KEEP_WITH(%rbx)
    lock decl rt_state+EZ_ST_KEEPING(%rip)
    mov -112(%rbp),%rcx
    cmpl $0,-88(%rbp)
    jne 6f
    testb $EZ_KEEP_X0,EZ_KEEP_RESULTS(%rbx)
    jnz 1f
    movaps 160(%rcx),%xmm0
1:  testb $EZ_KEEP_X1,EZ_KEEP_RESULTS(%rbx)
    jnz 1f
    movaps 176(%rcx),%xmm1
1:  .irp n,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movaps 160+16*\n(%rcx),%xmm\n
    .endr
5:  testb $EZ_KEEP_AX,EZ_KEEP_RESULTS(%rbx)
    jnz 1f
    mov -16(%rbp),%rax
1:  testb $EZ_KEEP_DX,EZ_KEEP_RESULTS(%rbx)
    jnz 1f
    mov -32(%rbp),%rdx
1:  GENERAL
    mov -8(%rbp),%rbx
    .cfi_remember_state
    .cfi_restore rbx
    leave
    .cfi_restore rbp
    .cfi_def_cfa rsp,8
    ret
    .cfi_restore_state

    /* More components than the low halves are in use. xrstor also restores the result registers, so
     * they are saved before. */
6:  mov %rax,-96(%rbp)
    mov %rdx,-104(%rbp)
    sub $128,%rsp
    and $-64,%rsp
    stmxcsr 24(%rcx)                /* keeps mxcsr as the replacement set it */
    mov -88(%rbp),%eax
    xor %edx,%edx
    test $0x40,%eax
    jnz 7f
    .macro WIDE v,bytes             /* results in vector registers are kept at their full width,
                                     * too */
    vmovups %\v\()0,(%rsp)
    vmovups %\v\()1,\bytes(%rsp)
    xrstor64 (%rcx)
    testb $EZ_KEEP_X0,EZ_KEEP_RESULTS(%rbx)
    jz 1f
    vmovups (%rsp),%\v\()0
1:  testb $EZ_KEEP_X1,EZ_KEEP_RESULTS(%rbx)
    jz 9f
    vmovups \bytes(%rsp),%\v\()1
    .endm
    WIDE ymm,32
    jmp 9f
7:  WIDE zmm,64
9:  mov -96(%rbp),%rax
    mov -104(%rbp),%rdx
    jmp 5b

    /* The last bytes of the stack arguments are in the next page, which may be unreadable. */
8:  lea EZ_KEEP_ARGS-1(%rsi),%rdi
    and $-4096,%rdi
    call ez_readable
    lea 16(%rbp),%rsi
    mov $EZ_KEEP_ARGS/8,%ecx
    test %rax,%rax
    jnz 1f
    mov %esi,%ecx
    neg %ecx
    and $4095,%ecx
    shr $3,%ecx
1:  mov %rsp,%rdi
    rep movsq
    jmp 4b
    .cfi_endproc
    .size ez_keep,.-ez_keep

    .section .note.GNU-stack,"",@progbits

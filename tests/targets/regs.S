/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.S - every register across a probed call (faults 30, 31, 32).
 *
 * regs_call  loads the state `given`, calls a function, stores what came back
 * regs_leaf  stores the state at its first instruction (rsp less 64), loads `left`, returns
 * regs_hop   jumps to regs_leaf as its only act (a tail call)
 * regs_through  as regs_leaf, but it does not look at where its stack is
 *
 * A state: 0 rax, rbx, rcx, rdx, rsi, rdi, rbp, r8 ... r15 (15 words), 120 flags,
 * 128 rsp (stored only), 192 the XSAVE area (x87, MXCSR, xmm, ymm, k, zmm). */
    .set VEC, 192
    .macro STORE s
    mov %rsp,\s+128(%rip)
    STORE_REST \s
    .endm
    .macro STORE_REST s
    .set j,0
    .irp r,rax,rbx,rcx,rdx,rsi,rdi,rbp,r8,r9,r10,r11,r12,r13,r14,r15
    mov %\r,\s+8*j(%rip)
    .set j,j+1
    .endr
    pushf
    pop %rax
    mov %rax,\s+120(%rip)
    mov vec_mask(%rip),%eax
    xor %edx,%edx
    xsave64 \s+VEC(%rip)
    .endm
    .macro LOAD s
    mov vec_mask(%rip),%eax
    xor %edx,%edx
    xrstor64 \s+VEC(%rip)
    push \s+120(%rip)
    .set j,0
    .irp r,rax,rbx,rcx,rdx,rsi,rdi,rbp,r8,r9,r10,r11,r12,r13,r14,r15
    mov \s+8*j(%rip),%\r
    .set j,j+1
    .endr
    popf
    .endm

    .text
    .balign 32,0xcc
    .globl regs_leaf
    .type regs_leaf,@function
regs_leaf:
    .cfi_startproc
    nopw 0x10(%rax,%rax)            /* the jump stands here; the rest is untouched */
    lea -64(%rsp),%rsp              /* who keeps where its return address is gets no exit probe */
    STORE at_entry
    lea 64(%rsp),%rsp
    mov 8(%rsp),%rax                /* an argument on the stack: no call-through */
    LOAD left
    ret
    .cfi_endproc
    .size regs_leaf,.-regs_leaf

    .balign 32,0xcc
    .globl regs_through
    .type regs_through,@function
regs_through:
    .cfi_startproc
    nopw 0x10(%rax,%rax)
    STORE_REST at_entry
    LOAD left
    ret
    .cfi_endproc
    .size regs_through,.-regs_through

    .balign 32,0xcc
    .globl regs_hop
    .type regs_hop,@function
regs_hop:
    .cfi_startproc
    nopw 0x10(%rax,%rax)
    jmp regs_leaf
    .cfi_endproc
    .size regs_hop,.-regs_hop

/* void regs_call(void (*fn)(void)) */
    .balign 32,0xcc
    .globl regs_call
    .type regs_call,@function
regs_call:
    .cfi_startproc
    .irp r,rbx,rbp,r12,r13,r14,r15
    push %\r
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \r,0
    .endr
    sub $8,%rsp
    .cfi_adjust_cfa_offset 8
    mov %rdi,callee(%rip)
    LOAD given
    mov %rsp,given+128(%rip)
    call *callee(%rip)
    STORE at_exit
    push $0x202                     /* DF and AC off again */
    popf
    mov vec_mask(%rip),%eax
    xor %edx,%edx
    xrstor64 plain+VEC(%rip)
    add $8,%rsp
    .cfi_adjust_cfa_offset -8
    .irp r,r15,r14,r13,r12,rbp,rbx
    pop %\r
    .cfi_adjust_cfa_offset -8
    .endr
    ret
    .cfi_endproc
    .size regs_call,.-regs_call

/* void regs_plain(void): what a fresh vector state is */
    .globl regs_plain
    .type regs_plain,@function
regs_plain:
    mov vec_mask(%rip),%eax
    xor %edx,%edx
    xsave64 plain+VEC(%rip)
    ret
    .size regs_plain,.-regs_plain

    .data
    .balign 8
callee: .quad 0
    .globl vec_mask
vec_mask: .quad 0
    .bss
    .balign 64
    .irp s,given,left,at_entry,at_exit,plain
    .globl \s
\s: .skip 192 + 4096 - 192
    .endr
    .section .note.GNU-stack,"",@progbits

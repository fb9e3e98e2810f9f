/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prologue.S - functions whose first bytes are hard to move (table for prologue.c).
 * Each is `long f(long x)`. A row: name, function, number in doc/FAULTS.md. */
    .macro ROW name,fault,call=1
    .pushsection .rodata.str,"aMS",@progbits,1
9:  .asciz "\name"
    .popsection
    .pushsection .data.rel.ro,"aw"
    .quad 9b, \name, \fault, \call
    .popsection
    .endm
    .macro FN name,fault,call=1
    ROW \name,\fault,\call
    .balign 32,0xcc
    .globl \name
    .type \name,@function
\name:
    .cfi_startproc
    .endm
    .macro END name
    .cfi_endproc
    .size \name,.-\name
    .endm

    .pushsection .data.rel.ro,"aw"
    .globl rows
    .balign 8
rows:
    .popsection

    .data
    .balign 16
five: .quad 5
var: .quad 0
half: .double 2.5
    .quad 0
lanes: .long 1, 2, 3, 4
to_helper: .quad helper
to_times3: .quad times3

    .text
    .balign 32,0xcc
helper:     /* its own return address tells whether it is real; untyped, so never probed */
    mov (%rsp),%rax
    ret
    .balign 32,0xcc
    .type times3,@function
times3:
    lea (%rdi,%rdi,2),%rax
    nopw 0(%rax,%rax)
    ret
    .size times3,.-times3

/* ---- 5: operands relative to the instruction pointer ---- */
FN lea_rip,5
    lea five(%rip),%rax
    mov (%rax),%rax
    add %rdi,%rax
    ret
END lea_rip
FN mov_rip,5
    mov five(%rip),%rax
    sub %rdi,%rax
    ret
END mov_rip
FN cmp_rip_imm,5                /* the displacement is not the last field */
    cmpq $5,five(%rip)
    sete %al
    movzbl %al,%eax
    add %rdi,%rax
    ret
END cmp_rip_imm
FN cmpb_rip_imm,5
    cmpb $4,five(%rip)
    seta %al
    movzbl %al,%eax
    ret
END cmpb_rip_imm
FN mov_imm_rip,5
    movq $0x12345678,var(%rip)
    mov var(%rip),%rax
    add %rdi,%rax
    ret
END mov_imm_rip
FN movw_imm_rip,5               /* length-changing prefix */
    movw $0x1234,var(%rip)
    movzwl var(%rip),%eax
    ret
END movw_imm_rip
FN push_rip,5
    push five(%rip)
    pop %rax
    add %rdi,%rax
    ret
END push_rip
FN pop_rip,5
    push %rdi
    pop var(%rip)
    mov var(%rip),%rax
    ret
END pop_rip
FN cmpxchg_rip,5
    cmpxchg %rdi,var(%rip)
    mov %rdi,var(%rip)
    mov var(%rip),%rax
    ret
END cmpxchg_rip
FN lock_xadd_rip,5
    lock xadd %edi,var(%rip)
    mov %rdi,var(%rip)
    mov $9,%eax
    ret
END lock_xadd_rip
FN sse_rip,5
    movsd half(%rip),%xmm0
    cvttsd2si %xmm0,%rax
    add %rdi,%rax
    ret
END sse_rip
FN shuf_rip,5                   /* an immediate after the displacement, 0F map */
    pshufd $0x1b,lanes(%rip),%xmm0
    movd %xmm0,%eax
    ret
END shuf_rip
FN align_rip,5                  /* 0F3A map */
    palignr $4,lanes(%rip),%xmm0
    xor %eax,%eax
    ret
END align_rip
FN bt_rip,5
    btl $2,five(%rip)
    sbb %eax,%eax
    ret
END bt_rip
FN imul_rip,5
    imul $3,five(%rip),%rax
    add %rdi,%rax
    ret
END imul_rip
FN test_rip,5
    testl $1,five(%rip)
    setnz %al
    movzbl %al,%eax
    ret
END test_rip

/* ---- 6: branches and calls ---- */
FN call_first,6                 /* the callee must see the return address of the original */
    call helper
1:  lea 1b(%rip),%rcx
    sub %rcx,%rax
    add %rdi,%rax
    ret
END call_first
FN call_pop,6                   /* how position-independent code finds itself */
    call 1f
1:  pop %rax
    lea 1b(%rip),%rcx
    sub %rcx,%rax
    ret
END call_pop
FN call_mem,6
    call *to_helper(%rip)
1:  lea 1b(%rip),%rcx
    sub %rcx,%rax
    ret
END call_mem
FN call_reg,6                   /* ends before the jump does */
    call *%rsi
1:  lea 1b(%rip),%rcx
    sub %rcx,%rax
    ret
END call_reg
FN jmp_rel32,6
    .byte 0xe9
    .long times3 - . - 4
END jmp_rel32
FN jmp_mem,6
    jmp *to_times3(%rip)
END jmp_mem
FN jmp_rel8,6
    jmp 1f
    .byte 0x0f,0x0b,0x0f,0x0b
1:  lea 8(%rdi),%rax
    ret
END jmp_rel8
FN jrcxz_first,6
    mov %rdi,%rcx
    jrcxz 1f
    lea 1(%rdi),%rax
    ret
1:  mov $77,%eax
    ret
END jrcxz_first
FN jecxz_first,6
    mov %edi,%ecx
    jecxz 1f
    mov $1,%eax
    ret
1:  mov $78,%eax
    ret
END jecxz_first
    .macro LOOPFN op
FN \op\()_first,6
    mov %edi,%ecx
    test %ecx,%ecx
    \op 1f
    mov %rcx,%rax
    ret
1:  lea 100(%rcx),%rax
    ret
END \op\()_first
    .endm
    LOOPFN loop
    LOOPFN loope
    LOOPFN loopne
    .macro JCC cc
FN j\cc\()_first,6
    cmp $5,%dil
    j\cc 1f
    mov $1,%eax
    ret
1:  mov $2,%eax
    ret
END j\cc\()_first
    .endm
    .irp cc,o,no,b,ae,e,ne,be,a,s,ns,p,np,l,ge,le,g
    JCC \cc
    .endr
FN je_far,6
    cmp $5,%edi
    je far_body
    mov $1,%eax
    ret
END je_far
FN jump_inside,6                /* a branch of the prologue that stays in it */
    test %edi,%edi
    js 1f
    nop
1:  lea 3(%rdi),%rax
    ret
END jump_inside

/* ---- 7: endbr64 stays ---- */
FN endbr_first,7
    endbr64
    lea 11(%rdi),%rax
    nop
    ret
END endbr_first
FN endbr_short,7                /* only padding behind */
    endbr64
    mov %edi,%eax
    ret
END endbr_short

/* ---- 1 and 3: jumps into the bytes behind the first ---- */
FN back_1,1
    cld
1:  xor %eax,%eax
    add %rdi,%rax
    dec %rdi
    jg 1b
    ret
END back_1
FN back_2,1
    xor %eax,%eax
1:  add %rdi,%rax
    dec %rdi
    jg 1b
    ret
END back_2
FN back_3,1
    mov %rdi,%rax
1:  inc %rax
    dec %rdi
    jg 1b
    ret
END back_3
FN back_4,1
    lea 1(%rdi),%rax
1:  dec %rax
    dec %rdi
    jg 1b
    ret
END back_4
FN tabled,1                     /* by a jump table: no branch says so */
    xor %eax,%eax
1:  add %rdi,%rax
    dec %rdi
    jle 3f
    lea 2f(%rip),%rdx
    movslq 4(%rdx),%rcx
    add %rdx,%rcx
    jmp *%rcx
    .pushsection .rodata
    .balign 4
2:  .long 3f - 2b, 1b - 2b
    .popsection
3:  ret
END tabled
FN entered,3
    nop
    nop
    nop
    lea 4(%rdi),%rax
    ret
END entered
FN enters,3
    lea 1(%rdi),%rdi
    nop
    jmp entered + 3
END enters

/* ---- 4: shorter than a jump, the neighbour adjacent ---- */
    .macro TIGHT name,n
    ROW \name,\n
    .globl \name
    .type \name,@function
\name:
    .endm
    .balign 32,0xcc
    TIGHT tight_1,4
    ret
    .size tight_1,.-tight_1
    TIGHT next_1,40
    lea 21(%rdi),%rax
    nop
    ret
    .size next_1,.-next_1
    TIGHT tight_2,4
    repz ret
    .size tight_2,.-tight_2
    TIGHT next_2,40
    lea 22(%rdi),%rax
    nop
    ret
    .size next_2,.-next_2
    TIGHT tight_3,4
    mov $7,%al
    ret
    .size tight_3,.-tight_3
    TIGHT next_3,40
    lea 23(%rdi),%rax
    nop
    ret
    .size next_3,.-next_3
    TIGHT tight_4,4
    mov %rdi,%rax
    ret
    .size tight_4,.-tight_4
    TIGHT next_4,40
    lea 24(%rdi),%rax
    nop
    ret
    .size next_4,.-next_4
FN short_padded,40              /* room to spill into */
    mov %edi,%eax
    ret
END short_padded

/* The first of these has room for one island within reach, in the padding behind the second. */
    .macro FILLER name
FN \name,40
    .rept 70
    mov %rdi,%rax
    .endr
    ret
END \name
    .endm
FILLER before_island
    TIGHT needs_island,40
    mov %edi,%eax
    test %edi,%edi
1:  jns 2f
    xor %edi,%edi
    jmp 1b
2:  ret
    .size needs_island,.-needs_island
    TIGHT has_room,40
    push %rbx
    mov %edi,%ebx
    lea 1(%rbx,%rbx),%eax
    pop %rbx
    ret
    .size has_room,.-has_room
    .nops 16
FILLER behind_island
/* There is no padding near: the second makes room for the first. */
FILLER before_guest
    TIGHT guest,4
    mov %edi,%eax
    ret
    .size guest,.-guest
    TIGHT makes_room,40
    mov %rdi,%rax
    lea 1(%rax),%rcx
    lea 2(%rax),%rdx
    lea 3(%rax),%rsi
    add %rcx,%rax
    add %rdx,%rax
    add %rsi,%rax
    ret
    .size makes_room,.-makes_room
    TIGHT behind_guest,40
    .rept 50
    mov %rdi,%rax
    .endr
    ret
    .size behind_guest,.-behind_guest

/* ---- 17: prefixes and system calls ---- */
FN lock_first,17
    lock addq $1,var(%rip)
    movq $0,var(%rip)
    ret
END lock_first
FN rep_first,17
    rep stosb
    xor %eax,%eax
    ret
END rep_first
FN repe_cmps,17
    repe cmpsb
    sete %al
    movzbl %al,%eax
    ret
END repe_cmps
FN syscall_first,17
    syscall
    nop
    nop
    nop
    ret
END syscall_first
FN xbegin_first,17,0            /* called only where the processor has it */
    xbegin 1f
    xend
1:  mov $5,%eax
    ret
END xbegin_first
FN cpuid_first,17
    push %rbx
    xor %eax,%eax
    cpuid
    pop %rbx
    ret
END cpuid_first
FN pushf_first,17
    pushf
    pop %rax
    and $0x8d5,%eax
    nop
    ret
END pushf_first
FN fs_first,17
    mov %fs:0,%rax
    sub %fs:0,%rax
    ret
END fs_first

    .balign 32,0xcc
far_body:
    mov $66,%eax
    ret
    .pushsection .data.rel.ro,"aw"
    .globl rows_end
rows_end:
    .popsection

/* long tp_call(long (*f)(long), long x, long rsi): calls f with the registers that some functions
 * above need: rcx = 0 for `rep`, rax = 39 (getpid) for `syscall`, known flags. */
    .globl tp_call
    .type tp_call,@function
    .balign 32,0xcc
tp_call:
    .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx,0
    mov %rdi,%rbx
    mov %rsi,%rdi
    lea five(%rip),%rsi
    mov $39,%eax
    xor %ecx,%ecx
    cmp $1,%dl
    je 1f
    lea helper(%rip),%rsi
1:  pxor %xmm0,%xmm0
    cmp $3,%edi
    call *%rbx
    pop %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size tp_call,.-tp_call
    .section .note.GNU-stack,"",@progbits

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame_cases.S - functions for check_frame.c: yes_* may be called through, no_* must
 * not. They are looked at, never run. */
    .text
    .macro F name
    .globl \name
    .type \name,@function
\name:
    .endm
    .macro E name
    .size \name,.-\name
    .endm
F yes_leaf; lea 1(%rdi),%eax; ret; E yes_leaf
F yes_repret; xor %eax,%eax; rep ret; E yes_repret
F yes_endbr; endbr64; push %rbx; mov %rdi,%rbx; call outside; add %rbx,%rax; pop %rbx; ret; E yes_endbr
F yes_framed; push %rbp; mov %rsp,%rbp; sub $32,%rsp; mov %edi,-20(%rbp); leave; ret; E yes_framed
F yes_redzone; mov %rdi,-8(%rsp); mov -8(%rsp),%rax; ret; E yes_redzone
F yes_local_address; sub $24,%rsp; lea 8(%rsp),%rdi; call outside; mov 8(%rsp),%rax; add $24,%rsp; ret; E yes_local_address
F yes_join; push %rbx; test %edi,%edi; je 1f; sub $16,%rsp; mov %rdi,(%rsp); add $16,%rsp; 1: pop %rbx; ret; E yes_join
F yes_realigned; push %rbp; mov %rsp,%rbp; and $-32,%rsp; sub $64,%rsp; vmovdqa %ymm0,(%rsp); leave; ret; E yes_realigned
F yes_alloca; push %rbp; mov %rsp,%rbp; sub %rdi,%rsp; mov $7,%eax; leave; ret; E yes_alloca
F yes_noreturn; push %rax; call outside; E yes_noreturn
F yes_loop; mov $5,%ecx; 1: add (%rdi),%rax; loop 1b; ret; E yes_loop
F yes_outgoing; sub $24,%rsp; push $1; push %rdi; call outside; add $40,%rsp; ret; E yes_outgoing
F yes_recursion; push %rbx; call yes_recursion; pop %rbx; ret; E yes_recursion
F yes_byte_registers; mov %dl,%ah; add %cl,%ch; sete %dh; ret; E yes_byte_registers
F yes_padded; test %edi,%edi; jmp 1f; nop; nopw 0(%rax,%rax); int3; 1: ret; E yes_padded
F yes_part; xor %eax,%eax; mov %di,%ax; mov %dl,%ah; mov 16(%rax),%rax; ret; E yes_part
F yes_counted; inc %rdi; decl (%rdi); incb -1(%rsp); mov (%rdi),%rax; ret; E yes_counted
F yes_half; push %r8; mov %rsp,%rax; mov %edi,%eax; mov 16(%rax),%rax; pop %r8; ret; E yes_half
F yes_bmi; blsr %rbx,%rdx; mulx %rcx,%rbx,%rsi; andn %rax,%rcx,%rdx; ret; E yes_bmi
F yes_vector_numbers; movaps %xmm4,%xmm5; vaddpd %ymm4,%ymm4,%ymm12; movaps %xmm12,%xmm4; ret; E yes_vector_numbers
F yes_vector_map2; vpshufb %xmm4,%xmm4,%xmm4; vpabsb %ymm4,%ymm4; vpmovsxbw %xmm4,%xmm4; vpermd %ymm4,%ymm4,%ymm4; ret; E yes_vector_map2
F yes_vector_map2_more; vbroadcastss %xmm4,%ymm4; vfmadd132ps %ymm4,%ymm4,%ymm4; vpsllvd %xmm4,%xmm4,%xmm4; vaesenc %xmm4,%xmm4,%xmm4; ret; E yes_vector_map2_more
F yes_vector_map3; vpermq $1,%ymm4,%ymm4; vpalignr $1,%ymm4,%ymm4,%ymm4; vinserti128 $1,%xmm4,%ymm4,%ymm4; ret; E yes_vector_map3

/* Functions that use their return address, in every order: a setjmp of one's own, for example. */
F no_exit_save_lea_first; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); mov (%rsp),%rdx; mov %rdx,(%rdi); xor %eax,%eax; ret; E no_exit_save_lea_first
F no_exit_save_read_first; mov (%rsp),%rdx; mov %rdx,(%rdi); lea 8(%rsp),%rdx; mov %rdx,8(%rdi); xor %eax,%eax; ret; E no_exit_save_read_first
F no_exit_save_popped; pop %rdx; mov %rsp,8(%rdi); push %rdx; mov %rdx,(%rdi); xor %eax,%eax; ret; E no_exit_save_popped
F no_exit_save_copy; mov %rsp,%rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); mov %rdx,8(%rdi); ret; E no_exit_save_copy
F no_exit_save_push_sp; push %rsp; pop %rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_push_sp
F no_exit_save_push_copy; mov %rsp,%rax; push %rax; pop %rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_push_copy
F no_exit_save_xchg; xchg %rsp,%rdx; mov (%rdx),%rcx; xchg %rsp,%rdx; mov %rcx,(%rdi); ret; E no_exit_save_xchg
F no_exit_save_xchg_word; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); xchg %rax,(%rsp); mov %rax,(%rdi); xchg %rax,(%rsp); ret; E no_exit_save_xchg_word
F no_exit_save_sum; xor %edx,%edx; add %rsp,%rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_sum
F no_exit_save_indexed; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); xor %ecx,%ecx; lea (%rsp,%rcx),%rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_indexed
F no_exit_save_enter; enter $16,$0; lea 16(%rbp),%rdx; mov %rdx,8(%rdi); mov 8(%rbp),%rcx; mov %rcx,(%rdi); leave; ret; E no_exit_save_enter
F no_exit_save_rbp; push %rbp; mov %rsp,%rbp; lea 16(%rbp),%rdx; mov %rdx,8(%rdi); mov 8(%rbp),%rcx; mov %rcx,(%rdi); pop %rbp; ret; E no_exit_save_rbp
F no_exit_save_rbp_copy; push %rbp; mov %rsp,%rbp; mov %rbp,%rsi; mov 16(%rbp),%rdx; mov 8(%rsi),%rcx; mov %rcx,(%rdi); pop %rbp; ret; E no_exit_save_rbp_copy
F no_exit_save_below; lea 8(%rsp),%rdx; mov -8(%rdx),%rcx; mov %rcx,(%rdi); mov %rdx,8(%rdi); ret; E no_exit_save_below
F no_exit_save_deep; push %rbx; lea 16(%rsp),%rdx; mov %rdx,8(%rdi); mov 8(%rsp),%rcx; mov %rcx,(%rdi); pop %rbx; ret; E no_exit_save_deep
F no_exit_save_string; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); mov %rsp,%rsi; lodsq; mov %rax,(%rdi); ret; E no_exit_save_string
F no_exit_save_moved; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); mov %rsp,%rsi; movsq; ret; E no_exit_save_moved
F no_exit_save_vector; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); movups -8(%rsp),%xmm0; movups %xmm0,(%rdi); ret; E no_exit_save_vector
F no_exit_save_movq; movq %rsp,%xmm0; movq %xmm0,%rdx; mov (%rdx),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_movq
F no_exit_save_push_word; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); push (%rsp); pop (%rdi); ret; E no_exit_save_push_word
F no_exit_save_syscall; mov $39,%eax; syscall; mov (%rsp),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_syscall
F no_exit_save_jumps_on; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); mov (%rsp),%rcx; mov %rcx,(%rdi); jmp outside; E no_exit_save_jumps_on
F no_exit_save_one_way; lea 8(%rsp),%rdx; test %edi,%edi; je 1f; ret; 1: mov (%rsp),%rcx; mov %rcx,(%rsi); ret; E no_exit_save_one_way
F no_exit_save_behind_switch; push %rbp; mov %rsp,%rbp; push %rbx; jmp *%rax; 1: mov 8(%rbp),%rcx; mov %rcx,(%rdi); pop %rbx; pop %rbp; ret; E no_exit_save_behind_switch
F no_exit_save_alloca; push %rbp; mov %rsp,%rbp; sub %rsi,%rsp; mov 8(%rbp),%rcx; mov %rcx,(%rdi); leave; ret; E no_exit_save_alloca
F no_exit_save_called; lea 8(%rsp),%rdx; mov %rdx,8(%rdi); call 1f; 1: pop %rax; mov (%rsp),%rcx; mov %rcx,(%rdi); ret; E no_exit_save_called
F no_exit_hands_stack; mov %rsp,(%rdi); xor %eax,%eax; ret; E no_exit_hands_stack
F no_exit_hands_copy; mov %rsp,%rax; mov %rax,(%rdi); xor %eax,%eax; ret; E no_exit_hands_copy
F no_exit_hands_call; mov %rsp,%rdi; sub $8,%rsp; call outside; add $8,%rsp; ret; E no_exit_hands_call
F no_exit_hands_jump; mov %rsp,%rsi; jmp outside; E no_exit_hands_jump
/* A slot does them no harm: what they address is theirs, or an argument on the stack. */
F no_slot_end; sub $24,%rsp; mov %rsp,%rdi; lea 24(%rsp),%rsi; mov 40(%rsp),%rax; call outside; add $24,%rsp; ret; E no_slot_end
F no_slot_keeps_stack; push %rbx; push %rbp; mov %rsp,(%rdi); mov (%rsi),%rsp; pop %rbp; pop %rbx; ret; E no_slot_keeps_stack
F no_slot_leaf_end; mov 8(%rsp),%r8; lea -24(%rsp),%rax; mov %rsp,%rdx; 1: mov (%rax),%rcx; add $8,%rax; cmp %rdx,%rax; jne 1b; ret; E no_slot_leaf_end
F no_slot_arguments; lea 8(%rsp),%rax; mov %rax,-16(%rsp); mov %rax,(%rdi); mov 8(%rax),%rax; ret; E no_slot_arguments
F no_slot_realigned; lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10); push %rbp; mov %rsp,%rbp; push %r10; sub $40,%rsp; mov 8(%r10),%rax; mov -8(%rbp),%r10; leave; lea -8(%r10),%rsp; ret; E no_slot_realigned
F no_slot_saved_stack; push %rbp; mov %rsp,%rbp; sub $16,%rsp; mov %rsp,-8(%rbp); sub %rdi,%rsp; mov %rsp,%rdi; call outside; mov -8(%rbp),%rsp; mov 24(%rbp),%rax; leave; ret; E no_slot_saved_stack
F no_slot_next; mov 8(%rsp),%rax; call 1f; 1: pop %rdx; ret; E no_slot_next
F no_slot_switch; push %rbx; sub $16,%rsp; jmp *%rax; 1: mov 24(%rsp),%rcx; mov 16(%rsp),%rcx; add $16,%rsp; pop %rbx; ret; E no_slot_switch
F yes_barrier; lock; orq $0,(%rsp); ret; E yes_barrier

F no_pivot_andn; andn %rax,%rcx,%rsp; ret; E no_pivot_andn
F no_pivot_blsr; blsr %rax,%rsp; ret; E no_pivot_blsr
F no_pivot_bzhi; bzhi %rax,%rcx,%rsp; ret; E no_pivot_bzhi
F no_pivot_mulx_high; mulx %rax,%rcx,%rsp; ret; E no_pivot_mulx_high
F no_pivot_mulx_low; mulx %rax,%rsp,%rcx; ret; E no_pivot_mulx_low
F no_pivot_bextr; bextr %rax,%rcx,%rsp; ret; E no_pivot_bextr
F no_pivot_rorx; rorx $1,%rax,%rsp; ret; E no_pivot_rorx
F no_pivot_kmov; kmovw %k1,%esp; ret; E no_pivot_kmov
F no_argument; mov 8(%rsp),%rax; ret; E no_argument
F no_argument_deep; push %rbx; sub $16,%rsp; mov 0x20(%rsp),%rax; add $16,%rsp; pop %rbx; ret; E no_argument_deep
F no_argument_rbp; push %rbp; mov %rsp,%rbp; mov 16(%rbp),%rax; pop %rbp; ret; E no_argument_rbp
F no_argument_copy; mov %rsp,%r11; mov 8(%r11),%rax; ret; E no_argument_copy
F no_argument_added; mov %rsp,%r11; add $16,%r11; mov (%r11),%rax; ret; E no_argument_added
F no_argument_pushed; push 8(%rsp); pop %rax; ret; E no_argument_pushed
F no_argument_vector; movups 8(%rsp),%xmm0; ret; E no_argument_vector
F no_argument_evex; vmovdqu64 64(%rsp),%zmm0; ret; E no_argument_evex
F no_argument_one_way; test %edi,%edi; jne 1f; ret; 1: mov 8(%rsp),%rax; ret; E no_argument_one_way
F no_argument_after_call; mov %rsp,%rbx; call outside; mov 8(%rbx),%rax; ret; E no_argument_after_call
F no_argument_joined; lea -16(%rsp),%rax; test %edi,%edi; je 1f; mov %rsi,%rax; 1: mov 24(%rax),%rax; ret; E no_argument_joined
F no_argument_cmov; lea -16(%rsp),%rax; test %edi,%edi; cmovne %rsi,%rax; mov 24(%rax),%rax; ret; E no_argument_cmov
F no_argument_xchg; mov %rsp,%rdx; xchg %rdx,%rcx; mov 8(%rcx),%rax; ret; E no_argument_xchg
F no_argument_sum; mov $8,%eax; add %rsp,%rax; mov (%rax),%rax; ret; E no_argument_sum
F no_argument_string; mov %rsp,%rsi; movsq; ret; E no_argument_string
F no_argument_ipa; mov %rsp,%rcx; call outside; mov 8(%rcx),%rax; ret; E no_argument_ipa
F no_argument_blsi; push %r8; mov %rsp,%rbx; blsi %rax,%rdx; mov 16(%rbx),%rax; pop %r8; ret; E no_argument_blsi
F no_argument_andn; push %r8; mov %rsp,%rbx; andn %rax,%rbx,%rdx; mov 16(%rbx),%rax; pop %r8; ret; E no_argument_andn
F no_argument_shlx; push %r8; mov %rsp,%rbx; shlx %rbx,%rax,%rdx; mov 16(%rbx),%rax; pop %r8; ret; E no_argument_shlx
F no_argument_xend; push %r8; mov %rsp,%rax; xend; mov 16(%rax),%rax; pop %r8; ret; E no_argument_xend
F no_argument_cmpxchg16b; push %r8; mov %rsp,%rdx; cmpxchg16b (%rdi); mov 16(%rdx),%rax; pop %r8; ret; E no_argument_cmpxchg16b
F no_argument_cmpxchg; push %r8; mov %rsp,%rdx; cmpxchg %rcx,%rdx; mov 16(%rax),%rax; pop %r8; ret; E no_argument_cmpxchg
F no_argument_fucomip; push %r8; mov %rsp,%rax; fucomip; mov 16(%rax),%rax; pop %r8; ret; E no_argument_fucomip
F no_argument_mulb; push %r8; mov %rsp,%rdx; mulb %cl; mov 16(%rdx),%rax; pop %r8; ret; E no_argument_mulb
F no_argument_cbw; push %r8; mov %rsp,%rax; cbtw; mov 16(%rax),%rax; pop %r8; ret; E no_argument_cbw
F no_argument_al; push %r8; mov %rsp,%rax; movabs 0x1122334455667788,%al; mov 16(%rax),%rax; pop %r8; ret; E no_argument_al
F no_argument_word; push %r8; mov %rsp,%rax; mov %di,%ax; mov 16(%rax),%rax; pop %r8; ret; E no_argument_word
F no_argument_byte; push %r8; mov %rsp,%rax; mov %dil,%al; mov 16(%rax),%rax; pop %r8; ret; E no_argument_byte
F no_argument_high; push %r8; mov %rsp,%rax; mov %dl,%ah; mov 16(%rax),%rax; pop %r8; ret; E no_argument_high
F no_argument_inc; push %r8; lea -1(%rsp),%rax; inc %rax; mov (%rax),%rax; pop %r8; ret; E no_argument_inc
F no_argument_dec; push %r8; lea -1(%rsp),%rax; dec %rax; mov (%rax),%rax; pop %r8; ret; E no_argument_dec
F no_argument_counted; incq 8(%rsp); ret; E no_argument_counted
F no_return_address_counted; decq (%rsp); ret; E no_return_address_counted
F no_far_call; lcall *(%rdi); ret; E no_far_call
F no_far_jump; test %edi,%edi; je 1f; ljmp *(%rdi); 1: ret; E no_far_jump
F no_exit_takes; mov 8(%rsp),%rax; ret $8; E no_exit_takes
F no_exit_takes_rep; mov 8(%rsp),%rax; mov $0x8c2,%ecx; test %edi,%edi; je 1f; ret; 1: rep ret $24; E no_exit_takes_rep
F no_exit_looks; mov (%rsp),%rax; ret; E no_exit_looks
F no_exit_pops; pop %rcx; mov (%rcx),%eax; jmp *%rcx; E no_exit_pops
F no_constant_like_it; mov 8(%rsp),%rax; mov $0x8c2,%ecx; ret; E no_constant_like_it
F no_way; push %rbx; call outside; pop %rbx; ret; mov 16(%rsp),%rax; pop %rbx; ret; E no_way
F no_return_address; mov (%rsp),%rax; ret; E no_return_address
F no_return_address_written; mov %rdi,(%rsp); ret; E no_return_address_written
F no_return_address_popped; pop %rcx; jmp *%rcx; E no_return_address_popped
F no_address_above; lea 8(%rsp),%rax; ret; E no_address_above
F no_own_address; mov %rsp,(%rdi); ret; E no_own_address
F no_own_address_pushed; push %rsp; pop %rax; ret; E no_own_address_pushed
F no_drap; lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10); ret; E no_drap
F no_indexed_compared; push %r8; mov %rsp,%rax; cmpxchg %rcx,(%rdi); mov (%rax),%rax; pop %r8; ret; E no_indexed_compared
F no_indexed_compared_byte; push %r8; mov %rsp,%rax; cmpxchg %cl,%dl; mov (%rax),%rax; pop %r8; ret; E no_indexed_compared_byte
F yes_compared; push %r8; xor %eax,%eax; cmpxchg %rcx,(%rdi); mov (%rax),%rax; pop %r8; ret; E yes_compared
F no_indexed_widened; push %r8; mov %rsp,%rax; cbtw; mov (%rax),%rax; pop %r8; ret; E no_indexed_widened
F no_indexed_halved; push %r8; mov %rsp,%rdx; cwtd; mov (%rdx),%rax; pop %r8; ret; E no_indexed_halved
F no_indexed_status; push %r8; mov %rsp,%rax; fnstsw %ax; mov (%rax),%rax; pop %r8; ret; E no_indexed_status
F no_indexed_product; push %r8; mov %rsp,%rax; mul %cl; mov (%rax),%rax; pop %r8; ret; E no_indexed_product
F no_indexed_clock; push %r8; mov %rsp,%rax; rdtscp; mov (%rax),%rax; pop %r8; ret; E no_indexed_clock
F no_indexed_clock_node; push %r8; mov %rsp,%rcx; rdtscp; mov (%rcx),%rax; pop %r8; ret; E no_indexed_clock_node
F no_indexed_compared_twice; push %r8; mov %rsp,%rax; cmpxchg8b (%rdi); mov (%rax),%rax; pop %r8; ret; E no_indexed_compared_twice
F no_indexed; mov -24(%rsp,%rdi,8),%rax; ret; E no_indexed
F no_alloca_relative; push %rbp; mov %rsp,%rbp; sub %rdi,%rsp; mov 16(%rsp),%rax; leave; ret; E no_alloca_relative
F no_realigned_return; and $-16,%rsp; ret; E no_realigned_return
F no_tail; jmp outside; E no_tail
F no_tail_conditional; test %edi,%edi; jne outside; ret; E no_tail_conditional
F no_indirect; jmp *%rdi; E no_indirect
F no_itself; push %rbx; pop %rbx; test %edi,%edi; jne no_itself; ret; E no_itself
F no_depth; test %edi,%edi; je 1f; push %rbx; 1: ret; E no_depth
F no_depth_loop; 1: push %rbx; dec %edi; jne 1b; ret; E no_depth_loop
F no_ret_n; ret $8; E no_ret_n
F no_end; mov %edi,%eax; E no_end
F no_syscall; mov $39,%eax; syscall; ret; E no_syscall
F no_pivot; mov %rdi,%rsp; ret; E no_pivot
F no_pivot_popped; pop %rsp; ret; E no_pivot_popped
F no_here; call 1f; 1: pop %rax; ret; E no_here
F no_far; lretl; E no_far
F no_code; mov %edi,%eax; .byte 0x06; ret; E no_code
    .section .note.GNU-stack,"",@progbits

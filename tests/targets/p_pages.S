/* SPDX-License-Identifier: MIT */
/* p_pages.S - 1,000 functions whose first bytes lie on two pages, in eight layouts: padding,
 * a function that makes room, or neither near by; at other places before the page's end;
 * behind a landing instruction; ending in the page's first bytes. cross_N adds a number that
 * the table names; seen as a displacement, from its second byte on, it leads to free memory. */
    .text

    .macro adder n
    .globl cross_\n
    .type cross_\n, @function
    .endm

    .macro entry n offset
    .fill (\offset - (. - text)) & 4095, 1, 0xcc
    adder \n
cross_\n:
    .endm

    /* Code up to `before` bytes before the page's last two. It bears no island, for it has an indirect
 * jump. */
    .macro filled n before
    .type fill_\n, @function
fill_\n:
    .fill (4092 - \before - (. - text)) & 4095, 1, 0x90
    jmp *%rax
    .size fill_\n, . - fill_\n
    .endm

    .macro body n
    lea (0xd00000 + \n)(%rdi), %eax
    ret
    .size cross_\n, . - cross_\n
    .pushsection .data.rel.ro, "aw"
    .quad cross_\n, 0xd00000 + \n
    .popsection
    .endm

    .macro cross n
    .if \n % 8 == 0
    entry \n, 4094
    body \n
    .elseif \n % 8 == 1
    filled \n, 21
    .type host_\n, @function
host_\n:
    mov $1, %eax
    mov $2, %eax
    mov $3, %eax
    mov $4, %eax
    ret
    .size host_\n, . - host_\n
    adder \n
cross_\n:
    body \n
    .elseif \n % 8 == 2
    filled \n, 0
    adder \n
cross_\n:
    body \n
    filled last_\n, 0
    .elseif \n % 8 == 3
    entry \n, 4095
    body \n
    .elseif \n % 8 == 4
    entry \n, 4093
    body \n
    .elseif \n % 8 == 5
    entry \n, 4092
    body \n
    .elseif \n % 8 == 6
    entry \n, 4090
    endbr64
    body \n
    .else
    entry \n, 4094
    mov %edi, %eax
    ret
    .size cross_\n, . - cross_\n
    .pushsection .data.rel.ro, "aw"
    .quad cross_\n, 0
    .popsection
    .endif
    .endm

    .pushsection .data.rel.ro, "aw"
    .globl crossing
crossing:
    .popsection

    .p2align 12
text:
    .altmacro
    .set i, 0
    .rept 1000
    cross %i
    .set i, i + 1
    .endr
    .p2align 12, 0xcc
    .section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker.c - what Go and OCaml do that compilers of C do not: return addresses are looked
 * up in a table of the program's own, and a "goroutine" returns to the second byte of a
 * function. Dies when an address is not in the table. */
#include "tests/targets/target.h"

#include <stdint.h>
#include <stdlib.h>

int caml_frametable = 1; /* eztsh recognises such a file by this name */
extern const char text_start[] __asm__("__executable_start"), text_end[] __asm__("etext");
static unsigned long calls, looks;

NI static void collect(void)
{
    uintptr_t from = (uintptr_t)__builtin_return_address(0);
    looks++;
    if (from < (uintptr_t)text_start || from >= (uintptr_t)text_end)
        abort();
}

NI int compute(int x)
{
    calls++;
    OPAQUE;
    collect();
    OPAQUE;
    return x * 3 + 1;
}

NI void after(void)
{
    printf("after\n");
    claim("count", "compute", calls);
    claim("count", "collect", looks);
    exit(5);
}

__asm__(".text; .globl \"runtime.goexit\"; .type \"runtime.goexit\", @function; .p2align 4\n"
        "\"runtime.goexit\": nop; call after; nop; ud2; .size \"runtime.goexit\", . - "
        "\"runtime.goexit\"\n"
        ".globl begin; .type begin, @function; .p2align 4\n"
        "begin: lea \"runtime.goexit\"+1(%rip), %rax; and $-16, %rsp; push %rax; jmp routine\n"
        ".size begin, . - begin\n");
void begin(void) __attribute__((noreturn));

/* Entered as if runtime.goexit had called it. */
void routine(void)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += compute(i);
    printf("%d\n", sum);
}

int main(void)
{
    bounded();
    begin();
}

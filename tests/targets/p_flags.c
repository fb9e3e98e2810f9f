/* SPDX-License-Identifier: MIT */
/* p_flags.c - p_flags STOP: pushes its flags and pops them, again and again, until the file STOP
 * exists. If it pops the trap flag, the program ends. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    while (access(argv[argc - 1], F_OK))
        for (int i = 0; i < 1000000; i++)
            __asm__ volatile("lea -128(%%rsp),%%rsp; pushfq; nop; nop; nop; popfq;"
                             "pushfw; nop; nop; nop; popfw; lea 128(%%rsp),%%rsp" ::
                                 : "cc", "memory");
    puts("right");
    return 0;
}

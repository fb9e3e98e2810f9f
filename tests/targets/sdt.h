/* SPDX-License-Identifier: MIT */
/* sdt.h - places with notes of USDT probes, as systemtap's sys/sdt.h makes them (version 3). */
#ifndef SDT_H
#define SDT_H

/* The code of a place. semaphore: an assembler expression, 0 for none; arguments: operands in the
 * assembler's syntax, as a string. */
#define SDT(provider, name, semaphore, arguments)                                                  \
    SDT_AT("990b", provider, name, semaphore, arguments)
/* The same, with a note whose address is `at`. */
#define SDT_AT(at, provider, name, semaphore, arguments)                                           \
    "990: nop\n"                                                                                   \
    "    .pushsection .note.stapsdt,\"?\",\"note\"\n"                                              \
    "    .balign 4\n"                                                                              \
    "    .4byte 992f-991f, 994f-993f, 3\n"                                                         \
    "991: .asciz \"stapsdt\"\n"                                                                    \
    "992: .balign 4\n"                                                                             \
    "993: .8byte " at ", _.stapsdt.base, " semaphore "\n"                                          \
    "    .asciz \"" provider "\"\n"                                                                \
    "    .asciz \"" name "\"\n"                                                                    \
    "    .asciz \"" arguments "\"\n"                                                               \
    "994: .balign 4\n"                                                                             \
    "    .popsection\n"                                                                            \
    "    .ifndef _.stapsdt.base\n"                                                                 \
    "    .pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                    \
    "    .weak _.stapsdt.base\n"                                                                   \
    "    .hidden _.stapsdt.base\n"                                                                 \
    "_.stapsdt.base: .space 1\n"                                                                   \
    "    .size _.stapsdt.base, 1\n"                                                                \
    "    .popsection\n"                                                                            \
    "    .endif\n"

/* A counter, in the section in which systemtap puts it. */
#define SDT_SEMAPHORE(name)                                                                        \
    __attribute__((visibility("hidden"), section(".probes"))) volatile unsigned short name

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - finds where the code of a whole text may lead. Reads an instruction at every byte
 * offset, so nothing is missed. */
#ifndef EZ_ARCH_SCAN_H
#define EZ_ARCH_SCAN_H

#include "engine/base/base.h"

struct ez_arch_scan {
    /* Calls hit for each direct branch in text[0..n) (at va) whose target is wanted, in ascending
     * order of the branches' opcodes. Every byte offset counts as a branch, so hits include bytes
     * that are no branch. */
    void (*branches)(const uint8_t *text, size_t n, uint64_t va,
                     bool (*wants)(uint64_t target, void *arg),
                     void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Like branches(), but only finds branches whose encoding may lead further than near_reach bytes
     * in either direction. Such branches are few. */
    void (*far_branches)(const uint8_t *text, size_t n, uint64_t va,
                         bool (*wants)(uint64_t target, void *arg),
                         void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    unsigned near_reach; /* maximum distance of a short branch's target from the start and from the
                          * end of the branch */
    /* Like branches(), for addresses that instructions form without branching there. source: the
     * address of the opcode, or of the first byte of an absolute address. Absolute addresses are
     * found only in text[0..n). */
    void (*addresses)(const uint8_t *text, size_t n, uint64_t va,
                      bool (*wants)(uint64_t target, void *arg),
                      void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Calls hit for each address that instructions in code[0..n) (at va) may use as data, such as a
     * jump table's, until hit returns true. Every byte counts as the start of an instruction, so
     * hits include addresses that no instruction uses. */
    bool (*data)(const uint8_t *code, size_t n, uint64_t va, bool (*hit)(uint64_t data, void *arg),
                 void *arg);
    /* Returns true if code[0..n) may contain an indirect jump. Fast; true may be wrong. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
};

#endif

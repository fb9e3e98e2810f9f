/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - where the code of a whole text may lead, read at every byte offset. */
#ifndef EZ_ARCH_SCAN_H
#define EZ_ARCH_SCAN_H

#include "engine/base/base.h"

struct ez_arch_scan {
    /* Calls hit for each direct branch in text[0..n) (at va) whose target is wanted, in ascending
     * order of opcodes. Every byte offset counts as a branch, so there are more hits than real
     * branches. */
    void (*branches)(const uint8_t *text, size_t n, uint64_t va,
                     bool (*wants)(uint64_t target, void *arg),
                     void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Does the same only for branches that may lead further than near_reach bytes in either
     * direction: these are few. */
    void (*far_branches)(const uint8_t *text, size_t n, uint64_t va,
                         bool (*wants)(uint64_t target, void *arg),
                         void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    unsigned near_reach; /* from the beginning, and from the end, of a branch to its target */
    /* Does the same for addresses that instructions form without going there. source: the opcode,
     * or the first byte of an absolute address. Absolute addresses are found only in text[0..n). */
    void (*addresses)(const uint8_t *text, size_t n, uint64_t va,
                      bool (*wants)(uint64_t target, void *arg),
                      void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Calls hit for each address that instructions of code[0..n) at va may name as data, where a
     * jump table may begin, until hit returns true. Any byte counts as the beginning of an
     * instruction, so there are more addresses than real ones. */
    bool (*data)(const uint8_t *code, size_t n, uint64_t va, bool (*hit)(uint64_t data, void *arg),
                 void *arg);
    /* Returns true if code[0..n) may contain an indirect jump. Fast; true may be wrong. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
};

#endif

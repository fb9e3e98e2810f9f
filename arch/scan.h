/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - finds the addresses to which a whole text can branch or refer. Every byte is tried as
 * the start of an instruction, so no branch is missed. */
#ifndef EZ_ARCH_SCAN_H
#define EZ_ARCH_SCAN_H

#include "engine/base/base.h"

struct ez_arch_scan {
    /* Calls hit(source, target, arg) for each direct branch in text[0..n), whose address is va, if
     * wants(target, arg) returns true; in ascending order of the opcodes' addresses. Every byte is
     * tried as a branch, so hits include bytes that are no branch. */
    void (*branches)(const uint8_t *text, size_t n, uint64_t va,
                     bool (*wants)(uint64_t target, void *arg),
                     void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Like branches(), but only for encodings of branches that can lead further than near_reach
     * bytes in either direction. Few branches have such an encoding. */
    void (*far_branches)(const uint8_t *text, size_t n, uint64_t va,
                         bool (*wants)(uint64_t target, void *arg),
                         void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* maximum distance of the target of any other branch from the branch's start and end */
    unsigned near_reach;
    /* Like branches(), but for addresses that instructions compute or contain, instead of branch
     * targets. source: address of the opcode or, for an absolute address, of its first byte in the
     * instruction. An absolute address is found only if it is in text[0..n). */
    void (*addresses)(const uint8_t *text, size_t n, uint64_t va,
                      bool (*wants)(uint64_t target, void *arg),
                      void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Calls hit(data, arg) for each address, e.g. of a jump table, that instructions in code[0..n)
     * at va may use as data, until hit() returns true; returns true in this case, else false. Every
     * byte is tried as the start of an instruction, so hits include addresses that no instruction
     * uses. */
    bool (*data)(const uint8_t *code, size_t n, uint64_t va, bool (*hit)(uint64_t data, void *arg),
                 void *arg);
    /* Returns true if code[0..n) may contain an indirect jump, false if it certainly does not.
     * Fast. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x64.h - declarations that the files of arch/x86_64 share. */
#ifndef EZ_X64_H
#define EZ_X64_H

#include "arch/abi.h"
#include "arch/codegen.h"
#include "arch/decode.h"
#include "arch/frame.h"
#include "arch/regs.h"

/* The parts of an instruction. op, modrm and disp32 are offsets in bytes from its start; modrm and
 * disp32 are 0 if the instruction has no such part. */
struct x64_parts {
    uint8_t len; /* length in bytes */
    uint8_t op;  /* offset of the last opcode byte */
    uint8_t modrm;
    uint8_t disp32; /* offset of the displacement of a pc-relative operand */
    uint8_t map;    /* opcode map: 0 = one byte, 1 = 0f, 2 = 0f 38, 3 = 0f 3a */
    uint8_t rex;    /* the REX prefix's value, not its offset */
    bool vex;       /* VEX, EVEX or XOP encoded */
};

#define X64_JUMP_LEN 5       /* e9 rel32 */
#define X64_SHORT_JUMP_LEN 2 /* eb rel8 */
#define X64_FAR_JUMP_LEN 14  /* ff 25 0, and the address */

/* Splits the instruction at code[0]. Returns its length; 0 if the instruction is invalid or not in
 * the table (length.c). */
size_t x64_split(const uint8_t *code, size_t n, struct x64_parts *p);

/* The bytes of an instruction on which its decoding and its register operands depend (decode.c). */
struct x64_form {
    uint64_t lo, hi; /* bytes of the form, then zeros */
    uint64_t hash;   /* hash of these bytes; its highest bits are the best */
};
struct x64_form x64_form_of(const uint8_t *code, const struct x64_parts *p);

/* operand.c, for struct ez_arch_abi */
bool x64_operand(const char *text, size_t n, struct ez_operand *out);

/* abi.c, for struct ez_convention */
void x64_place_result(struct ez_abi_call *c, const struct ez_abi_value *v,
                      struct ez_abi_place *out);
void x64_place_argument(struct ez_abi_call *c, const struct ez_abi_value *v,
                        struct ez_abi_place *out);

bool x64_is_plain(const uint8_t *code, size_t n, uint64_t va);
/* Interface of leave.c: */
bool x64_grows_stack(const uint8_t *code, size_t n);
bool x64_reads_preserved(const uint8_t *code, size_t n);
size_t x64_length(const uint8_t *code, size_t n);
size_t x64_nop(const uint8_t *code, size_t n);
ez_err *x64_decode(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out) EZ_WUR;
ez_err *x64_print(const struct ez_print *p, char *buf, size_t bufsize, size_t *len) EZ_WUR;
ez_err *x64_relocate(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                     struct ez_reloc *out) EZ_WUR;
size_t x64_straight_tests(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                          uint8_t *to, size_t room);
size_t x64_straight_count(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                          int32_t more, uint8_t *to, size_t room);
size_t x64_straight_words(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room);
void x64_frame_begin(struct ez_frame *f);
const char *x64_frame_step(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                           struct ez_frame_step *out);
bool x64_pops_arguments(const uint8_t *code, size_t n);
unsigned x64_results(const uint8_t *code, size_t n, uint64_t va);
bool x64_may_jump_indirectly(const uint8_t *code, size_t n);
bool x64_plt_slot(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
uint64_t x64_first_argument(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
bool x64_scan_data(const uint8_t *code, size_t n, uint64_t va,
                   bool (*hit)(uint64_t data, void *arg), void *arg);
ez_err *x64_jump(uint64_t from, uint64_t to, uint8_t *buf) EZ_WUR;
ez_err *x64_short_jump(uint64_t from, uint64_t to, uint8_t *buf) EZ_WUR;
void x64_far_jump(uint64_t to, uint8_t *buf);
void x64_pun_range(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                   uint64_t *hi);
void x64_pun_jump(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
void x64_scan_branches(const uint8_t *text, size_t n, uint64_t va,
                       bool (*wanted)(uint64_t target, void *arg),
                       void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
void x64_scan_far(const uint8_t *text, size_t n, uint64_t va,
                  bool (*wanted)(uint64_t target, void *arg),
                  void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
#define X64_NEAR 130 /* maximum distance of a branch with an 8-bit displacement and its target */
void x64_scan_addresses(const uint8_t *text, size_t n, uint64_t va,
                        bool (*wanted)(uint64_t target, void *arg),
                        void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);

extern const struct ez_reg_desc x64_regs[];
extern const size_t x64_nregs;

#endif

/* SPDX-License-Identifier: MIT */
/* data_abi.h - programs that the runtime runs at a hit: conditions, and what is recorded.
 *
 * A *clause* is what one probe asks of a hit beyond counting it: IF a condition holds, record an
 * event with these words. A site's trampoline carries its clauses behind the relocated prologue:
 *
 *   struct ez_program | clauses | operations of all their code
 *
 * Code is made for a stack machine of 64-bit words. An operation is 8 bytes; jumps lead forward
 * only, so that code ends; the shell verifies it before it is written (engine/data/verify.c), and
 * the runtime checks the bounds of its stack and of the code again, because the target can write
 * anything there. There are four pieces of code, any of which may be absent:
 *
 *   cond    at the entry: leaves one word; 0 = this call is filtered
 *   entry   at the entry of a call that passed: emits the words of the entry's event, and saves
 *           words for the exit
 *   leave   at the exit of a call that passed: leaves one word; 0 = this exit is filtered
 *   exit    at the exit: emits the words of the exit's event
 *
 * A load that faults yields 0 and marks what is being worked on: an item as "not readable", a
 * condition as false (and counted as faulted).
 *
 * COUNTERS. A clause has two ids. The first counts the entries and exits that its condition let
 * pass, the second those that it filtered: entries of it are hits that were filtered, exits are
 * those of them whose condition could not be read. A clause with EZ_OP_NTH has a third, of which only
 * the common buffer's `entry` is used, by all threads with locked instructions; it counts no hits. A clause
 * with a fragment has three more: ends of the program, and calls that were left; calls without a fragment, and exits
 * without one; calls of its own routine by a fragment, and 1 when it was switched off for that. Then come those of the
 * places in its routine, by number: before, behind. */
#ifndef EZ_DATA_ABI_H
#define EZ_DATA_ABI_H

#include "engine/ring_abi.h"

#define EZ_CODE_STACK 8   /* words of an expression's stack                          */
#define EZ_CODE_MOST 4096 /* operations of a program                                  */
#define EZ_CLAUSES 16     /* of a site                                                */
#define EZ_DATA_WORDS 64  /* of an event, at most                                     */
#define EZ_DATA_ITEMS 14  /* of an event: each has a bit in the frame word (EZ_FRAME_BITS) */
#define EZ_SAVED_WORDS 6  /* of a call, for its exit                                  */
#define EZ_FRAME_BITS                                                                              \
    48 /* a frame's address in a record of words; above it: what could not be
                            * read, and EZ_DATA_UNKNOWN */
#define EZ_DATA_UNKNOWN                                                                            \
    15 /* bit above the frame: the call ended by a jump, its result is unknown */

/* In the file, the words of an exit come behind a word of these bits; the words of an entry come
 * before it, if any bit is set. Bit EZ_DATA_BAD + i: item i could not be read. (EZ_EXIT_UNWOUND,
 * the word of an exit that is no return, is 1.) */
#define EZ_DATA_TAIL 2
#define EZ_TEXT_CUT (1ull << 32)  /* in the length before a text: it goes on in memory     */
#define EZ_TEXT_NULL (1ull << 33) /* there: there is none, the pointer to it is 0           */
#define EZ_DATA_BAD 8

struct ez_code_op {
    uint8_t op, a;
    uint16_t b;
    int32_t imm;
};

/* Binary operations take the right operand from `imm` where b & EZ_CODE_IMM. */
#define EZ_CODE_IMM 1
/* Of EZ_OP_OF_INT: the integer is signed; the result is rounded once, to a float. */
#define EZ_CODE_SIGNED 1
#define EZ_CODE_FLOAT 2

enum ez_opcode {
    EZ_OP_END,    /* the result is on top of the stack, if there is one            */
    EZ_OP_IMM,    /* push imm                                                      */
    EZ_OP_WIDE,   /* push the word that stands in place of the next operation      */
    EZ_OP_REG,    /* push register a (DWARF's number), cut to b bits; imm: 1 = signed */
    EZ_OP_VEC,    /* push 8 bytes of vector register a; b: 0 = the low ones, 1 = the next */
    EZ_OP_X87,    /* push of st(a): b: 0 = 8 bytes, 1 = the last two               */
    EZ_OP_ARG,    /* push the word imm bytes above the return address              */
    EZ_OP_CALLER, /* push the return address                                       */
    EZ_OP_FRAME,  /* push the address of the return address                        */
    EZ_OP_THREAD, /* push the thread's id                                          */
    EZ_OP_TICK,   /* push the time by the trace's clock                            */
    EZ_OP_COMM,   /* push half a (0, 1) of the thread's name, which the kernel tells; may fault */
    EZ_OP_NTH,    /* push how many hits of all threads came here, this one included: of the clause
                   * with its shared counter, whose offset the shell puts into imm */
    EZ_OP_GATE,   /* push bit imm of ez_hdr.gates                                   */
    EZ_OP_SAVED,  /* push word a that the entry saved                              */
    EZ_OP_LOAD,   /* a bytes at (pop) + imm; b: 1 = signed                         */
    EZ_OP_CUT,    /* cut the top to a bits; b: 1 = signed                          */
    EZ_OP_DUP,
    EZ_OP_DROP,
    EZ_OP_JUMP, /* forward over imm operations                                    */
    EZ_OP_JZ,   /* pops, jumps if it is 0                                         */
    EZ_OP_JNZ,
    /* integers */
    EZ_OP_ADD,
    EZ_OP_SUB,
    EZ_OP_MUL,
    EZ_OP_DIV, /* a: 1 = signed; by 0: a fault                                    */
    EZ_OP_MOD,
    EZ_OP_AND,
    EZ_OP_OR,
    EZ_OP_XOR,
    EZ_OP_SHL,
    EZ_OP_SHR, /* a: 1 = signed                                                   */
    EZ_OP_EQ,
    EZ_OP_NE,
    EZ_OP_LT, /* a: 1 = signed                                                    */
    EZ_OP_LE,
    EZ_OP_GT,
    EZ_OP_GE,
    EZ_OP_NOT,
    EZ_OP_NEG,
    EZ_OP_COM,
    /* doubles: the bits of one in a word */
    EZ_OP_FADD,
    EZ_OP_FSUB,
    EZ_OP_FMUL,
    EZ_OP_FDIV,
    EZ_OP_FEQ,
    EZ_OP_FLT,
    EZ_OP_FLE,
    EZ_OP_FGT,
    EZ_OP_FGE,
    EZ_OP_OF_FLOAT, /* float -> double                                             */
    EZ_OP_OF_INT,   /* a: EZ_CODE_SIGNED, EZ_CODE_FLOAT                            */
    EZ_OP_TO_INT,   /* a: 1 = signed                                               */
    EZ_OP_ROUND,    /* to the nearest float, which stays a double                  */
    /* effects */
    EZ_OP_ITEM,  /* item number a begins here                                      */
    EZ_OP_EMIT,  /* pop a word of the event                                        */
    EZ_OP_TEXT,  /* pop an address: a length, then the text up to its NUL, imm bytes at most */
    EZ_OP_BYTES, /* pop an address: a length, then imm bytes                       */
    EZ_OP_SAVE,  /* pop into saved word a                                          */
    EZ_OP_NAME,  /* pop an address: push the identity of the text there, which the next EZ_OP_ADDUP
                  * keeps with it                                                  */
    EZ_OP_ADDUP, /* pop a value, then a key, into table imm; a: enum ez_addup, b: enum ez_addup_of */
    EZ_NOP
};

/* What a clause does with a hit that passes, besides recording it: the first kinds before it is
 * recorded, the others after that. */
enum ez_act_kind {
    EZ_ACT_NONE,
    EZ_ACT_TRACE_START, /* recording goes on                                            */
    EZ_ACT_ENABLE,      /* gate number ez_clause.gate opens                             */
    EZ_ACT_TRACE_STOP,  /* recording pauses                                             */
    EZ_ACT_DISABLE,
    EZ_ACT_SNAPSHOT, /* the shell is asked for it                                    */
    EZ_ACT_STOP,     /* the thread holds, and the shell is asked to stop all others      */
    EZ_ACT_KINDS
};
#define EZ_ACT_FIRST(kind) ((kind) <= EZ_ACT_ENABLE)
#define EZ_GATES 64
#define EZ_GATE_TSTART 63 /* the gate of all tracepoints                          */

/* The low bits of a word, extended with zeros or by sign (EZ_OP_CUT). 0 bits: all of it. */
static inline uint64_t ez_cut(uint64_t v, uint32_t bits, int is_signed)
{
    uint32_t k = (64 - bits) & 63;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

/* Where code stands: index of its first operation in the program; n operations, 0 = there is none. */
struct ez_code_at {
    uint16_t first, n;
};

struct ez_clause {
    uint32_t cnt, filtered; /* offsets of its counters                              */
    uint32_t code, exit;    /* low halves of code words; 0 = nothing is recorded      */
    struct ez_code_at cond, entry, leave, out;
    uint16_t words, out_words; /* of the events, at most                              */
    uint8_t follows;           /* 1 = the exits of calls that pass are wanted         */
    uint8_t act, act_at_exit;  /* enum ez_act_kind                                    */
    uint8_t gate;
    uint32_t activation,
        place; /* activation: the saved word of the fragment's; place: EZT_BEFORE, EZT_BEHIND: calls of this
                         * function may have fragments of their callers; EZT_THERE: it is inside of a routine with a
                         * fragment (rt_fragment.c)                                     */
    uint64_t
        fragment; /* its struct ezt_fragment in the process; 0 = none. EZT_THERE: the address */
};

struct ez_program { /* 8 bytes aligned */
    uint32_t nclauses, nops;
    uint32_t nsaved;    /* words of a call that are saved for its exit                   */
    uint32_t bytes;     /* of all of it                                                  */
    uint32_t acts, pad; /* acts: 1 = some clause has an action or a fragment            */
};

static inline const struct ez_clause *ez_clause_at(const struct ez_program *p, uint32_t i)
{
    return (const struct ez_clause *)(p + 1) + i;
}
static inline const struct ez_code_op *ez_program_ops(const struct ez_program *p)
{
    return (const struct ez_code_op *)ez_clause_at(p, p->nclauses);
}

/* AGGREGATES. Each has a table in every buffer, at ez_hdr.off_addups + (buffer * ez_hdr.naddups + number) *
 * EZ_ADDUP_BYTES of the segment, whose pages exist for tables below ez_hdr.addups_ready. Only the
 * buffer's thread writes there, and its signal handlers. A row is taken by one compare-and-swap of its
 * identity; what finds no row is counted in `full`. */
#define EZ_ADDUPS 192 /* with 8192 buffers 96 GiB of addresses, of 252 (EZ_FAR_SIZE) */
#define EZ_ADDUP_BYTES 65536
#define EZ_ADDUP_TRIES 16 /* rows that are looked at for a key                   */
#define EZ_ADDUP_SPREAD 0x9e3779b97f4a7c15u /* times an identity: its first row         */
#define EZ_ADDUP_NOBODY 0x5ca1ab1e0ddba11u  /* xor'ed to a key: no row of an aggregate is 0    */
#define EZ_ADDUP_BUCKETS 496 /* of a histogram: 8 steps an octave                   */
enum ez_addup { EZ_ADDUP_NUMBERS, EZ_ADDUP_HIST };
enum ez_addup_of { EZ_OF_INT, EZ_OF_DOUBLE, EZ_OF_UINT }; /* the type of the values              */
/* A histogram of EZ_OF_INT keeps its negative values in a row of their own, by their magnitudes. Its identity is xor'ed
 * with this. All values of that row are negative, so `most` is negative there, and nowhere else. */
#define EZ_ADDUP_BELOW 0x2545f4914f6cdd1du
struct ez_addup_row {
    volatile uint64_t id; /* key ^ EZ_ADDUP_NOBODY; 0 = free                            */
    volatile uint64_t n;
    volatile uint64_t sum, least, most; /* of the values: enum ez_addup_of                  */
    volatile uint64_t text[3];          /* of a key that is a text: 23 bytes of it          */
};
struct ez_addup_hist {
    struct ez_addup_row row;
    volatile uint64_t bucket[EZ_ADDUP_BUCKETS];
};
struct ez_addup_table {
    volatile uint64_t full; /* hits that found no row                                  */
    uint64_t pad[7];
    union {
        struct ez_addup_row row[(EZ_ADDUP_BYTES - 64) / sizeof(struct ez_addup_row)];
        struct ez_addup_hist hist[(EZ_ADDUP_BYTES - 64) / sizeof(struct ez_addup_hist)];
    };
};
static inline uint32_t ez_addup_rows(enum ez_addup kind)
{
    return kind == EZ_ADDUP_HIST ? (EZ_ADDUP_BYTES - 64) / sizeof(struct ez_addup_hist)
                                 : (EZ_ADDUP_BYTES - 64) / sizeof(struct ez_addup_row);
}
/* The first of the rows that are looked at for an identity. Numbers above 8 share a cache line with others,
 * so the rows of near keys lie apart. */
static inline uint32_t ez_addup_first(uint64_t id, uint32_t rows)
{
    return (uint32_t)((id * EZ_ADDUP_SPREAD >> 32) * rows >> 32);
}
/* The bucket of v: 0 to 7 have one each, then eight steps an octave. */
static inline uint32_t ez_addup_bucket(uint64_t v)
{
    if (v < 8)
        return (uint32_t)v;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(v);
    return (octave - 2) * 8 + (uint32_t)(v >> (octave - 3) & 7);
}
/* The least value of bucket i. */
static inline uint64_t ez_addup_floor(uint32_t i)
{
    return i < 8 ? i : (8ull + i % 8) << (i / 8 - 1);
}

/* Memory that stays readable as long as the process lives or until the loader says otherwise: the
 * runtime reads there itself, elsewhere it asks the kernel. One page behind the header's; the shell
 * writes it, `seq` is odd meanwhile. */
#define EZ_RANGES 254
struct ez_ranges {
    volatile uint32_t seq, n;
    volatile uint32_t loader; /* ez_hdr.loader_seq when the list was made          */
    uint32_t pad;
    struct {
        volatile uint64_t lo, hi;
    } range[EZ_RANGES];
};

#endif

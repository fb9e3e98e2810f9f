/* SPDX-License-Identifier: MIT */
/* data_abi.h - the programs that the runtime runs at a hit: conditions, and what is recorded.
 *
 * A *clause* is one probe's request at a site: if a condition holds, record an event with certain
 * words. The site's trampoline carries its clauses after the relocated prologue:
 *
 *   struct ez_program | clauses | operations of all clauses
 *
 * The code is for a stack machine of 64-bit words. An operation has 8 bytes. Jumps lead forward
 * only, so the code always ends. The shell verifies the code before writing it
 * (engine/expr/verify.c). The runtime checks the bounds of its stack and of the code again, because
 * the target can overwrite the code. A clause has up to four pieces of code:
 *
 *   cond    at the entry: leaves one word; 0 filters the call
 *   entry   at the entry of a call that passed: emits the words of the entry's event, and saves
 *           words for the exit
 *   leave   at the exit of a call that passed: leaves one word; 0 filters the exit
 *   exit    at the exit: emits the words of the exit's event
 *
 * A load that faults yields 0. A fault in an item marks the item as unreadable. A fault in a
 * condition makes the condition false, and the hit counts as faulted.
 *
 * COUNTERS. A clause has two ids. The first id counts the entries and exits that passed the
 * condition. The second id counts filtered hits: its entries are all filtered hits, its exits are
 * those whose condition faulted. A clause with EZ_OP_NTH has a third id. Only the common buffer's
 * `entry` of that id is used; all threads increment it with locked instructions, and it counts no
 * hits. A clause with a fragment has three more ids. The first counts ends of the program (entry)
 * and calls that were left without a return (exit); the second, calls (entry) and exits (exit) at
 * which the fragment did not run; the third, calls of the routine by its own fragment (entry), and
 * its exit is 1 if the runtime switched the fragment off because of these calls. An id for each
 * place in the routine follows, by the place's number: hits before the place (entry) and behind it
 * (exit). */
#ifndef EZ_DATA_ABI_H
#define EZ_DATA_ABI_H

#include "engine/ring_abi.h"

#define EZ_CODE_STACK 8   /* stack of an expression, in words */
#define EZ_CODE_MOST 4096 /* maximum operations of a program */
#define EZ_CLAUSES 16     /* maximum clauses of a site */
#define EZ_DATA_WORDS 64  /* maximum words of an event */
/* maximum items of an event: each item has a bit above EZ_FRAME_BITS */
#define EZ_DATA_ITEMS 14
#define EZ_SAVED_WORDS 6 /* maximum words that a call saves for its exit */
#define EZ_FRAME_BITS                                                                              \
    48 /* bits of the frame's address in the record of an event with words; the bits above them are
        * the unreadable items and EZ_DATA_UNKNOWN */
#define EZ_DATA_UNKNOWN                                                                            \
    15 /* number of the bit above the frame: the call ended by a jump, its result is unknown */

/* In the file, a word of flags precedes the words of an exit's event. In an entry's event it
 * follows the words, and is present only if a flag is set. EZ_DATA_TAIL: the call ended by a jump
 * (EZ_DATA_UNKNOWN). Bit EZ_DATA_BAD + i: item i could not be read. (EZ_EXIT_UNWOUND, the word of
 * an exit that is not a return, is 1.) */
#define EZ_DATA_TAIL 2
/* bit in the length before a text: the text was longer in memory */
#define EZ_TEXT_CUT (1ull << 32)
/* bit in the length before a text: the pointer to the text is NULL */
#define EZ_TEXT_NULL (1ull << 33)
#define EZ_DATA_BAD 8

struct ez_code_op {
    uint8_t op, a;
    uint16_t b;
    int32_t imm;
};

/* Flag in `b`: a binary operation takes its right operand from `imm`. */
#define EZ_CODE_IMM 1
/* Flags of EZ_OP_OF_INT: the integer is signed; the result is rounded once, to a float. */
#define EZ_CODE_SIGNED 1
#define EZ_CODE_FLOAT 2

enum ez_opcode {
    EZ_OP_END,    /* ends; the result, if any, is on top of the stack */
    EZ_OP_IMM,    /* push imm */
    EZ_OP_WIDE,   /* push the 8 bytes of the next operation, which are data */
    EZ_OP_REG,    /* push register a (DWARF's number), cut to b bits; imm: 1 = signed */
    EZ_OP_VEC,    /* push 8 bytes of vector register a; b: 0 = the low ones, 1 = the next */
    EZ_OP_X87,    /* push a part of st(a); b: 0 = its first 8 bytes, 1 = its last 2 */
    EZ_OP_ARG,    /* push the word imm bytes above the return address */
    EZ_OP_CALLER, /* push the return address */
    EZ_OP_FRAME,  /* push the address of the return address */
    EZ_OP_THREAD, /* push the thread's id */
    EZ_OP_TICK,   /* push the time by the trace's clock */
    EZ_OP_COMM,   /* push half a (0, 1) of the thread's name, read from the kernel; may fault */
    EZ_OP_NTH,    /* push the number of hits of all threads so far, this hit included; imm: offset
                   * of the shared counter, which the shell fills in */
    EZ_OP_GATE,   /* push bit imm of ez_hdr.gates */
    EZ_OP_SAVED,  /* push word a that the entry saved */
    EZ_OP_LOAD,   /* push a bytes at (pop) + imm; b: 1 = signed */
    EZ_OP_CUT,    /* cut the top to a bits; b: 1 = signed */
    EZ_OP_DUP,
    EZ_OP_DROP,
    EZ_OP_JUMP, /* jump forward over imm operations */
    EZ_OP_JZ,   /* pop; jump if the word is 0 */
    EZ_OP_JNZ,
    /* integers */
    EZ_OP_ADD,
    EZ_OP_SUB,
    EZ_OP_MUL,
    EZ_OP_DIV, /* a: 1 = signed; division by 0 is a fault */
    EZ_OP_MOD,
    EZ_OP_AND,
    EZ_OP_OR,
    EZ_OP_XOR,
    EZ_OP_SHL,
    EZ_OP_SHR, /* a: 1 = signed */
    EZ_OP_EQ,
    EZ_OP_NE,
    EZ_OP_LT, /* a: 1 = signed */
    EZ_OP_LE,
    EZ_OP_GT,
    EZ_OP_GE,
    EZ_OP_NOT,
    EZ_OP_NEG,
    EZ_OP_COM,
    /* doubles: a word holds the bits of a double */
    EZ_OP_FADD,
    EZ_OP_FSUB,
    EZ_OP_FMUL,
    EZ_OP_FDIV,
    EZ_OP_FEQ,
    EZ_OP_FLT,
    EZ_OP_FLE,
    EZ_OP_FGT,
    EZ_OP_FGE,
    EZ_OP_OF_FLOAT, /* float -> double */
    EZ_OP_OF_INT,   /* a: EZ_CODE_SIGNED, EZ_CODE_FLOAT */
    EZ_OP_TO_INT,   /* a: 1 = signed */
    EZ_OP_ROUND,    /* round to the nearest float; the word stays a double */
    /* effects */
    EZ_OP_ITEM,  /* begin item number a */
    EZ_OP_EMIT,  /* pop a word into the event */
    EZ_OP_TEXT,  /* pop an address; emit a length, then the text up to its NUL, at most imm bytes */
    EZ_OP_BYTES, /* pop an address; emit a length, then imm bytes */
    EZ_OP_SAVE,  /* pop into saved word a */
    EZ_OP_NAME,  /* pop an address; push the identity of the text there, which the next EZ_OP_ADDUP
                  * stores with it */
    EZ_OP_ADDUP, /* pop a value, then a key, into table imm; a: enum ez_addup, b: ez_addup_of */
    /* texts */
    EZ_OP_SAME, /* pop an address; push 1 if the imm bytes there are those of the next b operations,
                   * which are data, else 0 */
    EZ_OP_LENGTH, /* pop an address; push the length of the text there; one that does not end within
                   * imm bytes faults */
    EZ_NOP
};

#define EZ_SAME_MOST 256    /* maximum number of bytes that EZ_OP_SAME compares */
#define EZ_LENGTH_MOST 4096 /* maximum length that EZ_OP_LENGTH is used with, in bytes */

/* Returns how many of the operations behind c are data that belong to c. */
static inline uint32_t ez_code_data(const struct ez_code_op *c)
{
    return c->op == EZ_OP_WIDE ? 1 : c->op == EZ_OP_SAME ? c->b : 0;
}

/* Actions of a clause at a hit that passes the condition. Kinds up to EZ_ACT_ENABLE run before the
 * hit is recorded, the others afterwards. */
enum ez_act_kind {
    EZ_ACT_NONE,
    EZ_ACT_TRACE_START, /* resume recording */
    EZ_ACT_TRACE_STOP,  /* pause recording, at the tick with which the hit is recorded */
    EZ_ACT_ENABLE,      /* open gate number ez_clause.gate */
    EZ_ACT_DISABLE,
    EZ_ACT_SNAPSHOT, /* request a snapshot from the shell */
    EZ_ACT_STOP,     /* hold the thread, and request a stop of all threads from the shell */
    EZ_ACT_KINDS
};
#define EZ_ACT_FIRST(kind) ((kind) <= EZ_ACT_ENABLE)
#define EZ_GATES 64
#define EZ_GATE_TSTART 63 /* gate of all tracepoints */

/* Returns the low bits of a word, extended with zeros or by sign (EZ_OP_CUT). bits 0 keeps all
 * 64. */
static inline uint64_t ez_cut(uint64_t v, uint32_t bits, int is_signed)
{
    uint32_t k = (64 - bits) & 63;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

/* Position of code: index of its first operation among the operations of the program, and number of
 * operations (0 = no code). */
struct ez_code_at {
    uint16_t first, n;
};

struct ez_clause {
    uint32_t cnt, filtered; /* offsets of the clause's counters */
    uint32_t code, exit;    /* low halves of code words; 0 = records nothing */
    struct ez_code_at cond, entry, leave, out;
    uint16_t words, out_words; /* maximum words of the events */
    uint8_t follows;           /* 1 = the exits of calls that pass are followed */
    uint8_t act, act_at_exit;  /* enum ez_act_kind */
    uint8_t gate;
    uint32_t activation,
        place; /* activation: saved word that holds the fragment's activation. place: EZT_BEFORE or
                * EZT_BEHIND = calls of this function may run fragments of their callers; EZT_THERE
                * = the site is an instruction inside a routine with a fragment (rt_fragment.c) */
    uint64_t
        fragment; /* address of the struct ezt_fragment in the process, 0 = none; with EZT_THERE the
                   * address of the instruction */
};

struct ez_program { /* aligned to 8 bytes */
    uint32_t nclauses, nops;
    uint32_t nsaved;    /* maximum number of words that a call saves for its exit */
    uint32_t bytes;     /* size of the whole program */
    uint32_t acts, pad; /* acts: 1 = a clause has an action or a fragment */
};

static inline const struct ez_clause *ez_clause_at(const struct ez_program *p, uint32_t i)
{
    return (const struct ez_clause *)(p + 1) + i;
}
static inline const struct ez_code_op *ez_program_ops(const struct ez_program *p)
{
    return (const struct ez_code_op *)ez_clause_at(p, p->nclauses);
}

/* AGGREGATES. Each aggregate has a table in every buffer, at offset ez_hdr.off_addups + (buffer *
 * ez_hdr.naddups + number) * EZ_ADDUP_BYTES of the segment. The pages of tables below
 * ez_hdr.addups_ready exist. Only the buffer's thread and its signal handlers write there. One
 * compare-and-swap of the identity claims a row. `full` counts hits that found no row. */
/* maximum: with 8192 buffers, the tables need 96 GiB of addresses (EZ_FAR_SIZE is 256 GiB) */
#define EZ_ADDUPS 192
#define EZ_ADDUP_BYTES 65536
#define EZ_ADDUP_TRIES 16                   /* maximum number of rows that are searched for a key */
#define EZ_ADDUP_SPREAD 0x9e3779b97f4a7c15u /* factor that spreads identities over the rows */
/* xor'ed to a key to make its identity, so that the identity of a used row is not 0 */
#define EZ_ADDUP_NOBODY 0x5ca1ab1e0ddba11u
#define EZ_ADDUP_BUCKETS 496 /* buckets of a histogram: 8 an octave */
enum ez_addup { EZ_ADDUP_NUMBERS, EZ_ADDUP_HIST };
enum ez_addup_of { EZ_OF_INT, EZ_OF_DOUBLE, EZ_OF_UINT }; /* type of the values */
/* A histogram of EZ_OF_INT keeps its negative values in a separate row, by magnitude. The identity
 * of that row is xor'ed with this. `most` is negative in that row, and in no other. */
#define EZ_ADDUP_BELOW 0x2545f4914f6cdd1du
struct ez_addup_row {
    volatile uint64_t id; /* key ^ EZ_ADDUP_NOBODY; 0 = free */
    volatile uint64_t n;
    volatile uint64_t sum, least, most; /* of the values, in the type of enum ez_addup_of */
    volatile uint64_t text[3];          /* first 23 bytes of a key that is a text */
};
struct ez_addup_hist {
    struct ez_addup_row row;
    volatile uint64_t bucket[EZ_ADDUP_BUCKETS];
};
struct ez_addup_table {
    volatile uint64_t full; /* hits that found no row */
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
/* Returns the index of the first row to search for an identity. The factor spreads the rows of keys
 * that differ little, so that searches are short. */
static inline uint32_t ez_addup_first(uint64_t id, uint32_t rows)
{
    return (uint32_t)((id * EZ_ADDUP_SPREAD >> 32) * rows >> 32);
}
/* Returns the bucket of v. Each value from 0 to 7 has a bucket of its own. Each octave above (8 to
 * 15, 16 to 31, ...) has eight buckets. */
static inline uint32_t ez_addup_bucket(uint64_t v)
{
    if (v < 8)
        return (uint32_t)v;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(v);
    return (octave - 2) * 8 + (uint32_t)(v >> (octave - 3) & 7);
}
/* Returns the least value of bucket i. */
static inline uint64_t ez_addup_floor(uint32_t i)
{
    return i < 8 ? i : (8ull + i % 8) << (i / 8 - 1);
}

/* Memory that stays readable for the life of the process, or until the loader reports a change. The
 * runtime reads these ranges, and the page of the stack on which it runs, directly, and any other
 * memory by a system call. The structure lies in the page that follows the header's page. The shell
 * writes it; `seq` is odd during a write. */
#define EZ_RANGES 254
struct ez_ranges {
    volatile uint32_t seq, n;
    volatile uint32_t loader; /* value of ez_hdr.loader_seq when the shell made the list */
    uint32_t pad;
    struct {
        volatile uint64_t lo, hi;
    } range[EZ_RANGES];
};

#endif

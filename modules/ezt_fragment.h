/* SPDX-License-Identifier: MIT */
/* ezt_fragment.h - the target's side of specifications on running programs: shared by eztsh, the
 * runtime and the code of fragments (engine/rt/rt_fragment.c, modules/instrument/fragment/).
 *
 * From the code for one routine, eztsh makes one function in C, C++ or Fortran:
 *
 *  static void ez_fragment_7(struct ezt_activation *ez)
 *  {
 *      DECL ENTRY
 *      while (ez_suspend(&ez) == EZT_ABORT) {
 *          ABORT
 *      }
 *      EXIT
 *  }
 *
 * Code for places inside the routine (calls, throws, handlers) runs in the same loop, selected by
 * EZT_PLACE + 2 * number before a call, and + 1 after the call.
 *
 * The function is a coroutine: when a call of the routine begins, the function runs up to
 * ez_suspend(), and it continues there at the exit of the call. So everything that `decl` declares
 * lives from the entry of a call to its exit. Suspended activations are on a separate stack of the
 * thread, one below the other, in the order of the calls.
 *
 * Only append fields: the runtime, eztsh and compiled fragments in caches use them; cached
 * fragments have EZT_FRAGMENT_ABI in their names. */
#ifndef EZT_FRAGMENT_H
#define EZT_FRAGMENT_H

#define EZT_FRAGMENT_ABI 2
/* Prefix of the symbol for a static variable or function of the program. The rest is its address in
 * the program's file, in hexadecimal digits. */
#define EZT_FRAGMENT_STATIC "ezt_static_"

/* Offsets in struct ezt_activation, for the assembler. */
#define EZT_ACT_PC 0
#define EZT_ACT_SP 8
#define EZT_ACT_BACK 16

#ifndef __ASSEMBLER__
#include <stdint.h>

enum ezt_phase {
    EZT_ENTRY,
    EZT_EXIT,
    EZT_ABORT, /* the routine calls exit() or a similar function */
    EZT_LEFT,  /* an exception or a longjmp leaves the call: no result */
    EZT_PLACE = 16,
};

/* A call in the routine's code, or an instruction. Sorted by `at`. */
struct ezt_place {
    /* return address of a call, or address of an instruction; relative to the start of the
     * routine */
    int64_t at;
    /* number: number of the code at the place; with EZT_THERE: the line. when: EZT_BEFORE or
     * another constant below. */
    uint32_t number, when;
};
#define EZT_BEFORE 1
#define EZT_BEHIND 2
#define EZT_LEAVES 4 /* the code after the call also runs when an exception leaves the call */
#define EZT_THERE 8  /* an instruction: the activation stores the line of the instruction */

struct ezt_fragment;

struct ezt_activation { /* one call's run of a fragment; on the thread's stack of fragments */
    /* pc and sp at which the fragment continues; pc 0: the fragment has ended, or is running */
    uint64_t pc, sp;
    uint64_t back;  /* stack pointer of the runtime, to which the fragment returns */
    uint64_t phase; /* enum ezt_phase: reason why the fragment continues */
    /* Array of the program's general registers, by DWARF number, while the fragment runs. NULL:
     * unknown. */
    const uint64_t *reg;
    /* address at which the return address of the call is, or was until the call ended */
    const uint64_t *stack;
    const uint8_t *vector; /* xsave area: %xmm0 at 160; NULL: not saved */
    struct ezt_fragment *of;
    struct ezt_activation *before; /* the thread's previous activation */
    void *thread;
    uint32_t gone;    /* 1: the call of the activation has ended */
    uint32_t counter; /* offset of the clause's counters */
    uint64_t line;    /* line of the last EZT_THERE place that the call has reached; 0 = none */
};

/* Reasons why calls have no fragment: indexes of ezt_fragment.count. */
enum ezt_count {
    EZT_NESTED,  /* another fragment made the call */
    EZT_NO_ROOM, /* the thread's stack of fragments has no room */
    EZT_COUNTS = 4
};

/* A routine's row in the object's table `ez_fragments`. */
struct ezt_fragment {
    void (*run)(struct ezt_activation *);
    int *(*errno_at)(void);
    /* Fields that eztsh sets: */
    uint64_t lo, hi;       /* addresses of the routine's code: [lo, hi) */
    uint64_t flags;        /* EZT_WHOLE, EZT_SUSPENDS */
    volatile uint64_t off; /* 1: disabled */
    volatile uint64_t count[EZT_COUNTS];
    const struct ezt_place *place; /* array of `places` places */
    uint64_t places;
};
#define EZT_WHOLE 1    /* calls functions or uses vector registers: saves all registers */
#define EZT_SUSPENDS 2 /* needs the exit of the call */

#ifdef __cplusplus
#define EZT_EXPORTED extern "C" __attribute__((visibility("default")))
#define EZT_FRAGMENT(row)                                                                          \
    extern "C" void ez_fragment_##row(struct ezt_activation *ez);                                  \
    extern "C" int ez_fragment_inited;                                                             \
    extern "C" __attribute__((noinline)) void ez_fragment_##row(struct ezt_activation *ez)

/* Checks whether A and B are the same function type. Ignores `noexcept`, because debug information
 * does not contain it. */
template <class A, class B> struct ez_same {
    static const bool is = false;
};
template <class A> struct ez_same<A, A> {
    static const bool is = true;
};
#ifdef __cpp_noexcept_function_type
template <class R, class... P> struct ez_same<R(P...) noexcept, R(P...)> {
    static const bool is = true;
};
template <class R, class... P> struct ez_same<R(P..., ...) noexcept, R(P..., ...)> {
    static const bool is = true;
};
#endif
/* Tells whether a type has this size, or is incomplete. */
template <unsigned long> struct ez_void {
    typedef void type;
};
template <class T, unsigned long N, class = void> struct ez_sized {
    static const bool is = true;
};
template <class T, unsigned long N> struct ez_sized<T, N, typename ez_void<sizeof(T)>::type> {
    static const bool is = sizeof(T) == N;
};
/* Tells whether two function types have the same result type, or different parameters. */
template <class A, class B> struct ez_agree {
    static const bool is = true;
};
#if __cplusplus >= 201103L
template <class R, class S, class... P> struct ez_agree<R(P...), S(P...)> {
    static const bool is = ez_same<R, S>::is;
};
#endif
#ifdef __cpp_noexcept_function_type
template <class R, class S, class... P> struct ez_agree<R(P...) noexcept, S(P...)> {
    static const bool is = ez_same<R, S>::is;
};
#endif
#else
#define EZT_EXPORTED __attribute__((visibility("default")))
#define EZT_FRAGMENT(row)                                                                          \
    extern int ez_fragment_inited;                                                                 \
    __attribute__((noinline)) void ez_fragment_##row(struct ezt_activation *ez)
#endif
#endif
#endif

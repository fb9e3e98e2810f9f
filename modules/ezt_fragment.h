/* SPDX-License-Identifier: MIT */
/* ezt_fragment.h - the target's side of specifications on running programs: shared by eztsh, the
 * runtime and the code of fragments (engine/rt/rt_fragment.c, modules/instrument/fragment/).
 *
 * eztsh makes one function of C, C++ or Fortran from a routine's code:
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
 * Code for places inside the routine (calls, throws, handlers) is selected in the same loop, by
 * EZT_PLACE + 2 * number before a call, and + 1 after the call.
 *
 * The function is a coroutine: it runs at the entry of a call up to ez_suspend(), and continues
 * there at the exit. So everything that `decl` declares lives from the entry of a call to its
 * exit. Suspended activations are on a stack of the thread's own, one below the other, as the
 * calls are.
 *
 * Append only: the runtime, eztsh and compiled fragments in caches use the fields; cached fragments
 * have EZT_FRAGMENT_ABI in their names. */
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
    int64_t at; /* return address, or address, relative to the routine's begin */
    /* Number of the code that runs there; with EZT_THERE: the line. when: EZT_BEFORE, ... */
    uint32_t number, when;
};
#define EZT_BEFORE 1
#define EZT_BEHIND 2
#define EZT_LEAVES 4 /* the code after the call also runs when an exception leaves the call */
#define EZT_THERE 8  /* an instruction: the activation notes its line */

struct ezt_fragment;

struct ezt_activation { /* an activation, on the thread's stack of fragments */
    uint64_t pc, sp;    /* where it continues; pc 0: it has ended, or runs */
    uint64_t back;      /* stack to return to */
    uint64_t phase;     /* enum ezt_phase */
    /* The program's general registers by DWARF numbers, while it runs. NULL: unknown. */
    const uint64_t *reg;
    const uint64_t *stack; /* place of the return address, now or before */
    const uint8_t *vector; /* xsave area: %xmm0 at 160; NULL: not saved */
    struct ezt_fragment *of;
    struct ezt_activation *before; /* the thread's previous activation */
    void *thread;
    uint32_t gone;    /* 1: its call has ended */
    uint32_t counter; /* counter of its exits */
    uint64_t line;    /* line of the call's last place that is an instruction; 0: none */
};

/* Reasons why calls have no fragment: indexes of ezt_fragment.count. */
enum ezt_count {
    EZT_NESTED,  /* another fragment called it */
    EZT_NO_ROOM, /* no room on the thread's stack of fragments */
    EZT_COUNTS = 4
};

/* A routine's row in the object's table `ez_fragments`. */
struct ezt_fragment {
    void (*run)(struct ezt_activation *);
    int *(*errno_at)(void);
    /* Set by eztsh: */
    uint64_t lo, hi;       /* the routine's code */
    uint64_t flags;        /* EZT_WHOLE, EZT_SUSPENDS */
    volatile uint64_t off; /* 1: disabled */
    volatile uint64_t count[EZT_COUNTS];
    const struct ezt_place *place; /* array of `places` places */
    uint64_t places;
};
#define EZT_WHOLE 1    /* calls functions or uses vector registers: all state is kept */
#define EZT_SUSPENDS 2 /* needs the exit of the call */

#ifdef __cplusplus
#define EZT_EXPORTED extern "C" __attribute__((visibility("default")))
#define EZT_FRAGMENT(row)                                                                          \
    extern "C" void ez_fragment_##row(struct ezt_activation *ez);                                  \
    extern "C" int ez_fragment_inited;                                                             \
    extern "C" __attribute__((noinline)) void ez_fragment_##row(struct ezt_activation *ez)

/* Is true if both are the same function type. Debug information does not contain `noexcept`. */
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
/* Is true if the type has that size, or is incomplete. */
template <unsigned long> struct ez_void {
    typedef void type;
};
template <class T, unsigned long N, class = void> struct ez_sized {
    static const bool is = true;
};
template <class T, unsigned long N> struct ez_sized<T, N, typename ez_void<sizeof(T)>::type> {
    static const bool is = sizeof(T) == N;
};
/* Is true if both have the same result, or different parameters. */
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

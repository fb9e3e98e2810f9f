/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.h - explains patches: how a probe on a function is or would be planted, what prevents it, and
 * which bytes of the target's text differ from the file.
 *
 * The explanations use the functions that planting uses (ez_verdict, relocate). No patch is written
 * to the target. An IFUNC's resolver may be called, as for planting.
 * Tests: tests/procs/why.sh */
#ifndef EZ_WHY_H
#define EZ_WHY_H

#include "engine/code/strategy.h"
#include "engine/ezt.h"

enum ez_why_role {
    /* a landing instruction (endbr64) before the jump, which indirect calls must reach */
    EZ_WHY_LANDING,
    EZ_WHY_MOVED, /* overwritten by the jump; the trampoline has an identical copy */
    /* overwritten by the jump; the trampoline has another form of it (branch, pc-relative) */
    EZ_WHY_REWRITTEN,
    EZ_WHY_PADDING, /* padding after the function's end that the jump overwrites */
    EZ_WHY_BEHIND,  /* an instruction after the patch, not changed */
};

struct ez_why_insn {
    uint64_t addr;
    uint8_t len, bytes[15];
    enum ez_why_role role;
    uint64_t moved_to; /* address of the instruction's copy if a probe is planted; otherwise 0 */
    char text[120];
};

struct ez_why {
    uint64_t func, site; /* start of the function; start of the jump */
    uint64_t end, next;  /* end of the function; start of the next symbol */
    char name[200], library[100];
    bool trap;         /* traps are permitted (`probe -trap`) */
    unsigned strategy; /* enum ez_strategy; 0: refused */
    /* for each enum ez_strategy: "chosen", "possible", or why the strategy is impossible */
    char against[EZ_NSTRATEGY][160];
    char entry[200]; /* why no entry probe is possible; "": an entry probe is possible */
    char exit[200];  /* why no exit probe is possible; "": an exit probe is possible */
    /* result and *because of ez_exit_mode(), if an exit probe is possible */
    const char *exit_mode, *exit_because;
    const char *help; /* what would make an entry probe possible, or NULL */
    /* sizes in bytes: of the jump, of the whole instructions that it covers, of the padding that it
     * uses */
    unsigned jump, covered, padding;
    /* address of the island to which the patch jumps; 0: the patch jumps to the trampoline */
    uint64_t island;
    uint64_t room; /* address of the trampoline, or where it would be; 0: unknown */
    struct ez_why_insn insn[24];
    unsigned ninsn;
    /* for each enum ez_lead: address of the first branch or other reference into the jump's
     * bytes */
    uint64_t lead[EZ_NLEADS];
    /* for each enum ez_lead: number of references into the jump's bytes */
    unsigned nleads[EZ_NLEADS];
    bool planted; /* a probe is planted on this function now */
    /* address of the replacing function, if a replacement is planted; 0: none */
    uint64_t with;
    /* the trampoline saves and restores, around the replacement, registers that callers may rely
     * on */
    bool kept;
    /* addresses of the planted patch's trampoline and relocated code */
    uint64_t trampoline, relocated;
    unsigned trampoline_len, relocated_len;
    int probe[8]; /* numbers of the probes on this function */
    unsigned nprobe;
};

/* Explains a probe on the function (or instruction) at addr. trap: for a probe with -trap.
 * EZ_E_STATE: there is no process. EZ_E_NOTFOUND: addr is in no loaded file. */
ez_err *ez_why(struct ez_target *t, ez_addr addr, bool trap, struct ez_why *out) EZ_WUR;
/* Returns true if addr is in a trampoline or in the runtime. *origin: address of the program's
 * instruction whose copy contains addr; 0: addr is in eztsh's own code. *probe: number of a probe
 * on the trampoline's site; 0: none. */
bool ez_trampoline_origin(struct ez_target *t, ez_addr addr, ez_addr *origin, int *probe);

enum ez_diff_owner {
    EZ_DIFF_PROBE,
    EZ_DIFF_HOOK,
    EZ_DIFF_LEFT_HOOK, /* a hook that an earlier eztsh left */
    EZ_DIFF_BREAKPOINT,
    EZ_DIFF_FOREIGN
};

struct ez_textdiff { /* up to 16 consecutive changed bytes with the same owner */
    uint64_t addr;
    unsigned len;
    uint8_t file[16], live[16];
    enum ez_diff_owner owner;
    int probe; /* number of the probe; 0: none */
    const char *module;
};
struct ez_textdiff_sum {
    uint64_t compared, bytes, foreign; /* in bytes */
    unsigned runs;
};
/* Compares the live text of all loaded files with the files, in the order of addresses. Calls fn
 * for each run of changed bytes. The target may run. */
ez_err *ez_textdiff(struct ez_target *t, void (*fn)(const struct ez_textdiff *, void *), void *arg,
                    struct ez_textdiff_sum *sum) EZ_WUR;

/* Counts for "info coverage": the functions that were requested in this process, by result. */
struct ez_coverage {
    uint64_t requested, pending, disabled, lost, removed, refused;
    struct {
        const char *strategy;
        uint64_t n;
    } planted[EZ_NSTRATEGY];
    unsigned nplanted;
};
/* Sets *out, and calls reason (unless it is NULL) for each reason of refusals, the most frequent
 * first. */
void ez_coverage(struct ez_target *t, struct ez_coverage *out,
                 void (*reason)(const char *text, uint64_t n, void *arg), void *arg);

/* The pc of a thread at the last change of text, for "info window". */
struct ez_thread_place {
    int tid;
    uint64_t pc, moved_to; /* moved_to 0: the thread was not moved */
    unsigned frames;       /* number of program counters that were moved in signal frames */
    uint64_t saved;        /* one of these program counters, before the move */
    bool seen;             /* nothing was moved: moved_to is where the thread would be moved */
};
void ez_thread_places(struct ez_target *t, void (*fn)(const struct ez_thread_place *, void *),
                      void *arg);

#endif

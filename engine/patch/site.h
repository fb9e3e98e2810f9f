/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.h - changes code: sites, their trampolines, and the patches that jump to them. analyze.h
 * (engine/code) analyses text.
 *  site.c   finds and analyses sites     variant.c       the trampolines of a site
 *  patch.c  writes bytes of live code    pc_fixup.c      moves program counters
 *  prove.c  how exits can be followed    return_thunk.c  return thunks of call-throughs */
#ifndef EZ_SITE_H
#define EZ_SITE_H

#include "engine/inferior/inferior.h"
#include "engine/patch/runtime.h"

/* Flag of a retired variant: it was generated for another patch region at the same address, and is
 * never planted again. Its counts still belong to the site, because a frame may return through its
 * trampoline. */
#define EZ_RETIRED 0x10000

/* Replacement of a function, as addresses. */
struct ez_with {
    uint64_t func; /* function to call instead; 0: the function is not replaced */
    uint64_t orig; /* pointer variable that gets the address for calling the original; 0: none */
};

/* What one probe requests for a site's hits beyond counting (clause.c). */
struct ez_site_clause {
    struct ez_clause_code *code; /* the site frees it */
    /* EZ_ROW_* flags: whether entries and exits are counted and recorded */
    int flags;
    /* the drain's filter for accepted hits; `counter` is set together with the id */
    struct ez_drain_filter filter;
    uint32_t id;    /* counts accepted hits; id + 1: filtered hits; id + 2: turns. 0: no ids yet */
    unsigned wants; /* number of enabled probes that want this clause */
};

struct ez_variant { /* a site as planted for one set of requests (variant.c) */
    uint32_t id;
    uint32_t flags; /* EZ_ROW_*, EZ_RETIRED */
    uint64_t trampoline, relocated;
    uint64_t program; /* address of the struct ez_program of a variant with clauses */
    /* back: address of the relocated code's jump back, 0: none; lands: this jump's destination */
    uint64_t back, lands;
    struct ez_with with;
    uint64_t clauses; /* one bit for each clause of the site */
};

/* The relocation of a patch region's instructions: for each its offset in the patch region (from)
 * and in the relocated code (to). */
struct ez_moved {
    uint16_t len, n;
    uint8_t from[EZ_MAX_PROLOGUE];
    uint16_t to[EZ_MAX_PROLOGUE];
};

enum {
    EZ_WANT_ENTRY,
    EZ_WANT_EXIT,
    EZ_WANT_REC_ENTRY,
    EZ_WANT_REC_EXIT,
    EZ_WANT_REPLACE,
    EZ_NWANT
};

struct ez_site {
    uint64_t addr, func;    /* addr: start of the patch; func: first byte of the function */
    struct ez_module *mod;  /* NULL after the module was unloaded */
    struct ez_module *gone; /* the unloaded module, while t->inf.gone has it */
    const struct ez_sym *sym;
    const struct ez_sym *called; /* alias that the first probe named; NULL: none, use sym */
    char *inlined; /* name of the function whose inlined instance begins here; NULL: none */
    struct ez_patch_region win;
    struct ez_moved reloc; /* relocation of the variant that was prepared last */
    int reloc_of;          /* index of the variant that `reloc` describes; -1: none yet */
    EZ_VEC(struct ez_variant) variant;
    int current;                          /* index of the planted variant; -1: original bytes */
    unsigned want[EZ_NWANT];              /* number of enabled probes that want each EZ_WANT_* */
    struct ez_with with;                  /* valid while the site has a replacement */
    EZ_VEC(struct ez_site_clause) clause; /* all clauses that the site ever had; 64 at most */
    /* lost: other code than eztsh's changed the bytes. exact: addr is not a function's first
     * byte */
    bool lost, exact;
    bool hook; /* the site has a hook of eztsh, and cannot have probes */
    /* EZ_JUMP_*: the site has a hook, because the function leaves other functions' frames
     * (longjmp); the site can also have probes. 0: no such hook */
    uint8_t jump;
    bool hosted; /* the patch region contains another site's island */
    int evicted; /* site index of the evicted neighbour when this site was analysed */
    /* number of sites that probes want and whose island is in this site's patch region */
    unsigned guests;

    bool kept_known, kept; /* kept: result of ez_site_kept(), if kept_known */
    uint8_t kept_results;
    bool framed;             /* no_exit and not_through are valid */
    const char *no_exit;     /* why exits cannot be followed; NULL: they can */
    const char *not_through; /* why exits cannot use call-through; NULL: they can */
    uint8_t after[16];
};

/* Returns true if eztsh has planted a patch at the site, in a loaded module. If the site is `lost`,
 * other code has changed the bytes since then. */
static inline bool ez_site_planted(const struct ez_site *s)
{
    return s->current >= 0 && s->mod;
}
/* Returns true if a patch is planted at any site with this value of `lost`. */
bool ez_sites_planted(const struct ez_target *t, bool lost);

/* A jump to a hook that an earlier eztsh left in the text, because calls that its probes followed
 * may be open. */
struct ez_left_hook {
    uint64_t addr;
    unsigned len;
    uint8_t bytes[16];
};

struct ez_patcher {
    EZ_VEC(struct ez_site) site;
    EZ_VEC(struct ez_left_hook) left_hook;
    uint32_t *site_hash; /* func -> index + 1, open addressing */
    size_t site_hash_size;
    bool exact_sites;    /* some sites are not at a function's first byte, so sites may overlap */
    unsigned strategies; /* EZ_BY() bits of all strategies that the sites use */
    /* a Bloom filter of addresses near punned sites (ez_site_near_punned) */
    uint8_t punned[1024];
    EZ_VEC(struct ez_island_page) island_page;
    /* the target's mappings when they were last read; NULL: not read */
    struct ez_maps *island_maps;
    EZ_VEC(struct ez_thread_place) region; /* each thread's pc at the last change of text */
};

struct ez_change {     /* the variant to plant at a site */
    int site, variant; /* variant -1: the original bytes */
};
struct ez_changes { /* freed with EZ_VEC_FREE() */
    size_t n, cap;
    struct ez_change *at;
};

#define EZ_TRAMPOLINE_ALIGN 64
#define EZ_TRAMPOLINE_USUAL                                                                        \
    320 /* usual bytes of a trampoline with its relocated code, for planning room */
/* almost always enough bytes for a trampoline with its relocated code */
#define EZ_TRAMPOLINE_MOST 448
#define EZ_TRAMPOLINE_ROOM                                                                         \
    1024 /* bytes to reserve for a trampoline whose length is not known yet */

/* Interface of site.c: */
/* Makes `name` the function's name in the trace, if it is the name of a symbol at the function's
 * address. */
void ez_site_call(struct ez_site *s, const char *name);
/* Finds or adds the site of the function at address func (exact true: of the instruction at func).
 * A site that is in use (ez_site_serves), or whose analysis is valid and chose one of the
 * strategies `by` (EZ_BY() bits), is returned unchanged. Otherwise the site is analysed: its patch
 * region and one of the strategies `by` are chosen. *out: index of the site. Returns EZ_E_REFUSED
 * if no strategy is possible. */
ez_err *ez_site_get(struct ez_target *t, uint64_t func, bool exact, unsigned by, int *out) EZ_WUR;
/* Analyses the function at func as ez_site_get() does, without adding a site. *out: the site that
 * would be added. */
ez_err *ez_site_try(struct ez_target *t, uint64_t func, bool exact, unsigned by,
                    struct ez_site *out) EZ_WUR;
/* Returns the original byte at address `at` if the site's jump, or its island in the text, covers
 * this address; otherwise NULL. */
const uint8_t *ez_site_original(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* Returns the byte that the planted patch has at address `at`, or NULL if the patch does not cover
 * this address. */
const uint8_t *ez_site_written(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* Stores a struct ez_left_hook until the process ends. */
void ez_left_hook_add(struct ez_target *t, uint64_t addr, const uint8_t *bytes, unsigned len);
/* Returns true if byte `live`, which is at address `at`, belongs to a struct ez_left_hook. */
bool ez_is_left_hook(const struct ez_target *t, uint64_t at, uint8_t live);
/* Returns the index of the site that is s's evicted neighbour, or -1. */
int ez_site_evict(const struct ez_target *t, const struct ez_site *s);
int ez_site_find(const struct ez_target *t, uint64_t func); /* Returns -1 if there is no site. */
/* maximum length in bytes of a jump with prefixes and of a landing instruction (endbr64) before
 * it */
#define EZ_SITE_NEAR 13
/* If it returns false, no punned site begins within EZ_SITE_NEAR bytes of func. If it returns true,
 * one may. */
bool ez_site_near_punned(struct ez_target *t, uint64_t func);
/* Adds a site for func, which is not analysed yet, for retired variants. Returns its index. */
int ez_site_hold(struct ez_target *t, uint64_t func);
void ez_sites_reserve(struct ez_target *t, size_t more);
void ez_sites_clear(struct ez_target *t);
void ez_sites_free(struct ez_target *t);
/* Call ez_sites_unloaded() when module m was unloaded, ez_sites_loaded_again() when m was loaded
 * again with the same text, ez_sites_dropped() when m is removed from t->inf.gone. */
void ez_sites_unloaded(struct ez_target *t, struct ez_module *m);
void ez_sites_loaded_again(struct ez_target *t, struct ez_module *m);
void ez_sites_dropped(struct ez_target *t, const struct ez_module *m);
bool ez_site_is_wanted(const struct ez_site *s);     /* Returns true if any probe wants the site. */
uint64_t ez_clauses_wanted(const struct ez_site *s); /* Returns one bit for each wanted clause. */
/* Returns true if a probe, a hook or another site's island uses the site. */
bool ez_site_serves(const struct ez_site *s);

/* Interface of prove.c: */
/* Returns why the site's exits cannot use call-through, or NULL if they can. The proof is made at
 * the first call. */
const char *ez_site_not_through(const struct ez_target *t, struct ez_site *s);
/* Returns why the function's exits cannot be followed, or NULL if they can. The proof is made at
 * the first call. */
const char *ez_site_no_exit(const struct ez_target *t, struct ez_site *s);
/* Makes the proofs of ez_site_not_through() and ez_site_no_exit() for all sites whose exits probes
 * want, in several threads. Does nothing if there are few such sites: their first call makes the
 * proof. */
ez_err *ez_sites_prove(struct ez_target *t) EZ_WUR;

/* Interface of clobber.c: */
/* Returns true if callers of the function may rely on registers that the psABI permits a call to
 * change, because the compiler knew the function's body. *results: the result registers that the
 * function may set (EZ_KEEP_*). Computed once per site. */
bool ez_site_kept(struct ez_target *t, struct ez_site *s, unsigned *results);

/* Interface of variant_adopt.c: */
/* Adopts a variant of an earlier shell, as its row describes it. Returns an error if this shell
 * would choose another patch region or generate another trampoline. *end: address of the
 * trampoline's end. */
ez_err *ez_site_adopt(struct ez_target *t, uint32_t id, const struct ez_row *row,
                      uint64_t *end) EZ_WUR;

/* Interface of pc_fixup.c: */
struct ez_way {                               /* a map from program counters to their new values */
    uint64_t lo, hi;                          /* only program counters in this range change */
    bool (*concerns)(void *arg, uint64_t pc); /* returns true if a saved pc may have to change */
    uint64_t (*to)(void *arg, uint64_t pc);   /* Returns the new pc, or 0 to keep the pc. */
    void *arg;
    bool look; /* change nothing: only store each thread's pc and new pc in patcher.region */
};
/* Changes the program counters of all threads, also those saved in signal frames, as `way` says.
 * The target must be stopped. */
ez_err *ez_pc_fixup(struct ez_target *t, const struct ez_way *way) EZ_WUR;

/* Interface of patch.c: */
/* Plants or removes the patches c[0..n): moves program counters, writes the journal and the text,
 * and verifies the text. The target must be stopped. Each site is changed completely or not at all.
 * *lost: number of sites that were not changed, because their bytes were not as expected or a
 * thread could not be moved. */
ez_err *ez_patch_apply(struct ez_target *t, const struct ez_change *c, size_t n,
                       unsigned *lost) EZ_WUR;
/* Returns an address at which the function at address func can be called without its replacement;
 * func if it has none. */
uint64_t ez_site_original_at(const struct ez_target *t, uint64_t func);
/* Lets replacements that are not planted any more, but that a thread may still be in, call the
 * original functions themselves instead of relocated code. The target must be stopped. */
ez_err *ez_originals_restore(struct ez_target *t) EZ_WUR;
/* Makes only the step of ez_patch_apply() that moves program counters. The target must be stopped.
 * look: moves none, but finds out which ones would move. patcher.region gets each thread's pc. */
ez_err *ez_patch_threads(struct ez_target *t, const struct ez_change *c, size_t n,
                         bool look) EZ_WUR;
/* Moves threads that are in the relocated code of variant v to the original instructions, which
 * must have been restored. The target must be stopped. */
ez_err *ez_patch_threads_back(struct ez_target *t, const struct ez_site *s,
                              const struct ez_variant *v) EZ_WUR;

/* Interface of halt_copy.c: */
/* Copies the instruction at h->addr, for a trap of a halt, sets h->copy and h->row, and makes a
 * trap at h->addr lead to the copy. Returns EZ_E_REFUSED if no trap is possible. The target must be
 * stopped. */
ez_err *ez_halt_copy(struct ez_target *t, struct ez_halt_trap *h) EZ_WUR;
/* Records in the journal whether the trap is planted (`stands`). */
void ez_halt_stands(struct ez_target *t, const struct ez_halt_trap *h, bool stands);

/* Interface of original.c: */
/* Reads n bytes of code at address `at`, with the original bytes in place of eztsh's patches;
 * without a process, from the program file. Returns the number of bytes read. */
size_t ez_read_original(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n);

#endif

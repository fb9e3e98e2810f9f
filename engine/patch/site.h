/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.h - how code is changed: sites, their trampolines, and the bytes that lead there.
 * analyze.h judges text.
 *
 *   site.c      sites                          variant.c       the trampolines of a site
 *   patch.c     writes bytes of live code      pc_fixup.c      moves program counters
 *   prove.c     may exits be followed, how?    return_thunk.c  return thunks of call-throughs */
#ifndef EZ_SITE_H
#define EZ_SITE_H

#include "engine/inferior/inferior.h"
#include "engine/patch/runtime.h"

/* A retired variant was made for another window on the same bytes. It is never planted again,
 * but what its trampoline still counts (a frame may return through it) belongs to the site. */
#define EZ_RETIRED 0x10000

/* What a function is replaced with: addresses. */
struct ez_with {
    uint64_t func; /* called instead; 0 = the function is not replaced              */
    uint64_t orig; /* pointer variable that leads to the original; 0 = none         */
};

/* What one probe asks of a site's hits beyond counting (clause.c). */
struct ez_site_clause {
    struct ez_clause_code *code;   /* owned                                           */
    int flags;                     /* EZ_ROW_*: what its id counts and records         */
    struct ez_drain_filter filter; /* of what passes; its `counter` is set with the id  */
    uint32_t id;    /* of what passes; id + 1: of what is filtered; id + 2: turns. 0 = none yet */
    unsigned wants; /* enabled probes that ask for it                  */
};

struct ez_variant { /* one id: a site in one mode */
    uint32_t id;
    uint32_t flags; /* EZ_ROW_*, EZ_RETIRED                                     */
    uint64_t trampoline, relocated;
    uint64_t program;     /* of a variant with clauses: struct ez_program             */
    uint64_t back, lands; /* the relocated code's jump back, 0 = none; and where that leads   */
    struct ez_with with;
    uint64_t clauses; /* a bit for each of the site's clauses                   */
};

/* Where the instructions of a window went: from an offset in the window to an offset in the
 * relocated code. */
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
    uint64_t addr, func;    /* the patch; the function's first byte               */
    struct ez_module *mod;  /* NULL once unloaded                               */
    struct ez_module *gone; /* the unloaded module, while it may come again     */
    const struct ez_sym *sym;
    const struct ez_sym
        *called; /* the alias that the first probe asked for; NULL = none, sym is the name */
    struct ez_patch_region win;
    struct ez_moved reloc; /* of the variant that was prepared last            */
    int reloc_of;          /* index of that variant, -1 = none yet             */
    EZ_VEC(struct ez_variant) variant;
    int current;             /* index of the planted variant, -1 = original bytes      */
    unsigned want[EZ_NWANT]; /* enabled probes that ask for each                 */
    struct ez_with with;     /* while a replacement wants the site                    */
    EZ_VEC(struct ez_site_clause) clause; /* all that it ever had, 64 at most          */
    bool lost, exact; /* others changed the bytes; addr is not a function's first byte */
    bool hook;        /* a hook of eztsh's own: carries no probe                */
    uint8_t jump;     /* EZ_JUMP_*: a hook where stacks are left; may carry probes besides */
    bool hosted;      /* an island stands in this site's window                     */
    int evicted;      /* index of the site of win.host when this site was judged  */
    unsigned guests;  /* wanted sites whose island lies in this one's window       */

    bool kept_known, kept; /* ez_site_kept() was asked, and what it said            */
    uint8_t kept_results;
    bool framed;             /* the next two were proved:                              */
    const char *no_exit;     /* why the exit must not be followed, NULL = it may be    */
    const char *not_through; /* why the exit cannot go by call-through, NULL = it can  */
    uint8_t after[16];
};

/* Has the site a patch of ours, in a module that is there? `lost` ones may have been changed by others since. */
static inline bool ez_site_planted(const struct ez_site *s)
{
    return s->current >= 0 && s->mod;
}

/* A jump to a hook that an earlier eztsh had to leave in text: calls that its probes follow may be open. */
struct ez_left_hook {
    uint64_t addr;
    unsigned len;
    uint8_t bytes[16];
};

struct ez_patcher {
    EZ_VEC(struct ez_site) site;
    EZ_VEC(struct ez_left_hook) left_hook;
    uint32_t *site_hash; /* func -> index + 1, open addressing                 */
    size_t site_hash_size;
    bool exact_sites;     /* some sites are not at a function's first byte: they may overlap */
    unsigned strategies;  /* that the sites use: EZ_BY()                                    */
    uint8_t punned[1024]; /* a bit per hash of addresses: sites there may rely on bytes behind */
    EZ_VEC(struct ez_island_page) island_page;
    struct ez_maps *island_maps; /* mappings when last read, for free pages; NULL = read */
    EZ_VEC(struct ez_thread_place) region; /* of each thread when text was changed last */
};

struct ez_change {     /* what a site shall carry from now on */
    int site, variant; /* variant -1 = the original bytes */
};
struct ez_changes { /* to be freed by EZ_VEC_FREE() */
    size_t n, cap;
    struct ez_change *at;
};

#define EZ_TRAMPOLINE_ALIGN 64
#define EZ_TRAMPOLINE_USUAL                                                                        \
    320 /* bytes of a trampoline with its relocated code, as room for many is planned */
#define EZ_TRAMPOLINE_MOST 448 /* bytes of a trampoline with its relocated code, nearly always */
#define EZ_TRAMPOLINE_ROOM                                                                         \
    1024 /* bytes to reserve for a trampoline whose length is not known yet */

/* site.c */
/* `name` becomes the function's name in the trace, if a symbol at its address has that name. */
void ez_site_call(struct ez_site *s, const char *name);
/* *out = the site of the function at `func` (`exact`: of the instruction at that address). A site
 * that serves somebody stays as it is; else it is judged for the strategies `by`. EZ_E_REFUSED
 * with the reason. */
ez_err *ez_site_get(struct ez_target *t, uint64_t func, bool exact, unsigned by, int *out) EZ_WUR;
/* Judge the function at `func` as ez_site_get() does, without adding a site: *out = the site that
 * would be made. */
ez_err *ez_site_try(struct ez_target *t, uint64_t func, bool exact, unsigned by,
                    struct ez_site *out) EZ_WUR;
/* The original byte at `at`, if the site's jump or its island in padding covers `at`; else NULL. */
const uint8_t *ez_site_original(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* The byte that the site's patch has at `at` now; NULL also if the site carries no patch. */
const uint8_t *ez_site_written(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* Remembers such a hook until the process ends. */
void ez_left_hook_add(struct ez_target *t, uint64_t addr, const uint8_t *bytes, unsigned len);
/* Returns whether the byte `live` at `at` is one of such a hook. */
bool ez_is_left_hook(const struct ez_target *t, uint64_t at, uint8_t live);
/* The site in whose window the island of s lies; -1 = none. */
int ez_site_evict(const struct ez_target *t, const struct ez_site *s);
int ez_site_find(const struct ez_target *t, uint64_t func); /* -1 = none         */
#define EZ_SITE_NEAR 13 /* bytes: a jump with prefixes, and a landing instruction before it */
/* May a punned site begin within EZ_SITE_NEAR bytes of func? (True may be wrong, false is not.) */
bool ez_site_near_punned(struct ez_target *t, uint64_t func);
/* Add a site for `func` that is not judged yet: it holds retired variants. */
int ez_site_hold(struct ez_target *t, uint64_t func);
void ez_sites_reserve(struct ez_target *t, size_t more);
void ez_sites_clear(struct ez_target *t);
void ez_sites_free(struct ez_target *t);
/* Module m was unloaded; was loaded again with the same text; will not be loaded again. */
void ez_sites_unloaded(struct ez_target *t, struct ez_module *m);
void ez_sites_loaded_again(struct ez_target *t, struct ez_module *m);
void ez_sites_dropped(struct ez_target *t, const struct ez_module *m);
/* Does a probe, a hook or a guest rely on the site's bytes now? */
bool ez_site_serves(const struct ez_site *s);

/* prove.c */
/* Why the site's exits cannot go by call-through, NULL = they can. Proved once. */
const char *ez_site_not_through(const struct ez_target *t, struct ez_site *s);
/* Why the site's exits must not be followed, by what its code does; NULL = they may be. */
const char *ez_site_no_exit(const struct ez_target *t, struct ez_site *s);
/* Prove both for all sites whose exits are asked for: several threads share the work when the
 * sites are many. */
ez_err *ez_sites_prove(struct ez_target *t) EZ_WUR;

/* clobber.c */
/* May callers of the function rely on registers that a call may change, because the compiler knew
 * its body? *results = the result registers that it sets (EZ_KEEP_*). Asked once a site. */
bool ez_site_kept(struct ez_target *t, struct ez_site *s, unsigned *results);

/* variant_adopt.c */
/* Take over a variant of an earlier shell, as its row describes it. It is checked: the window must
 * be what we would choose, the trampoline what we would make. *end = where the trampoline ends. */
ez_err *ez_site_adopt(struct ez_target *t, uint32_t id, const struct ez_row *row,
                      uint64_t *end) EZ_WUR;

/* pc_fixup.c */
struct ez_way {                               /* where program counters go on */
    uint64_t lo, hi;                          /* saved ones outside [lo, hi] stay */
    bool (*concerns)(void *arg, uint64_t pc); /* may a saved pc have to move?     */
    uint64_t (*to)(void *arg, uint64_t pc);   /* where pc moves to; 0 = it stays  */
    void *arg;
    bool look; /* move none: only note where each would go               */
};
ez_err *ez_pc_fixup(struct ez_target *t, const struct ez_way *way) EZ_WUR;

/* patch.c */
/* World stopped. Moves program counters, writes, verifies, journals. Each site is changed
 * completely or not at all: *lost counts the sites whose bytes were not what we had written. */
ez_err *ez_patch_apply(struct ez_target *t, const struct ez_change *c, size_t n,
                       unsigned *lost) EZ_WUR;
/* World stopped. Only the step of ez_patch_apply() that moves program counters; `look`: move none.
 * patcher.window says where each thread stood. */
ez_err *ez_patch_threads(struct ez_target *t, const struct ez_change *c, size_t n,
                         bool look) EZ_WUR;
/* World stopped. Have the threads that stand in the relocated code of the site's variant go on at the
 * original instructions, which are in place. */
ez_err *ez_patch_threads_back(struct ez_target *t, const struct ez_site *s,
                              const struct ez_variant *v) EZ_WUR;

/* halt_copy.c */
/* World stopped: as struct ez_inferior_ops says */
ez_err *ez_halt_copy(struct ez_target *t, struct ez_halt_trap *h) EZ_WUR;
void ez_halt_stands(struct ez_target *t, const struct ez_halt_trap *h, bool stands);

/* original.c */
/* Reads code with the bytes that our jumps and breakpoints replaced put back; without a process, the program
 * file's. Returns how many bytes could be read. */
size_t ez_read_original(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.h - how code is changed: which bytes may be, where their stubs go, what stands there.
 * Text is judged in analyze.h.
 *
 *   site.c     sites; variant.c: their stubs       patch.c   bytes of live code, pc_fixup.c
 *   frame.c    may its exit go by call-through?    return_thunk.c    the return thunks it goes through */
#ifndef EZ_SITE_H
#define EZ_SITE_H

#include "engine/inferior/inferior.h"
#include "engine/patch/runtime.h"

/* Of another window on the same bytes: never planted again, but what goes on counting there
 * (a frame that returns through its stub) is the site's. */
#define EZ_RETIRED 0x8000

struct ez_variant { /* one id: a site in one mode */
    uint32_t id;
    uint16_t flags; /* EZ_ROW_*, EZ_RETIRED                                     */
    uint64_t stub, relocated;
    uint64_t back, lands; /* the relocated code's jump back, and where that leads; 0 = none   */
};

struct ez_moved { /* where the instructions of a window went, in bytes from its relocated code */
    uint16_t len, n;
    uint8_t from[EZ_MAX_PROLOGUE];
    uint16_t to[EZ_MAX_PROLOGUE];
};

struct ez_site {
    uint64_t addr, func;    /* the patch; the function's first byte               */
    struct ez_module *mod;  /* NULL once unloaded                               */
    struct ez_module *gone; /* what it was of then, while that may come again   */
    const struct ez_sym *sym;
    const struct ez_sym
        *called; /* that, or the alias that its first probe asked for; NULL = that */
    struct ez_window win;
    struct ez_moved reloc; /* of the variant that was prepared last            */
    int reloc_of;          /* its index, -1 = none yet                         */
    EZ_VEC(struct ez_variant) variant;
    int current;      /* index of the planted variant, -1 = original bytes      */
    unsigned want[4]; /* enabled probes that ask for: entry, exit, and each recorded */
    bool lost, exact; /* bytes changed under us; not a function's first byte    */
    bool hook;        /* of our own: carries no probe                           */
    uint8_t jump;     /* EZ_JUMP_*: hooked, and carries probes besides          */
    bool hosted;      /* an island stands in its window                             */
    int host;         /* index of the site that win.host had when this was judged */
    unsigned guests;  /* wanted sites whose island lies in this one's window       */

    bool framed;             /* these two are known:                                   */
    const char *no_exit;     /* why its exit must not be followed, NULL = it may be    */
    const char *not_through; /* why its exit cannot go by call-through, NULL = it can  */
    uint8_t after[16];
};

#define EZ_STUB_ALIGN 64
#define EZ_STUB_USUAL 320 /* bytes of a stub with its relocated code, as room for many is planned */
#define EZ_STUB_MOST 448  /* bytes of a stub with its relocated code, nearly always */
#define EZ_STUB_ROOM 1024 /* what is looked for before its length is known */

/* alloc.c */
/* Room for `n` bytes within reach of addr. */
ez_err *ez_stub_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                     uint8_t **mirror) EZ_WUR;
/* Of the room that was taken last only n bytes are needed. */
void ez_stub_fits(struct ez_target *t, uint64_t at, size_t n);
ez_err *ez_stub_flush(struct ez_target *t) EZ_WUR; /* mirrors, return thunks -> target   */
/* Map so many bytes R-X within reach of addr. World stopped. EZ_E_RANGE. */
ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why,
                    uint64_t *at) EZ_WUR;
/* Make room for stubs of `n` bytes in all within reach of addr, if there is not as much
 * yet. World stopped. */
ez_err *ez_stub_reserve(struct ez_target *t, uint64_t addr, size_t n) EZ_WUR;
/* Where room for a stub would be made: in an area that is there, or in the nearest free
 * memory. EZ_E_RANGE. */
ez_err *ez_stub_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at) EZ_WUR;
bool ez_stub_owns(struct ez_target *t, uint64_t lo, uint64_t hi);

/* island.c */
/* Where a punned jump over w shall lead: w->island, its room taken if it is to be kept.
 * Nothing is mapped yet. EZ_E_REFUSED. */
ez_err *ez_island_pun(struct ez_target *t, struct ez_window *w, bool keep) EZ_WUR;
/* The same for a window of one byte and the one of the function right behind it, which
 * becomes its host. */
ez_err *ez_island_pair(struct ez_target *t, struct ez_window *f, struct ez_window *g,
                       bool keep) EZ_WUR;
/* Map what is taken. World stopped. What cannot be mapped stays unmapped. */
ez_err *ez_islands_map(struct ez_target *t) EZ_WUR;
/* Look again at what is mapped: of what is taken, what others have now is given up. */
ez_err *ez_islands_refresh(struct ez_target *t) EZ_WUR;
bool ez_island_ours(const struct ez_target *t, uint64_t island); /* taken, or mapped */
bool ez_island_mapped(const struct ez_target *t, uint64_t island);
/* The pages under an island that an earlier shell mapped, and that nothing leads to any more. */
void ez_island_adopt(struct ez_target *t, uint64_t island);
void ez_islands_clear(struct ez_target *t);

/* trap.c; world stopped */
ez_err *ez_trap_allowed(struct ez_target *t) EZ_WUR; /* EZ_E_REFUSED               */
/* Has it an entry in the table, which never gives one back? Is there room for one, when so
 * many others are to come? EZ_E_REFUSED. */
bool ez_trap_known(const struct ez_target *t, uint64_t at);
ez_err *ez_trap_room(const struct ez_target *t, uint64_t at, size_t others) EZ_WUR;
/* The breakpoint at `at` leads to `stub` from now on. */
ez_err *ez_trap_point(struct ez_target *t, uint64_t at, uint64_t stub) EZ_WUR;
ez_err *ez_traps_end(struct ez_target *t) EZ_WUR; /* none is planted any more      */
/* Go on with the table that an earlier shell left. */
ez_err *ez_traps_adopt(struct ez_target *t) EZ_WUR;
/* The stub of the breakpoint of ours that a thread with this pc ran into; 0 = none. */
uint64_t ez_trap_stub(const struct ez_target *t, uint64_t pc);

/* site.c */
/* The site of the function at `func` (an exact address: of the instruction there),
 * analysed for the strategies `by`, unless it is in use by another; EZ_E_REFUSED with the
 * reason. */
/* The name of its function in the trace, if it is one of that address. */
void ez_site_call(struct ez_site *s, const char *name);
ez_err *ez_site_get(struct ez_target *t, uint64_t func, bool exact, unsigned by, int *out) EZ_WUR;
/* The same without effect, on any but the one that is in use: would it be one? */
ez_err *ez_site_try(struct ez_target *t, uint64_t func, bool exact, unsigned by,
                    struct ez_site *out) EZ_WUR;
/* What stood at `at`, if the site's bytes or its island in padding cover it; else NULL. */
const uint8_t *ez_site_original(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* The same of what its patch has there now; NULL also if it carries none. */
const uint8_t *ez_site_written(const struct ez_target *t, const struct ez_site *s, uint64_t at);
/* The site in whose window its island lies; -1 = none. */
int ez_site_host(const struct ez_target *t, const struct ez_site *s);
int ez_site_find(const struct ez_target *t, uint64_t func); /* -1 = none         */
#define EZ_SITE_NEAR 13 /* bytes: a jump with prefixes, and a landing instruction before it */
/* May a site that is punned begin so near to func? (It may be said for nothing.) */
bool ez_site_near_punned(struct ez_target *t, uint64_t func);
/* The site of a function that is judged when somebody wants it: a place for retired variants. */
int ez_site_hold(struct ez_target *t, uint64_t func);
void ez_sites_clear(struct ez_target *t);
/* Its module went; is there once more, with the same text; will not come any more. */
void ez_sites_unloaded(struct ez_target *t, struct ez_module *m);
void ez_sites_loaded_again(struct ez_target *t, struct ez_module *m);
void ez_sites_dropped(struct ez_target *t, const struct ez_module *m);
/* One more (or one less) probe that asks for these EZ_ROW_* flags. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta);
int ez_site_wanted(const struct ez_site *s); /* all of them together */
/* Somebody relies on its bytes now. */
bool ez_site_serves(const struct ez_site *s);

/* prove.c */
/* Why its exits cannot go by call-through, NULL = they can. Proved once. */
const char *ez_site_not_through(const struct ez_target *t, struct ez_site *s);
/* Why its exit must not be followed, by what its code does; NULL = it may be. */
const char *ez_site_no_exit(const struct ez_target *t, struct ez_site *s);
/* Both, of all sites whose exits are asked for: faster when they are many. */
ez_err *ez_sites_prove(struct ez_target *t) EZ_WUR;

/* variant.c */
/* The variant that serves all that is wanted: *variant -1 = original bytes. Makes
 * stub and row when it is new. World stopped. */
ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant) EZ_WUR;
/* How the site's exits are followed, or would be: "call-through" or "paired return slot",
 * and then *because = why not the other way (NULL = it was not asked for). */
const char *ez_exit_mode(struct ez_target *t, int site, const char **because);
void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits);
/* A hook of our own on `func`, planted: calls `thunk`. World stopped. Such a site serves
 * no probe. */
ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk) EZ_WUR;
/* The same where stacks are left (EZ_JUMP_*); probes may come and go there. */
ez_err *ez_site_jump(struct ez_target *t, uint64_t func, unsigned kind) EZ_WUR;
/* A variant of another shell, as its row says, which is checked: the place is what we
 * would choose, the stub what we would make there. *end = where it ends. */
ez_err *ez_site_adopt(struct ez_target *t, uint32_t id, const struct ez_row *row,
                      uint64_t *end) EZ_WUR;
void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v);

/* return_thunk.c */
/* Make return thunks within reach of addr, if there are none yet. World stopped. EZ_E_RANGE,
 * EZ_E_LIMIT: exits go by slots. */
ez_err *ez_pool_reserve(struct ez_target *t, uint64_t addr) EZ_WUR;
struct ez_pool *ez_pool_near(struct ez_target *t, uint64_t addr); /* NULL = none     */
/* The return thunk of `id` leads to `target`, and out to where exits are recorded or counted:
 * its address. */
uint64_t ez_return_thunk_set(struct ez_target *t, struct ez_pool *pool, uint32_t id,
                             uint64_t target, bool recorded);
ez_err *ez_return_thunks_flush(struct ez_target *t) EZ_WUR;
/* Go on with the thunk pools that an earlier shell made for ids < n, once they are checked. */
ez_err *ez_pools_adopt(struct ez_target *t, const uint64_t *base, unsigned npools,
                       uint32_t n) EZ_WUR;

/* pc_fixup.c */
struct ez_way {                               /* where program counters go on */
    uint64_t lo, hi;                          /* saved ones elsewhere are left alone */
    bool (*concerns)(void *arg, uint64_t pc); /* is a saved one worth a closer look? */
    uint64_t (*to)(void *arg, uint64_t pc);   /* 0 = where it is                     */
    void *arg;
};
ez_err *ez_pc_fixup(struct ez_target *t, const struct ez_way *way) EZ_WUR;

/* patch.c */
struct ez_change {     /* what a site shall carry from now on */
    int site, variant; /* variant -1 = the original bytes */
};
/* World stopped. Moves program counters, writes, verifies, journals. All or
 * nothing for each site: *lost counts the sites whose bytes were not ours. */
ez_err *ez_patch_apply(struct ez_target *t, const struct ez_change *c, size_t n,
                       unsigned *lost) EZ_WUR;

/* original.c */
size_t ez_read_code(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n); /* as it is */
/* Code as it is without our jumps and breakpoints; without a process, the program
 * file's. Returns how many bytes there are. */
size_t ez_read_original(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n);

#endif

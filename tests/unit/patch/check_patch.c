/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_patch.c - text is changed in an order in which every state between two writes runs, and
 * is given back in one, by us and by the journal alone. Each write to the target is looked at:
 * after it, each function has its own bytes or a jump that is whole, leads on to a trampoline, and
 * that the journal knows. The program is one whose functions are reached in all ways: jumps,
 * islands in padding and in hosts, puns and pairs of them, traps. */
#include <sys/mman.h>

#include "tests/unit/process.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/thread.h"
#include "engine/patch/variant.h"
#include "engine/probe/hand.h"
#include "engine/probe/probe_list.h"

/* ---- what stands --------------------------------------------------------------------------- */

struct snap { /* of a site that is planted */
    struct ez_patch_region win;
    uint64_t addr, trampoline, relocated;
    uint8_t after[16], island[16];
    size_t island_len;
    const struct ez_row *row;
    struct ez_moved moved;
};
static struct snap snap[256];
static size_t nsnaps;
static unsigned writes, states; /* looked at; sites that carried a jump then, all writes */

static void take_snaps(void)
{
    nsnaps = 0;
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        if (s->current < 0 || s->hook || s->jump)
            continue;
        ck_assert_uint_lt(nsnaps, EZ_ARRAY_LEN(snap));
        const struct ez_variant *v = &s->variant.at[s->current];
        struct snap *p = &snap[nsnaps++];
        *p = (struct snap){
            .win = s->win, .addr = s->addr, .trampoline = v->trampoline, .relocated = v->relocated
        };
        p->row = &t->rt.rows[v->id];
        p->moved = s->reloc;
        memcpy(p->after, p->row->after, sizeof p->after);
        p->island_len = s->win.island ? (size_t)t->inf.arch->jump.len : 0;
        memcpy(p->island, p->row->island_after, sizeof p->row->island_after);
        if (s->win.strategy == EZ_PUN) {
            p->island_len = (size_t)t->inf.arch->jump.far_len;
            t->inf.arch->jump.write_far(v->trampoline, p->island);
        }
    }
}

static void live(uint64_t at, void *buf, size_t n)
{
    ck_assert_msg(ez_mem_read_some(t, at, buf, n) == n, "nothing at 0x%lx", (unsigned long)at);
}

static const char *name_of(const struct snap *p)
{
    const struct ez_sym *s = ez_symbolize(t, (ez_addr){ p->addr }, NULL, NULL);
    return s ? s->name : "?";
}

static unsigned count(enum ez_strategy s, bool hosts)
{
    unsigned n = 0;
    for (size_t i = 0; i < nsnaps; i++)
        n += snap[i].win.strategy == s && (!hosts || snap[i].win.evicted);
    return n;
}

/* Does a function have all its own bytes, or a whole jump that leads to its trampoline? */
static bool jumps(const struct snap *p)
{
    uint8_t now[32], lead[16], none[16] = { 0 };
    live(p->addr, now, sizeof now);
    if (!memcmp(now, p->win.bytes, p->win.jump)) {
        ck_assert_msg(!memcmp(now, p->win.bytes, p->win.len), "%s runs over bytes of an island",
                      name_of(p));
        return false;
    }
    ck_assert_msg(!memcmp(now, p->after, p->win.jump), "%s is neither", name_of(p));
    ck_assert_msg(p->row->planted, "%s is not in the journal", name_of(p));
    live(p->trampoline, lead, sizeof lead);
    ck_assert_msg(memcmp(lead, none, sizeof lead) != 0, "%s has no stub", name_of(p));
    if (p->island_len) {
        live(p->win.island, lead, p->island_len);
        ck_assert_msg(!memcmp(lead, p->island, p->island_len), "the island of %s is not there",
                      name_of(p));
    }
    if (p->win.strategy == EZ_TRAP) {
        struct rt_trap trap[EZ_NTRAP];
        size_t i = 0;
        live(t->rt.blob + EZ_RT_TRAPS, trap, sizeof trap);
        while (i < EZ_NTRAP && (trap[i].addr != p->addr || trap[i].trampoline != p->trampoline))
            i++;
        ck_assert_msg(i < EZ_NTRAP, "%s: a trap that leads nowhere", name_of(p));
    }
    return true;
}

static unsigned standing(void)
{
    unsigned n = 0;
    for (size_t i = 0; i < nsnaps; i++)
        n += jumps(&snap[i]);
    return n;
}

/* ---- the door ------------------------------------------------------------------------------- */

static bool looks;
static uint64_t spoil;  /* the address at which another byte is written than asked for */
static bool undo_fails; /* what was written cannot be taken back */

ez_err *__real_ez_mem_write(struct ez_target *x, uint64_t to, const void *buf, size_t n,
                            const char *why);
ez_err *__wrap_ez_mem_write(struct ez_target *x, uint64_t to, const void *buf, size_t n,
                            const char *why);
ez_err *__wrap_ez_mem_write(struct ez_target *x, uint64_t to, const void *buf, size_t n,
                            const char *why)
{
    EZ_FREE uint8_t *bytes = ez_alloc(n);
    memcpy(bytes, buf, n);
    if (undo_fails && !strcmp(why, "restore the original bytes"))
        return ez_err_new(EZ_E_SYS, EIO, "Cannot write to 0x%lx", (unsigned long)to);
    if (spoil >= to && spoil < to + n && !strcmp(why, "plant or remove probes"))
        bytes[spoil - to] ^= 1;
    ez_err *e = __real_ez_mem_write(x, to, bytes, n, why);
    if (looks && !e && x == t) {
        writes++;
        states += standing();
    }
    return e;
}

/* Where threads are sent, at each change: `leaving` = from islands that are given back. */
static enum { NOWHERE, ENTERING, LEAVING } moves;
static unsigned led;

static void leads_on(const struct ez_way *w, uint64_t pc, uint64_t to, const struct snap *p)
{
    ck_assert_msg(pc >= w->lo && pc <= w->hi && w->concerns(w->arg, pc), "%s: %#lx is passed over",
                  name_of(p), (unsigned long)pc);
    ck_assert_msg(w->to(w->arg, pc) == to, "%s: %#lx leads to %#lx", name_of(p), (unsigned long)pc,
                  (unsigned long)w->to(w->arg, pc));
    led++;
}

ez_err *__real_ez_pc_fixup(struct ez_target *x, const struct ez_way *w);
ez_err *__wrap_ez_pc_fixup(struct ez_target *x, const struct ez_way *w);
ez_err *__wrap_ez_pc_fixup(struct ez_target *x, const struct ez_way *w)
{
    for (size_t i = 0; moves && i < nsnaps; i++) {
        const struct snap *p = &snap[i];
        if (moves == LEAVING && p->win.strategy == EZ_ISLAND)
            leads_on(w, p->win.island, p->trampoline, p);
        for (size_t k = 1; moves == ENTERING && k < p->moved.n; k++)
            leads_on(w, p->addr + p->moved.from[k], p->relocated + p->moved.to[k], p);
    }
    return __real_ez_pc_fixup(x, w);
}

/* ---- the program ---------------------------------------------------------------------------- */

static struct ez_numbers every; /* of its probes */

static void plant_all(int strategy)
{
    struct ez_bulk bulk;
    t->set.strategy = (unsigned)strategy;
    must(ez_probe_add_matching(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "." },
                               &bulk));
    ck_assert_uint_gt(bulk.planted, 10);
    every = (struct ez_numbers){ 1, t->probes.next_number - 1 };
}

static void setup(void)
{
    launch("p_reach", "/nowhere/stop /nowhere/go 1");
    outlived_by_none(t->inf.pid);
    looks = undo_fails = false;
    moves = NOWHERE;
    spoil = writes = states = led = 0;
}

/* Each strategy by itself, and the automatic choice; in merged writes, and in one write a patch. */
static const int strategy[] = { EZ_USE_ANY, EZ_USE_JUMP, EZ_USE_ISLAND, EZ_USE_PUN, EZ_USE_TRAP };
#define NSTRATEGIES ((int)EZ_ARRAY_LEN(strategy))

/* ---- tests ------------------------------------------------------------------------------------ */

static void there_are_enough(int how)
{
    ck_assert_uint_gt(nsnaps, 10);
    if (how == EZ_USE_ANY) {
        ck_assert_uint_ge(count(EZ_ISLAND, false), 5);
        ck_assert_uint_ge(count(EZ_ISLAND, true), 1);
    }
    ck_assert(how != EZ_USE_ISLAND || count(EZ_ISLAND, true) >= 1);
    ck_assert(how != EZ_USE_PUN || count(EZ_PUN, false) >= 10);
    ck_assert(how != EZ_USE_TRAP || count(EZ_TRAP, false) > 40);
}

START_TEST(each_state_runs)
{
    int how = strategy[_i % NSTRATEGIES];
    plant_all(how);
    take_snaps();
    there_are_enough(how);
    unsigned all = standing();
    ck_assert_uint_eq(all, nsnaps);
    looks = true;
    t->inf.pokes = _i >= NSTRATEGIES;
    moves = LEAVING;
    must(ez_probe_enable(t, &every, 1, false));
    ck_assert_uint_eq(standing(), 0);
    moves = ENTERING;
    must(ez_probe_enable(t, &every, 1, true));
    ck_assert_uint_eq(standing(), all);
    moves = LEAVING;
    must(ez_probe_delete(t, &every, 1));
    ck_assert_uint_eq(standing(), 0);
    for (size_t i = 0; i < nsnaps; i++)
        ck_assert_msg(!snap[i].row->planted, "%s", name_of(&snap[i]));
    ck_assert_uint_ge(writes, t->inf.pokes ? 3 * all : 3);
    ck_assert(!t->inf.pokes || states > 3 * all);
    ck_assert(how == EZ_USE_PUN || how == EZ_USE_TRAP || led);
}
END_TEST

/* The same when another shell gives text back, which has the journal alone. */
START_TEST(each_state_runs_for_a_stranger)
{
    struct ez_target *stranger;
    unsigned kept;
    int pid = t->inf.pid;
    plant_all(strategy[_i]);
    take_snaps();
    there_are_enough(strategy[_i]);
    size_t size = t->rt.seg_size;
    const struct ez_hdr *hdr = mmap(NULL, size, PROT_READ, MAP_SHARED, t->rt.memfd, 0);
    ck_assert_ptr_ne(hdr, MAP_FAILED);
    for (size_t i = 0; i < nsnaps; i++)
        snap[i].row = (const void *)((const char *)hdr +
                                     ((const char *)snap[i].row - (const char *)t->rt.hdr));
    uint64_t blob = t->rt.blob;
    must(ez_detach_keep(t, &kept));
    must(ez_target_create(&stranger));
    ez_target_destroy(t);
    t = stranger;
    t->rt.blob = blob; /* where traps are looked for */
    looks = true;
    moves = LEAVING;
    must(ez_attach(t, pid, true));
    looks = false;
    ck_assert_uint_eq(standing(), 0);
    ck_assert_uint_gt(writes, 3);
    ck_assert_uint_ge(led, count(EZ_ISLAND, false));
}
END_TEST

/* If a byte does not read back, all bytes are put back, and nothing is planted. */
START_TEST(what_does_not_read_back_is_undone)
{
    plant_all(EZ_USE_ANY);
    take_snaps();
    unsigned all = standing();
    must(ez_probe_enable(t, &every, 1, false));
    for (size_t i = 0; i < nsnaps; i += 7) {
        spoil = snap[i].addr + snap[i].win.jump - 1u;
        const char *why = why_not(ez_probe_enable(t, &every, 1, true));
        EZ_FREE char *want = ez_sprintf("The code written at 0x%lx reads back differently",
                                        (unsigned long)snap[i].addr);
        ck_assert_str_eq(why, want);
        ck_assert_uint_eq(standing(), 0);
    }
    spoil = 0;
    must(ez_probe_enable(t, &every, 1, true));
    ck_assert_uint_eq(standing(), all);
}
END_TEST

/* If the bytes cannot be put back, either, the error has both reasons. */
START_TEST(what_cannot_be_undone_is_told)
{
    plant_all(EZ_USE_JUMP);
    take_snaps();
    must(ez_probe_enable(t, &every, 1, false));
    spoil = snap[0].addr + snap[0].win.jump - 1u;
    undo_fails = true;
    ez_err *e = ez_probe_enable(t, &every, 1, true);
    ck_assert_ptr_nonnull(e);
    static const char begin[] =
        "The original bytes could not be restored, either: Cannot write to 0x";
    ck_assert_ptr_nonnull(e->hint);
    ck_assert_msg(!strncmp(e->hint, begin, strlen(begin)), "%s", e->hint);
    ck_assert_ptr_nonnull(strstr(why_not(e), " reads back differently"));
    spoil = 0;
    undo_fails = false;
}
END_TEST

/* A call-through needs a return thunk that a jump of the trampoline reaches. */
START_TEST(thunks_out_of_reach)
{
    static uint8_t code[4096];
    char want[64];
    int site = plant("main", EZ_PROBE_ENTRY, true);
    const struct ez_site *s = &t->patcher.site.at[site];
    struct ez_site far = *s;
    struct ez_variant v = s->variant.at[s->current];
    v.flags |= EZ_ROW_THROUGH;
    v.trampoline += 1ull << 40;
    far.addr += 1ull << 40;
    snprintf(want, sizeof want, "no return thunks within reach of 0x%lx", (unsigned long)far.addr);
    ez_err *e = ez_variant_fill(t, &far, &v, code);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_RANGE);
    ck_assert_str_eq(why_not(e), want);
}
END_TEST

/* Steps by hand are made in their order, each once; the jump is not written over a thread. */
START_TEST(steps_by_hand_in_their_order)
{
    int first, n;
    struct ez_regs *r;
    struct ez_thread *th = ez_thread_current(t);
    must(ez_begin(t));
    t->probes.holding = true;
    must(
        ez_probe_add(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "main" }, &first, &n));
    must(ez_hand_begin(t, first));
    must(ez_hand_step(t, EZ_HAND_ROOM));
    ck_assert_str_eq(why_not(ez_hand_step(t, EZ_HAND_ROOM)), "This step is already done");
    ck_assert_str_eq(why_not(ez_hand_step(t, EZ_HAND_RELOCATE)), "An earlier step is not done yet");
    must(ez_hand_step(t, EZ_HAND_MAP));
    must(ez_hand_step(t, EZ_HAND_RELOCATE));
    must(ez_hand_step(t, EZ_HAND_TRAMPOLINE));
    const struct ez_site *s = &t->patcher.site.at[ez_probe_numbered(t, first)->site];
    must(ez_thread_regs(th, &r));
    const struct ez_regs was = *r;
    struct ez_regs inside = was;
    t->inf.arch->regs.set_pc(&inside, s->addr + s->reloc.from[1]);
    must(ez_thread_set_regs(th, &inside));
    ck_assert_str_eq(why_not(ez_hand_step(t, EZ_HAND_JUMP)),
                     "A thread is at an instruction that the jump would overwrite");
    must(ez_thread_set_regs(th, &was));
    must(ez_hand_step(t, EZ_HAND_JUMP));
    ck_assert_int_eq(ez_probe_numbered(t, first)->state, EZ_PROBE_ARMED);
}
END_TEST

/* Bytes that somebody else changed meanwhile stay; the others are given back. */
START_TEST(what_others_changed_stays)
{
    uint8_t byte;
    plant_all(EZ_USE_JUMP);
    take_snaps();
    struct snap *p = &snap[nsnaps / 2];
    live(p->addr + 2, &byte, 1);
    byte ^= 0x10;
    must(__real_ez_mem_write(t, p->addr + 2, &byte, 1, "be somebody else"));
    must(ez_probe_delete(t, &every, 1));
    listen();
    ck_assert_msg(strstr(said, "changed by somebody else"), "%s", said);
    uint8_t now;
    live(p->addr + 2, &now, 1);
    ck_assert_uint_eq(now, byte);
    *p = snap[--nsnaps];
    ck_assert_uint_eq(standing(), 0);
}
END_TEST

/* ---- threads on their way --------------------------------------------------------------------- */

static uint64_t goes_on(uint64_t pc, bool on)
{
    struct ez_regs *live_regs, was, now;
    struct ez_thread *th = ez_thread_current(t);
    must(ez_thread_regs(th, &live_regs));
    was = now = *live_regs;
    t->inf.arch->regs.set_pc(&now, pc);
    must(ez_thread_set_regs(th, &now));
    must(ez_probe_enable(t, &every, 1, on));
    must(ez_thread_regs(th, &live_regs));
    pc = t->inf.arch->regs.pc(live_regs);
    must(ez_thread_set_regs(th, &was));
    return pc;
}

START_TEST(a_thread_goes_on)
{
    unsigned islands = 0, inside = 0;
    plant_all(EZ_USE_ANY);
    take_snaps();
    for (size_t i = 0; i < nsnaps; i++) {
        const struct snap *p = &snap[i];
        if (p->win.strategy != EZ_ISLAND && (p->moved.n < 2 || inside > 8))
            continue;
        bool island = p->win.strategy == EZ_ISLAND;
        uint64_t from = island ? p->win.island : p->addr, left = goes_on(from, false);
        ck_assert_msg(left == (island ? p->trampoline : p->addr), "%s: %#lx", name_of(p),
                      (unsigned long)left);
        from = p->moved.n > 1 ? p->addr + p->moved.from[1] : p->addr;
        uint64_t to = p->moved.n > 1 ? p->relocated + p->moved.to[1] : p->addr;
        ck_assert_msg(goes_on(from, true) == to, "%s", name_of(p));
        islands += island;
        inside += p->moved.n > 1;
    }
    ck_assert_uint_ge(islands, 5);
    ck_assert_uint_ge(inside, 5);
}
END_TEST

/* ---- unwinders --------------------------------------------------------------------------------- */

static const struct ez_module *unwinder(void)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->obj &&
            ez_symbol_addr(t, t->inf.module.at[i], "__register_frame_info"))
            return t->inf.module.at[i];
    return NULL;
}

static uint64_t jump_leads_to(uint64_t at)
{
    uint8_t code[16];
    struct ez_insn in;
    must(ez_mem_read(t, at, code, sizeof code));
    must(t->inf.arch->decode.insn(code, sizeof code, at, &in));
    ck_assert_int_eq(in.flow, EZ_FLOW_JMP);
    return in.target;
}

/* A thread may come out of the copy that a breakpoint left when a jump stands where it came from. */
START_TEST(a_breakpoints_copy_is_led_on)
{
    launch("p_loop", "/nowhere/stop 1");
    outlived_by_none(t->inf.pid);
    must(ez_modules_refresh(t));
    uint64_t f = ez_symbol_addr(t, t->inf.module.at[0], "beat");
    ck_assert_uint_ne(f, 0);
    must(ez_halt_trap_plant(t, f));
    struct ez_halt_trap h = t->inf.halts.trap.at[0];
    ck_assert_uint_eq(t->inf.halts.back.n, 1);
    uint64_t leave = t->inf.halts.back.at[0].at;
    ck_assert_uint_gt(leave, h.copy);
    must(ez_halt_traps_out(t));
    ck_assert_uint_eq(jump_leads_to(leave), f + h.len);
    ck_assert_uint_eq(ez_halt_trap_lands(t, leave), f + h.len);
    int site = plant("beat", EZ_PROBE_ENTRY, false);
    const struct ez_site *s = &t->patcher.site.at[site];
    ck_assert_uint_gt(s->win.len, h.len);
    ck_assert_uint_eq(s->reloc.from[1], h.len);
    ck_assert_uint_eq(jump_leads_to(leave), s->variant.at[s->current].relocated + s->reloc.to[1]);
    ck_assert_uint_eq(ez_halt_trap_lands(t, leave), 0);
    close_target();
}
END_TEST

/* Exit probes need the unwinder's look-up: a user's probe there makes way, and stays away. The
 * runtime is told what knows frames. */
START_TEST(an_unwinders_look_up_is_ours)
{
    launch("p_unwind", "late /nowhere/go");
    outlived_by_none(t->inf.pid);
    must(ez_modules_refresh(t));
    const struct ez_module *m = unwinder();
    if (!m)
        return; /* a libgcc that is inside the program, or another unwinder */
    uint64_t look_up = ez_symbol_addr(t, m, "_Unwind_Find_FDE");
    int user = plant("_Unwind_Find_FDE", EZ_PROBE_ENTRY, false);
    ck_assert_uint_eq(t->patcher.site.at[user].func, look_up);
    ck_assert(!t->patcher.site.at[user].hook);
    said[0] = 0;
    plant("leaf", EZ_PROBE_BOTH, false);
    listen();
    const struct ez_probe *p = t->probes.probe.at[0];
    ck_assert_int_eq(p->state, EZ_PROBE_REFUSED);
    ck_assert_int_eq(p->site, -1);
    EZ_FREE char *want =
        ez_sprintf("Probe 1 (_Unwind_Find_FDE) is no longer planted, because of exit probes: %s.\n",
                   ez_hook_wanted("_Unwind_Find_FDE"));
    ck_assert_msg(strstr(said, want) != NULL, "%s", said);
    ck_assert_str_eq(p->reason, ez_hook_wanted("_Unwind_Find_FDE"));
    const struct ez_site *hook = &t->patcher.site.at[ez_site_find(t, look_up)];
    ck_assert(hook->hook && hook->current >= 0);
    struct rt_unwinder knows;
    must(ez_mem_read(t, t->rt.blob + EZ_RT_STATE + offsetof(struct rt_state, unwinder), &knows,
                     sizeof knows));
    ck_assert_uint_ne(knows.get_cfa, 0);
    ck_assert_uint_eq(knows.get_cfa, ez_symbol_addr(t, m, "_Unwind_GetCFA"));
    ck_assert(knows.get_cfa >= knows.lo && knows.get_cfa < knows.hi);
    close_target();
}
END_TEST

int main(void)
{
    if (!proc_there("check_patch"))
        return 77;
    Suite *s = suite_create("patch");
    TCase *c = tcase_create("patch");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, close_target);
    tcase_add_loop_test(c, each_state_runs, 0, 2 * NSTRATEGIES);
    tcase_add_loop_test(c, each_state_runs_for_a_stranger, 0, NSTRATEGIES);
    tcase_add_test(c, what_does_not_read_back_is_undone);
    tcase_add_test(c, what_cannot_be_undone_is_told);
    tcase_add_test(c, thunks_out_of_reach);
    tcase_add_test(c, steps_by_hand_in_their_order);
    tcase_add_test(c, what_others_changed_stays);
    tcase_add_test(c, a_thread_goes_on);
    suite_add_tcase(s, c);
    TCase *u = tcase_create("unwinders");
    tcase_set_timeout(u, 60);
    tcase_add_test(u, an_unwinders_look_up_is_ours);
    tcase_add_test(u, a_breakpoints_copy_is_led_on);
    suite_add_tcase(s, u);
    return run_suite(s);
}

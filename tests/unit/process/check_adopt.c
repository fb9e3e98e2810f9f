/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_adopt.c - a shell takes over what another left, which the target may have forged: each
 * word that is believed is spoiled once, and it says so, puts the file's bytes back and leaves
 * the target alive; and any words, at random: no other byte of text is ever written. adopt.c
 * itself is in this program, for what only a hostile process could
 * set up from outside. */
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "engine/process/adopt.c"

#include "tests/unit/process.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"

enum { PLAIN, SLOTS, ISLAND, NPROBES };
static const char *const name[] = { "mov_rip", "cmp_rip_imm", "needs_island" };

static struct {
    pid_t pid;
    int mem;
    uint64_t seg, rows, blob, pool, seq;
    uint64_t site[NPROBES], trampoline[NPROBES], text[NPROBES], ret;
    uint32_t id[NPROBES];
    uint8_t file[NPROBES][16], jump[NPROBES][16];
} left;

static void poke(uint64_t at, const void *buf, size_t n)
{
    ck_assert_int_eq(pwrite(left.mem, buf, n, (off_t)at), (ssize_t)n);
}

static void peek(uint64_t at, void *buf, size_t n)
{
    ck_assert_int_eq(pread(left.mem, buf, n, (off_t)at), (ssize_t)n);
}

static uint64_t row_at(int probe)
{
    return left.rows + left.id[probe] * sizeof(struct ez_row);
}

static void open_memory(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", left.pid);
    left.mem = open(path, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(left.mem, 0);
}

/* Three probes: exits by call-through, by slots, and a site that needs an island. */
static void plant_all(void)
{
    launch("p_reach", "/nowhere/stop /nowhere/go 1");
    t->set.trace_clock = EZ_CLOCK_TSC; /* on each machine: the other one is forged */
    for (int i = 0; i < NPROBES; i++) {
        t->set.exit_mode = i == SLOTS ? EZ_EXIT_RETURN_TRAMPOLINES : EZ_EXIT_AUTO;
        t->set.strategy = i == ISLAND ? EZ_USE_ISLAND : EZ_USE_ANY;
        int site = plant(name[i], EZ_PROBE_BOTH, i == SLOTS);
        const struct ez_site *s = &t->patcher.site.at[site];
        const struct ez_variant *v = &s->variant.at[s->current];
        ck_assert_int_eq(s->win.strategy == EZ_ISLAND, i == ISLAND);
        ck_assert_int_eq(!(v->flags & EZ_ROW_THROUGH), i == SLOTS);
        left.site[i] = s->addr;
        left.trampoline[i] = v->trampoline;
        left.id[i] = v->id;
        left.text[i] = s->win.jump;
        memcpy(left.file[i], s->win.bytes, s->win.jump);
        must(ez_mem_read(t, s->addr, left.jump[i], s->win.jump));
    }
    left.pid = t->inf.pid;
    left.seg = t->rt.seg;
    left.rows = left.seg + t->rt.hdr->off_rows;
    left.blob = t->rt.blob;
    left.pool = t->rt.pool[0].base;
}

static void setup(void)
{
    unsigned kept;
    plant_all();
    outlived_by_none(left.pid);
    open_memory();
    must(ez_detach_keep(t, &kept));
    ck_assert_uint_eq(kept, NPROBES);
    t->set.exit_mode = EZ_EXIT_AUTO;
    t->set.strategy = EZ_USE_ANY;
    listen();
    said[0] = 0;
}

static void teardown(void)
{
    close(left.mem);
    close_target();
    kill(left.pid, SIGKILL);
    waitpid(left.pid, NULL, 0);
}

static bool planted(int probe)
{
    uint8_t live[16];
    peek(left.site[probe], live, left.text[probe]);
    return memcmp(live, left.file[probe], left.text[probe]) != 0;
}

/* At each probe stands a whole jump, or none of it. */
static void no_half_jumps(const char *what)
{
    for (int i = 0; i < NPROBES; i++) {
        uint8_t live[16];
        peek(left.site[i], live, left.text[i]);
        ck_assert_msg(!planted(i) || !memcmp(live, left.jump[i], left.text[i]), "%s: half of %s",
                      what, name[i]);
    }
}

static void attach(void)
{
    must(ez_attach(t, left.pid, false));
    listen();
}

static void taken_over(void)
{
    attach();
    ck_assert_msg(strstr(said, "Took over 3 probes of an earlier eztsh"), "%s", said);
    for (int i = 0; i < NPROBES; i++)
        ck_assert_msg(planted(i), "%s", name[i]);
}

/* ---- what is spoiled, and what is said then ------------------------------------------------ */

enum where { HDR, ROW, STATE, BLOB, POOL, TRAMPOLINE, NWHERE };
static uint64_t base_of(enum where w, int probe)
{
    const int of = EZ_MAX(probe, 0); /* below 0: the place is not of one probe */
    const uint64_t base[NWHERE] = {
        [HDR] = left.seg,   [ROW] = row_at(of), [STATE] = left.blob + EZ_RT_STATE,
        [BLOB] = left.blob, [POOL] = left.pool, [TRAMPOLINE] = left.trampoline[of]
    };
    return base[w];
}

#define H(field) HDR, 0, offsetof(struct ez_hdr, field), sizeof((struct ez_hdr *)0)->field
#define S(field) STATE, 0, offsetof(struct rt_state, field), sizeof((struct rt_state *)0)->field
#define R(probe, field)                                                                            \
    ROW, probe, offsetof(struct ez_row, field), sizeof((struct ez_row *)0)->field
#define ADD(n) (n), false
#define SET(n) (n), true
#define DAMAGED "shared memory is damaged"
#define THUNKS "The return thunks at 0x* are not those that this eztsh generates"
#define RETURN_THUNK_OF(probe) POOL, (probe), EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST

static const struct {
    const char *what;
    enum where where;
    int probe;
    uint64_t off;
    size_t size;
    uint64_t n;
    bool set;
    const char *says;
    bool blind; /* where the rows are is forged: nobody can take the jumps away */
} forged[] = {
    { "abi", H(abi), ADD(1), "another build", false },
    { "a row's size", H(row_bytes), ADD(8), "another build", true },
    { "no lanes", H(nbuffers), SET(0), DAMAGED, false },
    { "too many lanes", H(nbuffers), SET((1u << 16) + 1), DAMAGED, false },
    { "a sub-buffer", H(nsub), SET(1), DAMAGED, false },
    { "three sub-buffers", H(nsub), SET(3), DAMAGED, false },
    { "too many sub-buffers", H(nsub), SET(1024), DAMAGED, false },
    { "too many ids", H(ids_max), SET((1u << 24) + 1), DAMAGED, false },
    { "fewer ids than the layout's", H(ids_max), ADD(-64), DAMAGED, false },
    { "more lanes ready than there are", H(buffers_ready), SET(1u << 20), DAMAGED, false },
    { "clock", H(clock), SET(EZ_CLOCK_MONO_NS + 1), DAMAGED, false },
    { "size", H(size), ADD(EZ_PAGE), DAMAGED, false },
    { "where rows are", H(off_rows), ADD(sizeof(struct ez_row)), DAMAGED, true },
    { "rows beyond all", H(off_rows), SET(1ul << 60), "", true },
    { "rows behind its end", H(off_rows), ADD(1ul << 46), "", true },
    { "where lanes are", H(off_buffers), ADD(EZ_PAGE), DAMAGED, false },
    { "where counters are", H(off_counters), ADD(-EZ_PAGE), DAMAGED, false },
    { "where rings are", H(off_rings), ADD(EZ_SUB_BYTES), DAMAGED, false },
    { "another clock than the runtime's", H(clock), SET(EZ_CLOCK_MONO_NS), "runtime is damaged",
      false },
    { "whose runtime it is", S(hdr), ADD(EZ_PAGE), "runtime cannot be found", false },
    { "control blocks", S(ctls), ADD(1ul << 40), "runtime is damaged", false },
    { "where a thread's id is", S(tid_off), ADD(8), "another build", false },
    { "the cookie", S(cookie), ADD(1), "another build", false },
    { "too many thunk pools", S(npools), SET(EZ_NPOOLS + 1), "return thunks are damaged", false },
    { "a thunk pool elsewhere", S(pool[0]), ADD(1ul << 40), "return thunks are damaged", false },
    { "a thunk pool a page on", S(pool[0]), ADD(EZ_PAGE), "return thunks", false },
    { "no thunk pool", S(npools), SET(0),
      "This eztsh instruments the exit of the function at 0x* in another way than the earlier "
      "shell",
      false },
    { "the runtime's code", BLOB, 0, 0x1000, 1, ADD(1), "another build", false },
    { "the way out of return thunks", POOL, 0, 64, 1, ADD(1), THUNKS, false },
    { "the last byte of that page", POOL, 0, EZ_POOL_THUNKS - 1, 1, ADD(1), THUNKS, false },
    { "a return thunk's code", POOL, 0, EZ_POOL_THUNKS, 1, ADD(1), THUNKS, false },
    { "where a return thunk leads", RETURN_THUNK_OF(PLAIN), 8, ADD(8),
      "The return thunk of the function at 0x* is not the one that this eztsh generates", false },
    { "how a return thunk is left", RETURN_THUNK_OF(PLAIN) + 8, 8, ADD(8),
      "The return thunk of the function at 0x* is not the one that this eztsh generates", false },
    { "a stub's code", TRAMPOLINE, PLAIN, 0, 1, ADD(1),
      "The trampoline at 0x* is not the one that this eztsh generates", false },
    { "a stub's code, slots", TRAMPOLINE, SLOTS, 3, 1, ADD(1),
      "The trampoline at 0x* is not the one that this eztsh generates", false },
    { "a row's flags", R(PLAIN, flags), SET(0x8000 | EZ_ROW_ENTRY), "journal is damaged", false },
    { "a row's strategy", R(PLAIN, strategy), SET(9), "journal is damaged", false },
    { "where a row's stub is", R(PLAIN, trampoline), ADD(64),
      "The jump at 0x* does not lead to its trampoline", false },
    { "an island's stub", R(ISLAND, trampoline), ADD(64), "journal is damaged", false },
    { "where an island is", R(ISLAND, island), ADD(5), "journal is damaged", false },
    { "what a row's function is", R(PLAIN, func), SET(8), "journal is damaged", true },
    { "another function", R(PLAIN, func), ADD(32),
      "This eztsh instruments the function at 0x* in another way than the earlier shell", false },
    { "a row of half a jump", R(PLAIN, len), SET(2), "journal is damaged", true },
    { "what stood there", R(PLAIN, before[0]), ADD(1), "journal is damaged", false },
    { "a row's length", R(SLOTS, len), SET(255), "journal is damaged", true },
};

/* Does a note have these words? An asterisk stands for any text. */
static bool heard(const char *words)
{
    EZ_FREE char *pattern = ez_sprintf("*%s*", words);
    return !fnmatch(pattern, said, 0);
}

/* fault 74 */
START_TEST(a_spoiled_word_is_refused)
{
    uint64_t at = base_of(forged[_i].where, forged[_i].probe) + forged[_i].off, v = 0;
    if (forged[_i].where == POOL && forged[_i].off >= EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST)
        at += (uint64_t)left.id[forged[_i].probe] * EZ_RETURN_THUNK;
    peek(at, &v, forged[_i].size);
    v = (forged[_i].set ? 0 : v) + forged[_i].n;
    poke(at, &v, forged[_i].size);
    attach();
    ck_assert_msg(!strstr(said, "Took over"), "%s: taken over", forged[_i].what);
    ck_assert_msg(forged[_i].blind || heard(forged[_i].says), "%s: %s", forged[_i].what, said);
    for (int i = 0; i < NPROBES && !forged[_i].blind; i++)
        ck_assert_msg(!planted(i), "%s: %s still stands", forged[_i].what, name[i]);
    no_half_jumps(forged[_i].what);
    ck_assert_msg(!kill(left.pid, 0) && t->inf.state == EZ_STOPPED, "%s", forged[_i].what);
    ck_assert_msg(forged[_i].blind || !t->probes.probe.n, "%s", forged[_i].what);
}
END_TEST

/* The header is consistent, but describes a larger segment than the one that is mapped. */
START_TEST(a_larger_segment_is_refused)
{
    struct ez_hdr h;
    peek(left.seg, &h, sizeof h);
    h.nbuffers *= 2;
    ez_rt_layout(&h);
    poke(left.seg, &h, offsetof(struct ez_hdr, buffers_ready));
    attach();
    ck_assert_msg(strstr(said, DAMAGED), "%s", said);
}
END_TEST

/* As many thunk pools as there can be are taken over. */
START_TEST(all_pools_are_taken)
{
    uint64_t at = base_of(STATE, 0), n = EZ_NPOOLS;
    for (size_t i = 0; i < EZ_NPOOLS; i++)
        poke(at + offsetof(struct rt_state, pool) + i * 8, &left.pool, 8);
    poke(at + offsetof(struct rt_state, npools), &n, 8);
    taken_over();
    ck_assert_uint_eq(t->rt.npools, EZ_NPOOLS);
}
END_TEST

/* A jump that is not as this shell would make it is given back if it made room for the island of
 * another: that island lies among the bytes that a host can move. Elsewhere it is damaged. */
START_TEST(a_host_is_near_its_island)
{
    static const struct {
        int64_t island; /* distance from the jump */
        const char *says;
    } at[] = {
        { 0, "journal is damaged" },
        { 31, "journal is damaged" }, /* of the island, which leads nowhere */
        { 32, "The return thunk of the function at 0x* is not the one that this eztsh generates" },
        { -1,
          "The return thunk of the function at 0x* is not the one that this eztsh generates" }
    };
    uint64_t thunk = left.pool + EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST +
                     left.id[PLAIN] * EZ_RETURN_THUNK,
             lead;
    uint64_t island = left.site[PLAIN] + (uint64_t)at[_i].island;
    peek(thunk, &lead, sizeof lead);
    lead += 8;
    poke(thunk, &lead, sizeof lead);
    poke(row_at(ISLAND) + offsetof(struct ez_row, island), &island, sizeof island);
    attach();
    ck_assert_msg(heard(at[_i].says), "%ld: %s", (long)at[_i].island, said);
    for (int i = 0; i < NPROBES; i++)
        ck_assert(!planted(i));
}
END_TEST

/* ---- words at random ---------------------------------------------------------------------- */

/* The program's code, as it is in memory and in the file; both to free. */
static size_t code(uint8_t **live, uint8_t **file)
{
    struct ez_maps maps = { 0 };
    size_t n = 0;
    must(ez_maps_read(left.pid, &maps));
    for (size_t i = 0; i < maps.map.n && !n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        if (m->lo > left.site[PLAIN] || m->hi <= left.site[PLAIN])
            continue;
        EZ_CLOSE int fd = open(m->name, O_RDONLY | O_CLOEXEC);
        n = m->hi - m->lo;
        *live = ez_alloc(n);
        *file = ez_alloc(n);
        peek(m->lo, *live, n);
        ck_assert_int_gt(pread(fd, *file, n, (off_t)m->offset), 0);
    }
    ez_maps_free(&maps);
    ck_assert_uint_gt(n, 0);
    return n;
}

static bool runs(pid_t pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "re");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%*d %*s %c", &state), 1);
    fclose(f);
    return state && strchr("RSD", state);
}

static uint64_t random_of(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x * 0x9e3779b97f4a7c15u >> 8;
}

static uint64_t some_word(uint64_t *x, uint64_t old)
{
    static const uint64_t edge[] = { 0,          1,          UINT64_MAX, 1ull << 31,
                                     1ull << 32, 1ull << 63, EZ_PAGE,    UINT32_MAX };
    uint64_t r = random_of(x), how = r >> 8 & 3;
    return how == 0   ? edge[r % EZ_ARRAY_LEN(edge)]
           : how == 1 ? old ^ 1ull << (r >> 16 & 63)
           : how == 2 ? old + (r >> 16 & 15) - 8
                      : r;
}

static void spoil(uint64_t *x)
{
    static const size_t size[] = { [HDR] = sizeof(struct ez_hdr),
                                   [ROW] = sizeof(struct ez_row),
                                   [STATE] = sizeof(struct rt_state) };
    uint64_t r = random_of(x);
    unsigned where = r % EZ_ARRAY_LEN(size), width = r & 256 ? 8 : r & 512 ? 4 : 1;
    uint64_t at = base_of(where, (int)(r >> 12) % NPROBES), v = 0;
    at += (r >> 24) % (size[where] / width) * width;
    peek(at, &v, width);
    v = some_word(x, v);
    poke(at, &v, width);
}

START_TEST(random_words_harm_nobody)
{
    uint8_t *was, *is, *file;
    uint64_t x = (uint64_t)_i * 0x9e3779b97f4a7c15u + 1;
    size_t n = code(&was, &file);
    free(file);
    for (int words = 1 + _i % 3; words--;)
        spoil(&x);
    attach();
    ck_assert_int_eq(t->inf.state, EZ_STOPPED);
    must(ez_detach(t));
    ck_assert_uint_eq(code(&is, &file), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(is[i] == file[i] || is[i] == was[i], "%d: byte 0x%zx of the code", _i, i);
    no_half_jumps("at random");
    ck_assert_msg(runs(left.pid), "%d: %s", _i, said);
    free(was);
    free(is);
    free(file);
}
END_TEST

/* ---- a segment that can shrink under us ----------------------------------------------------- */

static const char *mapped(int fd, uint64_t size)
{
    struct ez_target x = { .inf.pid = getpid() };
    struct adoption o = { .hdr = { .size = size } };
    struct stat st;
    ck_assert_int_eq(fstat(fd, &st), 0);
    o.seg.ino = st.st_ino;
    x.inf.pidfd = (int)syscall(SYS_pidfd_open, x.inf.pid, 0);
    ck_assert_int_ge(x.inf.pidfd, 0);
    ez_err *e = adopt_map_segment(&x, &o);
    if (!e)
        munmap(x.rt.hdr, size);
    close(x.rt.memfd);
    close(x.inf.pidfd);
    return e ? why_not(e) : "";
}

START_TEST(what_can_shrink_is_refused)
{
    EZ_CLOSE int fd = memfd_create(EZ_SEG_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ck_assert_int_eq(ftruncate(fd, 1 << 20), 0);
    ck_assert_ptr_nonnull(strstr(mapped(fd, 1 << 20), "is not the file"));
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
    ck_assert_ptr_nonnull(strstr(mapped(fd, 1 << 20), "is not the file"));
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    ck_assert_str_eq(mapped(fd, 1 << 20), "");
    ck_assert_ptr_nonnull(strstr(mapped(fd, (1 << 20) - EZ_PAGE), "is not the file"));
    ck_assert_ptr_nonnull(strstr(mapped(fd, (1 << 20) + EZ_PAGE), "is not the file"));
}
END_TEST

/* ---- what is right is taken over -------------------------------------------------------------- */

/* After `detach -keep` no thread waits for a shell. After the take-over threads wait for the new shell,
 * if its settings say so. */
START_TEST(the_header_is_the_next_shells)
{
    const struct ez_hdr *h;
    struct ez_hdr then;
    peek(left.seg, &then, sizeof then);
    ck_assert_uint_eq(then.overflow_wait, 0);
    ck_assert_uint_eq(then.loader_wait, 0);
    ck_assert_uint_eq(then.trace_open, 0);
    then.loader_seq += 3;
    then.shell_pid = 1;
    poke(left.seg, &then, sizeof then);
    t->set.overflow = _i ? EZ_OVERFLOW_WAIT : EZ_OVERFLOW_DROP;
    taken_over();
    h = t->rt.hdr;
    ck_assert_uint_eq(h->overflow_wait, (unsigned)_i);
    ck_assert_uint_eq(h->loader_ack, then.loader_seq);
    ck_assert_uint_eq(h->shell_pid, (unsigned)getpid());
    ck_assert(t->rt.up && t->inf.restorer);
}
END_TEST

static struct ez_probe_info info[NPROBES + 1];
static void collect(const struct ez_probe_info *p, void *arg)
{
    unsigned *n = arg;
    ck_assert_uint_lt(*n, EZ_ARRAY_LEN(info));
    info[(*n)++] = *p;
}

/* Numbers, kinds and counts are as they were; what is counted from now on is the new shell's. */
START_TEST(counts_go_on)
{
    struct ez_hdr h;
    unsigned n = 0;
    peek(left.seg, &h, sizeof h);
    for (int i = 0; i < NPROBES; i++) {
        struct ez_counter c = { 100u + (unsigned)i, 90u + (unsigned)i };
        poke(left.seg + h.off_counters + left.id[i] * sizeof c, &c, sizeof c);
    }
    taken_over();
    for (int i = 0; i < NPROBES; i++) {
        struct ez_counter c = { 107u + 2 * (unsigned)i, 95u + (unsigned)i };
        poke(left.seg + h.off_counters + left.id[i] * sizeof c, &c, sizeof c);
    }
    ez_probes(t, collect, &n);
    ck_assert_uint_eq(n, NPROBES);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_int_eq(info[i].number, (int)i + 1);
        ck_assert_str_eq(info[i].spec->location, name[i]);
        ck_assert_int_eq(info[i].spec->kind, EZ_PROBE_BOTH);
        ck_assert_int_eq(info[i].spec->record, i == SLOTS);
        ck_assert_int_eq(info[i].state, EZ_PROBE_ARMED);
        ck_assert_uint_eq(info[i].earlier_entries, 100 + i);
        ck_assert_uint_eq(info[i].earlier_exits, 90 + i);
        ck_assert_uint_eq(info[i].entries, 7 + i);
        ck_assert_uint_eq(info[i].exits, 5);
    }
    /* take over once more: nothing is counted twice */
    must(ez_detach_keep(t, &n));
    said[0] = 0;
    taken_over();
    n = 0;
    ez_probes(t, collect, &n);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_uint_eq(info[i].earlier_entries, 107 + 2 * i);
        ck_assert_uint_eq(info[i].earlier_exits, 95 + i);
        ck_assert_uint_eq(info[i].entries + info[i].exits, 0);
    }
}
END_TEST

/* The descriptors that the target got are closed by exec, have high numbers, and go with the next
 * shell. */
static unsigned descriptors(void)
{
    char path[64], link[64];
    unsigned n = 0;
    for (int fd = 0; fd < 2048; fd++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", left.pid, fd);
        ssize_t len = readlink(path, link, sizeof link - 1);
        link[len > 0 ? len : 0] = 0;
        if (strncmp(link, "/memfd:eztsh", 12))
            continue;
        unsigned flags = 0;
        char line[80];
        snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", left.pid, fd);
        FILE *f = fopen(path, "re");
        ck_assert_ptr_nonnull(f);
        while (fgets(line, sizeof line, f))
            sscanf(line, "flags: %o", &flags);
        fclose(f);
        ck_assert_msg(flags & O_CLOEXEC, "%s is %#o", link, flags);
        ck_assert_int_ge(fd, 900);
        n++;
    }
    return n;
}

START_TEST(descriptors_end_with_exec)
{
    ck_assert_uint_eq(descriptors(), 2);
    taken_over();
    ck_assert_uint_eq(descriptors(), 0);
    unsigned kept;
    must(ez_detach_keep(t, &kept));
    ck_assert_uint_eq(descriptors(), 2);
}
END_TEST

/* A plain jump keeps its row. A site that is reached in another way is planted anew under another id,
 * and so is a site whose exits go another way by this shell's settings. */
START_TEST(a_plain_jump_stays)
{
    attach();
    for (int i = 0; i < NPROBES; i++)
        ck_assert_uint_eq(t->rt.rows[left.id[i]].planted, i == PLAIN);
    must(ez_detach(t));
    for (int i = 0; i < NPROBES; i++)
        ck_assert(!planted(i));
}
END_TEST

/* A shell that died left no list and no descriptor: root takes over the probes that the journal says
 * stand; without root the file's bytes are put back. */
START_TEST(of_a_killed_shell_the_journal_is_asked)
{
    int pipe[2];
    unsigned n = 0;
    ck_assert_int_eq(pipe2(pipe, O_CLOEXEC), 0);
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t shell = fork();
    if (!shell) {
        plant_all();
        if (write(pipe[1], &left, sizeof left) == sizeof left)
            raise(SIGKILL);
        _exit(1);
    }
    close(pipe[1]);
    ck_assert_int_eq(read(pipe[0], &left, sizeof left), sizeof left);
    close(pipe[0]);
    outlived_by_none(left.pid);
    ck_assert_int_eq(waitpid(shell, NULL, 0), shell);
    open_memory();
    must(ez_target_create(&t));
    t->set.trace_auto = false;
    attach();
    bool root = !geteuid();
    ck_assert_msg(strstr(said, root ? "Took over 3 probes" : "Removed 3 probes"), "%s", said);
    ez_probes(t, collect, &n);
    ck_assert_uint_eq(n, root ? NPROBES : 0);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_str_eq(info[i].spec->location, name[i]);
        ck_assert_int_eq(info[i].spec->kind, EZ_PROBE_BOTH);
        ck_assert_int_eq(info[i].spec->record, i == SLOTS);
        ck_assert_int_eq(info[i].state, EZ_PROBE_ARMED);
    }
    must(ez_detach(t));
    for (int i = 0; i < NPROBES; i++)
        ck_assert(!planted(i));
}
END_TEST

/* Asked for as often as may be, one image is kept: the last. */
static void make_images(void *tid_off)
{
    const uint32_t ours = *(uint32_t *)tid_off;
    ck_assert(ez_rt_image_is_ours(t, 0)); /* four are tried */
    ck_assert(ez_rt_image_is_ours(t, ours));
}

START_TEST(one_image_is_kept)
{
    taken_over();
    uint32_t ours = ez_rt_tid_offset(t);
    gives_back(make_images, &ours, 20);
}
END_TEST

int main(void)
{
    if (!proc_there("check_adopt"))
        return 77;
    Suite *s = suite_create("adopt");
    TCase *c = tcase_create("forged"), *others = tcase_create("others");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, a_spoiled_word_is_refused, 0, (int)EZ_ARRAY_LEN(forged));
    tcase_add_test(c, a_larger_segment_is_refused);
    tcase_add_test(c, all_pools_are_taken);
    tcase_add_loop_test(c, a_host_is_near_its_island, 0, 4);
    tcase_add_loop_test(c, random_words_harm_nobody, 0, 40);
    tcase_add_loop_test(c, the_header_is_the_next_shells, 0, 2);
    tcase_add_test(c, counts_go_on);
    tcase_add_test(c, descriptors_end_with_exec);
    tcase_add_test(c, a_plain_jump_stays);
    tcase_add_test(c, one_image_is_kept);
    suite_add_tcase(s, c);
    tcase_add_test(others, what_can_shrink_is_refused);
    tcase_set_timeout(others, 60);
    tcase_add_test(others, of_a_killed_shell_the_journal_is_asked);
    suite_add_tcase(s, others);
    return run_suite(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_code.c - the decoders, the relocator and the branch scan, on bytes of all kinds.
 *
 * libopcodes' text (arch->print) is the reference: which instruction it is, and which address it
 * names, before and after the move.
 *   - length() is libopcodes' length wherever it answers;
 *   - nothing is read beyond n: the bytes end where the next page is forbidden;
 *   - a moved instruction has the same text, but for where it stands, and names the same
 *     address; a branch leads to the same place; offsets are those of instructions;
 *   - the scan reports every direct branch there is. */
#include <link.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 25000;
const size_t fuzz_max = 256;

#define VA 0x7f5500000000ull

static const struct ez_arch *arch;
static uint8_t *wall; /* a page that may not be read begins here */

/* ---- seeds: this program and its libraries ------------------------------------------- */

struct pick {
    unsigned n;
    uint8_t *buf;
    size_t len;
};

static int pick_text(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct pick *p = arg;
    unsigned n = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || h->p_memsz < 65536)
            continue;
        const uint8_t *text = (const uint8_t *)(info->dlpi_addr + h->p_vaddr);
        size_t at = (n * 40503u + p->n * 7919u * 64u) % (h->p_memsz - 256);
        memcpy(p->buf, text + at, p->len);
        n++;
    }
    p->n += 1000003;
    return n && p->n % 3 == 0;
}

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    struct pick p = { n * 31, buf, EZ_MIN(max, (size_t)80) };
    if (n >= 200)
        return 0;
    dl_iterate_phdr(pick_text, &p);
    return p.len;
}

/* ---- one instruction ----------------------------------------------------------------- */

struct told { /* by libopcodes */
    size_t len;
    char text[160];
    bool bad;
    bool names; /* an address */
    uint64_t addr;
};

/* The address that print() was asked for a name of. */
static const char *note_address(uint64_t addr, void *arg)
{
    struct told *t = arg;
    t->names = true;
    t->addr = addr;
    return NULL;
}

static struct told tell(const uint8_t *code, size_t n, uint64_t va)
{
    struct told t = { 0 };
    if (!ez_err_drop(arch->decode.print(&(struct ez_print){ code, n, va, false, note_address, &t },
                                        t.text, sizeof t.text, &t.len)))
        t.bad = true;
    t.bad |= strstr(t.text, "(bad") || strstr(t.text, ".byte");
    return t;
}

/* false = there is no instruction, or one that the relocator refuses. */
static bool decode(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *in)
{
    ez_err *e = arch->decode.insn(code, n, va, in);
    MUST(!e || e->code == EZ_E_DECODE || e->code == EZ_E_MISMATCH, "%s", e->msg);
    return ez_err_drop(e);
}

static void one(const uint8_t *code, size_t n, uint64_t va)
{
    struct ez_insn in, exact;
    size_t fast = arch->decode.length(code, n);
    struct told t = tell(code, n, va);
    bool good = decode(code, n, va, &in);
    MUST(fast <= n && fast <= EZ_MAX_INSN, "length %zu of %zu", fast, n);
    MUST(!fast || t.bad || fast == t.len, "length %zu, libopcodes %zu: %s", fast, t.len, t.text);
    if (!good)
        return;
    MUST(!t.bad && in.len == t.len, "decode %u, print %zu: %s", in.len, t.len, t.text);
    MUST(!fast || fast == in.len, "length %zu, decode %u: %s", fast, in.len, t.text);
    bool refers = in.width || in.riprel;
    MUST(refers == t.names && (!refers || in.target == t.addr), "decode 0x%lx: %s",
         (unsigned long)in.target, t.text);
    MUST(in.width + (size_t)in.riprel < in.len, "%u, %u: %s", in.width, in.riprel, t.text);
    if (strstr(t.text, "fwait")) /* libopcodes joins it with what is behind it */
        return;
    uint8_t *end = wall - in.len; /* nothing behind the instruction */
    uint8_t saved[EZ_MAX_INSN];
    memcpy(saved, code, in.len);
    memmove(end, saved, in.len);
    MUST(arch->decode.length(end, in.len) == fast, "length looks behind: %s", t.text);
    MUST(decode(end, in.len, va, &exact) && exact.len == in.len && exact.target == in.target &&
             exact.flow == in.flow,
         "decode looks behind: %s", t.text);
}

static void each_offset(const uint8_t *data, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        memcpy(wall - n, data, n);
        one(wall - n + at, n - at, VA + at);
    }
}

/* ---- relocation ----------------------------------------------------------------------- */

struct move {
    const uint8_t *code;
    size_t n;
    uint64_t va, to;
    struct ez_reloc r;
    uint8_t from[EZ_MAX_PROLOGUE]; /* boundaries found here */
    size_t count;
};

/* The text from the first operand on, which "call *0x8(%rax)" and "jmp *0x8(%rax)" share. */
static const char *operands(const char *text)
{
    const char *star = strchr(text, '*');
    return star ? star : "";
}

static struct told copy_at(const struct move *m, size_t off)
{
    struct told t = tell(m->r.code + off, m->r.len - off, m->to + off);
    MUST(off < m->r.len && !t.bad, "no instruction at %zu of the copy: %s", off, t.text);
    return t;
}

/* jmp, jcc, loop: the last instruction of the piece names where the original went. */
static void same_target(const struct move *m, const struct told *was, const struct told *now)
{
    uint64_t want = was->addr == m->va && strncmp(was->text, "call", 4) ? m->to : was->addr;
    MUST(now->names && now->addr == want, "%s -> %s", was->text, now->text);
}

/* What a call leaves on the stack. */
static size_t pushed(const struct move *m, size_t off, uint64_t want)
{
    const uint8_t *b = m->r.code + off;
    int32_t low;
    uint32_t high;
    MUST(b[0] == 0x68, "no push");
    memcpy(&low, b + 1, 4);
    uint64_t value = (uint64_t)(int64_t)low;
    size_t n = 5;
    if (!memcmp(b + 5, "\xc7\x44\x24\x04", 4)) {
        memcpy(&high, b + 9, 4);
        value = (uint32_t)low | (uint64_t)high << 32;
        n = 13;
    }
    MUST(value == want, "pushed 0x%lx, not 0x%lx", (unsigned long)value, (unsigned long)want);
    return n;
}

/* Assert that the two texts are the same, but for the distance of an operand relative to the pc. */
static void same_text(const struct told *was, const struct told *now)
{
    const char *p = strstr(was->text, "(%rip)"), *q = strstr(now->text, "(%rip)");
    if (!p) {
        p = strstr(was->text, "(%eip)");
        q = strstr(now->text, "(%eip)");
    }
    MUST(!p == !q && was->names == now->names && (!was->names || was->addr == now->addr),
         "%s -> %s", was->text, now->text);
    MUST(!strcmp(p ? p : was->text, q ? q : now->text), "%s -> %s", was->text, now->text);
    MUST(!strncmp(was->text, now->text, strcspn(was->text, " ")), "%s -> %s", was->text, now->text);
}

/* Compare an original instruction with what it became: [at, end) of the copy. */
static void one_moved(const struct move *m, size_t i, size_t at, size_t end)
{
    size_t off = m->r.from[i];
    struct ez_insn in;
    struct told was = tell(m->code + off, m->n - off, m->va + off);
    MUST(decode(m->code + off, m->n - off, m->va + off, &in), "moved, but not decoded");
    if (in.flow == EZ_FLOW_CALL || in.flow == EZ_FLOW_ICALL)
        at += pushed(m, at, m->va + off + in.len);
    struct told now = copy_at(m, at);
    if (in.flow == EZ_FLOW_ICALL) {
        MUST(!strcmp(operands(was.text), operands(now.text)) || was.names, "%s -> %s", was.text,
             now.text);
        MUST(was.names == now.names && was.addr == now.addr, "%s -> %s", was.text, now.text);
        MUST(strstr(now.text, "jmp"), "%s -> %s", was.text, now.text);
    } else if (in.flow == EZ_FLOW_LOOP) {
        MUST(now.names && now.addr == m->to + at + now.len + 2, "%s -> %s", was.text, now.text);
        at += now.len;
        now = copy_at(m, at);
        MUST(now.names && now.addr == m->to + end, "not over the island: %s", now.text);
        at += now.len;
        now = copy_at(m, at);
        same_target(m, &was, &now);
    } else if (in.width) {
        same_target(m, &was, &now);
    } else {
        same_text(&was, &now);
        MUST(in.riprel || !memcmp(m->code + off, m->r.code + at, in.len), "%s changed", was.text);
    }
    MUST(at + now.len == end, "%s: %zu bytes, not %zu", was.text, now.len, end - at);
}

static void check_move(struct move *m)
{
    const struct ez_reloc *r = &m->r;
    MUST(r->n == m->count && r->len <= sizeof r->code, "%zu instructions", r->n);
    struct told last = tell(m->code + r->from[r->n - 1], m->n - r->from[r->n - 1], m->va);
    size_t body = r->len;
    if (!r->ends && !strstr(last.text, "call")) {
        body -= (size_t)arch->jump.len;
        struct told back = copy_at(m, body);
        MUST(back.names && back.addr == m->va + m->n, "does not go back: %s", back.text);
    }
    MUST(!r->ends || (!strstr(last.text, "int3") && !strstr(last.text, "int1")),
         "a trap that comes back: %s", last.text);
    for (size_t i = 0; i < r->n; i++) {
        MUST(r->from[i] == m->from[i], "from[%zu] is %u", i, r->from[i]);
        one_moved(m, i, r->to[i], i + 1 < r->n ? r->to[i + 1] : body);
    }
}

static void relocate(const uint8_t *code, size_t n, size_t window, uint64_t distance)
{
    struct move m = { .code = code, .va = VA, .to = VA + distance };
    struct ez_insn in;
    while (m.n < window && m.count < EZ_MAX_PROLOGUE &&
           decode(code + m.n, n - m.n, VA + m.n, &in)) {
        m.from[m.count++] = (uint8_t)m.n;
        m.n += in.len;
    }
    if (!m.n)
        return;
    memcpy(wall - m.n, code, m.n);
    m.code = wall - m.n;
    ez_err *e = arch->codegen.relocate(m.code, m.n, m.va, m.to, &m.r);
    MUST(!e || e->code == EZ_E_UNRELOC || e->code == EZ_E_RANGE || e->code == EZ_E_DECODE, "%s",
         e->msg);
    if (ez_err_drop(e))
        check_move(&m);
}

/* ---- the scan ---------------------------------------------------------------------------- */

static struct {
    uint8_t seen[1 << 12];
    uint64_t target[1 << 12];
} scan;

static bool wanted(uint64_t target, void *arg)
{
    return true;
}

static void hit(uint64_t source, uint64_t target, void *arg)
{
    MUST(source - VA < sizeof scan.seen, "a branch outside the text");
    scan.seen[source - VA] = 1;
    scan.target[source - VA] = target;
}

static void scan_all(const uint8_t *data, size_t n)
{
    struct ez_insn in;
    memset(scan.seen, 0, sizeof scan.seen);
    memcpy(wall - n, data, n);
    arch->scan.branches(wall - n, n, VA, wanted, hit, NULL);
    for (size_t at = 0; at < n; at++) {
        if (!decode(wall - n + at, n - at, VA + at, &in) || !in.width)
            continue;
        size_t k = at;
        while (k < at + in.len && !(scan.seen[k] && scan.target[k] == in.target))
            k++;
        MUST(k < at + in.len, "the scan missed the branch at %zu", at);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!wall) {
        arch = ez_arch_host();
        wall = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MUST(wall != MAP_FAILED && !mprotect(wall + 4096, 4096, PROT_NONE), "no memory");
        wall += 4096;
    }
    struct fuzz_bytes b = { data, EZ_MIN(size, fuzz_max) };
    uint64_t window = fuzz_take(&b, 1) % 64 + 1, how = fuzz_take(&b, 1);
    uint64_t distance = 64 + (fuzz_take(&b, 4) & 0x7fffffff); /* within reach or just beyond */
    distance = how & 1 ? distance >> 8 : distance;
    each_offset(b.at, b.left);
    relocate(b.at, b.left, window, how & 2 ? distance : -distance);
    relocate(b.at, b.left, 5, distance);
    scan_all(b.at, b.left);
    return 0;
}

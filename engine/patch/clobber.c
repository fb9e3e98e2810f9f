/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clobber.c - finds registers that callers may rely on, although the psABI permits a function to
 * change them.
 *
 * A compiler that has seen a function's body may keep values in such registers across calls of the
 * function, if neither the body nor what the body calls changes the registers (gcc -fipa-ra). A
 * replacement of the function could change them.
 * Callers cannot rely on any such register if
 *   - no code in the ELF file calls the function directly: the compiler of a call through the PLT
 *     or a pointer does not know the body; or if
 *   - the body, or a body to which a chain of direct calls leads from there, calls an unknown
 *     function, through the PLT or a pointer, which may change all registers.
 * Otherwise the trampoline preserves all registers across a call of the replacement
 * (arch/x86_64/rt_keep.S), except the result registers that these bodies set. If there are too many
 * bodies to read, all result registers count as set.
 *
 * Registers that the function itself changes are preserved, too; this harms no caller.
 * Errors: none.
 * Tests: tests/procs/replace.sh */
#include "engine/code/analyze.h"
#include "engine/target.h"
#include "engine/inferior/modules.h"

#define FUNCS_MOST 64
#define BYTES_MOST 16384
#define ALL_RESULTS 15u

struct bodies {
    struct ez_target *t;
    const struct ez_module *m;
    uint64_t func[FUNCS_MOST]; /* indexes [0, done) are analyzed */
    size_t n, done, bytes;
    unsigned results;
    bool calls_unknown, too_many;
};

/* Adds func, which a body calls or jumps to, to the bodies to analyze. */
static void clobber_add(struct bodies *b, uint64_t func)
{
    const struct ez_sym *s = ez_begins_at(b->t, func);
    for (size_t i = 0; i < b->n; i++)
        if (b->func[i] == func)
            return;
    b->calls_unknown |= ez_module_at(b->t, func) != b->m || (s && s->kind == EZ_SYM_PLT);
    b->too_many |= !s || b->n == FUNCS_MOST;
    if (!b->calls_unknown && !b->too_many)
        b->func[b->n++] = func;
}

/* Returns the bytes of a function from the module's image, and their number *n. Returns NULL if the
 * function's end is unknown, the function has more than BYTES_MOST bytes, or the image lacks it. */
static const uint8_t *clobber_body(const struct bodies *b, uint64_t func, size_t *n)
{
    const struct ez_sym *s = ez_begins_at(b->t, func);
    uint64_t end = s ? ez_sym_end(s) + b->m->bias : 0;
    *n = end > func ? (size_t)(end - func) : 0;
    bool there = *n && *n <= BYTES_MOST && func >= b->m->image_va &&
                 func - b->m->image_va + *n <= b->m->image_len;
    return there ? b->m->image + (func - b->m->image_va) : NULL;
}

static bool clobber_leaves(const struct ez_insn *in, uint64_t func, size_t n)
{
    bool direct = in->flow == EZ_FLOW_CALL || in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_JCC;
    return direct && in->target - func >= n;
}

/* Adds the functions that func calls or jumps to. */
static void clobber_look(struct bodies *b, uint64_t func)
{
    size_t n;
    const uint8_t *code = clobber_body(b, func, &n);
    b->bytes += n;
    b->too_many |= !code || b->bytes > BYTES_MOST;
    for (size_t at = 0; at < n && !b->calls_unknown && !b->too_many;) {
        struct ez_insn in;
        if (!ez_err_drop(b->t->inf.arch->decode.insn(code + at, n - at, func + at, &in))) {
            b->too_many = true;
            return;
        }
        b->calls_unknown |= in.flow == EZ_FLOW_ICALL;
        if (clobber_leaves(&in, func, n))
            clobber_add(b, in.target);
        at += in.len;
    }
}

/* Adds to b->results the result registers that func may set. clobber_look() must have analyzed
 * func. */
static void clobber_look_at_results(struct bodies *b, uint64_t func)
{
    size_t n;
    const uint8_t *code = clobber_body(b, func, &n);
    for (size_t at = 0; at < n && b->results != ALL_RESULTS;) {
        struct ez_insn in = { 0 };
        if (!ez_err_drop(b->t->inf.arch->decode.insn(code + at, n - at, func + at, &in)) ||
            in.flow == EZ_FLOW_IJMP) /* a jump table, or a tail call */
            b->results = ALL_RESULTS;
        else if (!clobber_leaves(&in, func, n) && in.flow != EZ_FLOW_CALL)
            b->results |= b->t->inf.arch->decode.results(code + at, in.len, func + at);
        at += in.len;
    }
}

/* Computes the result of ez_site_kept(), and *results. */
static bool clobber_kept(struct ez_target *t, const struct ez_site *s, unsigned *results)
{
    struct bodies b = { .t = t, .m = s->mod, .func = { s->func }, .n = 1 };
    *results = ALL_RESULTS;
    if (!ez_text_called(s->mod->text, s->func))
        return false;
    while (b.done < b.n && !b.calls_unknown && !b.too_many)
        clobber_look(&b, b.func[b.done++]);
    if (b.calls_unknown || b.too_many)
        return !b.calls_unknown;
    for (size_t i = 0; i < b.n; i++)
        clobber_look_at_results(&b, b.func[i]);
    *results = b.results;
    return true;
}

bool ez_site_kept(struct ez_target *t, struct ez_site *s, unsigned *results)
{
    unsigned found;
    if (!s->kept_known) {
        s->kept = clobber_kept(t, s, &found);
        s->kept_results = (uint8_t)found;
        s->kept_known = true;
    }
    *results = s->kept_results;
    return s->kept;
}

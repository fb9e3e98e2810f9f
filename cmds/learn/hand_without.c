/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand_without.c - the faults that skipping a step of planting by hand would cause (hand.c).
 * Tests: tests/procs/hand.sh */
#include <stdio.h>
#include <string.h>

#include "cmds/learn/hand.h"
#include "shell/out.h"
#include "shell/sess.h"

#define REACH (2048ull << 20) /* reach of a jump of 5 bytes, either way, in bytes */

const char *hand_hex(struct ez_sess *s, const uint8_t *b, unsigned n)
{
    char text[3 * 32 + 1] = "";
    for (unsigned i = 0; i < n && i < 32; i++)
        sprintf(text + 3 * i, "%02x ", b[i]);
    return sess_format(s, "%.*s", n ? (int)(3 * EZ_MIN(n, 32U) - 1) : 0, text);
}

uint64_t hand_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

const char *hand_far(struct ez_sess *s, uint64_t n)
{
    double gib = (double)n / (1 << 30);
    return gib < 1       ? sess_format(s, "%.1f MiB", gib * 1024)
           : gib < 10240 ? sess_format(s, "%.1f GiB", gib)
                         : sess_format(s, "%.1f TiB", gib / 1024);
}

static void hand_last_mapping(const struct ez_map *m, void *arg)
{
    uint64_t *at = arg;
    if (*m->name == '/')
        *at = m->lo;
}

static const char *hand_no_room(struct hand *c)
{
    uint64_t at = 0;
    ez_err_drop(ez_mappings(c->s->target, hand_last_mapping, &at));
    uint64_t far = hand_distance(at, c->w.site);
    return sess_format(
        c->s,
        "mmap would choose the place itself, near what was mapped last, such as %s: that is %s "
        "from the function, and %s reaches 2 GiB",
        out_addr(c->s, at), hand_far(c->s, far),
        far < REACH ? "here that would do, for a jump" : "a jump");
}

static const char *hand_no_map(struct hand *c)
{
    uint8_t b;
    if (ez_read_some(c->s->target, ez_addr_of(c->h.room), &b, 1))
        return sess_format(c->s, "nothing: earlier probes left room at %s",
                           out_addr(c->s, c->h.room));
    return sess_format(
        c->s,
        "nothing is mapped at %s: the trampoline could not be written, and a jump there would end "
        "the program by SIGSEGV",
        out_addr(c->s, c->h.room));
}

static const char *hand_no_relocation(struct hand *c)
{
    const char *first = "";
    unsigned n = 0;
    for (unsigned i = 0; i < c->w.ninsn; i++)
        if (c->w.insn[i].role == EZ_WHY_MOVED || c->w.insn[i].role == EZ_WHY_REWRITTEN)
            first = n++ ? first : c->w.insn[i].text;
    return sess_format(c->s,
                       "the jump takes the place of %u instruction%s, \"%s\"%s: a trampoline that "
                       "continues at %s without "
                       "%s would leave the function without what %s",
                       n, n == 1 ? "" : "s", first, n > 1 ? " first" : "",
                       out_addr(c->s, c->w.site + c->w.covered), n == 1 ? "it" : "them",
                       n == 1 ? "it does" : "they do");
}

static const char *hand_no_trampoline(struct hand *c)
{
    struct ez_disassembled d;
    if (!ez_err_drop(ez_disassemble(c->s->target, ez_addr_of(c->h.trampoline), false, &d)))
        return sess_format(c->s, "at %s there is nothing to execute",
                           out_addr(c->s, c->h.trampoline));
    return sess_format(c->s, "at %s stands %s, \"%s\": the first call would execute that",
                       out_addr(c->s, c->h.trampoline), hand_hex(c->s, d.bytes, (unsigned)d.len),
                       d.text);
}

struct inside {
    struct hand *c;
    unsigned n;
    const char *text;
};

/* Returns what a thread would execute at pc, in the middle of the jump. */
static const char *hand_executes(struct hand *c, uint64_t pc)
{
    uint8_t code[32];
    struct ez_disassembled d;
    size_t n = ez_read_some(c->s->target, ez_addr_of(c->h.site), code, sizeof code);
    uint64_t at = pc - c->h.site;
    if (n < sizeof code || at >= 16)
        return "?";
    memcpy(code, c->h.after, EZ_MIN(sizeof c->h.after, (size_t)c->h.jump));
    if (!ez_err_drop(ez_disassemble_bytes(c->s->target, ez_addr_of(pc), code + at, n - at, &d)))
        return "no instruction";
    return sess_format(c->s, "%s, \"%s\"", hand_hex(c->s, d.bytes, (unsigned)d.len), d.text);
}

static void hand_say_inside(const struct ez_thread_place *p, void *arg)
{
    struct inside *q = arg;
    struct ez_sess *s = q->c->s;
    uint64_t pc = p->moved_to ? p->pc : p->saved;
    if (!p->moved_to && !p->frames)
        return;
    if (!q->n++)
        q->text =
            sess_format(s, "thread %d %s %s <%s>, under the jump: it would execute %s", p->tid,
                        p->moved_to ? "stands at" : "will come back from a signal's handler to",
                        out_addr(s, pc), out_sym(s, pc), hand_executes(q->c, pc));
}

static const char *hand_threads_stay(struct hand *c)
{
    struct inside q = { .c = c, .text = "" };
    ez_err *e = ez_hand_threads(c->s->target);
    if (e) {
        const char *text = sess_format(c->s, "it is not known where the threads are: %s", e->msg);
        ez_err_free(e);
        return text;
    }
    ez_thread_places(c->s->target, hand_say_inside, &q);
    if (!q.n)
        return sess_format(c->s, "nothing: no thread stands between %s and %s",
                           out_addr(c->s, c->h.site), out_addr(c->s, c->h.site + c->h.covered));
    return q.n == 1 ? q.text : sess_format(c->s, "%s (and %u more)", q.text, q.n - 1);
}

const char *hand_without(struct hand *c, enum ez_hand_step step)
{
    switch (step) {
    case EZ_HAND_ROOM:
        return hand_no_room(c);
    case EZ_HAND_MAP:
        return hand_no_map(c);
    case EZ_HAND_RELOCATE:
        return hand_no_relocation(c);
    case EZ_HAND_TRAMPOLINE:
        return hand_no_trampoline(c);
    case EZ_HAND_THREADS:
        return hand_threads_stay(c);
    default:
        return "nothing jumps to the trampoline: the function runs unprobed";
    }
}

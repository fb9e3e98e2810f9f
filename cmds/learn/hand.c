/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.c - `hand STEP`: under `set by-hand on` the user performs the steps of planting a probe.
 * Each step prints what it did, the next step, and what would go wrong without it. The output
 * comes from the target each time: its bytes, its threads.
 * Tests: tests/procs/hand.sh */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/why_draw.h"
#include "engine/base/strutil.h"
#include "engine/probe/hand.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

#define REACH (2048ull << 20) /* reach of a jump of 5 bytes, forwards and backwards, in bytes */

static const struct {
    const char *name, *does;
} steps[EZ_NHAND] = {
    [EZ_HAND_ROOM] = { "room", "find free memory for the trampoline, within reach of the jump" },
    [EZ_HAND_MAP] = { "map", "map the memory: a thread of the program executes mmap" },
    [EZ_HAND_RELOCATE] = { "relocate",
                           "make the trampoline, and move the instructions under the jump" },
    [EZ_HAND_TRAMPOLINE] = { "stub",
                             "write the trampoline to the program; nothing jumps there yet" },
    [EZ_HAND_THREADS] = { "threads", "move the threads that are under the jump" },
    [EZ_HAND_JUMP] = { "jump", "write the jump, in one write" },
};

struct hand {
    struct ez_sess *s;
    struct ez_hand h;
    struct ez_why w;
};

/* ---- without a step -------------------------------------------------------------------------- */

/* Returns n bytes, up to 32: "e9 00 01 02 03". */
static const char *hand_hex(struct ez_sess *s, const uint8_t *b, unsigned n)
{
    char text[3 * 32 + 1] = "";
    for (unsigned i = 0; i < n && i < 32; i++)
        sprintf(text + 3 * i, "%02x ", b[i]);
    return sess_format(s, "%.*s", n ? (int)(3 * EZ_MIN(n, 32U) - 1) : 0, text);
}

static uint64_t hand_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns "1.5 GiB". */
static const char *hand_far(struct ez_sess *s, uint64_t n)
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
                       n, ez_plural(n), first, n > 1 ? " first" : "",
                       out_addr(c->s, c->w.site + c->w.covered), n == 1 ? "it" : "them",
                       n == 1 ? "it does" : "they do");
}

static const char *hand_no_trampoline(struct hand *c)
{
    struct ez_disassembled d;
    if (!ez_err_drop(ez_disassemble(c->s->target, ez_addr_of(c->h.trampoline), false, &d)))
        return sess_format(c->s, "at %s there is nothing to execute",
                           out_addr(c->s, c->h.trampoline));
    return sess_format(c->s, "at %s is %s, \"%s\": the first call would execute that instruction",
                       out_addr(c->s, c->h.trampoline), hand_hex(c->s, d.bytes, (unsigned)d.len),
                       d.text);
}

struct inside {
    struct hand *c;
    unsigned n;
    const char *text;
};

/* Returns what a thread would execute if it continued at pc, inside the bytes of the jump. */
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

/* Returns what would go wrong without the step, as part of a sentence. */
static const char *hand_without(struct hand *c, enum ez_hand_step step)
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

/* ---- the next step --------------------------------------------------------------------------- */

static ez_err *hand_look(struct ez_sess *s, struct hand *c)
{
    c->s = s;
    ez_hand_look(s->target, &c->h);
    if (!c->h.number)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe is being planted by hand"),
                           "Type \"set by-hand on\", then \"probe FUNC\"");
    return ez_why(s->target, ez_addr_of(c->h.func), c->h.kind & EZ_PROBE_TRAP, &c->w);
}

/* Prints the next step, and what would go wrong without it. */
static void hand_say_next(struct hand *c)
{
    enum ez_hand_step k = c->h.next;
    if (!c->h.number || k >= EZ_NHAND)
        return;
    out_line(c->s, "Next: \"hand %s\": %s.", steps[k].name, steps[k].does);
    out_line(c->s, "Without it: %s.", hand_without(c, k));
}

/* ---- what a step did -------------------------------------------------------------------- */

static void hand_print_room(struct hand *c)
{
    const char *far = hand_far(c->s, hand_distance(c->h.room, c->w.site));
    out_line(c->s, "Room: %s, %s %s the function%s.", out_addr(c->s, c->h.room), far,
             c->h.room < c->w.site ? "before" : "behind",
             c->h.room_mapped ? ", mapped for earlier probes" : "; nothing is mapped there");
}

struct maps {
    struct ez_sess *s;
    bool print;
    EZ_VEC(uint64_t) lo;
    unsigned n;
};

static void hand_each_mapping(const struct ez_map *m, void *arg)
{
    struct maps *q = arg;
    if (!q->print) {
        EZ_PUSH(&q->lo, m->lo);
        return;
    }
    for (size_t i = 0; i < q->lo.n; i++)
        if (q->lo.at[i] == m->lo)
            return;
    q->n++;
    out_line(q->s, "Mapped: %s to %s, %s, %s %s", out_addr(q->s, m->lo), out_addr(q->s, m->hi),
             m->perm, out_size(q->s, m->hi - m->lo), m->name);
}

static void hand_row(struct hand *c, struct out_table *t, const char *from, const char *text,
                     uint64_t at, const uint8_t *code, unsigned n)
{
    for (unsigned done = 0; done < n;) {
        struct ez_disassembled d;
        if (!ez_err_drop(ez_disassemble_bytes(c->s->target, ez_addr_of(at + done), code + done,
                                              n - done, &d)) ||
            !d.len)
            return;
        out_row(t, done ? "" : from, done ? "" : text, out_addr16(c->s, at + done),
                hand_hex(c->s, d.bytes, (unsigned)d.len), d.text, NULL);
        done += (unsigned)d.len;
    }
}

static void hand_print_relocate(struct hand *c)
{
    struct ez_sess *s = c->s;
    struct out_table t;
    out_table_init(&t, s, "At", "Instruction", "Goes to", "Bytes", "There", NULL);
    for (unsigned i = 0; i < c->h.ninsn; i++) {
        const struct ez_hand_insn *in = &c->h.insn[i];
        struct ez_disassembled d;
        bool ok = ez_err_drop(ez_disassemble(s->target, ez_addr_of(in->from), true, &d));
        hand_row(c, &t, out_addr16(s, in->from), ok ? d.text : "?", in->to, in->code,
                 EZ_MIN(in->to_len, 32U));
    }
    out_table_print(&t);
    out_line(s,
             "Trampoline: %u bytes for %s, then %u of moved instructions at %s, back to %s. It is "
             "in eztsh's memory only.",
             c->h.trampoline_len, out_addr(s, c->h.trampoline), c->h.relocated_len,
             out_addr(s, c->h.relocated), out_addr(s, c->h.lands));
}

static void hand_print_trampoline(struct hand *c)
{
    struct ez_sess *s = c->s;
    unsigned all = c->h.trampoline_len + c->h.relocated_len;
    for (unsigned at = 0; at < all; at += 16) {
        uint8_t b[16];
        unsigned n = EZ_MIN(16U, all - at);
        if (ez_read_some(s->target, ez_addr_of(c->h.trampoline + at), b, n) == n)
            out_line(s, "  %s  %s", out_addr16(s, c->h.trampoline + at), hand_hex(s, b, n));
    }
    out_line(s, "Written: %u bytes at %s; the moved instructions begin at %s.", all,
             out_addr(s, c->h.trampoline), out_addr(s, c->h.relocated));
}

static void hand_print_jump(struct hand *c)
{
    struct ez_sess *s = c->s;
    struct ez_disassembled d;
    bool ok = ez_err_drop(ez_disassemble(s->target, ez_addr_of(c->h.site), false, &d));
    out_line(s, "Jump: at %s, %s became %s, \"%s\".", out_addr(s, c->h.site),
             hand_hex(s, c->h.before, c->h.jump), hand_hex(s, c->h.after, c->h.jump),
             ok ? d.text : "?");
    if (c->h.island)
        out_line(s, "The jump leads to %s, and a jump there to the trampoline at %s.",
                 out_addr(s, c->h.island), out_addr(s, c->h.trampoline));
    out_line(s, "Probe %d is planted, as \"probe\" would have done it.", c->h.number);
}

static ez_err *hand_print_step(struct hand *c, enum ez_hand_step step)
{
    switch (step) {
    case EZ_HAND_ROOM:
        hand_print_room(c);
        return NULL;
    case EZ_HAND_RELOCATE:
        hand_print_relocate(c);
        return NULL;
    case EZ_HAND_TRAMPOLINE:
        hand_print_trampoline(c);
        return NULL;
    case EZ_HAND_THREADS:
        return sess_run(c->s, "info window");
    case EZ_HAND_JUMP:
        hand_print_jump(c);
        return NULL;
    default: /* hand_map() prints the new mappings itself. */
        return NULL;
    }
}

/* ---- the commands ------------------------------------------------------------------------ */

/* Maps memory, and prints the new mappings. */
static ez_err *hand_map(struct hand *c)
{
    struct maps q = { .s = c->s };
    ez_err *e = ez_mappings(c->s->target, hand_each_mapping, &q);
    if (!e)
        e = ez_hand_step(c->s->target, EZ_HAND_MAP);
    q.print = true;
    if (!e)
        e = ez_mappings(c->s->target, hand_each_mapping, &q);
    if (!e && !q.n)
        out_line(c->s, "Nothing had to be mapped: earlier probes left room at %s.",
                 out_addr(c->s, c->h.room));
    EZ_VEC_FREE(&q.lo);
    return e;
}

/* Returns the reason why the step is not possible now; NULL if it is. */
static ez_err *hand_not_yet(struct hand *c, enum ez_hand_step step)
{
    enum ez_hand_step first = c->h.next;
    if (step < first && step != EZ_HAND_THREADS)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "\"hand %s\" is already done", steps[step].name),
            "\"hand %s\" comes next", steps[first].name);
    if (step == EZ_HAND_JUMP && first >= EZ_HAND_THREADS)
        first = EZ_HAND_THREADS; /* the threads may have run since, so their positions must be
                                  * checked again */
    else if (step <= first)
        return NULL;
    const char *what = hand_without(c, first);
    return first == EZ_HAND_THREADS && !strncmp(what, "nothing", 7)
               ? NULL
               : ez_err_hint(ez_err_new(EZ_E_STATE, 0, "\"hand %s\" must come first: %s",
                                        steps[first].name, what),
                             "\"hand undo\" cancels the probe");
}

static ez_err *hand_do(struct ez_sess *s, enum ez_hand_step step)
{
    struct hand c;
    EZ_TRY(hand_look(s, &c));
    EZ_TRY(hand_not_yet(&c, step));
    bool skipped = step == EZ_HAND_JUMP && c.h.next == EZ_HAND_THREADS;
    if (skipped)
        out_line(s, "\"hand threads\" was left out, and %s.",
                 strchr(hand_without(&c, EZ_HAND_THREADS), ':') + 2);
    EZ_TRY(step == EZ_HAND_MAP ? hand_map(&c) : ez_hand_step(s->target, step));
    if (step != EZ_HAND_JUMP)
        EZ_TRY(hand_look(s, &c));
    EZ_TRY(hand_print_step(&c, step));
    if (step != EZ_HAND_JUMP)
        hand_say_next(&c);
    return NULL;
}

ez_err *hand_begin(struct ez_sess *s, int number)
{
    struct hand c;
    unsigned n;
    EZ_TRY(ez_hand_begin(s->target, number));
    EZ_TRY(hand_look(s, &c));
    const char *refused = c.h.kind & EZ_PROBE_EXIT ? c.w.exit : c.w.entry;
    if (*refused)
        return ez_err_first(ez_err_new(EZ_E_REFUSED, 0, "Cannot probe %s: %s", c.w.name, refused),
                            ez_rollback(s->target, &n));
    out_line(s, "Probe %d, by hand, on %s at %s: %s. The function is not changed yet.", number,
             c.w.name, out_addr(s, c.w.site), ez_strategy(c.w.strategy)->text);
    why_list(s, &c.w);
    hand_say_next(&c);
    return NULL;
}

static ez_err *cmd_hand(struct ez_sess *s, int argc, char **argv)
{
    struct hand c;
    struct out_table t;
    EZ_TRY(hand_look(s, &c));
    out_line(s, "Probe %d, by hand, on %s at %s:", c.h.number, c.w.name, out_addr(s, c.w.site));
    out_table_init(&t, s, "", "", "", NULL);
    for (enum ez_hand_step i = 0; i < EZ_NHAND; i++)
        out_row(&t,
                i < c.h.next    ? "done"
                : i == c.h.next ? "next"
                                : "",
                steps[i].name, steps[i].does, NULL);
    out_table_print(&t);
    hand_say_next(&c);
    return NULL;
}

const struct ez_cmd command_hand = {
    .name = "hand",
    .usage = "[STEP]",
    .brief = "Plant a probe step by step.",
    .help = "With \"set by-hand on\", \"probe FUNC\" plants nothing. \"probe\" shows the code of\n"
            "FUNC, and you do the steps: room, map, relocate, stub, threads, jump, in this\n"
            "order. \"hand next\" does the next step; \"hand\" shows which steps are done.\n"
            "\n"
            "After each step eztsh shows the addresses and bytes of the step, names the next\n"
            "step, and says what would go wrong without the next step, for instance which\n"
            "thread would execute which wrong instruction. A step out of order is refused\n"
            "with this reason. Only \"threads\" may be left out, if no thread is under the\n"
            "jump. The result is byte for byte what \"probe\" would write.\n"
            "\n"
            "The function is unchanged until \"jump\". \"hand undo\", Ctrl-C at the prompt,\n"
            "\"detach\" and the program's end cancel the probe; threads that \"hand threads\"\n"
            "moved go back. The program may run between two steps (\"continue\", \"stepi\").",
    .examples = "set by-hand on\n"
                "probe answer\n"
                "hand room\n"
                "hand map\n"
                "hand next\n"
                "hand undo",
    .see_also = "set by-hand, explain, why, film, lesson",
    OPERANDS(PROBE, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_hand,
};

static ez_err *cmd_hand_step(struct ez_sess *s, int argc, char **argv)
{
    for (enum ez_hand_step i = 0; i < EZ_NHAND; i++)
        if (!strcmp(steps[i].name, strchr(argv[0], ' ') + 1))
            return hand_do(s, i);
    return opt_misuse(s);
}

const struct ez_cmd command_hand_jump = {
    .parent = "hand",
    .name = "jump",
    .usage = "",
    .brief = "Write the jump over the function's first bytes.",
    .help = "This is the last step. eztsh checks the program counters again, writes the\n"
            "record of the patch to the journal, writes the jump in one write and reads the\n"
            "jump back. From now on calls of the function go through the trampoline.",
    .examples = "hand jump",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

const struct ez_cmd command_hand_map = {
    .parent = "hand",
    .name = "map",
    .usage = "",
    .brief = "Map the memory that \"hand room\" found.",
    .help = "A stopped thread of the program executes mmap; its registers are restored\n"
            "afterwards. The memory is readable and executable, and not writable for the\n"
            "program. Behind the memory is address space for the return trampolines of\n"
            "exits. This address space uses memory only when a trampoline is needed.",
    .examples = "hand map",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

const struct ez_cmd command_hand_relocate = {
    .parent = "hand",
    .name = "relocate",
    .usage = "",
    .brief = "Make the trampoline, with the instructions under the jump.",
    .help = "eztsh makes the trampoline in its own memory. Calls, branches and data\n"
            "references that depend on the address are rewritten for the new address. A\n"
            "recording probe opens the trace in this step.",
    .examples = "hand relocate",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

const struct ez_cmd command_hand_room = {
    .parent = "hand",
    .name = "room",
    .usage = "",
    .brief = "Find free memory within reach of the jump.",
    .help = "A jump of five bytes reaches 2 GiB in both directions. This step changes\n"
            "nothing.",
    .examples = "hand room",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

const struct ez_cmd command_hand_trampoline = {
    .parent = "hand",
    .name = "stub",
    .usage = "",
    .brief = "Write the trampoline to the program.",
    .help = "eztsh writes through /proc/PID/mem, which may write to memory that is\n"
            "read-only for the program. Nothing jumps to the trampoline yet.",
    .examples = "hand stub",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

const struct ez_cmd command_hand_threads = {
    .parent = "hand",
    .name = "threads",
    .usage = "",
    .brief = "Move the threads that are under the jump.",
    .help = "A thread between two instructions that the jump covers would continue in the\n"
            "middle of the jump. Its program counter is set to the same instruction in the\n"
            "trampoline. eztsh also sets saved program counters to which signal handlers\n"
            "return. Repeat this step if the program has run since this step.",
    .examples = "hand threads",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_step,
};

static ez_err *cmd_hand_next(struct ez_sess *s, int argc, char **argv)
{
    struct hand c;
    EZ_TRY(hand_look(s, &c));
    return hand_do(s, c.h.next);
}

const struct ez_cmd command_hand_next = {
    .parent = "hand",
    .name = "next",
    .usage = "",
    .brief = "Do the next step.",
    .examples = "hand next",
    .see_also = "hand",
    OPERANDS(PROBE, 0, 0),
    .flags = NEED_STOPPED | MUTATES | NO_REPEAT,
    .fn = cmd_hand_next,
};

static ez_err *cmd_hand_undo(struct ez_sess *s, int argc, char **argv)
{
    struct hand c;
    unsigned n;
    EZ_TRY(hand_look(s, &c));
    EZ_TRY(ez_rollback(s->target, &n));
    out_line(
        s,
        "Probe %d is cancelled. No byte of %s was changed, and all threads are where they were.%s",
        c.h.number, c.w.name,
        c.h.room_mapped ? " The mapped memory stays for later probes. Nothing jumps there." : "");
    return NULL;
}

const struct ez_cmd command_hand_undo = {
    .parent = "hand",
    .name = "undo",
    .usage = "",
    .brief = "Cancel the probe that is planted by hand.",
    .help = "Threads that \"hand threads\" moved go back to the function. The memory stays\n"
            "mapped for later probes.",
    .examples = "hand undo",
    .see_also = "hand, rollback",
    OPERANDS(PROBE, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_hand_undo,
};

void hand_abandon(struct ez_sess *s)
{
    struct ez_hand h;
    ez_hand_look(s->target, &h);
    if (h.number)
        sess_command(s, "hand undo");
}

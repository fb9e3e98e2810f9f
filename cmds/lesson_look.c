/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_look.c - how what a student did is seen: what all lessons look at, and lessons 1 to 4 (lesson.h). */
#include <string.h>

#include "cmds/lesson_tasks.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "engine/eval/eval.h"
#include "shell/out.h"

const char *const lesson_reg_name[LESSON_REGS] = { "rip", "rax", "rbx", "rcx", "rdx", "rsi",
                                                   "rdi", "rbp", "rsp", "r8",  "r9",  "r10",
                                                   "r11", "r12", "r13", "r14", "r15" };

/* ---- looking ------------------------------------------------------------------------------- */

uint64_t learn_addr(struct ez_sess *s, const char *name)
{
    ez_addr at = { 0 };
    return ez_err_drop(parse_addr(s, name, &at)) ? at.v : 0;
}

bool learn_value(struct ez_sess *s, const char *expr, uint64_t *out)
{
    struct ez_value v = { 0 };
    bool some = ez_err_drop(ez_eval(values_of(s), expr, NULL, &v)) &&
                ez_err_drop(ez_value_address(&v, out));
    ez_value_clear(&v);
    return some;
}

bool learn_word(struct ez_sess *s, uint64_t at, void *to, size_t n)
{
    return ez_err_drop(ez_read(s->target, ez_addr_of(at), to, n));
}

static uint64_t learn_pc(struct ez_sess *s)
{
    ez_addr pc = { 0 };
    return ez_err_drop(ez_pc(s->target, &pc)) ? pc.v : 0;
}

static uint64_t learn_reg(struct ez_sess *s, const char *name)
{
    uint64_t v = 0;
    return ez_err_drop(ez_register(s->target, name, &v)) ? v : 0;
}

/* How far behind the start of main the target stands; -1 = not in main. */
int64_t learn_in_main(struct ez_sess *s)
{
    uint64_t off = 0;
    struct ez_module_info m;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(learn_pc(s)), &off, &m);
    return sym && m.is_program && !strcmp(ez_sym_pretty(sym), "main") ? (int64_t)off : -1;
}

const char *learn_stopped(struct ez_sess *s)
{
    if (!ez_target_program(s->target) || !learn_addr(s, "step"))
        return "no program with a function `step` is loaded: `file examples/demo`, in the folder "
               "where eztsh was built.";
    if (ez_target_state(s->target) == EZ_NONE)
        return "there is no process yet.";
    return ez_target_state(s->target) == EZ_STOPPED ? NULL : "the process does not stand still.";
}

struct learn_find {
    struct ez_sess *s;
    uint64_t at; /* of a probe's function, or in a mapping */
    bool found;
    struct ez_probe_info probe; /* its texts are gone                */
    struct ez_map map;
};

static void learn_if_probe(const struct ez_probe_info *p, void *arg)
{
    struct learn_find *f = arg;
    if (p->addr == f->at && f->at && !f->found) {
        f->found = true;
        f->probe = *p;
    }
}

bool learn_probe(struct ez_sess *s, const char *function, struct ez_probe_info *out)
{
    struct learn_find f = { .s = s, .at = learn_addr(s, function) };
    ez_probes(s->target, learn_if_probe, &f);
    *out = f.probe;
    return f.found;
}

static void learn_if_map(const struct ez_map *m, void *arg)
{
    struct learn_find *f = arg;
    if (m->lo > f->at || f->at >= m->hi)
        return;
    f->found = true;
    f->map = *m;
    f->map.name = sess_format(f->s, "%s", m->name);
}

bool learn_map(struct ez_sess *s, uint64_t at, struct ez_map *out)
{
    struct learn_find f = { .s = s, .at = at };
    bool read = ez_err_drop(ez_mappings(s->target, learn_if_map, &f));
    *out = f.map;
    return read && f.found;
}

/* ---- 1: launch and stop ----------------------------------------------------------------------- */

const char *learn_at_main(const struct lesson_at *at)
{
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    return learn_in_main(at->s) ? "the process does not stand at the first instruction of main."
                                : NULL;
}

const char *learn_one_step(const struct lesson_at *at)
{
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (!at->stepped)
        return "the kernel was not asked for a PTRACE_SINGLESTEP.";
    return learn_in_main(at->s) ? NULL : "main's first instruction did not run.";
}

const char *learn_ended(const struct lesson_at *at)
{
    if (ez_target_state(at->s->target) != EZ_NONE)
        return "the process has not ended.";
    if (at->s->child_status < 0)
        return "no process of ours has ended by itself.";
    if (at->s->child_status)
        return sess_format(at->s,
                           "it ended, but with status %d: something that it needs was "
                           "changed. \"lesson reset\" begins again.",
                           at->s->child_status);
    return NULL;
}

/* ---- 2: memory and registers --------------------------------------------------------------------- */

const char *learn_seven(const struct lesson_at *at)
{
    int32_t steps = 0;
    const char *no = learn_stopped(at->s);
    uint64_t where;
    if (no)
        return no;
    if (!learn_value(at->s, "&steps", &where) || !learn_word(at->s, where, &steps, sizeof steps))
        return "there is no variable `steps` to read.";
    return steps == 7 ? NULL
                      : sess_format(at->s, "in the target's memory `steps` is %d, not 7.", steps);
}

const char *learn_no_args(const struct lesson_at *at)
{
    const char *no = learn_seven(at);
    if (no)
        return no;
    if (learn_in_main(at->s))
        return "main has run on already: its first argument is in a register only at its start.";
    uint64_t argc = learn_reg(at->s, "rdi");
    return argc == 1 ? NULL
                     : sess_format(at->s, "main's first argument, argc, is %llu, not 1.",
                                   (unsigned long long)argc);
}

/* ---- 3: single-stepping a prologue ---------------------------------------------------------------- */

const char *learn_five(const struct lesson_at *at)
{
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    int64_t in = learn_in_main(at->s);
    if (in < 0)
        return "the process does not stand in main.";
    if (!at->stepped)
        return "no instruction was single-stepped yet.";
    if (in < 5)
        return sess_format(at->s,
                           "%lld bytes are behind you; the jump of a base trampoline takes 5.",
                           (long long)in);
    return NULL;
}

static const char *learn_over(const struct lesson_at *at, const char *function, const char *expr)
{
    struct ez_measure m;
    uint64_t said, addr = learn_addr(at->s, function);
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    memset(&m, 0, sizeof m);
    if (!addr || !ez_err_drop(ez_measure(at->s->target, ez_addr_of(addr), EZ_MEASURE_OPCODES, &m)))
        return "the function cannot be measured.";
    if (!learn_value(at->s, expr, &said))
        return sess_format(at->s, "%s has no value yet: \"set %s = N\".", expr, expr);
    if (said == m.overwritten)
        return NULL;
    return sess_format(at->s,
                       "%s is %llu, and that is not where a whole instruction ends first "
                       "behind 5 bytes.",
                       expr, (unsigned long long)said);
}

const char *learn_over_main(const struct lesson_at *at)
{
    return learn_over(at, "main", "$over");
}

const char *learn_over_jump(const struct lesson_at *at)
{
    const char *no = learn_over(at, "work", "$work");
    if (no)
        return no;
    return at->stepped ? NULL
                       : "$work is right, but nothing was single-stepped: measured by stepping, "
                         "too, it can be trusted.";
}

/* ---- 4: a system call by hand -------------------------------------------------------------------- */

const char *learn_syscall_there(const struct lesson_at *at)
{
    uint8_t two[2] = { 0 };
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    learn_word(at->s, learn_pc(at->s), two, sizeof two);
    if (two[0] == 0x0f && two[1] == 0x05)
        return NULL;
    return sess_format(at->s, "at $pc stand the bytes %02x %02x; the instruction syscall is 0f 05.",
                       two[0], two[1]);
}

const char *learn_mmap_args(const struct lesson_at *at)
{
    static const struct {
        const char *reg, *what;
        uint64_t want;
    } args[] = {
        { "rax", "the number of mmap", 9 },
        { "rdi", "address: anywhere", 0 },
        { "rsi", "length", 4096 },
        { "rdx", "PROT_READ | PROT_WRITE", 3 },
        { "r10", "MAP_PRIVATE | MAP_ANONYMOUS", 0x22 },
        { "r9", "offset", 0 },
    };
    const char *no = learn_syscall_there(at);
    if (no)
        return no;
    for (size_t i = 0; i < EZ_ARRAY_LEN(args); i++)
        if (learn_reg(at->s, args[i].reg) != args[i].want)
            return sess_format(at->s, "$%s is 0x%llx; it should be 0x%llx (%s).", args[i].reg,
                               (unsigned long long)learn_reg(at->s, args[i].reg),
                               (unsigned long long)args[i].want, args[i].what);
    return (int32_t)learn_reg(at->s, "r8") == -1 ? NULL : "$r8, the file descriptor, is not -1.";
}

const char *learn_mapped(const struct lesson_at *at)
{
    struct ez_map map;
    uint64_t got = learn_reg(at->s, "rax");
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (!at->stepped)
        return "the system call did not run: it is one instruction.";
    if ((int64_t)got < 0 && (int64_t)got > -4096)
        return sess_format(at->s, "mmap failed: $rax is -%s.", ez_errno_name((int)-(int64_t)got));
    if (got < 4096 || got % 4096 || !learn_map(at->s, got, &map))
        return "$rax is not the address of a mapping.";
    return *map.name ? "what is mapped at $rax is not a fresh anonymous mapping." : NULL;
}

void learn_no_diff(const struct ez_textdiff *d, void *arg)
{
}

const char *learn_restored(const struct lesson_at *at)
{
    struct ez_textdiff_sum sum = { 0 };
    uint64_t now[LESSON_REGS];
    const char *no = learn_stopped(at->s);
    if (no)
        return no;
    if (!ez_err_drop(ez_textdiff(at->s->target, learn_no_diff, NULL, &sum)) || sum.foreign)
        return "the program's text is not that of its file: main's bytes are not back.";
    if (!at->has_regs || !lesson_regs(at->s, now))
        return "the registers of the begin are not known: \"lesson reset\".";
    for (unsigned i = 0; i < LESSON_REGS; i++)
        if (now[i] != at->reg[i])
            return sess_format(
                at->s, "$%s is 0x%llx; before all this it was 0x%llx.%s", lesson_reg_name[i],
                (unsigned long long)now[i], (unsigned long long)at->reg[i],
                !strcmp(lesson_reg_name[i], "rcx") || !strcmp(lesson_reg_name[i], "r11")
                    ? " The instruction syscall itself writes $rcx and $r11."
                    : "");
    return NULL;
}

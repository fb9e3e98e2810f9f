/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code_harness.h - for the test programs of code that a trampoline runs (check_code.c, check_code_adds.c): the
 * runtime, whose source becomes part of the program, a function with parameters of all types, and a
 * call of it; a real drain empties the rings, and the file is read. */
#ifndef CODE_HARNESS_H
#define CODE_HARNESS_H

#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"

#include "engine/rt/rt.c"
#include "engine/rt/rt_buffer.c"
#include "engine/rt/rt_chunk.c"
#include "engine/rt/rt_hook.c"
#include "engine/rt/rt_event.c"
#include "engine/rt/rt_data.c"
#include "engine/rt/rt_code.c"
#include "engine/rt/rt_act.c"
#include "tests/unit/no_fragments.h"
#include "engine/rt/rt_addup.c"
#include "engine/rt/rt_read.c"

#undef EZ_PAGE
#include "engine/expr/clause.h"
#include "engine/expr/expr.h"
#include "engine/record/addup.h"
#include "engine/record/items.h"
#include "engine/target.h"
#include "engine/trace/fxt_defs.h"
#include "tests/unit/drain_harness.h"
#include "tests/unit/suite.h"
#include "engine/patch/clause.h"

enum { SITE = 4, CLAUSE = 5 };

struct rt_state rt_state;
char ez_return_trampolines[2 * EZ_DIST] __attribute__((aligned(EZ_CHUNK)));
char ez_exit[1];
/* What the runtime calls for a tick if rt_state.mono is set. */
static uint64_t (*tick_hook)(void);
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return tick_hook();
}

/* ---- the function that is probed -------------------------------------------------------------- */

struct pt {
    int x, y;
    struct pt *next;
    char name[8];
    unsigned lo : 3, hi : 5;
    signed char small;
};
static struct pt second = { -7, 8, NULL, "second", 5, 31, -1 };
static struct pt first = { 3, 4, &second, "first", 1, 2, -128 };
static int global = 42;
static double real = 2.5;
static float half = 0.5f;
static long double wide = 1.0L / 3;
static double pair[2] = { 1, -2 };
static char *text = "text \"with\" a tab\t.";
enum colour { RED, GREEN = 5, BLUE };
static struct {
    char *p;
    size_t n;
} string;

static const struct ez_type *t_int, *t_uint, *t_char, *t_long, *t_ulong, *t_double, *t_float;
static struct ez_type t_pt, t_enum, t_string, t_two;
static struct ez_field pt_fields[7], two_fields[2];
static const struct ez_enumerator colours[] = { { "RED", 0 }, { "GREEN", 5 }, { "BLUE", 6 } };

static void make_types(void)
{
    t_int = ez_type_base("int");
    t_uint = ez_type_base("unsigned");
    t_char = ez_type_base("char");
    t_long = ez_type_base("long");
    t_ulong = ez_type_base("unsigned long");
    t_double = ez_type_base("double");
    t_float = ez_type_base("float");
    t_pt = (struct ez_type){ .kind = EZ_TY_STRUCT, .name = "pt", .size = sizeof(struct pt) };
    const struct ez_field f[] = {
        { "x", t_int, offsetof(struct pt, x), 0, 0, false, 0, 0 },
        { "y", t_int, offsetof(struct pt, y), 0, 0, false, 0, 0 },
        { "next", ez_type_pointer_to(&t_pt), offsetof(struct pt, next), 0, 0, false, 0, 0 },
        { "name", ez_type_array_of(t_char, 8), offsetof(struct pt, name), 0, 0, false, 0, 0 },
        { "lo", t_uint, 24, 0, 3, false, 0, 0 },
        { "hi", t_uint, 24, 3, 5, false, 0, 0 },
        { "small", ez_type_base("signed char"), offsetof(struct pt, small), 0, 0, false, 0, 0 },
    };
    memcpy(pt_fields, f, sizeof f);
    t_pt.field = pt_fields;
    t_pt.nfields = EZ_ARRAY_LEN(f);
    t_enum = (struct ez_type){
        .kind = EZ_TY_ENUM, .name = "colour", .size = 4, .enumerator = colours, .nenumerators = 3
    };
    t_string = (struct ez_type){
        .kind = EZ_TY_STRUCT, .name = "string", .size = sizeof string, .is_char_text = true
    };
    two_fields[0] = (struct ez_field){ "a", t_int, 0, 0, 0, false, 0, 0 };
    two_fields[1] = (struct ez_field){ "b", t_long, 8, 0, 0, false, 0, 0 };
    t_two = (struct ez_type){
        .kind = EZ_TY_STRUCT, .name = "two", .size = 16, .field = two_fields, .nfields = 2
    };
}

/* As the calling convention has them: rdi, rsi, rdx, rcx; the stack; variables. */
static uint64_t reg[16], frame[4];
static struct ez_param_at param[16];
static size_t nparams;

static void in_reg(const char *name, const struct ez_type *t, unsigned n, uint64_t value)
{
    param[nparams++] = (struct ez_param_at){
        name, { t, { .kind = EZ_AT_REGS, .nregs = 1, .reg = { { .number = n } } } }
    };
    reg[n] = value;
}

static void in_memory(const char *name, const struct ez_type *t, const void *p)
{
    param[nparams++] =
        (struct ez_param_at){ name, { t, { .kind = EZ_AT_MEMORY, .addr = (uint64_t)p } } };
}

static void make_params(void)
{
    nparams = 0;
    string.p = "a string";
    string.n = 8;
    in_reg("n", t_int, 5, 0xdeadbeef00000000u | (uint32_t)-5);
    in_reg("u", t_uint, 4, 4000000000u);
    in_reg("s", ez_type_pointer_to(t_char), 1, (uint64_t)text);
    in_reg("p", ez_type_pointer_to(&t_pt), 2, (uint64_t)&first);
    in_reg("e", &t_enum, 8, 5);
    in_reg("flag", ez_type_base("bool"), 9, 0xff01);
    in_reg("bad", ez_type_pointer_to(t_int), 10, 16);
    in_reg("c", t_char, 11, 'A');
    param[nparams++] = (struct ez_param_at){
        "two",
        { &t_two,
          { .kind = EZ_AT_REGS, .nregs = 2, .reg = { { .number = 12 }, { .number = 13 } } } }
    };
    reg[12] = 0x1234567800000011;
    reg[13] = (uint64_t)-22;
    param[nparams++] =
        (struct ez_param_at){ "k", { t_long, { .kind = EZ_AT_STACK, .offset = 8 } } };
    param[nparams++] =
        (struct ez_param_at){ "gone", { t_int, { .kind = EZ_AT_NONE, .why = "optimized out" } } };
    in_memory("d", t_double, &real);
    in_memory("f", t_float, &half);
    frame[0] = 0x401000; /* the return address */
    frame[1] = 77;
}

static ez_err *find_name(void *arg, const char *scope, const char *name, struct ez_named *out)
{
    static const struct {
        const char *name, *type;
        void *at;
    } vars[] = { { "global", "int", &global },
                 { "wide", "long double", &wide },
                 { "pair", "_Complex double", &pair } };
    (void)arg, (void)scope;
    for (size_t i = 0; i < EZ_ARRAY_LEN(vars); i++)
        if (!strcmp(vars[i].name, name)) {
            *out = (struct ez_named){ ez_type_base(vars[i].type),
                                      { .kind = EZ_AT_MEMORY, .addr = (uint64_t)vars[i].at } };
            return NULL;
        }
    if (!strcmp(name, "str") || !strcmp(name, "pt")) {
        bool str = *name == 's';
        *out = (struct ez_named){ str ? &t_string : &t_pt,
                                  { .kind = EZ_AT_MEMORY,
                                    .addr = str ? (uint64_t)&string : (uint64_t)&second } };
        return NULL;
    }
    return ez_err_new(EZ_E_NOTFOUND, 0, "No symbol \"%s\" in current context.", name);
}

static ez_err *find_type(void *arg, const struct ez_type_name *n, const struct ez_type **out)
{
    (void)arg;
    *out = !strcmp(n->base, "struct pt") ? &t_pt : ez_type_base(n->base);
    if (!*out)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No %s.", n->base);
    for (unsigned i = 0; i < n->stars; i++)
        *out = ez_type_pointer_to(*out);
    return NULL;
}

static struct ez_scope scope = {
    .function = "f", .param = param, .name = find_name, .type = find_type
};

/* ---- one hit ---------------------------------------------------------------------------------- */

static uint32_t tables; /* of aggregates */

static void code_setup(void)
{
    size_t size = 4096 + NBUFFERS * sizeof(struct ez_ctl);
    setup();
    struct rt_proc *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p, MAP_FAILED);
    p->alive = 1;
    rt_state = (struct rt_state){ .hdr = hdr, .ctls = (uint8_t *)p, .max_chunks = EZ_NCHUNK };
    hdr->off_ranges = 2048; /* of the header's page: zeros, so all is read by the kernel */
    hdr->overflow_wait = 1;
    tables = 0;
    make_types();
    make_params();
    scope.nparams = nparams;
    scope.result = (struct ez_named){
        t_int, { .kind = EZ_AT_REGS, .nregs = 1, .reg = { { .number = 0 } }, .at_exit = true }
    };
}

static struct ez_site site;
static struct ez_site_clause one;
static uint8_t *program;
static struct ez_trampoline_data trampoline;
static struct ez_guards guards; /* what hits must be besides, of the next prepare() */

/* The program behind a trampoline. */
static void lay_out(struct ez_clause_code *code, int flags)
{
    one = (struct ez_site_clause){ .code = code, .id = CLAUSE, .wants = 1, .flags = flags };
    site.clause.at = &one;
    site.clause.n = 1;
    program = ez_alloc(ez_clauses_size(&site, 1));
    ez_clauses_fill(&site, 1, program);
    trampoline = (struct ez_trampoline_data){ .cnt = SITE * (uint32_t)sizeof(struct ez_counter),
                                              .room = (uint64_t)program,
                                              .flags = EZ_TRAMPOLINE_PAIRED };
    ez_drain_define(drain, CLAUSE, (uint32_t)one.flags, 0x1000, "f", "lib");
    ez_drain_define(drain, CLAUSE + 1, EZ_ROW_CLAUSE | EZ_ROW_ENTRY, 0x1000, "f", "lib");
    if (*code->items)
        ez_drain_define_items(drain, EZ_C_PROBE + 2 * CLAUSE, code->items);
    if (*code->out_items)
        ez_drain_define_items(drain, EZ_C_PROBE + 2 * CLAUSE + 1, code->out_items);
}

/* Compile what a probe asks, and lay it out. */
static ez_err *prepare(const char *cond, const char *collect, const char *leave, bool entry)
{
    const struct ez_probe_spec spec = { .kind = entry ? EZ_PROBE_BOTH : EZ_PROBE_EXIT,
                                        .cond = cond,
                                        .collect = collect,
                                        .leave = leave };
    const struct ez_request ask = { .spec = &spec, .max_string = 16, .guards = guards };
    struct ez_clause_code *code = NULL;
    EZ_TRY(ez_clause_compile(&ask, &scope, &code));
    lay_out(code, EZ_ROW_EXIT | EZ_ROW_REC_EXIT | (entry ? EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY : 0));
    return NULL;
}

static void unprepare(void)
{
    ez_clause_free(one.code);
    free(program);
}

/* A call: the entry, and its exit, if it is followed. */
static void call(uint64_t result)
{
    uint64_t caller = frame[0], slot = ez_data(frame, &trampoline, reg);
    if (!slot)
        return;
    uint64_t at_exit[16] = { [0] = result };
    ez_data_exit(frame, (struct shadow_frame *)(slot + EZ_DIST), at_exit);
    ck_assert_uint_eq(frame[0], caller);
}

static void add_value(const struct ez_item_value *v, void *arg)
{
    char **all = arg, *was = *all;
    EZ_FREE char *value = ez_item_text(v, NULL);
    *all = ez_sprintf("%s%s%s=%s", was, *was ? " " : "", v->item->name, value);
    free(was);
}

/* All values in the file: entry, then " / " and exit. */
static char *read_values(void)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    struct ez_fxt_defs defs = { 0 };
    bool got = true;
    char *all = ez_strdup("");
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got)
            break;
        if (ez_fxt_is_def(&ev))
            ez_fxt_defs_learn(&defs, &ev);
        if (ev.code - EZ_C_PROBE >= 0x1000000)
            continue;
        const struct ez_items *k = ez_fxt_defs_items(&defs, ev.code);
        char *was = all;
        all = ez_sprintf("%s%s", was, ev.code & 1 ? " /" : "");
        free(was);
        if (k)
            ez_items_values(k, ev.code & 1, ev.arg, ev.narg, add_value, &all);
    }
    ez_fxt_in_close(in);
    ez_fxt_defs_free(&defs);
    return all;
}

#endif

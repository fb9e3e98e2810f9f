/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_code.c - from a probe's words to the values in a trace, without a target: what was typed is
 * compiled, verified, laid out as in a stub, and run by the runtime, whose source is part of this
 * program; a real drain empties its rings, and the file is read. */
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"

#include "engine/rt/rt.c"
#include "engine/rt/rt_lane.c"
#include "engine/rt/rt_chunk.c"
#include "engine/rt/rt_hook.c"
#include "engine/rt/rt_event.c"
#include "engine/rt/rt_data.c"
#include "engine/rt/rt_code.c"
#include "engine/rt/rt_act.c"
#include "engine/rt/rt_addup.c"
#include "engine/rt/rt_read.c"

#undef EZ_PAGE
#include "engine/data/clause.h"
#include "engine/data/expr.h"
#include "engine/ring/addup.h"
#include "engine/ring/items.h"
#include "engine/target.h"
#include "engine/trace/fxt_defs.h"
#include "tests/unit/engine/drain_harness.h"
#include "tests/unit/suite.h"

enum { SITE = 4, CLAUSE = 5, GUARDS = 21 };

struct rt_state rt_state;
char ez_slots[2 * EZ_DIST] __attribute__((aligned(EZ_CHUNK)));
char ez_exit[1];
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return 0;
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
        { "x", t_int, offsetof(struct pt, x), 0, 0, false },
        { "y", t_int, offsetof(struct pt, y), 0, 0, false },
        { "next", ez_type_pointer_to(&t_pt), offsetof(struct pt, next), 0, 0, false },
        { "name", ez_type_array_of(t_char, 8), offsetof(struct pt, name), 0, 0, false },
        { "lo", t_uint, 24, 0, 3, false },
        { "hi", t_uint, 24, 3, 5, false },
        { "small", ez_type_base("signed char"), offsetof(struct pt, small), 0, 0, false },
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
    two_fields[0] = (struct ez_field){ "a", t_int, 0, 0, 0, false };
    two_fields[1] = (struct ez_field){ "b", t_long, 8, 0, 0, false };
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
    size_t size = 4096 + NLANES * sizeof(struct ez_ctl);
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
static struct ez_stub_data stub;
static struct ez_guards guards; /* what hits must be besides, of the next prepare() */

/* The program behind a stub. */
static void lay_out(struct ez_clause_code *code, int flags)
{
    one = (struct ez_site_clause){ .code = code, .id = CLAUSE, .wants = 1, .flags = flags };
    site.clause.at = &one;
    site.clause.n = 1;
    program = ez_alloc(ez_clauses_size(&site, 1));
    ez_clauses_fill(&site, 1, program);
    stub = (struct ez_stub_data){ .cnt = SITE * (uint32_t)sizeof(struct ez_counter),
                                  .room = (uint64_t)program,
                                  .flags = EZ_STUB_PAIRED };
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
    const struct ez_ask ask = { .cond = cond,
                                .collect = collect,
                                .leave = leave,
                                .entry = entry,
                                .exit = true,
                                .max_string = 16,
                                .guards = guards,
                                .add = { .value = "", .key = "" } };
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
    uint64_t caller = frame[0], slot = ez_data(frame, &stub, reg);
    if (!slot)
        return;
    uint64_t at_exit[16] = { [0] = result };
    ez_data_exit(frame, (struct entry *)(slot + EZ_DIST), at_exit);
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

static void collects(const char *collect, const char *expected)
{
    ok(ez_drain_open(drain, path));
    ok(prepare("", collect, "", true));
    call(9);
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, expected);
    unprepare();
}

static const char *const values[][2] = {
    { "n", "n=-5 /" },
    { "n+1", "n+1=-4 /" },
    { "u", "u=4000000000 /" },
    { "u+n", "u+n=3999999995 /" },
    { "n < u", "n<u=0 /" }, /* n is converted to unsigned, as in C */
    { "n < (long)u", "n<(long)u=1 /" },
    { "u == -294967296", "u==-294967296=1 /" },
    { "n/2, n%2, -n, ~n, !n", "n/2=-2 n%2=-1 -n=5 ~n=4 !n=0 /" },
    { "u/3, u%7, u<<1, u>>31", "u/3=1333333333 u%7=3 u<<1=3705032704 u>>31=1 /" },
    { "n>>1, n<<1, n&255, n|1, n^n", "n>>1=-3 n<<1=-10 n&255=251 n|1=-5 n^n=0 /" },
    { "n*3 - 2*(u-u)", "n*3-2*(u-u)=4294967281 /" },
    { "1/0", "1/0=<fault> /" },
    { "c, flag, e", "c=65 'A' flag=true e=GREEN /" },
    { "e+1", "e+1=6 /" },
    { "s", "s=\"text \\\"with\\\" a ta\"... /" },
    { "s[0], *s, *(s+1)", "s[0]=116 't' *s=116 't' *(s+1)=101 'e' /" },
    { "s:x", NULL },
    { "p->x, p->next->y, (*p).x", "p->x=3 p->next->y=8 (*p).x=3 /" },
    { "p->next->next", "p->next->next=0x0 /" },
    { "p->next->next->x", "p->next->next->x=<fault> /" },
    { "p->name, p->next->name", "p->name=\"first\" p->next->name=\"second\" /" },
    { "p->lo, p->hi, p->small", "p->lo=1 p->hi=2 p->small=-128 '\\200' /" },
    { "pt.lo, pt.hi, pt.small", "pt.lo=5 pt.hi=31 pt.small=-1 '\\377' /" },
    { "p[0].x", "p[0].x=3 /" },
    { "&p->y - &p->x", "&p->y-&p->x=1 /" },
    { "*bad", "*bad=<fault> /" },
    { "*bad, n", "*bad=<fault> n=-5 /" },
    { "two", "two.a=17 two.b=-22 /" },
    { "two.b, two.a", "two.b=-22 two.a=17 /" },
    { "k", "k=77 /" },
    { "d, f", "d=2.5 f=0.5 /" },
    { "d+f, d-1, d*n, d/4, -d", "d+f=3 d-1=1.5 d*n=-12.5 d/4=0.625 -d=-2.5 /" },
    { "d > 2, d < f, d == 2.5, d != 2.5, !d", "d>2=1 d<f=0 d==2.5=1 d!=2.5=0 !d=0 /" },
    { "(int)d, (float)n, (char)65", "(int)d=2 (float)n=-5 (char)65=65 'A' /" },
    { "(double)(unsigned long)-1", "(double)(unsignedlong)-1=1.8446744073709552e+19 /" },
    { "global, &global == &global", "global=42 &global==&global=1 /" },
    { "wide", "wide=0.333333333333333333342 /" },
    { "pair", "pair=1 + -2i /" },
    { "str", "str=\"a string\" /" },
    { "n:x, n:u, n:d, c:d", "n=0xfffffffffffffffb n#2=18446744073709551611 n#3=-5 c=65 /" },
    { "s:hex(4)", "s=74 65 78 74 /" },
    { "p->name:hex(6)", "p->name=66 69 72 73 74 00 /" },
    { "(char *)p->name", "(char*)p->name=\"first\" /" },
    { "*(int *)p", "*(int*)p=3 /" },
    { "{int}p", "{int}p=3 /" },
    { "((struct pt *)p)->y", "((structpt*)p)->y=4 /" },
    { "sizeof(struct pt), sizeof n", "sizeof(structpt)=32 sizeofn=4 /" },
    { "n<0 ? 1 : 2", "n<0?1:2=1 /" },
    { "n>0 ? *bad : 7", "n>0?*bad:7=7 /" },
    { "n && p && p->x == 3", "n&&p&&p->x==3=1 /" },
    { "p == 0 || p->x", "p==0||p->x=1 /" },
    { "$arg0:d, $arg6", "$arg0=-2401053088317177861 $arg6=77 /" },
    { "$caller == 0x401000", "$caller==0x401000=1 /" },
    { "$ret", " / $ret=9" },
    { "$ret, n", "n=-5 / $ret=9" },
    { "$ret + n", " / $ret+n=4" },
    { "0x7fffffffffffffff + 0", "0x7fffffffffffffff+0=9223372036854775807 /" },
    { "1 ? 2 : 3", "1?2:3=2 /" },
    { "'a' + 1", "'a'+1=98 /" },
};

START_TEST(values_are_cs)
{
    if (values[_i][1])
        collects(values[_i][0], values[_i][1]);
}
END_TEST

/* ---- conditions ------------------------------------------------------------------------------- */

/* How many of the calls with n = -50 to 49 are recorded. */
static void passes(const char *cond, unsigned entries, unsigned faults)
{
    struct ez_counter *in = NULL, *not = NULL;
    ok(ez_drain_open(drain, path));
    ok(prepare(cond, "", "", true));
    for (int n = -50; n < 50; n++) {
        reg[5] = (uint32_t)n;
        call(1);
    }
    struct ez_drain_stat st = stat_now();
    uint64_t got, exits, filtered, faulted;
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    (void)in, (void)not ;
    ck_assert_uint_eq(got, entries);
    ck_assert_uint_eq(exits, entries);
    ck_assert_uint_eq(filtered, 100 - entries);
    ck_assert_uint_eq(faulted, faults);
    ck_assert_uint_eq(st.recorded, 2 * entries);
    ck_assert_uint_eq(st.filtered, 100 - entries);
    ck_assert_uint_eq(st.entries + st.exits, st.recorded + st.filtered);
    ok(ez_drain_close(drain));
    unprepare();
}

START_TEST(conditions_filter_calls)
{
    static const struct {
        const char *cond;
        unsigned entries, faults;
    } told[] = {
        { "n > 10", 39, 0 },
        { "n == 7", 1, 0 },
        { "n % 2", 50, 0 },
        { "n >= 0 && n < 10", 10, 0 },
        { "n < -40 || n > 40", 19, 0 },
        { "0", 0, 0 },
        { "1", 100, 0 },
        { "n / 0", 0, 100 },
        { "*bad == 3", 0, 100 },
        { "n > 0 && *bad", 0, 49 },
        { "d > 2.4 && n == 3", 1, 0 },
        { "p->x == 3", 100, 0 },
        { "n", 99, 0 },
        { "!n", 1, 0 },
        { "d - 2.5", 0, 0 },
    };
    passes(told[_i].cond, told[_i].entries, told[_i].faults);
}
END_TEST

START_TEST(guards_filter_calls)
{
    const uint64_t now = ez_tick();
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    const struct {
        struct ez_guards by;
        const char *cond;
        unsigned entries;
    } told[] = {
        { { .thread = tid }, "", 100 },
        { { .thread = tid + 1 }, "", 0 },
        { { .name = "check-name" }, "n > 0", 49 },
        { { .name = "check" }, "", 0 },
        { { .name = "check-namf" }, "", 0 },
        { { .callers = true }, "", 0 },
        /* a call at a function's end returns behind it */
        { { .callers = true, .at = (uint64_t[]){ 0x400f00, 0x401000 }, .nat = 2 }, "", 100 },
        { { .callers = true, .at = (uint64_t[]){ 0x401000, 0x402000 }, .nat = 2 }, "", 0 },
        { { .callers = true, .at = (uint64_t[]){ 0x400fff, 0x401001 }, .nat = 2 }, "n < 0", 50 },
        { { .from = now }, "", 100 },
        { { .from = now + (1ull << 60) }, "", 0 },
        { { .until = now + (1ull << 60) }, "", 100 },
        { { .until = now }, "n", 0 },
        { { .from = now, .until = now + (1ull << 60), .thread = tid }, "n", 99 },
        { { .skip = 30 }, "", 70 },
        { { .skip = 30 }, "n % 2", 20 },
        { { .most = 30 }, "n % 2", 30 },
        { { .skip = 30, .most = 15 }, "n % 2", 15 },
        { { .skip = 45, .most = 15 }, "n % 2", 5 },
        { { .skip = 30, .most = 15, .thread = tid }, "", 15 },
        { { .most = 15, .thread = tid + 1 }, "", 0 },
    };
    ck_assert_uint_eq(EZ_ARRAY_LEN(told), GUARDS);
    prctl(PR_SET_NAME, "check-name");
    guards = told[_i].by;
    passes(told[_i].cond, told[_i].entries, 0);
}
END_TEST

/* Range i is from 0x1000 * (i + 1) on. */
START_TEST(callers_are_found_among_many)
{
    uint64_t at[2 * EZ_GUARD_RANGES];
    size_t n = (size_t)_i * 11 + 1;
    for (size_t i = 0; i < n; i++) {
        at[2 * i] = 0x1000 * (i + 1);
        at[2 * i + 1] = at[2 * i] + 0x100;
    }
    guards = (struct ez_guards){ .callers = true, .at = at, .nat = 2 * n };
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "", true));
    uint64_t in = 0, got, exits;
    for (size_t i = 0; i <= n; i++)
        for (unsigned k = 0; k < 3; k++) {
            frame[0] = 0x1000 * (i + 1) - 0x80 + 0x100 * k; /* before it, in it, behind it */
            in += k == 1 && i < n;
            call(1);
        }
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ck_assert_uint_eq(got, in);
    stat_now();
    ok(ez_drain_close(drain));
    unprepare();
}
END_TEST

/* Threads share the turns: together they get exactly so many. */
static void *turn_takes(void *arg)
{
    uint64_t own[2] = { 0x401000, 0 };
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t slot = ez_data(own, &stub, reg);
        if (slot)
            ez_data_exit(own, (struct entry *)(slot + EZ_DIST), (uint64_t[16]){ 0 });
    }
    return arg;
}

START_TEST(turns_are_shared)
{
    pthread_t id[8];
    uint64_t got, exits, filtered, faulted;
    guards = (struct ez_guards){ .skip = 50000, .most = 60000 };
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "", true));
    for (unsigned i = 0; i < 8; i++)
        pthread_create(&id[i], NULL, turn_takes, NULL);
    for (unsigned i = 0; i < 8; i++)
        pthread_join(id[i], NULL);
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    ck_assert_uint_eq(got, 60000);
    ck_assert_uint_eq(exits, 60000);
    ck_assert_uint_eq(filtered, 100000);
    stat_now();
    ok(ez_drain_close(drain));
    unprepare();
}
END_TEST

START_TEST(exits_are_filtered_by_their_result)
{
    uint64_t got, exits, filtered, faulted;
    ok(ez_drain_open(drain, path));
    ok(prepare("$ret == 3 && n < 0", "$ret, n", "", false));
    for (int n = -5; n < 5; n++) {
        reg[5] = (uint32_t)n;
        call(3);
        call(4);
    }
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    ck_assert_uint_eq(exits, 5);
    ck_assert_uint_eq(filtered, 15);
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, " / $ret=3 n=-5 / $ret=3 n=-4 / $ret=3 n=-3 / $ret=3 n=-2 / $ret=3 n=-1");
    unprepare();
}
END_TEST

START_TEST(the_exit_knows_the_entrys_values)
{
    ok(ez_drain_open(drain, path));
    ok(prepare("", "n", "n, p->x, two, k", true));
    first.x = 3;
    uint64_t slot = ez_data(frame, &stub, reg);
    ck_assert_uint_ne(slot, 0);
    first.x = 99; /* memory is read at the exit */
    frame[1] = 1; /* the stack's argument was written over */
    ez_data_exit(frame, (struct entry *)(slot + EZ_DIST), (uint64_t[16]){ 0 });
    frame[1] = 77;
    first.x = 3;
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, "n=-5 / n=-5 p->x=99 two.a=17 two.b=-22 k=77");
    unprepare();
}
END_TEST

/* Calls nested beyond a chunk of entries, each with its own saved words. */
START_TEST(many_calls_are_open_at_once)
{
    enum { DEEP = 1000 };
    static uint64_t stack[DEEP][2], slot[DEEP];
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "n", true));
    for (unsigned i = 0; i < DEEP; i++) {
        reg[5] = i;
        stack[i][0] = 0x401000 + i;
        slot[i] = ez_data(stack[i], &stub, reg);
        ck_assert_uint_ne(slot[i], 0);
        stack[i][0] = slot[i] + 6;
    }
    for (unsigned i = DEEP; i-- > 0;) {
        ez_data_exit(stack[i], (struct entry *)(slot[i] + EZ_DIST), (uint64_t[16]){ 0 });
        ck_assert_uint_eq(stack[i][0], 0x401000 + i);
    }
    ck_assert_uint_eq(rt_self()->top & (EZ_CHUNK - 1), EZ_SLOT); /* every entry was given back */
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    for (unsigned i = 0; i < DEEP; i++) {
        EZ_FREE char *want = ez_sprintf("/ n=%u", i);
        ck_assert_ptr_nonnull(strstr(all, want));
    }
    unprepare();
}
END_TEST

/* ---- aggregates ------------------------------------------------------------------------------- */

/* What an aggregate finds in the calls with n = -50 to 49. */
static struct ez_addup_sum added(const char *cond, const char *value, const char *key, bool hist)
{
    const struct ez_ask ask = {
        .cond = cond,
        .collect = "",
        .leave = "",
        .entry = true,
        .max_string = 16,
        .add = { .wanted = true, .hist = hist, .value = value, .key = key, .table = tables }
    };
    struct ez_clause_code *code = NULL;
    ok(ez_clause_compile(&ask, &scope, &code));
    struct ez_addup_sum sum = { .kind = hist ? EZ_ADDUP_HIST : EZ_ADDUP_NUMBERS,
                                .is_double = code->adds_doubles };
    lay_out(code, EZ_ROW_ENTRY);
    ok(ez_drain_reserve_addups(drain, ++tables));
    for (int n = -50; n < 50; n++) {
        reg[5] = (uint32_t)n;
        real = n / 4.0;
        reg[1] = (uint64_t)(n % 3 ? "one text" : "another");
        call(1);
    }
    ez_drain_addup(drain, tables - 1, &sum);
    unprepare();
    return sum;
}

static const struct ez_addup_line *line_of(const struct ez_addup_sum *s, uint64_t key)
{
    for (size_t i = 0; i < s->line.n; i++)
        if (s->line.at[i].key == key)
            return &s->line.at[i];
    ck_abort_msg("no row for %ld", (long)key);
    return NULL;
}

START_TEST(hits_are_added_up)
{
    struct ez_addup_sum s = added("", "", "", false); /* a count */
    ck_assert_uint_eq(s.line.n, 1);
    ck_assert_uint_eq(s.line.at[0].n, 100);
    ez_addup_free(&s);
    s = added("n > 10", "n", "", false);
    ck_assert_uint_eq(s.line.at[0].n, 39);
    ck_assert_int_eq(s.line.at[0].sum.i, 39 * (11 + 49) / 2);
    ck_assert_int_eq(s.line.at[0].least.i, 11);
    ck_assert_int_eq(s.line.at[0].most.i, 49);
    ez_addup_free(&s);
    s = added("", "n", "n % 4", false);
    ck_assert_uint_eq(s.line.n, 7); /* -3 to 3, as in C */
    ck_assert_uint_eq(line_of(&s, (uint64_t)-2)->n, 13);
    ck_assert_int_eq(line_of(&s, (uint64_t)-2)->least.i, -50);
    ck_assert_int_eq(line_of(&s, 3)->most.i, 47);
    ck_assert_uint_eq(s.full, 0);
    ez_addup_free(&s);
    s = added("", "d", "", false);
    ck_assert(s.is_double && s.line.at[0].sum.d == -50 / 4.0);
    ck_assert(s.line.at[0].least.d == -12.5 && s.line.at[0].most.d == 12.25);
    ez_addup_free(&s);
    s = added("", "", "s", false);
    ck_assert_uint_eq(s.line.n, 2);
    const struct ez_addup_line *l = &s.line.at[strcmp(s.line.at[0].text, "one text") != 0];
    ck_assert_str_eq(l->text, "one text");
    ck_assert_uint_eq(l->n, 67);
    ez_addup_free(&s);
    s = added("", "*bad", "", false); /* what cannot be read is not added */
    ck_assert_uint_eq(s.line.n, 0);
    ez_addup_free(&s);
}
END_TEST

START_TEST(values_fall_into_buckets)
{
    struct ez_addup_sum s = added("n >= 0", "n", "", true);
    uint64_t all = 0;
    for (uint32_t i = 0; i < EZ_ADDUP_BUCKETS; i++) {
        uint64_t lo = ez_addup_floor(i), hi = ez_addup_floor(i + 1), want = 0;
        for (uint64_t n = 0; n < 50; n++)
            want += n >= lo && n < hi;
        ck_assert_uint_eq(s.line.at[0].bucket[i], want);
        all += want;
    }
    ck_assert_uint_eq(all, 50);
    for (uint64_t v = 1; v; v <<= 1)
        for (int off = -1; off <= 1; off++) {
            uint32_t b = ez_addup_bucket(v + (uint64_t)off);
            ck_assert(b < EZ_ADDUP_BUCKETS && ez_addup_floor(b) <= v + (uint64_t)off);
        }
    double half = ez_addup_quantile(&s.line.at[0], 0.5);
    ck_assert(half > 23 && half < 27);
    ez_addup_free(&s);
}
END_TEST

START_TEST(a_full_table_counts_what_it_cannot_take)
{
    struct ez_addup_sum s = added("", "n", "n", true); /* 100 keys, 16 rows */
    uint64_t taken = 0;
    for (size_t i = 0; i < s.line.n; i++)
        taken += s.line.at[i].n;
    ck_assert_uint_eq(s.line.n, ez_addup_rows(EZ_ADDUP_HIST));
    ck_assert_uint_eq(taken + s.full, 100);
    ez_addup_free(&s);
}
END_TEST

/* ---- what does not compile -------------------------------------------------------------------- */

START_TEST(wrong_words_are_refused)
{
    static const struct {
        const char *cond, *collect, *leave, *says;
    } told[] = {
        { "nosuch", "", "", "No symbol \"nosuch\" in current context." },
        { "", "p->nosuch", "", "There is no member named nosuch." },
        { "", "n.x", "", "Attempt to extract a component of a value that is not a structure." },
        { "", "n->x", "",
          "Attempt to extract a component of a value that is not a structure pointer." },
        { "", "*n", "", "Attempt to take contents of a non-pointer value." },
        { "", "&n", "", "Attempt to take address of value not located in memory." },
        { "", "&p->lo", "", "A bit-field has no address." },
        { "$ret", "", "", "The result is not known at the entry." },
        { "f()", "", "", "Calls are not possible in the target." },
        { "n = 1", "", "", "Assignments are not possible in the target." },
        { "", "n@3", "", "Repetitions (@) are not possible in the target." },
        { "", "\"abc\"", "", "Strings are not possible in the target." },
        { "wide > 1", "", "",
          "Computing with a value of type long double is not possible in the target." },
        { "d % 2", "", "", "Argument to arithmetic operation not a number or boolean." },
        { "~d", "", "", "Argument to complement operation not an integer, boolean." },
        { "", "gone", "", "optimized out" },
        { "", "n:q", "", "\"q\" is not a format." },
        { "", "s:hex(9999)", "", "\"hex(9999)\" is not a format." },
        { "", "n,", "", "An item is missing behind the last comma." },
        { "", "n,,n", "", "An item is missing near \"\"." },
        { "", "(struct nosuch *)s", "", "No struct nosuch." },
        { "", "$arg99", "", "$arg99: there is no such argument." },
        { "$nosuch", "", "", "$nosuch has no meaning in the target." },
        { "", "", "two, p, s, k, n, u, e", "A call has room for 6 words that its exit needs." },
        { "", "n,n,n,n,n,n,n,n,n,n,n,n,n,n,n", "",
          "An event has room for 14 items and 64 words of 8 bytes." },
    };
    ez_err *e = prepare(told[_i].cond, told[_i].collect, told[_i].leave, true);
    ck_assert_msg(e, "%s %s", told[_i].cond, told[_i].collect);
    ck_assert_str_eq(e->msg, told[_i].says);
    ez_err_free(e);
}
END_TEST

/* Code that a compiler must never make. */
START_TEST(wrong_code_is_refused)
{
    static const struct ez_code_op told[][3] = {
        { { EZ_OP_ADD, 0, 0, 0 } },                           /* the stack is empty      */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_IMM, 0, 0, 1 } },   /* two results             */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JUMP, 0, 0, -2 } }, /* back                    */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JUMP, 0, 0, 5 } },  /* out                     */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JZ, 0, 0, 0 } },    /* no result               */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_EMIT, 0, 0, 0 }, { EZ_OP_IMM, 0, 0, 1 } },
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_LOAD, 3, 0, 0 } }, /* of three bytes          */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_CUT, 0, 0, 0 } },  /* to nothing              */
        { { EZ_OP_REG, 16, 64, 0 } },                        /* there is no such        */
        { { EZ_OP_SAVED, EZ_SAVED_WORDS, 0, 0 } },
        { { EZ_NOP, 0, 0, 0 } },
        { { EZ_OP_JUMP, 0, 0, 1 }, { EZ_OP_DUP, 0, 0, 0 }, { EZ_OP_IMM, 0, 0, 1 } },
    };
    struct ez_clause_code c = { .cond = { 0, 1 } };
    for (unsigned i = 0; i < 3; i++) {
        if (i && !told[_i][i].op)
            break;
        EZ_PUSH(&c.op, told[_i][i]);
        c.cond.n = (uint16_t)(i + 1);
    }
    ck_assert(!ez_err_drop(ez_clause_verify(&c)));
    EZ_VEC_FREE(&c.op);
}
END_TEST

/* Whatever stands in the code's place, the runtime ends and stays in its event. */
START_TEST(code_that_was_overwritten_harms_nobody)
{
    uint64_t seed = 88172645463325252u + (unsigned)_i;
    ok(ez_drain_open(drain, path));
    ok(prepare("n < 100", "n, s, p->name, *bad", "n, $ret", true));
    size_t size = ez_clauses_size(&site, 1);
    size_t code = sizeof(struct ez_program) + sizeof(struct ez_clause);
    for (unsigned round = 0; round < 300; round++) {
        ez_clauses_fill(&site, 1, program);
        for (unsigned k = 0; k < 8; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            program[code + seed % (size - code)] = (uint8_t)(seed >> 32);
        }
        call(1);
    }
    stat_now();
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    unprepare();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("code");
    TCase *c = tcase_create("code");
    tcase_add_checked_fixture(c, code_setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, values_are_cs, 0, EZ_ARRAY_LEN(values));
    tcase_add_loop_test(c, conditions_filter_calls, 0, 15);
    tcase_add_loop_test(c, guards_filter_calls, 0, GUARDS);
    tcase_add_loop_test(c, callers_are_found_among_many, 0, 24);
    tcase_add_test(c, turns_are_shared);
    tcase_add_test(c, exits_are_filtered_by_their_result);
    tcase_add_test(c, the_exit_knows_the_entrys_values);
    tcase_add_test(c, many_calls_are_open_at_once);
    tcase_add_test(c, hits_are_added_up);
    tcase_add_test(c, values_fall_into_buckets);
    tcase_add_test(c, a_full_table_counts_what_it_cannot_take);
    tcase_add_loop_test(c, wrong_words_are_refused, 0, 25);
    tcase_add_loop_test(c, wrong_code_is_refused, 0, 12);
    tcase_add_loop_test(c, code_that_was_overwritten_harms_nobody, 0, 4);
    suite_add_tcase(s, c);
    return run_suite(s);
}

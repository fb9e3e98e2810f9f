/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_expr.c - the language of expressions. The first byte says what the others are:
 *
 *   - any text: the parser gives a tree or an error, and reads nothing behind it;
 *   - choices of a grammar: such an expression is parsed, compiled, and passes the verifier, or is
 *     refused in words;
 *   - any operations: what the verifier accepts ends, in its stack.
 *
 * What passed runs on both machines, the shell's and the runtime's (whose source is a part of this
 * program): they leave the same word, or both cannot read something. Nothing is read outside of the
 * memory that there is. */
#include "rt_arch.h"

#include "engine/rt/rt_code.c"

#undef EZ_PAGE
#include "engine/expr/expr.h"
#include "engine/expr/gen.h"
#include "engine/expr/machine.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 300000;
const size_t fuzz_max = 512;

/* ---- the target: some memory, registers ------------------------------------------------------------ */

#define BASE 0x10000u
#define LOC (BASE + 64)
static uint8_t memory[256];
static uint64_t reg[16];

struct rt_state rt_state;
static struct rt_proc process = { .alive = 1 };
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return 12345;
}
static struct ez_hdr header = { .no_syscalls = 1 };
static struct ez_ctl control;

static bool readable(uint64_t from, size_t n)
{
    return from >= BASE && from - BASE <= sizeof memory && n <= sizeof memory - (from - BASE);
}

int rt_read(struct rt_run *r, uint64_t *to, uint64_t from, uint32_t n)
{
    (void)r;
    MUST(n <= 8, "a load of %u bytes", n);
    if (!readable(from, n))
        return 0;
    memcpy(to, memory + (from - BASE), n);
    return 1;
}
const char *rt_look(struct rt_run *r, void *buf, uint64_t from, uint32_t n, uint32_t *got)
{
    (void)r, (void)buf;
    *got = readable(from, n) ? n : 0;
    return *got ? (const char *)memory + (from - BASE) : buf;
}
void rt_addup(struct rt_run *r, const struct ez_code_op *c, uint64_t key, uint64_t v)
{
    (void)r, (void)c, (void)key, (void)v;
}
uint64_t rt_name_key(struct rt_run *r, uint64_t from, int *ok)
{
    (void)r, (void)ok;
    return from;
}
uint64_t *rt_saved(struct shadow_frame *e, uint32_t i)
{
    (void)e, (void)i;
    return NULL;
}

static ez_err *shell_read(void *arg, uint64_t from, void *to, size_t n)
{
    (void)arg;
    if (!readable(from, n))
        return ez_err_new(EZ_E_SYS, 0, "Cannot access memory");
    memcpy(to, memory + (from - BASE), n);
    return NULL;
}

static ez_err *shell_word(void *arg, const struct ez_code_op *op, uint64_t *out)
{
    unsigned shift = (64 - op->b) & 63;
    *out = 0;
    switch (op->op) {
    case EZ_OP_REG:
        *out = reg[op->a & 15] << shift;
        *out = op->imm & 1 ? (uint64_t)((int64_t)*out >> shift) : *out >> shift;
        if (op->a == RT_REG_SP)
            *out = LOC;
        return NULL;
    case EZ_OP_FRAME:
        *out = LOC;
        return NULL;
    case EZ_OP_CALLER:
        *out = 0x401000;
        return NULL;
    case EZ_OP_ARG:
        return shell_read(arg, LOC + (uint64_t)(int64_t)op->imm, out, 8);
    case EZ_OP_TICK:
        *out = 12345;
        return NULL;
    case EZ_OP_COMM:
        return ez_err_new(EZ_E_STATE, 0, "no names");
    default: /* THREAD, NTH, SAVED: 0 on both sides */
        return NULL;
    }
}

/* ---- both machines ---------------------------------------------------------------------------------- */

/* Vector registers are the program's own here: only the runtime's machine can read them. */
static bool comparable(const struct ez_clause_code *c)
{
    for (size_t i = 0; i < c->op.n; i++) {
        if (c->op.at[i].op == EZ_OP_VEC || c->op.at[i].op == EZ_OP_X87)
            return false;
        i += ez_code_data(&c->op.at[i]);
    }
    return true;
}

static bool is_nan(uint64_t v)
{
    return (v & 0x7ff0000000000000u) == 0x7ff0000000000000u && v & 0xfffffffffffffu;
}

static void run(const struct ez_clause_code *c)
{
    const struct ez_machine m = { .read = shell_read, .word = shell_word };
    uint64_t program[(sizeof(struct ez_program) + 8 * EZ_CODE_MOST) / 8], a = 0, b = 0;
    struct ez_program *p = (struct ez_program *)program;
    struct rt_run r = {
        .b = &control, .reg = reg, .loc = (const uint64_t *)(uintptr_t)LOC, .caller = 0x401000
    };
    *p = (struct ez_program){ .nops = (uint32_t)c->op.n };
    memcpy((void *)ez_program_ops(p), c->op.at, c->op.n * sizeof *c->op.at);
    rt_state.hdr = &header;
    rt_state.ctls = (uint8_t *)&process;
    rt_state.mono = 1;
    bool good = rt_code_run(&r, p, c->cond, &a);
    bool ours = ez_err_drop(ez_machine_run(&m, c->op.at, c->op.n, &b));
    if (!comparable(c))
        return;
    MUST(good == ours, "the runtime says %d, the shell %d", good, ours);
    MUST(!good || a == b || (is_nan(a) && is_nan(b)), "the runtime has %llx, the shell %llx",
         (unsigned long long)a, (unsigned long long)b);
}

/* ---- texts ------------------------------------------------------------------------------------------ */

static enum ez_means fuzz_means(void *arg, const char *word)
{
    (void)arg;
    return ez_type_base(word) || !strcmp(word, "t") ? EZ_MEANS_TYPE : EZ_MEANS_NOTHING;
}
static const struct ez_language words = { .means = fuzz_means, .is_cxx = true },
                                fortran = { .means = fuzz_means, .is_fortran = true };

static void texts(const char *text, const struct ez_language *by)
{
    struct ez_expr *x = NULL;
    struct ez_type_name *t = NULL;
    const char *end = NULL;
    ez_err *e = ez_expr_parse(text, by, &x);
    MUST(!e == (x != NULL), "no tree and no error: %s", text);
    MUST(!e || e->code == EZ_E_ARG, "%s", e->msg);
    ez_err_free(e);
    ez_expr_free(x);
    x = NULL;
    if (ez_err_drop(ez_expr_parse_item(text, by, &x, &end)))
        MUST(end >= text && end <= text + strlen(text), "an end outside of the text");
    ez_expr_free(x);
    if (ez_err_drop(ez_type_name_parse(text, by, &t)))
        ez_type_name_free(t);
}

/* ---- expressions -------------------------------------------------------------------------------------- */

struct writer {
    struct fuzz_bytes from;
    char text[4096];
    size_t n;
    unsigned depth;
    bool fortran;
};

static void put(struct writer *w, const char *s)
{
    size_t n = strlen(s);
    if (w->n + n + 1 < sizeof w->text) {
        memcpy(w->text + w->n, s, n);
        w->n += n;
        w->text[w->n] = 0;
    }
}

static void write_fortran(struct writer *w)
{
    static const char *const atoms[] = { "n",      "u",   "c", "d",  "f",     "a(1)",
                                         "b(2,3)", "q%x", "7", "-1", "1.5d0", "2147483648",
                                         ".true.", "0",   "N", "l",  "1_8",   "a(-4)" };
    static const char *const binary[] = { "+",    "-",  "*",     "/",    "**",    "==",     "/=",
                                          ".lt.", "<=", ".and.", ".or.", ".eqv.", ".neqv.", "&" };
    static const char *const functions[] = { "abs",     "mod(7,", "modulo(-5,",  "floor",
                                             "ceiling", "kind",   "rank",        "size(a,",
                                             "loc",     "a",      "b(1,",        ".not.",
                                             "-",       "(real)", "(integer*2)", "cmplx" };
    unsigned pick = w->depth > 5 ? 0 : (unsigned)fuzz_take(&w->from, 1) % 6;
    unsigned which = (unsigned)fuzz_take(&w->from, 1);
    const char *function = functions[which % EZ_ARRAY_LEN(functions)];
    w->depth++;
    put(w, "(");
    if (pick == 1 || pick == 2) {
        write_fortran(w);
        put(w, binary[which % EZ_ARRAY_LEN(binary)]);
        write_fortran(w);
    } else if (pick > 2) {
        bool open = strchr(function, ',') != NULL;
        put(w, function);
        put(w, open ? "" : "(");
        write_fortran(w);
        put(w, ")");
    } else {
        put(w, atoms[which % EZ_ARRAY_LEN(atoms)]);
    }
    put(w, ")");
    w->depth--;
}

static void write_expression(struct writer *w)
{
    static const char *const atoms[] = {
        "n",
        "u",
        "c",
        "d",
        "f",
        "p",
        "a",
        "p->x",
        "p->next->y",
        "a[1]",
        "p->bits",
        "7",
        "-1",
        "2147483648",
        "1.5",
        "0x7fffffffffffffff",
        "'q'",
        "$caller",
        "p->next",
        "(*p).y",
        "0",
        "4000000000u",
        "l",
        "$sp",
        "$_streq((char *)a, \"\\1\")",
        "$_strlen((char *)p)",
        "$_memeq((char *)&d, \"\\0\\0\\0\\0\\0\\0\\0\\0\\4\", 9)"
    };
    static const char *const binary[] = { "+", "-",  "*",  "/", "%",  "<<", ">>", "&",  "|",
                                          "^", "==", "!=", "<", "<=", ">",  ">=", "&&", "||" };
    static const char *const unary[] = { "-", "!", "~", "*", "&", "+" };
    static const char *const casts[] = { "(char)",   "(int)",   "(unsigned long)",
                                         "(double)", "(float)", "(int *)",
                                         "(short)",  "(bool)",  "sizeof " };
    unsigned pick = w->depth > 6 ? 0 : (unsigned)fuzz_take(&w->from, 1) % 8;
    unsigned which = (unsigned)fuzz_take(&w->from, 1);
    w->depth++;
    put(w, "(");
    switch (pick) {
    case 1:
    case 2:
    case 3:
    case 4:
        write_expression(w);
        put(w, " ");
        put(w, binary[which % EZ_ARRAY_LEN(binary)]);
        put(w, " ");
        write_expression(w);
        break;
    case 5:
        put(w, unary[which % EZ_ARRAY_LEN(unary)]);
        write_expression(w);
        break;
    case 6:
        put(w, casts[which % EZ_ARRAY_LEN(casts)]);
        write_expression(w);
        break;
    case 7:
        write_expression(w);
        put(w, " ? ");
        write_expression(w);
        put(w, " : ");
        write_expression(w);
        break;
    default:
        put(w, atoms[which % EZ_ARRAY_LEN(atoms)]);
    }
    put(w, ")");
    w->depth--;
}

static struct ez_type t_pt = { .kind = EZ_TY_STRUCT, .name = "pt", .size = 24 };
static struct ez_field pt_fields[4];

static ez_err *fuzz_type(void *arg, const struct ez_type_name *name, const struct ez_type **out)
{
    (void)arg;
    *out = ez_fortran_base(name->base) ? ez_fortran_base(name->base) : ez_type_base(name->base);
    if (!*out)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No type named %s.", name->base);
    for (unsigned i = 0; i < name->stars; i++)
        *out = ez_type_pointer_to(*out);
    return NULL;
}

#define IN_REG(of, number_)                                                                        \
    {                                                                                              \
        .type = (of), .where = {                                                                   \
            .kind = EZ_AT_REGS,                                                                    \
            .nregs = 1,                                                                            \
            .reg = { { .number = (number_) } }                                                     \
        }                                                                                          \
    }
#define IN_MEMORY(of, at)                                                                          \
    {                                                                                              \
        .type = (of), .where = {.kind = EZ_AT_MEMORY, .addr = BASE + (at) }                        \
    }

static void compiled(const char *text, const struct ez_language *by)
{
    static struct ez_type row, matrix;
    row = *ez_type_array_of(ez_type_base("int"), 2);
    matrix =
        (struct ez_type){ .kind = EZ_TY_ARRAY, .to = &row, .count = 3, .size = 24, .lower = 1 };
    row.lower = 1;

    const struct ez_param_at param[] = {
        { "n", IN_REG(ez_type_base("int"), 5) },
        { "u", IN_REG(ez_type_base("unsigned"), 4) },
        { "c", IN_REG(ez_type_base("char"), 1) },
        { "p", IN_REG(ez_type_pointer_to(&t_pt), 2) },
        { "d", IN_MEMORY(ez_type_double(), 0) },
        { "f", IN_MEMORY(ez_type_base("float"), 8) },
        { "l", IN_MEMORY(ez_type_base("long"), 200) },
        { "a", IN_MEMORY(ez_type_array_of(ez_type_base("int"), 4), 16) },
        { "b", IN_MEMORY(&matrix, 100) },
        { "q", IN_MEMORY(&t_pt, 40) },
    };
    const struct ez_field fields[] = { { "x", ez_type_base("int"), 0, 0, 0, false, 0, 0 },
                                       { "y", ez_type_base("int"), 4, 0, 0, false, 0, 0 },
                                       { "next", ez_type_pointer_to(&t_pt), 8, 0, 0, false, 0, 0 },
                                       { "bits", ez_type_base("int"), 16, 3, 7, false, 0, 0 } };
    const struct ez_scope scope = { .function = "f",
                                    .param = param,
                                    .nparams = EZ_ARRAY_LEN(param),
                                    .type = fuzz_type,
                                    .means = fuzz_means,
                                    .is_fortran = by->is_fortran };
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &scope };
    struct gen_operand o;
    struct ez_expr *x = NULL;
    memcpy(pt_fields, fields, sizeof fields);
    t_pt.field = pt_fields;
    t_pt.nfields = EZ_ARRAY_LEN(fields);
    ez_err *e = ez_expr_parse(text, by, &x);
    MUST(!e, "%s: %s", e->msg, text);
    e = gen_expr(&g, x, &o);
    ez_expr_free(x);
    if (!e)
        e = gen_load(&g, &o);
    if (!e && code.op.n <= EZ_CODE_MOST) {
        code.cond.n = (uint16_t)code.op.n;
        e = ez_clause_verify(&code);
        MUST(!e || strstr(e->msg, "nested too deeply"), "%s: %s", e->msg, text);
        if (!e)
            run(&code);
    }
    ez_err_free(e);
    EZ_VEC_FREE(&code.op);
}

/* ---- operations ----------------------------------------------------------------------------------------- */

static void operations(const uint8_t *data, size_t size)
{
    struct ez_clause_code code = { .words = 0 };
    for (size_t i = 0; i + 8 <= size; i += 8) {
        struct ez_code_op op;
        memcpy(&op, data + i, sizeof op);
        if (op.op >= 0x80)
            op.op %= EZ_NOP; /* half of the bytes mean something */
        if (op.b & 2 && op.imm > 64)
            op.imm %= 5;
        EZ_PUSH(&code.op, op);
    }
    code.cond.n = (uint16_t)code.op.n;
    if (ez_err_drop(ez_clause_verify(&code)) && code.op.n)
        run(&code);
    code.entry = code.cond;
    code.cond.n = 0;
    code.words = EZ_DATA_WORDS;
    if (ez_err_drop(ez_clause_verify(&code)) && code.op.n) {
        code.cond = code.entry;
        run(&code);
    }
    EZ_VEC_FREE(&code.op);
}

/* ---- inputs ----------------------------------------------------------------------------------------------- */

static const char *const seeds[] = {
    "p->x + 1 == n && !d",
    "(struct t *)p",
    "{int}0x10",
    "a@3",
    "'file.c'::name",
    "ns::f<int>",
    "$1 + $$ - $$3",
    "x = y += 2",
    "sizeof(int[3])",
    "sizeof x",
    "a ? b : c",
    "\"text\\n\"",
    "'\\101'",
    "0x10ul",
    "1e-5f",
    "0b11",
    "f(1, 2)",
    "-----1",
    "((((((((1))))))))",
    "*&*&x",
    "a.b.c->d[5]",
    "x @ y @ z",
    "(char)1",
    "1 << 70",
    "0x",
    "'",
    "\"",
    "$",
    "(",
    "a[",
    "1..2",
    "unsigned long long x",
    "!= == <= >=",
    "a,b",
    "a:x",
    "a(1:2, :, ::-1)%b ** -c .eqv. .not. d",
    "1.eq.2.and..true.",
    "'it''s' // 1.5d-3_8",
    "(real*8) x + double precision(y)",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    uint64_t x = n + 1;
    if (n < EZ_ARRAY_LEN(seeds)) {
        buf[0] = 0;
        return 1 + fuzz_text(seeds[n], buf + 1, max - 1);
    }
    if (n >= EZ_ARRAY_LEN(seeds) + 120)
        return 0;
    buf[0] = (uint8_t)(1 + n % 2 + (n % 4 == 0 ? 0x81 : 0)); /* 0x82 % 3 is 1, too */
    size_t len = EZ_MIN((size_t)(8 + 4 * (n % 32)), max - 1);
    for (size_t i = 1; i <= len; i++)
        buf[i] = (uint8_t)(fuzz_random(&x) >> 40);
    if (buf[0] % 3 == 2) /* a sum of what is pushed, to begin with */
        for (size_t i = 1; i + 8 <= len; i += 8) {
            static const uint8_t op[] = { EZ_OP_IMM, EZ_OP_IMM, EZ_OP_ADD, EZ_OP_REG, EZ_OP_MUL };
            buf[i] = op[(i / 8) % EZ_ARRAY_LEN(op)];
            buf[i + 1] %= 16;
            buf[i + 2] = 32;
            buf[i + 3] = 0;
        }
    return len + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct writer w = { .from = { data + 1, size ? size - 1 : 0 } };
    if (!size)
        return 0;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(i * 7 + data[i % size]);
    for (size_t i = 0; i < 16; i++)
        reg[i] = BASE + i * 24 + (data[0] & 0x40 ? 0x100000000u * i : 0);
    uint64_t next = BASE + 100;
    memcpy(memory + (reg[2] - BASE) % 200 + 8, &next, sizeof next);
    if (data[0] % 3 == 0) {
        EZ_FREE char *text = ez_alloc(size);
        memcpy(text, data + 1, size - 1);
        texts(text, &words);
        texts(text, &fortran);
    } else if (data[0] % 3 == 1) {
        w.fortran = data[0] & 0x80;
        if (w.fortran)
            write_fortran(&w);
        else
            write_expression(&w);
        if (w.n + 64 < sizeof w.text)
            compiled(w.text, w.fortran ? &fortran : &words);
    } else {
        operations(data + 1, size - 1);
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.c - the clauses of a site: what its probes request beyond counting hits.
 *
 * A clause that was ever planted keeps its ids, as a variant keeps its id, so the counts of a probe
 * that is disabled and enabled again continue. A probe whose request changes gets another clause.
 * Tests: tests/procs/data.sh, tests/procs/addup.sh */
#include "engine/target.h"

#include <string.h>

#include "engine/expr/clause.h"
#include "engine/patch/clause.h"
#include "engine/patch/ids.h"
#include "engine/patch/want.h"

#define MOST_TESTS 4    /* maximum number of register tests in a trampoline */
#define CLAUSES_EVER 64 /* maximum number of clauses of a site: ez_variant.clauses has 64 bits */

#define EACH_CLAUSE(s, i, which)                                                                   \
    for (size_t i = 0; i < (s)->clause.n; i++)                                                     \
        if ((which) >> i & 1)

static bool clause_records(const struct ez_site_clause *c)
{
    return c->flags & (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT);
}

/* Returns an error if the site cannot have clause c besides the clauses that probes want. */
static ez_err *clause_fits(const struct ez_site *s, const struct ez_site_clause *c)
{
    unsigned n = 0, saved = c->code->saved;
    if (s->jump || s->hook)
        return ez_err_hint(
            ez_err_new(
                EZ_E_REFUSED, 0,
                "eztsh itself instruments this function, to see calls that end without a return"),
            "A probe without condition and data may be possible");
    EACH_CLAUSE(s, i, ez_clauses_wanted(s))
    {
        const struct ez_site_clause *other = &s->clause.at[i];
        if (clause_records(c) && clause_records(other))
            return ez_err_hint(
                ez_err_new(EZ_E_REFUSED, 0,
                           "another probe with a condition or data records this function"),
                "Delete that probe, or give both conditions and all items to one probe, or let one "
                "only count (-count)");
        n++;
        saved += other->code->saved;
    }
    if (saved > EZ_SAVED_WORDS)
        return ez_err_new(EZ_E_REFUSED, 0, "the exit needs more than %d words from the entry",
                          EZ_SAVED_WORDS);
    return n < EZ_CLAUSES && s->clause.n < CLAUSES_EVER
               ? NULL
               : ez_err_new(EZ_E_REFUSED, 0,
                            "a function can have at most %d probes with a condition or data",
                            EZ_CLAUSES);
}

ez_err *ez_clause_join(struct ez_target *t, int site, struct ez_clause_code *code, int flags,
                       const struct ez_drain_filter *filter, int *index)
{
    struct ez_site *s = &t->patcher.site.at[site];
    struct ez_site_clause c = { .code = code, .flags = flags, .filter = *filter };
    size_t i = 0;
    ez_err *e = clause_fits(s, &c);
    if (e) {
        ez_clause_free(code);
        return e;
    }
    while (i < s->clause.n && (s->clause.at[i].wants || s->clause.at[i].flags != flags ||
                               !ez_clause_same(s->clause.at[i].code, code)))
        i++;
    if (i == s->clause.n)
        EZ_PUSH(&s->clause, c);
    else
        ez_clause_free(code);
    *index = (int)i;
    ez_clause_want(t, site, *index, 1);
    return NULL;
}

void ez_clause_want(struct ez_target *t, int site, int index, int delta)
{
    struct ez_site *s = &t->patcher.site.at[site];
    bool before = ez_site_is_wanted(s);
    s->clause.at[index].wants += (unsigned)delta;
    ez_site_evicted_follows(t, site, before);
}

/* Returns the clause of the set `which`, or NULL if the set is empty or has several clauses. */
static const struct ez_site_clause *clause_alone(const struct ez_site *s, uint64_t which)
{
    return which && !(which & (which - 1)) ? &s->clause.at[__builtin_ctzll(which)] : NULL;
}

/* Returns true if machine code in the trampoline can test the clause's condition, without the
 * runtime's C code. */
static bool clause_tests_are_straight(const struct ez_site_clause *c)
{
    const struct ez_arch *a = ez_arch_host();
    struct ez_reg_test test[MOST_TESTS];
    uint8_t hole[EZ_HOLE_COND];
    size_t n;
    return a->codegen.straight_tests && ez_clause_tests(c->code, test, MOST_TESTS, &n) &&
           (!n || a->codegen.straight_tests(test, n, 0, 0, hole, sizeof hole));
}

/* Returns EZ_ROW_FAST, EZ_ROW_FAST | EZ_ROW_COUNT or EZ_ROW_TIMED if the trampoline can do
 * everything that the clause requests without the runtime's C code, else 0. */
static int clause_fast(const struct ez_site *s, uint64_t which)
{
    const struct ez_site_clause *c = clause_alone(s, which);
    const struct ez_arch *a = ez_arch_host();
    struct ez_reg_part word[EZ_FAST_WORDS];
    uint8_t hole[EZ_HOLE_COUNT + EZ_HOLE_WORDS];
    uint32_t table;
    size_t n;
    if (!c || c->code->act || c->code->fragment || c->code->place || !clause_tests_are_straight(c))
        return 0;
    if (c->flags == (EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY) && a->codegen.straight_words &&
        ez_clause_words(c->code, word, EZ_FAST_WORDS, &n) &&
        a->codegen.straight_words(word, n, hole, EZ_HOLE_WORDS))
        return EZ_ROW_FAST;
    if (c->flags == EZ_ROW_ENTRY && a->codegen.straight_count &&
        ez_clause_counts_by(c->code, word, &table) &&
        a->codegen.straight_count(word, 0, 0, 0, hole, EZ_HOLE_COUNT))
        return EZ_ROW_FAST | EZ_ROW_COUNT;
    if (c->flags == (EZ_ROW_ENTRY | EZ_ROW_EXIT) && ez_clause_times(c->code, &table))
        return EZ_ROW_TIMED;
    return 0;
}

int ez_clauses_flags(const struct ez_site *s, uint64_t which, int others)
{
    int flags = which ? EZ_ROW_DATA : 0;
    EACH_CLAUSE(s, i, which)
    if (s->clause.at[i].flags & EZ_ROW_EXIT)
        flags |= EZ_ROW_FOLLOW;
    return others ? flags : flags | clause_fast(s, which);
}

static void clause_put32(uint8_t *trampoline, uint64_t at, uint32_t v)
{
    memcpy(trampoline + at, &v, sizeof v);
}

/* For a single clause, writes generated code into the gaps of the trampoline's template: the test
 * of a condition that only compares registers, and the record or count that clause_fast()
 * permits. */
void ez_clauses_straighten(const struct ez_blob_hdr *h, const struct ez_site *s,
                           const struct ez_variant *v, uint8_t *trampoline,
                           struct ez_trampoline_data *data)
{
    const struct ez_site_clause *c = clause_alone(s, v->clauses);
    const struct ez_arch *a = ez_arch_host();
    int tmpl = ez_template_of(v->flags), k = tmpl - EZ_TMPL_DATA;
    struct ez_reg_part word[EZ_FAST_WORDS];
    struct ez_reg_test test[MOST_TESTS];
    uint64_t from = h->tmpl[tmpl], hole = h->cond[k];
    size_t n = 0;
    if (!c || !a->codegen.straight_tests || v->flags & (EZ_ROW_ENTRY | EZ_ROW_EXIT))
        return;
    if (ez_clause_tests(c->code, test, MOST_TESTS, &n) && n)
        n = a->codegen.straight_tests(test, n, (int32_t)(h->cond_not[k] - hole),
                                      (int32_t)(h->cond_pass[k] - hole), trampoline + hole - from,
                                      EZ_HOLE_COND);
    clause_put32(trampoline, h->filtered[k] - from,
                 (c->id + 1) * (uint32_t)sizeof(struct ez_counter));
    uint32_t passed = c->id * (uint32_t)sizeof(struct ez_counter), table;
    if (tmpl == EZ_TMPL_DATA_COUNT && ez_clause_counts_by(c->code, word, &table))
        a->codegen.straight_count(word, table * EZ_ADDUP_BYTES, passed,
                                  (int32_t)(h->count_more - h->count), trampoline + h->count - from,
                                  EZ_HOLE_COUNT);
    if (tmpl == EZ_TMPL_DATA_TIMED && ez_clause_times(c->code, &table)) {
        clause_put32(trampoline, h->timed_passed - from, passed);
        data->thunk = passed;
        data->exit = EZ_DATA_EXIT | EZ_DATA_TIMED;
        data->code = table * EZ_ADDUP_BYTES +
                     (uint32_t)(offsetof(struct ez_addup_table, hist) +
                                ez_addup_first(EZ_ADDUP_NOBODY, ez_addup_rows(EZ_ADDUP_HIST)) *
                                    sizeof(struct ez_addup_hist));
    }
    if (tmpl != EZ_TMPL_DATA_FAST || !ez_clause_words(c->code, word, EZ_FAST_WORDS, &n))
        return;
    uint32_t bytes = EZ_REC_BYTES * (uint32_t)(1 + (n + 1) / 2);
    clause_put32(trampoline, h->fast_fit - from, EZ_SUB_BYTES - bytes);
    clause_put32(trampoline, h->fast_accept - from, bytes);
    clause_put32(trampoline, h->fast_passed - from, passed);
    a->codegen.straight_words(word, n, trampoline + h->fast_words - from, EZ_HOLE_WORDS);
    data->code = (uint32_t)((uint64_t)(EZ_C_PROBE + 2 * c->id) << 8 | (n + 1));
}

static void clause_describe(struct ez_target *t, const struct ez_site *s,
                            const struct ez_site_clause *c)
{
    uint64_t code = EZ_C_PROBE + 2 * (uint64_t)c->id;
    if (c->filter.depth || c->filter.min_ns || c->filter.bytes || c->filter.until ||
        c->filter.turns)
        ez_drain_filter(t->tracing.drain, c->id, &c->filter);
    /* EZ_ROW_CLAUSE: the trace has the aggregate's results instead of the number of hits */
    ez_site_define(t, s, c->id, (unsigned)c->flags | (c->code->adds ? EZ_ROW_CLAUSE : 0));
    if (*c->code->print)
        ez_lines_define(t, c->id, c->code->print);
    if (c->code->tracepoint)
        ez_frames_define(t, c->id, c->code->tracepoint, s->func,
                         s->func - (s->mod ? s->mod->bias : 0), c->code->items);
    if (*c->code->items)
        ez_drain_define_items(t->tracing.drain, code, c->code->items);
    if (*c->code->out_items)
        ez_drain_define_items(t->tracing.drain, code + 1, c->code->out_items);
}

ez_err *ez_clauses_number(struct ez_target *t, struct ez_site *s, uint64_t which)
{
    EACH_CLAUSE(s, i, which)
    {
        struct ez_site_clause *c = &s->clause.at[i];
        struct ez_row row = { .flags = (uint16_t)(EZ_ROW_CLAUSE | c->flags), .func = s->func };
        uint32_t passed, filtered, turns;
        if (c->id)
            continue;
        EZ_TRY(ez_id_claim(t, &row, &passed));
        row.flags = EZ_ROW_CLAUSE | EZ_ROW_ENTRY;
        EZ_TRY(ez_id_claim(t, &row, &filtered));
        row.flags = EZ_ROW_CLAUSE; /* the counters of the following ids do not count hits */
        if (c->code->nth || c->code->fragment)
            EZ_TRY(ez_id_claim(t, &row, &turns));
        for (unsigned more = 0; c->code->fragment && more < 2 + c->code->places; more++)
            EZ_TRY(ez_id_claim(t, &row, &turns));
        c->id = passed; /* filtered is `passed` + 1, turns is `passed` + 2 */
        c->filter.counter = passed + 2;
        clause_describe(t, s, c);
    }
    return NULL;
}

void ez_clauses_share(struct ez_target *t, const struct ez_site *s)
{
    const struct ez_variant *v = s->current < 0 ? NULL : &s->variant.at[s->current];
    EACH_CLAUSE(s, i, v && t->tracing.drain ? v->clauses : 0)
    ez_drain_filter_other(t->tracing.drain, s->clause.at[i].id, v->id, v->flags);
}

size_t ez_clauses_size(const struct ez_site *s, uint64_t which)
{
    size_t n = 0;
    EACH_CLAUSE(s, i, which)
    n += sizeof(struct ez_clause) + s->clause.at[i].code->op.n * sizeof(struct ez_code_op);
    return n ? n + sizeof(struct ez_program) : 0;
}

static struct ez_code_at clause_moved(struct ez_code_at at, size_t first)
{
    return (struct ez_code_at){ (uint16_t)(at.n ? at.first + first : 0), at.n };
}

/* Copies the code of clause k to `to`. saved: number of words that the preceding clauses of the
 * program save. turns: offset of the counter that EZ_OP_NTH increases. */
static void clause_copy_code(const struct ez_clause_code *k, unsigned saved, uint32_t turns,
                             uint8_t *to)
{
    for (size_t i = 0; i < k->op.n; i++) {
        struct ez_code_op op = k->op.at[i];
        if (op.op == EZ_OP_SAVE || op.op == EZ_OP_SAVED)
            op.a = (uint8_t)(op.a + saved);
        if (op.op == EZ_OP_NTH)
            op.imm = (int32_t)turns;
        memcpy(to + i * sizeof op, &op, sizeof op);
        for (uint32_t n = ez_code_data(&op); n && ++i < k->op.n; n--)
            memcpy(to + i * sizeof op, &k->op.at[i], sizeof op);
    }
}

void ez_clauses_fill(const struct ez_site *s, uint64_t which, uint8_t *to)
{
    struct ez_program p = { .bytes = (uint32_t)ez_clauses_size(s, which) };
    uint8_t *at = to + sizeof p, *ops;
    EACH_CLAUSE(s, i, which) p.nclauses++;
    ops = at + p.nclauses * sizeof(struct ez_clause);
    EACH_CLAUSE(s, i, which)
    {
        const struct ez_site_clause *c = &s->clause.at[i];
        const struct ez_clause_code *k = c->code;
        uint64_t code = (uint64_t)(EZ_C_PROBE + 2 * c->id) << 8 | 1;
        struct ez_clause out = {
            .cnt = c->id * (uint32_t)sizeof(struct ez_counter),
            .filtered = (c->id + 1) * (uint32_t)sizeof(struct ez_counter),
            .code = c->flags & EZ_ROW_REC_ENTRY ? (uint32_t)code : 0,
            .exit = c->flags & EZ_ROW_REC_EXIT ? (uint32_t)(code + (1 << 8)) : 0,
            .cond = clause_moved(k->cond, p.nops),
            .entry = clause_moved(k->entry, p.nops),
            .leave = clause_moved(k->leave, p.nops),
            .out = clause_moved(k->out, p.nops),
            .words = (uint16_t)k->words,
            .out_words = (uint16_t)k->out_words,
            .follows = (c->flags & EZ_ROW_EXIT) != 0,
            .act = k->act,
            .act_at_exit = k->act_at_exit,
            .gate = k->act_gate,
            .activation = k->fragment && k->saved ? p.nsaved + k->saved - 1 : EZ_SAVED_WORDS,
            .place = k->place,
            .fragment = k->fragment,
        };
        memcpy(at, &out, sizeof out);
        clause_copy_code(k, p.nsaved, (c->id + 2) * (uint32_t)sizeof(struct ez_counter),
                         ops + p.nops * sizeof *k->op.at);
        at += sizeof out;
        p.nops += (uint32_t)k->op.n;
        p.nsaved += k->saved;
        p.acts |= k->act != EZ_ACT_NONE || k->fragment || k->place;
    }
    memcpy(to, &p, sizeof p);
}

void ez_clause_counts(struct ez_target *t, const struct ez_site *s, int index,
                      struct ez_clause_counts *out)
{
    uint32_t id = s->clause.at[index].id;
    *out = (struct ez_clause_counts){ 0 };
    if (!id || !t->tracing.drain)
        return;
    ez_drain_counts(t->tracing.drain, id, &out->entries, &out->exits);
    ez_drain_counts(t->tracing.drain, id + 1, &out->filtered, &out->faulted);
    uint64_t unused;
    if (s->clause.at[index].code->nth)
        ez_drain_counts(t->tracing.drain, id + 2, &out->turns, &unused);
    if (s->clause.at[index].code->fragment) {
        ez_drain_counts(t->tracing.drain, id + 2, &out->fragment.ends, &out->fragment.left);
        ez_drain_counts(t->tracing.drain, id + 3, &out->fragment.without, &out->fragment.unordered);
        ez_drain_counts(t->tracing.drain, id + 4, &out->fragment.recursed, &out->fragment.off);
    }
    struct ez_drain_filtered f;
    ez_drain_filtered(t->tracing.drain, id, &f);
    out->left_out = f.calls;
    out->spent = f.spent;
}

void ez_clause_places(struct ez_target *t, const struct ez_site *s, int index, uint64_t *n)
{
    const struct ez_site_clause *c = &s->clause.at[index];
    for (unsigned i = 0; c->id && t->tracing.drain && i < c->code->places; i++)
        ez_drain_counts(t->tracing.drain, c->id + 5 + i, &n[2 * i], &n[2 * i + 1]);
}

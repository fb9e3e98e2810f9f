/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at_entry.c - runs the code of an entry's items in the shell, for a thread that stands at a function's
 * first instruction: what the runtime's machine does (engine/rt/rt_code.c), without conditions, the
 * clock and vector registers. What it cannot do, or not read, makes an item unreadable. */
#include <string.h>

#include "engine/data/clause.h"

struct entry_run {
    const struct ez_entry_state *at;
    uint64_t s[EZ_CODE_STACK];
    unsigned n, item, words;
    uint64_t *word;
    uint64_t bad;
};

static void entry_push(struct entry_run *r, uint64_t v)
{
    r->s[r->n++ % EZ_CODE_STACK] = v;
}

static uint64_t entry_pop(struct entry_run *r)
{
    return r->s[--r->n % EZ_CODE_STACK];
}

static void entry_emit(struct entry_run *r, uint64_t v)
{
    if (r->words < EZ_DATA_WORDS)
        r->word[r->words++] = v;
}

static uint64_t entry_cut(uint64_t v, unsigned bits, bool is_signed)
{
    unsigned k = (64 - bits) & 63;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

static bool entry_read(struct entry_run *r, uint64_t from, void *to, size_t n)
{
    if (r->at->read(r->at->arg, from, to, n))
        return true;
    r->bad |= 1ull << (EZ_DATA_BAD + r->item);
    return false;
}

static void entry_load(struct entry_run *r, uint64_t from, unsigned n, bool is_signed)
{
    uint64_t v = 0;
    entry_push(r, entry_read(r, from, &v, EZ_MIN(n, 8u)) ? entry_cut(v, 8 * n, is_signed) : 0);
}

/* A length, then the bytes, padded to words. */
static void entry_memory(struct entry_run *r, uint64_t from, unsigned most, bool text)
{
    char buf[8 * EZ_DATA_WORDS + 8] = { 0 };
    size_t len = 0;
    most = EZ_MIN(most, 8u * EZ_DATA_WORDS);
    while (len < most && entry_read(r, from + len, buf + len, 1) && (!text || buf[len]))
        len++;
    entry_emit(r, len | (text && len == most ? EZ_TEXT_CUT : 0));
    for (size_t i = 0; i < len; i += 8) {
        uint64_t w = 0;
        memcpy(&w, buf + i, EZ_MIN(len - i, (size_t)8));
        entry_emit(r, w);
    }
}

static uint64_t entry_binary(const struct ez_code_op *c, uint64_t a, uint64_t b)
{
    switch (c->op) {
    case EZ_OP_ADD:
        return a + b;
    case EZ_OP_SUB:
        return a - b;
    case EZ_OP_MUL:
        return a * b;
    case EZ_OP_AND:
        return a & b;
    case EZ_OP_OR:
        return a | b;
    case EZ_OP_SHL:
        return b < 64 ? a << b : 0;
    default: /* EZ_OP_SHR */
        return c->a ? (uint64_t)((int64_t)a >> EZ_MIN(b, 63ull)) : b < 64 ? a >> b : 0;
    }
}

/* False = it is not known here. */
static bool entry_step(struct entry_run *r, const struct ez_code_op *c)
{
    uint64_t b;
    switch (c->op) {
    case EZ_OP_IMM:
        entry_push(r, (uint64_t)(int64_t)c->imm);
        return true;
    case EZ_OP_REG:
        entry_push(r, entry_cut(r->at->reg[c->a & 15], c->b, c->imm & 1));
        return true;
    case EZ_OP_ARG:
        entry_load(r, r->at->frame + (uint64_t)(int64_t)c->imm, 8, false);
        return true;
    case EZ_OP_FRAME:
        entry_push(r, r->at->frame);
        return true;
    case EZ_OP_LOAD:
        entry_load(r, entry_pop(r) + (uint64_t)(int64_t)c->imm, c->a, c->b);
        return true;
    case EZ_OP_CUT:
        entry_push(r, entry_cut(entry_pop(r), c->a, c->b));
        return true;
    case EZ_OP_ADD:
    case EZ_OP_SUB:
    case EZ_OP_MUL:
    case EZ_OP_AND:
    case EZ_OP_OR:
    case EZ_OP_SHL:
    case EZ_OP_SHR:
        b = c->b & EZ_CODE_IMM ? (uint64_t)(int64_t)c->imm : entry_pop(r);
        entry_push(r, entry_binary(c, entry_pop(r), b));
        return true;
    case EZ_OP_DUP:
        b = entry_pop(r);
        entry_push(r, b);
        entry_push(r, b);
        return true;
    case EZ_OP_DROP:
        entry_pop(r);
        return true;
    case EZ_OP_ITEM:
        r->item = c->a;
        return true;
    case EZ_OP_EMIT:
        entry_emit(r, entry_pop(r));
        return true;
    case EZ_OP_TEXT:
    case EZ_OP_BYTES:
        entry_memory(r, entry_pop(r), (unsigned)c->imm, c->op == EZ_OP_TEXT);
        return true;
    case EZ_OP_VEC:
    case EZ_OP_X87:
        r->bad |= 1ull << (EZ_DATA_BAD + r->item);
        entry_push(r, 0);
        return true;
    case EZ_OP_OF_FLOAT: /* of such a register, so far */
        return true;
    default:
        return false;
    }
}

static bool entry_go(struct entry_run *r, const struct ez_clause_code *k)
{
    const struct ez_code_op *c = k->op.at + k->entry.first, *end = c + k->entry.n;
    for (; c < end && c->op != EZ_OP_END; c++) {
        if (c->op == EZ_OP_WIDE && c + 1 < end) {
            uint64_t v;
            memcpy(&v, ++c, sizeof v);
            entry_push(r, v);
        } else if (!entry_step(r, c)) {
            return false;
        }
    }
    return true;
}

struct entry_text {
    char *text;
};

static void entry_join(void *arg, const struct ez_item_value *v, const char *text)
{
    struct entry_text *out = arg;
    char *longer = ez_sprintf("%s%s%s=%s", out->text, *out->text ? ", " : "", v->item->name, text);
    free(out->text);
    out->text = longer;
}

char *ez_entry_args(const struct ez_scope *scope, unsigned max_string,
                    const struct ez_entry_state *at)
{
    const struct ez_ask ask = {
        .cond = "", .collect = "$args", .leave = "", .entry = true, .max_string = max_string
    };
    struct ez_clause_code *code = NULL;
    uint64_t word[EZ_DATA_WORDS + 1];
    struct entry_run r = { .at = at, .word = word };
    struct entry_text out = { ez_strdup("") };
    if (!ez_err_drop(ez_clause_compile(&ask, scope, &code)))
        return out.text;
    if (entry_go(&r, code)) {
        struct ez_items items;
        ez_items_parse(code->items, &items);
        if (r.bad)
            word[r.words] = r.bad;
        ez_event_data_each(
            &(struct ez_event_data){ .items = &items, .word = word, .n = r.words + (r.bad != 0) },
            entry_join, &out);
        ez_items_free(&items);
    }
    ez_clause_free(code);
    return out.text;
}

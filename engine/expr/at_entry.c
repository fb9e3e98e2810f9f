/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at_entry.c - collects a function's arguments in the shell, for a thread that is stopped at the
 * function's first instruction, by the same code that a probe would run in the target. If a part of
 * an argument cannot be read, the whole argument is shown as unreadable.
 *
 * Tests: tests/procs/triggers.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/expr/clause.h"
#include "engine/expr/machine.h"

struct entry_run {
    const struct ez_entry_state *at;
    unsigned item, words;
    uint64_t *word;
    uint64_t bad;
};

static void entry_emit(struct entry_run *r, uint64_t v)
{
    if (r->words < EZ_DATA_WORDS)
        r->word[r->words++] = v;
}

/* Reads memory. On failure fills the buffer with zeros, and records that the argument is
 * unreadable. */
static bool entry_read(struct entry_run *r, uint64_t from, void *to, size_t n)
{
    memset(to, 0, n);
    if (r->at->read(r->at->arg, from, to, n))
        return true;
    r->bad |= 1ull << (EZ_DATA_BAD + r->item);
    return false;
}

static ez_err *entry_load(void *arg, uint64_t from, void *to, size_t n)
{
    entry_read(arg, from, to, n);
    return NULL;
}

/* Returns 8 bytes at offset `at` of the floating-point and vector registers. */
static uint64_t entry_extended(struct entry_run *r, size_t at)
{
    uint64_t v = 0;
    if (at + sizeof v <= r->at->nextended)
        memcpy(&v, r->at->extended + at, sizeof v);
    else
        r->bad |= 1ull << (EZ_DATA_BAD + r->item);
    return v;
}

static ez_err *entry_word(void *arg, const struct ez_code_op *c, uint64_t *out)
{
    struct entry_run *r = arg;
    const struct ez_arch *a = ez_arch_host();
    switch (c->op) {
    case EZ_OP_REG:
        *out = ez_cut(r->at->reg[c->a & 15], c->b, c->imm & 1);
        return NULL;
    case EZ_OP_VEC:
        *out = entry_extended(r, a->regs.extended_vector + 16ul * c->a + 8ul * (c->b & 1));
        return NULL;
    case EZ_OP_X87:
        *out = entry_extended(r, a->regs.extended_stack + 16ul * c->a + 8ul * (c->b & 1));
        return NULL;
    case EZ_OP_ARG:
        return entry_load(r, r->at->frame + (uint64_t)(int64_t)c->imm, out, sizeof *out);
    case EZ_OP_FRAME:
        *out = r->at->frame;
        return NULL;
    default:
        return ez_machine_only_in_hit();
    }
}

/* Appends the length of a string or of bytes, then the bytes, padded to words. Of a null pointer to
 * a string, appends only EZ_TEXT_NULL. */
static void entry_memory(struct entry_run *r, uint64_t from, unsigned most, bool text)
{
    char buf[8 * EZ_DATA_WORDS + 8] = { 0 };
    size_t len = 0;
    if (text && !from) {
        entry_emit(r, EZ_TEXT_NULL);
        return;
    }
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

static void entry_record(void *arg, const struct ez_code_op *c, uint64_t v)
{
    struct entry_run *r = arg;
    if (c->op == EZ_OP_ITEM)
        r->item = c->a;
    else if (c->op == EZ_OP_EMIT)
        entry_emit(r, v);
    else
        entry_memory(r, v, (unsigned)c->imm, c->op == EZ_OP_TEXT);
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

/* Appends "...", which says that some arguments are not shown. */
static void entry_more(struct entry_text *out)
{
    char *longer = ez_sprintf("%s%s...", out->text, *out->text ? ", " : "");
    free(out->text);
    out->text = longer;
}

char *ez_entry_args(const struct ez_scope *scope, unsigned max_string,
                    const struct ez_entry_state *at)
{
    const struct ez_probe_spec spec = { .kind = EZ_PROBE_ENTRY, .collect = "$args" };
    const struct ez_request request = { .spec = &spec, .max_string = max_string };
    struct ez_clause_code *code = NULL;
    uint64_t word[EZ_DATA_WORDS + 1];
    struct entry_run r = { .at = at, .word = word };
    const struct ez_machine m = {
        .arg = &r, .read = entry_load, .word = entry_word, .record = entry_record
    };
    struct entry_text out = { ez_strdup("") };
    uint64_t left;
    if (!ez_err_drop(ez_clause_compile(&request, scope, &code)))
        return out.text;
    if (ez_err_drop(ez_machine_run(&m, code->op.at + code->entry.first, code->entry.n, &left))) {
        struct ez_items items;
        ez_items_parse(code->items, &items);
        if (r.bad)
            word[r.words] = r.bad;
        ez_event_data_each(
            &(struct ez_event_data){ .items = &items, .word = word, .n = r.words + (r.bad != 0) },
            entry_join, &out);
        ez_items_free(&items);
        if (code->missing)
            entry_more(&out);
    }
    ez_clause_free(code);
    return out.text;
}

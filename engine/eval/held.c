/* SPDX-License-Identifier: GPL-3.0-or-later */
/* held.c - memory of the target, and values that the shell holds during an evaluation (README.md:
 * "What is held").
 * Tests: tests/unit/eval/check_eval.c, tests/procs/operands.sh */
#include <string.h>
#include <sys/mman.h>

#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

const struct eval_held *held_at(const struct eval *ev, uint64_t at, uint64_t *offset)
{
    uint64_t i = (at - EVAL_HELD) >> 32;
    *offset = (at & UINT32_MAX) - EVAL_HELD_AT;
    return at >= EVAL_HELD && i < ev->held.n ? &ev->held.at[i] : NULL;
}

static ez_err *held_outside(void)
{
    return ez_err_new(EZ_E_ARG, 0,
                      "The expression reads beyond a value that is not in the program's memory");
}

ez_err *eval_read(void *arg, uint64_t from, void *to, size_t n)
{
    struct eval *ev = arg;
    uint64_t offset;
    const struct eval_held *h = held_at(ev, from, &offset);
    if (h && offset <= h->n && n <= h->n - offset) {
        if (h->lost && value_lost(h->lost + offset, n) != VALUE_THERE)
            return value_is_gone();
        memcpy(to, h->byte + offset, n);
        return NULL;
    }
    if (h)
        return held_outside();
    ez_err *e = ez_read(ev->t, ez_addr_of(from), to, n);
    if (!e || e->code == EZ_E_GONE)
        return e;
    ez_err_free(e);
    return ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%llx", (unsigned long long)from);
}

ez_err *held_there(struct ez_target *t, const void *bytes, size_t n, uint64_t *at)
{
    ez_addr got;
    if (!ez_target_live(t))
        return ez_err_gdb(EZ_E_STATE,
                          "evaluation of this expression requires the target program to be active");
    EZ_TRY(ez_need_stopped(t));
    EZ_TRY(ez_remote_mmap(t, EZ_MAX(n, (size_t)1), PROT_READ | PROT_WRITE, EZ_ANYWHERE, &got));
    *at = got.v;
    return n && bytes ? ez_write(t, got, bytes, n) : NULL;
}

ez_err *ez_value_place(struct ez_history *v, const struct ez_value *value, uint64_t *out)
{
    const struct ez_type *t = ez_type_strip(value->type);
    if (t->kind != EZ_TY_ARRAY || t->is_vector || value->lval == EZ_L_MEMORY)
        return ez_value_address(value, out);
    EZ_TRY(value_whole(value));
    return held_there(v->t, value->byte, value->n, out);
}

ez_err *held_object(struct eval *ev, const struct ez_value *object, uint64_t *out)
{
    if (object->gone)
        return ez_err_new(EZ_E_ARG, 0, "The object has no address: it has been optimized out");
    *out = object->addr;
    if (object->lval == EZ_L_MEMORY || ev->types)
        return NULL;
    EZ_TRY(value_whole(object));
    return ev->still ? value_no_calls() : held_there(ev->t, object->byte, object->n, out);
}

static uint64_t held_put(struct eval *ev, const struct ez_value *value)
{
    const struct ez_type *t = ez_type_strip(value->type);
    struct eval_held h = { .byte = ez_alloc(value->n + 1), /* zeros */
                           .lost = value_copy_lost(value->lost, value->n),
                           .n = value->n,
                           .lval = value->lval == EZ_L_MEMORY && !value->bits,
                           .is_array = t->kind == EZ_TY_ARRAY && !t->is_vector,
                           .addr = value->addr };
    if (value->byte)
        memcpy(h.byte, value->byte, value->n);
    if (value->gone && !h.lost)
        h.lost = memset(ez_alloc(value->n + 1), 0xff, value->n);
    EZ_PUSH(&ev->held, h);
    return EVAL_HELD + ((ev->held.n - 1) << 32) + EVAL_HELD_AT;
}

void eval_hold(struct eval *ev, const struct ez_value *value, struct ez_named *out)
{
    out->type = value->type;
    if (value->gone) {
        out->where = ez_where_gone();
        return;
    }
    if (value->lval != EZ_L_MEMORY && value->n <= 8 && ez_type_is_scalar(value->type)) {
        out->where = (struct ez_where){ .kind = EZ_AT_CONST };
        memcpy(&out->where.addr, value->byte, value->n);
        return;
    }
    out->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = held_put(ev, value) };
    if (ez_type_strip(value->type)->kind == EZ_TY_FUNC)
        out->where.addr = value->addr;
}

uint64_t held_pointed(struct eval *ev, const struct ez_value *value, uint64_t key)
{
    uint64_t at = held_put(ev, value);
    struct eval_held *h = &ev->held.at[ev->held.n - 1];
    h->pointed = true;
    h->key = key;
    return at;
}

bool held_known(const struct eval *ev, uint64_t key, uint64_t *out)
{
    for (size_t i = 0; i < ev->held.n; i++)
        if (ev->held.at[i].pointed && ev->held.at[i].key == key) {
            *out = EVAL_HELD + (i << 32) + EVAL_HELD_AT;
            return true;
        }
    return false;
}

bool held_is_pointed(uint64_t at)
{
    return at - EVAL_HELD < 1ull << 44;
}

static ez_err *held_synthetic(void)
{
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                  "The pointer has no address: the compiler removed the variable "
                                  "that it points to from memory"),
                       "\"print *POINTER\" shows the variable");
}

ez_err *held_check(const struct ez_value *value)
{
    bool any = false;
    for (size_t i = 0; i + 8 <= value->n;
         i += 8) /* a struct may contain a synthetic pointer, which a cast could make a number */
        any |= held_is_pointed(value_word(value->byte + i, 8));
    return any ? held_synthetic() : NULL;
}

void held_end(struct eval *ev)
{
    for (size_t i = 0; i < ev->held.n; i++)
        free(ev->held.at[i].byte), free(ev->held.at[i].lost);
    EZ_VEC_FREE(&ev->held);
}

void held_scatter(struct eval *ev, uint64_t at, uint64_t from, const struct ez_type *t,
                  const int64_t *stride)
{
    uint64_t offset;
    struct eval_held *h = (struct eval_held *)held_at(ev, at, &offset);
    h->addr = from;
    for (; h->strides < EZ_DWARF_DIMENSIONS && stride[h->strides]; t = ez_type_strip(t->to)) {
        h->dim[h->strides].size = EZ_MAX(ez_type_strip(t->to)->size, (uint64_t)1);
        h->dim[h->strides].stride = stride[h->strides];
        h->strides++;
    }
}

bool held_is_copy(const struct eval_held *h, size_t n)
{
    return h->lval || (h->strides && n <= h->dim[h->strides - 1].size);
}

/* Returns the address in the target of the byte at `offset` in the held copy of an array whose
 * elements are not contiguous. */
static uint64_t held_place(const struct eval_held *h, uint64_t offset)
{
    uint64_t at = h->addr;
    for (unsigned k = 0; k < h->strides; k++) {
        at += offset / h->dim[k].size * (uint64_t)h->dim[k].stride;
        offset %= h->dim[k].size;
    }
    return at + offset;
}

/* Copies an array that is not in the program, such as a string, into the program's memory, as gdb
 * does, because most expressions use an array's address. The memory stays allocated, because the
 * program may keep the address. */
static ez_err *held_settle(struct eval *ev, struct eval_held *h)
{
    if (!h->is_array || h->lost || ev->still)
        return ez_err_gdb(EZ_E_ARG, "Attempt to take address of value not located in memory.");
    EZ_TRY(held_there(ev->t, h->byte, h->n, &h->addr));
    h->lval = true;
    return NULL;
}

ez_err *held_real(struct eval *ev, uint64_t *at)
{
    uint64_t offset;
    struct eval_held *h = (struct eval_held *)held_at(ev, *at, &offset);
    if (h && h->pointed)
        return NULL;
    if (h && h->strides) {
        *at = held_place(h, offset);
        return NULL;
    }
    if (h && !h->lval)
        EZ_TRY(held_settle(ev, h));
    if (h)
        *at = h->addr + offset;
    return NULL;
}

ez_err *held_number(struct eval *ev, uint64_t *word)
{
    uint64_t offset;
    const struct eval_held *h = held_at(ev, *word, &offset);
    return h && h->pointed ? held_synthetic() : held_real(ev, word);
}

/* Checks that the sum or difference of a held address and a number stays within the 4 GiB of
 * addresses that the held value has. */
static ez_err *held_within(uint64_t at, uint64_t number, bool adds)
{
    uint64_t sum = adds ? at + number : at - number;
    return sum >> 32 == at >> 32 ? NULL : held_outside();
}

ez_err *held_numbers(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b)
{
    struct eval *ev = arg;
    uint64_t offset;
    const struct eval_held *x = held_at(ev, *a, &offset), *y = b ? held_at(ev, *b, &offset) : NULL;
    bool compares = op->op >= EZ_OP_EQ && op->op <= EZ_OP_GE, adds = b && op->op == EZ_OP_ADD,
         subtracts = b && op->op == EZ_OP_SUB;
    if ((!x && !y) || op->op == EZ_OP_NOT || (op->op == EZ_OP_CUT && op->a >= 64) ||
        (x == y && (compares || subtracts)))
        return NULL;
    if ((adds && !(x && y)) || (subtracts && !y))
        return held_within(x ? *a : *b, x ? *b : *a, adds);
    /* a held value that has no address in memory differs from every other address */
    bool differ = op->op == EZ_OP_EQ || op->op == EZ_OP_NE;
    if (x && !(differ && (x->pointed || !x->lval)))
        EZ_TRY(held_number(ev, a));
    if (y && !(differ && (y->pointed || !y->lval)))
        EZ_TRY(held_number(ev, b));
    return NULL;
}

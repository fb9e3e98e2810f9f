/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.h - what the words of a probe's event are: the items that `collect` asked for, with names and
 * types, as a trace defines them (EZ_DEF_ITEMS).
 *
 * One line each, "NAME\tTYPE": NAME is the expression as it was written, and a member's name behind
 * it where a struct was collected; TYPE is one of
 *
 *   int uint hex bool char code ptr                                   1 word
 *   float double          the bits of a double                        1 word
 *   enum NAME=VALUE,...   flags NAME=VALUE,...                        1 word
 *   ldouble complex int128 uint128                                    2 words
 *   text bytes            a word with the length (EZ_TEXT_CUT, EZ_TEXT_NULL), then words with 8 bytes each
 *
 * A name may stand for several words ("p.x", "p.y"): they are read one by one. `item` says which item
 * of the event's bits a line belongs to: lines that begin with '+' belong to the item before.
 *
 * A reader knows items of one event by their names: where two have the same, the second is NAME#2.
 *
 * Tests: tests/unit/engine/check_code.c, tests/procs/values.sh */
#ifndef EZ_ITEMS_H
#define EZ_ITEMS_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

enum ez_item_type {
    EZ_IT_INT,
    EZ_IT_UINT,
    EZ_IT_HEX,
    EZ_IT_BOOL,
    EZ_IT_CHAR,
    EZ_IT_FLOAT,
    EZ_IT_DOUBLE,
    EZ_IT_CODE,
    EZ_IT_PTR,
    EZ_IT_ENUM,
    EZ_IT_FLAGS,
    EZ_IT_LDOUBLE,
    EZ_IT_COMPLEX,
    EZ_IT_INT128,
    EZ_IT_UINT128,
    EZ_IT_TEXT,
    EZ_IT_BYTES,
    EZ_IT_TYPES
};

struct ez_data_item {
    const char *name;
    enum ez_item_type type;
    const char *names; /* of ENUM and FLAGS: "NAME=VALUE,..."; else ""              */
    unsigned item;     /* number of its bit                                         */
};
struct ez_items {
    EZ_VEC(struct ez_data_item) at;
    char *text;             /* owned: what the names point to                                   */
    EZ_VEC(char *) renamed; /* owned: names that were taken                        */
};

/* Lines of a later version are left out with all behind them. */
void ez_items_parse(const char *text, struct ez_items *out);
void ez_items_free(struct ez_items *k);
/* Words of a value of that type; 0 = its first word says how many follow. */
unsigned ez_item_words(enum ez_item_type type);
const char *ez_item_type_name(enum ez_item_type type);
bool ez_item_type_named(const char *name, enum ez_item_type *type); /* false: there is none */

enum ez_value_state { EZ_V_GOOD, EZ_V_FAULT, EZ_V_MISSING, EZ_V_TAIL };
struct ez_item_value { /* one line's value in one event                              */
    const struct ez_data_item *item;
    enum ez_value_state state; /* FAULT: it could not be read; MISSING: the event is cut; TAIL: the
                                * call ended by a jump                                */
    const uint64_t *word;
    unsigned n;   /* words                                                           */
    uint64_t len; /* of TEXT and BYTES: bytes                                        */
    bool cut;     /* of TEXT: it goes on in memory                                   */
    bool null;    /* of TEXT: there is none, its address is 0                        */
};
/* Calls fn for each line with its value in the event of n words. */
void ez_items_values(const struct ez_items *k, bool is_exit, const uint64_t *word, unsigned n,
                     void (*fn)(const struct ez_item_value *v, void *arg), void *arg);
/* The value as text, as gdb writes it: 5, 0x7f.., "abc"..., 1.5, RED, (A | B), <fault>. Caller
 * frees. `symbol`: name of an address in code, or NULL. */
char *ez_item_text(const struct ez_item_value *v, const char *symbol);
/* The words of a probe's event, and what they are. */
struct ez_event_data {
    const struct ez_items *items;
    bool is_exit;
    const uint64_t *word;
    unsigned n;
    const char *(*symbol)(const void *arg, uint64_t addr); /* NULL = it has no name          */
    const void *symbol_arg;
};

/* Calls fn for each value with its text; d may be NULL. */
typedef void ez_value_fn(void *arg, const struct ez_item_value *v, const char *text);
void ez_event_data_each(const struct ez_event_data *d, ez_value_fn *fn, void *arg);
/* All its values as text, "n=5 s=\"abc\""; NULL = there are none. The caller frees. */
char *ez_event_data_text(const struct ez_event_data *d);
/* Is the value a number? Then *out is it. */
bool ez_item_number(const struct ez_item_value *v, double *out);

#endif

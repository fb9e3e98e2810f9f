/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.h - the items of a probe's event, which `collect` requested: their names and types, and
 * their values. EZ_DEF_ITEMS in a trace defines names and types as a text of lines.
 *
 * Each line is "NAME\tTYPE". NAME is the expression as the user typed it, followed by a member's
 * name if a struct was collected. TYPE is one of
 *
 *   int uint hex bool char code ptr                             1 word
 *   float double          the bits of a double                  1 word
 *   enum NAME=VALUE,...   flags NAME=VALUE,...                  1 word
 *   ldouble complex int128 uint128                              2 words
 *   text bytes a word with the length and flags (EZ_TEXT_CUT, EZ_TEXT_NULL), then 8 bytes a word
 *
 * One expression may have several lines ("p.x", "p.y"), each with its own value. A line that begins
 * with '+' belongs to the same item as the line before, so both lines have the same bit in the
 * event's word of bits.
 *
 * Readers find an item of an event by its name. If two items have the same name, readers rename the
 * second to NAME#2.
 *
 * Tests: tests/unit/rt/check_code.c, tests/procs/values.sh */
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
    const char *names; /* ENUM and FLAGS: "NAME=VALUE,..."; others: "" */
    unsigned item; /* number of the item, and of its bit in the word of bits (EZ_DATA_BAD + item) */
};
struct ez_items {
    EZ_VEC(struct ez_data_item) at;
    char *text;             /* text into which the `name` and `names` of the items point; owned */
    EZ_VEC(char *) renamed; /* names that were changed because of duplicates; owned */
};

/* Parses the lines. Drops the first line that is malformed or whose TYPE this version does not
 * know, and all lines after it. */
void ez_items_parse(const char *text, struct ez_items *out);
void ez_items_free(struct ez_items *k);
/* Returns the number of words of a value of this type, or 0 if the first word of the value contains
 * the length. */
unsigned ez_item_words(enum ez_item_type type);
const char *ez_item_type_name(enum ez_item_type type);
/* Finds a type by name. Returns false if there is no such type. */
bool ez_item_type_named(const char *name, enum ez_item_type *type);

enum ez_value_state { EZ_V_GOOD, EZ_V_FAULT, EZ_V_MISSING, EZ_V_TAIL };
struct ez_item_value { /* value of one line of ez_items in one event */
    const struct ez_data_item *item;
    /* FAULT: unreadable memory. MISSING: the event is cut off. TAIL: the call ended by a jump. */
    enum ez_value_state state;
    const uint64_t *word;
    unsigned n;   /* number of words */
    uint64_t len; /* TEXT and BYTES: length in bytes */
    bool cut;     /* TEXT: the string is longer in memory */
    bool null;    /* TEXT: the string's address is 0 */
};
/* Calls fn for each line of k (see the head of this file), with the line's value in the event that
 * has the n words `word`. */
void ez_items_values(const struct ez_items *k, bool is_exit, const uint64_t *word, unsigned n,
                     void (*fn)(const struct ez_item_value *v, void *arg), void *arg);
/* Returns the value as text in gdb's format: 5, 0x7f.., "abc"..., 1.5, RED, (A | B), <fault>.
 * symbol: name of the address, if the value is one, or NULL. The caller frees the text. */
char *ez_item_text(const struct ez_item_value *v, const char *symbol);
/* The words of a probe's event, and the items that describe them. */
struct ez_event_data {
    const struct ez_items *items;
    bool is_exit;
    const uint64_t *word;
    unsigned n;
    /* returns the name of an address, or NULL if it has no name */
    const char *(*symbol)(const void *arg, uint64_t addr);
    const void *symbol_arg;
};

/* Calls fn for each value, with its text. d may be NULL. */
typedef void ez_value_fn(void *arg, const struct ez_item_value *v, const char *text);
void ez_event_data_each(const struct ez_event_data *d, ez_value_fn *fn, void *arg);
/* Returns all values as text, such as n=5 s="abc", or NULL if there are no values. The caller frees
 * the text. */
char *ez_event_data_text(const struct ez_event_data *d);
/* Stores the value in *out. Returns false if the value is unreadable, or its type is none of int,
 * uint, bool, char, float and double. */
bool ez_item_number(const struct ez_item_value *v, double *out);

#endif

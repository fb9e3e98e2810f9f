/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h - the items of `collect` and `return`: the words of an event, for compile.c. */
#ifndef EZ_COLLECT_H
#define EZ_COLLECT_H

#include "engine/expr/gen.h"

struct collect {
    struct gen *gen;
    unsigned max_string;
    bool of_many;          /* a function without a result has no $ret, which is then no error */
    unsigned items, words; /* items and (at most) words so far */
    char *text;            /* layout as in items.h; owned */
    bool lenient;          /* for $args: a struct may be reduced to its first members */
    char *missing; /* arguments that are not collected: "a, b (why), c (why)"; NULL = none; owned */
    const char *why;      /* reason for the last of them */
    unsigned depth, seen; /* nesting depth; number of all values visited */
};

/* Generates code for the comma-separated items of `text`. Skips items that use $ret unless
 * with_result, and all others if only_result. Returns EZ_E_ARG, or EZ_E_LIMIT if an event cannot
 * hold the items. */
ez_err *collect_items(struct collect *c, const char *text, bool with_result,
                      bool only_result) EZ_WUR;

/* Generate one item each (for print.c, too). */
void collect_begin(struct collect *c);
char *collect_name(const char *text, size_t len);
size_t collect_length(const char *text);
ez_err *collect_value(struct collect *c, const char *name, bool first,
                      struct gen_operand *o) EZ_WUR;
ez_err *collect_text(struct collect *c, const char *name, bool first, bool text,
                     unsigned most) EZ_WUR;
void collect_word(struct collect *c, const char *name, bool first, enum ez_item_type type,
                  const char *names);
ez_err *collect_room(const struct collect *c) EZ_WUR;

/* collect_format.c */
struct collect_item { /* one item as typed */
    const char *text;
    size_t len;
    char format; /* x d u c f s a h; 0 = by the type */
    unsigned bytes;
};
/* Removes ":FORMAT" from the item's end. Returns EZ_E_ARG. */
ez_err *collect_parse_format(struct collect_item *it) EZ_WUR;
ez_err *collect_formatted(struct collect *c, const char *name, const struct collect_item *it,
                          struct gen_operand *o) EZ_WUR;

/* print.c: generates an item for each conversion of `"FORMAT",EXPR,...`. Returns EZ_E_ARG if the
 * format does not fit. */
ez_err *collect_print(struct collect *c, const char *print) EZ_WUR;

#endif

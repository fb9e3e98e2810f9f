/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h - the items of `collect` and `return`: which words an event has (for compile.c). */
#ifndef EZ_COLLECT_H
#define EZ_COLLECT_H

#include "engine/data/gen.h"

struct collect {
    struct gen *gen;
    unsigned max_string;
    bool of_many;          /* functions without a result have no $ret: that is no error           */
    unsigned items, words; /* made so far; words: at most                           */
    char *text;            /* items.h, owned                                         */
    bool lenient;          /* of all arguments: a struct's first members will do      */
    char *missing; /* arguments that are not collected: "a, b (why), c (why)"; NULL = none; owned */
    const char *why;      /* of the last of them                                     */
    unsigned depth, seen; /* values in values; all values that were looked at */
};

/* Make code for the comma-separated items of `text`, those that are taken at the exit or, if not
 * `at_exit`, those that use $ret are left out. EZ_E_ARG, EZ_E_LIMIT: more than an event holds. */
ez_err *collect_items(struct collect *c, const char *text, bool with_result,
                      bool only_result) EZ_WUR;

/* One item each (print.c). */
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
struct collect_item { /* one item as it was written                                    */
    const char *text;
    size_t len;
    char format; /* x d u c f s a h; 0 = by the type                                   */
    unsigned bytes;
};
/* Takes ":FORMAT" off the item's end. EZ_E_ARG. */
ez_err *collect_parse_format(struct collect_item *it) EZ_WUR;
ez_err *collect_formatted(struct collect *c, const char *name, const struct collect_item *it,
                          struct gen_operand *o) EZ_WUR;

/* print.c: items for `"FORMAT",EXPR,...`, one for each conversion. EZ_E_ARG: the format does not fit. */
ez_err *collect_print(struct collect *c, const char *print) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h - compiles the items of `collect` and `return`, for compile.c. */
#ifndef EZ_COLLECT_H
#define EZ_COLLECT_H

#include "engine/expr/gen.h"

struct collect {
    struct gen *gen;
    unsigned max_string;
    /* the clause is for many functions: $ret of a function without a result is skipped; in a clause
     * for one function it is an error */
    bool of_many;
    unsigned items, words; /* items and (at most) words so far */
    char *text;            /* layout as in items.h; owned */
    bool lenient;          /* for $args: of a large struct, only the first members are collected */
    char *missing; /* arguments that are not collected: "a, b (why), c (why)"; NULL = none; owned */
    const char *why;      /* reason for the last argument in `missing` */
    unsigned depth, seen; /* nesting depth; number of values visited so far */
};

/* Generates code for the comma-separated items of `text`. Items that use $ret are skipped unless
 * with_result is true; all others are skipped if only_result is true. Returns EZ_E_LIMIT if an
 * event cannot hold the items. */
ez_err *collect_items(struct collect *c, const char *text, bool with_result,
                      bool only_result) EZ_WUR;

/* Functions of collect.c that collect_format.c and print.c use, too. */
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
/* Removes ":FORMAT" from the item's end, and stores the format in *it. Returns EZ_E_ARG if the
 * format is unknown. */
ez_err *collect_parse_format(struct collect_item *it) EZ_WUR;
ez_err *collect_formatted(struct collect *c, const char *name, const struct collect_item *it,
                          struct gen_operand *o) EZ_WUR;

/* print.c: generates an item for each conversion of `"FORMAT",EXPR,...`. Returns EZ_E_ARG if the
 * format does not fit the expressions. */
ez_err *collect_print(struct collect *c, const char *print) EZ_WUR;

#endif

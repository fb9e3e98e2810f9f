/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h - the items of `collect` and `return`: which words an event has (for compile.c). */
#ifndef EZ_COLLECT_H
#define EZ_COLLECT_H

#include "engine/data/gen.h"

struct collect {
    struct gen *gen;
    unsigned max_string;
    unsigned items, words; /* made so far; words: at most                           */
    char *text;            /* items.h, owned                                         */
};

/* Make code for the comma-separated items of `text`, those that are taken at the exit or, if not
 * `at_exit`, those that use $ret are left out. EZ_E_ARG, EZ_E_LIMIT: more than an event holds. */
ez_err *collect_items(struct collect *c, const char *text, bool with_result,
                      bool only_result) EZ_WUR;

#endif

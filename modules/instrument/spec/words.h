/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of specifications, and where each is allowed. Shared by the files of
 * modules/instrument/spec. */
#ifndef EZ_SPEC_WORDS_H
#define EZ_SPEC_WORDS_H

#include "modules/instrument/spec/spec.h"

struct ez_spec_keyword { /* @NAME@ */
    const char *name;
    unsigned points; /* one bit each */
    unsigned langs;
};

enum ez_spec_word {
    EZ_SPEC_W_FILE,
    EZ_SPEC_W_LINE,
    EZ_SPEC_W_COL,
    EZ_SPEC_W_ROUTINE,
    EZ_SPEC_W_BEGIN_LINE,
    EZ_SPEC_W_BEGIN_COL,
    EZ_SPEC_W_END_LINE,
    EZ_SPEC_W_END_COL,
    EZ_SPEC_W_RTTI,
    EZ_SPEC_W_ARGC,
    EZ_SPEC_W_ARGV,
    EZ_SPEC_W_CALLEE,
    EZ_SPEC_WORDS,
};

extern const struct ez_spec_keyword ez_spec_keywords[EZ_SPEC_WORDS];
extern const char *const ez_spec_list_names[EZ_SPEC_LISTS]; /* "EXCLUDE_LIST", ...          */

/* Finds the keyword that begins at p, an '@'. Returns EZ_SPEC_WORDS with *n = 0 if there is none,
 * or with *n > 0 if it is unknown. *n: its length with both '@'. */
enum ez_spec_word ez_spec_word(const char *p, size_t *n);
/* Returns the names of the bits: "c,c++". */
const char *ez_spec_lang_names(unsigned langs, char buf[16]);
unsigned ez_spec_lang_of(const char *name, size_t n); /* Returns 0 if there is no such name. */

/* filter.c: adds the lines after BEGIN_..., up to its END_.... *at advances behind them. Returns
 * false if the word at *at begins no list. */
bool ez_spec_read_list(struct ez_spec *s, struct ez_src *t, size_t *at) EZ_WUR;
/* match.c */
void ez_spec_pattern_deinit(struct ez_spec_pattern *p);

/* Returns the brace in C or C++ code that has no partner, or 0 if there is none or if that is
 * unknown (balance.c). */
char ez_spec_unbalanced(const char *code);

#endif

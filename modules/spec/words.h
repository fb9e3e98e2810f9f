/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of specifications, and who may use which. Shared by the files of modules/spec. */
#ifndef EZ_SPEC_WORDS_H
#define EZ_SPEC_WORDS_H

#include "modules/spec/spec.h"

struct ez_spec_keyword { /* @NAME@ */
    const char *name;
    unsigned points; /* a bit each                                                         */
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

/* The keyword that begins at p, an '@': EZ_SPEC_WORDS and *n = 0: it is none; *n > 0: one that is
 * not known. *n = its bytes with both '@'. */
enum ez_spec_word ez_spec_word(const char *p, size_t *n);
/* "c,c++" of the bits. buf holds 16 bytes. */
const char *ez_spec_lang_names(unsigned langs, char buf[16]);
unsigned ez_spec_lang_of(const char *name, size_t n); /* 0 = there is none of that name */

/* filter.c: the lines behind BEGIN_..., up to its END_..., are added. *at moves behind them. False: the
 * word at *at begins no list. */
bool ez_spec_read_list(struct ez_spec *s, struct ez_src *t, size_t *at) EZ_WUR;
/* match.c */
void ez_spec_pattern_deinit(struct ez_spec_pattern *p);

/* The brace in code of C or C++ that has no other; 0 = there is none, or it cannot be told (balance.c). */
char ez_spec_unbalanced(const char *code);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of specifications, and where each is allowed. Shared by the files of
 * modules/instrument/spec. */
#ifndef EZ_SPEC_WORDS_H
#define EZ_SPEC_WORDS_H

#include "modules/instrument/spec/spec.h"

struct ez_spec_keyword { /* a keyword in code, such as @NAME@ */
    const char *name;
    unsigned points; /* points at which the keyword is allowed: 1u << enum ez_spec_point */
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

/* Finds the keyword at p, which points to an '@'. *n: the keyword's length with both '@'. For an
 * unknown keyword, returns EZ_SPEC_WORDS. Then *n is 0 if the text does not even have the form of
 * a keyword. */
enum ez_spec_word ez_spec_word(const char *p, size_t *n);
/* Returns the names of the languages in a mask: "c,c++". The text is in buf. */
const char *ez_spec_lang_names(unsigned langs, char buf[16]);
unsigned ez_spec_lang_of(const char *name, size_t n); /* Returns the bit of the language, 0 for an
                                                       * unknown name. */

/* filter.c: reads a list, from BEGIN_... up to its END_..., or skips a marker of
 * INSTRUMENT_SECTION; moves *at behind it. Returns false if the line at *at is neither. */
bool ez_spec_read_list(struct ez_spec *s, struct ez_src *t, size_t *at) EZ_WUR;
/* match.c */
void ez_spec_pattern_deinit(struct ez_spec_pattern *p);

/* balance.c: returns the brace without a partner in C or C++ code; 0 if there is none, or if the
 * code is not checked. */
char ez_spec_unbalanced(const char *code);

#endif

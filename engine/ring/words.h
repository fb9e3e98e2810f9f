/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - what the words of a module's event are: names and types, as the module's
 * description says (EZT_WORDS in modules/ezt_probe.h) and a trace repeats (fxt_out.h).
 *
 *   "@file:int flags:hex path:name"
 *
 * One word may be the event's SUBJECT (@): what it is about, so that tables can tell apart what
 * happened to which lock, file, region. A word of type `code` is an address in code, which the
 * shell gives a name in the trace (EZ_DEF_SYMBOL). A `name` is all words that are left, as text:
 * what the subject is called from then on in that process ("" = it has no name any more).
 * Tests: tests/unit/engine/check_about.c */
#ifndef EZ_WORDS_H
#define EZ_WORDS_H

#include "engine/base/base.h"

enum ez_word_type {
    EZ_W_INT,
    EZ_W_UINT,
    EZ_W_HEX,
    EZ_W_DOUBLE,
    EZ_W_CODE,
    EZ_W_TEXT,
    EZ_W_NAME,
    EZ_W_TYPES
};

struct ez_word {
    char name[32];
    enum ez_word_type type;
};

struct ez_words {
    struct ez_word word[32];
    unsigned n;
    int subject; /* index; -1 = none                                              */
    int by_name; /* index of the `name`; -1 = none                                */
};

/* False = the text is wrong; then *out has no words. "" is right: nothing is known. */
bool ez_words_parse(const char *text, struct ez_words *out) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of a module's event: names and types.
 *
 * A module's description contains them (EZT_WORDS in modules/ezt_probe.h), and a trace repeats them
 * (fxt_out.h):
 *     "@file:int flags:hex path:name"
 * One word may be the event's SUBJECT (@): the lock, file or region that the event is about, so
 * that tables can group events by it. A word of type `code` is an address of code, a word of type
 * `data` an address of a variable; the shell writes the names of such addresses to the trace
 * (EZ_DEF_SYMBOL). A word of type `name` is a text that consists of all remaining words: from this
 * event on, the subject has that name in the process ("": from now on the subject has no name).
 * Tests: tests/unit/trace/check_about.c */
#ifndef EZ_WORDS_H
#define EZ_WORDS_H

#include "engine/base/base.h"

enum ez_word_type {
    EZ_W_INT,
    EZ_W_UINT,
    EZ_W_HEX,
    EZ_W_DOUBLE,
    EZ_W_CODE,
    EZ_W_DATA,
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
    int subject; /* index of the subject; -1: none */
    int by_name; /* index of the word of type `name`; -1: none */
};

/* Parses `text`. If the text is wrong, returns false, and *out has no words. "" is valid and has no
 * words. */
bool ez_words_parse(const char *text, struct ez_words *out) EZ_WUR;

#endif

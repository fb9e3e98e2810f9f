/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_words.h - the words of a module's event (engine/record/words.h), for formats that write each
 * word with its name.
 *
 * Tests: tests/trace/ctf.sh, tests/unit/format/check_formats.c */
#ifndef EZ_CONV_WORDS_H
#define EZ_CONV_WORDS_H

#include "engine/trace/model.h"

/* Returns the name of argument i: from `words` of the item, or otherwise "argI", which is written
 * to `plain`. Also returns "argI" if an earlier argument has the same name. */
const char *ez_conv_word_name(const struct ez_item *it, unsigned i, char plain[16]);
/* Returns the type of argument i; EZ_W_UINT if it is unknown. */
enum ez_word_type ez_conv_word_type(const struct ez_item *it, unsigned i);
/* Returns the text that begins in argument i (EZ_W_TEXT, EZ_W_NAME). The text consists of this and
 * all further arguments. The caller frees the text. */
char *ez_conv_word_rest(const struct ez_item *it, unsigned i);

#endif

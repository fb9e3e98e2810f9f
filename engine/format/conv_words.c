/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_words.c - names and types of the words of a module's event (conv_words.h).
 *
 * Tests: tests/trace/ctf.sh, tests/unit/format/check_formats.c */
#include "engine/format/conv_words.h"

#include <stdio.h>
#include <string.h>

const char *ez_conv_word_name(const struct ez_item *it, unsigned i, char plain[16])
{
    unsigned at = it->first + i;
    bool known = it->words && at < it->words->n;
    for (unsigned k = it->first; known && k < at; k++)
        known = strcmp(it->words->word[k].name, it->words->word[at].name) != 0;
    snprintf(plain, 16, "arg%u", i);
    return known ? it->words->word[at].name : plain;
}

enum ez_word_type ez_conv_word_type(const struct ez_item *it, unsigned i)
{
    bool known = it->words && it->first + i < it->words->n;
    return known ? it->words->word[it->first + i].type : EZ_W_UINT;
}

char *ez_conv_word_rest(const struct ez_item *it, unsigned i)
{
    return ez_sprintf("%.*s", (int)((it->narg - i) * sizeof *it->arg), (const char *)(it->arg + i));
}

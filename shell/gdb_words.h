/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.h - gdb's commands that eztsh does not have: what a finger types by habit must
 * not be taken for the beginning of a command of ours. */
#ifndef EZ_GDB_WORDS_H
#define EZ_GDB_WORDS_H

#include "engine/base/base.h"

struct gdb_word {
    const char *name;
    const char *shorts;  /* gdb's own short forms, blanks around each            */
    const char *instead; /* what eztsh has instead                              */
};

/* The command of gdb that `word` names, whole or by one of gdb's short forms; NULL = none. `family`
 * is "", or "info ", "set ", "show " for what follows these. */
const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len);
/* The first command of gdb that begins with `word`, of those without a family. */
const struct gdb_word *gdb_word_begins(const char *word, size_t len);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the list of all settings (settings.c), for those that read and change them. */
#ifndef EZ_SETTINGS_H
#define EZ_SETTINGS_H

#include <stddef.h>

#include "engine/base/base.h"

enum setting_kind {
    CHOICE, /* a bool; word[0] is false                                          */
    PICK,   /* an unsigned: the word's index                                     */
    BUDGET, /* an unsigned: percent; "off" is 0                                  */
    UINT,   /* an unsigned; "unlimited" is 0                                     */
    TEXT,   /* the rest of the line as it stands                                 */
};

struct setting {
    const char *name; /* sorted                                                  */
    enum setting_kind kind;
    size_t offset; /* of the variable in struct ez_ui or struct ez_settings    */
    bool engine;
    const char *word[7];
    const char *what;     /* the object of "Set …." and "Show …." in help         */
    const char *sentence; /* `show`: one %s, the value                           */
    const char *example;
    const char *meaning; /* what the words mean, lines for `help set`; NULL = the words are clear */
};
extern const struct setting settings[];
extern const size_t n_settings;

size_t settings_nwords(const struct setting *v);
/* Its words, each in `quote`; the caller frees. */
char *settings_all_words(const struct setting *v, const char *between, const char *last,
                         const char *quote);

#endif

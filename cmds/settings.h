/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - all settings (settings.c, engine/session/settings.c), for those that read and change them. */
#ifndef EZ_SETTINGS_H
#define EZ_SETTINGS_H

#include <stddef.h>

#include "engine/ezt.h"

struct setting {
    const struct ez_setting *is;
    bool engine; /* the field is in struct ez_settings, else in struct ez_ui */
};
/* Of the shell and of the engine, by name; there once settings_tables() was called. */
extern struct setting settings[];
extern size_t n_settings;

size_t settings_nwords(const struct ez_setting *v);
/* Its words, each in `quote`; the caller frees. */
char *settings_all_words(const struct ez_setting *v, const char *between, const char *last,
                         const char *quote);

#endif

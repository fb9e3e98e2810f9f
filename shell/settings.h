/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - all settings (settings.c, engine/process/settings.c), for code that reads and
 * changes them. */
#ifndef EZ_SETTINGS_H
#define EZ_SETTINGS_H

#include "engine/base/base.h"

struct ez_sess;

/* Builds the tables of `set` and `show`, once, after command_tables(). settings_init() gives a
 * session its defaults. */
void settings_tables(void);
void settings_init(struct ez_sess *s);
void settings_free(struct ez_sess *s);
/* Returns true if `name` is a setting of the engine, not of the shell. */
bool settings_is_engine(const char *name);
/* Calls fn for each setting of the engine that differs from its default, except texts. */
void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg);

#endif

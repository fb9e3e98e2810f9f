/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - all settings (settings.c, engine/process/settings.c), for code that reads and
 * changes them. */
#ifndef EZ_SETTINGS_H
#define EZ_SETTINGS_H

#include <stddef.h>

#include "engine/ezt.h"
#include "shell/command.h"

struct setting {
    const struct ez_setting *is;
    bool engine; /* the field is in struct ez_settings, not in struct ez_ui */
};
/* Settings of the shell and of the engine, sorted by name; filled in by settings_tables(). */
extern struct setting settings[];
extern size_t n_settings;

size_t settings_nwords(const struct ez_setting *v);
/* Returns the words of a setting, each in `quote`; the caller frees. */
char *settings_all_words(const struct ez_setting *v, const char *between, const char *last,
                         const char *quote);

/* Builds the `set` and `show` tables, once; settings_init() gives a session its defaults. */
void settings_tables(void);
void settings_init(struct ez_sess *s);
void settings_free(struct ez_sess *s);
/* Returns true for a setting of the target, not of the shell. */
bool settings_is_engine(const char *name);
/* Calls fn for each setting of the engine that differs from its default. */
void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg);

extern struct ez_cmd ez_set_cmds[], ez_show_cmds[]; /* end with a NULL name */

/* settings_values.c: run `set NAME` and `show NAME` of each setting, and `show`. */
ez_cmd_fn cmd_set_value, cmd_show_value, cmd_show_all;
ez_comp_fn comp_setting;

#endif

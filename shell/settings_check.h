/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings_check.h - checks of settings' values, and the setting that takes effect at once
 * (settings.c). */
#ifndef EZ_SETTINGS_CHECK_H
#define EZ_SETTINGS_CHECK_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

struct ez_setting;

/* Checks the bounds of a setting. EZ_E_ARG: the value is out of bounds. */
ez_err *settings_check_number(const struct ez_setting *v, unsigned n) EZ_WUR;
/* Check a value by the setting's name. EZ_E_STATE: the value is not possible now. */
ez_err *settings_check_flag(const struct ez_sess *s, const char *name, bool on) EZ_WUR;
ez_err *settings_check_pick(const struct ez_sess *s, const char *name, unsigned n) EZ_WUR;
/* Switches `set logging enabled`: output goes to the file, too. EZ_E_SYS. */
ez_err *logging_switch(struct ez_sess *s, bool on) EZ_WUR;

#endif

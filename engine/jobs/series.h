/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - values over time as a trace: variables of one process, which represents the job. The
 * file is a FxT file like those of the ranks (engine/record/fxt_out.h), so every reader of traces
 * shows them on the same time line. The file is valid after each value. */
#ifndef EZ_SERIES_H
#define EZ_SERIES_H

#include <stdint.h>

#include "engine/base/err.h"

struct ez_series;

/* Creates PATH, or PATH with a number if it exists; title: name of the process. EZ_E_SYS,
 * EZ_E_ARG. */
ez_err *ez_series_begin(const char *path, const char *title, struct ez_series **out) EZ_WUR;
const char *ez_series_path(const struct ez_series *s);
/* Sets the variable from now on. EZ_E_SYS: the disk is full; the file ends before this value. */
ez_err *ez_series_set(struct ez_series *s, const char *variable, double value) EZ_WUR;
void ez_series_end(struct ez_series *s); /* Accepts NULL. */

#endif

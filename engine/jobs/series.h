/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - values over time as a trace: variables of one process, which stands for a job. A FxT file beside those of the ranks
 * (engine/ring/fxt_out.h), so that whatever reads traces draws them on the same time. Valid after each value. */
#ifndef EZ_SERIES_H
#define EZ_SERIES_H

#include <stdint.h>

#include "engine/base/err.h"

struct ez_series;

/* Creates PATH, or PATH with a number where that exists; title: what the process is called. EZ_E_SYS, EZ_E_ARG. */
ez_err *ez_series_begin(const char *path, const char *title, struct ez_series **out) EZ_WUR;
const char *ez_series_path(const struct ez_series *s);
/* From now on the variable has this value. EZ_E_SYS: the file is full, and ends before it. */
ez_err *ez_series_set(struct ez_series *s, const char *variable, double value) EZ_WUR;
void ez_series_end(struct ez_series *s); /* NULL is none */

#endif

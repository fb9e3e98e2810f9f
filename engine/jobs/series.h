/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - writes the values of variables over time to a trace, in which the variables belong to
 * one process that represents the job. The trace is a FxT file like the traces of the ranks
 * (engine/record/fxt_out.h), so every reader of traces shows the variables and the ranks on the
 * same time line. After each written value, the file is complete and readable. */
#ifndef EZ_SERIES_H
#define EZ_SERIES_H

#include <stdint.h>

#include "engine/base/err.h"

struct ez_series;

/* Creates the file `path`; if it exists, adds a number to the name. ez_series_end() frees *out.
 * title: name of the process in the trace. Errors: EZ_E_SYS, EZ_E_ARG. */
ez_err *ez_series_begin(const char *path, const char *title, struct ez_series **out) EZ_WUR;
const char *ez_series_path(const struct ez_series *s);
/* Writes that the variable has this value from now on. EZ_E_SYS: the value cannot be written, e.g.
 * because the disk is full; the file ends before this value. */
ez_err *ez_series_set(struct ez_series *s, const char *variable, double value) EZ_WUR;
/* Closes the file and frees s, which may be NULL. */
void ez_series_end(struct ez_series *s);

#endif

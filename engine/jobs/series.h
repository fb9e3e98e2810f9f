/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - writes values over time as a trace: variables of one process, which represents the
 * job. The file is a FxT file like the traces of the ranks (engine/record/fxt_out.h), so every
 * reader of traces shows the variables and the ranks on the same time line. The file is valid after
 * each value. */
#ifndef EZ_SERIES_H
#define EZ_SERIES_H

#include <stdint.h>

#include "engine/base/err.h"

struct ez_series;

/* Creates the file `path`, or `path` with a number if that file exists; ez_series_end() frees *out.
 * title: name of the process in the trace. EZ_E_SYS, EZ_E_ARG. */
ez_err *ez_series_begin(const char *path, const char *title, struct ez_series **out) EZ_WUR;
const char *ez_series_path(const struct ez_series *s);
/* Writes that the variable has this value from now on. EZ_E_SYS: the disk is full; the file ends
 * before this value. */
ez_err *ez_series_set(struct ez_series *s, const char *variable, double value) EZ_WUR;
/* Closes the file and frees s, which may be NULL. */
void ez_series_end(struct ez_series *s);

#endif

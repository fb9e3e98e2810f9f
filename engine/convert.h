/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.h - turn a trace into a format that viewers read. */
#ifndef EZ_CONVERT_H
#define EZ_CONVERT_H

#include "engine/base.h"
#include "engine/err.h"

/* Paje: one container a thread, a state a call; probes without the other side are
 * points in time. `*events` = probe events handled. Runs ezt-gtg (EZT_GTG names
 * another one); `out` appears only when all went well.
 * EZ_E_FORMAT: no event could be read; EZ_E_SYS; EZ_E_LIMIT: ezt-gtg's own words. */
ez_err *ez_convert_paje(const char *in, const char *out, uint64_t *events) EZ_WUR;

#endif

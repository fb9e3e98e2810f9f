/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the FxT stream of the process (trace.c). */
#ifndef EZ_TRACE_H
#define EZ_TRACE_H

#include "engine/ezt.h"

struct ez_target;

bool ez_trace_auto_begin(struct ez_target *t);       /* first recording probe goes live */
void ez_trace_auto_end(struct ez_target *t);         /* wait until that trace is open */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR; /* runtime is up: open the wanted trace */
void ez_trace_process_ended(struct ez_target *t);
void ez_trace_report_loss(struct ez_target *t);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_filter.h - the options of `probe` that say which hits are recorded: parsed, and listed. */
#ifndef EZ_PROBE_FILTER_H
#define EZ_PROBE_FILTER_H

#include "engine/ezt.h"

struct ez_sess;

/* The options of the command that runs. The texts live as long as the command runs. EZ_E_ARG. */
ez_err *probe_parse_filter(struct ez_sess *s, struct ez_probe_filter *f) EZ_WUR;
/* As typed, each behind a blank: what the target asks, and what the drain asks; "" = nothing. */
const char *probe_filter_text(struct ez_sess *s, const struct ez_probe_filter *f);
const char *probe_limit_text(struct ez_sess *s, const struct ez_probe_filter *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_spec.h - struct ez_probe_spec (engine/ezt_probes.h) in the shell's words: read from a command line, and
 * printed as the commands that ask for the same. */
#ifndef EZ_CMDS_PROBE_SPEC_H
#define EZ_CMDS_PROBE_SPEC_H

#include "engine/ezt.h"

struct ez_sess;

/* The filters, for the list of a command's options. */
#define PROBE_SPEC_FILTER(member, option, kind, judge, value, meaning)                             \
    { option, OPT_##kind, meaning, value, NULL, NULL, false, false },

/* Of the command that runs: its options, and what stands behind LOCATION, [if EXPR] [do ACTION] [collect ITEMS]
 * [return ITEMS]. The texts live as long as the command runs. EZ_E_ARG. */
ez_err *probe_spec_parse(struct ez_sess *s, struct ez_probe_spec *out) EZ_WUR;
/* A LOCATION as typed: LIB:NAME, *EXPR, or 'LIB:int f(int, char *)', which also says its arguments. */
ez_err *probe_spec_locate(struct ez_sess *s, struct ez_probe_spec *spec, const char *typed) EZ_WUR;
/* The options of the filters that are decided so, each behind a blank; "" = there are none. */
const char *probe_spec_filters(struct ez_sess *s, const struct ez_probe_filter *f,
                               enum ez_filter_judge judge);
/* The commands that ask for it, a line each; those behind the first refer to the probe as $bpnum. */
const char *probe_spec_commands(struct ez_sess *s, const struct ez_probe_spec *p);

#endif

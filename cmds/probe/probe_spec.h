/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_spec.h - converts struct ez_probe_spec (engine/ezt_probes.h) from a command line, and back
 * to commands. */
#ifndef EZ_CMDS_PROBE_SPEC_H
#define EZ_CMDS_PROBE_SPEC_H

#include "engine/ezt.h"

struct ez_sess;

/* What -A collects: arguments and result, as far as they are known. */
#define PROBE_SPEC_ARGS "$args?"
#define PROBE_SPEC_RESULT "$ret?"

/* The options that are filters, as entries for a command's list of options. */
#define PROBE_SPEC_FILTER(member, option_, kind_, judge, value_, meaning_)                         \
    { .name = option_, .kind = OPT_##kind_, .meaning = meaning_, .value = value_ },

/* Parses the running command: its options, and the words after LOCATION, [if EXPR] [do ACTION]
 * [collect ITEMS] [return ITEMS]. The strings in *out live until the command returns. Returns
 * EZ_E_ARG for a wrong option or a missing word. */
ez_err *probe_spec_parse(struct ez_sess *s, struct ez_probe_spec *out) EZ_WUR;
/* The options of `probe` whose LOCATIONs are USDT probes, and whether one of them was given. */
#define PROBE_SPEC_STAP(meaning_)                                                                  \
    { .name = "-stap", .meaning = meaning_ },                                                      \
    {                                                                                              \
        .name = "-probe-stap", .meaning = "as -stap"                                               \
    }
bool probe_spec_is_stap(struct ez_sess *s);
/* Returns the LOCATION that the user typed, as that of a USDT probe if the user gave that option. */
const char *probe_spec_location(struct ez_sess *s, const char *typed);
/* The same of `probe`, which has options for inlined instances, too. */
const char *probe_spec_instance(struct ez_sess *s, const char *typed);
/* Parses a typed LOCATION: LIB:NAME, *EXPR, or 'LIB:int f(int, char *)', which also sets the
 * prototype. */
ez_err *probe_spec_locate(struct ez_sess *s, struct ez_probe_spec *spec, const char *typed) EZ_WUR;
/* Returns the options of those filters that `judge` (the target or the drain) evaluates, each after
 * a blank; "" if none. */
const char *probe_spec_filters(struct ez_sess *s, const struct ez_probe_filter *f,
                               enum ez_filter_judge judge);
/* Returns the commands that make the probe, one on each line. The first command makes the probe;
 * the others change the probe, which they name $bpnum. */
const char *probe_spec_commands(struct ez_sess *s, const struct ez_probe_spec *p);
/* Returns "entry", "exit", "both" or "replace". */
const char *probe_spec_kind(const struct ez_probe_spec *p);
/* Returns a JSON object with the parts of the probe that the user typed; parts that the user did
 * not type have no member. */
const char *probe_spec_json(struct ez_sess *s, const struct ez_probe_spec *p);

#endif

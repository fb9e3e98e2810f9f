/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_pick.h - selection and order of the probes in `info probes`. */
#ifndef EZ_CMDS_PROBE_PICK_H
#define EZ_CMDS_PROBE_PICK_H

#include "engine/ezt.h"
#include "engine/base/vec.h"

struct ez_sess;

struct probe_pick {
    EZ_VEC(struct ez_probe_info) probe; /* the probes to list; the structs refer to the engine's
                         * memory until probes change */
    /* numbers of omitted probes: `zeros` were never called, `rest` come after the first N of
     * -top N */
    size_t zeros, rest;
};

enum { PICK_BY_NUMBER, PICK_BY_CALLS, PICK_BY_NAME, PICK_BY_ADDR }; /* -sort */

/* Selects the probes that the options of `info probes` request. regex: pattern of names; NULL =
 * all. EZ_E_ARG. */
ez_err *probe_pick(struct ez_sess *s, const char *regex, struct probe_pick *out) EZ_WUR;
/* Returns "pending", "armed" and so on. */
const char *probe_state(enum ez_probe_state state);
/* Prints how many probes are omitted, and frees. */
void probe_pick_end(struct ez_sess *s, struct probe_pick *pick);

#endif

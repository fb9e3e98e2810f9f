/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.c - replacements: another function of the target is called instead of one.
 *
 * A replacement is a probe that wants EZ_ROW_REPLACE of its site: the stub goes on to the other
 * function where it would go on to the relocated prologue. The relocated prologue then is the
 * original: its address stands in a pointer of the replacement's own, written before the jump
 * (patch.c). So all that holds for a probe's patch holds here: several threads, a killed shell, the
 * journal. Probes on the same function see a call first; their exits go by slots, because what was
 * proved of the function's code for call-through holds for no other function.
 *
 * Whatever the pointer ever led to stays: the thread inside a replacement that was deleted calls the
 * original through it. Source: PROPER'12 section 4 (figure 3).
 * Test: tests/procs/replace.sh */
#include "engine/target.h"

#include <string.h>

/* The caller's prototype is one function's: a location that names several is refused. */
static ez_err *replace_one(struct ez_target *t, const char *location)
{
    struct ez_places at = { 0 };
    ez_err *e = ez_places(t, location, &at);
    size_t n = at.n;
    EZ_VEC_FREE(&at);
    if (e && ez_probe_may_wait(t, location, e)) {
        ez_err_free(e);
        return NULL;
    }
    EZ_TRY(e);
    return n <= 1 ? NULL
                  : ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" names %zu functions.", location, n),
                                "LIB:FUNC or *ADDRESS names one");
}

ez_err *ez_replace_add(struct ez_target *t, const char *location, const char *with,
                       const char *orig, int *number)
{
    const struct ez_probe_spec spec = {
        .kind = EZ_PROBE_REPLACE, .location = location, .with = with, .orig = orig
    };
    int n;
    EZ_TRY(replace_one(t, location));
    return ez_probe_add_spec(t, &spec, number, &n);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* breaks.h - breakpoints, for commands whose numbers may be probes or breakpoints (break.c). */
#ifndef EZ_BREAKS_H
#define EZ_BREAKS_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;
struct ez_numbers;

bool breaks_any(struct ez_sess *s);
/* Operations on breakpoints. COUNT enables them for `stops` stops, DELETE_AFTER for one stop. */
enum breaks_verb {
    BREAKS_DELETE,
    BREAKS_ENABLE,
    BREAKS_DISABLE,
    BREAKS_COUNT,
    BREAKS_DELETE_AFTER,
};
/* Applies the operation to the breakpoints in the n ranges. Keeps in which[] only the ranges that
 * may be probes, and returns their number. */
size_t breaks_apply(struct ez_sess *s, struct ez_numbers *which, size_t n, enum breaks_verb verb,
                    uint64_t stops);
void breaks_all(struct ez_sess *s, enum breaks_verb verb, uint64_t stops);

bool breaks_is(struct ez_sess *s, int number);
/* Change an existing breakpoint: breaks_place enables or disables a location (EZ_E_NOTFOUND if
 * there is no such location), breaks_condition sets the condition, breaks_ignore skips the next
 * stops. */
ez_err *breaks_place(struct ez_sess *s, int number, uint64_t place, bool on) EZ_WUR;
ez_err *breaks_condition(struct ez_sess *s, int number, const char *cond) EZ_WUR;
ez_err *breaks_ignore(struct ez_sess *s, int number, uint64_t count) EZ_WUR;

/* Removes " if COND" from the text, which it changes, and returns COND; NULL if there is none. */
char *breaks_split_cond(char *text);

/* What a catchpoint waits for, as gdb shows it: `throw`, `load`, ...; "" for other kinds. */
extern const char *const catch_word[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.h - what the files of the command `analyze` share. */
#ifndef EZ_ANALYZE_H
#define EZ_ANALYZE_H

#include "cmds/cmd.h"
#include "engine/analysis/analysis.h"

struct analyze {
    struct ez_sess *s;
    const struct ez_model *m;
    const struct ez_analysis *a;
};

/* ---- names (analyze_text.c) ---- */
/* Returns "rank 3", or the name of the thread. */
const char *analyze_thread(const struct analyze *v, uint32_t thread);
/* Returns the name of the function or region at the end of a path, with its source line. */
const char *analyze_function(const struct analyze *v, uint32_t path);
/* Returns part of `of` in percent, "-" if `of` is 0. */
const char *analyze_percent(const struct analyze *v, double part, double of);

/* Prints the result in sentences: what is wrong, and who causes it (analyze_verdict.c). */
void analyze_verdict(const struct analyze *v);
/* Prints all tables as one JSON object (analyze_json.c). */
void analyze_json(const struct analyze *v);

#endif

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

struct analyze_run;
/* Analyses the traces that n words name, and fills in *r, but its name. */
typedef ez_err *analyze_fn(struct ez_sess *s, int n, char **word, struct analyze_run *r);

/* ---- several runs (analyze_scaling.c) ---- */
struct analyze_run {  /* what is compared of a run */
    const char *name; /* its first word */
    size_t ranks, threads;
    uint64_t run_ns, useful_ns; /* useful_ns: of all threads together */
    struct ez_efficiency eff;
};
/* Returns true if one of n words is "vs". */
bool analyze_is_scaling(int n, char **word);
/* Analyses the runs between the words "vs", and prints a row for each. */
ez_err *analyze_scaling(struct ez_sess *s, int n, char **word, analyze_fn *fn) EZ_WUR;

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

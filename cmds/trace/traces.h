/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.h - the trace files that a command reads, and the part of them that it selects. */
#ifndef EZ_TRACES_H
#define EZ_TRACES_H

#include "shell/opt.h"
#include "shell/parse_word.h"
#include "engine/trace/live.h"
#include "engine/trace/replay.h"

/* The options that choose a part of a trace, for commands that use traces_parse(). */
extern const struct ez_opt_group traces_filters;
/* clang-format off */
#define FILTER(type, placeholder, text)                                                            \
    .kind = type, .value = placeholder, .meaning = text, .group = &traces_filters
#define FILTERS                                                                                    \
    { .name = "-from", FILTER(OPT_TIME, "T",                                                       \
             "begin at this time since the first event: 1.5s, 20us") },                            \
    { .name = "-to", FILTER(OPT_TIME, "T",                                                         \
             "end at this time") },                                                                \
    { .name = "-thread", FILTER(OPT_TEXT, "LIST",                                                  \
             "only these threads: numbers or names, as 4243,worker") },                            \
    { .name = "-process", FILTER(OPT_TEXT, "LIST",                                                 \
             "only these processes: numbers or names") },                                          \
    { .name = "-rank", FILTER(OPT_TEXT, "LIST",                                                    \
             "only these ranks, as 0,4-7") },                                                      \
    { .name = "-function", FILTER(OPT_TEXT, "REGEX",                                               \
             "only calls of functions whose names match") },                                       \
    { .name = "-not", FILTER(OPT_TEXT, "REGEX",                                                    \
             "no calls of functions whose names match") },                                         \
    { .name = "-library", FILTER(OPT_TEXT, "REGEX",                                                \
             "only calls of functions whose library or module matches") },                         \
    { .name = "-caller", FILTER(OPT_TEXT, "REGEX",                                                 \
             "only calls inside a call of a function that matches") },                             \
    { .name = "-callee", FILTER(OPT_TEXT, "REGEX",                                                 \
             "only calls inside which a function that matches was called") },                      \
    { .name = "-depth", FILTER(OPT_NUMBER, "N",                                                    \
             "only the N outermost levels of the calls that are shown") },                         \
    { .name = "-min", FILTER(OPT_TIME, "T",                                                        \
             "only calls that took this time or longer") },                                        \
    { .name = "-max", FILTER(OPT_TIME, "T",                                                        \
             "only calls that took this time or less") },                                          \
    { .name = "-where", FILTER(OPT_TEXT, "EXPR",                                                   \
             "only calls for which EXPR is true: an expression of C over\n"                        \
             "collected values, duration (ns), thread, process, rank, depth,\n"                    \
             "function, library; text may have wildcards, as function == \"MPI_*\"") },            \
    { .name = "-no-pauses", FILTER(OPT_FLAG, NULL,                                                 \
             "print no rows for the time in which a thread slept or was preempted,\n"              \
             "and count this time to its function; as \"set pauses off\"") }
/* clang-format on */

struct traces {
    struct parse_list file;
    /* the selected part; to_ns is UINT64_MAX without -to; the texts live until the command
     * returns */
    struct ez_trace_part part;
};

/* Finds the traces that n words name, and the part that the options FILTERS choose. */
ez_err *traces_parse(struct ez_sess *s, struct traces *t, int n, char **words) EZ_WUR;
/* Like traces_parse(), but without words uses the trace that is being written, or the last one. */
ez_err *traces_read(struct ez_sess *s, struct traces *t, int n, char **words) EZ_WUR;
/* Returns true if the word names traces: a file that exists, a pattern of files, or any word with a
 * slash. */
bool traces_is_file(const char *word);
/* Returns true if an option of FILTERS was given. */
bool traces_part(const struct ez_sess *s);
/* Returns what a command reads, for messages: "the trace", or "the chosen part of the trace". */
const char *traces_read_what(const struct ez_sess *s);
/* Opens the traces to replay the selected part. The caller closes the replay, also after an
 * error. */
ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out) EZ_WUR;
/* Applies the filters to a trace that grows. Returns EZ_E_ARG for -from and -to. */
ez_err *traces_follow(struct ez_sess *s, struct ez_live *l) EZ_WUR;
/* Returns the error that traces_follow() would return; needs no trace. */
ez_err *traces_may_follow(struct ez_sess *s) EZ_WUR;
void traces_free(struct traces *t);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.h - converts traces to the formats in formats.h, for viewers. */
#ifndef EZ_CONVERT_H
#define EZ_CONVERT_H

#include "engine/trace/replay.h"

struct ez_convert {
    char *const *in; /* one file for each process or rank */
    size_t n;
    const char *format; /* NULL = by the suffix of `out`, or Paje */
    const char *out;    /* path of the output; NULL = the input's path with another suffix */
    bool gzip;
    bool columns;         /* a column for each collected item */
    uint64_t most_bytes;  /* for a page: maximum bytes of the calls in the page; 0 = the default */
    const char *compared; /* for a page: JSON about another run (report/compare.js), or NULL */
    struct ez_trace_part part;
    struct ez_progress progress;
};
struct ez_converted {
    char *out;    /* path of the output; the caller frees all three texts */
    char *notice; /* one line about what the format could not represent, or NULL */
    struct ez_trace_sum sum;
};

/* Converts traces. The output appears only on success. Returns EZ_E_ARG if the format is unknown,
 * the output is one of the inputs, the format has no columns, or the trace has no events in that
 * time; otherwise the errors of reading (replay.h) and of the format. */
ez_err *ez_convert(const struct ez_convert *what, struct ez_converted *done) EZ_WUR;
/* Returns whether the output in this format is one plain file, not a folder or several files. */
bool ez_convert_one_file(const char *format);
/* Returns the name of format i, or NULL after the last one. */
const char *ez_convert_format(size_t i);
/* Returns lines for the help: each format's name, suffix and description; * marks formats that
 * include the values that probes collected. The caller frees the text. */
char *ez_convert_formats(void);

#endif

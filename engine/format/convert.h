/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.h - converts traces to the formats in formats.h, for viewers. */
#ifndef EZ_CONVERT_H
#define EZ_CONVERT_H

#include "engine/trace/replay.h"

struct ez_convert {
    char *const *in; /* one file for each process or rank */
    size_t n;
    const char *format; /* NULL = the format of the suffix of `out`, or Paje if `out` is NULL */
    /* path of the output; NULL = made from the inputs' paths, with the format's suffix */
    const char *out;
    bool gzip;
    bool columns;        /* a column for each collected item */
    uint64_t most_bytes; /* for `report`: maximum bytes of the calls in the page; 0 = the default */
    const char *compared; /* for `report`: JSON about another run (report/compare.js), or NULL */
    struct ez_trace_part part;
    struct ez_progress progress;
};
struct ez_converted {
    /* path of the output; the caller frees `out` and `notice`, and calls ez_trace_sum_free() for
     * `sum` */
    char *out;
    char *notice; /* one line about what the format could not represent, or NULL */
    struct ez_trace_sum sum;
};

/* Converts traces. The output exists only after success. Returns EZ_E_ARG if the format is unknown,
 * if the format cannot be compressed or has no columns but `gzip` or `columns` is true, if the
 * output is one of the inputs, or if the trace has no events in `part`; otherwise the errors of
 * reading (engine/trace/replay.h) and of the format. */
ez_err *ez_convert(const struct ez_convert *what, struct ez_converted *done) EZ_WUR;
/* Returns true if the output in this format is one plain file, not a folder or several files. Also
 * returns true if the format is unknown, because ez_convert() reports that. */
bool ez_convert_one_file(const char *format);
/* Returns the name of format i, or NULL after the last one. */
const char *ez_convert_format(size_t i);
/* Returns lines for the help: name, suffix and description of each format, and * if the format
 * contains the values that probes collected. The caller frees the text. */
char *ez_convert_formats(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.h - traces into a format that viewers read: formats.h has the formats. */
#ifndef EZ_CONVERT_H
#define EZ_CONVERT_H

#include "engine/trace/replay.h"

struct ez_convert {
    char *const *in; /* one file for each process or rank                         */
    size_t n;
    const char *format; /* NULL = what `out` ends in; without one Paje            */
    const char *out;    /* NULL = named after the input, beside it                */
    bool gzip;
    uint64_t from_ns, to_ns; /* only this part of the trace; both 0 = all         */
    struct ez_progress progress;
};
struct ez_converted {
    char *out;    /* the output's path; the caller frees it, the notice and the damage */
    char *notice; /* what the format could not hold, one line; or NULL              */
    struct ez_trace_sum sum;
};

/* Converts. The output appears only when all went well. EZ_E_ARG: the format is unknown, the
 * output is one of the inputs, or the trace has no events of that time; else the errors of
 * reading (replay.h) and of the format. */
ez_err *ez_convert(const struct ez_convert *what, struct ez_converted *done) EZ_WUR;
/* Is FORMAT one plain file? (Others are folders, or several.) */
bool ez_convert_one_file(const char *format);
/* The name of format number i; NULL = there are no more. */
const char *ez_convert_format(size_t i);
/* Lines for the help: each one's name, suffix, and what it is; * = it has what probes collect. The caller frees. */
char *ez_convert_formats(void);

#endif

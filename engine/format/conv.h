/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv.h - the interface of an output format. Each format is a file conv_NAME.c, and is listed in
 * formats.h.
 *
 * A format makes a sink: an object that receives the items of the model (engine/trace/model.h) and
 * writes them. No incomplete output may remain, so a sink writes to a temporary name in the same
 * folder (engine/base/outfile.h does that for a plain file). `close` renames the complete output;
 * `destroy` without close deletes the incomplete one. Times are exact to the nanosecond.
 *
 * Tests: tests/unit/format/check_convert.c, tests/trace/formats.sh */
#ifndef EZ_CONV_H
#define EZ_CONV_H

#include "engine/trace/model.h"

struct ez_sink { /* first member of a format's own struct */
    const struct ez_format *format;
    char *notice; /* one line about what the format could not represent, set by close; or NULL */
};

struct ez_format {
    const char *name;   /* "chrome" */
    const char *suffix; /* suffix of the output unless -o names it: ".json" */
    const char *brief;  /* for help: "Trace Event JSON, for Perfetto" */
    bool gzip;          /* supports -z, which adds ".gz" */
    bool folder;        /* the output is a folder or several files */
    bool collected;     /* the output has the values that probes collected */
    /* Creates a sink. `m` lives as long as the sink; `out` is the output's path. */
    ez_err *(*open)(const struct ez_format *f, const struct ez_model *m, const char *out, bool gzip,
                    struct ez_sink **sink)EZ_WUR;
    ez_item_fn *item;                             /* arg: the sink */
    ez_err *(*close)(struct ez_sink *sink)EZ_WUR; /* completes the output and puts it in place */
    void (*destroy)(struct ez_sink *sink);        /* frees the sink; call also after close */
};

#endif

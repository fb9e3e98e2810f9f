/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv.h - the interface of an output format. Each format is a file conv_NAME.c, and is listed in
 * formats.h.
 *
 * A format makes a sink: an object that receives the items of the model (engine/trace/model.h) and
 * writes them. No incomplete output may remain, so a sink writes to a temporary name in the same
 * folder (engine/base/outfile.h does that for a plain file). `close` renames the complete output;
 * `destroy` without `close` deletes the incomplete output. Times are exact to the nanosecond.
 *
 * Tests: tests/unit/format/check_convert.c, tests/trace/formats.sh */
#ifndef EZ_CONV_H
#define EZ_CONV_H

#include "engine/trace/model.h"
#include "engine/trace/replay.h"

struct ez_sink { /* first member of a format's own struct */
    const struct ez_format *format;
    char *notice; /* one line about what the format could not represent, set by `close`; or NULL */
};

struct ez_conv_out {
    const char *path;
    bool gzip;
    uint64_t most_bytes; /* for `report`: maximum bytes of the calls in the page; 0 = the default */
    const char *compared; /* for `report`: JSON about another run, to compare with; or NULL */
};

struct ez_format {
    const char *name;   /* "chrome" */
    const char *suffix; /* suffix of the output unless -o names it: ".json" */
    const char *brief;  /* for help: "Trace Event JSON, for Perfetto" */
    /* the format has the option -z, which compresses the output and adds ".gz" to its name */
    bool gzip;
    bool compressed; /* the output is always compressed with gzip, so -z changes nothing */
    bool folder;     /* the output is a folder or several files */
    bool collected;  /* the output contains the values that probes collected */
    /* the same format with a column for each item of `collected` of the model; or NULL */
    const struct ez_format *columns;
    /* Creates a sink. The caller keeps `m` until the sink is destroyed. */
    ez_err *(*open)(const struct ez_format *f, const struct ez_model *m,
                    const struct ez_conv_out *out, struct ez_sink **sink)EZ_WUR;
    ez_item_fn *item;     /* arg: the sink */
    ez_count_fn *counted; /* arg: the sink; functions without events, after all items; or NULL */
    /* completes the output and renames it to its path */
    ez_err *(*close)(struct ez_sink *sink)EZ_WUR;
    void (*destroy)(struct ez_sink *sink); /* frees the sink; must be called after `close`, too */
};

/* Returns the error of a format whose library eztsh was built without. The error's hint has the
 * names of the library's packages in Debian and Fedora. */
static inline ez_err *ez_conv_not_built(const char *library, const char *debian, const char *fedora)
{
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "eztsh was built without %s", library),
                       "Install %s (Debian) or %s (Fedora), then configure and make again", debian,
                       fedora);
}

#endif

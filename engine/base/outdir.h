/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outdir.h - an output folder that appears only when it is complete.
 *
 * The folder is written beside PATH under a temporary name. ez_outdir_commit() moves the folder to
 * PATH and deletes an older output folder of the same kind there. If PATH is anything else, an
 * error is returned: only files that `ours` accepts are ever deleted.
 *
 * Tests: tests/unit/base/check_outputs.c */
#ifndef EZ_OUTDIR_H
#define EZ_OUTDIR_H

#include "engine/base/base.h"
#include "engine/base/err.h"

/* Returns true if an output folder of this kind can contain the file or folder `name`, which is
 * relative to the output folder. folder: `name` is a folder. */
typedef bool ez_outdir_ours(const char *name, bool folder);

struct ez_outdir {
    char *path;       /* PATH as the caller gave it */
    char *real;       /* PATH after following symbolic links */
    char *tmp;        /* the new folder, in which the caller writes; NULL after the commit */
    const char *kind; /* name of the output in messages: "an OTF2 archive" */
    ez_outdir_ours *ours;
};

/* Makes the folder d->tmp. Returns EZ_E_ARG if `path` exists and is not an output folder of this
 * kind, or EZ_E_SYS. The caller calls ez_outdir_close() only after success. */
ez_err *ez_outdir_open(struct ez_outdir *d, const char *path, const char *kind,
                       ez_outdir_ours *ours) EZ_WUR;
ez_err *ez_outdir_commit(struct ez_outdir *d) EZ_WUR;
/* deletes the folder unless ez_outdir_commit() was called */
void ez_outdir_close(struct ez_outdir *d);

#endif

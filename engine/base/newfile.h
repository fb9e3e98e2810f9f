/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newfile.h - how a file of ours comes to be: the only way in which one is created.
 *
 * Why: we may have more rights than who owns the folder, or than the program we look at,
 * which knows the name of its trace beforehand: what stands at a name, or will in a moment,
 * may be a link to somebody's file.
 * Invariants: nothing that is there is written to. Whose link stands at the end of a path is
 * looked at before it is followed. Who finds the name finds what was written before the file
 * got it, at whatever moment we are killed.
 * Tests: tests/unit/engine/check_fxt.c ("killed while it begins"), check_outputs.c,
 * tests/procs/foreign.sh */
#ifndef EZ_NEWFILE_H
#define EZ_NEWFILE_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_newfile {
    int fd;
    char *tmp; /* the name that it has for the time being; NULL = none      */
};

/* Where PATH leads, with the symbolic links at its end followed that we or root made. Another's
 * link is what will be replaced. The caller frees. */
char *ez_newfile_place(const char *path);
/* A name beside PATH that is free as far as one can know: try it, with n = 0, 1, ... */
char *ez_newfile_beside(const char *path, unsigned n);
/* Why no file may come there: EZ_E_ARG where something else than a file is, EZ_E_SYS. */
ez_err *ez_newfile_refused(const char *place) EZ_WUR;

/* For reading and writing, in PLACE's folder: without a name if the file system can do that,
 * and as private as what it may replace. false = errno. */
bool ez_newfile_open(struct ez_newfile *f, const char *place, mode_t mode) EZ_WUR;
/* Give it its name, unless that is taken (EEXIST); or in the place of what has it. The
 * descriptor stays open, the caller's. false = errno. */
bool ez_newfile_claim(struct ez_newfile *f, const char *place) EZ_WUR;
bool ez_newfile_replace(struct ez_newfile *f, const char *place) EZ_WUR;
/* What got no name leaves nothing behind. Does not close. */
void ez_newfile_drop(struct ez_newfile *f);

/* A file for ourselves alone, in this folder; it never has a name. -1 = errno. */
int ez_newfile_unnamed(const char *folder);

#endif

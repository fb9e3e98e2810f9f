/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newfile.h - creates the shell's output files; no other code creates one.
 *
 * Why: the shell may have more rights than the folder's owner, or than the target, which knows
 * the name of its trace beforehand: the name may be, or may become at any moment, a link to
 * somebody's file.
 * Invariants: no existing file is written to, but for a log. A link at the end of a path is followed only
 * after a look at its owner. A file that has its name is complete as far as it was written
 * before it got the name, at whatever moment the shell is killed.
 * Tests: tests/unit/engine/check_fxt.c ("killed while it begins"), check_outputs.c,
 * tests/procs/foreign.sh */
#ifndef EZ_NEWFILE_H
#define EZ_NEWFILE_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_newfile {
    int fd;
    char *tmp; /* the file's temporary name; NULL = none                    */
};

/* Where PATH leads: symbolic links at its end are followed if the user or root made them;
 * another user's link is what will be replaced. The caller frees it. */
char *ez_newfile_place(const char *path);
/* A name beside PATH that is probably free: to be tried with n = 0, 1, ... The caller frees
 * it. */
char *ez_newfile_beside(const char *path, unsigned n);
/* Why no file may be put at `place`: EZ_E_ARG = something else than a file is there; EZ_E_SYS. */
ez_err *ez_newfile_refused(const char *place) EZ_WUR;

/* Opens a new file for reading and writing in PLACE's folder: without a name if the file
 * system can do that, and as private as the file that it may replace. false = errno. */
bool ez_newfile_open(struct ez_newfile *f, const char *place, mode_t mode) EZ_WUR;
/* claim gives the file its name, unless that is taken (EEXIST); replace takes the place of the
 * file that has the name. The descriptor stays open, and is the caller's. false = errno. */
bool ez_newfile_claim(struct ez_newfile *f, const char *place) EZ_WUR;
bool ez_newfile_replace(struct ez_newfile *f, const char *place) EZ_WUR;
/* Deletes a file that got no name. Does not close the descriptor. */
void ez_newfile_drop(struct ez_newfile *f);

/* Opens a file that is written to where it is, since others read it meanwhile: a log. Lines are added, or it is
 * emptied. Regular files and character devices (/dev/null, a terminal), which never wait: a FIFO would, until
 * somebody reads. EZ_E_ARG: `path` is something else; EZ_E_SYS. */
ez_err *ez_newfile_log(const char *path, bool empty, int *fd) EZ_WUR;

/* Opens a private file in this folder that never has a name. -1 = errno. */
int ez_newfile_unnamed(const char *folder);

/* Writes n bytes at offset `at`. 0 or errno; *done = how many are written, also then (or NULL). */
int ez_pwrite_all(int fd, const void *buf, size_t n, uint64_t at, size_t *done);

#endif

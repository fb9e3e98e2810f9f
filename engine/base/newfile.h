/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newfile.h - creates the shell's output files.
 *
 * Why: the shell may have more rights than the owner of the folder, or than the target, which knows
 * the name of its trace in advance. At any moment, they could make the name a link to another
 * user's file.
 *
 * Invariants: no existing file is written to, except a log. A link at the end of a path is followed
 * only after a check of its owner. A file gets its name only after its first contents are
 * completely written. So a shell that is killed before that leaves no incomplete file with this
 * name.
 *
 * Tests: tests/unit/record/check_fxt.c ("killed while it begins"), tests/unit/base/check_outputs.c,
 * tests/procs/foreign.sh */
#ifndef EZ_NEWFILE_H
#define EZ_NEWFILE_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_newfile {
    int fd;
    char *tmp; /* the file's temporary name, or NULL */
};

/* Returns the path of the file to which `path` leads. Follows symbolic links at the end of the path
 * if the user or root owns them. A link of another user is not followed: the new file replaces the
 * link. The caller frees the result. */
char *ez_newfile_place(const char *path);
/* Returns a temporary name, made with n, in the folder of `path`. The name may exist: try n = 0, 1,
 * ... The caller frees the name. */
char *ez_newfile_beside(const char *path, unsigned n);
/* Returns an error if no file can be created at `place`: EZ_E_ARG if `place` is a folder, a device
 * or another special file, EZ_E_SYS if it is a file that the user is not permitted to write. */
ez_err *ez_newfile_refused(const char *place) EZ_WUR;

/* Opens a new file for reading and writing in the folder of `place`: without a name if the file
 * system supports that, otherwise with a temporary name. If `place` is a regular file, the new file
 * gets its permissions. Returns false and sets errno on failure. */
bool ez_newfile_open(struct ez_newfile *f, const char *place, mode_t mode) EZ_WUR;
/* Both functions name the new file `place`. If the name exists, ez_newfile_claim() fails with
 * EEXIST, and ez_newfile_replace() replaces the file. The descriptor stays open and belongs to the
 * caller. Both return false and set errno on failure. */
bool ez_newfile_claim(struct ez_newfile *f, const char *place) EZ_WUR;
bool ez_newfile_replace(struct ez_newfile *f, const char *place) EZ_WUR;
/* Deletes the file if it still has a temporary name. Does not close the descriptor; a file without
 * a name ends with it. */
void ez_newfile_drop(struct ez_newfile *f);

/* Opens a log: a file that is written in place, because other programs read it while it grows. With
 * `empty`, truncates the file to 0 bytes, otherwise opens it for appending. Accepts regular files
 * and character devices (/dev/null, a terminal), but no FIFO, on which open() could wait for a
 * reader. Returns EZ_E_ARG if `path` is something else, or EZ_E_SYS. */
ez_err *ez_newfile_log(const char *path, bool empty, int *fd) EZ_WUR;

/* Returns the folder for temporary files: TMPDIR, or /tmp. */
const char *ez_tmp_folder(void);

/* Opens a temporary file without a name in `folder`. Returns the descriptor, or -1 and sets
 * errno. */
int ez_newfile_unnamed(const char *folder);

/* Writes n bytes at offset `at`. Returns 0 or errno. *done (may be NULL) is the number of bytes
 * written, also on failure. */
int ez_pwrite_all(int fd, const void *buf, size_t n, uint64_t at, size_t *done);

#endif

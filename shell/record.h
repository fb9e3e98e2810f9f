/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the commands of this session and their output, for `save session` and --check.
 *
 * Recorded are the lines of the user, of the command line and of standard input, but not those of
 * sourced files; and the output through out.h, without questions, the pager's prompts and the
 * narration of `explain`. Output of the program itself is not recorded. */
#ifndef EZ_RECORD_H
#define EZ_RECORD_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

void record_begin(struct ez_sess *s); /* Starts recording. */
void record_free(struct ez_sess *s);
/* Records that a line begins to run. Does nothing for lines that are no command. */
void record_line(struct ez_sess *s, const char *line);
/* Records that the line has run. From now on only later events of the target add to its output. */
void record_ran(struct ez_sess *s);
void record_text(struct ez_sess *s, const char *text);
/* Pause and resume recording. */
void record_hold(struct ez_sess *s);
void record_resume(struct ez_sess *s);
/* Returns the output of the newest line so far, with process ids replaced; "" if none. Valid until
 * the next line. */
const char *record_newest(struct ez_sess *s);

#endif

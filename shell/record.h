/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the commands of this session and their output, for `save session` and --check.
 *
 * Records the lines of the user, of eztsh's command line and of standard input, but not those of
 * sourced files. Records the output through out.h, except questions, the pager's prompts, and that
 * of out_aside() and out_file(). Does not record output of the program itself. */
#ifndef EZ_RECORD_H
#define EZ_RECORD_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

void record_begin(struct ez_sess *s); /* Starts recording. */
void record_free(struct ez_sess *s);
/* Records a line that begins to run, unless the line is empty or a comment. */
void record_line(struct ez_sess *s, const char *line);
/* Notes the ids of the target's threads, which record_newest() and saved sessions show as PID.
 * Called after each line, because the threads may end. */
void record_ran(struct ez_sess *s);
void record_text(struct ez_sess *s, const char *text);
/* Pause and resume recording. Calls may be nested. */
void record_hold(struct ez_sess *s);
void record_resume(struct ez_sess *s);
/* Returns the output of the newest line so far, with ids of processes and threads replaced; "" if
 * none. The text is valid until the next line is recorded. */
const char *record_newest(struct ez_sess *s);

#endif

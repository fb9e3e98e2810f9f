/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - what this session was told, and what it printed, for `save session` and --check.
 *
 * Kept are the lines of the user, the command line and standard input, not those inside of files that a
 * line sources; of the output what goes through out.h, without questions, the pager's words and the
 * narration of `explain`. What the program prints by itself is not seen here. */
#ifndef EZ_RECORD_H
#define EZ_RECORD_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

void record_begin(struct ez_sess *s); /* from now on */
void record_free(struct ez_sess *s);
/* A line begins to run. Nothing happens for lines that are no command. */
void record_line(struct ez_sess *s, const char *line);
/* It ran: what it printed is whole, but for what the target still makes happen. */
void record_ran(struct ez_sess *s);
void record_text(struct ez_sess *s, const char *text); /* is being printed */
/* Between the two nothing is kept. */
void record_hold(struct ez_sess *s);
void record_resume(struct ez_sess *s);
/* What the newest line printed so far, with process ids replaced; "" = nothing. Until the next line. */
const char *record_newest(struct ez_sess *s);

#endif

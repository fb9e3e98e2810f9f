/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson.h - lessons, which are text (lessons.txt, compiled in): items of a word, what stands beside it, and the
 * lines below.
 *
 * What was done is seen in the target and in what was asked of the kernel, never in the words that were
 * typed: any way to it is right. To add a lesson, add it to lessons.txt; its solution is a test
 * (tests/procs/lessons.sh). */
#ifndef EZ_LESSON_H
#define EZ_LESSON_H

#include "engine/ezt.h"
#include "shell/sess.h"

struct lesson_item {
    const char *word, *beside, *below; /* "" = nothing; lines below end with a newline     */
};

/* lesson_text.c. Lessons and steps are counted from 0; NULL = there is no such one. */
unsigned lesson_count(void);
const struct lesson_item *lesson_of(unsigned n);
const struct lesson_item *lesson_step(const struct lesson_item *lesson, unsigned n);
/* The next item of the same step, or of the same lesson before its first step; NULL = there is none. */
const struct lesson_item *lesson_next_item(const struct lesson_item *item);
/* What stands below that word of the step; "" = nothing. */
const char *lesson_below(const struct lesson_item *step, const char *word);
/* The needs that other steps have by `like NAME`; NULL = there are none of that name. */
const struct lesson_item *lesson_like(const char *name);

/* lesson_check.c: facts for expressions when the step begins, and what is missing now: a sentence that is kept
 * until the command returns; NULL = the step is done. */
void lesson_check_begin(struct ez_sess *s);
const char *lesson_missing(struct ez_sess *s, const struct lesson_item *step);
/* Evaluates each line. */
void lesson_keep(struct ez_sess *s, const char *lines);

/* lesson_kept.c: was it passed, in this session or an earlier one? And: it was, now. */
bool lesson_is_passed(const char *title);
void lesson_pass(const char *title);

#endif

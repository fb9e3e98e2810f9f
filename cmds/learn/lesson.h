/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson.h - lessons. Their text, lessons.txt, is compiled in. It consists of items: a word, the
 * text beside the word, and the lines below it.
 *
 * Checks look at the target and at the calls to the kernel, never at the typed words: every way to
 * the goal counts. To add a lesson, add it to lessons.txt; its solution is a test
 * (tests/procs/lessons.sh). */
#ifndef EZ_LESSON_H
#define EZ_LESSON_H

#include "engine/ezt.h"
#include "shell/sess.h"

struct lesson_item {
    const char *word, *beside, *below; /* "" = none; each line of `below` ends with a newline */
};

/* lesson_text.c. Lessons and steps are numbered from 0; returns NULL for an unknown number. */
unsigned lesson_count(void);
const struct lesson_item *lesson_of(unsigned n);
const struct lesson_item *lesson_step(const struct lesson_item *lesson, unsigned n);
/* Returns the next item of the same step, or of the lesson before its first step; NULL at the
 * end. */
const struct lesson_item *lesson_next_item(const struct lesson_item *item);
/* Returns the lines below the item `word` of a step; "" if none. */
const char *lesson_below(const struct lesson_item *step, const char *word);
/* Returns the item `condition NAME`, whose needs several steps share by `like NAME`; NULL for an
 * unknown name. */
const struct lesson_item *lesson_like(const char *name);

/* lesson_check.c. lesson_check_begin saves facts for the step's expressions when the step begins.
 * lesson_missing returns a sentence about the first condition that is not met; it lives until the
 * command returns. NULL: the step is done. */
void lesson_check_begin(struct ez_sess *s);
const char *lesson_missing(struct ez_sess *s, const struct lesson_item *step);
/* Evaluates each line as an expression, for its effect: lines set $variables for later checks. */
void lesson_keep(struct ez_sess *s, const char *lines);

/* lesson_kept.c: lesson_is_passed also returns true for lessons of earlier sessions. lesson_pass
 * marks a lesson as passed. */
bool lesson_is_passed(const char *title);
void lesson_pass(const char *title);

#endif

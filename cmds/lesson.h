/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson.h - what a lesson is: steps, each with a task, and a function that looks whether it was done.
 *
 * What was done is seen in the target and in what was asked of the kernel, never in the words that were
 * typed: any way to it is right. To add a lesson, add it to lesson_table.c; its solution is a test
 * (tests/procs/lessons.sh). */
#ifndef EZ_LESSON_H
#define EZ_LESSON_H

#include "engine/ezt.h"
#include "shell/sess.h"

#define LESSON_REGS 17 /* general registers and the program counter */

/* What a step's check may look at. */
struct lesson_at {
    struct ez_sess *s;
    uint64_t stepped; /* instructions that were single-stepped since the step began            */
    pid_t pid;        /* the process when the step began; 0 = there was none                  */
    int64_t began;    /* the time then, in seconds since 1970                                   */
    /* The registers when the last step that is marked `remember` was done. */
    bool has_regs;
    uint64_t reg[LESSON_REGS];
};

struct lesson_step {
    const char *task;
    /* What is missing, in a sentence that lives until the command returns; NULL = the task is done. */
    const char *(*missing)(const struct lesson_at *at);
    const char *done, *hint; /* why it was worth doing; what helps                             */
    const char *solution;    /* commands, a line each                                          */
    bool remember;           /* the registers, when it is done                                 */
};

struct lesson {
    const char *title, *about;
    struct lesson_step step[8];       /* ends with a NULL task                                */
    void (*begin)(struct ez_sess *s); /* what the lesson itself does first; NULL = nothing    */
};

extern const struct lesson lessons[];
extern const unsigned lessons_n;

/* lesson_kept.c: was it passed, in this session or an earlier one? And: it was, now. */
bool lesson_is_passed(const struct lesson *l);
void lesson_pass(const struct lesson *l);

/* The value of register i, as the names in lesson_reg_name have it. */
extern const char *const lesson_reg_name[LESSON_REGS];
bool lesson_regs(struct ez_sess *s, uint64_t reg[LESSON_REGS]); /* false = there are none */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h - completion of the word at the cursor.
 *
 * One function serves readline and the `complete` command. The tests use the command to test
 * completion without a terminal.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_COMPLETE_H
#define EZ_COMPLETE_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_sess;

struct ez_comp {
    EZ_VEC(char *) word;
    size_t start;        /* start of the replaced word in the line, in bytes */
    const char *command; /* full name of the command whose argument is completed */
    const char *before;  /* text between that name and the completed word */
    bool files;          /* the words are file names: no blank is added after a directory */
};

/* Stores in *out the completions of the last word of `line`, sorted and unique. The caller frees
 * *out with complete_free(). */
void complete_line(struct ez_sess *s, const char *line, struct ez_comp *out);
void complete_free(struct ez_comp *c);
/* Connects completion to readline. */
void complete_init(struct ez_sess *s);

#endif

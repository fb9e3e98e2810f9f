/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.h - prints the lines of a nested listing (engine/trace/nesting.h), as text or as rows of
 * JSON.
 * Tests: tests/unit/shell/check_read.c, tests/trace/uftrace.sh */
#ifndef EZ_LISTING_H
#define EZ_LISTING_H

#include "engine/base/json.h"
#include "engine/base/vec.h"
#include "engine/trace/nesting.h"

struct ez_sess;

struct listing {
    struct ez_sess *s;
    const struct ez_model *m;
    bool time;      /* a column with the time since the first event */
    bool whole;     /* whole C++ names */
    bool flat;      /* "caller > function" in place of the indentation */
    bool apart;     /* an empty line when the thread changes */
    bool json;      /* rows of JSON */
    uint64_t lines; /* number of lines printed so far */
    unsigned limit; /* columns of a line; 0 = no limit */
    unsigned who;   /* columns of the threads' column */
    bool colours;
    uint32_t last; /* container of the last line */
    /* printable names; index: name of the model; NULL = no line has used the name yet */
    EZ_VEC(char *) name;
    EZ_VEC(char *) thread; /* text of the threads' column; index: container */
    EZ_VEC(char) text;     /* the line that is being made */
    struct ez_json row;    /* part of the JSON document that is not printed yet */
    char *before;          /* the last JSON line, which a comma may follow */
};

/* Prints the heads. The caller has set the fields from `s` to `json`; the others are 0. */
void listing_begin(struct listing *l);
/* Prints a line. An ez_nest_fn whose arg is the struct listing. Returns EZ_E_QUIT if the user wants
 * no more lines. */
ez_err *listing_line(void *listing, const struct ez_nest_line *line);
/* Prints the end of the JSON document. */
void listing_end(struct listing *l);
void listing_free(struct listing *l);

#endif

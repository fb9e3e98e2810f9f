/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top.h - data of `top`, which the files top*.c share. */
#ifndef EZ_TOP_H
#define EZ_TOP_H

#include <regex.h>

#include "engine/trace/intervals.h"
#include "engine/trace/live.h"
#include "shell/parse_word.h"

struct ez_sess;

enum { TOP_SLICES = 20, TOP_ROWS = 20 };

struct top_feed { /* a trace that is read */
    struct ez_live *live;
    struct ez_interval_source *source;
    bool timed; /* the table has the time at which the trace began */
};

struct top {
    struct ez_sess *s;
    struct parse_list file;
    bool of_target; /* the trace is the trace of the shell's program */
    struct top_feed *feed;
    size_t n;
    struct ez_intervals *table;
    uint64_t every_ns, rounds; /* rounds: number of tables to print; 0 = no limit */
    uint64_t most;             /* rows of a printed table; 0 = all */
    uint64_t events, threads, lost;
    bool behind; /* the last poll left data unread */
    enum ez_interval_by by;
    enum ez_interval_sort sort;
    char *filter; /* regular expression, heap; NULL = none */
    regex_t re;   /* valid if there is a filter */
    /* the screen (top_screen.c) */
    /* selected: index of the selected row; first: index of the row in the first line of the
     * table */
    size_t selected, first;
    bool help, typing;
    char typed[128];  /* filter that is being typed */
    const char *note; /* why the filter was refused; NULL = nothing to report */
};

/* top_table.c. Reads new data of the traces for at most `ms` milliseconds, and makes the table. */
ez_err *top_poll(struct top *t, unsigned ms) EZ_WUR;
/* Sorts the rows again. */
void top_table(struct top *t);
/* Returns whether all traces were ended by their writers and are read. */
bool top_whole(const struct top *t);
/* Sets the filter; "" removes it. Returns EZ_E_ARG if it is no regular expression. */
ez_err *top_filter(struct top *t, const char *regex) EZ_WUR;

/* top_draw.c. Prints the table as lines, or as JSON. */
void top_print(struct top *t);
/* Draws the screen, but does not show it. */
void top_draw(struct top *t);
/* Returns the number of lines that the screen has for rows. */
unsigned top_lines(void);

/* top_screen.c. Shows the table on the whole terminal until the user ends top. The caller has
 * opened the screen (shell/screen.h). */
ez_err *top_screen(struct top *t) EZ_WUR;

#endif

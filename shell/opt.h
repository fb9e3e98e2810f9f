/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opt.h - the options of commands, as data.
 *
 * A command lists its options in its struct (command.h). The dispatcher removes options from the
 * words before the command runs, so argv holds only operands. The command queries an option by
 * name. Usage, help, completion and the manual come from the same list.
 *
 * An option is "-" and letters; "--" and letters means the same. A prefix of two letters or more
 * that only one option has is accepted, unless that option is `whole`. Options may be anywhere on
 * the line, but not after "--". The options of a verbatim line (RAW) are flags. They come first,
 * or, by their whole names, last. A word that begins with "-" and no letter ("-1", "->") is an
 * operand. If an option is given twice, or two options exclude each other (`instead`), the last one
 * counts; the words of SOME_OF add up, and an option that is `many` keeps each value. An option of
 * a group that has a value may be given only once, because dropping the earlier filter would change
 * results. In a command whose operands are a program and its arguments (`first`), no option follows
 * an operand.
 *
 * Errors: EZ_E_ARG, which lists the allowed words, and explains how to write an operand that looks
 * like an option.
 * Tests: tests/unit/shell/check_opt.c */
#ifndef EZ_OPT_H
#define EZ_OPT_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;
struct ez_opts;
struct ez_comp;

enum ez_opt_kind {
    OPT_FLAG,    /* given, or not */
    OPT_WORD,    /* a word without "-" that works like a flag; before all operands */
    OPT_NUMBER,  /* >= 0 */
    OPT_TIME,    /* 1.5s, 20us; in nanoseconds */
    OPT_SIZE,    /* 4096, 16K, 2M; in bytes */
    OPT_FILE,    /* file name, a leading ~ expanded */
    OPT_ONE_OF,  /* value of one of `words` */
    OPT_SOME_OF, /* one word or more, separated by commas: their values or'ed */
    OPT_TEXT,    /* verbatim text */
};

/* A later word with the same value is another spelling: accepted, but not listed in help. */
struct ez_opt_word {
    const char *text; /* NULL ends the list */
    unsigned value;
};

/* Options that several commands share. Usage and help of a command name the group, and `help NAME`
 * prints the options. */
struct ez_opt_group {
    const char *name;          /* "filters" */
    const char *brief;         /* one line about all options, in the imperative */
    const char *help;          /* as in struct ez_cmd */
    const char *examples;      /* lines */
    const struct ez_opt *list; /* ended by a NULL name */
};

struct ez_opt {
    const char *name; /* name, as "-top"; NULL ends the list */
    enum ez_opt_kind kind;
    const char *meaning;             /* text for help; a long one has several lines */
    const char *value;               /* placeholder in usage, as "N"; NULL = list `words` there */
    const struct ez_opt_word *words; /* for ONE_OF and SOME_OF */
    void (*complete)(struct ez_sess *s, const char *word, struct ez_comp *out); /* completes the
                                                                                 * option's value;
                                                                                 * NULL = none */
    bool instead; /* the option and the preceding one of the list exclude each other */
    bool whole;   /* may not be abbreviated, so that a typing error does not give it */
    const struct ez_opt_group *group; /* NULL = an option of this command alone */
    bool many; /* a TEXT or FILE that may be given several times: opt_texts() */
};

/* ---- for a command: the options it got -------------------------------------------------- */

/* Returns true if the option was given. `name` must be in the command's own list. */
bool opt_given(const struct ez_sess *s, const char *name);
/* Returns the value of a NUMBER, TIME, SIZE, ONE_OF or SOME_OF. */
uint64_t opt_number(const struct ez_sess *s, const char *name, uint64_t if_not_given);
/* Returns the value of a FILE or TEXT; NULL if not given. Lives until the command returns. */
const char *opt_text(const struct ez_sess *s, const char *name);
/* Returns the values of an option that is `many`, in the order given; a NULL ends them. */
const char *const *opt_texts(const struct ez_sess *s, const char *name);
/* Returns "Usage: NAME OPTIONS OPERANDS" of the running command. */
ez_err *opt_misuse(const struct ez_sess *s) EZ_WUR;

/* Returns true if -json was given. The command need not have that option. */
bool opt_json(const struct ez_opts *o);

/* ---- for the shell ------------------------------------------------------------------ */

enum { OPT_MOST = 40 }; /* maximum number of options of a command */

struct ez_opts {                    /* options of the running command: s->run.opts */
    const char *command, *operands; /* the command's full name; its operands, as in usage */
    const struct ez_opt *list;      /* NULL = none */
    bool first;                     /* no option follows an operand (OPTIONS_FIRST) */
    struct {
        const char *text;   /* NULL = not given */
        const char **texts; /* all values of an option that is `many`, then NULL */
        uint64_t number;
    } at[OPT_MOST];
};

/* Removes the options from argv and stores them in `o`. *argc becomes the number of operands plus
 * 1, for argv[0]. */
ez_err *opt_parse(struct ez_sess *s, struct ez_opts *o, int *argc, char **argv) EZ_WUR;

/* Removes the options of a verbatim line (RAW), all of them flags. *text becomes the text between
 * the flags at its start and those at its end. */
ez_err *opt_parse_line(struct ez_sess *s, struct ez_opts *o, const char **text) EZ_WUR;

/* What the first n words of a line determine about the next word. */
struct ez_opt_place {
    const struct ez_opt *value_of; /* the next word is the value of this option */
    bool operands, ended;          /* operands: an operand precedes; ended: no option follows,
                                    * because "--" precedes, or with `first` an operand */
};
struct ez_opt_place opt_place(const struct ez_opt *list, bool first, char *const *word, size_t n);

/* Returns "[-count|-record] [-top N] [FILTERS] LOCATION": options, groups of options and operands;
 * the caller frees. */
char *opt_usage(const struct ez_opt *list, const char *operands);
/* Returns name and meaning of each option, a line or more for each, and a line for each group; the
 * caller frees. */
char *opt_help(const struct ez_opt *list);
/* Returns name and meaning of each option of a group; the caller frees. */
char *opt_group_help(const struct ez_opt_group *group);
/* Returns "calls, name or addr"; the caller frees. */
char *opt_words(const struct ez_opt_word *words);
/* Returns true if no earlier word of the list has the same value. */
bool opt_word_is_first(const struct ez_opt_word *words, const struct ez_opt_word *w);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opt.h - the options of commands, as data.
 *
 * A command lists its options in its struct (cmd.h). The dispatcher takes them out of the words
 * before the command sees them, so argv holds only operands, and the command asks for what was
 * given by name. Usage, help, completion and the manual come from the same list.
 *
 * An option is "-" and letters; "--" and letters means the same. A prefix of two letters or more
 * that only one option has will do, unless that option is `whole`. Options may stand anywhere on
 * the line, but not behind "--". Those of a line that is taken as it stands (RAW) are flags; they come first, or,
 * by their whole names, last. A word that begins with "-" and no letter ("-1", "->") is an
 * operand. If an option is given twice, or two options exclude each other (`instead`), the last one
 * counts; the words of SOME_OF add up.
 * Errors: EZ_E_ARG, which names what is allowed, and how to write an operand that looks like an
 * option. Tests: tests/unit/shell/check_opt.c */
#ifndef EZ_OPT_H
#define EZ_OPT_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;
struct ez_opts;
struct ez_comp;

enum ez_opt_kind {
    OPT_FLAG,    /* given, or not                                               */
    OPT_WORD,    /* the same without a dash; before all operands                */
    OPT_NUMBER,  /* >= 0                                                        */
    OPT_TIME,    /* 1.5s, 20us; nanoseconds                                     */
    OPT_SIZE,    /* 4096, 16K, 2M; bytes                                        */
    OPT_FILE,    /* its name, a leading ~ expanded                              */
    OPT_ONE_OF,  /* the value of one of `words`                                 */
    OPT_SOME_OF, /* of one or more, with commas between: their values or'ed     */
    OPT_TEXT,    /* as it stands                                                */
};

/* A later word with the same value is another spelling: accepted, but not listed in help. */
struct ez_opt_word {
    const char *text; /* NULL ends the list */
    unsigned value;
};

struct ez_opt {
    const char *name; /* "-top"; NULL ends the list                                     */
    enum ez_opt_kind kind;
    const char *meaning;             /* for help; a long one has several lines          */
    const char *value;               /* "N", what usage calls it; NULL = the words      */
    const struct ez_opt_word *words; /* of ONE_OF and SOME_OF                           */
    void (*complete)(struct ez_sess *s, const char *word, struct ez_comp *out); /* of TEXT */
    bool instead; /* excludes the option before it in the list                           */
    bool whole;   /* may not be abbreviated, for what it does is not to happen by a slip  */
};

/* ---- for a command: what was given to it -------------------------------------------- */

/* `name` is one of the command's own list. */
bool opt_given(const struct ez_sess *s, const char *name);
/* Of NUMBER, TIME, SIZE, ONE_OF and SOME_OF. */
uint64_t opt_number(const struct ez_sess *s, const char *name, uint64_t if_not_given);
/* Of FILE and TEXT; NULL = not given. Lives until the command returns. */
const char *opt_text(const struct ez_sess *s, const char *name);
/* "Usage: NAME OPTIONS OPERANDS" of the command that runs. */
ez_err *opt_misuse(const struct ez_sess *s) EZ_WUR;

/* Is -json among them? A command that has no such option may be asked, too. */
bool opt_json(const struct ez_opts *o);

/* ---- for the shell ------------------------------------------------------------------ */

enum { OPT_MOST = 16 }; /* options of a command */

struct ez_opts {                    /* those of the command that runs: ez_sess.opts */
    const char *command, *operands; /* its full name, and what usage has behind the options */
    const struct ez_opt *list;      /* NULL = none */
    struct {
        const char *text; /* NULL = not given */
        uint64_t number;
    } at[OPT_MOST];
};

/* Takes the options of the list out of argv; what stays is operands, *argc of them with the
 * name. */
ez_err *opt_parse(struct ez_sess *s, struct ez_opts *o, int *argc, char **argv) EZ_WUR;

/* The same for a line that is taken as it stands (RAW): flags alone. *text becomes what is between them. */
ez_err *opt_parse_line(struct ez_sess *s, struct ez_opts *o, const char **text) EZ_WUR;

/* What the next word can be, behind these n words. */
struct ez_opt_place {
    const struct ez_opt *value_of; /* the next word is the value of this option        */
    bool operands, ended;          /* an operand stands before; "--" does              */
};
struct ez_opt_place opt_place(const struct ez_opt *list, char *const *word, size_t n);

/* "[-count|-record] [-top N] LOCATION": options and operands; the caller frees. */
char *opt_usage(const struct ez_opt *list, const char *operands);
/* Name and meaning, a line or more for each option; the caller frees. */
char *opt_help(const struct ez_opt *list);
/* "calls, name or addr"; the caller frees. */
char *opt_words(const struct ez_opt_word *words);
/* Is the word no other spelling of a word before it in the list? */
bool opt_word_is_first(const struct ez_opt_word *words, const struct ez_opt_word *w);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_opt.c - options by their table: what is taken out of a line, each error, usage and help. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "shell/lex.h"
#include "shell/sess.h"
#include "tests/unit/shell/check_shell.h"

static const struct ez_opt_word colours[] = {
    { "red", 1 }, { "green", 2 }, { "blue", 4 }, { "vert", 2 }, { NULL, 0 }
};

static const struct ez_opt list[] = {
    { .name = "first", .kind = OPT_WORD, .meaning = "the first" },
    { .name = "last", .kind = OPT_WORD, .meaning = "the last", .instead = true },
    { .name = "-fast", .meaning = "soon" },
    { .name = "-slow",
      .meaning = "later, and then\nvery safely, if at all, since haste makes waste",
      .instead = true },
    { .name = "-from", .kind = OPT_TIME, .value = "T", .meaning = "not before" },
    { .name = "-f", .meaning = "for ever" },
    { .name = "-top", .kind = OPT_NUMBER, .value = "N", .meaning = "N of them" },
    { .name = "-o", .kind = OPT_FILE, .value = "OUT", .meaning = "into it" },
    { .name = "-one", .kind = OPT_ONE_OF, .words = colours, .meaning = "a colour" },
    { .name = "-some",
      .kind = OPT_SOME_OF,
      .value = "COLOURS",
      .words = colours,
      .meaning = "which" },
    { .name = "-text", .kind = OPT_TEXT, .value = "TEXT", .meaning = "any" },
    { .name = NULL },
};

struct line { /* a line that was parsed */
    char **words, *argv[16];
    int argc;
    struct ez_opts opts;
    struct ez_sess s;
    ez_err *e;
};

static void parse(struct line *l, const char *text)
{
    int n;
    memset(l, 0, sizeof *l);
    ck_assert(ez_err_drop(lex_words(text, &l->words, &n)));
    l->argv[0] = "do";
    memcpy(l->argv + 1, l->words, (size_t)n * sizeof *l->argv);
    l->argc = n + 1;
    l->opts = (struct ez_opts){ .command = "do", .operands = "FILE", .list = list };
    l->s.run.opts = &l->opts;
    l->e = opt_parse(&l->s, &l->opts, &l->argc, l->argv);
}

static void forget(struct line *l)
{
    ez_err_free(l->e);
    lex_free(l->words);
    sess_forget(&l->s, 0);
    EZ_VEC_FREE(&l->s.kept);
}

/* The options that were given, in the order of the list, and the operands: "-fast -top=3 | a b". */
static const char *told(const struct line *l)
{
    static char text[256];
    *text = 0;
    for (const struct ez_opt *o = list; o->name; o++) {
        if (!opt_given(&l->s, o->name))
            continue;
        strcat(text, o->name);
        if (o->kind == OPT_FILE || o->kind == OPT_TEXT)
            strcat(strcat(text, "="), opt_text(&l->s, o->name));
        else if (o->kind != OPT_FLAG && o->kind != OPT_WORD)
            sprintf(text + strlen(text), "=%llu",
                    (unsigned long long)opt_number(&l->s, o->name, 0));
        strcat(text, " ");
    }
    strcat(text, "|");
    for (int i = 1; i < l->argc; i++)
        strcat(strcat(text, " "), l->argv[i]);
    return text;
}

static const struct {
    const char *line, *told;
} good[] = {
    { "", "|" },
    { "a b", "| a b" },
    { "-fast a", "-fast | a" },
    { "a -fast b -top 3", "-fast -top=3 | a b" },
    { "-fas", "-fast |" },
    { "-sl", "-slow |" },
    { "-f", "-f |" },
    { "-fr 20us a", "-from=20000 | a" },
    { "--fast --top 0x10 a", "-fast -top=16 | a" },
    { "-fast -slow", "-slow |" },
    { "-slow -fast", "-fast |" },
    { "-top 1 -top 2", "-top=2 |" },
    { "first a", "first | a" },
    { "first last a", "last | a" },
    { "-fast last a", "last -fast | a" },
    { "a first", "| a first" },
    { "-- first", "| first" },
    { "fir a", "| fir a" },
    { "-one green", "-one=2 |" },
    { "-one vert", "-one=2 |" },
    { "-some red,blue", "-some=5 |" },
    { "-some red -some blue", "-some=5 |" },
    { "-one red -one blue", "-one=4 |" },
    { "-some red,", "-some=1 |" },
    { "-o - a", "-o=- | a" },
    { "-o -fast", "-o=-fast |" },
    { "-text -- a", "-text=-- | a" },
    { "-1 -$sp+3 -> - a", "| -1 -$sp+3 -> - a" },
    { "-fast -- -slow -- a", "-fast | -slow -- a" },
};

START_TEST(takes)
{
    struct line l;
    parse(&l, good[_i].line);
    ck_assert_msg(!l.e, "<%s>: %s", good[_i].line, l.e ? l.e->msg : "");
    ck_assert_msg(!strcmp(told(&l), good[_i].told), "<%s>: <%s>", good[_i].line, told(&l));
    ck_assert_ptr_null(l.argv[l.argc]);
    forget(&l);
}
END_TEST

#define ALL "-fast, -slow, -from, -f, -top, -o, -one, -some and -text"
static const struct {
    const char *line, *msg, *hint;
} bad[] = {
    { "-x", "do has no option \"-x\"",
      "The options are " ALL ". Write -- -x to use this word as an operand" },
    { "a --fastest", "do has no option \"--fastest\"",
      "The options are " ALL ". Write -- --fastest to use this word as an operand" },
    { "-fa-st", "do has no option \"-fa-st\"",
      "The options are " ALL ". Write -- -fa-st to use this word as an operand" },
    { "-s", "Ambiguous option \"-s\": -slow, -some", NULL },
    { "--s", "Ambiguous option \"--s\": -slow, -some", NULL },
    { "-top", "-top needs a number", NULL },
    { "-from", "-from needs a time", "Write 1.5s, 300ms, 20us or 7ns" },
    { "-o", "-o needs a file", NULL },
    { "-on", "-one needs a value", "The values are red, green or blue" },
    { "a -some", "-some needs a value", "The values are red, green or blue" },
    { "-text", "-text needs TEXT", NULL },
    { "-top x", "Invalid number \"x\" for -top", NULL },
    { "-top -5", "Invalid number \"-5\" for -top", NULL },
    { "-from 1h", "-from: Invalid time \"1h\"", "Write 1.5s, 300ms, 20us or 7ns" },
    { "-one gree", "Invalid value \"gree\" for -one", "The values are red, green or blue" },
    { "-one red,blue", "Invalid value \"red,blue\" for -one", "The values are red, green or blue" },
    { "-some red,pink", "Invalid value \"pink\" for -some", "The values are red, green or blue" },
    { "-some ''", "Invalid value \"\" for -some", "The values are red, green or blue" },
};

START_TEST(refuses)
{
    struct line l;
    parse(&l, bad[_i].line);
    ck_assert_msg(l.e != NULL, "<%s>: no error", bad[_i].line);
    ck_assert_int_eq(l.e->code, EZ_E_ARG);
    ck_assert_str_eq(l.e->msg, bad[_i].msg);
    ck_assert_msg(!l.e->hint == !bad[_i].hint, "<%s>: %s", bad[_i].line, l.e->hint);
    if (bad[_i].hint)
        ck_assert_str_eq(l.e->hint, bad[_i].hint);
    forget(&l);
}
END_TEST

START_TEST(what_was_not_given)
{
    struct line l;
    parse(&l, "a");
    ck_assert(!opt_given(&l.s, "-fast") && !opt_text(&l.s, "-o"));
    ck_assert_uint_eq(opt_number(&l.s, "-top", 7), 7);
    forget(&l);
    setenv("HOME", "/home/me", 1);
    parse(&l, "-o ~/x");
    ck_assert_str_eq(opt_text(&l.s, "-o"), "/home/me/x");
    forget(&l);
}
END_TEST

/* A command that has no list sees its words as they are. */
START_TEST(without_a_list)
{
    char *argv[] = { "do", "-x", "--", "-1", NULL };
    int argc = 4;
    struct ez_opts opts = { .command = "do", .operands = "" };
    struct ez_sess s = { .run.opts = &opts };
    ez_err *e = opt_misuse(&s);
    ck_assert_str_eq(e->msg, "Usage: do");
    ez_err_free(e);
    ck_assert(ez_err_drop(opt_parse(&s, &opts, &argc, argv)));
    ck_assert(argc == 4 && !strcmp(argv[1], "-x") && !strcmp(argv[2], "--"));
}
END_TEST

START_TEST(usage_and_help)
{
    EZ_FREE char *usage = opt_usage(list, "FILE"), *alone = opt_usage(list + 10, ""),
                 *none = opt_usage(NULL, "FILE"), *help = opt_help(list);
    ck_assert_str_eq(usage, "[first|last] [-fast|-slow] [-from T] [-f] [-top N] [-o OUT] "
                            "[-one red|green|blue] [-some COLOURS] [-text TEXT] FILE");
    ck_assert_str_eq(alone, "[-text TEXT]");
    ck_assert_str_eq(none, "FILE");
    ck_assert_str_eq(
        help, "  first                the first\n"
              "  last                 the last\n"
              "  -fast                soon\n"
              "  -slow                later, and then very safely, if at all, since haste makes\n"
              "                       waste\n"
              "  -from T              not before\n"
              "  -f                   for ever\n"
              "  -top N               N of them\n"
              "  -o OUT               into it\n"
              "  -one red|green|blue  a colour\n"
              "  -some COLOURS        red, green or blue: which\n"
              "  -text TEXT           any\n");
}
END_TEST

/* The operands are a program and its arguments. */
static const struct ez_opt program[] = {
    { .name = "-F", .kind = OPT_TEXT, .value = "REGEX", .many = true, .meaning = "these" },
    { .name = "-o", .kind = OPT_FILE, .value = "OUT", .meaning = "into it" },
    { .name = NULL },
};

START_TEST(options_end_at_the_program)
{
    char *argv[] = { "do", "-F", "a", "--F", "b", "prog", "-o", "x", "--", NULL };
    int argc = 9;
    struct ez_opts opts = {
        .command = "do", .operands = "PROG [ARGS...]", .list = program, .first = true
    };
    struct ez_sess s = { .run.opts = &opts };
    ck_assert(!opt_texts(&s, "-F")[0]);
    ck_assert(ez_err_drop(opt_parse(&s, &opts, &argc, argv)));
    const char *const *values = opt_texts(&s, "-F");
    ck_assert_str_eq(values[0], "a");
    ck_assert_str_eq(values[1], "b");
    ck_assert_ptr_null(values[2]);
    ck_assert_str_eq(opt_text(&s, "-F"), "b");
    ck_assert(!opt_given(&s, "-o"));
    ck_assert_int_eq(argc, 5);
    ck_assert_str_eq(argv[1], "prog");
    ck_assert_str_eq(argv[2], "-o");
    ck_assert_str_eq(argv[4], "--");
    EZ_FREE char *usage = opt_usage(program, "PROG [ARGS...]");
    ck_assert_str_eq(usage, "[-F REGEX]... [-o OUT] PROG [ARGS...]");
    sess_forget(&s, 0);
    EZ_VEC_FREE(&s.kept);
}
END_TEST

static const struct {
    const char *word[4];
    size_t n;
    bool value, ended, ended_first; /* what opt_place() says, without and with `first` */
} places[] = {
    { { "-F" }, 1, true, false, false },   { { "-F", "a" }, 2, false, false, false },
    { { "prog" }, 1, false, false, true }, { { "prog", "-F" }, 2, true, false, true },
    { { "--" }, 1, false, true, true },
};

START_TEST(place_of_the_next_word)
{
    char *const *word = (char *const *)places[_i].word;
    struct ez_opt_place any = opt_place(program, false, word, places[_i].n),
                        first = opt_place(program, true, word, places[_i].n);
    ck_assert(any.ended == places[_i].ended && first.ended == places[_i].ended_first);
    ck_assert((any.value_of == program) == places[_i].value);
    ck_assert((first.value_of == program) == (places[_i].value && !places[_i].ended_first));
}
END_TEST

TCase *opt_case(void)
{
    TCase *t = tcase_create("opt");
    tcase_add_loop_test(t, takes, 0, EZ_ARRAY_LEN(good));
    tcase_add_loop_test(t, refuses, 0, EZ_ARRAY_LEN(bad));
    tcase_add_test(t, what_was_not_given);
    tcase_add_test(t, without_a_list);
    tcase_add_test(t, usage_and_help);
    tcase_add_test(t, options_end_at_the_program);
    tcase_add_loop_test(t, place_of_the_next_word, 0, EZ_ARRAY_LEN(places));
    return t;
}

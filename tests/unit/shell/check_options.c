/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_options.c - the command line of eztsh. */
#include "cmds/cmd.h"
#include "shell/front.h"
#include "shell/options.h"
#include "tests/unit/shell/check_shell.h"

#include <string.h>

static ez_err *parse(struct ez_options *o, const char *line, char *copy)
{
    static char *argv[16];
    int argc = 0;
    strcpy(copy, line);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    return options_parse(o, argc, argv);
}

START_TEST(order_and_dashes)
{
    struct ez_options o;
    char copy[128];
    ck_assert(ez_err_drop(
        parse(&o, "eztsh -q --batch -ex one -x two --ex=three --ptrace-log=f -p 12 prog", copy)));
    ck_assert(o.quiet && o.batch && o.pid == 12);
    ck_assert_str_eq(o.ptrace_log, "f");
    ck_assert_str_eq(o.program, "prog");
    ck_assert_uint_eq(o.work.n, 3);
    ck_assert(!o.work.at[0].is_file && o.work.at[1].is_file && !o.work.at[2].is_file);
    ck_assert_str_eq(o.work.at[2].text, "three");
    options_free(&o);
}
END_TEST

START_TEST(arguments_of_the_program)
{
    struct ez_options o;
    char copy[128];
    ck_assert(ez_err_drop(parse(&o, "eztsh -nx --args prog -q -ex x -- y", copy)));
    ck_assert(o.no_rc && !o.quiet && !o.work.n);
    ck_assert_int_eq(o.nargs, 5);
    ck_assert_str_eq(o.args[0], "-q");
    ck_assert_str_eq(o.args[3], "--");
    options_free(&o);
}
END_TEST

static const struct {
    const char *line;
    const char *front, *program; /* what the first word is */
    bool batch;
    int words; /* of the command, with its name */
} first_words[] = {
    { "eztsh -nx stats -q -- f.fxt", "stats", NULL, true, 4 },
    { "eztsh --ex=show attach 1", "attach", NULL, false, 2 },
    { "eztsh -batch attach 1", "attach", NULL, true, 2 },
    { "eztsh ./stats f", NULL, "./stats", false, 0 },
    { "eztsh --args stats f", NULL, "stats", false, 0 },
    { "eztsh -- stats f", NULL, "stats", false, 0 },
    { "eztsh -check=s.ezt stats", NULL, "stats", false, 0 },
    { "eztsh stat f", NULL, "stat", false, 0 },
    { "eztsh print 1", NULL, "print", false, 0 },
    { "eztsh ls stats", NULL, "ls", false, 0 },
};

START_TEST(commands)
{
    struct ez_options o;
    char copy[128];
    int n = 0;
    commands_register();
    ck_assert(ez_err_drop(parse(&o, first_words[_i].line, copy)));
    ck_assert_msg(!o.front == !first_words[_i].front && !o.program == !first_words[_i].program &&
                      o.batch == first_words[_i].batch,
                  "<%s>", first_words[_i].line);
    if (o.front)
        ck_assert_str_eq(o.front[0], first_words[_i].front);
    if (o.program)
        ck_assert_str_eq(o.program, first_words[_i].program);
    while (o.front && o.front[n])
        n++;
    ck_assert_int_eq(n, first_words[_i].words);
    options_free(&o);
}
END_TEST

static const struct {
    const char *word[6], *line;
} lines[] = {
    { { "stats", "a b.fxt", "-top", "3" }, "stats \"a b.fxt\" -top 3" },
    { { "stats", "it's", "" }, "stats \"it's\" \"\"" },
    { { "stats", "f", "--help" }, "help stats" },
    { { "stats", "-of", "--help", "f" }, "stats -of --help f" },
    { { "stats", "--", "--help" }, "stats -- --help" },
    { { "info", "probes", "-help" }, "help info probes" },
    { { "info", "probes", "a b" }, "info probes \"a b\"" },
    { { "help", "info", "probes" }, "help info probes" },
    { { "apropos", "a b" }, "apropos a b" },
};

START_TEST(command_lines)
{
    commands_register();
    EZ_FREE char *line = front_line((char *const *)lines[_i].word);
    ck_assert_str_eq(line, lines[_i].line);
}
END_TEST

static const struct {
    const char *line, *error;
} wrong[] = {
    { "eztsh -nosuch", "eztsh: unrecognized option '-nosuch'" },
    { "eztsh -x", "eztsh: option '-x' requires an argument" },
    { "eztsh -batch=1", "eztsh: option '-batch' doesn't allow an argument" },
    { "eztsh -p 0", "eztsh: Illegal process-id: 0" },
    { "eztsh -p 1x", "eztsh: Illegal process-id: 1x" },
    { "eztsh --args", "eztsh: `--args' specified but no program specified" },
};

START_TEST(mistakes)
{
    struct ez_options o;
    char copy[128];
    ez_err *e = parse(&o, wrong[_i].line, copy);
    ck_assert_msg(e != NULL, "<%s>", wrong[_i].line);
    ck_assert_str_eq(e->msg, wrong[_i].error);
    ez_err_free(e);
    options_free(&o);
}
END_TEST

TCase *options_case(void)
{
    TCase *t = tcase_create("options");
    tcase_add_test(t, order_and_dashes);
    tcase_add_test(t, arguments_of_the_program);
    tcase_add_loop_test(t, commands, 0, EZ_ARRAY_LEN(first_words));
    tcase_add_loop_test(t, command_lines, 0, EZ_ARRAY_LEN(lines));
    tcase_add_loop_test(t, mistakes, 0, EZ_ARRAY_LEN(wrong));
    return t;
}

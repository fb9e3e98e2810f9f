/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_table.c - what every entry of every command table must be. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "tests/unit/shell/check_shell.h"

enum { PROSE_LINES = 15, PROSE_COLUMNS = 80, BRIEF_COLUMNS = 60 };

/* A brief begins with one of these. */
static const char *const verbs[] = {
    "Add",      "Aggregate", "Assign",  "Attach",  "Begin",   "Call",     "Cancel",     "Change",
    "Check",    "Choose",    "Collect", "Compare", "Compile", "Compute",  "Continue",   "Control",
    "Convert",  "Copy",      "Correct", "Count",   "Define",  "Delete",   "Disable",    "Do",
    "Document", "Draw",      "Drop",    "Enable",  "End",     "Estimate", "Examine",    "Execute",
    "Expand",   "Explain",   "Find",    "Give",    "Hold",    "Ignore",   "Instrument", "Kill",
    "Learn",    "Leave",     "List",    "Load",    "Make",    "Map",      "Measure",    "Move",
    "Name",     "Plant",     "Print",   "Read",    "Record",  "Remove",   "Repair",     "Repeat",
    "Run",      "Save",      "Search",  "Select",  "Send",    "Set",      "Show",       "Start",
    "Stop",     "Summarize", "Take",    "Undo",    "Unmap",   "Wait",     "Write",
};

static void check_brief(const struct ez_cmd *c, const char *family)
{
    size_t verb = strcspn(c->brief, " "), i = 0;
    while (i < EZ_ARRAY_LEN(verbs) &&
           (strlen(verbs[i]) != verb || strncmp(verbs[i], c->brief, verb)))
        i++;
    ck_assert_msg(i < EZ_ARRAY_LEN(verbs), "%s%s: \"%s\" begins with no verb in the imperative",
                  family, c->name, c->brief);
    ck_assert_msg(strlen(c->brief) <= BRIEF_COLUMNS, "%s%s: brief is %zu columns", family, c->name,
                  strlen(c->brief));
    ck_assert_msg(c->brief[strlen(c->brief) - 1] == '.', "%s%s: brief is no sentence", family,
                  c->name);
}

/* Lines that begin with a blank are lists; the others are prose. */
static void check_prose(const struct ez_cmd *c, const char *family)
{
    unsigned prose = 0;
    size_t n;
    for (const char *line = c->help; line && *line; line += n + (line[n] == '\n')) {
        n = strcspn(line, "\n");
        bool ends = !line[n] || line[n + 1] == '\n' || line[n + 1] == ' ';
        prose += *line != ' ';
        ck_assert_msg(n <= PROSE_COLUMNS, "%s%s: %.*s", family, c->name, (int)n, line);
        ck_assert_msg(*line == ' ' || !n || !ends || strchr(".:", line[n - 1]),
                      "%s%s: \"%.*s\" ends no sentence", family, c->name, (int)n, line);
        ck_assert_msg(line[n] != '\n' || line[n + 1], "%s%s: help ends with a newline", family,
                      c->name);
    }
    ck_assert_msg(prose <= PROSE_LINES, "%s%s: %u lines of prose; details go to the manual", family,
                  c->name, prose);
}

/* An example has the command in it. */
static void check_examples(const struct ez_cmd *c, const char *family)
{
    ck_assert_msg(strstr(c->examples, c->name) || (c->alias && strstr(c->examples, c->alias)),
                  "%s%s: is in none of its examples", family, c->name);
    ck_assert_msg(c->examples[strlen(c->examples) - 1] != '\n' && *c->examples != ' ',
                  "%s%s: examples have blanks around them", family, c->name);
}

static void check_entry(const struct ez_cmd *c, const char *family)
{
    ck_assert_msg(c->usage && c->brief && c->examples && c->see_also, "%s%s: a text is missing",
                  family, c->name);
    check_brief(c, family);
    check_prose(c, family);
    check_examples(c, family);
    ck_assert_msg(c->fn != NULL, "%s%s: no function", family, c->name);
    ck_assert_msg(c->argmax < 0 || c->argmin <= c->argmax, "%s%s: argument counts", family,
                  c->name);
    ck_assert_msg(c->min_abbrev <= strlen(c->name), "%s%s: min_abbrev", family, c->name);
}

static void check_options(const struct ez_cmd *c, const char *family)
{
    const struct ez_opt *o = c->options;
    for (; o && o->name; o++) {
        size_t place = (size_t)(o - c->options);
        bool dash = *o->name == '-', words = o->kind == OPT_ONE_OF || o->kind == OPT_SOME_OF;
        bool value = o->kind != OPT_FLAG && o->kind != OPT_WORD;
        ck_assert_msg(!(c->flags & RAW) || o->kind == OPT_FLAG, "%s%s: %s of a line as it stands",
                      family, c->name, o->name);
        ck_assert_msg(place < OPT_MOST, "%s%s: too many options", family, c->name);
        ck_assert_msg(dash == (o->kind != OPT_WORD) && o->name[dash] != '-', "%s%s: %s", family,
                      c->name, o->name);
        ck_assert_msg(o->meaning && *o->meaning, "%s%s %s: no meaning", family, c->name, o->name);
        ck_assert_msg(!o->words == !words, "%s%s %s: words", family, c->name, o->name);
        ck_assert_msg(value ? o->value || words : !o->value, "%s%s %s: value", family, c->name,
                      o->name);
        ck_assert_msg(!o->instead || place, "%s%s %s: instead of what?", family, c->name, o->name);
        for (const struct ez_opt *other = c->options; other < o; other++)
            ck_assert_msg(strcmp(other->name, o->name), "%s%s: %s twice", family, c->name, o->name);
    }
    ck_assert_msg(!strstr(c->usage, "[-"), "%s%s: an option that is in no list", family, c->name);
}

static void check_names(const struct ez_cmd *table)
{
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c != table)
            ck_assert_msg(strcmp(c[-1].name, c->name) < 0, "%s, %s: not sorted or not unique",
                          c[-1].name, c->name);
        for (const struct ez_cmd *o = table; o->name; o++) {
            ck_assert_msg(!c->alias || strcmp(c->alias, o->name), "alias %s is a name", c->alias);
            bool both = c != o && c->min_abbrev && o->min_abbrev;
            uint8_t n = EZ_MAX(c->min_abbrev, o->min_abbrev);
            ck_assert_msg(!both || strncmp(c->name, o->name, n), "%s, %s: same abbreviation",
                          c->name, o->name);
        }
    }
}

static void check_table(const struct ez_cmd *table, const char *family)
{
    check_names(table);
    for (const struct ez_cmd *c = table; c->name; c++) {
        char name[64];
        check_entry(c, family);
        check_options(c, family);
        snprintf(name, sizeof name, "%s%s ", family, c->name);
        if (c->sub)
            check_table(c->sub, name);
    }
}

static bool has_json(const struct ez_cmd *c)
{
    for (const struct ez_opt *o = c->options; o && o->name; o++)
        if (!strcmp(o->name, "-json"))
            return true;
    return false;
}

/* Commands that print no table are TEXT_ONLY: what they print is a message, a sentence, text for people to read,
 * or nothing. All others have -json, with a schema in doc/JSON.md (tests/procs/json.sh), as all of `info`. */
START_TEST(tables_are_for_programs_too)
{
    size_t tables = 0;
    commands_register();
    for (const struct ez_cmd *c = ez_cmds; c->name; c++) {
        ck_assert_msg(!(c->flags & TEXT_ONLY) != !has_json(c), "%s: %s", c->name,
                      has_json(c) ? "has -json, and is TEXT_ONLY"
                                  : "if it prints a table it has -json, else it is TEXT_ONLY");
        tables += has_json(c);
    }
    ck_assert_uint_ge(tables, 15);
    const struct ez_cmd *info = ez_cmds;
    while (strcmp(info->name, "info"))
        info++;
    for (const struct ez_cmd *c = info->sub; c->name; c++)
        ck_assert_msg(has_json(c), "info %s has no -json", c->name);
}
END_TEST

#define COMMAND(name) extern const struct ez_cmd name;
#include "cmds/commands.inc"
#undef COMMAND

static size_t table_holds(const struct ez_cmd *table, const struct ez_cmd *one)
{
    size_t n = 0;
    for (const struct ez_cmd *c = table; c->name; c++)
        n += (c->examples == one->examples && c->brief == one->brief &&
              !strcmp(c->name, one->name)) +
             (c->sub ? table_holds(c->sub, one) : 0);
    return n;
}

/* A parent that is no command would hide its subcommands. */
START_TEST(every_command_is_in_a_table)
{
#define COMMAND(name) &name,
    const struct ez_cmd *const all[] = {
#include "cmds/commands.inc"
    };
#undef COMMAND
    commands_register();
    ck_assert_uint_gt(EZ_ARRAY_LEN(all), 200);
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++)
        ck_assert_msg(table_holds(ez_cmds, all[i]) == 1, "%s: in %zu tables", all[i]->name,
                      table_holds(ez_cmds, all[i]));
}
END_TEST

START_TEST(tables_are_sound)
{
    commands_register();
    check_table(ez_cmds, "");
}
END_TEST

/* "See also: probe, set args" names commands that exist. */
static bool known(const struct ez_cmd *table, const char *name)
{
    for (const struct ez_cmd *c = table; c->name; c++) {
        size_t n = strlen(c->name);
        if (strncmp(c->name, name, n))
            continue;
        if (!name[n] || (name[n] == ' ' && c->sub && known(c->sub, name + n + 1)))
            return true;
    }
    return false;
}

static void check_see_also(const struct ez_cmd *table)
{
    for (const struct ez_cmd *c = table; c->name; c++) {
        char *list = strdup(c->see_also), *rest = list, *one;
        while ((one = strsep(&rest, ","))) {
            one += strspn(one, " ");
            ck_assert_msg(!*one || known(ez_cmds, one), "%s: see also \"%s\"", c->name, one);
        }
        free(list);
        if (c->sub)
            check_see_also(c->sub);
    }
}

START_TEST(references_exist)
{
    commands_register();
    check_see_also(ez_cmds);
}
END_TEST

TCase *table_case(void)
{
    TCase *t = tcase_create("table");
    tcase_add_test(t, every_command_is_in_a_table);
    tcase_add_test(t, tables_are_sound);
    tcase_add_test(t, references_exist);
    tcase_add_test(t, tables_are_for_programs_too);
    return t;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_text.c - parses lessons.txt into items (lesson.h). Tests: tests/procs/lessons.sh */
#include <string.h>

#include "cmds/learn/lesson.h"
#include "engine/base/vec.h"

extern const char ez_lessons_txt[]; /* lessons.txt (cmds/local.mk) */

static struct {
    EZ_VEC(struct lesson_item) item; /* ends with an item whose word is "" */
    char *text;                      /* holds the `below` of all items, each with its NUL */
} lesson_text;

/* Parses a line with the head of an item: a word, and the text beside it. */
static void lesson_text_head(char *line)
{
    struct lesson_item item = { .word = line, .beside = "", .below = "" };
    char *blank = strchr(line, ' ');
    if (blank) {
        *blank = '\0';
        item.beside = blank + 1;
    }
    EZ_PUSH(&lesson_text.item, item);
}

/* Appends the line to the `below` of the newest item, which ends at `end`. Returns the new end. */
static char *lesson_text_below(char *end, const char *line)
{
    struct lesson_item *item = &lesson_text.item.at[lesson_text.item.n - 1];
    size_t n = strlen(line);
    if (!*item->below)
        item->below = ++end;
    memcpy(end, line, n);
    memcpy(end + n, "\n", 2);
    return end + n + 1;
}

static const struct lesson_item *lesson_items(void)
{
    if (lesson_text.item.n)
        return lesson_text.item.at;
    char *rest = ez_strdup(ez_lessons_txt), *line;
    char *end = lesson_text.text = ez_alloc(strlen(rest) + 2);
    while ((line = strsep(&rest, "\n"))) {
        if (!strncmp(line, "  ", 2))
            end = lesson_text_below(end, line + 2);
        else if (*line && *line != '#')
            lesson_text_head(line);
    }
    EZ_PUSH(&lesson_text.item, ((struct lesson_item){ .word = "", .beside = "", .below = "" }));
    return lesson_text.item.at;
}

static bool lesson_is(const struct lesson_item *item, const char *word)
{
    return !strcmp(item->word, word);
}

unsigned lesson_count(void)
{
    unsigned n = 0;
    for (const struct lesson_item *i = lesson_items(); *i->word; i++)
        n += lesson_is(i, "lesson");
    return n;
}

const struct lesson_item *lesson_of(unsigned n)
{
    for (const struct lesson_item *i = lesson_items(); *i->word; i++)
        if (lesson_is(i, "lesson") && !n--)
            return i;
    return NULL;
}

const struct lesson_item *lesson_step(const struct lesson_item *lesson, unsigned n)
{
    for (const struct lesson_item *i = lesson + 1; *i->word && !lesson_is(i, "lesson"); i++)
        if (lesson_is(i, "task") && !n--)
            return i;
    return NULL;
}

const struct lesson_item *lesson_next_item(const struct lesson_item *item)
{
    item++;
    bool other = !*item->word || lesson_is(item, "lesson") || lesson_is(item, "task") ||
                 lesson_is(item, "condition");
    return other ? NULL : item;
}

const char *lesson_below(const struct lesson_item *step, const char *word)
{
    for (const struct lesson_item *i = step; i; i = lesson_next_item(i))
        if (lesson_is(i, word))
            return i->below;
    return "";
}

const struct lesson_item *lesson_like(const char *name)
{
    for (const struct lesson_item *i = lesson_items(); *i->word; i++)
        if (lesson_is(i, "condition") && !strcmp(i->beside, name))
            return i;
    return NULL;
}

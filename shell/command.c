/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - the tables of all commands, sorted by name.
 *
 * The tables are made at start-up, because C cannot initialize an array with structs of other
 * files.
 * Tests: tests/unit/shell/check_table.c */
#include "shell/command.h"

#include <stdlib.h>
#include <string.h>

#include "shell/sess.h"

const struct ez_cmd *ez_cmds;

static const struct ez_cmd *const *command_all;
static size_t command_n;

static int command_by_name(const void *a, const void *b)
{
    return strcmp(((const struct ez_cmd *)a)->name, ((const struct ez_cmd *)b)->name);
}

size_t command_append(const char *parent, struct ez_cmd *table, size_t n, size_t room)
{
    for (size_t i = 0; i < command_n && n + 1 < room; i++)
        if (command_all[i]->parent ? !strcmp(command_all[i]->parent, parent) : !*parent)
            table[n++] = *command_all[i];
    qsort(table, n, sizeof *table, command_by_name);
    table[n] = (struct ez_cmd){ .name = NULL };
    return n;
}

/* Makes the table of the subcommands of `parent` at *at, and behind it the tables of their
 * subcommands. Returns the table; NULL if `parent` has no subcommands. Moves *at to the first free
 * entry; `end` is the end of the memory for entries. */
static const struct ez_cmd *command_table(const char *parent, struct ez_cmd **at,
                                          const struct ez_cmd *end)
{
    struct ez_cmd *table = *at;
    size_t n = command_append(parent, table, 0, (size_t)(end - table));
    if (!n)
        return NULL;
    *at += n + 1;
    for (struct ez_cmd *c = table; c->name; c++) {
        EZ_FREE char *name = ez_sprintf("%s%s%s", parent, *parent ? " " : "", c->name);
        if (!c->sub)
            c->sub = command_table(name, at, end);
    }
    return table;
}

void command_tables(const struct ez_cmd *const *all, size_t n)
{
    /* One entry for each command, and a NULL entry at the end of each table. There are fewer tables
     * than commands. */
    size_t most = 2 * n + 2;
    if (ez_cmds)
        return;
    command_all = all;
    command_n = n;
    struct ez_cmd *made = ez_alloc(most * sizeof *made), *at = made;
    ez_cmds = command_table("", &at, made + most);
}

const struct ez_cmd *command_front(const char *word)
{
    for (const struct ez_cmd *c = ez_cmds; c && c->name; c++)
        if (c->flags & FRONT && !strcmp(c->name, word))
            return c;
    return NULL;
}

bool sess_is_front(const char *name)
{
    return command_front(name) != NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - the tables of all commands, sorted by name.
 *
 * Each command is a struct beside its function: const struct ez_cmd command_NAME. The build lists these
 * structs in commands.inc (local.mk). The tables are made at start-up, as those of the settings are: C
 * cannot initialize an array with structs of other files. A section of the linker could collect them, but
 * the linker takes no file from a library that only such a section names.
 * Tests: tests/unit/shell/check_table.c */
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"

#define COMMAND(name) extern const struct ez_cmd name;
#include "cmds/commands.inc"
#undef COMMAND

#define COMMAND(name) &name,
static const struct ez_cmd *const all[] = {
#include "cmds/commands.inc"
};
#undef COMMAND

const struct ez_cmd *ez_cmds;

static int commands_by_name(const void *a, const void *b)
{
    return strcmp(((const struct ez_cmd *)a)->name, ((const struct ez_cmd *)b)->name);
}

size_t commands_append(const char *parent, struct ez_cmd *table, size_t n, size_t room)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(all) && n + 1 < room; i++)
        if (all[i]->parent ? !strcmp(all[i]->parent, parent) : !*parent)
            table[n++] = *all[i];
    qsort(table, n, sizeof *table, commands_by_name);
    table[n] = (struct ez_cmd){ .name = NULL };
    return n;
}

/* Makes the table of `parent` at *at, and behind it the tables of its members. Returns NULL if there are no
 * members. *at moves to the first free entry. */
static const struct ez_cmd *commands_table(const char *parent, struct ez_cmd **at,
                                           const struct ez_cmd *end)
{
    struct ez_cmd *table = *at;
    size_t n = commands_append(parent, table, 0, (size_t)(end - table));
    if (!n)
        return NULL;
    *at += n + 1;
    for (struct ez_cmd *c = table; c->name; c++) {
        EZ_FREE char *name = ez_sprintf("%s%s%s", parent, *parent ? " " : "", c->name);
        if (!c->sub)
            c->sub = commands_table(name, at, end);
    }
    return table;
}

void commands_tables(void)
{
    /* An entry for each command, and the ends of the tables, of which there are fewer than commands. */
    static struct ez_cmd made[2 * EZ_ARRAY_LEN(all) + 2];
    struct ez_cmd *at = made;
    if (ez_cmds)
        return;
    settings_tables();
    ez_cmds = commands_table("", &at, made + EZ_ARRAY_LEN(made));
}

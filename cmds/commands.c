/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - all commands, for the shell's tables (shell/command.c).
 *
 * Each command is a struct beside its function: const struct ez_cmd command_NAME. The build lists
 * these structs in commands.inc (local.mk). A linker section could collect them, but the linker
 * takes no file from a library that only such a section names.
 * Tests: tests/unit/shell/check_table.c */
#include "cmds/cmd.h"
#include "shell/settings.h"

#define COMMAND(name) extern const struct ez_cmd name;
#include "cmds/commands.inc"
#undef COMMAND

#define COMMAND(name) &name,
static const struct ez_cmd *const all[] = {
#include "cmds/commands.inc"
};
#undef COMMAND

void commands_list(void)
{
    command_tables(all, EZ_ARRAY_LEN(all));
    settings_tables();
}

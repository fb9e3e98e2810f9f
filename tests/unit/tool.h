/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - for tests that ask another program for its verdict. */
#ifndef TESTS_TOOL_H
#define TESTS_TOOL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Is the program there? Without it the rest of the test is skipped, and a line says so. */
static inline bool tool_there(const char *program)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "command -v %s >/dev/null", program);
    if (!system(cmd))
        return true;
    printf("skip - what %s would read: it is not here\n", program);
    return false;
}

#endif

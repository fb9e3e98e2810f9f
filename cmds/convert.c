/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.c - `convert FILE.fxt [OUT]`: a trace for the viewers (Paje, by GTG). */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/convert.h"
#include "shell/out.h"
#include "shell/sess.h"

/* app-42.fxt -> app-42.trace */
static char *default_output(const char *in)
{
    size_t n = strlen(in);
    bool fxt = n > 4 && !strcmp(in + n - 4, ".fxt");
    return ez_sprintf("%.*s.trace", (int)(fxt ? n - 4 : n), in);
}

ez_err *cmd_convert(struct ez_sess *s, int argc, char **argv)
{
    uint64_t events;
    const char *in = parse_path(s, argv[1]);
    EZ_FREE char *out = argc > 2 ? ez_strdup(parse_path(s, argv[2])) : default_output(in);
    EZ_TRY(ez_convert_paje(in, out, &events));
    out_line(s, "%s: %llu events handled.", out, (unsigned long long)events);
    return NULL;
}

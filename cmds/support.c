/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support.c - `cd`, `echo`, `pwd`, `shell`, `source`: the shell's own small verbs. */
#include <errno.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *cmd_cd(struct ez_sess *s, int argc, char **argv)
{
    const char *home = getenv("HOME"), *to = argc > 1 ? argv[1] : home ? home : "/";
    to = parse_path(s, to);
    if (chdir(to) < 0)
        return ez_err_new(EZ_E_SYS, 0, "%s: %s.", to, strerror(errno));
    return cmd_pwd(s, 1, argv);
}

ez_err *cmd_pwd(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *dir = getcwd(NULL, 0);
    if (!dir)
        return ez_err_new(EZ_E_SYS, errno, "getcwd");
    out_line(s, "Working directory %s.", dir);
    return NULL;
}

/* C escapes; a backslash at the end joins nothing and prints nothing. */
static char *support_unescape(const char *p)
{
    char *out = ez_alloc(strlen(p) + 1), *o = out;
    while (*p)
        if (*p != '\\')
            *o++ = *p++;
        else if (*++p)
            *o++ = (char)ez_str_unescape(p, &p);
    *o = '\0';
    return out;
}

ez_err *cmd_echo(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *text = support_unescape(argc > 1 ? argv[1] : "");
    out_raw(s, text);
    return NULL;
}

ez_err *cmd_shell(struct ez_sess *s, int argc, char **argv)
{
    return sess_shell(s, argc > 1 ? argv[1] : NULL);
}

ez_err *cmd_source(struct ez_sess *s, int argc, char **argv)
{
    return sess_source(s, parse_path(s, argv[1]), opt_given(s, "-v"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings_check.c - see settings_check.h. Tests: tests/e2e/settings.ezt, tests/e2e/flow.ezt */
#include "shell/settings_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/newfile.h"
#include "engine/ezt.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *settings_check_number(const struct ez_setting *v, unsigned n)
{
    bool fits = n >= v->least && (!v->most || n <= v->most);
    if (fits && (!v->multiple || n % v->multiple == 0))
        return NULL;
    const char *name = v->name, *unit = v->unit;
    if (v->multiple)
        return ez_err_new(EZ_E_ARG, 0, "%s must be a multiple of %u from %u to %u (%s)", name,
                          v->multiple, v->least, v->most, unit);
    return ez_err_new(EZ_E_ARG, 0, "%s must be a number from %u to %u (%s)", name, v->least,
                      v->most, unit);
}

/* Returns EZ_E_STATE if there is a process without a job: its children become members only if each
 * process has a driver. */
static ez_err *settings_check_tree(const struct ez_sess *s)
{
    if (s->job || ez_target_state(s->target) == EZ_NONE)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                  "Process %d was started alone: its children cannot be followed",
                                  ez_target_pid(s->target)),
                       "Type \"detach\" or \"kill\", set this, then \"attach\" or \"run\"");
}

ez_err *settings_check_pick(const struct ez_sess *s, const char *name, unsigned n)
{
    bool tree = !strcmp(name, "follow-fork-mode") && n == EZ_FOLLOW_ALL;
    return tree ? settings_check_tree(s) : NULL;
}

ez_err *settings_check_flag(const struct ez_sess *s, const char *name, bool on)
{
    if (!on && !strcmp(name, "detach-on-fork"))
        return settings_check_tree(s);
    if (on && !strcmp(name, "trace-compress") && !ez_trace_can_compress())
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Traces stay uncompressed: eztsh was built without libzstd"),
            "Install libzstd-dev (Debian) or libzstd-devel (Fedora) and build eztsh again");
    return NULL;
}

/* Opens the file when logging begins. A new name takes effect at the next start. */
ez_err *logging_switch(struct ez_sess *s, bool on)
{
    if (on == (s->out.log != NULL))
        return NULL;
    if (!on) {
        FILE *was = s->out.log;
        s->out.log = NULL;
        out_line(s, "Done logging to %s.", s->ui.log_file);
        return fclose(was) ? ez_err_new(EZ_E_SYS, errno, "%s", s->ui.log_file) : NULL;
    }
    int fd;
    EZ_TRY(ez_newfile_log(parse_path(s, s->ui.log_file), s->ui.log_overwrite, &fd));
    FILE *f = fdopen(fd, s->ui.log_overwrite ? "w" : "a");
    out_line(s, "%s output to %s.", s->ui.log_only ? "Redirecting" : "Copying", s->ui.log_file);
    s->out.log = f;
    return NULL;
}

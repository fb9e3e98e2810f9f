/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_session.c - runs a saved session again and compares its output (check_session.h).
 * Tests: tests/procs/session.sh */
#include "shell/check_session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "shell/dispatch.h"
#include "shell/lex.h"
#include "shell/mask_addresses.h"
#include "shell/out.h"
#include "shell/record.h"
#include "shell/sess.h"

struct lines {
    EZ_VEC(char *) v;
};

struct check_session {
    const char *path;
    bool given;
    unsigned commands, wrong;
    struct mask_pairs pairs; /* pairs of an address in the file and its address in this run */
};

static void check_session_free(struct lines *l)
{
    for (size_t i = 0; i < l->v.n; i++)
        free(l->v.at[i]);
    EZ_VEC_FREE(&l->v);
}

static void check_session_split(const char *text, struct lines *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        EZ_PUSH(&out->v, ez_strndup(text, n));
        text += n + (text[n] == '\n');
    }
}

static ez_err *check_session_read(const char *path, struct lines *out)
{
    char *line = NULL;
    size_t cap = 0;
    FILE *f = fopen(path, "re");
    if (!f)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: %s", path, strerror(errno));
    while (getline(&line, &cap, f) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        EZ_PUSH(&out->v, ez_strdup(line));
    }
    free(line);
    bool bad = ferror(f);
    fclose(f);
    return bad ? ez_err_new(EZ_E_SYS, 0, "%s: %s", path, strerror(errno)) : NULL;
}

/* Returns "text" for a line "#| text", which is recorded output; NULL for any other line. */
static const char *check_session_output(const char *line)
{
    if (strncmp(line, "#|", 2))
        return NULL;
    return line + 2 + (line[2] == ' ');
}

/* Compares the expected lines with the printed lines; an expected line "..." matches any lines.
 * Returns true if all lines match. Otherwise *i and *k are the indexes in `want` and `got` at which
 * no match was found. */
static bool check_session_same(struct check_session *h, const struct lines *want,
                               const struct lines *got, size_t *i, size_t *k)
{
    /* from: index behind the latest "..." of `want`, SIZE_MAX = none yet; at: index in `got` that
     * is compared with index `from` */
    size_t from = SIZE_MAX, at = 0;
    for (*i = *k = 0; *i < want->v.n || *k < got->v.n;) {
        const char *a = *i < want->v.n ? want->v.at[*i] : NULL;
        const char *b = *k < got->v.n ? got->v.at[*k] : NULL;
        if (a && !strcmp(a, "...")) {
            from = ++*i;
            at = *k;
        } else if (a && b && mask_same(a, strlen(a), b, strlen(b), &h->pairs)) {
            ++*i;
            ++*k;
        } else if (from != SIZE_MAX && at < got->v.n) {
            *i = from;
            *k = ++at;
        } else {
            return false;
        }
    }
    return true;
}

static void check_session_judge(struct ez_sess *s, struct check_session *h, unsigned number,
                                const char *command, const struct lines *want)
{
    struct lines got = { 0 };
    size_t i, k;
    check_session_split(record_newest(s), &got);
    h->commands++;
    bool same = check_session_same(h, want, &got, &i, &k);
    record_hold(s);
    s->out.mute = false;
    if (!same) {
        h->wrong++;
        out_line(s, "%s:%u: \"%s\" prints something else:", h->path, number, command);
        out_line(s, "  expected: %s", i < want->v.n ? want->v.at[i] : "(nothing more)");
        out_line(s, "  got:      %s", k < got.v.n ? got.v.at[k] : "(nothing more)");
    }
    s->out.mute = true;
    record_resume(s);
    check_session_free(&got);
}

/* Returns true for a `file` command if eztsh's command line already names the program under
 * test. */
static bool check_session_skips(const struct check_session *h, const char *line)
{
    size_t n = strcspn(line, " \t");
    return h->given && n == 4 && !strncmp(line, "file", n);
}

/* Runs the command of line i, whose expected output follows in the file. Returns the index of the
 * line behind that output. */
static size_t check_session_run(struct ez_sess *s, struct check_session *h,
                                const struct lines *file, size_t i)
{
    const char *line = lex_skip_blanks(file->v.at[i]), *text;
    unsigned number = (unsigned)i + 1;
    struct lines want = { 0 };
    for (i++; i < file->v.n && (text = check_session_output(file->v.at[i])); i++)
        EZ_PUSH(&want.v, ez_strdup(text));
    if (*line && *line != '#' && !check_session_skips(h, line)) {
        dispatch_print(s, line);
        check_session_judge(s, h, number, line, &want);
    }
    check_session_free(&want);
    return i;
}

static void check_session_settings(struct ez_sess *s, const struct lines *file)
{
    char how[16] = "";
    if (file->v.n)
        sscanf(file->v.at[0], "# eztsh session 1, %u columns, %15s", &s->out.columns, how);
    s->out.columns = s->out.columns ? s->out.columns : 80;
    s->in.terminal = s->ui.confirm = s->ui.pagination = false;
    ez_settings(s->target)->pass_signals = !strcmp(how, "batch");
}

ez_err *check_session_file(struct ez_sess *s, const char *path, bool given)
{
    struct check_session h = { .path = path, .given = given };
    struct lines file = { 0 };
    EZ_TRY(check_session_read(path, &file));
    check_session_settings(s, &file);
    s->out.mute = true;
    for (size_t i = 0; i < file.v.n && !s->end.quit;)
        i = check_session_run(s, &h, &file, i);
    record_hold(s); /* The session ends after the check, so no record_resume() follows. */
    s->run.block = NULL;
    s->out.mute = false;
    out_line(s, "%s: %u command%s, %u as expected.", path, h.commands, ez_plural(h.commands),
             h.commands - h.wrong);
    if (s->end.status <= 128) /* a greater status means that a signal ends the session */
        s->end.status = h.wrong > 0 || !h.commands;
    EZ_VEC_FREE(&h.pairs.v);
    check_session_free(&file);
    return NULL;
}

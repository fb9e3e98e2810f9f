/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - stores the commands and the output of the session (record.h).
 * Tests: tests/procs/session.sh */
#include "shell/record.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/ezt.h"
#include "shell/lex.h"
#include "shell/sess.h"

#define MOST ((size_t)16 << 20) /* maximum bytes of recorded output */
/* smallest id that is replaced: smaller numbers are probably no ids */
#define LEAST_PID 100

struct record_line {
    char *line, *text; /* line: a command; text: its output, NULL = none */
    size_t len, cap;
};

struct ez_record {
    EZ_VEC(struct record_line) line;
    EZ_VEC(long) pid; /* ids of the target's processes and threads so far */
    size_t bytes;
    unsigned held;
    bool full; /* the output exceeded the maximum */
};

void record_begin(struct ez_sess *s)
{
    if (!s->record)
        s->record = ez_alloc(sizeof *s->record);
    memset(s->record, 0, sizeof *s->record);
}

void record_free(struct ez_sess *s)
{
    struct ez_record *r = s->record;
    if (!r)
        return;
    for (size_t i = 0; i < r->line.n; i++) {
        free(r->line.at[i].line);
        free(r->line.at[i].text);
    }
    EZ_VEC_FREE(&r->line);
    EZ_VEC_FREE(&r->pid);
    free(r);
    s->record = NULL;
}

void record_hold(struct ez_sess *s)
{
    if (s->record)
        s->record->held++;
}

void record_resume(struct ez_sess *s)
{
    if (s->record)
        s->record->held--;
}

void record_text(struct ez_sess *s, const char *text)
{
    struct ez_record *r = s->record;
    size_t n = strlen(text);
    if (!r || r->held || !r->line.n || !n)
        return;
    struct record_line *l = &r->line.at[r->line.n - 1];
    if ((r->full |= r->bytes + n > MOST))
        return;
    if (l->len + n >= l->cap) {
        l->cap = 2 * (l->len + n) + 64;
        l->text = ez_realloc(l->text, l->cap);
    }
    memcpy(l->text + l->len, text, n + 1);
    l->len += n;
    r->bytes += n;
}

/* ---- process ids ---------------------------------------------------------------------------- */

static bool record_knows(const struct ez_record *r, long pid)
{
    for (size_t i = 0; i < r->pid.n; i++)
        if (r->pid.at[i] == pid)
            return true;
    return false;
}

static void record_pid(const struct ez_thread_info *t, void *arg)
{
    struct ez_record *r = arg;
    if (t->tid >= LEAST_PID && !record_knows(r, t->tid))
        EZ_PUSH(&r->pid, (long)t->tid);
}

void record_ran(struct ez_sess *s)
{
    if (s->record && ez_target_live(s->target))
        (void)ez_err_drop(ez_threads(s->target, record_pid, s->record));
}

/* Returns a copy of the text with "PID" in place of each recorded id; the caller frees. */
static char *record_without_pids(const struct ez_record *r, const char *text)
{
    /* The copy is never longer than the text: "PID" replaces ids of three digits or more. */
    char *out = ez_alloc(strlen(text) + 1), *to = out;
    for (const char *p = text; *p;) {
        char *end;
        bool starts = isdigit((unsigned char)*p) &&
                      (p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '.'));
        long v = starts ? strtol(p, &end, *p == '0' ? 0 : 10) : 0;
        if (v >= LEAST_PID && !isalnum((unsigned char)*end) && record_knows(r, v)) {
            to = stpcpy(to, "PID");
            p = end;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
    return out;
}

static void record_finish(struct ez_record *r)
{
    struct record_line *l = r->line.n ? &r->line.at[r->line.n - 1] : NULL;
    if (!l || !l->text || !r->pid.n)
        return;
    char *text = record_without_pids(r, l->text);
    free(l->text);
    l->text = text;
    l->len = strlen(text);
    l->cap = l->len + 1;
}

void record_line(struct ez_sess *s, const char *line)
{
    struct ez_record *r = s->record;
    const char *text = lex_skip_blanks(line);
    if (!r || r->held || !*text || *text == '#')
        return;
    record_ran(s);
    record_finish(r);
    EZ_PUSH(&r->line, ((struct record_line){ .line = ez_strdup(line) }));
}

const char *record_newest(struct ez_sess *s)
{
    struct ez_record *r = s->record;
    record_ran(s);
    record_finish(r);
    return r->line.n && r->line.at[r->line.n - 1].text ? r->line.at[r->line.n - 1].text : "";
}

ez_err *sess_recorded(struct ez_sess *s, void (*fn)(const char *line, const char *text, void *arg),
                      void *arg)
{
    struct ez_record *r = s->record;
    if (!r || r->line.n < 2)
        return ez_err_new(EZ_E_STATE, 0, "Nothing to save");
    if (r->full)
        return ez_err_new(EZ_E_LIMIT, 0,
                          "The session printed more than the %zu MiB that eztsh keeps", MOST >> 20);
    for (size_t i = 0; i + 1 < r->line.n; i++)
        fn(r->line.at[i].line, r->line.at[i].text ? r->line.at[i].text : "", arg);
    return NULL;
}

void sess_quiet(struct ez_sess *s, bool quiet)
{
    static bool before; /* value of s->out.mute before the call: --check mutes the whole session */
    if (quiet) {
        before = s->out.mute;
        record_hold(s);
    } else {
        record_resume(s);
    }
    s->out.mute = quiet || before;
}

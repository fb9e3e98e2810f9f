/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_check.c - checks whether a step of a lesson is done. An item `need` has an expression that
 * must be nonzero, and below it a sentence about what is missing otherwise. `like NAME` stands for
 * the needs of `condition NAME`. An expression that cannot be evaluated counts as zero.
 * Tests: tests/procs/lessons.sh */
#include <string.h>
#include <time.h>

#include "cmds/learn/lesson.h"
#include "cmds/data/values.h"
#include "engine/inferior/pt_log.h"

struct lesson_check {
    uint64_t stepped; /* number of single-stepped instructions at the start of the step */
};

static struct lesson_check *lesson_check_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct lesson_check), NULL };
    return sess_state(s, &kind);
}

static uint64_t lesson_check_steps(void)
{
    const struct ez_ptrace_sum *sum;
    size_t n = ez_ptrace_sums(&sum);
    for (size_t i = 0; i < n; i++)
        if (sum[i].calls && !strcmp(sum[i].request, "PTRACE_SINGLESTEP"))
            return sum[i].calls - sum[i].failed;
    return 0;
}

void lesson_check_begin(struct ez_sess *s)
{
    uint64_t pid = (uint64_t)ez_target_pid(s->target), now = (uint64_t)time(NULL);
    ez_history_set(values_of(s), "_lesson_pid", &pid);
    ez_history_set(values_of(s), "_lesson_began", &now);
    lesson_check_state(s)->stepped = lesson_check_steps();
}

static bool lesson_is_met(struct ez_sess *s, const char *expr)
{
    struct ez_value v = { 0 };
    uint64_t n = 0;
    bool met = ez_err_drop(ez_eval(values_of(s), expr, NULL, &v)) &&
               ez_err_drop(ez_value_address(&v, &n)) && n;
    ez_value_clear(&v);
    return met;
}

/* Returns the sentence in `below`, which may be a format with expressions, as for `printf`. */
static const char *lesson_check_sentence(struct ez_sess *s, const char *below)
{
    EZ_FREE char *line = ez_strndup(below, strcspn(below, "\n"));
    char *text;
    if (*line == '"' && ez_err_drop(values_printf(s, line, &text)))
        return sess_keep(s, text);
    return sess_format(s, "%s", line);
}

static const char *lesson_check_items(struct ez_sess *s, const struct lesson_item *item)
{
    const char *no = NULL;
    for (; item && !no; item = lesson_next_item(item)) {
        if (!strcmp(item->word, "like"))
            no = lesson_check_items(s, lesson_like(item->beside));
        else if (!strcmp(item->word, "need") && !lesson_is_met(s, item->beside))
            no = lesson_check_sentence(s, item->below);
    }
    return no;
}

const char *lesson_missing(struct ez_sess *s, const struct lesson_item *step)
{
    uint64_t stepped = lesson_check_steps() - lesson_check_state(s)->stepped;
    ez_history_set(values_of(s), "_lesson_stepped", &stepped);
    return lesson_check_items(s, step);
}

void lesson_keep(struct ez_sess *s, const char *lines)
{
    for (size_t n; *lines; lines += n + 1) {
        n = strcspn(lines, "\n");
        EZ_FREE char *expr = ez_strndup(lines, n);
        (void)lesson_is_met(s, expr);
    }
}

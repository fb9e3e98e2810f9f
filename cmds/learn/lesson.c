/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson.c - `lesson`: the student's position, the task, and the check after each command.
 *
 * The next task is printed only on request, so that the output about one task is not mistaken for
 * another's. A missing condition is printed when it changes.
 * Tests: tests/procs/lessons.sh */
#include "cmds/learn/lesson.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/installed.h"
#include "shell/parse_word.h"
#include "shell/out.h"

struct lesson {
    const struct lesson_item *on, *step; /* current lesson and its current step; NULL = none */
    unsigned number, step_number;        /* indexes of `on` and `step`, from 0 on */
    unsigned hints;
    bool done;    /* the step is done, and the user has not requested the next one */
    bool fresh;   /* the last command was `lesson` itself: nothing to check */
    char *missed; /* sentence about a missing condition, as printed last */
};

static void lesson_free(void *state)
{
    free(((struct lesson *)state)->missed);
}

static struct lesson *lesson_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct lesson), lesson_free };
    return sess_state(s, &kind);
}

static void lesson_begin_step(struct ez_sess *s, unsigned n)
{
    struct lesson *l = lesson_state(s);
    l->step = lesson_step(l->on, n);
    l->step_number = n;
    l->done = false;
    l->hints = 0;
    free(l->missed);
    l->missed = NULL;
    lesson_check_begin(s);
}

static bool lesson_is_last(const struct lesson *l)
{
    return !lesson_step(l->on, l->step_number + 1);
}

/* ---- output ------------------------------------------------------------------------------- */

static void lesson_say_task(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    unsigned n = 0;
    while (lesson_step(l->on, n))
        n++;
    out_line(s, "Lesson %u, step %u of %u:", l->number + 1, l->step_number + 1, n);
    out_text(s, l->step->below);
}

static void lesson_say_done(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    out_text(s, sess_format(s, "Done. %s", lesson_below(l->step, "done")));
    if (!lesson_is_last(l)) {
        out_line(s, "\"lesson next\" goes to the next step.");
        return;
    }
    lesson_pass(l->on->beside);
    out_line(s, "This was the last step of lesson %u, %s. \"lesson\" lists the others.",
             l->number + 1, l->on->beside);
}

/* Prints what is missing, if the sentence differs from the one printed last, or if `always` is
 * true. */
static void lesson_say_missing(struct ez_sess *s, const char *missing, bool always)
{
    struct lesson *l = lesson_state(s);
    if (always || !l->missed || strcmp(l->missed, missing))
        out_line(s, "Missing: %s \"lesson hint\" helps.", missing);
    free(l->missed);
    l->missed = ez_strdup(missing);
}

/* Checks, after a command, whether the step is done. */
void lesson_look(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    bool fresh = l->fresh;
    l->fresh = false;
    if (!l->on || l->done || fresh || s->end.quit || s->run.block)
        return;
    size_t from = s->kept.n;
    const char *missing = lesson_missing(s, l->step);
    if (missing) {
        lesson_say_missing(s, missing, false);
    } else {
        l->done = true;
        lesson_keep(s, lesson_below(l->step, "keep"));
        lesson_say_done(s);
    }
    sess_forget(s, from);
    out_flush(s);
}

static const char *lesson_program(struct ez_sess *s)
{
    return sess_keep(s, ez_example("demo"));
}

static void lesson_list(struct ez_sess *s)
{
    struct out_table t;
    out_table_init(&t, s, ">Lesson", "", "", NULL);
    out_table_keys(&t, "lessons", "number# title state");
    for (unsigned i = 0; i < lesson_count(); i++) {
        const char *title = lesson_of(i)->beside;
        out_row(&t, sess_format(s, "%u", i + 1), title, lesson_is_passed(title) ? "passed" : "",
                NULL);
    }
    out_table_print(&t);
    if (!out_json_requested(s))
        out_line(s, "\"lesson N\" begins lesson N. All lessons use the program %s.",
                 lesson_program(s));
}

static void lesson_where(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    if (!l->on || out_json_requested(s)) {
        lesson_list(s);
        return;
    }
    lesson_say_task(s);
    const char *missing = l->done ? NULL : lesson_missing(s, l->step);
    if (l->done)
        lesson_say_done(s);
    else if (missing)
        lesson_say_missing(s, missing, true);
}

/* ---- commands ----------------------------------------------------------------------------- */

static ez_err *lesson_none(void)
{
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No lesson is running"),
                       "\"lesson\" lists the lessons");
}

static ez_err *lesson_next(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    if (!l->done) {
        const char *missing = lesson_missing(s, l->step);
        if (missing)
            return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "This step is not done: %s", missing),
                               "Type \"lesson hint\" for help");
    }
    if (lesson_is_last(l)) {
        l->on = NULL;
        lesson_list(s);
        return NULL;
    }
    lesson_begin_step(s, l->step_number + 1);
    lesson_say_task(s);
    return NULL;
}

static void lesson_hint(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    if (!l->hints++) {
        out_text(s, lesson_below(l->step, "hint"));
        out_line(s, "Another \"lesson hint\" shows commands that do the step.");
    } else {
        out_text(s, lesson_below(l->step, "solution"));
    }
}

/* Runs the commands that prepare the lesson, silently. */
static ez_err *lesson_prepare(struct ez_sess *s)
{
    struct lesson *l = lesson_state(s);
    EZ_FREE char *lines = ez_strdup(lesson_below(l->on, "begin"));
    char *rest = lines, *line;
    ez_err *e = NULL;
    sess_quiet(s, true);
    while (!e && (line = strsep(&rest, "\n")))
        e = sess_run(s, line);
    sess_quiet(s, false);
    return e;
}

static ez_err *lesson_begin(struct ez_sess *s, unsigned n)
{
    struct lesson *l = lesson_state(s);
    l->on = lesson_of(n);
    l->number = n;
    lesson_begin_step(s, 0);
    EZ_TRY(lesson_prepare(s));
    out_line(s, "%s", l->on->beside);
    out_text(s, l->on->below);
    if (!ez_target_program(s->target))
        out_line(s, "Load the program of the lessons first: file %s", lesson_program(s));
    lesson_say_task(s);
    return NULL;
}

static void lesson_solution(struct ez_sess *s, unsigned n)
{
    const struct lesson_item *step, *on = lesson_of(n);
    out_line(s, "lesson %u", n + 1);
    for (unsigned i = 0; (step = lesson_step(on, i)); i++) {
        if (i)
            out_line(s, "lesson next");
        out_text(s, lesson_below(step, "solution"));
    }
}

static ez_err *lesson_find(const char *word, unsigned *out)
{
    uint64_t n;
    EZ_TRY(parse_count(word, "a lesson", &n));
    if (!n || n > lesson_count())
        return ez_err_new(EZ_E_NOTFOUND, 0, "No lesson has this number: there are %u lessons",
                          lesson_count());
    *out = (unsigned)n - 1;
    return NULL;
}

static ez_err *lesson_word(struct ez_sess *s, const char *word)
{
    struct lesson *l = lesson_state(s);
    if (!l->on)
        return lesson_none();
    if (!strcmp(word, "next"))
        return lesson_next(s);
    if (!strcmp(word, "hint"))
        lesson_hint(s);
    else if (!strcmp(word, "reset"))
        return lesson_begin(s, l->number);
    else
        l->on = NULL;
    return NULL;
}

static ez_err *cmd_lesson(struct ez_sess *s, int argc, char **argv)
{
    struct lesson *l = lesson_state(s);
    static const char *const words[] = { "next", "hint", "reset", "off" };
    unsigned which = l->number;
    l->fresh = true;
    for (size_t i = 0; argc > 1 && i < EZ_ARRAY_LEN(words); i++)
        if (!strcmp(argv[1], words[i]))
            return lesson_word(s, words[i]);
    if (argc > 1)
        EZ_TRY(lesson_find(argv[1], &which));
    if (opt_given(s, "-solution")) {
        if (argc < 2 && !l->on)
            return lesson_none();
        lesson_solution(s, which);
    } else if (argc > 1) {
        return lesson_begin(s, which);
    } else {
        lesson_where(s);
    }
    return NULL;
}

const struct ez_cmd command_lesson = {
    .name = "lesson",
    .usage = "[N | next | hint | reset | off]",
    .brief = "Learn how eztsh works, on a live program.",
    .help = "\"lesson\" lists the lessons, or shows the current step. \"lesson N\" begins lesson\n"
            "N, on a program that comes with eztsh; \"lesson\" shows the file of the program.\n"
            "Each step sets a task. After each command eztsh checks the target and the\n"
            "ptrace calls, and says what is missing or that the task is done.\n"
            "\n"
            "\"lesson next\" goes to the next step. \"lesson hint\" prints a hint, and when it is\n"
            "typed again, commands that do the step. \"lesson reset\" begins the current\n"
            "lesson again. \"lesson off\" leaves the lesson.",
    .examples = "lesson 1\n"
                "lesson -solution 4",
    .see_also = "explain, measure, disassemble, why, save session",
    OPERANDS(SUPPORT, 0, 1),
    OPTIONS(
        { .name = "-solution", .meaning = "print commands that do all of lesson N" },
        { .name = "-json", .meaning = "print the list of lessons, for programs (doc/JSON.md)" }),
    .flags = NO_REPEAT,
    .fn = cmd_lesson,
    .complete = comp_lesson,
};

void comp_lesson(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    static const char *const words[] = { "hint", "next", "off", "reset" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        comp_offer(out, word, words[i]);
}

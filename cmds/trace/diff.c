/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c - `diff`: compares the runs of two versions of a program, or two periods of a trace.
 * Tests: tests/unit/shell/check_read.c, tests/trace/compare.sh */
#include "cmds/trace/diff.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- parsing ---------------------------------------------------------------------------- */

void diff_free_plan(struct diff_plan *p)
{
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = 0; i < p->side[k].run.n; i++)
            traces_free(&p->side[k].run.at[i]);
        EZ_VEC_FREE(&p->side[k].run);
    }
}

/* Parses a period, "1s..2s"; without a start or an end, uses the start or the end of the trace. */
static ez_err *diff_window(struct ez_sess *s, const char *text, uint64_t *from, uint64_t *to)
{
    const char *dots = strstr(text, "..");
    ez_err *e = NULL;
    if (!dots || !text[2])
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a period: write FROM..TO, as in 1.5s..2s",
                          text);
    const char *begin = parse_text(s, text, dots);
    if (*begin)
        e = parse_time(begin, from);
    if (!e && dots[2])
        e = parse_time(dots + 2, to);
    if (!e && *from >= *to)
        e = ez_err_new(EZ_E_ARG, 0, "The period %s is empty", text);
    return e;
}

/* Gives all runs of a side the period that an option names. */
static ez_err *diff_parse_window(struct ez_sess *s, const char *option, struct diff_side *side)
{
    const char *text = opt_text(s, option);
    for (size_t i = 0; text && i < side->run.n; i++)
        EZ_TRY(diff_window(s, text, &side->run.at[i].part.from_ns, &side->run.at[i].part.to_ns));
    return NULL;
}

static bool diff_is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int diff_is_trace(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 4 && !strcmp(e->d_name + n - 4, ".fxt");
}

/* Adds the traces in a folder to a run. */
static ez_err *diff_folder(struct ez_sess *s, const char *path, struct traces *run)
{
    struct dirent **entry = NULL;
    int n = scandir(path, &entry, diff_is_trace, alphasort);
    if (n < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot read the folder %s", path);
    for (int i = 0; i < n; i++) {
        EZ_PUSH(&run->file, (char *)sess_format(s, "%s/%s", path, entry[i]->d_name));
        free(entry[i]);
    }
    free(entry);
    return n ? NULL : ez_err_new(EZ_E_NOTFOUND, 0, "The folder %s has no trace (*.fxt)", path);
}

static ez_err *diff_add_file(struct ez_sess *s, struct traces *run, char *path)
{
    if (diff_is_folder(path))
        return diff_folder(s, path, run);
    EZ_PUSH(&run->file, path);
    return NULL;
}

/* Adds the runs that a word names: each file or folder is a run; with -job, all files of the word
 * together are one run. */
static ez_err *diff_word(struct ez_sess *s, struct diff_side *side, const char *word, bool job)
{
    EZ_CLEANUP(parse_list_free) struct parse_list list = { .at = NULL };
    EZ_TRY(parse_files(s, word, &list));
    for (size_t i = 0; i < list.n; i++) {
        if (!i || !job) {
            struct traces none = { .file = { NULL, 0, 0 } };
            EZ_PUSH(&side->run, none);
            EZ_TRY(traces_parse(s, &side->run.at[side->run.n - 1], 0, NULL));
        }
        EZ_TRY(diff_add_file(s, &side->run.at[side->run.n - 1], list.at[i]));
    }
    return NULL;
}

/* Finds the two sides in n words. *first: number of words of the first side; *second: index of the
 * first word of the second side. windows: one word is enough, because two periods of its trace are
 * compared. */
static ez_err *diff_split(bool windows, int n, char **word, int *first, int *second)
{
    int at = 0;
    while (at < n && strcmp(word[at], "vs"))
        at++;
    *first = at;
    *second = at + 1;
    for (int i = at + 1; i < n; i++)
        if (!strcmp(word[i], "vs"))
            return ez_err_new(EZ_E_ARG, 0, "\"vs\" is given twice: diff compares two sides");
    if (at < n && (!at || at == n - 1))
        return ez_err_new(EZ_E_ARG, 0, "\"vs\" needs runs on both sides");
    if (at < n)
        return NULL;
    *first = n == 1 && windows ? 1 : n / 2;
    *second = n == 1 ? 0 : *first;
    if (n == 2 || (n == 1 && windows))
        return NULL;
    if (n == 1)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "A comparison needs two runs"),
                           "-window and -vs-window compare two periods of one run");
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "It is not clear which of these runs are the side BEFORE"),
        "Write \"vs\" between the sides");
}

static ez_err *diff_threshold(const char *text, double *out)
{
    char *end;
    *out = -1;
    if (!text)
        return NULL;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= 0) || !isfinite(*out))
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a percentage", text);
    return NULL;
}

ez_err *diff_parse_sides(struct ez_sess *s, struct diff_plan *p, int n, char **word, bool job,
                         bool windows)
{
    int first = 0, second = 0;
    EZ_TRY(diff_split(windows, n, word, &first, &second));
    for (int i = 0; i < first; i++)
        EZ_TRY(diff_word(s, &p->side[0], word[i], job));
    for (int i = second; i < n; i++)
        EZ_TRY(diff_word(s, &p->side[1], word[i], job));
    return NULL;
}

static ez_err *diff_parse(struct ez_sess *s, struct diff_plan *p, int argc, char **argv)
{
    p->by = (enum ez_diff_by)opt_number(s, "-by", EZ_DIFF_FUNCTION);
    p->key = (enum ez_diff_key)opt_number(s, "-sort", EZ_DIFF_TOTAL);
    p->top = opt_number(s, "-top", 0);
    p->wide = opt_given(s, "-wide");
    EZ_TRY(diff_threshold(opt_text(s, "-threshold"), &p->threshold));
    if (opt_given(s, "-window") != opt_given(s, "-vs-window"))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "-window and -vs-window can only be used together"),
            "-from and -to choose the same period for both sides");
    EZ_TRY(diff_parse_sides(s, p, argc - 1, argv + 1, opt_given(s, "-job"),
                            opt_given(s, "-vs-window")));
    EZ_TRY(diff_parse_window(s, "-window", &p->side[0]));
    return diff_parse_window(s, "-vs-window", &p->side[1]);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Adds the events of a run, and the lost ones, to its side, counts the runs with losses and with
 * throttled functions, and prints the damage of the files. */
static void diff_note(struct ez_sess *s, struct diff_plan *p, struct diff_side *side,
                      const struct ez_replay *r)
{
    const struct ez_trace_sum *t = ez_replay_sum(r);
    const struct ez_model *m = ez_replay_model(r);
    uint64_t lost = t->count.lost;
    if (!lost && !t->part)
        lost = t->dropped - EZ_MIN(t->torn, t->dropped);
    side->events += t->events;
    side->lost += lost;
    side->lossy += lost > 0;
    side->throttled += t->throttled.row.n > 0;
    for (size_t i = 0; i < m->container.n; i++)
        p->ranks |=
            m->container.at[i].level == EZ_L_PROCESS && m->container.at[i].rank != EZ_NO_RANK;
    print_damage(s, t);
}

static ez_err *diff_read(struct ez_sess *s, struct diff_plan *p, struct ez_diff *d, unsigned side,
                         size_t run)
{
    struct ez_replay *r = NULL;
    struct ez_stats *st = NULL;
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p->side[side].run.at[run], &progress, &r);
    if (!e) {
        st = ez_stats_create(ez_replay_model(r), ez_diff_stats_by(p->by), false);
        e = ez_replay_run(r, ez_stats_item, st, &progress);
    }
    progress_end(&bar);
    if (!e) {
        ez_replay_counts(r, ez_stats_count, st);
        ez_stats_table(st, EZ_SORT_NAME);
        ez_diff_add(d, side, run, ez_replay_model(r)->container.at[0].name, st);
        diff_note(s, p, &p->side[side], r);
    }
    ez_stats_free(st);
    ez_replay_close(r);
    return e;
}

ez_err *diff_read_sides(struct ez_sess *s, struct diff_plan *p, struct ez_diff *d)
{
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < p->side[side].run.n; i++)
            EZ_TRY(diff_read(s, p, d, side, i));
    if (p->by == EZ_DIFF_RANK && !p->ranks)
        return ez_err_new(EZ_E_ARG, 0, "-by rank needs traces of a job: these have no ranks");
    ez_diff_finish(d, p->key);
    return NULL;
}

static ez_err *diff_of_sides(struct ez_sess *s, struct diff_plan *p, struct ez_diff *d)
{
    EZ_TRY(diff_read_sides(s, p, d));
    diff_print(s, p, d);
    return diff_check(s, p, d);
}

static ez_err *cmd_diff(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(diff_free_plan) struct diff_plan p = { .by = EZ_DIFF_FUNCTION };
    EZ_TRY(diff_parse(s, &p, argc, argv));
    const size_t runs[] = { p.side[0].run.n, p.side[1].run.n };
    struct ez_diff *d = ez_diff_create(runs, p.by);
    ez_err *e = diff_of_sides(s, &p, d);
    ez_diff_free(d);
    return e;
}

static const struct ez_opt_word diff_by_words[] = { { "function", EZ_DIFF_FUNCTION },
                                                    { "library", EZ_DIFF_LIBRARY },
                                                    { "rank", EZ_DIFF_RANK },
                                                    { NULL, 0 } };
static const struct ez_opt_word diff_sort_words[] = { { "total", EZ_DIFF_TOTAL },
                                                      { "self", EZ_DIFF_SELF },
                                                      { "mean", EZ_DIFF_MEAN },
                                                      { "calls", EZ_DIFF_CALLS },
                                                      { NULL, 0 } };

const struct ez_cmd command_diff = {
    .name = "diff",
    .usage = "BEFORE... [vs] AFTER...",
    .brief = "Compare the traces of two versions, function by function.",
    .help = "Each file is a run. All traces of a folder together are one run. \"vs\" separates\n"
            "the two sides; with exactly two operands, \"vs\" is not necessary. Functions are\n"
            "matched by name and library, without the library's version. Rows are sorted by\n"
            "how much the total time changed. A % column is a change in percent; \"=\" means\n"
            "no change.\n"
            "\n"
            "With several runs per side, the verdict is \"slower\" or \"faster\" only if\n"
            "differences between runs of the same side do not explain the change; otherwise\n"
            "the verdict is \"noise\". The test is corrected for the number of functions. With\n"
            "one run per side the noise is not known. A \"new\" function has calls only on the\n"
            "side AFTER, a \"gone\" function only on the side BEFORE.\n"
            "\n"
            "With -threshold the command fails, and eztsh -batch exits with status 1, if a\n"
            "function got slower by more than P percent and the change is not noise.",
    .examples = "diff old.fxt new.fxt\n"
                "diff old-*.fxt vs new-*.fxt -threshold 5\n"
                "diff -job old-rank*.fxt new-rank*.fxt -by rank\n"
                "diff app.fxt -window 0s..1s -vs-window 3s..4s",
    .see_also = "stats, timeline, report",
    OPERANDS(TRACE, 1, -1),
    OPTIONS(
        { .name = "-sort",
          .kind = OPT_ONE_OF,
          .value = "KEY",
          .words = diff_sort_words,
          .meaning = "what the rows are sorted by; the verdict and -threshold use it, too" },
        { .name = "-threshold",
          .kind = OPT_TEXT,
          .value = "P",
          .meaning = "fail if KEY of a function grew by more than P percent; with one\n"
                     "run per side the threshold alone decides" },
        { .name = "-by",
          .kind = OPT_ONE_OF,
          .value = "WHAT",
          .words = diff_by_words,
          .meaning = "one row for each; ranks of a job are\n"
                     "matched by number" },
        { .name = "-top",
          .kind = OPT_NUMBER,
          .value = "N",
          .meaning = "print the first N rows only" },
        { .name = "-job", .meaning = "all files that an operand matches are one run, of a job" },
        { .name = "-window",
          .kind = OPT_TEXT,
          .value = "FROM..TO",
          .meaning = "period of the side BEFORE; with one operand, of its trace" },
        { .name = "-vs-window",
          .kind = OPT_TEXT,
          .value = "FROM..TO",
          .meaning = "period of the side AFTER" },
        FOR_PROGRAMS, WIDE, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_diff,
    .complete = comp_fxt,
};

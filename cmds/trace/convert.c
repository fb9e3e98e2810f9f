/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.c - `convert`: writes traces in formats of viewers; `report`: writes a web page.
 * Tests: tests/e2e/convert.ezt, tests/unit/shell/check_read.c */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/compare.h"
#include "cmds/trace/traces.h"
#include "engine/base/newfile.h"
#include "engine/base/strutil.h"
#include "engine/format/convert.h"
#include "shell/out.h"
#include "shell/sess.h"

struct plan {
    struct ez_convert what;
    struct traces in;
    /* JSON about both sides of `report BEFORE vs AFTER`, heap; NULL = the page has one side */
    char *compared;
};

static void convert_free_plan(struct plan *p)
{
    traces_free(&p->in);
    free(p->compared);
}

static ez_err *convert_parse(struct ez_sess *s, struct plan *p, int argc, char **argv)
{
    EZ_TRY(traces_read(s, &p->in, argc - 1, argv + 1));
    p->what.out = opt_text(s, "-o");
    p->what.in = p->in.file.at;
    p->what.n = p->in.file.n;
    p->what.part = p->in.part;
    return NULL;
}

static ez_err *convert_all(struct ez_sess *s, struct plan *p)
{
    struct ez_converted done = { .out = NULL };
    struct progress bar;
    p->what.progress = progress_start(&bar, s);
    ez_err *e = ez_convert(&p->what, &done);
    progress_end(&bar);
    EZ_TRY(e);
    if (done.notice)
        out_warning(s, "%s", done.notice);
    print_repaired(s, &done.sum);
    out_line(s, "%s: %llu event%s handled", s->out.aside ? "standard output" : done.out,
             (unsigned long long)done.sum.events, ez_plural(done.sum.events));
    free(done.out);
    free(done.notice);
    ez_trace_sum_free(&done.sum);
    return NULL;
}

/* Converts to standard output (-o -). All messages go to standard error. */
static ez_err *convert_to_standard_output(struct ez_sess *s, struct plan *p)
{
    EZ_FREE char *folder = ez_sprintf("%s/eztsh-XXXXXX", ez_tmp_folder());
    if (!p->what.format)
        return ez_err_new(EZ_E_ARG, 0, "-o - needs -t FORMAT");
    if (!ez_convert_one_file(p->what.format))
        return ez_err_new(EZ_E_ARG, 0,
                          "-o -: Format %s makes a folder, which cannot go to standard output",
                          p->what.format);
    if (s->wire)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "-o -: Standard output is for the answers in JSON"),
            "Name a file");
    if (!mkdtemp(folder))
        return ez_err_new(EZ_E_SYS, errno, "Cannot make %s", folder);
    EZ_FREE char *path = ez_sprintf("%s/out", folder);
    p->what.out = path;
    s->out.aside = true;
    ez_err *e = convert_all(s, p);
    s->out.aside = false;
    if (!e)
        e = out_file(s, path);
    unlink(path);
    rmdir(folder);
    return e;
}

static ez_err *convert_write_out(struct ez_sess *s, struct plan *p)
{
    bool aside = p->what.out && !strcmp(p->what.out, "-");
    return aside ? convert_to_standard_output(s, p) : convert_all(s, p);
}

char *list_formats(void)
{
    EZ_FREE char *formats = ez_convert_formats();
    return ez_sprintf("FORMAT is one of these; those with * contain the collected values:\n%s",
                      formats);
}

void comp_format(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    const char *name;
    for (size_t i = 0; (name = ez_convert_format(i)); i++)
        comp_offer(out, word, name);
}

static ez_err *cmd_convert(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(convert_free_plan) struct plan p = { .what = { .format = NULL } };
    EZ_TRY(convert_parse(s, &p, argc, argv));
    p.what.format = opt_text(s, "-t");
    p.what.gzip = opt_given(s, "-z");
    p.what.columns = opt_given(s, "-columns");
    return convert_write_out(s, &p);
}

const struct ez_cmd command_convert = {
    .name = "convert",
    .usage = "[FILE.fxt...]",
    .brief = "Convert traces to a format for a viewer, by default Paje.",
    .help = "Several files, one for each process or rank, become one trace with aligned\n"
            "clocks. The ranks are in ascending order, each below its host. Without a file,\n"
            "convert uses the trace that is being written, or the newest trace of the\n"
            "session.\n"
            "\n"
            "OUT appears only when it is complete. A call that is not complete between -from\n"
            "and -to is shortened to the part between them. In csv, a name that begins with\n"
            "=, +, - or @ is written with an apostrophe before it, because a spreadsheet\n"
            "would read the name as a formula.",
    .examples = "convert app-4242.fxt\n"
                "convert app-*.fxt -t chrome -z -o app.json.gz\n"
                "convert app-4242.fxt -columns -o app.csv",
    .see_also = "report, stats, timeline, trace",
    .list = list_formats,
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-t",
              .kind = OPT_TEXT,
              .value = "FORMAT",
              .meaning = "one of the formats below; the default depends on the ending of OUT: a\n"
                         "suffix of the list below, or .FORMAT; for other endings it is paje",
              .complete = comp_format },
            { .name = "-o",
              .kind = OPT_FILE,
              .value = "OUT",
              .meaning = "the name of the output; \"-\" is standard output" },
            { .name = "-z",
              .meaning = "compress the output with gzip; some formats do not allow that" },
            { .name = "-columns",
              .meaning = "csv: write a column for each collected item, instead of one column for\n"
                         "all" },
            FILTERS),
    .flags = HERE | TEXT_ONLY | FRONT,
    .fn = cmd_convert,
    .complete = comp_fxt,
};

/* Finds the traces of a page; for BEFORE vs AFTER, those of AFTER. */
static ez_err *report_parse(struct ez_sess *s, struct plan *p, struct diff_plan *sides, int argc,
                            char **argv)
{
    if (!compare_wanted(argc - 1, argv + 1)) {
        if (opt_given(s, "-job"))
            return ez_err_new(EZ_E_ARG, 0, "-job is for a comparison: report BEFORE vs AFTER");
        return convert_parse(s, p, argc, argv);
    }
    EZ_TRY(compare_runs(s, argc - 1, argv + 1, sides, &p->compared));
    const struct traces *after = &sides->side[1].run.at[0];
    p->what.out = opt_text(s, "-o");
    p->what.in = after->file.at;
    p->what.n = after->file.n;
    p->what.part = after->part;
    p->what.compared = p->compared;
    return NULL;
}

static ez_err *cmd_report(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(convert_free_plan) struct plan p = { .what = { .format = NULL } };
    EZ_CLEANUP(diff_free_plan) struct diff_plan sides = { .by = EZ_DIFF_FUNCTION };
    EZ_TRY(report_parse(s, &p, &sides, argc, argv));
    p.what.format = "html";
    p.what.most_bytes = opt_number(s, "-max-size", 0);
    return convert_write_out(s, &p);
}

const struct ez_cmd command_report = {
    .name = "report",
    .usage = "[FILE.fxt... [vs FILE.fxt...]]",
    .brief = "Write a page with timeline, table and flame graph.",
    .help = "The page is for a browser and needs no network. All its figures are for the part\n"
            "of the trace that the timeline shows: zoom, click on a thread or a rank, or type\n"
            "options of \"help filters\" (not -where, -from, -to) into the filter line. A click\n"
            "on a call shows its caller and callees. The address contains the selection.\n"
            "\n"
            "With \"vs\", as in diff, the page shows the first run after \"vs\", the changes,\n"
            "and the timeline of the first run before \"vs\".\n"
            "\n"
            "The page contains all calls, each in about a byte or less. If the calls need\n"
            "more bytes than -max-size, the page contains the longest calls, and sums of the\n"
            "other calls for slices of time. With a short time span (-from, -to), the page\n"
            "can contain all calls of the span.\n"
            "\n"
            "Without a file, report uses the trace that is being written, or the newest\n"
            "trace of the session. The command copies d3 (Debian: node-d3) into the page.",
    .examples = "report app-4242.fxt\n"
                "report app-*.fxt -o app.html\n"
                "report app-4242.fxt -from 1.2s -to 1.3s\n"
                "report old-*.fxt vs new-*.fxt -o change.html",
    .see_also = "timeline, stats, diff, convert",
    OPERANDS(TRACE, 0, -1),
    OPTIONS(
        { .name = "-o", .kind = OPT_FILE, .value = "OUT.html", .meaning = "the name of the page" },
        { .name = "-max-size",
          .kind = OPT_SIZE,
          .value = "SIZE",
          .meaning = "the maximum size of all calls in the page; the default is 64M" },
        { .name = "-job",
          .meaning = "with vs: all files that an operand matches are one run, of a job" },
        FILTERS),
    .flags = HERE | TEXT_ONLY | FRONT,
    .fn = cmd_report,
    .complete = comp_fxt,
};

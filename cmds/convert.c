/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.c - `convert`: traces for the viewers; `report`: as a page. */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/mended.h"
#include "cmds/parse.h"
#include "cmds/progress.h"
#include "engine/convert.h"
#include "shell/out.h"
#include "shell/sess.h"

struct plan {
    struct ez_convert what;
    struct parse_list in;
};

static void free_plan(struct plan *p)
{
    parse_list_free(&p->in);
}

static ez_err *parse(struct ez_sess *s, struct plan *p, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "-z")) {
            p->what.gzip = true;
        } else if (!strcmp(word, "-t") || !strcmp(word, "-o")) {
            if (!argv[++i])
                return ez_err_new(EZ_E_ARG, 0, "%s needs a value.", word);
            if (word[1] == 't')
                p->what.format = argv[i];
            else
                p->what.out = parse_path(s, argv[i]);
        } else if (*word == '-') {
            return ez_err_new(EZ_E_ARG, 0, "%s has no option \"%s\".", argv[0], word);
        } else {
            EZ_TRY(parse_files(s, word, &p->in));
        }
    }
    p->what.in = p->in.at;
    p->what.n = p->in.n;
    return p->in.n ? NULL : ez_err_new(EZ_E_ARG, 0, "Which trace? %s FILE.fxt", argv[0]);
}

static ez_err *convert(struct ez_sess *s, struct plan *p)
{
    struct ez_converted done = { .out = NULL };
    struct progress bar;
    p->what.progress = progress_start(&bar, s);
    ez_err *e = ez_convert(&p->what, &done);
    progress_end(&bar);
    EZ_TRY(e);
    if (done.notice)
        out_warning(s, "%s", done.notice);
    print_mended(s, &done.sum);
    out_line(s, "%s: %llu events handled", done.out, (unsigned long long)done.sum.events);
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
    return NULL;
}

ez_err *cmd_convert(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(free_plan) struct plan p = { .in = { .at = NULL } };
    EZ_TRY(parse(s, &p, argc, argv));
    return convert(s, &p);
}

ez_err *cmd_report(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(free_plan) struct plan p = { .in = { .at = NULL } };
    EZ_TRY(parse(s, &p, argc, argv));
    if (p.what.format || p.what.gzip)
        return ez_err_new(EZ_E_ARG, 0, "report knows only -o; -t and -z belong to convert.");
    p.what.format = "html";
    return convert(s, &p);
}

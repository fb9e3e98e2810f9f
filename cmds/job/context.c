/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.c - `context` and `info contexts`: named sets of members (engine/jobs/context.h).
 * Tests: tests/e2e/wrong_jobs.ezt, tests/procs/jobs.sh */
#include "cmds/job/jobs.h"

#include <string.h>

#include "cmds/cmd.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

const char *jobs_context_word(struct ez_sess *s, const char **p)
{
    const struct ez_front *f = s->job ? s->job->front : NULL;
    const char *from = lex_skip_blanks(*p);
    bool quote = *from == '"' || *from == '\'';
    size_t whole = f && !quote ? ez_context_length(&f->contexts, &f->roster, from) : 0;
    size_t n = whole ? whole : lex_word(from);
    bool quoted = quote && n >= 2 && from[n - 1] == *from;
    *p = lex_skip_blanks(from + n);
    return n ? sess_format(s, "%.*s", (int)(n - 2 * quoted), from + quoted) : NULL;
}

bool jobs_means_all(const struct ez_sess *s, const char *context)
{
    return !strcmp(context ? context : s->job->context, "all");
}

static void context_say(struct ez_sess *s, const char *name)
{
    const struct ez_context *c = ez_context_find(&s->job->front->contexts, name);
    EZ_FREE char *text = ez_ranks_text(&c->ranks);
    uint64_t n = ez_ranks_count(&c->ranks);
    out_line(s, "Context %s: %llu process%s%s%s.", name, (unsigned long long)n, n == 1 ? "" : "es",
             *text ? ": " : "", text);
}

static ez_err *context_set(struct ez_sess *s, const char *name, const char *expr)
{
    struct ez_front *f = s->job->front;
    EZ_TRY(ez_context_define(&f->contexts, &f->roster, name, expr));
    jobs_print_missing(s, expr);
    context_say(s, name);
    return NULL;
}

static ez_err *context_use(struct ez_sess *s, const char *expr)
{
    struct ez_ranks ranks;
    EZ_TRY(jobs_ranks(s, expr, &ranks));
    uint64_t n = ez_ranks_count(&ranks);
    ez_ranks_free(&ranks);
    free(s->job->context);
    s->job->context = ez_strdup(expr);
    out_line(s, "Commands are for \"%s\" now: %llu process%s.", expr, (unsigned long long)n,
             n == 1 ? "" : "es");
    return NULL;
}

/* Returns the first word of *p and moves *p past it. */
static const char *context_word(struct ez_sess *s, const char **p)
{
    *p = lex_skip_blanks(*p);
    size_t n = strcspn(*p, " \t=");
    const char *word = sess_format(s, "%.*s", (int)n, *p);
    *p = lex_skip_blanks(*p + n);
    return word;
}

static ez_err *context_must_be(struct ez_sess *s, const char *name)
{
    if (ez_context_find(&s->job->front->contexts, name))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "There is no context \"%s\"", name),
                       "Define this context with \"context %s = EXPR\"", *name ? name : "NAME");
}

static ez_err *cmd_context(struct ez_sess *s, int argc, char **argv)
{
    const char *p = argv[1];
    EZ_TRY(jobs_need(s));
    const char *word = context_word(s, &p);
    if (*p == '=')
        return context_set(s, word, lex_skip_blanks(p + 1));
    if (!strcmp(word, "use") && *p)
        return context_use(s, p);
    const char *name = context_word(s, &p);
    if (!strcmp(word, "copy") && *name && *p) {
        EZ_TRY(context_must_be(s, name));
        return context_set(s, p, name);
    }
    if (!strcmp(word, "delete") && *name)
        return ez_context_delete(&s->job->front->contexts, name);
    if (strcmp(word, "add") && strcmp(word, "remove") && strcmp(word, "invert"))
        return opt_misuse(s);
    EZ_TRY(context_must_be(s, name));
    if (!strcmp(word, "invert"))
        return context_set(s, name, sess_format(s, "not %s", name));
    if (!*p)
        return opt_misuse(s);
    return context_set(s, name,
                       sess_format(s, *word == 'a' ? "%s or (%s)" : "%s and not (%s)", name, p));
}

const struct ez_cmd command_context = {
    .name = "context",
    .usage = "NAME = EXPR | use EXPR | add|remove NAME EXPR | copy OLD NEW | invert|delete NAME",
    .brief = "Name a set of processes of the job, or select a set.",
    .help = "EXPR consists of these terms, joined by not, and, or, and parentheses:\n"
            "  all, none, NAME               all processes; no process; the members of NAME\n"
            "  [ranks] 0-3,7,16-64/4         ranks, ranges, ranges with a step\n"
            "  hosts GLOB[,GLOB]             the processes of these hosts\n"
            "  sample P% [seed S] [of NAME]  a sample, the same one each time\n"
            "  where COND                    C over rank, size, host, pid, local (host rank)\n"
            "  where plugin FILE:FUNC        int FUNC(int rank, int size) of a shared object\n"
            "\n"
            "\"use\" selects the processes for the commands that follow; the prompt shows the\n"
            "selection. \"invert NAME\" replaces the set by the set of all other processes.\n"
            "The members are determined when a context is defined; \"all\" includes processes\n"
            "that join later. A rank that does not exist is reported. As the option -c of\n"
            "other commands, EXPR is the longest expression that follows -c.",
    .examples = "context edge = 0 or where rank == size - 1\n"
                "context some = sample 10% seed 7 of edge or hosts node1*\n"
                "probe -c edge exchange\n"
                "context use edge",
    .see_also = "info contexts, job",
    OPERANDS(JOB, 1, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_context,
};

static ez_err *cmd_info_contexts(struct ez_sess *s, int argc, char **argv)
{
    struct ez_ranks all;
    struct out_table t;
    EZ_TRY(jobs_ranks(s, "all", &all));
    const struct ez_contexts *c = &s->job->front->contexts;
    out_table_init(&t, s, "", "Name", ">Processes", "~Ranks", "~Defined as", NULL);
    out_table_keys(&t, "contexts", "default? name processes# ranks definition");
    EZ_FREE char *text = ez_ranks_text(&all);
    out_row(&t, !strcmp(s->job->context, "all") ? s->run.json ? "yes" : "*" : "", "all",
            out_cell_count(s, ez_ranks_count(&all)), text, "", NULL);
    ez_ranks_free(&all);
    for (size_t i = 0; i < c->v.n; i++) {
        const struct ez_context *x = &c->v.at[i];
        EZ_FREE char *ranks = ez_ranks_text(&x->ranks);
        out_row(&t, !strcmp(s->job->context, x->name) ? s->run.json ? "yes" : "*" : "", x->name,
                out_cell_count(s, ez_ranks_count(&x->ranks)), ranks, x->text, NULL);
    }
    out_table_end(&t, "");
    return NULL;
}

const struct ez_cmd command_info_contexts = {
    .parent = "info",
    .name = "contexts",
    .usage = "",
    .brief = "Show the named sets of processes.",
    .examples = "context even = where rank % 2 == 0\n"
                "info contexts",
    .see_also = "context, info job",
    OPERANDS(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_contexts,
};

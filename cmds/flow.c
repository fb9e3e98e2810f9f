/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.c - `if`, `while`, `else`, `end`, `loop_break`, `loop_continue` (flow.h).
 *
 * A block is read completely before it runs. A block keeps its lines as typed. To run a block,
 * flow.c passes each line to the dispatcher, as if typed. flow.c itself handles only `if` and
 * `while`: their blocks are the lines up to the matching `end`. The flag BLOCK marks commands that
 * have an `end`.
 *
 * Inside a user-defined command, $arg0 in a line is replaced as text, before the line is parsed, if
 * the command was called with at least one word (for $arg1, two, and so on). Otherwise $arg0 is not
 * replaced, and means the argument of a probed function. \$arg0 is not replaced, and loses its
 * backslash.
 * Tests: tests/e2e/flow.ezt */
#include "cmds/flow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

#define DEEPEST 100      /* maximum nesting of calls of user-defined commands */
#define MOST_NESTED 5000 /* maximum nesting of blocks */

enum flow_leave { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

struct flow {
    struct flow_lines reading; /* lines of the block being typed */
    bool plain;
    size_t deep; /* number of nested blocks of `reading` without `end` so far */
    flow_done_fn *done;
    unsigned running; /* number of blocks that run, one inside the other */
    enum flow_leave leaving;
    struct flow_words words; /* words of the running call of a user-defined command */
};

static void flow_free(void *state)
{
    flow_lines_clear(&((struct flow *)state)->reading);
}

static struct flow *flow_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct flow), flow_free };
    return sess_state(s, &kind);
}

void flow_lines_clear(struct flow_lines *l)
{
    for (size_t i = 0; i < l->line.n; i++)
        free(l->line.at[i]);
    EZ_VEC_FREE(&l->line);
}

/* ---- lines ----------------------------------------------------------------------------------- */

bool flow_is(const char *line, const char *word)
{
    size_t n = strlen(word);
    line = lex_skip_blanks(line);
    return !strncmp(line, word, n) && !lex_name(line + n) && !strchr("-_", line[n] ? line[n] : ' ');
}

bool flow_ends(const char *line)
{
    line = lex_skip_blanks(line);
    return flow_is(line, "end") && !*lex_skip_blanks(line + 3);
}

bool flow_begins(const char *line)
{
    return sess_flags_of(line) & BLOCK;
}

/* Indexes of the `else` and `end` lines that belong to a line. Without an `else`, other = end. For
 * a line that begins no block, both are the number of lines. */
struct flow_span {
    size_t other, end;
};
struct flow_block {
    const struct flow_lines *l;
    struct flow_span *span; /* spans of the block, one for each line */
};

/* Finds the `else` and `end` of every block at once. A search at run time would take quadratic
 * time. */
static ez_err *flow_match(struct flow_block *b)
{
    size_t n = b->l->line.n;
    EZ_VEC(size_t) open = { 0 };
    ez_err *e = NULL;
    b->span = ez_alloc((n + 1) * sizeof *b->span);
    for (size_t i = 0; i < n && !e; i++) {
        const char *line = b->l->line.at[i];
        struct flow_span *in = open.n ? &b->span[open.at[open.n - 1]] : NULL;
        b->span[i] = (struct flow_span){ n, n };
        if (in && flow_ends(line)) {
            in->end = i;
            in->other = EZ_MIN(in->other, i);
            open.n--;
        } else if (in && flow_is(line, "else")) {
            in->other = EZ_MIN(in->other, i);
        } else if (flow_begins(line)) {
            if (open.n == MOST_NESTED)
                e = ez_err_new(EZ_E_LIMIT, 0, "Blocks are nested more than %d deep", MOST_NESTED);
            EZ_PUSH(&open, i);
        }
    }
    EZ_VEC_FREE(&open);
    return e;
}

/* ---- reading --------------------------------------------------------------------------------- */

static ez_err *flow_add_line(struct ez_sess *s, const char *line)
{
    struct flow *f = flow_state(s);
    if (flow_ends(line) && !f->deep--) {
        struct flow_lines l = f->reading;
        f->reading = (struct flow_lines){ 0 };
        s->run.block = NULL;
        ez_err *e = f->done(s, &l);
        flow_lines_clear(&l);
        return e;
    }
    f->deep += !f->plain && flow_begins(line);
    EZ_PUSH(&f->reading.line, ez_strdup(line));
    return NULL;
}

void flow_read(struct ez_sess *s, bool plain, const char *prompt, flow_done_fn *done)
{
    struct flow *f = flow_state(s);
    flow_lines_clear(&f->reading);
    f->plain = plain;
    f->deep = 0;
    f->done = done;
    s->run.block = flow_add_line;
    if (!s->run.depth && s->in.terminal && prompt) {
        out_line(s, "%s", prompt);
        out_line(s, "End with a line saying just \"end\".");
    }
}

/* ---- words of a call --------------------------------------------------------------------------- */

/* Returns the replacement for the $arg... at `p`, which has *n letters; NULL if this $arg... is not
 * replaced. */
static const char *flow_argument(struct ez_sess *s, const char *p, size_t *n)
{
    const struct flow_words *w = &flow_state(s)->words;
    char *end;
    if (p[4] == 'c' && !isalnum((unsigned char)p[5]) && p[5] != '_') {
        *n = 5;
        return sess_format(s, "%d", w->n);
    }
    if (p[4] == '*') {
        char *all = ez_strdup("");
        for (int i = 0; i < w->n; i++) {
            char *more = ez_sprintf("%s%s%s", all, i ? " " : "", w->at[i]);
            free(all);
            all = more;
        }
        *n = 5;
        return sess_keep(s, all);
    }
    if (!isdigit((unsigned char)p[4]))
        return NULL;
    unsigned long i = strtoul(p + 4, &end, 10);
    *n = (size_t)(end - p);
    return i < (unsigned long)w->n ? w->at[i] : NULL;
}

/* Returns the line with $argc, $arg0, ... and $arg* replaced, and \$arg without its backslash; the
 * caller frees. Returns NULL if no user-defined command runs, or if the line has no "$arg". */
static char *flow_replaced(struct ez_sess *s, const char *line)
{
    if (!flow_state(s)->words.at || !strstr(line, "$arg"))
        return NULL;
    char *text = NULL;
    size_t size, from = s->kept.n, n;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (const char *p = line; *p;) {
        bool quoted = !strncmp(p, "\\$arg", 5), there = !quoted && !strncmp(p, "$arg", 4);
        const char *is = there ? flow_argument(s, p, &n) : NULL;
        if (is)
            fputs(is, f);
        else
            putc(*(p += quoted), f);
        p += is ? n : 1;
    }
    fclose(f);
    sess_forget(s, from);
    return text;
}

/* ---- running --------------------------------------------------------------------------------- */

static ez_err *flow_lines_run(struct ez_sess *s, const struct flow_block *b, size_t from,
                              size_t to);

static ez_err *flow_is_true(struct ez_sess *s, const char *line, bool *out)
{
    struct ez_value v;
    uint64_t n = 0;
    bool is_real;
    double real = 0;
    const char *word = lex_skip_blanks(line), *text = lex_skip_blanks(word + lex_name(word));
    if (!*text)
        return ez_err_new(EZ_E_ARG, 0, "\"%.*s\" needs a condition", (int)lex_name(word), word);
    EZ_TRY(ez_eval(values_of(s), text, NULL, &v));
    ez_err *e = ez_value_number(&v, &n, &is_real, &real);
    ez_value_clear(&v);
    *out = is_real ? real != 0 : n != 0;
    return e;
}

/* Runs the `if` or `while` of line `at`. *next becomes the index after its `end`. */
static ez_err *flow_choose(struct ez_sess *s, const struct flow_block *b, size_t at, size_t *next)
{
    struct flow *f = flow_state(s);
    const char *head = b->l->line.at[at];
    bool loop = flow_is(head, "while"), yes;
    size_t other = b->span[at].other, end = b->span[at].end;
    *next = end + 1;
    do {
        EZ_FREE char *line = flow_replaced(s, head);
        EZ_TRY(flow_is_true(s, line ? line : head, &yes));
        if (yes)
            EZ_TRY(flow_lines_run(s, b, at + 1, other));
        else if (!loop && other < end)
            EZ_TRY(flow_lines_run(s, b, other + 1, end));
        if (loop && f->leaving) {
            bool done = f->leaving == FLOW_BREAK;
            f->leaving = FLOW_ON;
            if (done)
                break;
        }
        if (!sess_sleep(s, 0))
            return ez_err_gdb(EZ_E_QUIT, "Quit");
    } while (loop && yes && !s->end.quit);
    return NULL;
}

static ez_err *flow_lines_run(struct ez_sess *s, const struct flow_block *b, size_t from, size_t to)
{
    struct flow *f = flow_state(s);
    while (from < to && !f->leaving && !s->end.quit) {
        const char *line = b->l->line.at[from];
        if (!s->run.block && (flow_is(line, "if") || flow_is(line, "while"))) {
            EZ_TRY(flow_choose(s, b, from, &from));
            continue;
        }
        EZ_FREE char *replaced = flow_replaced(s, line);
        EZ_TRY(sess_run(s, replaced ? replaced : line));
        from++;
    }
    return NULL;
}

static ez_err *flow_run(struct ez_sess *s, const struct flow_lines *l)
{
    struct flow *f = flow_state(s);
    if (f->running >= DEEPEST)
        return ez_err_new(EZ_E_LIMIT, 0, "Max user call depth exceeded -- command aborted");
    struct flow_block b = { .l = l };
    ez_err *e = flow_match(&b);
    char *repeat = s->run.repeat; /* an empty line repeats the whole block, not its last line */
    s->run.repeat = NULL;
    s->run.depth++;
    f->running++;
    if (!e)
        e = flow_lines_run(s, &b, 0, l->line.n);
    free(b.span);
    f->running--;
    s->run.depth--;
    f->leaving = f->running ? f->leaving : FLOW_ON;
    if (!f->running)
        s->run.block = NULL;
    free(s->run.repeat);
    s->run.repeat = repeat;
    return e;
}

ez_err *flow_call(struct ez_sess *s, const struct flow_lines *l, struct flow_words words)
{
    struct flow *f = flow_state(s);
    struct flow_words outer = f->words;
    f->words = words;
    ez_err *e = flow_run(s, l);
    f->leaving = FLOW_ON;
    f->words = outer;
    return e;
}

/* ---- the commands ---------------------------------------------------------------------------- */

/* Runs the block. l has the line that began the block and the lines up to its `end`; flow_whole()
 * adds the `end`, so that the block has the same form as a nested one. */
static ez_err *flow_whole(struct ez_sess *s, struct flow_lines *l)
{
    EZ_PUSH(&l->line, ez_strdup("end"));
    return flow_run(s, l);
}

static ez_err *flow_begin(struct ez_sess *s, const char *word, int argc, char **argv)
{
    if (argc < 2)
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" needs a condition", word);
    flow_read(s, false, NULL, flow_whole);
    EZ_PUSH(&flow_state(s)->reading.line, ez_sprintf("%s %s", word, argv[1]));
    return NULL;
}

static ez_err *cmd_if(struct ez_sess *s, int argc, char **argv)
{
    return flow_begin(s, "if", argc, argv);
}

const struct ez_cmd command_if = {
    .name = "if",
    .usage = "EXPR",
    .brief = "Run lines if an expression is nonzero.",
    .help = "The lines up to \"else\" or \"end\" run if EXPR is nonzero. The lines between\n"
            "\"else\" and \"end\" run if EXPR is 0.",
    .examples = "if $_exitcode != 0\n"
                "  echo it failed\\n\n"
                "else\n"
                "  stats\n"
                "end",
    .see_also = "while, define, print",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_if,
};

static ez_err *cmd_while(struct ez_sess *s, int argc, char **argv)
{
    return flow_begin(s, "while", argc, argv);
}

const struct ez_cmd command_while = {
    .name = "while",
    .usage = "EXPR",
    .brief = "Repeat lines while an expression is nonzero.",
    .help = "The lines up to \"end\" run again and again while EXPR is nonzero.",
    .examples = "set $i = 0\n"
                "while $i < 3\n"
                "  printf \"%d: %d\\n\", $i, table[$i]\n"
                "  set $i = $i + 1\n"
                "end",
    .see_also = "loop_break, loop_continue, if, define",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_while,
};

static ez_err *flow_leave(struct ez_sess *s, int how)
{
    struct flow *f = flow_state(s);
    if (!f->running)
        return ez_err_new(EZ_E_ARG, 0, "This command cannot be used at the top level");
    f->leaving = how;
    return NULL;
}

static ez_err *cmd_loop_break(struct ez_sess *s, int argc, char **argv)
{
    return flow_leave(s, FLOW_BREAK);
}

const struct ez_cmd command_loop_break = {
    .name = "loop_break",
    .usage = "",
    .brief = "Leave the innermost \"while\".",
    .examples = "while 1\n"
                "  stepi\n"
                "  if $pc == &done\n"
                "    loop_break\n"
                "  end\n"
                "end",
    .see_also = "while",
    OPERANDS(SUPPORT, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_loop_break,
};

static ez_err *cmd_loop_continue(struct ez_sess *s, int argc, char **argv)
{
    return flow_leave(s, FLOW_CONTINUE);
}

const struct ez_cmd command_loop_continue = {
    .name = "loop_continue",
    .usage = "",
    .brief = "Begin the next round of the innermost \"while\".",
    .examples = "while $i < 10\n"
                "  set $i = $i + 1\n"
                "  if $i % 2\n"
                "    loop_continue\n"
                "  end\n"
                "  print table[$i]\n"
                "end",
    .see_also = "while",
    OPERANDS(SUPPORT, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_loop_continue,
};

/* Reports `else` and `end` outside of a block. */
static ez_err *cmd_end(struct ez_sess *s, int argc, char **argv)
{
    return ez_err_new(EZ_E_ARG, 0, "This command cannot be used at the top level");
}

const struct ez_cmd command_else = {
    .name = "else",
    .usage = "",
    .brief = "Begin the lines that run if the condition of \"if\" is 0.",
    .examples = "if argc > 1\n"
                "  info registers\n"
                "else\n"
                "  backtrace\n"
                "end",
    .see_also = "define, document, if, while, actions",
    OPERANDS(SUPPORT, 0, -1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_end,
};

const struct ez_cmd command_end = {
    .name = "end",
    .usage = "",
    .brief = "End the lines that belong to a command.",
    .examples = "if argc > 1\n"
                "  info registers\n"
                "end",
    .see_also = "define, document, if, while, actions",
    OPERANDS(SUPPORT, 0, -1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_end,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c - `list`, `info source`: lines of source files. Tests: tests/procs/moving.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "engine/base/foreign.h"
#include "engine/base/strutil.h"
#include "engine/move/move.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LINES_MOST (INT32_MAX / 2)
#define LINE_MOST 65536

bool source_at(struct ez_sess *s, uint64_t pc, const char **file, unsigned *line)
{
    return ez_code_source(s->target, pc, file, line);
}

/* Returns the number of lines that `list` shows. */
static unsigned source_amount(const struct ez_sess *s)
{
    return s->ui.listsize && s->ui.listsize < LINES_MOST ? s->ui.listsize : LINES_MOST;
}

/* Returns the first line of a listing around `line`. */
static unsigned source_around(const struct ez_sess *s, unsigned line)
{
    unsigned half = source_amount(s) / 2;
    return line > half ? line - half : 1;
}

struct source { /* range of lines that `list` showed last; last = 0: none yet */
    char *file, *missing;
    unsigned first, last;
    uint64_t pc; /* an address in the file's code; 0 = not known */
};

static void source_free(void *state)
{
    struct source *l = state;
    free(l->file);
    free(l->missing);
}

static struct source *source_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct source), source_free };
    return sess_state(s, &kind);
}

unsigned source_last(struct ez_sess *s)
{
    return source_state(s)->last;
}

static void source_look_at(struct ez_sess *s, const char *file, unsigned first, unsigned last)
{
    struct source *l = source_state(s);
    char *name = ez_strdup(file); /* copied first, because `file` may be the string that is freed
                                   * below */
    if (l->file && strcmp(l->file, file))
        l->pc = 0;
    free(l->file);
    l->file = name;
    l->first = first;
    l->last = last;
}

/* Opens the file by its name. If that fails, opens a file with the same base name in the current
 * folder. */
static FILE *source_open(const char *file)
{
    int fd = ez_foreign_regular(file);
    fd = fd < 0 ? ez_foreign_regular(ez_base_name(file)) : fd;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !f)
        close(fd);
    return f;
}

/* Prints the lines from lo to hi that exist: as rows, or as text if `rows` is NULL. *shown: the
 * last printed line; 0 = none. */
static ez_err *source_print(struct ez_sess *s, const char *file, unsigned lo, unsigned hi,
                            const char *lead, struct out_table *rows, unsigned *shown)
{
    EZ_FREE char *text = NULL;
    size_t room = 0;
    ssize_t n;
    unsigned line = 0;
    FILE *f = source_open(file);
    *shown = 0;
    if (!f)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: No such file or directory", file);
    while (line < hi && (n = getline(&text, &room, f)) > 0 && n < LINE_MOST) {
        if (++line < lo)
            continue;
        text[strcspn(text, "\r\n")] = '\0';
        if (rows)
            out_row(rows, sess_format(s, "%u", line), text, NULL);
        else
            out_ours(s, "%s%u\t%s", lead, line, text);
        *shown = line;
    }
    fclose(f);
    return NULL;
}

void source_show(struct ez_sess *s, const char *file, unsigned lo, unsigned hi)
{
    unsigned shown;
    if (ez_err_drop(source_print(s, file, lo, hi, "", NULL, &shown)))
        return;
    for (unsigned line = hi - lo < GAP_MOST ? lo : hi; !s->out.quit_pager && !s->end.interrupted;
         line++) {
        out_line(s, "%u\tin %s", line, file);
        if (line == hi)
            break;
    }
}

bool source_of(struct ez_sess *s, const struct ez_stack_frame *f, const char **file, unsigned *line)
{
    if (f->signal)
        return false;
    if (!f->file)
        return source_at(s, f->pc - !f->exact, file, line);
    *file = f->file;
    *line = f->line;
    return true;
}

/* Finds the location of frame n; returns false if it is not known. *in_line: the pc is inside the
 * code of the line, not at its start. */
static bool source_of_frame(struct ez_sess *s, unsigned n, const char **file, unsigned *line,
                            uint64_t *pc, bool *in_line)
{
    struct ez_stack all;
    struct ez_code_line l = { 0 };
    if (!ez_err_drop(ez_stack_frames(values_of(s), n + 1ul, &all)))
        return false;
    const struct ez_stack_frame *f = n < all.frame.n ? &all.frame.at[n] : NULL;
    bool known = f && source_of(s, f, file, line);
    if (known) {
        *pc = f->pc;
        *in_line = !f->file && (!ez_code_line(s->target, *pc, &l) || l.lo != *pc || !l.statement);
    }
    ez_stack_clear(&all);
    return known;
}

bool source_print_line(struct ez_sess *s, unsigned n, bool address)
{
    const char *file;
    unsigned line, shown;
    uint64_t pc;
    bool middle;
    if (!source_of_frame(s, n, &file, &line, &pc, &middle))
        return false;
    struct source *l = source_state(s);
    const char *lead = address && middle ? sess_format(s, "%s\t", out_addr16(s, pc)) : "";
    ez_err *e = source_print(s, file, line, line, lead, NULL, &shown);
    source_look_at(s, file, source_around(s, line), 0);
    l->pc = pc;
    if (e || !shown) { /* As gdb, prints the error about a missing file only the first time. */
        bool said = l->missing && !strcmp(l->missing, file);
        out_line(s, "%s%u\t%s%s%s", lead, line, said ? "in " : "", file,
                 said ? "" : ": No such file or directory.");
        free(l->missing);
        l->missing = ez_strdup(file);
    }
    ez_err_free(e);
    return true;
}

static void source_note_main(uint64_t addr, void *arg)
{
    *(uint64_t *)arg = addr;
}

/* Selects the file for line numbers without a file: the selected file, else the file of the
 * selected frame, else that of main. Returns false if none is known. */
static bool source_default(struct ez_sess *s)
{
    struct source *l = source_state(s);
    const char *file;
    unsigned line;
    uint64_t pc;
    bool middle;
    if (l->file)
        return true;
    if (source_of_frame(s, ez_frame_number(values_of(s)), &file, &line, &pc, &middle)) {
        source_look_at(s, file, source_around(s, line), 0);
        l->pc = pc;
        return true;
    }
    uint64_t main_at = 0;
    ez_err_drop(ez_code_places(s->target, "main", source_note_main, &main_at));
    if (!main_at || !source_at(s, main_at, &file, &line))
        return false;
    line = line > source_amount(s) - 1 ? line - (source_amount(s) - 1)
                                       : 1; /* as gdb: the lines before main's first one */
    source_look_at(s, file, source_around(s, line), 0);
    l->pc = main_at;
    return true;
}

const char *source_location(struct ez_sess *s, const char *text)
{
    ez_addr at;
    bool number = *text && text[strspn(text, "0123456789")] == '\0';
    if (*text == '*' && ez_err_drop(parse_addr(s, text + 1, &at)))
        return sess_format(s, "*0x%llx", (unsigned long long)at.v);
    if (!number || !source_default(s))
        return text;
    return sess_format(s, "%s:%s", source_state(s)->file, text);
}

/* ---- list ---------------------------------------------------------------------------------- */

struct source_place {
    struct ez_sess *s;
    bool found;
};

static void source_see_place(ez_addr at, const struct ez_sym *sym, const struct ez_module_info *m,
                             void *arg)
{
    struct source_place *p = arg;
    const char *file;
    unsigned line;
    if (p->found || !source_at(p->s, at.v, &file, &line))
        return;
    source_look_at(p->s, file, line, line);
    source_state(p->s)->pc = at.v;
    p->found = true;
}

static ez_err *source_none(void)
{
    return ez_err_new(EZ_E_STATE, 0, "No symbol table is loaded.  Use the \"file\" command");
}

/* Prints the head of the listing for *ADDR, as gdb does: the address, its function and line. */
static ez_err *source_print_address(struct ez_sess *s, const char *text)
{
    ez_addr at;
    const char *file;
    unsigned line;
    uint64_t off;
    EZ_TRY(parse_addr(s, text, &at));
    const struct ez_sym *sym = ez_symbolize(s->target, at, &off, NULL);
    if (!out_json_requested(s) && sym && source_at(s, at.v, &file, &line))
        out_line(s, "%s is in %s (%s:%u).", out_addr(s, at.v),
                 parse_bare_name(s, ez_sym_pretty(sym)), file, line);
    return NULL;
}

static void source_note_file(const struct ez_line *l, const struct ez_module_info *m, void *arg)
{
    const char **file = arg;
    *file = *file ? *file : l->file;
}

/* Selects the file for the listing, under its name in the debug information, else as typed. Returns
 * EZ_E_NOTFOUND if there is no such file. */
static ez_err *source_line_in(struct ez_sess *s, const char *file)
{
    const char *full = NULL;
    for (unsigned line = 1; !full && line <= 1024; line *= 4)
        ez_err_drop(ez_locate_line(s->target, sess_format(s, "%s:%u", file, line), source_note_file,
                                   &full));
    FILE *f = full ? NULL : source_open(file);
    if (!full && !f)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No source file named %s", file);
    if (f)
        fclose(f);
    source_look_at(s, full ? full : file, 1, 0);
    return NULL;
}

/* Returns true for "+5" and "-3", which count from another line. */
static bool source_is_relative(const char *text)
{
    return (*text == '+' || *text == '-') && !text[1 + strspn(text + 1, "0123456789")];
}

static ez_err *source_relative(const char *text, unsigned from, unsigned *line)
{
    unsigned by;
    EZ_TRY(ez_str_line(text + 1, &by));
    if (!by)
        by = *text == '+' ? 5 : 15; /* as gdb */
    *line = *text == '+' ? from + by : from > by ? from - by : 1;
    return NULL;
}

/* Parses a line, and selects its file for the listing. from: the line from which "+3" and "-3"
 * count. */
static ez_err *source_line_of(struct ez_sess *s, const char *text, unsigned from, unsigned *line)
{
    struct source_place p = { .s = s };
    const char *colon = strrchr(text, ':');
    const char *digits = colon ? colon + 1 : text;
    if (source_is_relative(text))
        return source_relative(text, from, line);
    if (*digits && !digits[strspn(digits, "0123456789")]) {
        EZ_TRY(ez_str_line(digits, line));
        if (colon)
            EZ_TRY(source_line_in(s, sess_format(s, "%.*s", (int)(colon - text), text)));
        else if (!source_default(s))
            return source_none();
        return NULL;
    }
    if (*text == '*')
        EZ_TRY(source_print_address(s, text + 1));
    EZ_TRY(ez_locate(s->target, source_location(s, text), source_see_place, &p));
    if (!p.found)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No line number known for %s", text);
    *line = source_state(s)->first;
    return NULL;
}

static unsigned source_lines(const char *file)
{
    unsigned n = 0;
    int c, last = '\n';
    FILE *f = source_open(file);
    while (f && (c = getc(f)) != EOF) {
        n += c == '\n';
        last = c;
    }
    if (f)
        fclose(f);
    return n + (last != '\n');
}

unsigned source_lines_of(const char *text, int n)
{
    EZ_FREE char *file = ez_strndup(text, (size_t)n);
    return source_lines(file);
}

static ez_err *source_list(struct ez_sess *s, unsigned lo, unsigned hi)
{
    unsigned shown;
    const char *file = source_state(s)->file;
    lo = EZ_MAX(lo, 1u);
    if (hi < lo) { /* As gdb, prints nothing. The next `list` continues here. */
        source_look_at(s, file, lo, 0);
        return NULL;
    }
    struct out_table t;
    out_table_json(&t, s, "list", "line# text");
    out_fact(&t, "file", file);
    ez_err *e = source_print(s, file, lo, hi, "", t.json ? &t : NULL, &shown);
    if (!e && !shown)
        e = ez_err_new(EZ_E_ARG, 0, "Line number %u out of range; %s has %u lines", lo, file,
                       source_lines(file));
    out_table_json_end(&t, e);
    if (e)
        return e;
    source_look_at(s, file, lo, shown);
    /* An empty line continues the listing. */
    s->run.repeat = s->run.repeat ? (free(s->run.repeat), ez_strdup("list")) : NULL;
    return NULL;
}

/* Returns the line at which `list` continues, the base of "list +N". */
static unsigned source_next(struct ez_sess *s)
{
    const struct source *l = source_state(s);
    return l->last ? l->last + 1 : l->first;
}

/* Lists the following lines for "" and "+", the preceding lines for "-". */
static ez_err *source_list_on(struct ez_sess *s, bool back)
{
    const struct source *l = source_state(s);
    unsigned n = source_amount(s), first = l->first;
    if (!back)
        return source_list(s, source_next(s), source_next(s) + n - 1);
    if (first <= 1)
        return ez_err_new(EZ_E_ARG, 0, "Already at the start of %s", l->file);
    return source_list(s, first > n ? first - n : 1, first - 1);
}

static ez_err *source_list_range(struct ez_sess *s, const char *from, const char *to)
{
    unsigned n = source_amount(s), line = 0, last = 0;
    if (!*from && !*to)
        return ez_err_new(EZ_E_ARG, 0, "Two empty args do not say what lines to list");
    if (*from)
        EZ_TRY(source_line_of(s, from, source_next(s), &line));
    if (*to)
        EZ_TRY(source_line_of(s, to, *from ? line : source_next(s), &last));
    if (!*from)
        line = last >= n ? last - n + 1 : 1;
    return source_list(s, line, *to ? last : line + n - 1);
}

static ez_err *cmd_list(struct ez_sess *s, int argc, char **argv)
{
    unsigned line = 0;
    EZ_FREE char *text = ez_strdup(argc > 1 ? argv[1] : "");
    char *comma = strchr(text, ',');
    bool on = !*text || !strcmp(text, "-") || !strcmp(text, "+");
    if ((on || comma || *text == '+' || *text == '-') && !source_default(s))
        return source_none();
    if (on)
        return source_list_on(s, *text == '-');
    if (comma) {
        *comma = '\0';
        text[strcspn(text, " \t")] = '\0';
        return source_list_range(s, text, parse_skip(comma + 1));
    }
    EZ_TRY(source_line_of(s, text, source_next(s), &line));
    line = source_around(s, line);
    return source_list(s, line, line + source_amount(s) - 1);
}

const struct ez_cmd command_list = {
    .name = "list",
    .alias = "l",
    .usage = "[LINE|FUNC|FILE:LINE|A,B|-]",
    .brief = "Show source lines.",
    .help = "Without operands, the first list shows ten lines (\"set listsize\") around the\n"
            "line of the selected frame, or before main. Later ones show the ten lines after\n"
            "the last listed line; \"-\" shows the ten lines before the first. A shows ten\n"
            "lines around line A, and A,B shows lines A to B. \"A,\" shows ten lines that\n"
            "begin with A, \",B\" ten lines that end with B.\n"
            "\n"
            "A and B are a line of the current file, FILE:LINE, a function or *ADDR. +N and\n"
            "-N count from the line after the last listed line; as B, +N counts from A.",
    .examples = "list compute\n"
                "list 20,+5\n"
                "list main.c:20,30\n"
                "list",
    .see_also = "info line, info source, disassemble",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = RAW,
    .fn = cmd_list,
    .complete = comp_location,
};

static void source_note_code(const struct ez_line *l, const struct ez_module_info *m, void *arg)
{
    uint64_t *pc = arg;
    *pc = *pc ? *pc : l->vaddr + m->bias;
}

/* Finds out how the current file was compiled. The debug information is looked up by the address of
 * some code of the file. Returns false if not known. */
static bool source_unit(struct ez_sess *s, struct ez_code_unit *out)
{
    struct source *l = source_state(s);
    *out = (struct ez_code_unit){ .folder = NULL };
    for (unsigned line = 1; !l->pc && line <= 1024; line *= 4)
        ez_err_drop(ez_locate_line(s->target, sess_format(s, "%s:%u", l->file, line),
                                   source_note_code, &l->pc));
    return l->pc && ez_code_unit(s->target, l->pc, out);
}

static void source_say(struct ez_sess *s, bool known, const struct ez_code_unit *u, unsigned lines)
{
    const char *file = source_state(s)->file, *name = ez_base_name(file);
    bool same = u->name && !strcmp(ez_base_name(u->name), name);
    out_line(s, "Current source file is %s", same ? u->name : name);
    if (known && u->folder)
        out_line(s, "Compilation directory is %s", u->folder);
    out_line(s, "Located in %s", file);
    if (lines)
        out_line(s, "Contains %u line%s.", lines, ez_plural(lines));
    if (!known)
        return;
    if (u->language)
        out_line(s, "Source language is %s.", u->language);
    if (u->producer)
        out_line(s, "Producer is %s.", u->producer);
    out_line(s, "Compiled with DWARF %u debugging format.", u->version);
    out_line(s, "%s preprocessor macro info.", u->macros ? "Includes" : "Does not include");
}

static ez_err *cmd_info_source(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    struct ez_code_unit u;
    const struct source *l = source_state(s);
    bool any = source_default(s), known = any && source_unit(s, &u);
    unsigned lines = any ? source_lines(l->file) : 0;
    if (!known)
        u = (struct ez_code_unit){ .folder = NULL };
    out_table_json(&t, s, "source", "");
    out_fact(&t, "name", any ? ez_base_name(l->file) : "");
    out_fact(&t, "path", any ? l->file : "");
    out_fact(&t, "folder", u.folder ? u.folder : "");
    out_fact(&t, "lines#", lines ? sess_format(s, "%u", lines) : "");
    out_fact(&t, "language", u.language ? u.language : "");
    out_fact(&t, "producer", u.producer ? u.producer : "");
    out_fact(&t, "dwarf#", known ? sess_format(s, "%u", u.version) : "");
    bool json = t.json;
    out_table_json_end(&t, NULL);
    if (json)
        return NULL;
    if (any)
        source_say(s, known, &u, lines);
    else
        out_line(s, "No current source file.");
    return NULL;
}

const struct ez_cmd command_info_source = {
    .parent = "info",
    .name = "source",
    .usage = "",
    .brief = "Show the source file that list uses.",
    .examples = "info source",
    .see_also = "list, info line",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_source,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.c - selects the format, chooses the output's name and runs a conversion (convert.h).
 *
 * Tests: tests/unit/format/check_convert.c, tests/trace/formats.sh */
#include "engine/format/convert.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/format/formats.h"

const char *ez_convert_format(size_t i)
{
    const struct ez_format *f = ez_format_at(i);
    return f ? f->name : NULL;
}

char *ez_convert_formats(void)
{
    const struct ez_format *f;
    char *list = ez_strdup("");
    for (size_t i = 0; (f = ez_format_at(i)); i++) {
        EZ_FREE char *before = list;
        list = ez_sprintf("%s  %-10s  %-16s  %s%s\n", before, f->name, f->suffix, f->brief,
                          f->collected ? " *" : "");
    }
    return list;
}

/* ---- the format --------------------------------------------------------------------- */

static bool convert_ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n > k && !strcmp(text + n - k, end);
}

/* Returns the length of `suffix` if `out` ends with it, or, for a format with -z, with it and
 * ".gz"; otherwise 0. */
static size_t convert_suffix_fits(const struct ez_format *f, const char *out, const char *suffix)
{
    EZ_FREE char *gz = ez_sprintf("%s.gz", suffix);
    bool fits = convert_ends_in(out, suffix) || (f->gzip && convert_ends_in(out, gz));
    return fits ? strlen(suffix) : 0;
}

/* Returns the format whose suffix `out` has, or NULL. If several suffixes match, the longest is
 * used: ".vite.trace" rather than ".trace". A format's name is also accepted as a suffix:
 * ".paje". */
static const struct ez_format *convert_by_suffix(const char *out)
{
    const struct ez_format *best = NULL;
    size_t longest = 0;
    const struct ez_format *f;
    for (size_t i = 0; (f = ez_format_at(i)); i++) {
        EZ_FREE char *name = ez_sprintf(".%s", f->name);
        size_t own = convert_suffix_fits(f, out, f->suffix),
               named = convert_suffix_fits(f, out, name);
        if (EZ_MAX(own, named) <= longest)
            continue;
        longest = EZ_MAX(own, named);
        best = f;
    }
    return best;
}

static char *convert_list(bool suffixes)
{
    const struct ez_format *f;
    char *all = ez_strdup("");
    for (size_t i = 0; (f = ez_format_at(i)); i++) {
        char *more = ez_sprintf("%s%s%s", all, i ? ", " : "", suffixes ? f->suffix : f->name);
        free(all);
        all = more;
    }
    return all;
}

static ez_err *convert_unknown_format(const char *name)
{
    EZ_FREE char *all = convert_list(false);
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a format", name),
                       "The formats are %s", all);
}

static ez_err *convert_unknown_suffix(const char *out)
{
    EZ_FREE char *all = convert_list(true);
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s: no format has this suffix", out),
                       "-t names a format; the known suffixes are %s", all);
}

static const struct ez_format *convert_by_name(const char *name)
{
    const struct ez_format *f = ez_format_at(0);
    for (size_t i = 0; f && strcmp(name, f->name);)
        f = ez_format_at(++i);
    return f;
}

bool ez_convert_one_file(const char *format)
{
    const struct ez_format *f = convert_by_name(format);
    return !f || !f->folder; /* ez_convert() reports an unknown format */
}

static ez_err *convert_choose(const struct ez_convert *w, const struct ez_format **f)
{
    *f = w->format ? convert_by_name(w->format)
         : w->out  ? convert_by_suffix(w->out)
                   : ez_format_at(0);
    if (!*f)
        return w->format ? convert_unknown_format(w->format) : convert_unknown_suffix(w->out);
    if (w->gzip && !(*f)->gzip && !(*f)->compressed)
        return ez_err_new(EZ_E_ARG, 0, "-z: the %s format cannot be compressed", (*f)->name);
    if (w->columns && !(*f)->columns)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "-columns: the %s format has no columns", (*f)->name),
            "Use -t csv");
    if (w->columns)
        *f = (*f)->columns;
    return NULL;
}

/* ---- the output's name ----------------------------------------------------------------- */

/* Returns the output's name without suffix, which is never empty. For one input, this is the
 * input's name: run/app-4242.fxt -> run/app-4242. For several inputs, it is the common beginning of
 * their names: app-1.fxt, app-2.fxt -> app. The caller frees the name. */
static char *convert_stem(char *const *in, size_t n)
{
    char *s = ez_strdup(in[0]);
    size_t len = strlen(s);
    if (convert_ends_in(s, ".fxt"))
        s[len - 4] = 0;
    for (size_t i = 1; i < n; i++) {
        size_t k = 0;
        while (s[k] && s[k] == in[i][k])
            k++;
        s[k] = 0;
    }
    char *slash = strrchr(s, '/'), *base = slash ? slash + 1 : s;
    for (len = strlen(base);
         n > 1 && len && (isdigit((unsigned char)base[len - 1]) || strchr("-_.", base[len - 1]));)
        base[--len] = 0;
    if (*base)
        return s;
    char *t = ez_sprintf("%strace", s);
    free(s);
    return t;
}

static char *convert_output_name(const struct ez_convert *w, const struct ez_format *f, bool gzip)
{
    if (w->out)
        return ez_strdup(w->out);
    EZ_FREE char *s = convert_stem(w->in, w->n);
    return ez_sprintf("%s%s%s", s, f->suffix, gzip ? ".gz" : "");
}

static ez_err *convert_not_an_input(const struct ez_convert *w, const char *out)
{
    struct stat a, b;
    for (size_t i = 0; i < w->n; i++)
        if (!stat(w->in[i], &a) && !stat(out, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
            return ez_err_hint(
                ez_err_new(EZ_E_ARG, 0, "%s is an input file, and cannot be the output too", out),
                "-o names another output file");
    return NULL;
}

/* ---- one run ------------------------------------------------------------------------------ */

static ez_err *convert_write_it(struct ez_replay *r, const struct ez_convert *w,
                                const struct ez_format *f, const struct ez_conv_out *out,
                                char **notice)
{
    struct ez_sink *sink = NULL;
    ez_replay_progress(r, &w->progress);
    if (w->columns)
        ez_replay_collected(r);
    EZ_TRY(f->open(f, ez_replay_model(r), out, &sink));
    ez_err *e = ez_replay_run(r, f->item, sink, &w->progress);
    if (!e && f->counted)
        ez_replay_counts(r, f->counted, sink);
    if (!e)
        e = f->close(sink);
    if (!e && sink->notice)
        *notice = ez_strdup(sink->notice);
    f->destroy(sink);
    return e;
}

ez_err *ez_convert(const struct ez_convert *w, struct ez_converted *done)
{
    const struct ez_format *f;
    struct ez_replay *r = NULL;
    if (w->out)
        EZ_TRY(convert_not_an_input(w, w->out));
    EZ_TRY(convert_choose(w, &f));
    bool gzip = f->gzip && (w->gzip || (w->out && convert_ends_in(w->out, ".gz")));
    EZ_FREE char *out = convert_output_name(w, f, gzip);
    EZ_TRY(convert_not_an_input(w, out));
    EZ_TRY(ez_replay_open_part(w->in, w->n, &w->part, &w->progress, &r));
    char *notice = NULL;
    ez_err *e = convert_write_it(
        r, w, f, &(struct ez_conv_out){ out, gzip, w->most_bytes, w->compared }, &notice);
    if (!e) {
        done->notice = notice;
        done->out = ez_strdup(out);
        done->sum = ez_trace_sum_copy(ez_replay_sum(r));
    }
    ez_replay_close(r);
    return e;
}

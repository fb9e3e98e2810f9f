/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_lex.c - any bytes as a line that a user types, or that a script has.
 *
 * The words of a line, quoted again, give the same words. The only error is a quote that is not
 * closed. Numbers, sizes and times give an error or a value. */
#include "shell/parse_word.h"
#include "shell/lex.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 2000000;
const size_t fuzz_max = 4096;

static const char *const seeds[] = {
    "break main",
    "probe 'a b' \"c\\\"d\\\\\" e\\ f # comment",
    "x/4x $sp",
    "!ls -l 'x y'",
    "probe ^ez_.*\\.c$ --entry # not \"closed",
    "set args 'unclosed",
    "\"",
    "'",
    "a#b #c",
    "1.5s",
    "300 ms",
    "0x1p3us",
    "nan",
    "inf s",
    "1e400ns",
    "18446744073709551615",
    "18446744073709551616",
    "16777216T",
    "0x10K",
    "077G",
    "1g ",
    "--",
    "-1",
    "+3",
    "0x",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    return fuzz_text(n < EZ_ARRAY_LEN(seeds) ? seeds[n] : "", buf, max);
}

/* Is a quote open at the end? Written after the description in lex.h only. */
static bool unbalanced(const char *p)
{
    char quote = 0;
    bool word = false; /* inside one */
    for (; *p; p++) {
        bool blank = strchr(" \t\n\r", *p);
        if (quote && *p == quote)
            quote = 0;
        else if (quote == '"' && *p == '\\' && p[1] && strchr("\"\\", p[1]))
            p++;
        else if (!quote && !word && *p == '#')
            return false;
        else if (!quote && strchr("'\"", *p))
            quote = *p;
        word = quote || !blank;
    }
    return quote;
}

/* Quoted as lex.h says: '…', and "'" where there is one inside. */
static char *quoted(char *const *words)
{
    size_t n = 1;
    for (char *const *w = words; *w; w++)
        n += 5 * strlen(*w) + 3;
    char *line = ez_alloc(n), *o = line;
    for (char *const *w = words; *w; w++) {
        *o++ = '\'';
        for (const char *p = *w; *p; p++)
            o = *p == '\'' ? stpcpy(o, "'\"'\"'") : (*o = *p, o + 1);
        o = stpcpy(o, "' ");
    }
    return line;
}

static void words_reproduce(char **words, int n)
{
    EZ_FREE char *line = quoted(words);
    char **again;
    int m;
    ez_err *e = lex_words(line, &again, &m);
    MUST(!e, "quoted words: %s", e->msg);
    MUST(n == m && !again[m], "%d words became %d", n, m);
    for (int i = 0; i < n; i++)
        MUST(!strcmp(words[i], again[i]), "\"%s\" became \"%s\"", words[i], again[i]);
    lex_free(again);
}

static void lexer(const char *text)
{
    char **words;
    int n;
    MUST(lex_name(text) <= strlen(text), "a name beyond the end");
    MUST(strlen(lex_skip_blanks(text)) <= strlen(text), "blanks beyond the end");
    ez_err *e = lex_words(text, &words, &n);
    MUST(!!e == unbalanced(text), "%s", e ? e->msg : "an open quote was taken");
    if (e) {
        MUST(e->code == EZ_E_ARG, "%s", e->msg);
        ez_err_free(e);
        return;
    }
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += strlen(words[i]);
    MUST(bytes <= strlen(text), "%zu bytes out of %zu", bytes, strlen(text));
    words_reproduce(words, n);
    for (int i = 0; i < n; i++)
        free(lex_sh_quote(words[i]));
    lex_free(words);
}

static void numbers(const char *text)
{
    uint64_t count = 1, size = 1, ns = 1;
    bool is_count = ez_err_drop(parse_count(text, "a test", &count));
    bool is_size = ez_err_drop(parse_size(text, &size));
    MUST(!is_count || (is_size && size == count), "a plain number is a size: \"%s\"", text);
    MUST(!is_count || (*text >= '0' && *text <= '9'), "\"%s\" is no number", text);
    if (ez_err_drop(parse_time(text, &ns)) && is_count && count < UINT64_MAX / 1000000000 &&
        strspn(text, "123456789") == 1 && text[strspn(text, "0123456789")] == 0)
        MUST(ns == count * 1000000000u, "\"%s\" s are %lu ns", text, (unsigned long)ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EZ_FREE char *text = ez_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    lexer(text);
    numbers(text);
    return 0;
}

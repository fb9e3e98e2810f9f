/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depends.c - finds and changes rules for make (depends.h).
 * Tests: tests/source/command.sh, tests/source/wrapper.sh */
#include "modules/instrument/source/depends.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/strutil.h"

#define MOST (64u << 20) /* maximum number of bytes of a file with rules */

typedef EZ_VEC(char) depends_text;

/* Returns the length of a path without the suffix of its last part. */
static size_t depends_stem(const char *path)
{
    const char *dot = strrchr(ez_base_name(path), '.');
    return dot ? (size_t)(dot - path) : strlen(path);
}

static const char *depends_value(const struct ez_command *c, const char *option)
{
    const char *value = NULL;
    for (size_t i = 1; i + 1 < c->n; i++)
        if (!strcmp(c->argv[i], option))
            value = c->argv[i + 1];
    return value ? value : "";
}

/* Lists the files that may have the rules: those that the options name; else files beside the
 * output or in the current folder, whose names come from the output, the source, both (gcc, when it
 * also links) or -dumpbase. The caller frees them. */
static void depends_files(const struct ez_command *c, const char *source, ez_words *out)
{
    const char *base = ez_base_name(source), *result = c->out,
               *dump = depends_value(c, "-dumpbase"), *before = depends_value(c, "-dumpdir");
    int n = (int)depends_stem(base);
    for (size_t i = 0; i < c->rules.n; i++)
        EZ_PUSH(out, ez_strdup(c->rules.at[i]));
    if (c->rules.n)
        return;
    EZ_PUSH(out, ez_sprintf("%.*s.d", n, base));
    EZ_PUSH(out, ez_sprintf("a-%.*s.d", n, base)); /* Without -o, the output is a.out. */
    EZ_PUSH(out, ez_sprintf("%s%.*s.d", before, n, base));
    EZ_PUSH(out, ez_sprintf("%s%.*s.d", before, (int)depends_stem(dump), dump));
    if (!result)
        return;
    int dir = (int)(ez_base_name(result) - result);
    EZ_PUSH(out, ez_sprintf("%.*s.d", (int)depends_stem(result), result));
    EZ_PUSH(out, ez_sprintf("%.*s-%.*s.d", (int)depends_stem(result), result, n, base));
    EZ_PUSH(out, ez_sprintf("%s-%.*s.d", result, n, base));
    EZ_PUSH(out, ez_sprintf("%.*s%.*s.d", dir, result, n, base));
    EZ_PUSH(out, ez_sprintf("%.*s%.*s.d", dir, result, (int)depends_stem(dump), dump));
}

/* Returns a file name with the escapes that compilers use in rules. The caller frees it. */
static char *depends_quote(const char *name)
{
    depends_text v = { 0 };
    while (name[0] == '.' && name[1] == '/')
        name += 2 + strspn(name + 2, "/");
    for (const char *p = name; *p; p++) {
        if (*p == ' ' || *p == '\t')
            for (const char *q = p; q > name && q[-1] == '\\'; q--)
                EZ_PUSH(&v, '\\');
        if (strchr(" \t#$", *p))
            EZ_PUSH(&v, *p == '$' ? '$' : '\\');
        EZ_PUSH(&v, *p);
    }
    EZ_PUSH(&v, 0);
    return v.at;
}

static ez_err *depends_write(const char *file, const depends_text *v)
{
    EZ_CLOSE int fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < v->n;) {
        ssize_t k = write(fd, v->at + at, v->n - at);
        if (k < 0 && errno != EINTR)
            return ez_err_new(EZ_E_SYS, errno, "%s", file);
        at += (size_t)EZ_MAX(k, 0);
    }
    return fd < 0 ? ez_err_new(EZ_E_SYS, errno, "%s", file) : NULL;
}

static ez_err *depends_file(const char *file, const char *was, const char *is, bool *found)
{
    struct stat st;
    size_t n;
    depends_text out = { 0 };
    if (stat(file, &st) || !S_ISREG(st.st_mode))
        return NULL;
    EZ_FREE char *text = ez_str_load(file, MOST, &n);
    if (!text || !strstr(text, was))
        return NULL;
    char *at = text;
    for (char *hit; (hit = strstr(at, was)); at = hit + strlen(was)) {
        EZ_APPEND(&out, at, (size_t)(hit - at));
        EZ_APPEND(&out, is, strlen(is));
    }
    EZ_APPEND(&out, at, strlen(at));
    *found = true;
    ez_err *e = depends_write(file, &out);
    EZ_VEC_FREE(&out);
    return e;
}

ez_err *ez_depends_rename(const struct ez_command *c, const char *path, const char *source,
                          bool *found)
{
    ez_words files = { 0 };
    EZ_FREE char *was = depends_quote(path), *is = depends_quote(source);
    ez_err *e = NULL;
    *found = false;
    depends_files(c, source, &files);
    for (size_t i = 0; i < files.n && !e; i++)
        e = depends_file(files.at[i], was, is, found);
    ez_words_free(&files);
    return e;
}

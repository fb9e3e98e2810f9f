/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.c - errors as values, and allocation that ends the shell on failure (err.h, base.h).
 * Tests: tests/unit/process/check_life.c */
#include "engine/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ez_out_of_memory(void)
{
    static const char text[] = "eztsh: out of memory\n";
    ssize_t n = write(2, text, sizeof text - 1);
    (void)n;
    abort();
}

void *ez_alloc(size_t n)
{
    void *p = calloc(1, n ? n : 1);
    if (!p)
        ez_out_of_memory();
    return p;
}

void *ez_realloc(void *p, size_t n)
{
    p = realloc(p, n ? n : 1);
    if (!p)
        ez_out_of_memory();
    return p;
}

void ez_sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    size_t i = 1;
    while (i < n && compare((char *)base + (i - 1) * size, (char *)base + i * size) <= 0)
        i++;
    if (i < n)
        qsort(base, n, size, compare);
}

char *ez_strdup(const char *s)
{
    char *p = strdup(s ? s : "");
    if (!p)
        ez_out_of_memory();
    return p;
}

char *ez_strndup(const char *s, size_t n)
{
    char *p = strndup(s ? s : "", n);
    if (!p)
        ez_out_of_memory();
    return p;
}

static char *err_vformat(const char *fmt, va_list ap)
{
    char *s;
    if (vasprintf(&s, fmt, ap) < 0)
        ez_out_of_memory();
    return s;
}

char *ez_sprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = err_vformat(fmt, ap);
    va_end(ap);
    return s;
}

ez_err *ez_err_new(enum ez_code code, int errnum, const char *fmt, ...)
{
    ez_err *e = ez_alloc(sizeof *e);
    va_list ap;
    e->code = code;
    e->errnum = errnum;
    va_start(ap, fmt);
    e->msg = err_vformat(fmt, ap);
    va_end(ap);
    if (errnum) {
        char *full = ez_sprintf("%s: %s", e->msg, strerror(errnum));
        free(e->msg);
        e->msg = full;
    }
    return e;
}

ez_err *ez_err_gdb(enum ez_code code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    EZ_FREE char *msg = err_vformat(fmt, ap);
    va_end(ap);
    ez_err *e = ez_err_new(code, 0, "%s", msg);
    e->verbatim = true;
    return e;
}

ez_err *ez_err_hint(ez_err *e, const char *fmt, ...)
{
    va_list ap;
    free(e->hint);
    va_start(ap, fmt);
    e->hint = err_vformat(fmt, ap);
    va_end(ap);
    return e;
}

ez_err *ez_err_place(ez_err *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    EZ_FREE char *where = err_vformat(fmt, ap);
    va_end(ap);
    char *full = ez_sprintf("%s%s", e->msg, where);
    e->what = strlen(e->msg);
    free(e->msg);
    e->msg = full;
    return e;
}

ez_err *ez_err_why(ez_err *e, int why)
{
    e->why = why;
    return e;
}

ez_err *ez_err_wrap(ez_err *e, const char *fmt, ...)
{
    va_list ap;
    if (!e)
        return NULL;
    va_start(ap, fmt);
    EZ_FREE char *what = err_vformat(fmt, ap);
    va_end(ap);
    char *full = ez_sprintf("%s: %s", what, e->msg);
    e->what += e->what ? strlen(what) + 2 : 0;
    e->verbatim = false;
    free(e->msg);
    e->msg = full;
    return e;
}

const char *ez_err_stop(const char *text)
{
    size_t n = strlen(text);
    return n && strchr(".?!", text[n - 1]) ? "" : ".";
}

char *ez_err_text(const ez_err *e)
{
    if (e->hint && *e->hint)
        return ez_sprintf("%s%s %s%s", e->msg, ez_err_stop(e->msg), e->hint, ez_err_stop(e->hint));
    return ez_sprintf("%s%s", e->msg, e->verbatim ? "" : ez_err_stop(e->msg));
}

void ez_err_free(ez_err *e)
{
    if (!e)
        return;
    free(e->msg);
    free(e->hint);
    free(e);
}

bool ez_err_drop(ez_err *e)
{
    bool ok = !e;
    ez_err_free(e);
    return ok;
}

ez_err *ez_err_first(ez_err *e, ez_err *later)
{
    if (e)
        ez_err_free(later);
    return e ? e : later;
}

const char *ez_code_name(enum ez_code code)
{
    static const char *const name[] = {
        [EZ_OK] = "ok",           [EZ_E_SYS] = "system",        [EZ_E_GONE] = "gone",
        [EZ_E_PERM] = "perm",     [EZ_E_STATE] = "state",       [EZ_E_ARG] = "arg",
        [EZ_E_NOTFOUND] = "none", [EZ_E_FORMAT] = "format",     [EZ_E_DECODE] = "decode",
        [EZ_E_UNRELOC] = "reloc", [EZ_E_RANGE] = "range",       [EZ_E_REFUSED] = "refused",
        [EZ_E_SECCOMP] = "secc",  [EZ_E_RESTART] = "restart",   [EZ_E_REMOTE] = "remote",
        [EZ_E_LIMIT] = "limit",   [EZ_E_MISMATCH] = "mismatch", [EZ_E_TIMEOUT] = "timeout",
        [EZ_E_QUIT] = "quit",
    };
    return (size_t)code < EZ_ARRAY_LEN(name) && name[code] ? name[code] : "?";
}

const char *ez_errno_name(int errnum)
{
    const char *s = strerrorname_np(errnum);
    return s ? s : "E?";
}

int ez_errno_by_name(const char *name)
{
    for (int e = 1; e < 134; e++)
        if (!strcmp(ez_errno_name(e), name))
            return e;
    return EINVAL;
}

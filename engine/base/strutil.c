/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strutil.c - functions for text from outside: symbols, paths, thread names (strutil.h). */
#include "engine/base/strutil.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ez_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool ez_path_ends_in(const char *path, const char *wanted)
{
    size_t n = strlen(path), w = strlen(wanted);
    return n >= w && !strcmp(path + n - w, wanted) &&
           (n == w || wanted[0] == '/' || path[n - w - 1] == '/');
}

bool ez_path_is_library(const char *path, const char *lib)
{
    const char *base = ez_base_name(path);
    size_t n = strlen(lib);
    if (!strcmp(path, lib))
        return true;
    if (!strncmp(base, "memfd:", 6))
        base += 6;
    return !strncmp(base, lib, n) && (!base[n] || base[n] == '.' || base[n] == '-');
}

size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
    if (n <= 1) {
        *cp = *p;
        return n;
    }
    *cp = *p & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *cp = *cp << 6 | (p[i] & 0x3f);
    }
    bool surrogate = *cp >= 0xd800 && *cp < 0xe000;
    return *cp >= least[n] && *cp < 0x110000 && !surrogate ? n : 0;
}

char *ez_str_digits(char *end, uint64_t v)
{
    static const char pair[] = "00010203040506070809101112131415161718192021222324252627282930"
                               "31323334353637383940414243444546474849505152535455565758596061"
                               "62636465666768697071727374757677787980818283848586878889909192"
                               "93949596979899";
    for (; v >= 100; v /= 100)
        end = memcpy(end - 2, pair + v % 100 * 2, 2);
    if (v >= 10)
        return memcpy(end - 2, pair + v * 2, 2);
    *--end = (char)('0' + v);
    return end;
}

/* Returns true if a terminal does not print the character, or if it moves, hides or reorders the
 * text around it. */
static bool strutil_unprintable(uint32_t cp)
{
    static const uint32_t range[][2] = {
        { 0x00, 0x1f },        { 0x7f, 0x9f },     { 0xad, 0xad },     { 0x61c, 0x61c },
        { 0x180e, 0x180e },    { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
        { 0xfe00, 0xfe0f },    { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe000, 0xf8ff },
        { 0xe0000, 0x10ffff },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(range); i++)
        if (cp >= range[i][0] && cp <= range[i][1])
            return true;
    return false;
}

static char *strutil_escape(const char *text, const char *forbidden, char instead, bool tabs,
                            bool twice)
{
    char *out = ez_alloc(4 * strlen(text) + 1), *o = out;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t cp;
        size_t n = ez_utf8_decode(p, &cp);
        bool bad = !n || (strutil_unprintable(cp) && !(tabs && cp == '\t'));
        for (n = n ? n : 1; n; n--, p++) {
            if (bad)
                o += sprintf(o, "\\%03o", *p);
            else if (*p == '\\' && twice)
                *o++ = '\\', *o++ = '\\';
            else
                *o++ = *p < 0x80 && strchr(forbidden, *p) ? instead : (char)*p;
        }
    }
    return out;
}

char *ez_str_plain(const char *text, const char *forbidden, char instead)
{
    return strutil_escape(text, forbidden, instead, false, false);
}

char *ez_str_escape(const char *text)
{
    return strutil_escape(text, "", 0, true, true);
}

char *ez_str_ours(const char *text)
{
    return strutil_escape(text, "", 0, true, false);
}

ez_err *ez_str_line(const char *digits, unsigned *out)
{
    unsigned long n = strtoul(digits, NULL, 10);
    *out = n > 1u << 30 ? 0 : (unsigned)n;
    return n > 1u << 30 ? ez_err_new(EZ_E_ARG, 0, "Line number %s is out of range", digits) : NULL;
}

char *ez_str_load(const char *path, size_t most, size_t *n)
{
    size_t got = 0, cap = EZ_MIN(most, (size_t)1 << 16) + 1;
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *s = ez_alloc(cap);
    for (ssize_t k; got < most && (k = read(fd, s + got, cap - got - 1)) > 0;) {
        got += (size_t)k;
        if (got + 1 == cap && got < most)
            s = ez_realloc(s, cap = EZ_MIN(most, 2 * got) + 1);
    }
    s[got] = 0;
    *n = got;
    return s;
}

unsigned char ez_str_unescape(const char *p, const char **next)
{
    static const char from[] = "abefnrtv", to[] = "\a\b\033\f\n\r\t\v";
    const char *known = strchr(from, *p);
    unsigned v = 0, n = 0;
    if (*p == 'x' && isxdigit((unsigned char)p[1])) {
        for (p++; isxdigit((unsigned char)*p); p++)
            v = 16 * v + (unsigned)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
        *next = p;
        return (unsigned char)v;
    }
    for (; n < 3 && p[n] >= '0' && p[n] <= '7'; n++)
        v = 8 * v + (unsigned)(p[n] - '0');
    *next = p + (n ? n : 1);
    return (unsigned char)(known ? to[known - from] : n ? (int)v : *p);
}

ez_err *ez_str_regcomp(regex_t *re, const char *pattern, int flags)
{
    char why[128];
    int bad = regcomp(re, pattern, REG_EXTENDED | REG_NOSUB | flags);
    if (!bad)
        return NULL;
    regerror(bad, re, why, sizeof why);
    char *basic = strstr(why, " or \\"); /* glibc names both syntaxes: "Unmatched ( or \\(" */
    if (basic)
        *basic = 0;
    return ez_err_new(EZ_E_ARG, 0, "Invalid regular expression \"%s\": %s", pattern, why);
}

const char *ez_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void ez_str_add_line(char **lines, const char *fmt, ...)
{
    EZ_FREE char *old = *lines, *line = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&line, fmt, ap) < 0)
        ez_out_of_memory();
    va_end(ap);
    *lines = ez_sprintf("%s%s%s", old ? old : "", old ? "\n" : "", line);
}

const char *ez_str_time(uint64_t ns, char buf[32])
{
    if (ns < 1000)
        snprintf(buf, 32, "%llu ns", (unsigned long long)ns);
    else if (ns < 1000000)
        snprintf(buf, 32, "%.2f us", (double)ns / 1e3);
    else if (ns < 1000000000)
        snprintf(buf, 32, "%.2f ms", (double)ns / 1e6);
    else
        snprintf(buf, 32, "%.3f s", (double)ns / 1e9);
    return buf;
}

const char *ez_str_signal(int sig, char buf[16])
{
    const char *name = sigabbrev_np(sig);
    if (name)
        snprintf(buf, 16, "SIG%s", name);
    else
        snprintf(buf, 16, "SIG%d", sig);
    return buf;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_part.c - partial names, as in gdb: `f`, `ns::f` and `f(char)` for a::ns::f<int>(char), and
 * `f` for f.constprop.0.
 *
 * "::" outside of brackets separates parts. Template arguments and parameters are compared only if
 * the given name has some.
 *
 * Tests: tests/unit/sym/check_sym.c ("parts"), tests/procs/parts.sh */
#include <ctype.h>
#include <string.h>

#include "engine/sym/sym_priv.h"

#define TAG "[abi:" /* gcc's tag for functions that return a std::string: "f[abi:cxx11](int)" */

static bool sym_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the end of an operator's name such as "operator<<", whose brackets open nothing. */
static const char *sym_behind_operator(const char *p)
{
    p += strlen("operator");
    if (!strncmp(p, "()", 2) || !strncmp(p, "[]", 2))
        return p + 2;
    return p + strspn(p, "<>=!+-*/%^&|~,");
}

static bool sym_at_operator(const char *start, const char *p)
{
    return *p == 'o' && !strncmp(p, "operator", 8) && !sym_word_char(p[8]) &&
           (p == start || !sym_word_char(p[-1]));
}

/* Returns the next position at or after p, outside of brackets, with a character of `stop` (at most
 * two), or the end. */
static const char *sym_next_outside(const char *start, const char *p, const char *stop)
{
    unsigned depth = 0;
    while (*p) {
        if (sym_at_operator(start, p)) {
            p = sym_behind_operator(p);
            continue;
        }
        if (!depth && (*p == stop[0] || *p == stop[1])) /* [1] may be the NUL */
            return p;
        if (*p == '<' || *p == '(' || *p == '[' || *p == '{')
            depth++;
        else if (depth && (*p == '>' || *p == ')' || *p == ']' || *p == '}'))
            depth--;
        p++;
    }
    return p;
}

/* Returns the ".0" with which gcc numbers internal procedures of Fortran and nested functions of C,
 * or NULL. */
static const char *sym_number_mark(const char *name)
{
    const char *dot = strchr(name, '.');
    bool number = dot && dot > name && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return number && sym_word_char(dot[-1]) ? dot : NULL;
}

/* Returns where the suffix begins that marks a clone made by the compiler, or a local function
 * renamed by link-time optimisation; NULL if there is none, and for a part of a function (".part.",
 * ".cold"). */
static const char *sym_clone_mark(const char *name)
{
    static const char *const mark[] = { ".constprop.", ".isra.", ".lto_priv.", ".llvm.",
                                        " [clone " };
    const char *first = NULL;
    if (!strchr(name, '.') && !strchr(name, '['))
        return NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(mark); i++) {
        const char *p = strstr(name, mark[i]);
        if (p && p > name && (!first || p < first))
            first = p;
    }
    if (!first)
        first = sym_number_mark(name);
    return first && !strstr(name, ".part.") && !strstr(name, ".cold") ? first : NULL;
}

char *sympart_bare(const char *name)
{
    const char *end = sym_next_outside(name, name, "(");
    while (!strncmp(end, "(anonymous namespace)", 21))
        end = sym_next_outside(name, end + 21, "(");
    return ez_strndup(name, (size_t)(end - name));
}

const char *ez_name_last(const char *name)
{
    const char *last = name;
    for (const char *p = name; *(p = sym_next_outside(name, p, ":")); p++)
        if (p[1] == ':')
            last = ++p + 1;
    return last;
}

/* Returns the position after the bracket that closes the one at p, or the end. */
static const char *sym_behind_bracket(const char *start, const char *p)
{
    const char *close = *p == '<' ? ">" : *p == '(' ? ")" : *p == '[' ? "]" : "}";
    const char *end = sym_next_outside(start, p + 1, close);
    return end + (*end != 0);
}

/* Returns the next "::" outside of brackets, or the end of the name. From the "(" of a function's
 * parameters, it skips the parameters and the qualifiers behind them, such as "const". */
static const char *sym_next_part(const char *start, const char *p)
{
    while (*(p = sym_next_outside(start, p, ":")) && p[1] != ':')
        p++;
    return p;
}

char *ez_name_short(const char *name)
{
    char *out = ez_alloc(strlen(name) + 1), *o = out;
    for (const char *p = name, *end; *p; p = end) {
        bool begins = p == name || p[-1] == ':', copy = true;
        end = p + 1;
        if (sym_at_operator(name, p)) {
            end = sym_behind_operator(p);
        } else if (*p == '{' || (begins && (*p == '<' || *p == '('))) {
            end = sym_behind_bracket(name, p);
        } else if (*p == '(') {
            end = sym_next_part(name, p);
            copy = false;
        } else if (*p == '<' || !strncmp(p, TAG, strlen(TAG)) || !strncmp(p, " [clone", 7)) {
            end = sym_behind_bracket(name, p + (*p == ' '));
            copy = false;
            while (o > out && o[-1] == ' ') /* "operator<< <char>" */
                o--;
        }
        if (copy)
            o = mempcpy(o, p, (size_t)(end - p));
    }
    *o = 0;
    return out;
}

char *sympart_last(const char *bare)
{
    const char *clone = sym_clone_mark(bare);
    size_t n = clone ? (size_t)(clone - bare) : strlen(bare);
    EZ_FREE char *whole = ez_strndup(bare, n);
    const char *part = ez_name_last(whole);
    const char *end = sym_next_outside(part, part, "<[");
    while (end > part && end[-1] == ' ')
        end--;
    return ez_strndup(part, (size_t)(end - part));
}

/* Returns the name without clone suffixes and, if `plain`, without template arguments. The caller
 * frees it. */
static char *sym_part_stripped(const char *bare, bool plain)
{
    const char *clone = sym_clone_mark(bare);
    EZ_FREE char *in = ez_strndup(bare, clone ? (size_t)(clone - bare) : strlen(bare));
    char *out = ez_alloc(strlen(in) + 1), *o = out;
    for (const char *p = in; *p;) {
        const char *next = plain ? sym_next_outside(in, p, "<") : p + strlen(p);
        o = mempcpy(o, p, (size_t)(next - p));
        p = *next ? sym_next_outside(in, next + 1, ">") : next;
        p += *p != 0;
    }
    *o = 0;
    return out;
}

static bool sym_same_without_blanks(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Returns the parameters in `full`, beginning with the bracket, or "". */
static const char *sym_part_parameters(const char *full, const char *bare)
{
    const char *p = strstr(full, bare);
    return p ? p + strlen(bare) : "";
}

char *sympart_untagged(const char *name)
{
    if (!strstr(name, TAG))
        return NULL;
    char *out = ez_strdup(name), *tag;
    while ((tag = strstr(out, TAG))) {
        size_t n = strcspn(tag, "]");
        n += tag[n] == ']';
        memmove(tag, tag + n, strlen(tag + n) + 1);
    }
    return out;
}

static bool sym_part_is_named(const char *given, const char *full, const char *bare)
{
    EZ_FREE char *want = sympart_bare(given);
    const char *params = given + strlen(want);
    if (*params) {
        EZ_FREE char *have = ez_strndup(sym_part_parameters(full, bare), strlen(full));
        char *clone = strstr(have, " [clone ");
        if (clone)
            *clone = 0;
        if (!sym_same_without_blanks(have, params))
            return false;
    }
    bool plain = !*sym_next_outside(want, want, "<");
    EZ_FREE char *have = sym_part_stripped(bare, plain);
    size_t n = strlen(have), w = strlen(want);
    return w && n >= w && !strcmp(have + n - w, want) &&
           (n == w || (n - w >= 2 && !strncmp(have + n - w - 2, "::", 2)));
}

/* Returns whether `given` names the function. A given name without ABI tags also matches a function
 * with tags. */
bool sympart_names(const char *given, const char *full, const char *bare)
{
    EZ_FREE char *plain = strstr(given, TAG) ? NULL : sympart_untagged(bare);
    EZ_FREE char *plain_full = plain ? sympart_untagged(full) : NULL;
    return sym_part_is_named(given, plain_full ? plain_full : full, plain ? plain : bare);
}

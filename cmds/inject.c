/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inject.c - `mmap`, `munmap`, `syscall`, `call`: work done inside the target. */
#include <string.h>
#include <sys/mman.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

/* "rw-", "rx", "none" */
static ez_err *inject_parse_prot(const char *text, int *prot)
{
    *prot = 0;
    if (!strcmp(text, "none"))
        return NULL;
    for (const char *p = text; *p; p++) {
        if (*p == 'r')
            *prot |= PROT_READ;
        else if (*p == 'w')
            *prot |= PROT_WRITE;
        else if (*p == 'x')
            *prot |= PROT_EXEC;
        else if (*p != '-')
            return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid protection \"%s\".", text),
                               "letters of \"rwx\", or \"none\"");
    }
    return NULL;
}

ez_err *cmd_mmap(struct ez_sess *s, int argc, char **argv)
{
    uint64_t length;
    ez_addr at = { EZ_ANYWHERE }, got;
    int prot = PROT_READ | PROT_WRITE, i = 2;
    EZ_TRY(parse_size(argv[1], &length));
    if (i < argc && strcmp(argv[i], "at"))
        EZ_TRY(inject_parse_prot(argv[i++], &prot));
    if (i < argc) {
        if (strcmp(argv[i], "at") || i + 2 != argc)
            return opt_misuse(s);
        EZ_TRY(parse_addr(s, argv[i + 1], &at));
    }
    EZ_TRY(ez_remote_mmap(s->target, length, prot, at.v, &got));
    sess_set_last(s, got.v);
    out_line(s, "$_ = %s (%s, %c%c%c, anonymous)", out_addr(s, got.v), out_size(s, length),
             prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
             prot & PROT_EXEC ? 'x' : '-');
    return NULL;
}

ez_err *cmd_munmap(struct ez_sess *s, int argc, char **argv)
{
    ez_addr addr;
    uint64_t length;
    EZ_TRY(parse_addr(s, argv[1], &addr));
    EZ_TRY(parse_size(argv[2], &length));
    EZ_TRY(ez_remote_munmap(s->target, addr, length));
    out_line(s, "Unmapped %s at %s.", out_size(s, length), out_addr(s, addr.v));
    return NULL;
}

ez_err *cmd_syscall(struct ez_sess *s, int argc, char **argv)
{
    uint64_t arg[6] = { 0 }, nr;
    int64_t result;
    long known = ez_syscall_number(argv[1]);
    if (known >= 0)
        nr = (uint64_t)known;
    else if (!ez_err_drop(parse_count(argv[1], "a system call", &nr)))
        return ez_err_new(EZ_E_NOTFOUND, 0, "Unknown syscall name '%s'.", argv[1]);
    for (int i = 2; i < argc; i++)
        EZ_TRY(parse_value(s, argv[i], &arg[i - 2]));
    EZ_TRY(ez_remote_syscall(s->target, (long)nr, arg, &result));
    if (result < 0 && result >= -4095) {
        const char *name = ez_syscall_name((long)nr);
        return ez_err_new(EZ_E_REMOTE, 0, "The target's %s failed: %s (%s).", name ? name : argv[1],
                          ez_errno_name((int)-result), strerror((int)-result));
    }
    sess_set_last(s, (uint64_t)result);
    out_line(s, "$_ = %s (%lld)", out_addr(s, (uint64_t)result), (long long)result);
    return NULL;
}

/* ---- call ------------------------------------------------------------------------------- */

/* The first character of `stop` that stands outside of quotes, or the end of the text. */
static char *inject_unquoted(char *p, const char *stop)
{
    for (char quote = 0; *p && (quote || !strchr(stop, *p)); p++) {
        if (quote == '"' && *p == '\\' && p[1])
            p++;
        else if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
    }
    return p;
}

struct type {
    size_t size; /* of the result, 0 = none */
    bool is_signed, cast;
};

/* "unsigned int", "char *" */
static ez_err *inject_parse_type(const char *text, struct type *out)
{
    static const struct {
        const char *word;
        uint8_t size;
        bool is_unsigned;
    } words[] = {
        { "void", 0, true },      { "char", 1, false },    { "bool", 1, true },
        { "_Bool", 1, true },     { "short", 2, false },   { "int", 4, false },
        { "unsigned", 4, true },  { "signed", 4, false },  { "long", 8, false },
        { "size_t", 8, true },    { "ssize_t", 8, false }, { "pid_t", 4, false },
        { "int8_t", 1, false },   { "uint8_t", 1, true },  { "int16_t", 2, false },
        { "uint16_t", 2, true },  { "int32_t", 4, false }, { "uint32_t", 4, true },
        { "int64_t", 8, false },  { "uint64_t", 8, true }, { "intptr_t", 8, false },
        { "uintptr_t", 8, true }, { "const", 4, false },
    };
    EZ_FREE char *copy = ez_strdup(text);
    bool is_unsigned = false, sized = false;
    *out = (struct type){ .size = 4, .cast = true };
    if (strchr(copy, '*')) {
        *out = (struct type){ .size = 8, .cast = true };
        return NULL;
    }
    for (char *rest = copy, *word; (word = strsep(&rest, " \t"));) {
        size_t i = 0;
        while (i < EZ_ARRAY_LEN(words) && strcmp(words[i].word, word))
            i++;
        if (*word && i == EZ_ARRAY_LEN(words))
            return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "No type \"%s\".", text),
                               "integers, void and pointers are known");
        if (!*word)
            continue;
        is_unsigned |= words[i].is_unsigned;
        if (words[i].size != 4 && !(sized && words[i].size == 4))
            out->size = words[i].size;
        sized |= words[i].size != 4;
    }
    out->is_signed = !is_unsigned;
    return NULL;
}

/* Take the type off an expression like "(int)getpid". */
static ez_err *inject_take_cast(char **text, struct type *out)
{
    char *p = (char *)parse_skip(*text), *close = *p == '(' ? strchr(p, ')') : NULL;
    *out = (struct type){ .size = 8, .is_signed = true };
    if (!close)
        return NULL;
    *close = 0;
    *text = close + 1;
    return inject_parse_type(parse_skip(p + 1), out);
}

/* Resolve the escapes of a string and put it into the target. It stays there, for the function
 * that is called may keep it. */
static ez_err *inject_put_string(struct ez_sess *s, const char *text, uint64_t *out)
{
    ez_addr at;
    size_t n = 0;
    const char *p = text + 1;
    EZ_FREE char *bytes = ez_alloc(strlen(text));
    for (; *p && *p != '"'; p++) {
        static const char from[] = "ntr0\\\"", to[] = "\n\t\r\0\\\"";
        const char *known = *p == '\\' && p[1] ? strchr(from, p[1]) : NULL;
        if (*p == '\\' && !known)
            return ez_err_new(
                EZ_E_ARG, 0,
                "Unknown escape in %s: only n, t, r, 0, \" and a backslash may follow "
                "a backslash.",
                text);
        bytes[n++] = known ? to[known - from] : *p;
        p += known != NULL;
    }
    if (!*p || *parse_skip(p + 1))
        return ez_err_new(EZ_E_ARG, 0, "A string in quotes must be the whole argument: %s", text);
    bytes[n++] = 0;
    EZ_TRY(ez_remote_mmap(s->target, n, PROT_READ | PROT_WRITE, EZ_ANYWHERE, &at));
    *out = at.v;
    return ez_write(s->target, at, bytes, n);
}

/* Turn arguments like `a, b+4, "text")` into values. */
static ez_err *inject_parse_args(struct ez_sess *s, char *text, uint64_t arg[6], size_t *n)
{
    char *end = inject_unquoted(text, ")"), *one;
    if (!*end || *parse_skip(end + 1))
        return opt_misuse(s);
    *end = '\0';
    *n = 0;
    for (bool more = *parse_skip(text); more; text = end + 1) {
        end = inject_unquoted(text, ",");
        more = *end;
        *end = 0;
        one = (char *)parse_skip(text);
        if (*n == 6)
            return ez_err_new(EZ_E_LIMIT, 0, "More than six arguments cannot be passed.");
        EZ_TRY(*one == '"' ? inject_put_string(s, one, &arg[*n]) : parse_value(s, one, &arg[*n]));
        ++*n;
    }
    return NULL;
}

/* Convert the result as C does: the upper half of the register says nothing of an int. */
static uint64_t inject_converted(uint64_t v, const struct type *t)
{
    unsigned shift = 64 - 8 * (unsigned)t->size;
    return t->is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

ez_err *cmd_call(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *copy = ez_strdup(argv[1]);
    char *text = copy;
    uint64_t arg[6] = { 0 }, result;
    struct type type;
    size_t n = 0;
    ez_addr func;
    EZ_TRY(inject_take_cast(&text, &type));
    char *open = inject_unquoted(text, "(");
    if (!*open) /* any other expression, as in gdb */
        return cmd_print(s, argc, argv);
    if (ez_target_state(s->target) == EZ_NONE)
        return ez_err_new(EZ_E_STATE, 0, "The program is not being run.");
    if (ez_target_state(s->target) != EZ_STOPPED)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Cannot execute this command while the target is running."),
            "\"interrupt\" stops it");
    *open = '\0';
    EZ_TRY(parse_addr(s, parse_skip(text), &func));
    EZ_TRY(inject_parse_args(s, open + 1, arg, &n));
    EZ_TRY(ez_remote_call(s->target, func, arg, n, &result));
    if (!type.size)
        return NULL;
    result = inject_converted(result, &type);
    sess_set_last(s, result);
    if (type.is_signed || !type.cast)
        out_line(s, "$_ = %s (%lld)", out_addr(s, result), (long long)result);
    else
        out_line(s, "$_ = %s (%llu)", out_addr(s, result), (unsigned long long)result);
    return NULL;
}

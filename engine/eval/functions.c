/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - functions of the shell, as in gdb: $_isvoid(V), $_strlen(S), $_streq(A, B),
 * $_memeq(A, B, N), $_regex(S, RE); $_probe(N), a struct with the state of probe N; $_mtime(FILE);
 * and $_json() (json_member.c).
 *
 * A string argument is a literal, a char array or a char pointer.
 *
 * Tests: tests/procs/print.sh */
#include <string.h>
#include <sys/stat.h>

#include "engine/base/strutil.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/inferior/mem.h"

#define COMPARED_MOST (1u << 20)

static struct ez_value function_int(uint64_t n)
{
    return value_made(ez_type_base("int"), &(int){ (int)n }, sizeof(int));
}

static ez_err *function_isvoid(struct ez_history *v, const struct ez_value *arg,
                               struct ez_value *out)
{
    *out = function_int(ez_value_is_void(arg));
    return NULL;
}

static ez_err *function_strlen(struct ez_history *v, const struct ez_value *arg,
                               struct ez_value *out)
{
    char *text;
    EZ_TRY(ez_value_string(v, &arg[0], &text));
    *out = function_int(strlen(text));
    free(text);
    return NULL;
}

static ez_err *function_part(const struct ez_value *complex, bool imag, struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(complex->type);
    if (t->kind != EZ_TY_COMPLEX)
        return ez_err_gdb(EZ_E_ARG, "expected a complex number");
    EZ_TRY(value_whole(complex));
    const struct ez_type *part = ez_type_part(t);
    *out = value_made(part, complex->byte + (imag ? part->size : 0), part->size);
    return NULL;
}

static ez_err *function_creal(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    return function_part(&arg[0], false, out);
}

static ez_err *function_cimag(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    return function_part(&arg[0], true, out);
}

static ez_err *function_streq(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    char *a, *b = NULL;
    EZ_TRY(ez_value_string(v, &arg[0], &a));
    ez_err *e = ez_value_string(v, &arg[1], &b);
    if (!e)
        *out = function_int(!strcmp(a, b));
    free(a);
    free(b);
    return e;
}

static ez_err *function_regex(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    char *text, *expr = NULL;
    regex_t re;
    EZ_TRY(ez_value_string(v, &arg[0], &text));
    ez_err *e = ez_value_string(v, &arg[1], &expr);
    if (!e)
        e = ez_str_regcomp(&re, expr, 0);
    if (!e) {
        *out = function_int(!regexec(&re, text, 0, NULL, 0));
        regfree(&re);
    }
    free(text);
    free(expr);
    return e;
}

/* Sets *out to the time at which the file was last modified, in seconds since 1970, or to 0 if the
 * file does not exist. */
static ez_err *function_mtime(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    EZ_FREE char *path = NULL;
    struct stat st;
    EZ_TRY(ez_value_string(v, &arg[0], &path));
    int64_t when = stat(path, &st) ? 0 : st.st_mtime;
    *out = value_made(ez_type_int(8, true), &when, sizeof when);
    return NULL;
}

static ez_err *function_memeq(struct ez_history *v, const struct ez_value *arg,
                              struct ez_value *out)
{
    uint64_t a, b, n;
    EZ_TRY(ez_value_place(v, &arg[0], &a));
    EZ_TRY(ez_value_place(v, &arg[1], &b));
    EZ_TRY(ez_value_address(&arg[2], &n));
    if (n > COMPARED_MOST)
        return ez_err_new(EZ_E_LIMIT, 0, "$_memeq compares at most %u bytes", COMPARED_MOST);
    EZ_FREE uint8_t *x = ez_alloc(n + 1), *y = ez_alloc(n + 1);
    EZ_TRY(ez_mem_read(v->t, a, x, n));
    EZ_TRY(ez_mem_read(v->t, b, y, n));
    *out = function_int(!memcmp(x, y, n));
    return NULL;
}

/* ---- a probe --------------------------------------------------------------------------------- */

struct function_probe {
    int number;
    bool found;
    uint64_t word[6];
};

static void function_look(const struct ez_probe_info *p, void *arg)
{
    struct function_probe *q = arg;
    if (p->number != q->number)
        return;
    q->found = true;
    q->word[0] = (p->spec->kind & EZ_PROBE_BOTH) == EZ_PROBE_EXIT ? p->exits : p->entries;
    q->word[1] = p->entries;
    q->word[2] = p->exits;
    q->word[3] = p->filtered;
    q->word[4] = p->state == EZ_PROBE_ARMED && !p->shut;
    q->word[5] = p->addr;
}

static const struct ez_type *function_probe_type(void)
{
    static const char *const name[] = {
        "hits", "entries", "exits", "filtered", "armed", "address"
    };
    static struct ez_field field[EZ_ARRAY_LEN(name)];
    static struct ez_type type = { .kind = EZ_TY_STRUCT,
                                   .name = "probe",
                                   .field = field,
                                   .nfields = EZ_ARRAY_LEN(name),
                                   .size = 8 * EZ_ARRAY_LEN(name),
                                   .loaded = true };
    for (size_t i = 0; i < EZ_ARRAY_LEN(name); i++)
        field[i] =
            (struct ez_field){ .name = name[i], .type = ez_type_int(8, false), .offset = 8 * i };
    field[EZ_ARRAY_LEN(name) - 1].type = ez_type_pointer_to(ez_type_base("void"));
    return &type;
}

static ez_err *function_of_probe(struct ez_history *v, const struct ez_value *arg,
                                 struct ez_value *out)
{
    struct function_probe q = { .found = false };
    uint64_t n;
    EZ_TRY(ez_value_address(&arg[0], &n));
    q.number = n > INT32_MAX ? 0 : (int)n;
    ez_probes(v->t, function_look, &q);
    if (!q.found)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %lld", (long long)n);
    *out = value_made(function_probe_type(), q.word, sizeof q.word);
    return NULL;
}

/* ---- the call -------------------------------------------------------------------------------- */

ez_err *function_call(struct ez_history *v, const char *name, const struct ez_value *arg, size_t n,
                      struct ez_value *out)
{
    static const struct {
        const char *name;
        size_t n;
        ez_err *(*fn)(struct ez_history *v, const struct ez_value *arg, struct ez_value *out);
    } known[] = { { "$_cimag", 1, function_cimag },    { "$_creal", 1, function_creal },
                  { "$_isvoid", 1, function_isvoid },  { "$_json", 2, json_member },
                  { "$_memeq", 3, function_memeq },    { "$_mtime", 1, function_mtime },
                  { "$_probe", 1, function_of_probe }, { "$_regex", 2, function_regex },
                  { "$_streq", 2, function_streq },    { "$_strlen", 1, function_strlen } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++) {
        if (strcmp(known[i].name, name))
            continue;
        if (n != known[i].n)
            return ez_err_new(EZ_E_ARG, 0, "You must provide %zu argument%s to %s", known[i].n,
                              known[i].n == 1 ? "" : "s", name);
        return known[i].fn(v, arg, out);
    }
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "There is no function %s", name),
                       "The functions are $_cimag, $_creal, $_isvoid, $_json, $_memeq, $_mtime, "
                       "$_probe, $_regex, $_streq and $_strlen");
}

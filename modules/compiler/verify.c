/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - makes the checks that need the whole script, and adds the commands that a script may
 * omit.
 * Tests: tests/unit/modules/check_script.c */
#include <ctype.h>
#include <string.h>

#include "modules/ezt_probe.h"
#include "modules/compiler/script.h"

/* Functions with "..." that have no variant with a va_list. */
static const struct verify_twinless {
    const char *name, *instead;
} twinless[] = {
    { "open", "int open(const char *path, int flags, mode_t mode)" },
    { "open64", "int open64(const char *path, int flags, mode_t mode)" },
    { "openat", "int openat(int dir, const char *path, int flags, mode_t mode)" },
    { "openat64", "int openat64(int dir, const char *path, int flags, mode_t mode)" },
    { "fcntl", "int fcntl(int fd, int command, long argument)" },
    { "fcntl64", "int fcntl64(int fd, int command, long argument)" },
    { "ioctl", "int ioctl(int fd, unsigned long request, void *argument)" },
    { "prctl", "int prctl(int option, long a, long b, long c, long d)" },
    { "syscall", "long syscall(long number, long a, long b, long c, long d, long e, long f)" },
    { "mremap", "void *mremap(void *old, size_t n, size_t to, int flags, void *where)" },
    { "semctl", "int semctl(int id, int n, int command, long argument)" },
    { "mq_open", "int mq_open(const char *name, int flags, mode_t mode, void *attributes)" },
    { "sem_open", "void *sem_open(const char *name, int flags, mode_t mode, unsigned value)" },
};

/* ---- the module ------------------------------------------------------------------------ */

/* Returns an ID for a module without one. The ID is a hash of the name (FNV-1a), so it stays the
 * same. */
static unsigned verify_hash(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return EZT_ID_MIN + h % (EZT_ID_MAX - EZT_ID_MIN + 1);
}

static void verify_module(struct ez_script *s)
{
    if (!s->name_at && !s->t->errors)
        ez_src_error(s->t, 0, "the module has no NAME");
    if (!s->desc_at)
        s->desc = ez_strdup("");
    if (!s->id_at && s->name && !s->t->errors) {
        s->id = verify_hash(s->name);
        ez_src_warn(s->t, s->name_at - 1, "no ID is given: it will be %x, made from the NAME",
                    s->id);
    }
    if (!s->functions.n && !s->t->errors)
        ez_src_error(s->t, 0, "the module has no functions");
}

/* ---- prototypes --------------------------------------------------------------------------- */

/* Returns the symbol that gfortran and most other compilers give a procedure. If the name is
 * `__module_MOD_name`, or ends in '_', it is the symbol already. */
static char *verify_symbol(const struct ez_script *s, const char *name)
{
    size_t n = strlen(name);
    if (!s->fortran || name[n - 1] == '_' || (!strncmp(name, "__", 2) && strstr(name, "_MOD_")))
        return ez_strdup(name);
    char *symbol = ez_sprintf("%s_", name);
    for (char *p = symbol; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return symbol;
}

static bool verify_is_reserved(const struct ez_tpl_function *f, const char *name)
{
    return !strcmp(name, "RESULT") || !strcmp(name, "RESULT_len") || !strncmp(name, "ezt_", 4) ||
           (!strncmp(name, "orig_", 5) && !strcmp(name + 5, f->symbol));
}

/* Returns true for the name of a CHARACTER's hidden length. */
static bool verify_hidden(const struct ez_tpl_function *f, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < f->params.n; i++) {
        const char *text = f->params.at[i].name;
        if (f->params.at[i].character && n > 4 && strlen(text) == n - 4 &&
            !strncmp(name, text, n - 4) && !strcmp(name + n - 4, "_len"))
            return true;
    }
    return false;
}

static void verify_params(struct ez_script *s, const struct ez_tpl_function *f)
{
    for (size_t i = 0; i < f->params.n; i++) {
        const struct ez_tpl_param *p = &f->params.at[i];
        if (verify_is_reserved(f, p->name) || verify_hidden(f, p->name))
            ez_src_error(s->t, p->at, "the name %s is taken: call the parameter otherwise",
                         p->name);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(f->params.at[k].name, p->name))
                ez_src_error(s->t, p->at, "a second parameter %s", p->name);
    }
}

static void verify_variadic(struct ez_script *s, const struct ez_tpl_function *f)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(twinless); i++)
        if (!strcmp(f->name, twinless[i].name)) {
            ez_src_error(s->t, f->ellipsis,
                         "no function v%s takes what \"...\" stands for: write %s", f->name,
                         twinless[i].instead);
            return;
        }
    if (!f->params.n)
        ez_src_error(s->t, f->ellipsis, "a parameter must stand before \"...\"");
    else if (s->fortran)
        ez_src_error(s->t, f->ellipsis, "FORTRAN has no \"...\"");
    else if (s->application)
        ez_src_error(s->t, f->ellipsis,
                     "a function of the APPLICATION with \"...\" cannot be replaced: what is "
                     "behind it can be passed on only to a v%s of a LIBRARY",
                     f->name);
}

static int verify_by_symbol(const void *a, const void *b)
{
    const struct ez_tpl_function *const *x = a, *const *y = b;
    int order = strcmp((*x)->symbol, (*y)->symbol);
    return order ? order : (*x)->at < (*y)->at ? -1 : 1;
}

static void verify_names(struct ez_script *s)
{
    size_t n = s->functions.n;
    EZ_FREE const struct ez_tpl_function **by = ez_alloc((n + 1) * sizeof *by);
    for (size_t i = 0; i < n; i++)
        by[i] = &s->functions.at[i];
    ez_sort(by, n, sizeof *by, verify_by_symbol);
    for (size_t i = 1; i < n; i++)
        if (!strcmp(by[i - 1]->symbol, by[i]->symbol))
            ez_src_error(s->t, by[i]->at, "a second function %s", by[i]->name);
}

static void verify_prototype(struct ez_script *s, struct ez_tpl_function *f)
{
    f->symbol = verify_symbol(s, f->name);
    if (f->typeless && s->fortran)
        f->is_void = true;
    else if (f->typeless)
        ez_src_error(s->t, f->at,
                     "the type of the result is missing: write \"void %s\" if there "
                     "is none",
                     f->name);
    else if (f->unspecified && !s->fortran)
        ez_src_warn(s->t, f->at,
                    "%s() says nothing of parameters: if there are any they are lost; "
                    "write (void) if there are none",
                    f->name);
    if (f->ellipsis)
        verify_variadic(s, f);
    verify_params(s, f);
}

/* ---- commands ----------------------------------------------------------------------------- */

static void verify_result(struct ez_script *s, struct ez_tpl_function *f, size_t i)
{
    size_t at = ez_expr_uses(s->t, f->cmds.at[i].expr, "RESULT");
    if (at == SIZE_MAX)
        return;
    if (f->is_void)
        ez_src_error(s->t, at, "%s has no RESULT", f->name);
    else if (i < f->call)
        ez_src_error(s->t, at, "RESULT is known behind CALL_FUNC only");
}

/* Returns the state for a function whose script has none: "Doing function NAME". */
static struct ez_tpl_cmd verify_state(const struct ez_tpl_function *f)
{
    struct ez_tpl_cmd doing = { .kind = EZ_TPL_RECORD, .at = f->at };
    doing.text = ez_sprintf("Doing function %.200s", f->name);
    return doing;
}

/* Adds a state to a function with COUNTERS and no open state: counters belong to the open state. */
static void verify_counters(struct ez_tpl_function *f)
{
    size_t at = 0, n = f->cmds.n;
    while (at < n && f->cmds.at[at].kind != EZ_TPL_COUNTERS) {
        const struct ez_tpl_cmd *c = &f->cmds.at[at++];
        bool opens = c->kind == EZ_TPL_RECORD || c->kind == EZ_TPL_PUSH;
        /* COUNTERS after the call is an error that other code reports. */
        if (c->kind == EZ_TPL_CALL || (opens && !c->depth))
            return;
    }
    if (at == n)
        return;
    EZ_PUSH(&f->cmds, verify_state(f));
    struct ez_tpl_cmd state = f->cmds.at[n];
    memmove(&f->cmds.at[at + 1], &f->cmds.at[at], (n - at) * sizeof state);
    f->cmds.at[at] = state;
}

/* Finds CALL_FUNC among the function's commands. Adds it at the end if the script has none. */
static void verify_call(struct ez_script *s, struct ez_tpl_function *f)
{
    bool records = false, called = false;
    verify_counters(f);
    for (size_t i = 0; i < f->cmds.n; i++) {
        const struct ez_tpl_cmd *c = &f->cmds.at[i];
        if (c->kind == EZ_TPL_COUNTERS) {
            f->counters = true;
            f->guard = true; /* libpapi may call replaced functions, so the guard is needed */
            if (called)
                ez_src_error(s->t, c->at, "COUNTERS behind CALL_FUNC: the call is over");
        } else if (c->kind != EZ_TPL_CALL) {
            records = true;
        } else if (called) {
            ez_src_error(s->t, c->at, "a second CALL_FUNC: the function is called once");
        } else {
            called = true;
            f->call = i;
        }
    }
    if (!records) {
        f->cmds.n = 0;
        called = false;
        EZ_PUSH(&f->cmds, verify_state(f));
        if (f->counters)
            EZ_PUSH(&f->cmds, ((struct ez_tpl_cmd){ .kind = EZ_TPL_COUNTERS, .at = f->at }));
    }
    if (!called) {
        f->call = f->cmds.n;
        EZ_PUSH(&f->cmds, ((struct ez_tpl_cmd){ .kind = EZ_TPL_CALL, .at = f->at }));
    }
}

static void verify_commands(struct ez_script *s, struct ez_tpl_function *f)
{
    verify_call(s, f);
    for (size_t i = 0; i < f->cmds.n; i++) {
        struct ez_tpl_cmd *c = &f->cmds.at[i];
        if (c->kind == EZ_TPL_RECORD && i > f->call)
            ez_src_error(s->t, c->at, "RECORD_STATE behind CALL_FUNC: the call is over");
        if (c->expr.n) {
            f->guard |= ez_expr_calls(s->t, c->expr);
            verify_result(s, f, i);
        }
        if (c->kind == EZ_TPL_CALL || c->kind == EZ_TPL_IF || c->kind == EZ_TPL_ELSE ||
            c->kind == EZ_TPL_END_IF)
            continue;
        c->event = s->events + 1;
        s->events += c->kind == EZ_TPL_RECORD ? 2 : 1;
    }
}

void ez_script_verify(struct ez_script *s)
{
    verify_module(s);
    for (size_t i = 0; i < s->functions.n; i++) {
        verify_prototype(s, &s->functions.at[i]);
        verify_commands(s, &s->functions.at[i]);
        if (s->events > EZT_EVENT_MAX) {
            ez_src_error(s->t, s->functions.at[i].at, "more than %d events", EZT_EVENT_MAX);
            break;
        }
    }
    if (!s->t->errors)
        verify_names(s);
}

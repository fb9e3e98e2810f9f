/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c - loads the user's functions, which decide on membership in a context or combine two
 * values. Membership functions, and the check of combining functions, run in a child process.
 * Tests: tests/unit/jobs/check_reply.c */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "engine/base/child.h"
#include "engine/jobs/context.h"
#include "engine/jobs/reduce.h"

#define PATIENCE_MS 10000

static ez_err *plugin_check_name(const char *file_func)
{
    const char *colon = strrchr(file_func, ':');
    if (colon && colon != file_func && colon[1])
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is not FILE:FUNC", file_func),
                       "Write for example ./mine.so:even");
}

/* Loads function FUNC from the shared object FILE. After success the caller must call
 * dlclose(*handle). */
static ez_err *plugin_open(const char *file_func, void **handle, void **function)
{
    EZ_TRY(plugin_check_name(file_func));
    const char *colon = strrchr(file_func, ':');
    EZ_FREE char *file = ez_strndup(file_func, (size_t)(colon - file_func));
    EZ_FREE char *path = strchr(file, '/') ? ez_strdup(file) : ez_sprintf("./%s", file);
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s", dlerror());
    *function = dlsym(*handle, colon + 1);
    if (*function)
        return NULL;
    dlclose(*handle);
    return ez_err_new(EZ_E_NOTFOUND, 0, "There is no function \"%s\" in %s", colon + 1, file);
}

/* ---- work in a child ------------------------------------------------------------------------- */

typedef void plugin_work(void *function, const void *arg, int to);

static void plugin_child(const char *file_func, plugin_work *work, const void *arg, int to)
{
    void *handle, *function;
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_DFL);
    ez_err *e = plugin_open(file_func, &handle, &function);
    const char *said = e ? e->msg : "";
    if (write(to, said, strlen(said) + 1) > 0 && !e)
        work(function, arg, to);
    _exit(0);
}

/* Reads the child's output to its end into *text, which the caller frees, also after an error.
 * Returns false if the child writes nothing for PATIENCE_MS. */
static bool plugin_read(int from, char **text, size_t *n)
{
    EZ_VEC(char) got = { 0 };
    char buf[4096];
    for (;;) {
        struct pollfd p = { from, POLLIN, 0 };
        int ready = poll(&p, 1, PATIENCE_MS);
        ssize_t r = ready > 0 ? read(from, buf, sizeof buf) : -1;
        if (ready < 0 && errno == EINTR)
            continue;
        if (r > 0)
            EZ_APPEND(&got, buf, (size_t)r);
        if (r > 0)
            continue;
        *n = got.n;
        EZ_PUSH(&got, '\0');
        *text = got.at;
        return ready > 0;
    }
}

/* Runs work() in a child process. *answer: the *n bytes that work() wrote; the caller frees
 * them. */
static ez_err *plugin_request(const char *file_func, plugin_work *work, const void *arg,
                              char **answer, size_t *n)
{
    int to[2], status = 0;
    /* checked here, too, because the child's error comes without a hint */
    EZ_TRY(plugin_check_name(file_func));
    if (pipe2(to, O_CLOEXEC) < 0)
        return ez_err_new(EZ_E_SYS, errno, "%s", file_func);
    pid_t pid = fork();
    if (!pid)
        plugin_child(file_func, work, arg, to[1]);
    close(to[1]);
    char *text = NULL;
    bool in_time = pid > 0 && plugin_read(to[0], &text, n);
    close(to[0]);
    if (pid > 0 && !in_time)
        kill(pid, SIGKILL);
    if (pid > 0)
        ez_child_ended(pid, true, &status);
    ez_err *e = NULL;
    if (pid < 0)
        e = ez_err_new(EZ_E_SYS, errno, "%s", file_func);
    else if (!in_time)
        e = ez_err_new(EZ_E_TIMEOUT, 0, "%s: the function did not return within %d s", file_func,
                       PATIENCE_MS / 1000);
    else if (*n && *text)
        e = ez_err_new(EZ_E_NOTFOUND, 0, "%s", text);
    else if (status > 128)
        e = ez_err_new(EZ_E_REFUSED, 0, "%s: the function was ended by signal %d", file_func,
                       status - 128);
    else if (!*n)
        e = ez_err_new(EZ_E_REFUSED, 0, "%s: the file ended its process while it was loaded",
                       file_func);
    else {
        /* removes the child's empty error message, which means success */
        memmove(text, text + 1, *n);
        --*n;
    }
    *answer = text;
    return e;
}

/* ---- membership ------------------------------------------------------------------------------ */

static void plugin_members(void *function, const void *arg, int to)
{
    const struct ez_roster *r = arg;
    int (*is_member)(int rank, int size) = (int (*)(int, int))function;
    EZ_FREE char *member = ez_alloc(r->member.n + 1);
    for (size_t i = 0; i < r->member.n; i++)
        member[i] = is_member((int)r->member.at[i].rank, (int)r->member.n) ? '1' : '0';
    for (size_t at = 0; at < r->member.n;) {
        ssize_t n = write(to, member + at, r->member.n - at);
        if (n <= 0)
            return;
        at += (size_t)n;
    }
}

ez_err *ez_membership_plugin(const struct ez_roster *r, const char *file_func, struct ez_ranks *out)
{
    EZ_FREE char *answer = NULL;
    size_t n = 0;
    EZ_TRY(plugin_request(file_func, plugin_members, r, &answer, &n));
    if (n != r->member.n)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "%s: the function ended its process instead of returning", file_func);
    for (size_t i = 0; i < n; i++)
        if (answer[i] == '1')
            ez_ranks_add(out, r->member.at[i].rank, r->member.at[i].rank);
    return NULL;
}

/* ---- reduction ------------------------------------------------------------------------------- */

static bool plugin_alike(double a, double b)
{
    double far = a > b ? a - b : b - a, size = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    return a == b || far <= 1e-9 * size || (a != a && b != b);
}

struct plugin_values {
    const double *at;
    size_t n;
};

/* Tests the function on all triples of the values, and writes a letter: 'c' = it is not
 * commutative, 'a' = not associative, 'g' = commutative and associative. */
static void plugin_try(void *function, const void *arg, int to)
{
    const struct plugin_values *v = arg;
    double (*op)(double, double) = (double (*)(double, double))function;
    char verdict = 'g';
    const size_t n = v->n;
    for (size_t i = 0; i < n * n * n && verdict == 'g'; i++) {
        double a = v->at[i % n], b = v->at[i / n % n], c = v->at[i / n / n];
        if (!plugin_alike(op(a, b), op(b, a)))
            verdict = 'c';
        else if (!plugin_alike(op(op(a, b), c), op(a, op(b, c))))
            verdict = 'a';
    }
    if (write(to, &verdict, 1) < 0)
        _exit(1);
}

ez_err *ez_operation_check(const char *file_func, const double *value, size_t count)
{
    EZ_FREE char *answer = NULL;
    size_t n = 0;
    const struct plugin_values values = { value, count };
    EZ_TRY(plugin_request(file_func, plugin_try, &values, &answer, &n));
    if (n == 1 && *answer == 'g')
        return NULL;
    if (n != 1)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "%s: the function ended its process instead of returning", file_func);
    return ez_err_hint(ez_err_new(EZ_E_REFUSED, 0,
                                  "%s is not %s, which a function for \"aggregate\" must be, "
                                  "because values arrive in any order",
                                  file_func, *answer == 'c' ? "commutative" : "associative"),
                       "Write a function like a sum or a maximum, double FUNC(double, double); "
                       "-domain LOW:HIGH names the values for which the function is made");
}

ez_err *ez_operation_open(const char *file_func, struct ez_operation *op)
{
    void *function;
    EZ_TRY(plugin_open(file_func, &op->handle, &function));
    op->apply = (double (*)(double, double))function;
    return NULL;
}

void ez_operation_close(struct ez_operation *op)
{
    if (op->handle)
        dlclose(op->handle);
    *op = (struct ez_operation){ 0 };
}

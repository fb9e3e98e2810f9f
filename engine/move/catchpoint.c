/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catchpoint.c - catchpoints (move.h). Some wait for reports of the kernel, which
 * engine/inferior/catch.c notices; the others are breakpoints in the C++ library or the loader.
 * Tests: tests/procs/catch.sh */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/inferior.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"
#include "engine/move/move_priv.h"
#include "engine/probe/solib.h"
#include "engine/process/session.h"

/* maximum number of libraries in the loader's list, which the program can damage */
#define LIBRARIES_MOST 100000

bool break_has_places(const struct ez_break *b)
{
    return b->kind == EZ_BREAK_CODE || b->kind >= EZ_BREAK_THROW;
}

bool break_is_watch(const struct ez_break *b)
{
    return b->kind >= EZ_BREAK_WATCH && b->kind <= EZ_BREAK_AWATCH;
}

const char *catch_location(const struct ez_break *b, bool second)
{
    /* libstdc++ has USDT probes, where all that is thrown is known; other libraries have only the
     * functions of the C++ ABI */
    static const char *const at[EZ_BREAK_KINDS][2] = {
        [EZ_BREAK_THROW] = { EZ_STAP_WORD "libstdcxx:throw", "__cxa_throw" },
        [EZ_BREAK_CATCH] = { EZ_STAP_WORD "libstdcxx:catch", "__cxa_begin_catch" },
        [EZ_BREAK_RETHROW] = { EZ_STAP_WORD "libstdcxx:rethrow", "__cxa_rethrow" },
        [EZ_BREAK_LOAD] = { "_dl_debug_state" },
        [EZ_BREAK_UNLOAD] = { "_dl_debug_state" },
    };
    return b->kind != EZ_BREAK_CODE ? at[b->kind][second] : second ? NULL : b->what;
}

void catch_drop(struct ez_break *b)
{
    EZ_VEC_FREE(&b->number_of);
    free(b->last_text);
    free(b->loaded);
    if (b->library)
        regfree(b->library);
    free(b->library);
}

/* ---- libraries ------------------------------------------------------------------------------- */

/* Returns the names of the libraries in the loader's list, each with a newline; NULL if the loader
 * is changing the list. */
static char *catch_libraries(struct ez_target *t)
{
    struct {
        uint64_t bias, name, dynamic, next;
    } map;
    uint64_t at = 0, head = ez_solib_debug(t);
    char *all = ez_strdup("");
    if (!head || !ez_solib_settled(t))
        return free(all), NULL;
    ez_mem_read_some(t, head + 8, &at, sizeof at);
    for (int i = 0; at && i < LIBRARIES_MOST; i++, at = map.next) {
        char name[4096];
        if (ez_mem_read_some(t, at, &map, sizeof map) != sizeof map)
            break;
        size_t n = ez_mem_read_some(t, map.name, name, sizeof name - 1);
        name[n] = '\0';
        if (!*name) /* the program itself, or the vDSO */
            continue;
        char *more = ez_sprintf("%s%s\n", all, name);
        free(all);
        all = more;
    }
    return all;
}

static bool catch_listed(const char *list, const char *name, size_t n)
{
    for (; *list; list += strcspn(list, "\n") + 1)
        if (strcspn(list, "\n") == n && !memcmp(list, name, n))
            return true;
    return false;
}

/* Returns the names of `list` that `without` has not, in one line; NULL if there are none. *matched:
 * one of them matches the catchpoint's regular expression. */
static char *catch_new_names(const struct ez_break *b, const char *list, const char *without,
                             bool *matched)
{
    char *line = NULL;
    *matched = false;
    for (size_t n; *list; list += n + 1) {
        n = strcspn(list, "\n");
        if (catch_listed(without, list, n))
            continue;
        EZ_FREE char *name = ez_strndup(list, n), *was = line;
        *matched |= !b->library || !regexec(b->library, name, 0, NULL, 0);
        line = was ? ez_sprintf("%s %s", was, name) : ez_strdup(name);
    }
    return line;
}

void catch_begin(struct ez_move *m, struct ez_break *b)
{
    uint64_t list = ez_solib_debug(m->t) ^ (uint64_t)m->t->inf.pid << 48;
    bool library = b->kind == EZ_BREAK_LOAD || b->kind == EZ_BREAK_UNLOAD;
    if (!library || (b->loaded && b->list == list))
        return;
    free(b->loaded);
    b->loaded = catch_libraries(m->t);
    b->list = list;
}

static bool catch_loaded(struct ez_move *m, struct ez_break *b, char **detail)
{
    char *now = catch_libraries(m->t);
    bool loads, unloads;
    if (!now)
        return false;
    const char *was = b->loaded ? b->loaded : "";
    EZ_FREE char *gone = catch_new_names(b, was, now, &unloads);
    EZ_FREE char *come = catch_new_names(b, now, was, &loads);
    free(b->loaded);
    b->loaded = now;
    if (!(b->kind == EZ_BREAK_LOAD ? loads : unloads))
        return false;
    *detail =
        ez_sprintf("%s%s%s%s%s", gone ? "  Inferior unloaded " : "", gone ? gone : "",
                   gone && come ? "\n" : "", come ? "  Inferior loaded " : "", come ? come : "");
    return true;
}

bool catch_happened(struct ez_move *m, struct ez_break *b, char **detail)
{
    return (b->kind != EZ_BREAK_LOAD && b->kind != EZ_BREAK_UNLOAD) || catch_loaded(m, b, detail);
}

/* ---- what the kernel reports ----------------------------------------------------------------- */

static enum ez_caught_kind catch_kind(const struct ez_break *b)
{
    static const enum ez_caught_kind kind[EZ_BREAK_KINDS] = {
        [EZ_BREAK_SYSCALL] = EZ_CAUGHT_CALL,  [EZ_BREAK_FORK] = EZ_CAUGHT_FORK,
        [EZ_BREAK_VFORK] = EZ_CAUGHT_VFORK,   [EZ_BREAK_EXEC] = EZ_CAUGHT_EXEC,
        [EZ_BREAK_SIGNAL] = EZ_CAUGHT_SIGNAL,
    };
    return kind[b->kind];
}

void catch_want(struct ez_move *m, const struct ez_break *b)
{
    for (size_t i = 0; i < b->number_of.n; i++)
        ez_catch_want(m->t, catch_kind(b), b->number_of.at[i]);
    if (!b->number_of.n)
        ez_catch_want(m->t, catch_kind(b), -1);
}

static bool catch_matches(const struct ez_break *b, const struct ez_caught *c)
{
    bool call =
        b->kind == EZ_BREAK_SYSCALL && (c->kind == EZ_CAUGHT_CALL || c->kind == EZ_CAUGHT_RETURN);
    if (!b->enabled || break_has_places(b) || (!call && catch_kind(b) != c->kind))
        return false;
    for (size_t i = 0; i < b->number_of.n; i++)
        if (b->number_of.at[i] == c->value)
            return true;
    bool debuggers = b->kind == EZ_BREAK_SIGNAL && (c->value == SIGTRAP || c->value == SIGINT);
    return !b->number_of.n && (!debuggers || b->all);
}

static void catch_keep_last(struct ez_move *m, struct ez_break *b, long value)
{
    char link[64], file[4096];
    b->last = value;
    if (b->kind != EZ_BREAK_EXEC)
        return;
    snprintf(link, sizeof link, "/proc/%d/exe", m->t->inf.pid);
    ssize_t n = readlink(link, file, sizeof file - 1);
    file[n > 0 ? n : 0] = '\0';
    free(b->last_text);
    b->last_text = ez_strdup(file);
}

/* Counts a hit for each catchpoint that waits for this, and reports the first one that stops the
 * program. */
static bool catch_hit(struct ez_move *m, const struct ez_caught *c)
{
    bool stops = false;
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        uint64_t ignored = b->ignore;
        if (!catch_matches(b, c))
            continue;
        catch_keep_last(m, b, c->value);
        if (!breaks_count(m, b) || ignored)
            continue;
        if (!stops) {
            breaks_end(m, b, EZ_MOVED_CATCH);
            m->end.caught = c->value;
            m->end.returned = c->kind == EZ_CAUGHT_RETURN;
            move_detail(m, b->last_text);
        }
        stops = true;
        if (breaks_spent(m, b))
            i--;
    }
    return stops;
}

bool catch_stops(struct ez_move *m, ez_err **e)
{
    struct ez_thread *th;
    while (!*e && m->t->inf.state == EZ_STOPPED && (th = ez_caught_thread(m->t))) {
        const struct ez_caught c = th->caught;
        pid_t was = m->t->inf.current;
        th->caught.kind = EZ_CAUGHT_NOTHING;
        ez_thread_select(m->t, th->tid);
        ez_frame_select(m->t, 0, NULL, true);
        bool stops = catch_hit(m, &c);
        if (stops && c.kind == EZ_CAUGHT_SIGNAL)
            th->reported = true;
        if (stops)
            return true;
        ez_thread_select(m->t, was);
        if (c.kind != EZ_CAUGHT_SIGNAL || !th->sig)
            continue;
        /* no catchpoint stops the program for the signal, so the signal is handled as usual */
        bool stands = ez_signal_how(m->t, th->sig) & EZ_SIG_STOP;
        *e = ez_signal_handle(m->t, th);
        if (!*e && stands)
            return true;
    }
    return false;
}

/* ---- new catchpoints ------------------------------------------------------------------------- */

static ez_err *catch_compile(struct ez_break *b)
{
    if (!*b->what)
        return NULL;
    b->library = ez_alloc(sizeof *b->library);
    ez_err *e = ez_str_regcomp(b->library, b->what, 0);
    if (e) {
        free(b->library);
        b->library = NULL;
    }
    return e;
}

ez_err *ez_catch_add(struct ez_move *m, const struct ez_catch *request, int *number)
{
    struct ez_break *b = breaks_new(m, request->kind, request->what, request->cond);
    b->then = request->temporary ? EZ_BREAK_GOES : EZ_BREAK_STAYS;
    b->all = request->all;
    for (size_t i = 0; i < request->n_of; i++)
        EZ_PUSH(&b->number_of, request->number_of[i]);
    bool library = b->kind == EZ_BREAK_LOAD || b->kind == EZ_BREAK_UNLOAD;
    ez_err *e = library ? catch_compile(b) : NULL;
    if (!e)
        e = breaks_check(m, b, request->cond);
    if (e) {
        breaks_drop(b);
        return e;
    }
    if (m->t->inf.state == EZ_STOPPED)
        catch_begin(m, b);
    breaks_keep(m, b, number);
    return NULL;
}

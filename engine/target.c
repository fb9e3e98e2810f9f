/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.c - one debugging session: what it owns, and the queue it speaks through. */
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

ez_err *ez_target_create(struct ez_target **out)
{
    ez_heap_prepare();
    struct ez_target *t = ez_alloc(sizeof *t);
    sigset_t chld;
    t->arch = ez_arch_host();
    t->pidfd = t->memfd = t->rt.memfd = t->rt.there = -1;
    t->next_number = 1;
    t->set = (struct ez_settings){
        .trace_auto = true, .overflow_wait = true, .ring_kib = 1024, .detach_on_fork = true
    };
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    t->sigfd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
    t->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (t->sigfd < 0 || t->eventfd < 0)
        return ez_err_new(EZ_E_SYS, errno, "cannot set up the event queue");
    *out = t;
    return NULL;
}

void ez_target_destroy(struct ez_target *t)
{
    if (!t)
        return;
    if (t->state != EZ_NONE)
        ez_err_drop(t->attached ? ez_detach(t) : ez_kill(t));
    if (t->state != EZ_NONE)
        ez_process_forget(t); /* it could not be reached: close its trace all the same */
    for (size_t i = 0; i < t->probe.n; i++)
        ez_probe_free(t->probe.at[i]);
    for (size_t i = 0; i < t->rule.n; i++)
        free(t->rule.at[i].spec);
    ez_threads_clear(t);
    ez_modules_clear(t);
    for (size_t i = 0; i < t->object.n; i++)
        ez_object_close(t->object.at[i].obj);
    for (; t->queue_head < t->queue.n; t->queue_head++)
        ez_event_clear(&t->queue.at[t->queue_head]);
    EZ_VEC_FREE(&t->probe);
    EZ_VEC_FREE(&t->rule);
    EZ_VEC_FREE(&t->thread);
    EZ_VEC_FREE(&t->stray);
    EZ_VEC_FREE(&t->fork.early);
    EZ_VEC_FREE(&t->module);
    EZ_VEC_FREE(&t->ifunc.slot);
    EZ_VEC_FREE(&t->object);
    EZ_VEC_FREE(&t->queue);
    EZ_VEC_FREE(&t->site);
    EZ_VEC_FREE(&t->mine);
    EZ_VEC_FREE(&t->last_events);
    EZ_VEC_FREE(&t->window);
    close(t->sigfd);
    close(t->eventfd);
    free(t->program);
    ez_cover_free(t);
    free(t->trace_path);
    free(t);
}

enum ez_state ez_target_state(const struct ez_target *t)
{
    return t->state;
}
pid_t ez_target_pid(const struct ez_target *t)
{
    return t->pid;
}
bool ez_target_attached(const struct ez_target *t)
{
    return t->attached;
}
const char *ez_target_program(const struct ez_target *t)
{
    return t->program;
}
struct ez_object *ez_target_object(const struct ez_target *t)
{
    return t->prog_obj;
}
struct ez_settings *ez_settings(struct ez_target *t)
{
    return &t->set;
}

/* Absolute, its folder resolved, its last name kept: a program may look at the name
 * it is called by (busybox), so that link must not be followed. */
static char *absolute(const char *path)
{
    EZ_FREE char *copy = ez_strdup(path);
    char *slash = strrchr(copy, '/');
    const char *base = slash ? slash + 1 : path;
    if (slash)
        *slash = 0;
    EZ_FREE char *dir = realpath(!slash ? "." : *copy ? copy : "/", NULL);
    if (!dir)
        return ez_strdup(path);
    return ez_sprintf("%s/%s", strcmp(dir, "/") ? dir : "", base);
}

/* A name without a slash that is not here: as the shell finds it. NULL = nowhere. */
static char *on_path(const char *name)
{
    struct stat st;
    EZ_FREE char *dirs = ez_strdup(getenv("PATH") ? getenv("PATH") : "");
    if (strchr(name, '/') || !*name || !access(name, F_OK))
        return NULL;
    for (char *rest = dirs, *dir; (dir = strsep(&rest, ":"));) {
        char *there = ez_sprintf("%s/%s", *dir ? dir : ".", name);
        if (!stat(there, &st) && S_ISREG(st.st_mode) && !access(there, X_OK))
            return there;
        free(there);
    }
    return NULL;
}

ez_err *ez_target_file(struct ez_target *t, const char *name)
{
    struct ez_object *obj = NULL;
    EZ_FREE char *found = name ? on_path(name) : NULL;
    const char *path = found ? found : name;
    EZ_FREE char *full = path ? absolute(path) : NULL;
    if (path && access(path, F_OK) < 0)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: %s.", path, strerror(errno));
    ez_busy_begin(t);
    EZ_TRY(ez_busy_end(t, path ? ez_object_cached(t, full, full, &obj) : NULL));
    if (obj && ez_object_machine(obj) != t->arch->elf_machine)
        return ez_err_new(EZ_E_FORMAT, 0,
                          "%s: a program for another processor; this eztsh knows %s only", path,
                          t->arch->name);
    free(t->program);
    t->program = path ? ez_strdup(full) : NULL;
    t->prog_obj = obj;
    return NULL;
}

ez_err *ez_program_reread(struct ez_target *t)
{
    const struct ez_object *old = t->prog_obj;
    EZ_TRY(ez_target_file(t, t->program));
    if (!old || old == t->prog_obj)
        return NULL;
    ez_post_note(t, "`%s' has changed; re-reading symbols.", t->program);
    ez_probes_resolve(t, false);
    return NULL;
}

void ez_post(struct ez_target *t, struct ez_event ev)
{
    EZ_PUSH(&t->queue, ev);
}

void ez_post_note(struct ez_target *t, const char *fmt, ...)
{
    struct ez_event ev = { .kind = EZ_EV_NOTE };
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&ev.text, fmt, ap) < 0)
        abort();
    va_end(ap);
    ez_post(t, ev);
}

void ez_event_clear(struct ez_event *ev)
{
    free(ev->text);
    memset(ev, 0, sizeof *ev);
}

size_t ez_poll_fds(struct ez_target *t, struct pollfd *fds, size_t max)
{
    size_t n = 0;
    if (n < max)
        fds[n++] = (struct pollfd){ t->sigfd, POLLIN, 0 };
    if (n < max)
        fds[n++] = (struct pollfd){ t->eventfd, POLLIN, 0 };
    if (n < max && t->pidfd >= 0 && !t->seized)
        fds[n++] = (struct pollfd){ t->pidfd, POLLIN, 0 };
    return n;
}

static bool take(struct ez_target *t, struct ez_event *ev)
{
    if (t->queue_head == t->queue.n) {
        t->queue.n = t->queue_head = 0;
        return false;
    }
    *ev = t->queue.at[t->queue_head++];
    return true;
}

bool ez_next_event(struct ez_target *t, struct ez_event *ev)
{
    bool some;
    if (take(t, ev))
        return true;
    do {
        ez_err *e = ez_pump(t, &some);
        if (e) {
            if (e->code != EZ_E_GONE)
                ez_post_note(t, "%s", e->msg);
            ez_err_free(e);
        }
        if (take(t, ev))
            return true;
    } while (some);
    return false;
}

ez_err *ez_need_process(struct ez_target *t)
{
    if (t->state == EZ_NONE)
        return ez_err_new(EZ_E_STATE, 0, "The program is not being run.");
    return NULL;
}

ez_err *ez_need_stopped(struct ez_target *t)
{
    EZ_TRY(ez_need_process(t));
    if (t->state != EZ_STOPPED)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Cannot execute this command while the target is running."),
            "\"interrupt\" stops it");
    return NULL;
}

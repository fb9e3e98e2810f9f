/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deliver.c - makes the target load a file, by an injected call of its dlopen (README.md). Also has
 * functions that plugins and specifications share: they find the mapped file, stop the target to
 * load a file, and delete the probes of a file.
 *
 * During the call of dlopen, the hook on the loader's rendezvous must not wait for the shell,
 * because the shell waits for the call. The shell reads the list of libraries after the call.
 *
 * After an error EZ_E_TIMEOUT the file may be mapped without being relocated, so no function of the
 * file may be called.
 * Tests: tests/procs/module.sh */
#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/solib.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

/* timeout of dlopen, in ms; it is long, because an abandoned dlopen would hold the loader's lock
 * for ever */
#define LOAD_MS 60000
#define STACK_SIZE (8ull << 20) /* of the thread that loads a file */
#define LOOKS 400               /* number of searches for a clean thread, 5 ms apart: two seconds */

static uint64_t deliver_symbol(struct ez_target *t, const char *name)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *m = t->inf.module.at[i];
        uint64_t at = m->obj && !m->is_program ? ez_symbol_addr(t, m, name) : 0;
        if (at)
            return at;
    }
    return 0;
}

static ez_err *deliver_refuse(const char *why)
{
    return ez_err_new(EZ_E_REFUSED, 0, "%s", why);
}

static ez_err *deliver_fill(struct ez_target *t, const char *path, const char *loaded,
                            struct rt_dl *l)
{
    *l = (struct rt_dl){ .dlopen = deliver_symbol(t, "dlopen"),
                         .dlerror = deliver_symbol(t, "dlerror"),
                         .pthread_create =
                             ez_site_original_at(t, deliver_symbol(t, "pthread_create")),
                         .pthread_detach = deliver_symbol(t, "pthread_detach"),
                         .attr_init = deliver_symbol(t, "pthread_attr_init"),
                         .attr_setstack = deliver_symbol(t, "pthread_attr_setstack"),
                         .attr_destroy = deliver_symbol(t, "pthread_attr_destroy") };
    if (!ez_module_loader(t))
        return deliver_refuse("the program is static: no module can be loaded into it");
    if (!l->dlopen || !l->dlerror)
        return deliver_refuse("the program's C library has no dlopen");
    if (strlen(path) >= sizeof l->path)
        return deliver_refuse("the file's name is too long");
    strcpy(l->path, path);
    if (!loaded)
        return NULL;
    if (strlen(loaded) >= sizeof l->loaded)
        return deliver_refuse("the name of the module's function is too long");
    strcpy(l->loaded, loaded);
    l->dlsym = deliver_symbol(t, "dlsym");
    return NULL;
}

/* Sets l->init and l->inits to the address and the number of elements of the module's
 * DT_INIT_ARRAY. */
static void deliver_array(struct ez_target *t, const struct ez_module *m, struct rt_dl *l)
{
    Elf64_Dyn d;
    uint64_t at = ez_object_dynamic(m->obj), array = 0, size = 0;
    for (at += m->bias; ez_mem_read_some(t, at, &d, sizeof d) == sizeof d && d.d_tag != DT_NULL;
         at += sizeof d) {
        if (d.d_tag == DT_INIT_ARRAY)
            array = d.d_un.d_ptr + (d.d_un.d_ptr < m->bias ? m->bias : 0);
        else if (d.d_tag == DT_INIT_ARRAYSZ)
            size = d.d_un.d_val;
    }
    l->init = array;
    l->inits = array ? size / sizeof array : 0;
}

/* Makes the runtime call the C library's constructors before dlopen, with the program's argc, argv
 * and environment. Otherwise dlopen would run these constructors, as those of each library that a
 * file needs, and would pass them the argc, argv and environment that the C library stores when it
 * starts, which are still zero. When the program starts, these constructors run a second time,
 * which does no harm. (musl passes no arguments to constructors.) */
static void deliver_begin(struct ez_target *t, struct rt_dl *l)
{
    const struct ez_module *loader = ez_module_loader(t);
    uint64_t end = loader && loader->obj ? ez_symbol_addr(t, loader, "__libc_stack_end") : 0, argc;
    if (!end || ez_mem_read_some(t, end, &end, sizeof end) != sizeof end ||
        ez_mem_read_some(t, end, &argc, sizeof argc) != sizeof argc)
        return;
    l->argc = argc;
    l->argv = end + sizeof argc;
    l->envp = l->argv + (argc + 1) * sizeof argc;
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *m = t->inf.module.at[i];
        if (m->obj && !m->is_program && ez_symbol_addr(t, m, "gnu_get_libc_version"))
            deliver_array(t, m, l);
    }
}

static ez_err *deliver_call(struct ez_target *t, struct ez_thread *th, bool apart, uint64_t at,
                            uint64_t *result)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    const struct ez_call call = { .func = t->rt.blob + (apart ? h->dl_apart : h->dl_here),
                                  .arg = &at,
                                  .n = 1,
                                  .others = true,
                                  .ms = LOAD_MS };
    return ez_inject_call(t, th, &call, result, "load a module");
}

static ez_err *deliver_answer(struct ez_target *t, uint64_t at, uint64_t result)
{
    struct rt_dl l;
    EZ_TRY(ez_mem_read(t, at, &l, sizeof l));
    l.error[sizeof l.error - 1] = 0;
    if (result)
        return ez_err_new(
            EZ_E_REMOTE, (int)(result & 0xfff),
            "Nothing was loaded: the target cannot start a thread for the dynamic loader");
    if (!l.done)
        return ez_err_hint(
            ez_err_new(EZ_E_TIMEOUT, 0,
                       "Nothing was loaded: the dynamic loader of the program is busy"),
            "A constructor may be waiting for something: try again later");
    return l.handle ? NULL
                    : ez_err_new(EZ_E_REMOTE, 0, "%s",
                                 *l.error ? l.error : "the target's loader gave no reason");
}

/* Sets *th to the thread on which to call dlopen: with EZ_DELIVER_EARLY the current thread, which
 * is in the loader's rendezvous function, otherwise a clean thread. With EZ_DELIVER_RUNNING, lets
 * the target run between the searches. */
static ez_err *deliver_thread(struct ez_target *t, enum ez_deliver when, struct ez_thread **th)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    enum ez_state was;
    if (when == EZ_DELIVER_EARLY) {
        *th = ez_thread_current(t);
        return *th ? NULL
                   : ez_err_new(EZ_E_GONE, 0, "The process ended before the file was loaded");
    }
    for (unsigned look = 0;; look++) {
        EZ_TRY(ez_plugin_clean_thread(t, th));
        if (*th)
            return NULL;
        if (look == LOOKS || when == EZ_DELIVER_STOPPED)
            return ez_plugin_no_clean_thread();
        EZ_TRY(ez_world_resume(t, EZ_RUNNING));
        nanosleep(&pause, NULL);
        EZ_TRY(ez_world_stop(t, &was));
        if (t->inf.state != EZ_STOPPED)
            return ez_err_new(EZ_E_GONE, 0, "The process ended before the file was loaded");
    }
}

/* Sets the stack of the new thread. Without it the thread has a stack of the C library. */
static ez_err *deliver_stack(struct ez_target *t, struct rt_dl *l)
{
    if (!l->attr_init || !l->attr_setstack || !l->attr_destroy)
        return NULL;
    ez_err *e = ez_rt_stack(t, STACK_SIZE, &l->stack);
    l->stack_size = STACK_SIZE;
    if (!e)
        return NULL;
    l->stack = 0;
    if (e->code == EZ_E_GONE)
        return e;
    ez_err_drop(e); /* a limit on memory */
    return NULL;
}

/* The memory below the stack pointer, and the red zone, of the thread that calls dlopen. The loader's
 * old return addresses there would later be in live frames, so that the thread would not be clean for
 * the next module. So the memory gets its earlier contents again.
 *
 * This is done only on the kernel's [stack], below which nothing is mapped. Below a coroutine's stack
 * can be the heap, or the file that dlopen maps, which dlopen changes for good. */
#define BELOW (64 * 1024)
struct below {
    uint64_t at;
    uint8_t was[BELOW];
};

static void deliver_read(struct ez_target *t, uint64_t at, uint8_t to[BELOW])
{
    memset(to, 0, BELOW); /* pages that do not exist yet */
    for (size_t i = 0; i < BELOW; i += EZ_PAGE)
        if (ez_mem_read_some(t, at + i, to + i, EZ_PAGE) != EZ_PAGE)
            memset(to + i, 0, EZ_PAGE);
}

/* Returns true if address sp is on the kernel's [stack], and all mapped memory in [at, sp) is. */
static bool deliver_on_stack(struct ez_target *t, uint64_t at, uint64_t sp)
{
    struct ez_maps maps;
    if (!ez_err_drop(ez_maps_read(t->inf.pid, &maps)))
        return false;
    size_t i = ez_maps_above(&maps, at);
    bool on = i < maps.map.n && sp >= maps.map.at[i].lo && sp < maps.map.at[i].hi &&
              !strcmp(maps.map.at[i].name, "[stack]");
    ez_maps_free(&maps);
    return on;
}

/* Returns the memory below the stack pointer, which the caller frees; NULL if something else than
 * this call may change it. */
static struct below *deliver_below(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *r;
    if (t->inf.thread.n != 1 || !ez_err_drop(ez_thread_regs(th, &r)))
        return NULL;
    const uint64_t sp = t->inf.arch->regs.sp(r), at = sp - EZ_RED_ZONE - BELOW;
    if (!deliver_on_stack(t, at, sp))
        return NULL;
    struct below *b = ez_alloc(sizeof *b);
    b->at = at;
    deliver_read(t, b->at, b->was);
    return b;
}

static ez_err *deliver_restore(struct ez_target *t, const struct below *b)
{
    size_t from = 0, to = BELOW;
    if (!b)
        return NULL;
    EZ_FREE uint8_t *now = ez_alloc(BELOW);
    deliver_read(t, b->at, now);
    while (from < to && now[from] == b->was[from])
        from++;
    while (to > from && now[to - 1] == b->was[to - 1])
        to--;
    return from < to ? ez_mem_write(t, b->at + from, b->was + from, to - from,
                                    "restore the memory below the stack")
                     : NULL;
}

static ez_err *deliver_load(struct ez_target *t, struct rt_dl *l, uint64_t at, enum ez_deliver when)
{
    struct ez_thread *th;
    uint64_t result = 0;
    EZ_TRY(deliver_thread(t, when, &th));
    bool apart =
        when != EZ_DELIVER_EARLY && t->inf.thread.n > 1 && l->pthread_create && l->pthread_detach;
    if (apart)
        EZ_TRY(deliver_stack(t, l));
    EZ_TRY(ez_mem_write(t, at, l, sizeof *l, "write the name of the module"));
    EZ_FREE struct below *below = apart ? NULL : deliver_below(t, th);
    bool waits = ez_solib_wait(t, false);
    ez_err *e = deliver_call(t, th, apart, at, &result);
    ez_solib_wait(t, waits);
    if (!e)
        e = deliver_restore(t, below);
    return e ? e : deliver_answer(t, at, result);
}

ez_err *ez_plugin_deliver(struct ez_target *t, const char *path, const char *loaded,
                          enum ez_deliver when)
{
    struct rt_dl l;
    uint64_t at;
    int64_t r;
    EZ_TRY(ez_inject_allowed(t));
    EZ_TRY(ez_rt_fit(t));
    EZ_TRY(deliver_fill(t, path, loaded, &l));
    if (when == EZ_DELIVER_EARLY)
        deliver_begin(t, &l);
    const uint64_t size = EZ_ROUND_UP(sizeof l, ez_page());
    EZ_TRY(ez_inject_mmap(t,
                          &(struct ez_mmap){ .size = size,
                                             .prot = PROT_READ | PROT_WRITE,
                                             .flags = MAP_PRIVATE | MAP_ANONYMOUS },
                          &at, "make room for a module's name"));
    ez_err *e = deliver_load(t, &l, at, when);
    if (t->inf.state == EZ_STOPPED && !(e && e->code == EZ_E_TIMEOUT))
        ez_err_drop(ez_inject_syscall(t, ez_inject_thread(t), SYS_munmap, (uint64_t[6]){ at, size },
                                      &r, "unmap the memory of a module's name"));
    return e;
}

/* ---- the process, for plugins and specifications --------------------------------------------- */

static struct ez_module *deliver_mapped(const struct ez_target *t, const char *path)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (!strcmp(m->path, path) || (m->mapped && !strcmp(m->mapped, path)))
            return m;
    }
    return NULL;
}

/* The user's path may have symbolic links, but /proc/PID/maps has paths without links, so the path
 * is compared as it is and with links resolved. */
struct ez_module *ez_plugin_module(const struct ez_target *t, const char *path)
{
    struct ez_module *m = deliver_mapped(t, path);
    EZ_FREE char *real = m ? NULL : realpath(path, NULL);
    return real && strcmp(real, path) != 0 ? deliver_mapped(t, real) : m;
}

ez_err *ez_plugin_now(struct ez_target *t, ez_plugin_bring *bring, void *what)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    ez_progress_begin(t);
    /* the libraries are relocated, and no constructor has run (`set stop-at-exec`), so the present
     * thread can load the file */
    bool early = was == EZ_STOPPED && t->inf.at_ready;
    ez_err *e = bring(t, what,
                      early               ? EZ_DELIVER_EARLY
                      : was == EZ_STOPPED ? EZ_DELIVER_STOPPED
                                          : EZ_DELIVER_RUNNING);
    if (!e)
        e = ez_probes_pending(t, false);
    e = ez_progress_end(t, e);
    ez_err *r = t->inf.state == EZ_STOPPED ? ez_world_resume(t, was) : NULL;
    return ez_err_first(e, r);
}

/* Returns true if there is no process, or if its libraries are not relocated yet, so that it cannot
 * load a file. ez_plugins_early() loads plugins once the libraries are relocated. */
bool ez_plugin_too_early(const struct ez_target *t)
{
    return t->inf.state == EZ_NONE || !t->probes.first_solib;
}

ez_err *ez_plugin_probes_delete(struct ez_target *t, const int *number, size_t n)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((n + 1) * sizeof *which);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (number[i] && ez_probe_numbered(t, number[i]))
            which[k++] = (struct ez_numbers){ number[i], number[i] };
    return k ? ez_probe_delete(t, which, k) : NULL;
}

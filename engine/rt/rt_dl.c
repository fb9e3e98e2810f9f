/* SPDX-License-Identifier: MIT */
/* rt_dl.c - loads a module's file into the process, by the process's own dlopen. The shell fills in
 * a struct rt_dl and makes a thread call one of these functions; engine/plugin/ decides which
 * thread.
 * Tests: tests/procs/module.sh */
#include "engine/rt/rt_priv.h"

#define DL_NOW 2 /* RTLD_NOW */
/* maximum ms to wait: a constructor of the file may itself wait for the thread that waits */
#define DL_WAIT_MS 2000

/* Loads the file, and stores the result. The callers run with all signals blocked; dlopen and
 * malloc work with blocked signals. */
static void dl_open(struct rt_dl *l)
{
    void *(*open)(const char *, int) = (void *(*)(const char *, int))l->dlopen;
    const char *(*error)(void) = (const char *(*)(void))l->dlerror;
    uint64_t (*symbol)(uint64_t, const char *) = (uint64_t(*)(uint64_t, const char *))l->dlsym;
    uint64_t handle = (uint64_t)open(l->path, DL_NOW);
    uint64_t loaded = handle && symbol ? symbol(handle, l->loaded) : 0;
    const char *why = handle ? 0 : error();
    if (loaded)
        ((void (*)(void))loaded)();
    for (unsigned i = 0; why && why[i] && i < sizeof l->error - 1; i++)
        l->error[i] = why[i];
    l->handle = handle;
    __atomic_store_n(&l->done, 1, __ATOMIC_RELEASE);
    rt_syscall(RT_SYS_FUTEX, (long)&l->done, 1 /* FUTEX_WAKE */, 1, 0, 0, 0);
}

/* Loads the file on the calling thread. Returns 0. */
HIDDEN uint64_t ez_dl_here(struct rt_dl *l)
{
    void (**init)(int, uint64_t, uint64_t) = (void (**)(int, uint64_t, uint64_t))l->init;
    for (uint64_t i = 0; i < l->inits; i++)
        init[i]((int)l->argc, l->argv, l->envp);
    dl_open(l);
    return 0;
}

static void *dl_thread(void *arg)
{
    dl_open(arg);
    return 0;
}

/* Prepares the attributes of a thread with the stack that the shell has mapped. The C library would
 * keep a stack of its own for the program's next threads, with addresses of this code in it, and
 * then eztsh could not unmap the code at a detach. Returns the attributes, or 0 for a stack of the
 * C library. */
static const void *dl_attributes(struct rt_dl *l)
{
    int (*init)(uint64_t *) = (int (*)(uint64_t *))l->attr_init;
    int (*setstack)(uint64_t *, uint64_t, uint64_t) =
        (int (*)(uint64_t *, uint64_t, uint64_t))l->attr_setstack;
    return l->stack && !init(l->attr) && !setstack(l->attr, l->stack, l->stack_size) ? l->attr : 0;
}

/* Loads the file on a new thread, which inherits that all signals are blocked. Waits up to
 * DL_WAIT_MS for that thread. Returns 0, or the error of pthread_create. */
HIDDEN uint64_t ez_dl_apart(struct rt_dl *l)
{
    uint64_t all = ~0ull, was = 0, thread = 0, begin;
    int (*create)(uint64_t *, const void *, void *(*)(void *), void *) =
        (int (*)(uint64_t *, const void *, void *(*)(void *), void *))l->pthread_create;
    int (*detach)(uint64_t) = (int (*)(uint64_t))l->pthread_detach;
    int (*destroy)(uint64_t *) = (int (*)(uint64_t *))l->attr_destroy;
    const void *attr = dl_attributes(l);
    rt_syscall(RT_SYS_SIGPROCMASK, 2 /* SIG_SETMASK */, (long)&all, (long)&was, 8, 0, 0);
    int e = create(&thread, attr, dl_thread, l);
    if (attr)
        destroy(l->attr);
    if (e && attr) /* the program has more thread-local data than the stack has room for */
        e = create(&thread, 0, dl_thread, l);
    if (!e)
        detach(thread);
    rt_syscall(RT_SYS_SIGPROCMASK, 2, (long)&was, 0, 8, 0, 0);
    for (begin = now_ms(); !e && !l->done && now_ms() - begin < DL_WAIT_MS;)
        rt_nap(&l->done, 0);
    return (uint64_t)e;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prove.c - determines for many sites whether exits can use call-through, and whether exits can be
 * followed at all. (engine/code/frame.c proves it from one function's bytes.)
 *
 * A proof only reads one function's bytes and tables of its file, and stores the result in the
 * site. So several threads work at once. Each thread claims AT_ONCE sites at a time.
 * Invariant: while these threads run, no other thread of the shell accesses a site.
 * Tests: tests/fault/check_exits.sh */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "engine/code/frame.h"
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/patch/want.h"

#define AT_ONCE 64 /* number of sites that a thread claims at once */
#define WORTH 256  /* with fewer proofs than this number, no thread is started */
#define THREADS_MOST 4

static void prove_look(const struct ez_target *t, struct ez_site *s)
{
    const struct ez_module *m = s->mod;
    s->framed = true;
    s->not_through = "its end is not known";
    if (!s->sym || s->exact || s->func < m->image_va)
        return;
    uint64_t off = s->func - m->image_va, end = ez_sym_end(s->sym) + m->bias;
    size_t n = end > s->func ? (size_t)(end - s->func) : 0;
    if (off + n > m->image_len)
        return;
    s->not_through = ez_frame_why_not(t->inf.arch, m->image + off, n, s->func, s->addr);
    s->no_exit = ez_frame_no_exit(t->inf.arch, m->image + off, n, s->func, s->not_through);
    if (!s->not_through && m->profiled)
        s->not_through = "gprof's mcount looks at its return address";
    if (!s->not_through && ez_object_lands(m->obj, s->sym->vaddr, s->sym->vaddr + n))
        s->not_through = "it has landing pads for exceptions";
}

const char *ez_site_not_through(const struct ez_target *t, struct ez_site *s)
{
    if (!s->framed)
        prove_look(t, s);
    return s->not_through;
}

const char *ez_site_no_exit(const struct ez_target *t, struct ez_site *s)
{
    if (!s->framed)
        prove_look(t, s);
    return s->no_exit;
}

struct work {
    struct ez_target *t;
    size_t next;
};

static bool prove_needs_proof(const struct ez_site *s)
{
    return !s->framed && !s->hook && s->mod && ez_site_wanted(s) & EZ_ROW_EXIT;
}

/* Claims the next AT_ONCE sites and makes their proofs. Returns false if no sites are left. */
static bool prove_some(struct work *w)
{
    size_t n = w->t->patcher.site.n, i = __atomic_fetch_add(&w->next, AT_ONCE, __ATOMIC_RELAXED);
    for (size_t k = i; k < n && k < i + AT_ONCE; k++)
        if (prove_needs_proof(&w->t->patcher.site.at[k]))
            prove_look(w->t, &w->t->patcher.site.at[k]);
    return i < n;
}

static void *prove_main(void *arg)
{
    while (prove_some(arg))
        continue;
    return NULL;
}

/* Makes proofs in the main thread, and reports progress. If the user interrupts, the other threads
 * find no further sites and end. */
static ez_err *prove_asking(struct work *w)
{
    size_t n = w->t->patcher.site.n;
    ez_err *e = NULL;
    while (!e && prove_some(w))
        e = ez_progress_step(w->t, "Following exits", EZ_MIN(w->next, n) / AT_ONCE * AT_ONCE, n);
    if (e)
        __atomic_store_n(&w->next, n, __ATOMIC_RELAXED);
    return e;
}

ez_err *ez_sites_prove(struct ez_target *t)
{
    struct work w = { .t = t };
    pthread_t thread[THREADS_MOST];
    sigset_t all, old;
    size_t proofs = 0, started = 0;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < t->patcher.site.n; i++)
        proofs += prove_needs_proof(&t->patcher.site.at[i]);
    if (proofs < WORTH)
        return NULL; /* then a site's proof is made when a probe needs it */
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->obj)
            /* loads the file's table of landing pads now, because threads must not load it at
             * once */
            ez_object_lands(t->inf.module.at[i]->obj, 0, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while ((long)started + 1 < EZ_MIN(cpus, THREADS_MOST) &&
           !pthread_create(&thread[started], NULL, prove_main, &w))
        started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    ez_err *e = prove_asking(&w);
    while (started)
        pthread_join(thread[--started], NULL);
    return e;
}

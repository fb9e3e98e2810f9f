/* SPDX-License-Identifier: MIT */
/* openmp_task.h - tasks of the GNU library, and bodies of regions, as it calls them.
 *
 * The library copies a task's argument: byte by byte, or by the compiler's function. The copy gets
 * a head before it that has the task's function; a function of the module copies both. What the
 * library itself reads and writes in an argument has the same offset in the head: the first and
 * last iteration of a part of a taskloop, and the list of reductions.
 *
 * An argument that the library would have used in place is copied to its stack by the module,
 * unless it is large. */
#ifndef OPENMP_TASK_H
#define OPENMP_TASK_H

#include <string.h>

#include "openmp_probes.h"

enum {
    OPENMP_FLAG_NOGROUP = 1 << 11,
    OPENMP_FLAG_REDUCTION = 1 << 12,
    OPENMP_FLAG_DETACH = 1 << 13
};

enum { OPENMP_ARGUMENT_MOST = 1 << 16 };

struct openmp_task {
    uint64_t range[2]; /* set by the library in a copy, before or after copying */
    void *reductions;
    void (*fn)(void *);
    void (*copy)(void *, void *);
    void *data;      /* the compiler's argument, of which the library makes copies */
    size_t size, at; /* size of the argument; offset of a copy from its head */
    int is_copy;
};

/* Returns the argument by the place of the head, because LLVM's library copies copies, byte by
 * byte. */
static inline void *openmp_task_arg(struct openmp_task *t)
{
    return t->is_copy ? (char *)t + t->at : t->data;
}

/* The library calls it with a copy, or, for a task that is not deferred, with the original. */
static void openmp_task_body(void *p)
{
    struct openmp_task *t = (struct openmp_task *)p;
    struct openmp_was was = openmp_task_begin((uint64_t)t->fn);
    t->fn(openmp_task_arg(t));
    openmp_task_end(was);
}
static void openmp_task_part(void *p)
{
    struct openmp_task *t = (struct openmp_task *)p;
    memcpy(openmp_task_arg(t), t->range, sizeof t->range);
    openmp_task_body(p);
}

static void openmp_task_copy(void *to, void *from)
{
    struct openmp_task *t = (struct openmp_task *)to;
    struct openmp_task *f = (struct openmp_task *)from;
    memcpy(&t->reductions, &f->reductions, sizeof *t - offsetof(struct openmp_task, reductions));
    t->is_copy = 1;
    if (f->copy)
        f->copy(openmp_task_arg(t), openmp_task_arg(f));
    else if (f->size)
        memcpy(openmp_task_arg(t), openmp_task_arg(f), f->size);
}

/* *size, *align: of the argument; on return, of what the library must allocate. */
static inline struct openmp_task openmp_task_head(void (*fn)(void *), void *data,
                                                  void (*copy)(void *, void *), long *size,
                                                  long *align)
{
    struct openmp_task t = { { 0, 0 }, NULL, fn, copy, data, (size_t)*size, sizeof t, 0 };
    if (*align < (long)_Alignof(struct openmp_task))
        *align = _Alignof(struct openmp_task);
    t.at = (sizeof t + (size_t)*align - 1) / (size_t)*align * (size_t)*align;
    *size += (long)t.at;
    return t;
}

static inline struct openmp_region openmp_region_of(void (*fn)(void *), void *data, void *first)
{
    return (struct openmp_region){ first, fn, data, (uint64_t)fn, 0, 0, 0 };
}

static void openmp_task_region(void *p)
{
    struct openmp_region *r = (struct openmp_region *)p;
    struct openmp_part part = openmp_part_begin(r);
    r->fn(r->data);
    openmp_part_end(r, &part);
}

#endif

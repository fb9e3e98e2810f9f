/* SPDX-License-Identifier: MIT */
/* openmp_task.h - how the GNU library calls the bodies of tasks, for openmp.tpl.
 *
 * The library copies a task's argument: byte by byte, or by a function of the compiler. The module
 * puts a head with the task's function before the copy; a function of the module copies both. Some
 * words of an argument are read and written by the library itself: the first and last iteration of
 * a part of a taskloop, and the list of reductions. They have the same offsets in the head.
 *
 * If the library would use an argument in place, the module copies it to the library's stack,
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
    void *data; /* the compiler's argument, of which the library makes copies */
    /* size: of the argument; at: offset of a copied argument from its head; in bytes */
    size_t size, at;
    int is_copy;
};

/* Returns the task's argument. Computes it from the address of the head, because LLVM's library
 * copies a copy again, byte by byte. */
static inline void *openmp_task_arg(struct openmp_task *t)
{
    return t->is_copy ? (char *)t + t->at : t->data;
}

/* The function that the library calls as the task's body. p: a copy of the head; for a task that is
 * not deferred, the head itself. */
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

/* Makes the head. *size, *align: size and alignment of the argument; they become the values that
 * the library must allocate. */
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

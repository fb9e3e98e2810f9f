/* SPDX-License-Identifier: MIT */
/* ezt_interp.h - the reader's side of a module: what its events mean.
 *
 * Most modules need none: what EZT_EVENT says stands in the trace, and every reader knows it. An
 * interpreter is for what one event alone does not tell: events that belong together, containers
 * that are no threads, another view of the same events. It is a shared object, NAME-interp.so, or
 * NAME-interp-ANYTHING.so if there are several, for events of the module NAME. It is looked for in the
 * folders of modules (EZTRACE_LIBRARY_PATH), and loaded into eztsh by `convert`, `stats`,
 * `report`, `timeline` and `events` when a trace has such events:
 *
 *   #include <ezt_interp.h>
 *   struct mine { const struct ezt_reader *r; unsigned gpu, busy; };
 *   static void *create(const struct ezt_reader *r) { ... }
 *   static int event(void *self, const struct ezt_read_event *ev)
 *   {
 *       struct mine *m = self;
 *       if (ev->number != 1)
 *           return EZT_NOT_MINE;
 *       m->r->push(m->r, m->gpu, m->busy);
 *       return EZT_INSTEAD;
 *   }
 *   EZT_INTERP = { EZT_INTERP_ABI, create, event, NULL, NULL };
 *
 * Events come in the order of time, of all processes and threads of a trace. Numbers of containers
 * and names are good until `destroy`. A wrong number, or a text that is too long, does nothing. */
#ifndef EZT_INTERP_H
#define EZT_INTERP_H

#include <stdint.h>

#define EZT_INTERP_ABI 1
#define EZT_NONE 0xffffffffu /* no such container or name                              */

enum ezt_name_kind { EZT_STATE, EZT_POINT, EZT_VARIABLE, EZT_LINK };

struct ezt_read_event {
    uint64_t ns;          /* since the first event of the trace                          */
    uint32_t number;      /* of the event, in its module                                 */
    uint32_t n;           /* words                                                       */
    const uint64_t *word; /* valid during the call                                    */
    uint64_t pid, tid;
    uint32_t process, thread; /* their containers                                     */
};

struct ezt_reader {     /* what an interpreter may do */
    uint32_t abi, size; /* EZT_INTERP_ABI, of this struct                              */
    /* The container NAME inside another; the first call makes it. */
    uint32_t (*container)(const struct ezt_reader *r, uint32_t parent, const char *name);
    uint32_t (*name)(const struct ezt_reader *r, enum ezt_name_kind kind, const char *text);
    /* What happens at the time of the event that is being interpreted. */
    void (*push)(const struct ezt_reader *r, uint32_t container, uint32_t state);
    void (*pop)(const struct ezt_reader *r, uint32_t container);
    void (*set)(const struct ezt_reader *r, uint32_t container, uint32_t state);
    void (*point)(const struct ezt_reader *r, uint32_t container, uint32_t name,
                  const uint64_t *word, uint32_t n);
    void (*var_set)(const struct ezt_reader *r, uint32_t container, uint32_t variable,
                    double value);
    void (*var_add)(const struct ezt_reader *r, uint32_t container, uint32_t variable, double by);
    void (*link_start)(const struct ezt_reader *r, uint32_t container, uint32_t link, uint64_t key);
    void (*link_end)(const struct ezt_reader *r, uint32_t container, uint32_t link, uint64_t key);
    /* A line for `stats`, below its tables; in `finish` only. */
    void (*line)(const struct ezt_reader *r, const char *text);
};

/* What an interpreter made of an event. Several interpreters may know the same one. */
enum { EZT_NOT_MINE, EZT_ALSO /* beside what EZT_EVENT says */, EZT_INSTEAD /* and not that */ };

struct ezt_interp {
    uint32_t abi;
    void *(*create)(const struct ezt_reader *r); /* NULL is no error                  */
    int (*event)(void *self, const struct ezt_read_event *ev);
    void (*finish)(void *self);  /* behind the last event; may be NULL                 */
    void (*destroy)(void *self); /* may be NULL                                       */
};

#ifdef __cplusplus
#define EZT_INTERP                                                                                 \
    extern "C" __attribute__((visibility("default"))) const struct ezt_interp ezt_interp
#else
#define EZT_INTERP __attribute__((visibility("default"))) const struct ezt_interp ezt_interp
#endif

#endif

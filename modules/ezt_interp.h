/* SPDX-License-Identifier: MIT */
/* ezt_interp.h - the reader's side of a module: code that gives its events a meaning.
 *
 * Most modules need no interpreter: the trace contains the meanings that EZT_EVENT defines, and
 * every reader of traces uses them. An interpreter is for a meaning that one event alone does not
 * have: events that belong together, containers that are no threads, another view of the same
 * events. An interpreter is a shared object for the events of the module NAME. Its file is
 * NAME-interp.so, or NAME-interp-ANYTHING.so if there are several. `convert`, `stats`, `report`,
 * `timeline` and `events` look for interpreters in the folders of modules (EZTRACE_LIBRARY_PATH),
 * and load them into eztsh when a trace has such events:
 *
 *  #include <ezt_interp.h>
 *
 *  struct mine { const struct ezt_reader *r; unsigned gpu, busy; };
 *
 *  static void *create(const struct ezt_reader *r) { ... }
 *
 *  static int event(void *self, const struct ezt_read_event *ev)
 *  {
 *      struct mine *m = self;
 *      if (ev->number != 1)
 *          return EZT_NOT_MINE;
 *      m->r->push(m->r, m->gpu, m->busy);
 *      return EZT_INSTEAD;
 *  }
 *
 *  EZT_INTERP = { EZT_INTERP_ABI, create, event, NULL, NULL };
 *
 * Events of all processes and threads of a trace arrive in the order of time. Numbers of containers
 * and names are valid until `destroy`. A call with a wrong number, or a text that is too long, has
 * no effect. */
#ifndef EZT_INTERP_H
#define EZT_INTERP_H

#include <stdint.h>

#define EZT_INTERP_ABI 1
#define EZT_NONE 0xffffffffu /* no such container or name */

enum ezt_name_kind { EZT_STATE, EZT_POINT, EZT_VARIABLE, EZT_LINK };

struct ezt_read_event {
    uint64_t ns;          /* ns since the first event of the trace */
    uint32_t number;      /* number of the event in its module */
    uint32_t n;           /* number of words */
    const uint64_t *word; /* words of the event; valid during the call */
    uint64_t pid, tid;
    uint32_t process, thread; /* numbers of the containers of the process and thread */
};

struct ezt_reader {     /* functions for an interpreter */
    uint32_t abi, size; /* EZT_INTERP_ABI; size of this struct */
    /* Returns the number of the container `name` inside the container `parent`. The first call
     * makes the container. */
    uint32_t (*container)(const struct ezt_reader *r, uint32_t parent, const char *name);
    uint32_t (*name)(const struct ezt_reader *r, enum ezt_name_kind kind, const char *text);
    /* Functions that take effect at the time of the current event. */
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
    /* Prints a line below the tables of `stats`. Call this function only in `finish`. */
    void (*line)(const struct ezt_reader *r, const char *text);
};

/* Results of an interpreter for an event. Several interpreters may handle the same event. */
enum {
    EZT_NOT_MINE,
    EZT_ALSO /* the event also keeps the meaning of EZT_EVENT */,
    EZT_INSTEAD /* the event loses the meaning of EZT_EVENT */
};

struct ezt_interp {
    uint32_t abi;
    void *(*create)(const struct ezt_reader *r); /* returns `self` for the other functions; NULL is
                                                  * no error */
    int (*event)(void *self, const struct ezt_read_event *ev);
    void (*finish)(void *self);  /* called after the last event; may be NULL */
    void (*destroy)(void *self); /* may be NULL */
};

#ifdef __cplusplus
#define EZT_INTERP                                                                                 \
    extern "C" __attribute__((visibility("default"))) const struct ezt_interp ezt_interp
#else
#define EZT_INTERP __attribute__((visibility("default"))) const struct ezt_interp ezt_interp
#endif

#endif

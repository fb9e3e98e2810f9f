/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - modules that replace functions and record events (README.md).
 *
 *   plugin.c   what a file says of itself       search.c  a module's file by its name
 *   attach.c   a plugin and the live process    deliver.c a file gets into the process
 *   clean.c    is a thread where dlopen may be called?
 *   spec.c     specifications and the live process   watch.c  fragments that fault or loop */
#ifndef EZ_PLUGIN_H
#define EZ_PLUGIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "modules/ezt_fragment.h"

struct ez_target;
struct ez_thread;

struct ez_plugin_replace {                /* texts as in the file */
    char *location, *with, *orig, *twins; /* twins: engine/probe/probe.h; or NULL */
};
struct ez_plugin_event {
    unsigned number, action, level; /* enum ez_action; 0 program, 1 process, 2 thread */
    char *text;
};
struct ez_plugin_words { /* what the words of an event are (engine/ring/words.h) */
    unsigned number;
    char *text;
    char *
        from; /* or the symbol where the text is in the process; then text is NULL until it was read */
};

struct ez_plugin {
    char *path, *name, *desc;
    unsigned id;
    EZ_VEC(struct ez_plugin_replace) replace;
    EZ_VEC(struct ez_plugin_event) event;
    EZ_VEC(struct ez_plugin_words) words;
    char *says; /* the symbol where it has something to tell; NULL = none */
    /* in this session: */
    EZ_VEC(int) number; /* of its replacements, by index of `replace`; 0 = it has none */
    bool there;         /* it is in this process                                       */
    uint32_t row;       /* the id of its events, if it is there                        */
    char *refused;      /* why it is not; NULL = it is, or there is no process         */
};

struct ez_loaded_routine { /* of a specification; its probe has the counts                 */
    char *path, *function, *file;
    struct ez_object *obj; /* the file that it was made for                                */
    uint64_t vaddr, end;
    unsigned line, row;
    char *why;               /* it is left alone; NULL = it is not, and has a row                 */
    char *note;              /* what else is to be known of it; NULL = nothing                   */
    bool suspends, reported; /* told: the user knows that its fragment is off                 */
    int probe;
};
struct ez_loaded_clause {
    char *text, *place, *why, *note;
    enum ez_spec_counted counted;
    size_t routines;
    EZ_VEC(unsigned) row;
    EZ_VEC(struct ez_spec_place) inside;
};
struct ez_loaded_callee { /* its calls are places of routines                                    */
    char *name;
    int probe;     /* the first of them: a symbol may be found in several files                  */
    unsigned when; /* EZT_BEFORE, EZT_BEHIND, EZT_THERE                                     */
};
struct ez_loaded_spec {
    int number;
    char *name, *path;
    unsigned rows;
    bool init;
    EZ_VEC(struct ez_loaded_routine) routine;
    EZ_VEC(struct ez_loaded_clause) clause;
    EZ_VEC(struct ez_loaded_callee) callee;
    bool there;     /* in this process                                               */
    uint64_t table; /* its struct ezt_fragment[rows] there                               */
    char *refused;  /* why it is not there; NULL = it is, or there is no process         */
};

struct ez_watched { /* a fragment that runs                                             */
    uint64_t runs;
    double since;
};
struct ez_plugins {
    EZ_VEC(struct ez_plugin *) loaded;    /* attach.c writes it */
    EZ_VEC(struct ez_loaded_spec *) spec; /* spec.c             */
    int specs_made;
    EZ_VEC(struct ez_watched)
    watched;             /* the fragments that run, by buffer: watch.c                 */
    EZ_VEC(int) disable; /* probes whose fragments are off                           */
    uint32_t requests;   /* requests of the process that were looked at               */
};

/* Read what the file says of itself. EZ_E_ARG: it is no module; EZ_E_FORMAT: a damaged one, or made for
 * another version. */
ez_err *ez_plugin_read(const char *path, struct ez_plugin **out) EZ_WUR;
void ez_plugin_free(struct ez_plugin *p);

/* search.c: the path of the module NAME (with a slash: of that file). EZ_E_NOTFOUND. */
ez_err *ez_plugin_find(const char *name, char **path) EZ_WUR;

/* deliver.c: have the target load the file. World stopped. */
enum ez_deliver {
    EZ_DELIVER_EARLY,   /* libraries are relocated, and no constructor has run          */
    EZ_DELIVER_STOPPED, /* the user has stopped the target, and it must not run on      */
    EZ_DELIVER_RUNNING, /* it may run on for a while, to get where it can be done       */
};
ez_err *ez_plugin_deliver(struct ez_target *t, const char *path, enum ez_deliver when) EZ_WUR;

/* clean.c: *out = a thread on which dlopen may be called now; NULL = there is none. World
 * stopped. */
ez_err *ez_plugin_clean_thread(struct ez_target *t, struct ez_thread **out) EZ_WUR;

/* attach.c, for spec.c, too. ez_plugin_module: the file that is mapped, NULL = it is not. ez_plugin_now: `bring`
 * loads what it is asked for into the live process, then what is pending is planted: in one stop.
 * ez_plugin_too_early: nothing can be loaded yet, or there is no process. */
struct ez_module *ez_plugin_module(const struct ez_target *t, const char *path);
typedef ez_err *ez_plugin_bring(struct ez_target *t, void *what, enum ez_deliver when);
ez_err *ez_plugin_now(struct ez_target *t, ez_plugin_bring *bring, void *what) EZ_WUR;
bool ez_plugin_too_early(const struct ez_target *t);
ez_err *ez_plugin_probes_delete(struct ez_target *t, const int *number, size_t n) EZ_WUR;

/* attach.c, for the session */
void ez_plugins_process_ended(struct ez_target *t);
/* Libraries are relocated and no constructor has run: load what the user asked for. */
void ez_plugins_early(struct ez_target *t);
/* The target is a forked child, which has its parent's modules, and a runtime of its own. Stopped. */
void ez_plugins_forked(struct ez_target *t);
/* The target has been attached to, and is stopped: load what the user asked for before. */
void ez_plugins_attached(struct ez_target *t);
void ez_plugins_free(struct ez_target *t);

/* spec.c: the same moments, for specifications */
void ez_specs_early(struct ez_target *t, enum ez_deliver when);
void ez_specs_attached(struct ez_target *t);
void ez_specs_forked(struct ez_target *t);
void ez_specs_process_ended(struct ez_target *t);
void ez_specs_free(struct ez_target *t);
/* import.c: what the loaded object refers to weakly, and nobody exports. World stopped. */
struct ez_module;
ez_err *ez_import(struct ez_target *t, const struct ez_module *m) EZ_WUR;
/* spec_info.c. ez_spec_probes: by index of its routines; NULL = it has none (any more). To be freed. EZ_E_NOTFOUND. */
struct ez_probe **ez_spec_probes(const struct ez_target *t, const struct ez_loaded_spec *s);
ez_err *ez_spec_numbered(const struct ez_target *t, int number, struct ez_loaded_spec **out) EZ_WUR;
/* watch.c, for the session. ez_specs_fault: the signal that stopped the thread is a fragment's fault, which is
 * taken care of. ez_specs_look: once a round. */
void ez_specs_recursed(struct ez_target *t); /* tells of those that come to their own routine */
bool ez_specs_fault(struct ez_target *t, struct ez_thread *th);
ez_err *ez_specs_look(struct ez_target *t) EZ_WUR;

#endif

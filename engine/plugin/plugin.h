/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - modules that replace functions and record events (README.md).
 *
 *   plugin.c   reads a module's file                 search.c  finds a module's file by its name
 *   attach.c   plugins and the live process          deliver.c loads a file into the process
 *   clean.c    finds a thread on which dlopen may be called
 *   spec.c     specifications and the live process   watch.c   fragments that fault or loop */
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
    char *location, *with, *orig, *twins; /* twins: engine/probe/probe.h; may be NULL */
};
struct ez_plugin_event {
    unsigned number, action, level; /* enum ez_action; level: 0 program, 1 process, 2 thread */
    char *text;
};
struct ez_plugin_words { /* meanings of an event's words (engine/record/words.h) */
    unsigned number;
    char *text;
    char *from; /* or the symbol of the text in the process; text is then NULL until it is read */
};

struct ez_plugin {
    char *path, *name, *desc;
    unsigned id;
    EZ_VEC(struct ez_plugin_replace) replace;
    EZ_VEC(struct ez_plugin_event) event;
    EZ_VEC(struct ez_plugin_words) words;
    char *says; /* symbol of a text that the module makes; NULL = none */
    /* In this session: */
    EZ_VEC(int) number; /* probe numbers of its replacements, by index of `replace`; 0 = none */
    bool there;         /* connected in this process */
    uint32_t row;       /* id of its events, if `there` */
    char *refused;      /* reason why it is not `there`; NULL = it is, or there is no process */
};

struct ez_loaded_routine { /* routine of a specification; its probe has the counts */
    char *path, *function, *file;
    struct ez_object *obj; /* file for which the object was made */
    uint64_t vaddr, end;
    unsigned line, row;
    char *why;               /* reason why the routine is skipped; NULL = not skipped, and has a
                              * row */
    char *note;              /* further note for the user; NULL = none */
    bool suspends, reported; /* reported: the user was told that its fragment is off */
    int probe;
};
struct ez_loaded_clause {
    char *text, *place, *why, *note;
    enum ez_spec_counted counted;
    size_t routines;
    EZ_VEC(unsigned) row;
    EZ_VEC(struct ez_spec_place) inside;
};
struct ez_loaded_callee { /* function whose calls are places of routines */
    char *name;
    int probe;     /* first of them: a symbol may be in several files */
    unsigned when; /* EZT_BEFORE, EZT_BEHIND, EZT_THERE */
};
struct ez_loaded_spec {
    int number;
    char *name, *path;
    unsigned rows;
    bool init;
    EZ_VEC(struct ez_loaded_routine) routine;
    EZ_VEC(struct ez_loaded_clause) clause;
    EZ_VEC(struct ez_loaded_callee) callee;
    bool there;     /* loaded in this process */
    uint64_t table; /* address of its struct ezt_fragment[rows] there */
    char *refused;  /* reason why it is not `there`; NULL = it is, or there is no process */
};

struct ez_watched { /* a running fragment */
    uint64_t runs;
    double since;
};
struct ez_plugins {
    EZ_VEC(struct ez_plugin *) loaded;    /* written by attach.c */
    EZ_VEC(struct ez_loaded_spec *) spec; /* written by spec.c */
    int specs_made;
    EZ_VEC(struct ez_watched) watched; /* running fragments, by buffer: watch.c */
    EZ_VEC(int) disable;               /* probes to disable, because their fragments are off */
    uint32_t requests;                 /* number of the process's requests that were handled */
};

/* Reads the description in a module's file. EZ_E_ARG: the file is no module. EZ_E_FORMAT: it is
 * damaged, or for another version. */
ez_err *ez_plugin_read(const char *path, struct ez_plugin **out) EZ_WUR;
void ez_plugin_free(struct ez_plugin *p);

/* Finds the file of the module NAME; a name with a slash is a path (search.c). EZ_E_NOTFOUND. */
ez_err *ez_plugin_find(const char *name, char **path) EZ_WUR;

/* Makes the target load a file (deliver.c). World stopped. */
enum ez_deliver {
    EZ_DELIVER_EARLY,   /* libraries are relocated, and no constructor has run */
    EZ_DELIVER_STOPPED, /* the user stopped the target, and it must not run */
    EZ_DELIVER_RUNNING, /* the target may run for a while, to reach a state in which loading is
                         * possible */
};
ez_err *ez_plugin_deliver(struct ez_target *t, const char *path, enum ez_deliver when) EZ_WUR;

/* Finds a thread on which dlopen may be called now; *out NULL if there is none (clean.c). World
 * stopped. */
ez_err *ez_plugin_clean_thread(struct ez_target *t, struct ez_thread **out) EZ_WUR;

/* deliver.c, for attach.c and spec.c. ez_plugin_module returns the mapped file, NULL if it is not
 * mapped. ez_plugin_now calls `bring`, which loads `what` into the live process, then plants
 * pending probes, in one stop. ez_plugin_too_early returns true if there is no process, or if it
 * cannot load anything yet. */
struct ez_module *ez_plugin_module(const struct ez_target *t, const char *path);
typedef ez_err *ez_plugin_bring(struct ez_target *t, void *what, enum ez_deliver when);
ez_err *ez_plugin_now(struct ez_target *t, ez_plugin_bring *bring, void *what) EZ_WUR;
bool ez_plugin_too_early(const struct ez_target *t);
ez_err *ez_plugin_probes_delete(struct ez_target *t, const int *number, size_t n) EZ_WUR;

/* attach.c, for the session. */
void ez_plugins_process_ended(struct ez_target *t);
/* Loads the user's plugins: libraries are relocated, and no constructor has run. */
void ez_plugins_early(struct ez_target *t);
/* Handles a stopped target that is a forked child: it has its parent's modules, and a runtime of
 * its own. */
void ez_plugins_forked(struct ez_target *t);
/* Loads the earlier requested plugins into a target that was just attached, and is stopped. */
void ez_plugins_attached(struct ez_target *t);
void ez_plugins_free(struct ez_target *t);

/* spec.c: the same events, for specifications. */
void ez_specs_early(struct ez_target *t, enum ez_deliver when);
void ez_specs_attached(struct ez_target *t);
void ez_specs_forked(struct ez_target *t);
void ez_specs_process_ended(struct ez_target *t);
void ez_specs_free(struct ez_target *t);
/* Resolves weak references of the loaded object to symbols that no object exports (import.c).
 * World stopped. */
struct ez_module;
ez_err *ez_import(struct ez_target *t, const struct ez_module *m) EZ_WUR;
/* spec_info.c. ez_spec_probes returns the probes by index of the routines, NULL for a routine
 * without a probe; the caller frees the array. EZ_E_NOTFOUND. */
struct ez_probe **ez_spec_probes(const struct ez_target *t, const struct ez_loaded_spec *s);
ez_err *ez_spec_numbered(const struct ez_target *t, int number, struct ez_loaded_spec **out) EZ_WUR;
/* watch.c, for the session. ez_specs_fault returns true if the signal that stopped the thread is a
 * fragment's fault, which it handles. ez_specs_look runs once a round. */
void ez_specs_recursed(struct ez_target *t); /* Reports fragments that called their own routine. */
bool ez_specs_fault(struct ez_target *t, struct ez_thread *th);
ez_err *ez_specs_look(struct ez_target *t) EZ_WUR;

#endif

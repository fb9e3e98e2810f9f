/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - plugins (modules of users), which replace functions and record events, and
 * specifications, whose fragments run at probes (README.md).
 *
 *   plugin.c   reads a module's file                 search.c  finds a module's file by its name
 *   attach.c   plugins and the live process          deliver.c loads a file into the process
 *   clean.c    finds a thread on which dlopen may be called
 *   spec.c     specifications and the live process   watch.c   fragments that fault or loop
 *   import.c   symbols that the program does not export
 *   spec_info.c lists of specifications */
#ifndef EZ_PLUGIN_H
#define EZ_PLUGIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "modules/ezt_fragment.h"

struct ez_regs;
struct ez_target;
struct ez_thread;

struct ez_plugin_replace { /* a replaced function; the strings are those in the module's file */
    /* with: the plugin's function; orig: the plugin's variable for the address of the original, or
     * NULL; twins: see ez_replace_twin(), or NULL */
    char *location, *with, *orig, *twins;
};
struct ez_plugin_event {
    unsigned number, action, level; /* enum ez_action; level: 0 program, 1 process, 2 thread */
    char *text;
};
struct ez_plugin_words { /* how to print the data words of event `number` (engine/record/words.h) */
    unsigned number;
    char *text;
    char *from; /* symbol at which the process has `text`; NULL = `text` is in the file */
};

struct ez_plugin {
    char *path, *name, *desc;
    unsigned id;
    EZ_VEC(struct ez_plugin_replace) replace;
    EZ_VEC(struct ez_plugin_event) event;
    EZ_VEC(struct ez_plugin_words) words;
    char *says; /* symbol at which the module writes a message for the user; NULL = none */
    char *
        loaded; /* function that the process calls each time after it loaded the file; NULL = none */
    /* the following fields are not from the file */
    EZ_VEC(int) number; /* parallel to `replace`: number of each replacement; 0 = none */
    bool there;         /* the plugin is connected in the present process */
    uint32_t row;       /* id under which the plugin's events are counted; valid if `there` */
    char *refused;      /* why loading failed in this process; NULL = it did not, or no process */
};

struct ez_loaded_routine { /* a routine of a specification; the counts are in the routine's probe */
    char *path, *function, *file;
    struct ez_object *obj; /* object of the routine's file when the specification was loaded */
    uint64_t vaddr, end;
    unsigned line, row; /* row: index of its struct ezt_fragment */
    /* why the routine is skipped and has no row; NULL = it is not skipped */
    char *why;
    char *note; /* a note for the user; NULL = none */
    /* suspends: the fragment is suspended between entry and exit; reported: a note said that the
     * fragment is disabled */
    bool suspends, reported;
    int probe; /* number of the routine's probe; 0 = none */
};
struct ez_loaded_clause {
    char *text, *place, *why, *note;
    enum ez_spec_counted counted;
    size_t routines;
    EZ_VEC(unsigned) row;
    EZ_VEC(struct ez_spec_place) inside;
};
/* a function that a routine calls at a place (call site) with code, or an instruction in the
 * routine */
struct ez_loaded_callee {
    char *name;
    int probe;     /* number of its probe; the first probe if the symbol is in several files */
    unsigned when; /* when the code runs: EZT_BEFORE, EZT_BEHIND, EZT_THERE */
};
struct ez_loaded_spec {
    int number;
    char *name, *path;
    unsigned rows;
    bool init;
    EZ_VEC(struct ez_loaded_routine) routine;
    EZ_VEC(struct ez_loaded_clause) clause;
    EZ_VEC(struct ez_loaded_callee) callee;
    bool there; /* the object is loaded in the present process, and its rows are complete */
    /* address of the object's struct ezt_fragment[rows] in the process; valid if `there` */
    uint64_t table;
    char *refused; /* why loading failed in this process; NULL = it did not, or no process */
};

struct ez_watched { /* the fragment that runs in a thread */
    uint64_t runs;  /* the buffer's number of runs, which identifies the present run */
    double since;   /* time in ms at which the shell first saw this run */
};
/* Calls fn with the pc of each frame of a stopped thread that has these registers, the innermost first.
 * Returns true if unwind tables led to the thread's first function, or to main, and fn returned
 * true for all frames. */
typedef bool ez_plugin_frames(struct ez_target *t, const struct ez_regs *r,
                              bool (*fn)(void *arg, uint64_t pc), void *arg);

struct ez_plugins {
    ez_plugin_frames *frames;             /* NULL = there is none */
    EZ_VEC(struct ez_plugin *) loaded;    /* written by attach.c */
    EZ_VEC(struct ez_loaded_spec *) spec; /* written by spec.c */
    int specs_made;
    /* for each buffer (by its number) the run of its thread (watch.c) */
    EZ_VEC(struct ez_watched) watched;
    /* numbers of probes to disable, because their fragments are disabled */
    EZ_VEC(int) disable;
    /* value of ez_hdr.requests when fragments were last checked */
    uint32_t requests;
};

/* Reads the description in a module's file; ez_plugin_free() frees *out. EZ_E_NOTFOUND: the file
 * cannot be opened. EZ_E_ARG: the file is not a module. EZ_E_FORMAT: it is not a regular file, or
 * the description is damaged or for another version of eztsh. */
ez_err *ez_plugin_read(const char *path, struct ez_plugin **out) EZ_WUR;
void ez_plugin_free(struct ez_plugin *p);

/* Sets *path to the path of the module's file. name: the module's name or, if it has a slash, a
 * path (search.c). The caller frees *path. EZ_E_NOTFOUND. */
ez_err *ez_plugin_find(const char *name, char **path) EZ_WUR;

/* Makes the target load a file, and then call the file's function `loaded` (NULL: none; deliver.c). All
 * threads must be stopped. */
enum ez_deliver {
    /* the program starts: its libraries are relocated, and no constructor has run */
    EZ_DELIVER_EARLY,
    /* the user stopped the target, so it must not run until a thread is clean */
    EZ_DELIVER_STOPPED,
    EZ_DELIVER_RUNNING, /* the target may run until a thread is clean */
};
ez_err *ez_plugin_deliver(struct ez_target *t, const char *path, const char *loaded,
                          enum ez_deliver when) EZ_WUR;

/* Bytes below the stack pointer that a function may use without moving it. */
#define EZ_RED_ZONE 128
/* Sets *out to a clean thread, on which dlopen can be called, or to NULL if there is none
 * (clean.c). All threads must be stopped. */
ez_err *ez_plugin_clean_thread(struct ez_target *t, struct ez_thread **out) EZ_WUR;
void ez_plugin_set_frames(struct ez_target *t, ez_plugin_frames *frames);
ez_err *ez_plugin_no_clean_thread(void) EZ_WUR; /* Returns the error that no thread is clean. */

/* deliver.c, for attach.c and spec.c. ez_plugin_module returns the module of the file `path`, or
 * NULL if the file is not mapped. ez_plugin_now stops the process, calls `bring`, which loads
 * `what` (a plugin or a specification), plants pending probes, and resumes the process.
 * ez_plugin_too_early returns true if there is no process, or if the process cannot load files yet.
 * ez_plugin_probes_delete deletes the probes with the n numbers; skips 0 and numbers of deleted
 * probes. */
struct ez_module *ez_plugin_module(const struct ez_target *t, const char *path);
typedef ez_err *ez_plugin_bring(struct ez_target *t, void *what, enum ez_deliver when);
ez_err *ez_plugin_now(struct ez_target *t, ez_plugin_bring *bring, void *what) EZ_WUR;
bool ez_plugin_too_early(const struct ez_target *t);
ez_err *ez_plugin_probes_delete(struct ez_target *t, const int *number, size_t n) EZ_WUR;

/* attach.c: handles changes of the target, for plugins and specifications. */
void ez_plugins_process_ended(struct ez_target *t);
/* Loads the requested plugins and specifications. Called when the program's libraries are
 * relocated. */
void ez_plugins_early(struct ez_target *t);
/* Connects plugins and specifications in a stopped target that is a forked child. The child has
 * inherited the loaded files, but needs a runtime of its own. */
void ez_plugins_forked(struct ez_target *t);
/* Adopts plugins of an earlier shell, and loads the requested plugins and specifications. Called
 * after an attach, with the target stopped. */
void ez_plugins_attached(struct ez_target *t);
/* Lets the loaded plugins call functions of their own that do nothing instead of the runtime's.
 * Called at a detach, when no replacement is planted and the target is stopped. */
ez_err *ez_plugins_disconnect(struct ez_target *t) EZ_WUR;
void ez_plugins_free(struct ez_target *t);

/* spec.c: the same for specifications only; attach.c calls these functions. */
void ez_specs_early(struct ez_target *t, enum ez_deliver when);
void ez_specs_attached(struct ez_target *t);
void ez_specs_forked(struct ez_target *t);
void ez_specs_process_ended(struct ez_target *t);
void ez_specs_free(struct ez_target *t);
/* Resolves weak references of a loaded object to symbols of the program that are not exported
 * (import.c). All threads must be stopped. */
struct ez_module;
ez_err *ez_import(struct ez_target *t, const struct ez_module *m) EZ_WUR;
/* spec_info.c. ez_spec_probes returns an array parallel to s->routine: the probe of each routine,
 * or NULL. The caller frees the array. ez_spec_numbered finds a specification by its number.
 * EZ_E_NOTFOUND. */
struct ez_probe **ez_spec_probes(const struct ez_target *t, const struct ez_loaded_spec *s);
ez_err *ez_spec_numbered(const struct ez_target *t, int number, struct ez_loaded_spec **out) EZ_WUR;
/* watch.c. ez_specs_fault returns true if the signal that stopped the thread was a fault of a
 * fragment, and then ends the fragment and drops the signal. ez_specs_look finds fragments that run
 * too long or call their own routine, and disables their probes; it must be called each time the
 * drain wakes the shell (ez_drain_watch()). ez_specs_recursed posts notes about fragments that
 * called their own routine. */
void ez_specs_recursed(struct ez_target *t);
bool ez_specs_fault(struct ez_target *t, struct ez_thread *th);
ez_err *ez_specs_look(struct ez_target *t) EZ_WUR;

#endif

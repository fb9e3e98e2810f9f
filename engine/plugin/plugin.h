/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - modules that replace functions and record events (README.md).
 *
 *   plugin.c   what a file says of itself       search.c  a module's file by its name
 *   attach.c   a plugin and the live process    deliver.c a file gets into the process
 *   clean.c    is a thread where dlopen may be called? */
#ifndef EZ_PLUGIN_H
#define EZ_PLUGIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_target;
struct ez_thread;

struct ez_plugin_replace { /* texts as in the file */
    char *location, *with, *orig;
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

struct ez_plugins { /* attach.c writes it */
    EZ_VEC(struct ez_plugin *) loaded;
};

/* Read what the file says of itself. EZ_E_FORMAT: it is no module, or a damaged one, or made for
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

/* attach.c, for the session */
void ez_plugins_process_ended(struct ez_target *t);
/* Libraries are relocated and no constructor has run: load what the user asked for. */
void ez_plugins_early(struct ez_target *t);
/* The target is a forked child, which has its parent's modules, and a runtime of its own. Stopped. */
void ez_plugins_forked(struct ez_target *t);
/* The target has been attached to, and is stopped: load what the user asked for before. */
void ez_plugins_attached(struct ez_target *t);
void ez_plugins_free(struct ez_target *t);

#endif

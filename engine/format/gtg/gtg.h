/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gtg.h - the parts of ezt-gtg: feed.c checks the frames, write.c calls libgtg, after.c and otf.c
 * check and correct the files that libgtg wrote, ezt_gtg.c puts the result in place.
 *
 * All but ezt_gtg.c runs in a child whose current folder is a fresh one, because libgtg may exit,
 * abort and run `rm` through a shell there. */
#ifndef EZ_GTG_GTG_H
#define EZ_GTG_GTG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/format/gtg/proto.h"

enum gtg_type { GTG_T_PAJE, GTG_T_VITE, GTG_T_OTF };

/* What the child reports to its parent, in shared memory. */
struct gtg_report {
    char text[500]; /* reason of a failure, else the notice */
};

struct gtg_value { /* a variable's value, as a reader of the file sees it */
    uint32_t name;
    double now;
};

struct gtg_message {   /* OTF: parts of a message that libgtg does not write */
    uint32_t receiver; /* for a send without a receiver: set at its end */
    uint32_t tag, bytes;
    bool complete; /* tag and bytes are known */
};

struct gtg_messages {
    struct gtg_message *at;
    uint32_t n, cap;
};

struct gtg_cont {
    uint32_t level, parent;
    uint32_t depth; /* number of open states */
    bool ended;
    uint64_t end_ns;
    char alias[12];
    struct gtg_value *value;
    uint32_t values;
    struct gtg_messages sent, received; /* OTF: in the order of the file */
};

struct gtg_name {
    uint32_t kind;
    bool negative; /* OTF: it had a value below 0 */
    char *text;    /* cleaned */
    /* by level; for links by levels of start and end; "" = not defined yet */
    char alias[GTG_LEVELS * GTG_LEVELS][12];
    uint32_t id[GTG_LEVELS]; /* OTF: number of the counter */
};

struct gtg_link { /* an open link, by its slot */
    bool open;
    uint32_t name, src;
    uint32_t dst_level;
    uint32_t late;   /* OTF: index in src's `sent`; GTG_NO_PEER if the receiver is known */
    uint64_t serial; /* the link's key in the file: readers require each key to be used once */
};

struct gtg {
    enum gtg_type type;
    bool compress;
    struct gtg_report *report;
    bool typed[GTG_LEVELS];     /* the types of a level are defined */
    uint32_t above[GTG_LEVELS]; /* level of the parents of a typed level */
    struct gtg_cont *cont;
    struct gtg_name *name;
    struct gtg_link *link;
    uint32_t conts, conts_cap, names, names_cap, links, links_cap;
    uint64_t last_ns, serial;
    struct gtg_message message; /* of the begin or end of the next link */
    /* Paje: number of lines that must be in the file, without its header */
    uint64_t lines;
    uint32_t values, counters; /* OTF: functions and counters defined */
    uint64_t markers;          /* OTF: number of point events */
    /* numbers of values rounded, of values dropped, and of link ends moved to another level */
    uint64_t rounded, left_out, bent;
};

/* Reports the reason and ends the child. */
void gtg_fail(struct gtg *g, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* Makes room for one more element: p[n] is then valid and zero. */
void *gtg_grow(struct gtg *g, void *p, uint32_t n, uint32_t *cap, size_t size);

/* feed.c: reads frames from `fd` until the end. An invalid frame ends the child. */
void gtg_feed(struct gtg *g, int fd);

/* write.c */
void gtg_begin(struct gtg *g);
void gtg_container(struct gtg *g, uint32_t c, uint64_t ns, const char *text);
void gtg_push(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns);
void gtg_pop(struct gtg *g, uint32_t c, uint64_t ns);
void gtg_event(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns);
void gtg_var(struct gtg *g, uint32_t c, uint32_t name, uint64_t ns, double value);
void gtg_link_start(struct gtg *g, struct gtg_link *l, uint32_t peer, uint64_t ns);
void gtg_link_end(struct gtg *g, struct gtg_link *l, uint32_t c, uint64_t ns);
void gtg_container_end(struct gtg *g, uint32_t c, uint64_t ns);
void gtg_end(struct gtg *g);

/* after.c, otf.c: check what the library wrote, correct and compress it, and write the notice. */
void gtg_after(struct gtg *g);
void gtg_after_otf(struct gtg *g);
void gtg_incomplete(struct gtg *g) __attribute__((noreturn));

#endif

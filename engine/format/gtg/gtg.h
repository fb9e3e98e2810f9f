/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gtg.h - the parts of ezt-gtg: feed.c checks the frames, write.c calls libgtg, after.c and otf.c
 * check and correct the files that libgtg wrote, and ezt_gtg.c renames the result to the output's
 * path.
 *
 * All files except ezt_gtg.c run in a child process whose current folder is a new temporary folder,
 * because libgtg can exit or abort the process, and runs `rm` by a shell in the current folder. */
#ifndef EZ_GTG_GTG_H
#define EZ_GTG_GTG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/format/gtg/proto.h"

enum gtg_type { GTG_T_PAJE, GTG_T_VITE, GTG_T_OTF };

/* Memory in which the child stores a text for its parent. */
struct gtg_report {
    char text[500]; /* after a failure the reason, otherwise the notice */
};

struct gtg_value { /* the value of a variable that a reader of the file gets, with few digits */
    uint32_t name;
    double now;
};

struct gtg_message { /* OTF: parts of a message that libgtg does not write */
    /* receiver of a send whose receiver was not known when it began; set when the link ends */
    uint32_t receiver;
    uint32_t tag, bytes;
    bool complete; /* tag and bytes are valid */
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
    struct gtg_messages sent, received; /* OTF: in the order of their lines in the file */
};

struct gtg_name {
    uint32_t kind;
    bool negative; /* OTF: the variable had a value below 0 */
    char *text;    /* the name, after feed_clean() */
    /* index: level of the container, or for links (level of the start) * GTG_LEVELS + level of the
     * end; "" = not defined yet */
    char alias[GTG_LEVELS * GTG_LEVELS][12];
    uint32_t id[GTG_LEVELS]; /* OTF: number of the counter at each level; 0 = no counter */
};

struct gtg_link { /* a link; its index is its slot */
    bool open;
    uint32_t name, src;
    uint32_t dst_level;
    uint32_t late;   /* OTF: index in `sent` of the container src if the receiver is not known yet;
                      * otherwise GTG_NO_PEER */
    uint64_t serial; /* the link's key in the file: readers require each key to be used once */
};

struct gtg {
    enum gtg_type type;
    bool compress;
    struct gtg_report *report;
    bool typed[GTG_LEVELS];     /* the types of a level are defined */
    uint32_t above[GTG_LEVELS]; /* level of the parents of containers of a level; valid if typed */
    struct gtg_cont *cont;
    struct gtg_name *name;
    struct gtg_link *link;
    uint32_t conts, conts_cap, names, names_cap, links, links_cap;
    uint64_t last_ns, serial;
    struct gtg_message message; /* from GTG_V_MESSAGE, for the next start or end of a link */
    /* Paje: number of lines that the complete file has, without lines that begin with '%' */
    uint64_t lines;
    uint32_t values, counters; /* OTF: numbers of functions and counters defined so far */
    uint64_t markers;          /* OTF: number of point events */
    /* number of values that were rounded, of values that were dropped, and of links whose end was
     * moved to a container of another level */
    uint64_t rounded, left_out, bent;
};

/* Stores the reason of a failure in the report and ends the child process. */
void gtg_fail(struct gtg *g, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* Grows the array p, which has room for *cap elements, if it has no room for element n. New
 * elements are zeroed. Returns the array, which may have moved. Ends the child if there is no
 * memory. */
void *gtg_grow(struct gtg *g, void *p, uint32_t n, uint32_t *cap, size_t size);

/* feed.c: reads frames from `fd` up to GTG_V_END. An invalid frame ends the child. */
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
/* ezt_gtg.c */
void gtg_incomplete(struct gtg *g) __attribute__((noreturn));

#endif

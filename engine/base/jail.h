/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jail.h - a process of its own for libraries that trust the files they read.
 *
 * Why:    libdw believes what a file says: a file can keep it busy for ever, make it
 *         allocate all memory, open other files, or end the process. In the shell nobody could
 *         interrupt that, while the target is stopped.
 * How:    the first question makes a server: a copy of the shell without its descriptors. It gets
 *         open files and questions. It has two seconds of processor time for each answer, and bounds of
 *         memory and of all its time; a server that does not run for seven seconds hangs. It is no child of the shell, so that waiting for the target never
 *         reports it; it ends with its socket.
 *         A library gets no file but these: what another one names, the shell opens (ez_jail_receive).
 * Errors: none; what cannot be told is unknown. A file that ended the server is not asked about
 *         again (`lost`), and the next question makes a new server.
 * Tests:  tests/unit/engine/check_srcline.c, check_dwarf.c, tests/procs/foreign.sh */
#ifndef EZ_JAIL_H
#define EZ_JAIL_H

#include "engine/base/foreign.h"

struct ez_jail {         /* one kind of server                                     */
    void (*serve)(void); /* runs in the server until ez_jail_next() says false     */
    int sock;            /* 0 = there is no server                                 */
    pid_t pid;           /* the server's                                          */
    uint32_t number, files;
};
struct ez_jailed { /* a file, as the server knows it                                    */
    uint32_t server, file;
    bool lost; /* a question about it ended the server                               */
};

struct ez_question {
    uint32_t file; /* its number; the first question comes with its descriptor       */
    uint32_t what; /* the server's own                                              */
    uint32_t n;    /* words that follow                                             */
    char name[256];
    char text[1024];
};

/* ---- in the shell ---- */
/* Asks about a file, under that name; names and texts that are too long are cut. false = nobody
 * answers; then, as after each answer that did not come whole, call ez_jail_done(..., false). */
bool ez_jail_request(struct ez_jail *j, struct ez_jailed *of, struct ez_foreign *file,
                     const char *name, uint32_t what, const char *text, const uint64_t *word,
                     size_t n);
/* Receives n bytes of the answer. */
bool ez_jail_hear(struct ez_jail *j, void *buf, size_t n);
/* The end of an answer. If it was not good, the file is lost and the server ends. Returns good. */
bool ez_jail_done(struct ez_jail *j, struct ez_jailed *of, bool good);

/* In an answer: a number and a descriptor (-1 = none) for the server, which waits for them in ez_jail_receive(). */
bool ez_jail_give(struct ez_jail *j, int fd, uint64_t n);

/* ---- in the server ---- */
/* The next question; *word: its words, to be freed; *fd: the file's descriptor if it is new, else
 * -1. From now on the answer's time counts. false = there is none any more. */
bool ez_jail_next(struct ez_question *q, uint64_t **word, int *fd);
bool ez_jail_say(const void *buf, size_t n);
/* A part of the answer is told: the time counts anew. */
void ez_jail_live_on(void);
/* The descriptor that ez_jail_give() sends, after the server has said what it needs; -1 = none. */
int ez_jail_receive(uint64_t *n);

#endif

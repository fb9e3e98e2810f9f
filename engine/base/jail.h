/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jail.h - a separate process for libraries that trust the files they read.
 *
 * Why: libdw trusts the content of a file. A file can keep libdw busy for ever, make it allocate
 * all memory, open other files, or end the process. In the shell, nobody could interrupt that while
 * the target is stopped.
 *
 * How: the first question starts a server: a copy of the shell without its descriptors. The server
 * gets open files and questions. It has two seconds of processor time for each answer, and limits
 * on memory and total time. A server that does not run for seven seconds counts as hung. The server
 * is no child of the shell, so waiting for the target never reports it. It ends when its socket is
 * closed. A library gets no files but these; the shell opens files that a file names
 * (ez_jail_receive).
 *
 * Errors: none; what cannot be read is unknown. A file that ended the server is not asked about
 * again (`lost`), and the next question starts a new server.
 *
 * Tests: tests/unit/engine/check_srcline.c, check_dwarf.c, tests/procs/foreign.sh */
#ifndef EZ_JAIL_H
#define EZ_JAIL_H

#include "engine/base/foreign.h"

struct ez_jail {         /* one kind of server */
    void (*serve)(void); /* runs in the server until ez_jail_next() returns false */
    int sock;            /* 0 if there is no server */
    pid_t pid;           /* process ID of the server */
    uint32_t number, files;
};
struct ez_jailed { /* a file and its number in the server */
    uint32_t server, file;
    bool lost; /* a question about it ended the server */
};

struct ez_question {
    uint32_t file; /* number of the file; the first question comes with its descriptor */
    uint32_t what; /* kind of question, defined by the server */
    uint32_t n;    /* number of words that follow */
    char name[256];
    char text[1024];
};

/* ---- in the shell ---- */
/* Asks about a file under that name. Cuts names and texts that are too long. Returns false if there
 * is no answer; then, as after each incomplete answer, call ez_jail_done(..., false). */
bool ez_jail_request(struct ez_jail *j, struct ez_jailed *of, struct ez_foreign *file,
                     const char *name, uint32_t what, const char *text, const uint64_t *word,
                     size_t n);
/* Receives n bytes of the answer. */
bool ez_jail_hear(struct ez_jail *j, void *buf, size_t n);
/* Ends an answer. If it was not good, marks the file as lost and ends the server. Returns good. */
bool ez_jail_done(struct ez_jail *j, struct ez_jailed *of, bool good);

/* Sends, inside an answer, a number and a descriptor (or -1) to the server, which waits for them in
 * ez_jail_receive(). */
bool ez_jail_give(struct ez_jail *j, int fd, uint64_t n);

/* ---- in the server ---- */
/* Receives the next question. *word holds its words, which the caller frees. *fd is the file's
 * descriptor if the file is new, else -1. Starts the time limit of the answer. Returns false if
 * there are no more questions. */
bool ez_jail_next(struct ez_question *q, uint64_t **word, int *fd);
bool ez_jail_say(const void *buf, size_t n);
/* Restarts the time limit after a part of the answer was sent. */
void ez_jail_live_on(void);
/* Receives the descriptor that ez_jail_give() sends after the server has said what it needs.
 * Returns -1 if none. */
int ez_jail_receive(uint64_t *n);

#endif

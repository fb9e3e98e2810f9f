/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jail.h - a separate process for libraries that trust the files they read.
 *
 * Why: libdw trusts the content of a file. A file can keep libdw busy for ever, make it allocate
 * all memory, open other files, or end the process. In the shell, the user could not interrupt
 * libdw while the target is stopped.
 *
 * How: the first question starts a server: a copy of the shell (fork) without the shell's
 * descriptors. The shell sends the server descriptors of files, and questions about them. The
 * server has two seconds of processor time for each part of an answer, and limits on memory and
 * total processor time. A server that does not answer and does not run for seven seconds counts as
 * hung. The server is no child of the shell, so the shell's wait for the target never reports it.
 * The server ends when its socket is closed. The server cannot open files: if a file names another
 * file, the shell opens that other file and sends the descriptor (ez_jail_receive).
 *
 * Errors: none. If the answer cannot be read, the requested information is unknown. If a question
 * about a file ends the server, no further question about that file is sent (`lost`), and the next
 * question starts a new server.
 *
 * Tests: tests/unit/dwarf/check_srcline.c, tests/unit/dwarf/check_dwarf.c,
 * tests/procs/foreign.sh */
#ifndef EZ_JAIL_H
#define EZ_JAIL_H

#include "engine/base/foreign.h"

struct ez_jail {         /* a kind of server, of which at most one runs at a time */
    void (*serve)(void); /* main loop of the server: runs until ez_jail_next() returns false */
    int sock;            /* the shell's socket to the server; 0 if there is no server */
    pid_t pid;           /* process ID of the server */
    uint32_t number;     /* number of the server, from 1; each new server has the next number */
    uint32_t files;      /* number of files that this server has received */
};
struct ez_jailed {   /* a file about which questions are sent */
    uint32_t server; /* number of the last server that has received the file */
    uint32_t file;   /* number of the file in that server */
    bool lost;       /* a question about the file ended the server */
};

struct ez_question {
    /* number of the file; the first question about a file also carries its descriptor */
    uint32_t file;
    uint32_t what; /* kind of question, defined by the server */
    uint32_t n;    /* number of 8-byte words that follow */
    char name[256];
    char text[1024];
};

/* ---- in the shell ---- */
/* Sends a question about `file`, which has the path `name`, and n words. A name that is too long
 * becomes "/nonexistent", a text that is too long is cut. Returns false if the question cannot be
 * sent: then call ez_jail_done(..., false), as after each incomplete answer. */
bool ez_jail_request(struct ez_jail *j, struct ez_jailed *of, struct ez_foreign *file,
                     const char *name, uint32_t what, const char *text, const uint64_t *word,
                     size_t n);
/* Receives n bytes of the answer. Returns false if the server ended or hangs. */
bool ez_jail_hear(struct ez_jail *j, void *buf, size_t n);
/* Ends an answer. good: the answer was complete. If not, marks the file as lost and ends the
 * server. Returns `good`. */
bool ez_jail_done(struct ez_jail *j, struct ez_jailed *of, bool good);

/* Sends a number and a descriptor (or -1) to the server, which waits for them in ez_jail_receive()
 * in the middle of an answer. */
bool ez_jail_give(struct ez_jail *j, int fd, uint64_t n);

/* ---- in the server ---- */
/* Receives the next question. *word is set to the words of the question, which the caller frees.
 * *fd is the file's descriptor if the file is new, else -1. Starts the time limit of the answer.
 * Returns false if there are no more questions. */
bool ez_jail_next(struct ez_question *q, uint64_t **word, int *fd);
/* Sends n bytes of the answer. Returns false if the shell has closed the socket. */
bool ez_jail_say(const void *buf, size_t n);
/* Restarts the time limit after a part of the answer was sent. */
void ez_jail_live_on(void);
/* After the server has sent the name of a file that it needs: returns the descriptor that
 * ez_jail_give() sends, or -1, and sets *n to the number. Restarts the time limit. */
int ez_jail_receive(uint64_t *n);

#endif

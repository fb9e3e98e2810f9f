/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crew.h - the processes of a job on one host, each under a driver.
 *
 * A daemon finds its processes in /proc: by the token that `eztsh-hold` has in its arguments or that stands in the
 * environment (EZTSH_JOB), or by their launcher, whose descendants they are. Only those of its own UTS namespace count:
 * a container with a name of its own is a host of its own.
 *
 * Whose word is believed: anybody can read the token, write it and a rank into an environment, and forge a launcher with
 * a table of ranks. So every process that is not named by the user must be one of `user`: the user who asks or, where a
 * launcher or a file says which processes are meant, the owner of that one. Else root, whom another user asks to
 * look at a job, would stop and change processes of a third. */
#ifndef EZ_CREW_H
#define EZ_CREW_H

#include <poll.h>

#include "engine/jobs/driver.h"

struct ez_crew {
    char *eztsh; /* the program that drives */
    EZ_VEC(struct ez_driver *) driver;
    ez_driver_fn *fn;
    void *arg;
};

/* Starts a driver for a process. */
ez_err *ez_crew_add(struct ez_crew *c, uint32_t rank, pid_t pid, struct ez_driver **out) EZ_WUR;
/* Adds what poll() is to wait for; ez_crew_read() then reads from all that have something. */
size_t ez_crew_poll_fds(const struct ez_crew *c, struct pollfd *fds, size_t most);
void ez_crew_read(struct ez_crew *c);
/* Ends all drivers, waits for them (10 s at most) and frees. */
void ez_crew_end(struct ez_crew *c);

/* Calls fn for each process of this host that belongs to the job. */
struct ez_crew_query {
    const char *token; /* NULL = the launcher says which               */
    pid_t launcher;    /* 0 = the token says which                     */
    uid_t user;        /* processes of others are none of the job      */
};
struct ez_found {
    pid_t pid;
    uint32_t rank, size; /* EZ_NO_RANK: it has none                      */
    bool held;           /* it is eztsh-hold, which waits to be traced  */
    const char *program;
};
typedef void ez_found_fn(const struct ez_found *f, void *arg);
void ez_crew_search(const struct ez_crew_query *q, ez_found_fn *fn, void *arg);

/* The same for one process, if it is on this host and of that user, and has that rank or none. */
void ez_crew_look(pid_t pid, uint32_t rank, uid_t user, ez_found_fn *fn, void *arg);
/* Whose process is it? false: nobody's, since its user ids differ, as those of a set-uid program do, or it has ended. */
bool ez_crew_user(pid_t pid, uid_t *user);
bool ez_crew_is_of(pid_t pid, uid_t user);

/* The process that a thread is of; itself, if that is not known. */
pid_t ez_crew_process(pid_t tid);
/* Is `from` its parent, or that one's, and so on? */
bool ez_crew_descends(pid_t pid, pid_t from);

/* Calls fn for each process of this user, or, of root, of anybody, whose command line matches, as `pgrep -f` does; but not for ourselves and those that have
 * begun us: the expression stands in the command line of a shell that was told to run `eztsh -ex 'job attach ...'`. EZ_E_ARG. */
ez_err *ez_crew_matching(const char *regex, void (*fn)(pid_t pid, void *arg), void *arg) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crew.h - the processes of a job on one host, each under a driver.
 *
 * A daemon finds its processes in /proc: by the token that `eztsh-hold` has in its arguments or that stands in the
 * environment (EZTSH_JOB), or by their launcher, whose descendants they are. Only those of its own UTS namespace count:
 * a container with a name of its own is a host of its own; and only those of its own user, or of the launcher's. */
#ifndef EZ_CREW_H
#define EZ_CREW_H

#include <poll.h>

#include "engine/jobs/driver.h"
#include "engine/jobs/ranks.h"

struct ez_crew {
    char *eztsh; /* the program that drives */
    EZ_VEC(struct ez_driver *) driver;
    ez_driver_fn *fn;
    void *arg;
};

/* Starts a driver for a process. */
ez_err *ez_crew_add(struct ez_crew *c, uint32_t rank, pid_t pid, struct ez_driver **out) EZ_WUR;
struct ez_driver *ez_crew_find(const struct ez_crew *c, uint32_t rank); /* or NULL */
/* Ends drivers: their processes go on, without probes if their drivers launched or attached to them so. */
void ez_crew_let_go(struct ez_crew *c, const struct ez_ranks *ranks);
/* Adds what poll() is to wait for; ez_crew_read() then reads from all that have something. */
size_t ez_crew_poll_fds(const struct ez_crew *c, struct pollfd *fds, size_t most);
void ez_crew_read(struct ez_crew *c);
/* Ends all drivers, waits for them (10 s at most) and frees. */
void ez_crew_end(struct ez_crew *c);

/* Calls fn for each process of this host that belongs to the job; `token` or `launcher` (0 = none) says which. */
struct ez_found {
    pid_t pid;
    uint32_t rank, size; /* EZ_NO_RANK: it has none                      */
    bool held;           /* it is eztsh-hold, which waits to be traced  */
    const char *program;
};
typedef void ez_found_fn(const struct ez_found *f, void *arg);
void ez_crew_search(const char *token, pid_t launcher, ez_found_fn *fn, void *arg);

/* The same for one process, if it is on this host, and has that rank or none. */
void ez_crew_look(pid_t pid, uint32_t rank, ez_found_fn *fn, void *arg);

/* The process that a thread is of; itself, if that is not known. */
pid_t ez_crew_process(pid_t tid);
/* Is `from` its parent, or that one's, and so on? */
bool ez_crew_descends(pid_t pid, pid_t from);

/* Calls fn for each process of this user whose command line matches, as `pgrep -f` does; but not for ourselves and those that have
 * begun us: the expression stands in the command line of a shell that was told to run `eztsh -ex 'job attach ...'`. EZ_E_ARG. */
ez_err *ez_crew_matching(const char *regex, void (*fn)(pid_t pid, void *arg), void *arg) EZ_WUR;

#endif

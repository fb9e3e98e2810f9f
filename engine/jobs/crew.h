/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crew.h - the processes of a job on one host, each under a driver.
 *
 * A daemon finds its processes in /proc: by the token in the arguments of `eztsh-hold` or in the
 * environment (EZTSH_JOB), or as descendants of their launcher. Processes in another UTS namespace
 * than the daemon's are skipped: a container with its own host name is a separate host.
 *
 * Any user can read the token, write it and a rank into an environment, and forge a launcher with a
 * table of ranks. So every process whose pid the user did not give must belong to `user`: the user
 * of the request or, if a launcher or a file lists the processes, the owner of that launcher or
 * file. Without this rule, root, when examining another user's job, could be made to stop and
 * change processes of a third user. */
#ifndef EZ_CREW_H
#define EZ_CREW_H

#include <poll.h>

#include "engine/jobs/driver.h"

struct ez_crew {
    char *eztsh; /* path of the program that drivers execute */
    EZ_VEC(struct ez_driver *) driver;
    ez_driver_fn *fn;
    void *arg;
};

/* Starts a driver for process `pid`; c owns the driver *out. */
ez_err *ez_crew_add(struct ez_crew *c, uint32_t rank, pid_t pid, struct ez_driver **out) EZ_WUR;
/* ez_crew_poll_fds() fills fds with at most `most` descriptors of the drivers, for poll(), and
 * returns their number. ez_crew_read() reads the available output of all drivers, without
 * waiting, and frees the drivers that have ended. */
size_t ez_crew_poll_fds(const struct ez_crew *c, struct pollfd *fds, size_t most);
void ez_crew_read(struct ez_crew *c);
/* Ends all drivers, waits at most 10 s for them, kills those that have not ended, and frees the
 * memory that c points to. */
void ez_crew_end(struct ez_crew *c);

/* Selects the processes that ez_crew_search() finds. */
struct ez_crew_query {
    const char *token; /* token of the processes; NULL = search by launcher */
    pid_t launcher;    /* processes are its descendants; 0 = search by token */
    uid_t user;        /* processes of other users are skipped */
};
/* A process that a search has found. */
struct ez_found {
    pid_t pid;
    uint32_t rank, size; /* rank: EZ_NO_RANK = not known; size: number of ranks, 0 = not known */
    bool held;           /* the process is eztsh-hold, which waits for a tracer */
    const char *program;
};
typedef void ez_found_fn(const struct ez_found *f, void *arg);
/* Calls fn for each process of this host that belongs to the job. */
void ez_crew_search(const struct ez_crew_query *q, ez_found_fn *fn, void *arg);

/* Calls fn for process pid, if the process is on this host, belongs to `user`, is neither an eztsh
 * nor an ancestor of the caller, and its environment gives it the rank `rank` or none. */
void ez_crew_look(pid_t pid, uint32_t rank, uid_t user, ez_found_fn *fn, void *arg);
/* Sets *user to the owner of a process. Returns false if its real, effective and saved user ids
 * differ, as in a setuid program, or if the process has ended. */
bool ez_crew_user(pid_t pid, uid_t *user);
/* Returns true if `user` is the owner of the process, as ez_crew_user() defines it. */
bool ez_crew_is_of(pid_t pid, uid_t user);

/* Returns the pid of the process to which thread tid belongs, or tid if that is not known. */
pid_t ez_crew_process(pid_t tid);
/* Returns true if `from` is an ancestor of pid, at most 64 generations above it. */
bool ez_crew_descends(pid_t pid, pid_t from);

/* Calls fn for each process of the calling user (for root: of any user) whose command line matches
 * the regular expression, as `pgrep -f` does. Skips the calling process and its ancestors, because
 * the command line of a shell that runs `eztsh -ex 'job attach ...'` also matches. EZ_E_ARG: regex
 * is invalid. */
ez_err *ez_crew_matching(const char *regex, void (*fn)(pid_t pid, void *arg), void *arg) EZ_WUR;

#endif

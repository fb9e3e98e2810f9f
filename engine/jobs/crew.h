/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crew.h - the processes of a job on one host, each under a driver.
 *
 * A daemon finds its processes in /proc: by the token in the arguments of `eztsh-hold` or in the
 * environment (EZTSH_JOB), or as descendants of their launcher. Only processes of the daemon's own
 * UTS namespace count: a container with its own host name is a separate host.
 *
 * Anybody can read the token, write it and a rank into an environment, and forge a launcher with a
 * table of ranks. So every process that the user does not name must belong to `user`: the user of
 * the request or, if a launcher or a file lists the processes, the owner of that launcher or file.
 * Otherwise root, when examining another user's job, would stop and change processes of a third
 * user. */
#ifndef EZ_CREW_H
#define EZ_CREW_H

#include <poll.h>

#include "engine/jobs/driver.h"

struct ez_crew {
    char *eztsh; /* program of the drivers */
    EZ_VEC(struct ez_driver *) driver;
    ez_driver_fn *fn;
    void *arg;
};

/* Starts a driver for a process. */
ez_err *ez_crew_add(struct ez_crew *c, uint32_t rank, pid_t pid, struct ez_driver **out) EZ_WUR;
/* Adds the drivers' descriptors for poll(). ez_crew_read() reads from all readable ones. */
size_t ez_crew_poll_fds(const struct ez_crew *c, struct pollfd *fds, size_t most);
void ez_crew_read(struct ez_crew *c);
/* Ends all drivers, waits for them (at most 10 s) and frees. */
void ez_crew_end(struct ez_crew *c);

/* Calls fn for each process of this host that belongs to the job. */
struct ez_crew_query {
    const char *token; /* NULL = search by launcher */
    pid_t launcher;    /* 0 = search by token */
    uid_t user;        /* owner; processes of other users are skipped */
};
struct ez_found {
    pid_t pid;
    uint32_t rank, size; /* EZ_NO_RANK: no rank */
    bool held;           /* the process is eztsh-hold, which waits for a tracer */
    const char *program;
};
typedef void ez_found_fn(const struct ez_found *f, void *arg);
void ez_crew_search(const struct ez_crew_query *q, ez_found_fn *fn, void *arg);

/* Calls fn for one process, if it is on this host, belongs to that user, and has that rank or
 * none. */
void ez_crew_look(pid_t pid, uint32_t rank, uid_t user, ez_found_fn *fn, void *arg);
/* Returns the owner of a process. Returns false if its user ids differ, as in a set-uid program,
 * or if the process has ended. */
bool ez_crew_user(pid_t pid, uid_t *user);
bool ez_crew_is_of(pid_t pid, uid_t user);

/* Returns the process of a thread; tid itself if the process is not known. */
pid_t ez_crew_process(pid_t tid);
/* Returns true if `from` is an ancestor of pid. */
bool ez_crew_descends(pid_t pid, pid_t from);

/* Calls fn for each process of this user (for root: of any user) whose command line matches, as
 * `pgrep -f` does. Skips this process and its ancestors: the shell that runs `eztsh -ex 'job
 * attach ...'` has the expression in its command line. EZ_E_ARG. */
ez_err *ez_crew_matching(const char *regex, void (*fn)(pid_t pid, void *arg), void *arg) EZ_WUR;

#endif

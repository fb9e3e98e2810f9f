/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.h - a driver: an eztsh that drives one process of a job through the machine interface
 * (doc/JSON.md). A process that is hard to trace affects only its own driver. If a daemon is
 * killed, the kernel also kills the daemon's drivers. The traced processes then run on, as after
 * the death of any shell, and their probes still count. */
#ifndef EZ_DRIVER_H
#define EZ_DRIVER_H

#include <json-c/json.h>

#include "engine/base/base.h"
#include "engine/base/child.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/jobs/roster.h"

struct ez_pending_request {
    long request;
    int step; /* step of a claim (node_claim.c); 0 = the answer to this command is the answer to
               * the request */
};

struct ez_driver {
    uint32_t rank;
    pid_t target, pid;                    /* target: traced process; pid: driver, 0 = ended */
    int in, out;                          /* the driver's standard input and output */
    enum ez_member_state state, reported; /* state of the process; reported: state that was last
                                           * sent to the front end */
    int status;                           /* exit status of the process */
    bool held, offered;   /* before the driver attached: held = the process was eztsh-hold; offered
                  * = an offer held the process (set follow-fork-mode offer) */
    bool claimed, begun;  /* claimed: the driver attached; begun: its events are reported */
    bool anew;            /* earlier probes of the process were removed, and planted again */
    char *rules, *others; /* lines of commands for the process; others: without those that plant
                           * probes; NULL = no driver was started */
    int64_t keeps;        /* number of probes from an earlier driver. If all of them are found, only
                           * `others` is run; -1 = `rules` is run in any case */
    bool probes;          /* `rules` has probes */
    long claim;           /* id of the request `take` that started the driver; 0 = it is complete */
    EZ_VEC(struct ez_pending_request) pending; /* requests without an answer, oldest first */
    EZ_VEC(char) got;                          /* incomplete line of the driver's output */
    struct ez_outbox box;                      /* commands that the driver has not read yet */
};

/* Starts the driver, `eztsh --interpreter=json`; eztsh is the path of the program. EZ_E_SYS. */
ez_err *ez_driver_begin(struct ez_driver *d, const char *eztsh) EZ_WUR;
/* Sends a command. EZ_E_GONE: the driver ended; EZ_E_LIMIT: too many unread commands. */
ez_err *ez_driver_send(struct ez_driver *d, long request, int step, const char *command) EZ_WUR;
/* Reads the driver's available output, and calls fn for each JSON object: an answer (`pending` is
 * the answered request) or an event (`pending` is NULL). After the driver's end, fn gets an answer
 * {"ok": false, ...} for each pending request, and the event "blind", or the event "let-go" if
 * ez_driver_end() ended the driver. */
typedef void ez_driver_fn(struct ez_driver *d, const struct ez_pending_request *pending,
                          struct json_object *object, void *arg);
void ez_driver_read(struct ez_driver *d, ez_driver_fn *fn, void *arg);
/* Sends SIGINT, which interrupts the running command. */
void ez_driver_interrupt(struct ez_driver *d);
/* Sends the driver the order to release its process and to end; does not wait. */
void ez_driver_end(struct ez_driver *d);
void ez_driver_free(struct ez_driver *d);

/* Returns {"ok": false, "error": {"code", "message", "hint"}}. */
struct json_object *ez_driver_error(const char *code, const char *message);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.h - a driver: an eztsh that drives one process of a job through the machine interface
 * (doc/JSON.md). A process that blocks its tracer delays only its own driver. If a daemon is
 * killed, the kernel also kills the daemon's drivers. The traced processes continue, as after the
 * death of any shell, and their probes still count. */
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
    /* step of a claim (node_claim.c); 0 = the answer to this command is the driver's answer to the
     * request */
    int step;
};

struct ez_driver {
    uint32_t rank;
    /* target: the traced process; pid: the driver, 0 = it has ended */
    pid_t target, pid;
    /* in: pipe to the driver's standard input; out: pipe from its standard output */
    int in, out;
    /* state: of the process; reported: the state that was last sent to the front end */
    enum ez_member_state state, reported;
    int status; /* exit status of the process */
    /* when the driver attached: held = the process was eztsh-hold; offered = the process was held
     * by an offer (set follow-fork-mode offer) */
    bool held, offered;
    /* claimed: the driver has attached; begun: the driver's events are reported */
    bool claimed, begun;
    bool anew; /* the probes of an earlier driver were removed and planted again */
    /* lines of commands for the driver; others: those of `rules` that plant no probes; NULL = no
     * driver was started */
    char *rules, *others;
    /* number of probes of an earlier driver. If the new driver adopts all of them, it runs only
     * `others`; -1 = it runs `rules` in any case */
    int64_t keeps;
    bool probes; /* `rules` has probes */
    /* id of the request `take` that started the driver; 0 = the claim is complete */
    long claim;
    EZ_VEC(struct ez_pending_request) pending; /* requests without an answer, oldest first */
    EZ_VEC(char) got;                          /* incomplete line of the driver's output */
    struct ez_outbox box;                      /* commands that the driver has not read yet */
};

/* Starts the driver, `eztsh --interpreter=json`; eztsh is the path of the program. EZ_E_SYS. */
ez_err *ez_driver_begin(struct ez_driver *d, const char *eztsh) EZ_WUR;
/* Sends a command, as a part of a request (its id and step). EZ_E_GONE: the driver has ended;
 * EZ_E_LIMIT: too many unread commands. */
ez_err *ez_driver_send(struct ez_driver *d, long request, int step, const char *command) EZ_WUR;
/* Sends queued requests, reads the driver's available output, both without waiting, and calls fn
 * for each JSON object: an answer (`pending` is the answered request) or an event (`pending` is
 * NULL). When the driver has ended, fn is called with an answer {"ok": false, ...} for each pending
 * request, and with the event "blind" if the process's state is BLIND then, else "let-go". */
typedef void ez_driver_fn(struct ez_driver *d, const struct ez_pending_request *pending,
                          struct json_object *object, void *arg);
void ez_driver_read(struct ez_driver *d, ez_driver_fn *fn, void *arg);
/* Sends the driver SIGINT, which interrupts its running command. */
void ez_driver_interrupt(struct ez_driver *d);
/* Makes the driver release its process and end. Does not wait for the end. */
void ez_driver_end(struct ez_driver *d);
void ez_driver_free(struct ez_driver *d);

/* Returns the answer {"ok": false, "error": {"code", "message", "hint": null}, "output": [],
 * "state": "blind"}. */
struct json_object *ez_driver_error(const char *code, const char *message);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.h - a driver: an eztsh that drives one process of a job through the machine interface
 * (doc/JSON.md). A process that is hard to trace affects only its own driver. A daemon that is
 * killed takes its drivers with it. Their processes then run on, as after the death of any shell,
 * and their probes count. */
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
    int step; /* number of the command within its request; 0 = last command */
};

struct ez_driver {
    uint32_t rank;
    pid_t target, pid;                    /* pid: of the driver; 0 = ended */
    int in, out;                          /* the driver's standard input and output */
    enum ez_member_state state, reported; /* state of the process; reported: as sent to the front
                                           * end */
    int status;                           /* exit status of the process */
    bool held, offered;   /* held: the process was eztsh-hold; offered: an offer held it (set
                  * follow-fork-mode offer) */
    bool claimed, begun;  /* claimed: attached; begun: its events are reported */
    bool anew;            /* the process got rules for probes that it had before */
    char *rules, *others; /* commands for the process: all; all but probes; NULL = none */
    int64_t keeps;        /* number of earlier probes that must be found for `others` to suffice;
                           * -1 = `rules` always apply */
    bool probes;          /* `rules` has probes */
    long claim;           /* request that started the driver; 0 = complete */
    EZ_VEC(struct ez_pending_request) pending; /* requests without an answer, in order */
    EZ_VEC(char) got;                          /* incomplete line of output */
    struct ez_outbox box;                      /* commands that the driver has not read yet */
};

/* Starts `eztsh --interpreter=json`. EZ_E_SYS. */
ez_err *ez_driver_begin(struct ez_driver *d, const char *eztsh) EZ_WUR;
/* Sends a command. EZ_E_GONE: the driver ended; EZ_E_LIMIT: too many unread commands. */
ez_err *ez_driver_send(struct ez_driver *d, long request, int step, const char *command) EZ_WUR;
/* Reads the available output, and calls fn for each object: an answer (`pending` is its request)
 * or an event (NULL). After the driver's end, fn gets an answer {"ok": false, ...} for each
 * pending request, and the event "blind", or "let-go" if the driver was told to end. */
typedef void ez_driver_fn(struct ez_driver *d, const struct ez_pending_request *pending,
                          struct json_object *object, void *arg);
void ez_driver_read(struct ez_driver *d, ez_driver_fn *fn, void *arg);
/* Sends SIGINT, which interrupts the running command. */
void ez_driver_interrupt(struct ez_driver *d);
/* Tells the driver to release its process and end; does not wait. */
void ez_driver_end(struct ez_driver *d);
void ez_driver_free(struct ez_driver *d);

/* Returns {"ok": false, "error": {"code", "message", "hint"}}. */
struct json_object *ez_driver_error(const char *code, const char *message);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.h - one process of a job, driven by an eztsh of its own through the machine interface (doc/JSON.md). So a
 * process that is hard to trace harms none but its own driver; and a daemon that is killed takes its drivers with it,
 * which leaves their processes as any killed shell does: they run on, their probes count. */
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
    int step; /* of the commands that one request is; 0 = the last one */
};

struct ez_driver {
    uint32_t rank;
    pid_t target, pid;                    /* pid: of its eztsh; 0 = it ended */
    int in, out;                          /* its standard input and output   */
    enum ez_member_state state, reported; /* of the process; told: to the front end */
    int status;                           /* of its end                       */
    bool held,
        offered; /* it was eztsh-hold; it was held by an offer (set follow-fork-mode offer) */
    bool claimed, begun;  /* it is attached to; what it does is told */
    bool anew;            /* it was told probes that its process had before */
    char *rules, *others; /* what its process is told: all; all but probes; NULL = nothing */
    int64_t keeps;        /* probes that the others of before are, if all of them are found; -1 */
    bool probes;          /* there are probes among `rules`            */
    long claim;           /* the request that began it; 0 = that is done              */
    EZ_VEC(struct ez_pending_request) pending; /* not answered yet, in order */
    EZ_VEC(char) got;                          /* of a line that has no end yet */
    struct ez_outbox box;                      /* what it has not read yet */
};

/* Starts `eztsh --interpreter=json`. EZ_E_SYS. */
ez_err *ez_driver_begin(struct ez_driver *d, const char *eztsh) EZ_WUR;
/* Sends a command. EZ_E_GONE: its eztsh ended; EZ_E_LIMIT: too much waits to be read. */
ez_err *ez_driver_send(struct ez_driver *d, long request, int step, const char *command) EZ_WUR;
/* Reads what is there, and calls fn for each object: an answer (`pending` is what it answers) or an event (NULL). When the
 * driver has ended, fn is called with an answer {"ok": false, ...} for each request that waits, and with the event
 * "blind", or "let-go" if it was to end. */
typedef void ez_driver_fn(struct ez_driver *d, const struct ez_pending_request *pending,
                          struct json_object *object, void *arg);
void ez_driver_read(struct ez_driver *d, ez_driver_fn *fn, void *arg);
/* SIGINT, which stops what a command waits for. */
void ez_driver_interrupt(struct ez_driver *d);
void ez_driver_end(struct ez_driver *d); /* it is to let its process go, and end; does not wait */
void ez_driver_free(struct ez_driver *d);

/* {"ok": false, "error": {"code", "message", "hint"}} */
struct json_object *ez_driver_error(const char *code, const char *message);

#endif

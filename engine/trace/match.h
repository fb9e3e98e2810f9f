/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.h - matches MPI messages with their receives.
 *
 * A CHANNEL is the sequence of messages from one process to another in one communicator with one
 * tag; MPI keeps their order. In a channel, message n belongs to receive n, in the order in which
 * the receives were posted. The channel of a receive with MPI_ANY_SOURCE or MPI_ANY_TAG is unknown
 * until the receive completes. Such a receive is inserted into the channel when it completes, at
 * the position of its posting.
 *
 * Sends, postings and completions may arrive in any order, because clocks are inexact. A pair is
 * reported as soon as both the message and the completed receive are known. If a receive from any
 * source is inserted before a receive that is paired already, the messages of the two receives may
 * be exchanged: ez_match_unsure() counts these cases. Only unpaired messages and receives use
 * memory.
 *
 * Tests: tests/unit/trace/check_mpi.c */
#ifndef EZ_MATCH_H
#define EZ_MATCH_H

#include "engine/base/base.h"

/* A message. */
struct ez_sent {
    uint64_t key; /* identifies the message; increases with each send */
    /* begin and end of the call that sent the message; end_ns is 0 if the call is nonblocking, or
     * has not returned yet */
    uint64_t begin_ns, end_ns;
    uint32_t thread;
    bool blocking;
    uint64_t word[3]; /* bytes, tag, communicator */
};

/* A receive. */
struct ez_posted {
    uint64_t order;   /* identifies the receive; increases with each posting */
    uint64_t request; /* number of the request that receives; 0 = none */
    uint64_t posted_ns;
    bool done; /* the receive is completed; the following fields are valid */
    /* number, begin and end of the call that completed the receive */
    uint64_t call, call_ns, done_ns;
    uint32_t thread; /* thread that completed the receive */
};

/* Called for each pair of a message and its receive, both valid during the call. */
typedef void ez_pair_fn(void *arg, const struct ez_sent *s, const struct ez_posted *r);

struct ez_match;

struct ez_match *ez_match_create(ez_pair_fn *fn, void *arg);
void ez_match_destroy(struct ez_match *m);

void ez_match_send(struct ez_match *m, uint64_t channel, const struct ez_sent *s);
/* Removes a message whose send failed. Does nothing if the message is paired already. */
void ez_match_unsend(struct ez_match *m, uint64_t channel, uint64_t key);
/* Sets the end of the call that sent the message. Does nothing if the message is paired already. */
void ez_match_sent(struct ez_match *m, uint64_t channel, uint64_t key, uint64_t end_ns);
void ez_match_post(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Counts the open receives from any source. Call with true when such a receive is posted, and with
 * false after ez_match_done(), or when the receive was cancelled. */
void ez_match_any(struct ez_match *m, bool open);
/* Completes the receive with r->order. A receive from any source is inserted into the channel
 * first, because ez_match_post() was not called for it. */
void ez_match_done(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Removes a receive that was cancelled, and so got no message. */
void ez_match_cancel(struct ez_match *m, uint64_t channel, uint64_t order);

uint64_t ez_match_unsure(const struct ez_match *m);
/* number of completed receives without a message */
uint64_t ez_match_unpaired(const struct ez_match *m);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.h - matches MPI messages with receives.
 *
 * A CHANNEL is the messages from one process to another in one communicator with one tag; MPI keeps
 * their order. In a channel the n-th message belongs to the n-th receive, in the order in which the
 * receives were posted. The channel of a receive with MPI_ANY_SOURCE or MPI_ANY_TAG is unknown
 * until the receive completes. The receive is then inserted into the channel by the time of its
 * posting.
 *
 * Sends, postings and completions may arrive in any order, because clocks are inexact. A pair is
 * reported as soon as both the message and the completed receive are known. If a receive from any
 * source joins a channel in which a receive that was posted later is already paired, the messages
 * of the two may be exchanged: `unsure` counts these cases. Only unpaired messages and receives use
 * memory.
 *
 * Tests: tests/unit/trace/check_mpi.c */
#ifndef EZ_MATCH_H
#define EZ_MATCH_H

#include "engine/base/base.h"

/* A message. */
struct ez_sent {
    uint64_t key; /* identifies the message; grows from send to send */
    /* begin and end of the call that sent; end_ns is 0 if the call is nonblocking, or not over */
    uint64_t begin_ns, end_ns;
    uint32_t thread;
    bool blocking;
    uint64_t word[3]; /* bytes, tag, communicator */
};

/* A receive. */
struct ez_posted {
    uint64_t order;   /* identifies the receive; grows from posting to posting */
    uint64_t request; /* number of its request; 0 = none */
    uint64_t posted_ns;
    bool done; /* completed; the following fields are valid */
    /* number, begin and end of the call that completed the receive */
    uint64_t call, call_ns, done_ns;
    uint32_t thread; /* thread that completed the receive */
};

/* Receives each pair of a message and its receive, both valid during the call. */
typedef void ez_pair_fn(void *arg, const struct ez_sent *s, const struct ez_posted *r);

struct ez_match;

struct ez_match *ez_match_create(ez_pair_fn *fn, void *arg);
void ez_match_destroy(struct ez_match *m);

void ez_match_send(struct ez_match *m, uint64_t channel, const struct ez_sent *s);
/* Removes a message whose send failed. Has no effect if the message is paired. */
void ez_match_unsend(struct ez_match *m, uint64_t channel, uint64_t key);
/* Sets the end of the call that sent the message. Has no effect if the message is paired. */
void ez_match_sent(struct ez_match *m, uint64_t channel, uint64_t key, uint64_t end_ns);
void ez_match_post(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Counts the open receives from any source. Must be called with true when such a receive is posted,
 * and with false after ez_match_done(), or if the receive was cancelled. */
void ez_match_any(struct ez_match *m, bool open);
/* Completes the receive with r->order. A receive from any source, which was not posted in a channel
 * before, is posted first. */
void ez_match_done(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Removes a receive that got no message. */
void ez_match_cancel(struct ez_match *m, uint64_t channel, uint64_t order);

uint64_t ez_match_unsure(const struct ez_match *m);
uint64_t ez_match_unpaired(const struct ez_match *m); /* completed receives without a message */

#endif

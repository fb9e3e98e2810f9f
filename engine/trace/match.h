/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.h - which receive got which message.
 *
 * A CHANNEL is what MPI keeps in order: from one process to another, in one communicator, with one
 * tag. In it the n-th message goes to the n-th receive, by the order in which the receives were
 * posted. A receive from any source, or of any tag, belongs to a channel once it is complete; it
 * then takes its place by the order of posting.
 *
 * Send, posting and completion may come in any order (clocks are inexact): a pair is told as soon as
 * both ends are certain. Until a receive from any source is complete, nobody knows its channel. If
 * then a later receive of that channel was paired already, the two may have changed places: `unsure`
 * counts these. Memory: what is not paired.
 * Tests: tests/unit/engine/check_mpi.c */
#ifndef EZ_MATCH_H
#define EZ_MATCH_H

#include "engine/base/base.h"

struct ez_sent {
    uint64_t key;              /* grows from send to send                                        */
    uint64_t begin_ns, end_ns; /* end_ns: of a blocking call; 0 = none, or it is not over */
    uint32_t thread;
    bool blocking;
    uint64_t word[3]; /* bytes, tag, communicator                                   */
};

struct ez_posted {
    uint64_t order; /* grows from posting to posting                                */
    uint64_t posted_ns;
    bool done;
    uint64_t call, call_ns, done_ns; /* the call that completed it: its number, begin, and end */
    uint32_t thread;                 /* that completed it                           */
};

typedef void ez_pair_fn(void *arg, const struct ez_sent *s, const struct ez_posted *r);

struct ez_match;

struct ez_match *ez_match_create(ez_pair_fn *fn, void *arg);
void ez_match_destroy(struct ez_match *m);

void ez_match_send(struct ez_match *m, uint64_t channel, const struct ez_sent *s);
/* It was not sent. No effect if it is paired. */
void ez_match_unsend(struct ez_match *m, uint64_t channel, uint64_t key);
/* The call that sent it is over. No effect if it is paired. */
void ez_match_sent(struct ez_match *m, uint64_t channel, uint64_t key, uint64_t end_ns);
void ez_match_post(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* A receive from any source is posted; its channel was told by ez_match_done, or it is cancelled. */
void ez_match_any(struct ez_match *m, bool open);
/* r->order says which. One that was not posted in the channel (for its source was any) is
 * posted now. */
void ez_match_done(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* It got no message. */
void ez_match_cancel(struct ez_match *m, uint64_t channel, uint64_t order);

uint64_t ez_match_unsure(const struct ez_match *m);
uint64_t ez_match_unpaired(const struct ez_match *m); /* receives that are done */

#endif

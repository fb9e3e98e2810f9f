/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.h - matches MPI messages with receives.
 *
 * A CHANNEL is what MPI keeps in order: the messages from one process to another in one
 * communicator with one tag. In a channel the n-th message belongs to the n-th receive, in the
 * order of posting. A receive with any source or any tag joins a channel when it completes. Its
 * position is then that of its posting.
 *
 * Sends, postings and completions may arrive in any order, because clocks are inexact. A pair is
 * reported as soon as both ends are certain. The channel of a receive from any source is unknown
 * until the receive completes. If a later receive of that channel was paired before, the two may be
 * exchanged: `unsure` counts these cases. Only unpaired ends use memory.
 *
 * Tests: tests/unit/engine/check_mpi.c */
#ifndef EZ_MATCH_H
#define EZ_MATCH_H

#include "engine/base/base.h"

struct ez_sent {
    uint64_t key; /* grows from send to send */
    /* end_ns is the end of a blocking call; 0 if not blocking or not over */
    uint64_t begin_ns, end_ns;
    uint32_t thread;
    bool blocking;
    uint64_t word[3]; /* bytes, tag, communicator */
};

struct ez_posted {
    uint64_t order; /* grows from posting to posting */
    uint64_t posted_ns;
    bool done;
    /* number, begin and end of the call that completed the receive */
    uint64_t call, call_ns, done_ns;
    uint32_t thread; /* thread that completed it */
};

typedef void ez_pair_fn(void *arg, const struct ez_sent *s, const struct ez_posted *r);

struct ez_match;

struct ez_match *ez_match_create(ez_pair_fn *fn, void *arg);
void ez_match_destroy(struct ez_match *m);

void ez_match_send(struct ez_match *m, uint64_t channel, const struct ez_sent *s);
/* Removes a message that was not sent after all. Has no effect if the message is paired. */
void ez_match_unsend(struct ez_match *m, uint64_t channel, uint64_t key);
/* Sets the end of the call that sent the message. Has no effect if the message is paired. */
void ez_match_sent(struct ez_match *m, uint64_t channel, uint64_t key, uint64_t end_ns);
void ez_match_post(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Counts a receive from any source: open when it is posted, not open when ez_match_done has given
 * its channel, or it is cancelled. */
void ez_match_any(struct ez_match *m, bool open);
/* Completes the receive with r->order. A receive that is not posted in the channel (its source was
 * any) is posted first. */
void ez_match_done(struct ez_match *m, uint64_t channel, const struct ez_posted *r);
/* Removes a receive that got no message. */
void ez_match_cancel(struct ez_match *m, uint64_t channel, uint64_t order);

uint64_t ez_match_unsure(const struct ez_match *m);
uint64_t ez_match_unpaired(const struct ez_match *m); /* completed receives without a message */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* long_messages.h - the single messages that took longest. (messages.h has the sums by pair of
 * threads.)
 *
 * The duration of a message is, as in messages.h, the time from the start of the call that sends it
 * to the end of the call that completes the receive.
 *
 * Tests: tests/unit/trace/check_messages.c, tests/procs/mpi.sh */
#ifndef EZ_LONG_MESSAGES_H
#define EZ_LONG_MESSAGES_H

#include "engine/trace/model.h"

struct ez_message {
    uint32_t from, to; /* containers of the sending and the receiving thread */
    uint64_t sent_ns, received_ns;
    uint64_t bytes, tag;
};

struct ez_long_messages {
    struct ez_message *at; /* longest first, after ez_long_messages_sort() */
    size_t n;
    uint64_t all; /* number of messages, those in `at` included */
};

/* Keeps the `most` longest messages. */
struct ez_long_messages *ez_long_messages_create(const struct ez_model *m, size_t most);
/* Adds an item. The function is an ez_item_fn, and messages a struct ez_long_messages. */
ez_err *ez_long_messages_item(void *messages, const struct ez_item *it);
void ez_long_messages_sort(struct ez_long_messages *l);
void ez_long_messages_free(struct ez_long_messages *l);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.h - a table of messages: number, sizes and times for each pair of processes.
 *
 * A message is a link of the module mpi, whose first argument is the size of the message in bytes.
 * The duration of a message is the time from the start of the call that sends it to the end of the
 * call that completes the receive, so it includes the waiting of both processes. A link without an
 * end is not counted.
 *
 * Tests: tests/unit/trace/check_messages.c */
#ifndef EZ_MESSAGES_H
#define EZ_MESSAGES_H

#include "engine/trace/model.h"

struct ez_message_row {
    uint32_t from, to; /* containers of the two processes */
    uint64_t messages, bytes, least, most;
    uint64_t total_ns, least_ns, most_ns;
};

struct ez_messages {
    struct ez_message_row *row; /* sorted by rank after ez_messages_sort() */
    size_t n;
    struct ez_message_row all; /* sum of all rows */
};

struct ez_messages *ez_messages_create(const struct ez_model *m);
/* Adds an item to the table. The function is an ez_item_fn, and messages a struct ez_messages. */
ez_err *ez_messages_item(void *messages, const struct ez_item *it);
void ez_messages_sort(struct ez_messages *s);
void ez_messages_free(struct ez_messages *s);

#endif

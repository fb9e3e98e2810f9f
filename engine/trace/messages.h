/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.h - how many messages, and how large: a table over the items of a model (model.h), a row
 * for each pair of processes.
 *
 * A message is a link that carries words: the first is its bytes. The time of one is from the begin of
 * its link to the end, which are the begin of the call that sends and the end of the one that
 * receives: how long the message was under way is in it, and how long it lay there, or was waited for.
 * A link with one end only is none.
 * Tests: tests/unit/engine/check_messages.c */
#ifndef EZ_MESSAGES_H
#define EZ_MESSAGES_H

#include "engine/trace/model.h"

struct ez_message_row {
    uint32_t from, to; /* containers: processes                                       */
    uint64_t messages, bytes, least, most;
    uint64_t total_ns, least_ns, most_ns;
};

struct ez_messages {
    struct ez_message_row *row; /* sorted by ez_messages_sort: in the order of ranks     */
    size_t n;
    struct ez_message_row all; /* of all rows                                         */
};

struct ez_messages *ez_messages_create(const struct ez_model *m);
/* An ez_item_fn; its arg is the struct ez_messages. */
ez_err *ez_messages_item(void *messages, const struct ez_item *it);
void ez_messages_sort(struct ez_messages *s);
void ez_messages_free(struct ez_messages *s);

#endif

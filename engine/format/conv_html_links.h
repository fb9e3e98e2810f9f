/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_links.h - all messages and all events of locks for the page of `report`.
 *
 * For any window of time, the page shows who sent what to whom, and who waited for which lock. So
 * the page contains each message and each event of a lock. They are in two elements with the
 * encoding that conv_html_chunks.h describes:
 *
 *   all-messages  number of messages, and for each, sorted by end: ns since the previous end,
 *                 end - start, containers of sender and receiver, bytes, name
 *   all-locks     number of events, and for each, sorted by time: ns since the previous event,
 *                 what happened (enum ez_html_lock), lock, container, and further for
 *                   TAKE: index of the function around the event + 1; 0 if there is none
 *                   WAIT: index of the state's name
 *                   WAITED, LATE: time since the wait began, 1 if the end of the wait is missing
 *
 * A message is defined in engine/trace/messages.h, and an event of a lock in engine/trace/locks.h.
 * So the figures are those of `stats -messages` and `info locks`. The list of locks is in the JSON
 * of the page.
 *
 * Tests: tests/unit/trace/check_html_links.c, tests/trace/answers.sh */
#ifndef EZ_CONV_HTML_LINKS_H
#define EZ_CONV_HTML_LINKS_H

#include "engine/base/hash.h"
#include "engine/base/json.h"
#include "engine/format/conv_html_chunks.h"

enum ez_html_lock {
    EZ_HTML_TAKE,
    EZ_HTML_RELEASE,
    EZ_HTML_WAIT,
    EZ_HTML_WAITED,
    EZ_HTML_BUSY,
    EZ_HTML_LATE /* a wait whose lock became known at its end */
};

struct ez_html_links {
    const struct ez_model *m;
    uint64_t most_bytes; /* maximum bytes of `message` and of `lock`, before compression */
    ez_chunks_bytes message, lock;
    uint64_t messages, lock_events;
    /* the messages or lock events need more than most_bytes, and are left out */
    bool many_messages, many_locks;
    uint64_t message_ns, lock_ns; /* time of the last message, and of the last lock event */
    struct ez_hash open; /* name and key of a link without an end -> time when the link began */
    struct ez_hash by_subject; /* process << 32 | subject -> index in `locks` */
    EZ_VEC(struct ez_html_lock_name) locks;
};
struct ez_html_lock_name {
    uint32_t subject, process;
};

void ez_html_links_init(struct ez_html_links *l, const struct ez_model *m, uint64_t most_bytes);
/* Adds an item. */
void ez_html_links_item(struct ez_html_links *l, const struct ez_item *it);
/* Adds the numbers of messages and events, the list of locks, and what was left out to the JSON of
 * the page. */
void ez_html_links_json(const struct ez_html_links *l, struct ez_json *j);
/* Writes the elements "all-messages" and "all-locks". */
ez_err *ez_html_links_write(const struct ez_html_links *l, struct ez_outfile *f) EZ_WUR;
void ez_html_links_free(struct ez_html_links *l);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_links.h - all messages and all events of locks for the page of `report`.
 *
 * The page shows who sent what to whom, and who waited for which lock, in any window of time. So the
 * page has each message and each event of a lock, in two elements like those of conv_html_chunks.h:
 *
 *   all-messages  number, and for each by its end: ns since the end before, end - start, containers of
 *             sender and receiver, bytes, name
 *   all-locks  number, and for each event by time: ns since the event before, what (enum
 *             ez_html_lock), lock, container, and
 *               take: function around it + 1, 0 if none
 *               wait: name of the state
 *               waited: time since the wait began, 1 if its end is missing
 *
 * A message is that of messages.h, an event that of locks.h, so the figures are those of
 * `stats -messages` and `info locks`. The list of locks is in the JSON of the page.
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
    uint64_t most_bytes; /* of each of both, before compression */
    ez_chunks_bytes message, lock;
    uint64_t messages, lock_events;
    bool many_messages, many_locks; /* they need more than most_bytes, and are left out */
    uint64_t message_ns, lock_ns;   /* time of the last one */
    struct ez_hash open;            /* name and key of a link without an end -> when it began */
    struct ez_hash by_subject;      /* process << 32 | subject -> index in `locks` */
    EZ_VEC(struct ez_html_lock_name) locks;
};
struct ez_html_lock_name {
    uint32_t subject, process;
};

void ez_html_links_init(struct ez_html_links *l, const struct ez_model *m, uint64_t most_bytes);
/* Adds an item. */
void ez_html_links_item(struct ez_html_links *l, const struct ez_item *it);
/* Adds the numbers, the list of locks, and what was left out, to the JSON of the page. */
void ez_html_links_json(const struct ez_html_links *l, struct ez_json *j);
/* Writes the elements "all-messages" and "all-locks". */
ez_err *ez_html_links_write(const struct ez_html_links *l, struct ez_outfile *f) EZ_WUR;
void ez_html_links_free(struct ez_html_links *l);

#endif

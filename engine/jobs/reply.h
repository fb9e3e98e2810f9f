/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - merges the answers of many ranks to one request: equal answers are stored once, with
 * the set of their ranks. Except for the order of events, merging is associative and commutative,
 * so the nodes of a tree may merge in any order.
 *
 * Two answers are equal if they differ only in addresses, in the process's id and in its rank
 * (ez_reply_mask()). If their texts are not identical, the merged answer is the masked text.
 *
 * Events of processes, which no request caused, are also sent in replies, with the id 0. The events
 * of a rank are not reordered. The member `state` has the ranks whose state changed since the
 * previous reply, for each new state.
 *
 * In JSON, a reply is {"id", "groups": [{"ranks", "answer"}], "rest", "late", "states", "members",
 * "sums"}; doc/JOBS.md explains the members.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_REPLY_H
#define EZ_REPLY_H

#include <json-c/json.h>

#include "engine/base/err.h"
#include "engine/jobs/json.h"
#include "engine/jobs/reduce.h"
#include "engine/jobs/roster.h"

#define EZ_GROUPS_MOST 16 /* maximum different answers whose text is stored */
/* maximum further different answers whose hash is stored; of all other answers, only the ranks are
 * stored */
#define EZ_RESTS_MOST 4096

struct ez_group {
    struct ez_ranks ranks;
    /* text: the answer as JSON; key: the answer with masked addresses, id and rank; two answers
     * with the same key are equal */
    char *text, *key;
};

/* Ranks with equal answers, of which only the hash is stored. If a group with the same hash is
 * added later, the ranks are moved to that group. */
struct ez_rest {
    /* hashes of `key` and `text` of the answer's struct ez_group; text 0 = the texts differed; key
     * 0 = ranks with different answers, whose hashes are not stored */
    uint64_t key, text;
    struct ez_ranks ranks;
};

struct ez_reply {
    long id;
    /* maximum groups; 0 = no limit, and only identical answers are merged */
    unsigned most;
    /* sorted by the lowest rank; if id is 0 (events), in order of arrival */
    EZ_VEC(struct ez_group) group;
    EZ_VEC(struct ez_rest) rest; /* sorted by key */
    struct ez_ranks late;        /* ranks that had not answered at the deadline */
    struct ez_ranks state[EZ_MEMBER_BLIND + 1];
    struct json_object *members; /* array of the objects that the nodes added; NULL = empty */
    struct ez_sums sums;         /* result of a request `window` or `stats` */
};

/* Returns true if the member "ok" of the answer is true, i.e. the command succeeded. */
bool ez_group_ok(const struct ez_group *g);
/* Returns true if the group is an event with that name. If `event` is "", returns true if the group
 * is the answer to a request, not an event. */
bool ez_group_is(const struct ez_group *g, const char *event);
void ez_reply_free(struct ez_reply *r);
/* Adds the answer or event `answer` of one rank to r. It is an object of the machine interface
 * (doc/JSON.md), of which the members listed in reply.c are copied: not "state", and not "id". pid:
 * the process id, to mask. */
void ez_reply_add(struct ez_reply *r, uint32_t rank, pid_t pid, struct json_object *answer);
/* Moves the contents of `from` to r, and leaves `from` empty. */
void ez_reply_merge(struct ez_reply *r, struct ez_reply *from);
/* Returns all ranks in r->rest, whose answers are not stored; the caller frees the set. */
struct ez_ranks ez_reply_rest(const struct ez_reply *r);
struct json_object *ez_reply_to_json(const struct ez_reply *r);
/* Reads a reply from the JSON object o; the caller frees *out. most: the maximum groups, as in
 * struct ez_reply. EZ_E_FORMAT: o is no reply; *out is empty. */
ez_err *ez_reply_from_json(struct json_object *o, unsigned most, struct ez_reply *out) EZ_WUR;

/* Returns a copy of the text in which are masked: addresses (0x and at least 6 hex digits), by
 * "0x..."; the number `pid`, and the number `rank` behind the word "rank", by "...". The caller
 * frees the copy. json: the text is JSON; outside of strings, 0 replaces a number, so the copy is
 * JSON, too. */
char *ez_reply_mask(const char *text, uint32_t rank, pid_t pid, bool json);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - merges the answers of many ranks to one request: equal answers are stored once, with
 * the set of their ranks. Merging is associative and commutative, so the nodes of a tree may merge
 * in any order.
 *
 * Two answers are equal if they differ only in addresses, process ids and ranks. If their texts are
 * not identical, the merged answer has "0x..." in place of addresses, and "..." in place of ids and
 * ranks.
 *
 * Events of processes, which no request caused, are also sent in replies, with the id 0. The events
 * of a rank keep their order. `state` has the ranks whose state changed since the last reply.
 *
 * As JSON a reply is {"id", "groups": [{"ranks", "answer"}], "rest", "late", "states", "members",
 * "sums"}: doc/JOBS.md.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_REPLY_H
#define EZ_REPLY_H

#include <json-c/json.h>

#include "engine/base/err.h"
#include "engine/jobs/json.h"
#include "engine/jobs/reduce.h"
#include "engine/jobs/roster.h"

#define EZ_GROUPS_MOST 16 /* maximum number of different answers whose text is stored */
/* maximum number of further answers whose hashes are stored; for the remaining answers, only the
 * ranks are stored */
#define EZ_RESTS_MOST 4096

struct ez_group {
    struct ez_ranks ranks;
    char *text, *key; /* text: the answer as JSON; key: the same with masked addresses, ids and
                       * ranks */
};

/* Ranks with the same answer, of which only the hash is stored. If a later merge brings a group
 * with the same hash, the ranks are added to that group. */
struct ez_rest {
    uint64_t key, text; /* hashes of the answer's key and text; text 0 = the texts differed; key 0 =
                         * different answers, whose hashes are not stored */
    struct ez_ranks ranks;
};

struct ez_reply {
    long id;
    unsigned most;                 /* maximum groups; 0 = no limit */
    EZ_VEC(struct ez_group) group; /* sorted by first rank; events (id 0) in order of arrival */
    EZ_VEC(struct ez_rest) rest;   /* sorted by key */
    struct ez_ranks late;          /* ranks without an answer at the deadline */
    struct ez_ranks state[EZ_MEMBER_BLIND + 1];
    struct json_object *members; /* array of the objects that nodes added; NULL = empty */
    struct ez_sums sums;         /* result of the requests `window` and `stats` */
};

/* Returns true if the answer says that the command succeeded. */
bool ez_group_ok(const struct ez_group *g);
/* Returns true if the group is the event with that name; "" tests for an answer, not an event. */
bool ez_group_is(const struct ez_group *g, const char *event);
void ez_reply_free(struct ez_reply *r);
/* Adds the answer or event of one rank: an object of the machine interface (doc/JSON.md). Its
 * members "state" and "id" are not kept. */
void ez_reply_add(struct ez_reply *r, uint32_t rank, pid_t pid, struct json_object *answer);
/* Merges `from` into r, and empties `from`. */
void ez_reply_merge(struct ez_reply *r, struct ez_reply *from);
/* Returns the ranks of r->rest, whose answers are not stored; the caller frees. */
struct ez_ranks ez_reply_rest(const struct ez_reply *r);
struct json_object *ez_reply_to_json(const struct ez_reply *r);
/* Reads a reply from its JSON; the caller frees *out. most: as in struct ez_reply. EZ_E_FORMAT: the
 * object is no reply. */
ez_err *ez_reply_from_json(struct json_object *o, unsigned most, struct ez_reply *out) EZ_WUR;

/* Returns a copy of the text in which addresses, the number `pid`, and the number `rank` after the
 * word "rank" are masked. json: the text is JSON, and stays valid, because a masked number outside
 * of strings becomes 0. The caller frees. */
char *ez_reply_mask(const char *text, uint32_t rank, pid_t pid, bool json);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - merges the answers of many ranks to one request: equal answers are stored once, with
 * the set of their ranks. Merging is associative and commutative, so the nodes of a tree may merge
 * in any order.
 *
 * Two answers are equal if they differ only in addresses, process ids and ranks. The merged answer
 * then has "0x..." and "..." in their place.
 *
 * Events of processes, which no request caused, travel the same way, as replies with the id 0, in
 * each rank's own order. `state` has the ranks whose state changed since the last reply.
 *
 * On the wire a reply is {"id", "groups": [{"ranks", "answer"}], "rest", "late", "states",
 * "members", "sums"}: doc/JOBS.md.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_REPLY_H
#define EZ_REPLY_H

#include <json-c/json.h>

#include "engine/base/err.h"
#include "engine/jobs/json.h"
#include "engine/jobs/reduce.h"
#include "engine/jobs/roster.h"

#define EZ_GROUPS_MOST 16 /* maximum different answers that are stored */
/* maximum hashes of other answers; beyond, only ranks are stored */
#define EZ_RESTS_MOST 4096

struct ez_group {
    struct ez_ranks ranks;
    char *text, *key; /* the answer as JSON; key: without addresses, ids and ranks */
};

/* Ranks with the same answer, whose text is not stored. Its hash identifies the answer, so that
 * the ranks join a group with this answer later. */
struct ez_rest {
    uint64_t key, text; /* hashes; text 0 = the texts differed */
    struct ez_ranks ranks;
};

struct ez_reply {
    long id;
    unsigned most;                 /* maximum groups; 0 = no limit */
    EZ_VEC(struct ez_group) group; /* sorted by first rank */
    EZ_VEC(struct ez_rest) rest;   /* sorted by key */
    struct ez_ranks late;          /* ranks without an answer at the deadline */
    struct ez_ranks state[EZ_MEMBER_BLIND + 1];
    struct json_object *members; /* result of `find`: an array, or NULL */
    struct ez_sums sums;         /* result of `window` */
};

/* Returns true if the command succeeded. */
bool ez_group_ok(const struct ez_group *g);
/* Returns true if the group is that event; "" tests for an answer. */
bool ez_group_is(const struct ez_group *g, const char *event);
void ez_reply_free(struct ez_reply *r);
/* Adds the answer of one rank: an object of the machine interface (doc/JSON.md), without "state"
 * and "id". */
void ez_reply_add(struct ez_reply *r, uint32_t rank, pid_t pid, struct json_object *answer);
/* Moves the contents of `from` into r. */
void ez_reply_merge(struct ez_reply *r, struct ez_reply *from);
/* Returns all ranks of the rest; the caller frees. */
struct ez_ranks ez_reply_rest(const struct ez_reply *r);
struct json_object *ez_reply_to_json(const struct ez_reply *r);
/* Reads a reply from its JSON. EZ_E_FORMAT: the object is no reply. */
ez_err *ez_reply_from_json(struct json_object *o, unsigned most, struct ez_reply *out) EZ_WUR;

/* Masks addresses, the number pid, and the number rank after "rank". `json`: the text is JSON and
 * stays valid: a number outside of strings becomes 0. The caller frees. */
char *ez_reply_mask(const char *text, uint32_t rank, pid_t pid, bool json);

#endif

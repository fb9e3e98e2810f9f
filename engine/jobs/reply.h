/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.h - what many ranks answer to one request, made one: equal answers stand once, with the set of ranks that
 * gave them. Merging is associative and commutative, so the nodes of a tree may do it in any order.
 *
 * Two answers are equal if they say the same but for what no two processes have in common: addresses, their own
 * process ids and ranks. If they differ in these, the merged one has "0x..." and "..." in their place.
 *
 * What happens to processes without a request is told in the same way, as replies with the id 0: events, in each rank's own
 * order. `state` has the ranks whose state changed since the last reply.
 *
 * A reply on the wire is {"id", "groups": [{"ranks", "answer"}], "rest", "late", "states", "members", "sums"}: doc/JOBS.md.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_REPLY_H
#define EZ_REPLY_H

#include <json-c/json.h>

#include "engine/base/err.h"
#include "engine/jobs/reduce.h"
#include "engine/jobs/roster.h"

#define EZ_GROUPS_MOST 16  /* different answers that are kept                        */
#define EZ_RESTS_MOST 4096 /* hashes of others that are kept; beyond, only the ranks */

struct ez_group {
    struct ez_ranks ranks;
    char *text, *key; /* the answer as JSON; without what differs anyhow */
};

/* Other answers than those that are kept, of ranks that gave the same one: what the answer was is known by its hash alone, so
 * that these ranks are found again where the answer is kept. */
struct ez_rest {
    uint64_t key, text; /* hashes; text 0 = their texts differed */
    struct ez_ranks ranks;
};

struct ez_reply {
    long id;
    unsigned most; /* groups that are kept; 0 = all                                        */
    EZ_VEC(struct ez_group) group; /* sorted by their first ranks                          */
    EZ_VEC(struct ez_rest) rest;   /* sorted by key                                         */
    struct ez_ranks late;          /* no answer before the deadline                         */
    struct ez_ranks state[EZ_MEMBER_BLIND + 1];
    struct json_object *members; /* of `find`: an array, or NULL                           */
    struct ez_sums sums;         /* of `window`                                            */
};

bool ez_group_ok(const struct ez_group *g);                    /* was the command carried out? */
bool ez_group_is(const struct ez_group *g, const char *event); /* or an answer: no event        */
void ez_reply_free(struct ez_reply *r);
/* Adds the answer of one rank: an object of the machine interface (doc/JSON.md), of which "state" and "id" do not
 * count. */
void ez_reply_add(struct ez_reply *r, uint32_t rank, pid_t pid, struct json_object *answer);
/* Adds what `from` has, which is empty then. */
void ez_reply_merge(struct ez_reply *r, struct ez_reply *from);
/* All ranks of the rest; the caller frees. */
struct ez_ranks ez_reply_rest(const struct ez_reply *r);
struct json_object *ez_reply_to_json(const struct ez_reply *r);
/* EZ_E_FORMAT: it is no reply. */
ez_err *ez_reply_from_json(struct json_object *o, unsigned most, struct ez_reply *out) EZ_WUR;

/* Without addresses, the number pid, and the number rank behind "rank". `json`: the text is JSON, and still is: where no string is
 * the number becomes 0. The caller frees. */
char *ez_reply_mask(const char *text, uint32_t rank, pid_t pid, bool json);

/* Members of JSON objects; what is not there, or of another kind, is the value given, "" or NULL. */
const char *ez_json_text(struct json_object *o, const char *name);
int64_t ez_json_int(struct json_object *o, const char *name, int64_t otherwise);
struct json_object *ez_json_get(struct json_object *o, const char *name);
void ez_json_put_text(struct json_object *o, const char *name, const char *text);
void ez_json_put_int(struct json_object *o, const char *name, int64_t v);
void ez_json_put_ranks(struct json_object *o, const char *name, const struct ez_ranks *r);
/* Adds the ranks that the text `name` of o lists; false = it is no list. */
bool ez_json_ranks(struct json_object *o, const char *name, struct ez_ranks *out);
/* One line, without spaces between; the object keeps it. */
const char *ez_json_line(struct json_object *o);

#endif

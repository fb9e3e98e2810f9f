/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_query.h - an object's debug information, and what its reader answered: for dwarf.c and
 * dwarf_frame.c. */
#ifndef EZ_DWARF_QUERY_H
#define EZ_DWARF_QUERY_H

#include "engine/base/hash.h"
#include "engine/base/jail.h"
#include "engine/data/dwarf.h"

struct ez_dwarf {
    struct ez_object *obj;
    struct ez_foreign *file;
    char *name; /* where libdw may look for a part that dwz moved                       */
    struct ez_jailed known;
    struct ez_dwarf_memo *memo;
    struct ez_dwarf_table table[2];
    struct ez_hash by_key, by_pc, by_name;
    EZ_VEC(const char *) name_of; /* of source files                                        */
    EZ_VEC(struct ez_dwarf_calls *) calls;
    EZ_VEC(struct ez_type *) type; /* NULL = it is being made                         */
    EZ_VEC(void *) kept;           /* texts, lists of members                         */
    unsigned deep;                 /* types that are being made, each for the one before  */
    uint64_t macros_at; /* where `macros` was asked for                                     */
    bool macros;
    struct dwarf_macro_kept { /* an answer                                                  */
        char *name;           /* owned                                                      */
        uint64_t vaddr;
        bool whole;
        struct ez_dwarf_macro is;
    } macro[64];
    struct ez_hash by_question;
    EZ_VEC(struct dwarf_ahead {
        uint8_t *bytes; /* NULL = it was taken                                          */
        uint64_t n;
    })
    ahead;                /* answers that nobody has asked for yet                              */
    uint64_t given;       /* bytes of memory that the reader got as files                  */
    struct ez_hash noted; /* what the user was told of other files                        */
};

struct said { /* an answer                                                        */
    uint8_t *all;
    const uint8_t *at, *end;
    bool good; /* it had all that was taken of it                                 */
};

/* dwarf.c; false = no answer. a->all: to be freed, in any case. */
bool dwarf_request(struct ez_dwarf *d, uint32_t what, const char *text, const uint64_t word[3],
                   struct said *a);
/* The same; the answer is kept for the next one who asks. */
bool dwarf_request_again(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a);
struct dwarf_request_key {
    uint32_t what;
    const char *text;
    const uint64_t *word;
    size_t n;
    struct ez_dwarf_memo *
        *memo; /* keeps the answer, with 3 words in n; NULL = it is not kept        */
};
/* dwarf_memo.c: an answer that was given before; false = it is not kept any more. */
bool dwarf_memo_get(struct ez_dwarf_memo *memo, const struct dwarf_request_key *q, struct said *a);
void dwarf_memo_keep(struct ez_dwarf_memo **memo, const struct dwarf_request_key *q,
                     const struct said *a);
bool dwarf_request_many(struct ez_dwarf *d, const struct dwarf_request_key *q, struct said *a);
/* A question about an unwind table; the answer is kept. */
bool dwarf_request_of(struct ez_dwarf_table *by, uint32_t what, const uint64_t word[3],
                      struct said *a);
/* dwarf_files.c: gives the reader a file that it needs for the debug information of d, which may be NULL. */
bool dwarf_give(struct ez_jail *reader, struct ez_dwarf *d);
/* dwarf_ahead.c: an answer that is there already; false = it is not. */
bool dwarf_ahead_pop(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a);
uint64_t dwarf_number(struct said *a);
uint64_t dwarf_bounded(struct said *a, uint64_t most);
#define DWARF_MOST_PARTS 4096 /* members of a struct, names of an enum, functions of a class */
/* dwarf_about.c: for types of C++. */
const struct ez_type_class *dwarf_class_of(struct ez_type *t);
/* NULL = it is empty. It lives as long as d. */
const char *dwarf_text(struct ez_dwarf *d, struct said *a);
/* The same of a text that comes again and again: it is kept once. */
const char *dwarf_name(struct ez_dwarf *d, struct said *a);
void dwarf_read_ops(struct said *a, struct ez_dwarf_ops *out);
struct ez_dwarf *dwarf_made(struct ez_object *o);

#endif

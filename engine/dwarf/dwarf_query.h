/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_query.h - state of an object's debug information in the shell, and functions that request
 * from the reader; for dwarf.c and dwarf_frame.c. */
#ifndef EZ_DWARF_QUERY_H
#define EZ_DWARF_QUERY_H

#include "engine/base/hash.h"
#include "engine/base/jail.h"
#include "engine/dwarf/dwarf.h"

struct ez_dwarf {
    struct ez_object *obj;
    struct ez_foreign *file;
    char *name; /* path in whose folder libdw may search a file made by dwz */
    struct ez_jailed known;
    struct ez_dwarf_memo *memo;
    struct ez_dwarf_table table[2];
    struct ez_hash by_key, by_pc, by_name;
    EZ_VEC(const char *) name_of; /* names of source files */
    EZ_VEC(struct ez_dwarf_calls *) calls;
    EZ_VEC(struct ez_type *) type; /* NULL while the type is being made */
    /* memory that is freed with the object: strings, lists of members */
    EZ_VEC(void *) kept;
    unsigned deep;      /* depth of types that are being made, each inside another */
    uint64_t macros_at; /* address for which `macros` says whether there are macros */
    bool macros;
    struct dwarf_macro_kept { /* a kept answer about a macro */
        char *name;           /* owned */
        uint64_t vaddr;
        bool whole;
        struct ez_dwarf_macro is;
    } macro[64];
    struct ez_hash by_question;
    EZ_VEC(struct dwarf_ahead {
        uint8_t *bytes; /* NULL after the answer was used */
        uint64_t n;
    })
    ahead;                /* answers that were requested in advance */
    uint64_t given;       /* bytes of the files in memory that the reader requested */
    struct ez_hash noted; /* notes that the user already got */
};

struct said { /* an answer being read */
    uint8_t *all;
    const uint8_t *at, *end;
    bool good; /* false after more was read than the answer has */
};

/* dwarf_request.c: sends a request to the reader. Returns false if there is no answer. The caller
 * frees a->all in any case. */
bool dwarf_request(struct ez_dwarf *d, uint32_t what, const char *text, const uint64_t word[3],
                   struct said *a);
/* Returns a kept answer, or sends a request as dwarf_request() does and keeps the answer. */
bool dwarf_request_again(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a);
struct dwarf_request_key {
    uint32_t what;
    const char *text;
    const uint64_t *word;
    size_t n;
    /* where the answer is kept (needs n = 3); NULL = the answer is not kept */
    struct ez_dwarf_memo **memo;
};
/* dwarf_memo.c: finds a kept answer. Returns false if the answer is not kept (any more). */
bool dwarf_memo_get(struct ez_dwarf_memo *memo, const struct dwarf_request_key *q, struct said *a);
void dwarf_memo_keep(struct ez_dwarf_memo **memo, const struct dwarf_request_key *q,
                     const struct said *a);
bool dwarf_request_many(struct ez_dwarf *d, const struct dwarf_request_key *q, struct said *a);
/* Requests a row of an unwind table, and keeps the answer. */
bool dwarf_request_of(struct ez_dwarf_table *by, uint32_t what, const uint64_t word[3],
                      struct said *a);
/* dwarf_files.c: receives the reader's struct dwarf_want, and sends the file's descriptor, or -1;
 * for a DWARF_WANT_NOTE, prints the message instead. d: the debug information that is being read,
 * or NULL. Returns false if the connection failed. */
bool dwarf_give(struct ez_jail *reader, struct ez_dwarf *d);
uint64_t dwarf_number(struct said *a);
uint64_t dwarf_bounded(struct said *a, uint64_t most);
#define DWARF_MOST_PARTS 4096 /* maximum number of parts of a type */
/* Returns the next string of the answer, or NULL if it is empty. It lives as long as d. */
const char *dwarf_text(struct ez_dwarf *d, struct said *a);
/* Returns the next string of the answer as dwarf_text() does, for strings that occur often: equal
 * strings are stored once. */
const char *dwarf_name(struct ez_dwarf *d, struct said *a);
void dwarf_read_ops(struct said *a, struct ez_dwarf_ops *out);
struct ez_dwarf *dwarf_made(struct ez_object *o);

#endif

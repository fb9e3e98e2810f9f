/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_request.c - sends requests to the reader of debug information, and parses its answers
 * (dwarf_query.h).
 *
 * Answers are not trusted, because a damaged file may confuse the reader: lengths are checked,
 * numbers are bounded.
 *
 * Communication with the reader takes most of the time of a request. So code that visits all
 * routines of a file requests many answers at once (ez_dwarf_ahead). This file keeps these answers
 * until dwarf_request() requests them one by one.
 *
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include <string.h>

#include "engine/dwarf/dwarf_query.h"
#include "engine/sym/sym.h"

/* maximum number of files that the reader may request for one answer */
#define MOST_WANTS (1u << 18)

/* ---- requests -------------------------------------------------------------------------------- */

static struct ez_jail reader = { .serve = ez_dwarf_serve };

/* Reads the length of the answer into *n. Before the length, the reader may send requests for
 * files, which are answered. Returns false if the length is too large or the reader failed. */
static bool dwarf_answered(struct ez_dwarf *d, uint64_t *n)
{
    bool good;
    for (unsigned wants = 0; (good = ez_jail_hear(&reader, n, sizeof *n)) && *n == DWARF_WANTS;)
        if (++wants > MOST_WANTS || !dwarf_give(&reader, d))
            return false;
    return good && *n <= DWARF_ANSWER;
}

/* Sends a request and receives the answer. d: the debug information to read, or NULL for an unwind
 * table of `file`. */
static bool dwarf_request_words(struct ez_dwarf *d, struct ez_jailed *known,
                                struct ez_foreign *file, const char *name,
                                const struct dwarf_request_key *q, struct said *a)
{
    uint64_t n = 0;
    *a = (struct said){ .good = true };
    if (known->lost || !file)
        return false;
    if (q->memo && dwarf_memo_get(*q->memo, q, a))
        return a->end > a->at;
    bool good = ez_jail_request(&reader, known, file, name, q->what, q->text, q->word, q->n) &&
                dwarf_answered(d, &n);
    if (good) {
        a->all = ez_alloc(n + 1);
        good = ez_jail_hear(&reader, a->all, n);
        a->at = a->all;
        a->end = a->all + n;
    }
    good = ez_jail_done(&reader, known, good);
    if (!good && d)
        ez_object_note(
            ez_sprintf("%s: its debug information cannot be read in reasonable time and memory",
                       ez_object_path(d->obj)));
    if (good && q->memo)
        dwarf_memo_keep(q->memo, q, a);
    return good && n;
}

bool dwarf_request_of(struct ez_dwarf_table *by, uint32_t what, const uint64_t word[3],
                      struct said *a)
{
    return dwarf_request_words(NULL, &by->known, by->file, "/nonexistent/program",
                               &(struct dwarf_request_key){ what, "", word, 3, &by->memo }, a);
}

bool dwarf_request_many(struct ez_dwarf *d, const struct dwarf_request_key *q, struct said *a)
{
    return dwarf_request_words(d, &d->known, d->file, d->name, q, a);
}

/* ---- answers --------------------------------------------------------------------------------- */

uint64_t dwarf_number(struct said *a)
{
    uint64_t v = 0;
    a->good = a->good && a->end - a->at >= 8;
    if (a->good) {
        memcpy(&v, a->at, sizeof v);
        a->at += sizeof v;
    }
    return v;
}

uint64_t dwarf_bounded(struct said *a, uint64_t most)
{
    uint64_t v = dwarf_number(a);
    return EZ_MIN(v, most);
}

const char *dwarf_text(struct ez_dwarf *d, struct said *a)
{
    const uint8_t *nul = a->good ? memchr(a->at, 0, (size_t)(a->end - a->at)) : NULL;
    a->good = nul;
    if (!nul || nul == a->at) {
        a->at += nul != NULL;
        return NULL;
    }
    char *s = ez_strdup((const char *)a->at);
    a->at = nul + 1;
    EZ_PUSH(&d->kept, s);
    return s;
}

const char *dwarf_name(struct ez_dwarf *d, struct said *a)
{
    const char *text = dwarf_text(d, a);
    if (!text)
        return NULL;
    size_t i = ez_hash_put(&d->by_name, ez_hash_key(EZ_HASH_SEED, text), d->name_of.n);
    if (i == d->name_of.n)
        EZ_PUSH(&d->name_of, text);
    else if (!strcmp(d->name_of.at[i], text))
        free(d->kept.at[--d->kept.n]); /* free the string that was just read: it is known already */
    else
        return text;
    return d->name_of.at[i];
}

/* ---- answers in advance ---------------------------------------------------------------------- */

static uint64_t ahead_key(uint32_t what, uint64_t word)
{
    return ez_hash_pair(what + 1, word);
}

/* Removes the answer from the answers that ez_dwarf_ahead() requested, and sets *a to it. Returns
 * false if none of these answers fits. */
static bool ahead_pop(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a)
{
    size_t i;
    bool kept = what == DWARF_BODY || what == DWARF_FUNC || what == DWARF_TYPE;
    if (!kept || !d->ahead.n || !ez_hash_remove(&d->by_question, ahead_key(what, word[0]), &i))
        return false;
    *a = (struct said){ .all = d->ahead.at[i].bytes, .good = true };
    a->at = a->all;
    a->end = a->all + d->ahead.at[i].n;
    d->ahead.at[i].bytes = NULL;
    return true;
}

bool dwarf_request(struct ez_dwarf *d, uint32_t what, const char *text, const uint64_t word[3],
                   struct said *a)
{
    return ahead_pop(d, what, word, a)
               ? a->end > a->at
               : dwarf_request_many(d, &(struct dwarf_request_key){ what, text, word, 3, NULL }, a);
}

bool dwarf_request_again(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a)
{
    return dwarf_request_many(d, &(struct dwarf_request_key){ what, "", word, 3, &d->memo }, a);
}

static void ahead_forget(struct ez_dwarf *d)
{
    for (size_t i = 0; i < d->ahead.n; i++)
        free(d->ahead.at[i].bytes);
    EZ_VEC_FREE(&d->ahead);
    ez_hash_free(&d->by_question);
}

void ez_dwarf_ahead(struct ez_dwarf *d, const uint64_t *vaddr, size_t n)
{
    struct said a;
    ahead_forget(d);
    if (n < 3) /* the reader expects at least three words */
        return;
    bool good =
        dwarf_request_many(d, &(struct dwarf_request_key){ DWARF_MANY, "", vaddr, n, NULL }, &a);
    while (good && a.at < a.end) {
        const uint32_t what = (uint32_t)dwarf_number(&a);
        const uint64_t word = dwarf_number(&a), bytes = dwarf_number(&a);
        if (!a.good || bytes > (size_t)(a.end - a.at))
            break;
        struct dwarf_ahead one = { .bytes = ez_alloc(bytes + 1), .n = bytes };
        memcpy(one.bytes, a.at, bytes);
        a.at += bytes;
        const uint64_t key = ahead_key(what, word);
        if (ez_hash_put(&d->by_question, key, d->ahead.n) == d->ahead.n)
            EZ_PUSH(&d->ahead, one);
        else
            free(one.bytes);
    }
    free(a.all);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_memo.c - keeps the most recent answers about frames and names (dwarf_query.h).
 *
 * The shell repeats a request for each frame of a recursion in a backtrace, for each caller that it
 * follows to compute a DW_OP_entry_value, and for each name of an expression that is evaluated
 * repeatedly. Communication with the reader process takes most of the time of a request about a
 * frame. A name that does not exist (`sizeof`, a typing error) is searched in all units: in the
 * debug information of glibc that takes 40 ms. So the answer "not found" is kept, too. The answers
 * are freed when the object (struct ez_object) is closed.
 *
 * Tests: tests/procs/bt.sh, tests/procs/scopes.sh */
#include <string.h>

#include "engine/dwarf/dwarf_query.h"
#include "engine/dwarf/dwarf_priv.h"

#define MEMO_PLACES 1024
#define MEMO_LARGEST 4096 /* maximum length of a kept answer in bytes */

struct ez_dwarf_memo {
    struct memo {
        uint32_t what;
        uint64_t word[3], n;
        char *text;
        uint8_t *bytes; /* NULL = the slot is empty */
    } at[MEMO_PLACES];
};

static struct memo *memo_place(struct ez_dwarf_memo *m, const struct dwarf_request_key *q)
{
    uint64_t key = ez_hash_pair(ez_hash_pair(q->what, q->word[0]), q->word[1]);
    key = ez_hash_key(key, q->text);
    return &m->at[key % MEMO_PLACES];
}

bool dwarf_memo_get(struct ez_dwarf_memo *memo, const struct dwarf_request_key *q, struct said *a)
{
    const struct memo *m = memo ? memo_place(memo, q) : NULL;
    if (!m || !m->bytes || m->what != q->what || memcmp(m->word, q->word, sizeof m->word) != 0 ||
        strcmp(m->text, q->text) != 0)
        return false;
    *a = (struct said){ .all = memcpy(ez_alloc(m->n + 1), m->bytes, m->n), .good = true };
    a->at = a->all;
    a->end = a->all + m->n;
    return true;
}

void dwarf_memo_keep(struct ez_dwarf_memo **memo, const struct dwarf_request_key *q,
                     const struct said *a)
{
    size_t n = (size_t)(a->end - a->all);
    if (n > MEMO_LARGEST)
        return;
    if (!*memo)
        *memo = ez_alloc(sizeof **memo);
    struct memo *m = memo_place(*memo, q);
    free(m->bytes);
    free(m->text);
    *m = (struct memo){ .what = q->what, .n = n, .text = ez_strdup(q->text) };
    memcpy(m->word, q->word, sizeof m->word);
    m->bytes = memcpy(ez_alloc(n + 1), a->all, n);
}

void ez_dwarf_memo_free(struct ez_dwarf_memo *memo)
{
    for (size_t i = 0; memo && i < MEMO_PLACES; i++) {
        free(memo->at[i].bytes);
        free(memo->at[i].text);
    }
    free(memo);
}

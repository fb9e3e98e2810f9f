/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_memo.c - keeps the last answers about frames (dwarf_asked.h): a backtrace asks the same of each frame of a
 * recursion, and a value that came through many callers asks it once a caller. The way to the reader takes most of the
 * time of a question. Tests: tests/procs/bt.sh */
#include <string.h>

#include "engine/data/dwarf_asked.h"
#include "engine/data/dwarf_priv.h"

#define MEMO_PLACES 256
#define MEMO_LARGEST 4096 /* bytes of an answer */

struct memo { /* file: as its reader numbers it, so no other file has the number later     */
    struct ez_jailed file;
    uint32_t what;
    uint64_t word[3], n;
    uint8_t *bytes; /* NULL = nothing is kept here                                   */
};
static struct memo memo[MEMO_PLACES];

static bool memo_is(const struct memo *m, const struct ez_jailed *file, const struct dwarf_asks *q)
{
    return m->bytes && m->file.server == file->server && m->file.file == file->file &&
           m->what == q->what && !memcmp(m->word, q->word, sizeof m->word);
}

/* NULL = answers to such questions are not kept. */
static struct memo *memo_place(const struct ez_jailed *file, const struct dwarf_asks *q)
{
    if (q->n != 3 || (q->what != DWARF_ROW && q->what != DWARF_SITE && q->what != DWARF_ENTRY))
        return NULL;
    uint64_t key =
        ez_hash_pair(ez_hash_pair(q->what, q->word[0]), ez_hash_pair(q->word[1], file->file));
    return &memo[key % MEMO_PLACES];
}

bool dwarf_memo_take(const struct ez_jailed *file, const struct dwarf_asks *q, struct said *a)
{
    const struct memo *m = memo_place(file, q);
    if (!m || !memo_is(m, file, q))
        return false;
    *a = (struct said){ .all = memcpy(ez_alloc(m->n + 1), m->bytes, m->n), .good = true };
    a->at = a->all;
    a->end = a->all + m->n;
    return true;
}

void dwarf_memo_keep(const struct ez_jailed *file, const struct dwarf_asks *q, const struct said *a)
{
    struct memo *m = memo_place(file, q);
    size_t n = (size_t)(a->end - a->all);
    if (!m || n > MEMO_LARGEST)
        return;
    free(m->bytes);
    *m = (struct memo){ .file = *file, .what = q->what, .n = n };
    memcpy(m->word, q->word, sizeof m->word);
    m->bytes = memcpy(ez_alloc(n + 1), a->all, n);
}

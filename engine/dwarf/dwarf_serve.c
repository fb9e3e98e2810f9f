/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_serve.c - the main loop of the reader of debug information (dwarf_priv.h).
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include "engine/base/hash.h"
#include "engine/base/jail.h"
#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/dwarf_read.h"

/* ---- files ----------------------------------------------------------------------------------- */

static void dwarfserve_open(struct dwarf_file *f, int fd)
{
    elf_version(EV_CURRENT);
    f->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    f->dw = f->elf ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL) : NULL;
}

/* ---- questions ------------------------------------------------------------------------------- */

static void dwarfserve_function(struct dwarf_file *f, uint64_t vaddr, struct dwarf_answer *a)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, vaddr);
    const struct dwarf_entry *e = u ? dwarfindex_function_at(u, vaddr) : NULL;
    if (e)
        dwarf_answer_function(f, a, (size_t)(u - f->unit.at), e);
}

static bool dwarfserve_find(struct dwarf_file *f, const struct ez_question *q, const uint64_t *word,
                            enum dwarf_means means, struct dwarf_entry *out)
{
    return dwarfnames_means(f, word[0], word[1], q->text, means, word[2], out);
}

/* Answers questions about types and names. Returns false for other questions. */
static bool dwarfserve_meaning(struct dwarf_file *f, const struct ez_question *q,
                               const uint64_t *word, struct dwarf_answer *a)
{
    Dwarf_Die die;
    struct dwarf_entry e;
    switch (q->what) {
    case DWARF_FUNC:
        dwarfserve_function(f, word[0], a);
        break;
    case DWARF_TYPE:
        if (dwarfread_die(f, word[0], &die))
            dwarftype_emit(f, a, &die);
        break;
    case DWARF_PARTS:
        if (dwarfread_die(f, word[0], &die))
            dwarftype_emit_parts(f, a, &die);
        break;
    case DWARF_CLASS:
        if (dwarfread_die(f, word[0], &die))
            dwarfclass_emit(f, a, &die);
        break;
    case DWARF_SHAPE:
        if (dwarfread_die(f, word[0], &die))
            dwarfshape_emit_type(a, &die, word[1]);
        break;
    case DWARF_NAME:
        if (dwarfserve_find(f, q, word, DWARF_MEANS_VALUE, &e))
            dwarf_answer_symbol(f, a, &e);
        break;
    case DWARF_NAMED:
        if (dwarfserve_find(f, q, word, DWARF_MEANS_TYPE, &e))
            dwarf_answer_number(a, dwarfread_key(f, &e.die));
        break;
    case DWARF_MEANS:
        if (dwarfserve_find(f, q, word, DWARF_MEANS_ANY, &e))
            dwarf_answer_number(a, dwarfindex_is_type(e.tag));
        break;
    default:
        return false;
    }
    return true;
}

/* Answers questions about code at an instruction. */
static void dwarfserve_code(struct dwarf_file *f, const struct ez_question *q, const uint64_t *word,
                            struct dwarf_answer *a)
{
    switch (q->what) {
    case DWARF_LOCAL:
        dwarflocal_emit(f, a, word, q->text);
        break;
    case DWARF_VARIABLE:
        dwarflocal_emit_variable(f, a, word[0], word[1]);
        break;
    case DWARF_NAMES:
        dwarflocal_emit_names(f, a, word[0], word[1], word[2]);
        break;
    case DWARF_CALLS:
        dwarfblocks_emit(f, a, word[0]);
        break;
    case DWARF_SITE:
        dwarfsite_emit(f, a, word[0], word[1]);
        break;
    case DWARF_ENTRY:
        dwarfsite_emit_entry(f, a, word[0]);
        break;
    case DWARF_LINE:
        dwarfline_emit(f, a, word[0]);
        break;
    case DWARF_PROLOGUE:
        dwarfline_emit_prologue(f, a, word[0], word[1]);
        break;
    case DWARF_SOURCE:
        dwarfsource_emit(f, a, q->text, word[0]);
        break;
    case DWARF_BEGIN:
        dwarfsource_emit_begin(f, a, q->text, word[0]);
        break;
    case DWARF_INTO:
        dwarfblocks_emit_inlined(f, a, word[0]);
        break;
    case DWARF_WITHIN:
        dwarfblocks_emit_within(f, a, q->text);
        break;
    case DWARF_INSTANCES:
        dwarfblocks_emit_instances(f, a, q->text);
        break;
    case DWARF_UNIT:
        dwarfline_emit_unit(f, a, word[0]);
        break;
    case DWARF_MACRO:
        dwarfmacro_emit(f, a, word[0], word[1], q->text);
        break;
    case DWARF_BODY:
        dwarfline_emit_body(f, a, word[0]);
        break;
    case DWARF_INLINED:
        dwarfinlined_emit(f, a, word[0]);
        break;
    case DWARF_ROW:
        dwarfrow_emit(f, a, word[0], word[1], word[2]);
        break;
    }
}

static void dwarfserve_answer(struct dwarf_file *f, const struct ez_question *q,
                              const uint64_t *word, struct dwarf_answer *a)
{
    if (q->n < 3 || (!f->dw && q->what != DWARF_ROW))
        return;
    if (q->what != DWARF_ROW)
        dwarfsplit_units(f);
    if (!dwarfserve_meaning(f, q, word, a))
        dwarfserve_code(f, q, word, a);
}

/* ---- many at once ---------------------------------------------------------------------------- */

/* Adds one answer to the answer of DWARF_MANY. An answer for which there is no room is left out;
 * the shell requests it separately. Returns whether the answer begins with a string that is not
 * empty (DWARF_BODY: the source file). */
static bool dwarfserve_one(struct dwarf_file *f, uint32_t what, uint64_t word,
                           struct dwarf_answer *a)
{
    const struct ez_question q = { .what = what, .n = 3 };
    const uint64_t words[3] = { word };
    struct dwarf_answer one = { { 0 } };
    ez_jail_live_on();
    dwarfserve_answer(f, &q, words, &one);
    bool fits = a->byte.n + one.byte.n + 24 <= DWARF_ANSWER, some = one.byte.n && one.byte.at[0];
    if (fits) {
        dwarf_answer_number(a, what);
        dwarf_answer_number(a, word);
        dwarf_answer_number(a, one.byte.n);
    }
    for (size_t i = 0; fits && i < one.byte.n; i++)
        EZ_PUSH(&a->byte, one.byte.at[i]);
    EZ_VEC_FREE(&one.byte);
    return some;
}

static bool dwarfserve_is_type(struct dwarf_file *f, uint64_t key)
{
    Dwarf_Die die;
    return key != DWARF_KEY_CHAR && dwarfread_die(f, key, &die) &&
           dwarf_tag(&die) != DW_TAG_subprogram;
}

/* Answers DWARF_MANY. For a function that has no source file or is in a header, only DWARF_BODY is
 * answered, not DWARF_FUNC. */
static void dwarfserve_many(struct dwarf_file *f, const uint64_t *word, size_t n,
                            struct dwarf_answer *a)
{
    struct ez_hash seen = { 0 };
    f->notes = true;
    f->sent.n = 0;
    for (size_t i = 0; i < n; i++)
        if (dwarfserve_one(f, DWARF_BODY, word[i], a))
            dwarfserve_one(f, DWARF_FUNC, word[i], a);
    for (size_t i = 0; i < f->sent.n; i++) {
        const uint64_t key = f->sent.at[i];
        if (ez_hash_put(&seen, key, i) == i && dwarfserve_is_type(f, key))
            dwarfserve_one(f, DWARF_TYPE, key, a);
    }
    f->notes = false;
    ez_hash_free(&seen);
}

void ez_dwarf_serve(void)
{
    /* units point to their struct dwarf_file, so it must not move */
    EZ_VEC(struct dwarf_file *) file = { 0 };
    struct ez_question q;
    uint64_t *word;
    int fd;
    bool go_on = true;
    while (go_on && ez_jail_next(&q, &word, &fd)) {
        struct dwarf_answer a = { { 0 } };
        while (file.n <= q.file)
            EZ_PUSH(&file, (struct dwarf_file *)ez_alloc(sizeof **file.at));
        struct dwarf_file *f = file.at[q.file];
        if (fd >= 0)
            dwarfserve_open(f, fd);
        if (q.what == DWARF_MANY && f->dw)
            dwarfserve_many(f, word, q.n, &a);
        else
            dwarfserve_answer(f, &q, word, &a);
        uint64_t n = EZ_MIN(a.byte.n, (size_t)DWARF_ANSWER);
        go_on = ez_jail_say(&n, sizeof n) && ez_jail_say(a.byte.at, n);
        EZ_VEC_FREE(&a.byte);
        free(word);
    }
}

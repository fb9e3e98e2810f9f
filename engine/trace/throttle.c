/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throttle.c - finds the functions that `set budget` throttled (throttle.h). A file has a
 * definition (EZ_DEF_THROTTLE) for the tick at which a function is throttled, and one for the tick
 * at which it is recorded again. A period without an end lasts until the last event. */
#include "engine/trace/throttle.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"

static char *throttle_names(const char *function, const char *library)
{
    size_t n = strlen(function) + 1, m = strlen(library) + 1;
    char *text = ez_alloc(n + m);
    memcpy(text, function, n);
    memcpy(text + n, library, m);
    return text;
}

static void throttle_add(struct ez_throttled_rows *out, struct ez_hash *by_name,
                         const struct ez_fxt_throttle *t, uint64_t begin, uint64_t end)
{
    if (begin >= end)
        return;
    uint64_t key = ez_hash_key(ez_hash_key(EZ_HASH_SEED, t->function), t->library);
    size_t i = ez_hash_put(by_name, key, out->row.n);
    if (i == out->row.n) {
        char *text = throttle_names(t->function, t->library);
        EZ_PUSH(&out->row, ((struct ez_throttled){ text, text + strlen(text) + 1, 0, 0 }));
    }
    out->row.at[i].ns += end - begin;
    out->row.at[i].times++;
}

/* Adds the throttled periods in one file. A period goes from the definition that throttles a
 * function to the next definition of the function that ends this. */
static void throttle_of_file(const struct ez_merge *in, size_t file, uint64_t from, uint64_t to,
                             struct ez_throttled_rows *out, struct ez_hash *by_name)
{
    const struct ez_fxt_defs *d = &ez_merge_input(in, file)->defs;
    struct ez_hash by_addr = { 0 };
    /* for each function, the definition that throttled it; NULL = it is recorded */
    EZ_VEC(const struct ez_fxt_throttle *) open = { 0 };
    for (size_t k = 0; k < d->throttles.n; k++) {
        const struct ez_fxt_throttle *t = &d->throttles.at[k];
        size_t i = ez_hash_put(&by_addr, t->addr, open.n);
        if (i == open.n)
            EZ_PUSH(&open, NULL);
        if (t->on && open.at[i])
            continue;
        if (open.at[i])
            throttle_add(out, by_name, open.at[i],
                         EZ_MAX(ez_merge_when(in, file, open.at[i]->tick), from),
                         EZ_MIN(ez_merge_when(in, file, t->tick), to));
        open.at[i] = t->on ? t : NULL;
    }
    for (size_t i = 0; i < open.n; i++)
        if (open.at[i])
            throttle_add(out, by_name, open.at[i],
                         EZ_MAX(ez_merge_when(in, file, open.at[i]->tick), from),
                         EZ_MIN(ez_merge_span_ns(in), to));
    EZ_VEC_FREE(&open);
    ez_hash_free(&by_addr);
}

static int throttle_longer(const void *a, const void *b)
{
    uint64_t x = ((const struct ez_throttled *)a)->ns, y = ((const struct ez_throttled *)b)->ns;
    return x < y ? 1 : x > y ? -1 : 0;
}

void ez_throttled_find(const struct ez_merge *in, uint64_t from, uint64_t to,
                       struct ez_throttled_rows *out)
{
    struct ez_hash by_name = { 0 };
    ez_throttled_free(out);
    for (size_t i = 0; i < ez_merge_inputs(in); i++)
        throttle_of_file(in, i, from, to, out, &by_name);
    ez_hash_free(&by_name);
    if (out->row.n)
        qsort(out->row.at, out->row.n, sizeof *out->row.at, throttle_longer);
}

char *ez_throttled_note(const struct ez_throttled_rows *r, size_t i)
{
    char time[32];
    if (i < EZ_MIN(r->row.n, (size_t)EZ_THROTTLED_NOTES))
        return ez_sprintf("%s was throttled for %s (set budget). Its times are those of the other "
                          "periods, and its callers' own times include the calls that were only "
                          "counted",
                          r->row.at[i].function, ez_str_time(r->row.at[i].ns, time));
    if (i > EZ_THROTTLED_NOTES || r->row.n <= EZ_THROTTLED_NOTES)
        return NULL;
    size_t more = r->row.n - EZ_THROTTLED_NOTES;
    return ez_sprintf("%zu function%s more %s throttled", more, ez_plural(more),
                      more == 1 ? "was" : "were");
}

struct ez_throttled_rows ez_throttled_copy(const struct ez_throttled_rows *from)
{
    struct ez_throttled_rows r = { 0 };
    for (size_t i = 0; i < from->row.n; i++) {
        struct ez_throttled t = from->row.at[i];
        t.function = throttle_names(t.function, t.library);
        t.library = t.function + strlen(t.function) + 1;
        EZ_PUSH(&r.row, t);
    }
    return r;
}

void ez_throttled_free(struct ez_throttled_rows *r)
{
    for (size_t i = 0; i < r->row.n; i++)
        free(r->row.at[i].function);
    EZ_VEC_FREE(&r->row);
}

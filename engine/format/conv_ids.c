/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_ids.c - numbers of texts, processes and threads (conv_ids.h). */
#include "engine/format/conv_ids.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"

#define MAX_PID (1u << 22) /* the kernel's PID_MAX_LIMIT */

size_t ez_conv_text(struct ez_conv_texts *t, const char *text)
{
    char *line = ez_str_plain(text, "", 0);
    for (uint64_t key = ez_hash_key(EZ_HASH_SEED, line);; key++) {
        size_t i = ez_hash_put(&t->index, key, t->at.n);
        if (i == t->at.n) {
            EZ_PUSH(&t->at, line);
            return i;
        }
        if (!strcmp(t->at.at[i], line)) {
            free(line);
            return i;
        }
    }
}

void ez_conv_texts_free(struct ez_conv_texts *t)
{
    for (size_t i = 0; i < t->at.n; i++)
        free(t->at.at[i]);
    EZ_VEC_FREE(&t->at);
    ez_hash_free(&t->index);
}

uint32_t ez_conv_number(struct ez_hash *used, uint64_t space, uint64_t real, uint32_t container)
{
    uint64_t key = space << 32 | real;
    if (real && real <= MAX_PID && ez_hash_put(used, key, container) == container)
        return (uint32_t)real;
    return ez_conv_number_of_whole(container);
}

uint32_t ez_conv_number_of_whole(uint32_t container)
{
    return MAX_PID + 1 + container;
}

static struct ez_conv_place ids_place(struct ez_conv_places *p, const struct ez_model *m,
                                      uint32_t i)
{
    const struct ez_container *c = &m->container.at[i];
    struct ez_conv_place out;
    if (c->level == EZ_L_THREAD && c->parent < i) {
        out.pid = p->at.at[c->parent].pid;
        out.tid = ez_conv_number(&p->used, out.pid, c->tid, i);
    } else {
        out.pid = ez_conv_number(&p->used, 0, c->pid, i);
        out.tid = ez_conv_number_of_whole(i);
    }
    return out;
}

struct ez_conv_place ez_conv_place(struct ez_conv_places *p, const struct ez_model *m,
                                   uint32_t container)
{
    while (p->at.n <= container) {
        struct ez_conv_place next = ids_place(p, m, (uint32_t)p->at.n);
        EZ_PUSH(&p->at, next);
    }
    return p->at.at[container];
}

void ez_conv_places_free(struct ez_conv_places *p)
{
    EZ_VEC_FREE(&p->at);
    ez_hash_free(&p->used);
}

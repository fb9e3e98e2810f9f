/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_code.h - collects the code addresses in events. */
#ifndef EZ_DRAIN_CODE_H
#define EZ_DRAIN_CODE_H

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/record/drain_defs.h"
#include "engine/record/items.h"

struct drain_code {
    struct ez_hash mask; /* code of an event -> mask of its words that are code addresses */
    EZ_VEC(struct ez_items) items;
    struct ez_hash seen;               /* addresses noted so far -> 1 if seen only as a pointer */
    EZ_VEC(struct ez_code_addr) fresh; /* noted addresses without a name; under defs.lock */
};

void drain_code_learn(struct ez_drain *d, const struct drain_def *def);
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n);
void drain_code_free(struct ez_drain *d);

void drain_code_note(struct ez_drain *d, uint64_t addr, bool pointer);

#endif

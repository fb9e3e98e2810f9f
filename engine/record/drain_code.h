/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_code.h - collects the addresses in events, so that the main thread can name them. */
#ifndef EZ_DRAIN_CODE_H
#define EZ_DRAIN_CODE_H

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/record/drain_defs.h"
#include "engine/record/items.h"

struct drain_code_event {
    /* masks of the words of a module's event that are addresses of code, and of data */
    uint32_t code, data;
    struct ez_items items; /* items of a probe, or none */
};

struct drain_code {
    struct ez_hash by_code; /* code of an event -> index in `event` */
    EZ_VEC(struct drain_code_event) event;
    struct ez_hash seen; /* addresses found so far -> enum ez_addr_kind */
    /* recorded addresses that the main thread has not read yet; under defs.lock */
    EZ_VEC(struct ez_code_addr) fresh;
};

void drain_code_learn(struct ez_drain *d, const struct drain_def *def);
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n);
void drain_code_free(struct ez_drain *d);

void drain_code_note(struct ez_drain *d, uint64_t addr, enum ez_addr_kind kind);

#endif

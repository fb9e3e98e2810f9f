/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_ids.h - numbers of texts, of processes and of threads, for formats that need numbers.
 * Initialise each struct with zeros.
 *
 * Tests: tests/unit/format/check_formats.c, tests/unit/format/check_proto.c */
#ifndef EZ_CONV_IDS_H
#define EZ_CONV_IDS_H

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/trace/model.h"

struct ez_conv_texts {
    struct ez_hash index;
    EZ_VEC(char *) at; /* index: number of the text */
};

/* Changes the text to one printable line, and returns the number of that line. A new text gets the
 * next number, which is the value that t->at.n had before the call. */
size_t ez_conv_text(struct ez_conv_texts *t, const char *text);
void ez_conv_texts_free(struct ez_conv_texts *t);

struct ez_conv_place {
    uint32_t pid, tid;
};

struct ez_conv_places {
    struct ez_hash used; /* used pids, and used pairs of pid and tid */
    EZ_VEC(struct ez_conv_place) at;
};

/* Returns pid and tid of a container: the real ids if possible. No other container has the same pid
 * and tid. A process has a tid for the events of the process as a whole; no thread has that tid. */
struct ez_conv_place ez_conv_place(struct ez_conv_places *p, const struct ez_model *m,
                                   uint32_t container);
void ez_conv_places_free(struct ez_conv_places *p);

/* Returns a pid (space 0) or a tid (space: the pid) that no other container has: the real id if
 * possible, otherwise a number above all real ids. */
uint32_t ez_conv_number(struct ez_hash *used, uint64_t space, uint64_t real, uint32_t container);
/* Returns a tid for the events of a container as a whole. */
uint32_t ez_conv_number_of_whole(uint32_t container);

#endif

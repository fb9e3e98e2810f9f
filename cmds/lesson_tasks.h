/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_tasks.h - lesson_look.c for lesson_table.c: is a task done, else what is missing (struct lesson_step). */
#ifndef EZ_LESSON_TASKS_H
#define EZ_LESSON_TASKS_H

#include "cmds/lesson.h"
#include "engine/probe/why.h"

typedef const char *lesson_missing_fn(const struct lesson_at *at);
lesson_missing_fn learn_crashed, learn_bug, learn_mended, learn_at_main, learn_base,
    learn_bytes_back, learn_called, learn_converted, learn_copy, learn_ended, learn_five,
    learn_five_threads, learn_hijacked, learn_killed, learn_ledger, learn_loaded, learn_mapped,
    learn_mmap_args, learn_no_args, learn_offset, learn_one_step, learn_over_jump, learn_over_main,
    learn_patched_busy, learn_planted, learn_restored, learn_seven, learn_slots, learn_stub,
    learn_syscall_there, learn_traced, learn_unhooked, learn_watching;

/* Spoils the relocated code of one of two functions: which one is left to chance. */
void learn_plant_bug(struct ez_sess *s);

/* What lesson_look.c finds out about the target; 0, false: it is not known. */
uint64_t learn_addr(struct ez_sess *s, const char *name);
bool learn_value(struct ez_sess *s, const char *expr, uint64_t *out);
bool learn_word(struct ez_sess *s, uint64_t at, void *to, size_t n);
const char *learn_stopped(struct ez_sess *s);
int64_t learn_in_main(struct ez_sess *s);
bool learn_probe(struct ez_sess *s, const char *function, struct ez_probe_info *out);
bool learn_map(struct ez_sess *s, uint64_t at, struct ez_map *out);
void learn_no_diff(const struct ez_textdiff *d, void *arg);

#endif

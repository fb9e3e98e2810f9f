/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_file.h - small FxT files for tests, and their items as text. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <check.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/record/fxt_out.h"
#include "engine/trace/replay.h"
#include "engine/base/vec.h"

#define TF_BOTH (EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

static inline void tf_ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static inline struct ez_fxt_out *tf_open(const char *path, int pid)
{
    struct ez_fxt_out *f;
    tf_ok(ez_fxt_out_open(path, pid, &f));
    return f;
}

static inline void tf_probe(struct ez_fxt_out *f, uint32_t id, uint32_t flags, const char *function,
                            const char *library)
{
    uint64_t arg[] = { id, flags, 0x401000 + id };
    char text[512];
    int n = snprintf(text, sizeof text, "%s%c%s", function, 0, library);
    tf_ok(
        ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_PROBE, 1, 42, arg, 3, text, (size_t)n }));
}

static inline void tf_clock(struct ez_fxt_out *f, uint64_t tick, uint64_t real, uint64_t mono)
{
    uint64_t arg[] = { real, mono };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_CLOCK, tick, 42, arg, 2, NULL, 0 }));
}

static inline void tf_process(struct ez_fxt_out *f, uint64_t pid, const char *program,
                              const char *host)
{
    char text[256];
    int n = snprintf(text, sizeof text, "%s%c%s", program, 0, host);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_PROCESS, 1, 42, &pid, 1, text, (size_t)n }));
}

static inline void tf_job(struct ez_fxt_out *f, uint64_t rank, const char *job)
{
    uint64_t arg[] = { rank, 0 };
    tf_ok(
        ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_JOB, 1, 42, arg, 2, job, strlen(job) }));
}

static inline void tf_meaning(struct ez_fxt_out *f, uint64_t code, enum ez_action action,
                              unsigned level, const char *name)
{
    uint64_t arg[] = { code, action, level };
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_MEANING, 1, 42, arg, 3, name, strlen(name) }));
}

static inline ez_err *tf_append(struct ez_fxt_out *f, const struct ez_rec *rec, size_t n)
{
    return ez_fxt_out_events(f, (const uint64_t *)rec, n * sizeof *rec / sizeof(uint64_t));
}

static inline struct ez_rec tf_rec(uint64_t tick, uint64_t tid, uint32_t id, bool exit)
{
    return (struct ez_rec){ tick, tid, ((uint64_t)EZ_C_PROBE + 2 * id + exit) << 8 | 1 };
}

static inline void tf_put(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint32_t id, bool exit)
{
    struct ez_rec r = tf_rec(tick, tid, id, exit);
    tf_ok(tf_append(f, &r, 1));
}

/* An event with three arguments, the last of them 0. */
static inline void tf_event(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint64_t code,
                            uint64_t a, uint64_t b)
{
    uint64_t word[] = { tick, tid, code << 8 | 4, a, b, 0 };
    tf_ok(ez_fxt_out_events(f, word, EZ_ARRAY_LEN(word)));
}

/* An event with n arguments. */
static inline void tf_args(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint64_t code,
                           const uint64_t *arg, size_t n)
{
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ (enum ez_def)(code - EZ_C_DEF), tick, tid, arg, n, NULL, 0 }));
}

static inline void tf_unwind(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint32_t id)
{
    tf_args(f, tick, tid, EZ_C_PROBE + 2 * id + 1, (uint64_t[]){ EZ_EXIT_UNWOUND }, 1);
}

/* An event of a thread (EZ_T_*); arg is written where such events have one. */
static inline void tf_thread(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, unsigned what,
                             uint64_t arg)
{
    bool has = what == EZ_T_GAP || what == EZ_T_SWITCH_OUT || what == EZ_T_SIGNAL;
    tf_args(f, tick, tid, EZ_C_THREAD + what, &arg, has);
}

/* tf_load() reads at most n bytes of a file; tf_store() writes a file of n bytes. */
static inline size_t tf_load(const char *path, char *buf, size_t max)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, buf, max);
    close(fd);
    ck_assert_int_gt(n, 0);
    return (size_t)n;
}

static inline void tf_store(const char *path, const char *buf, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ck_assert_int_eq(write(fd, buf, n), (ssize_t)n);
    close(fd);
}

/* ---- items as lines of text ---- */

struct tf_story {
    const struct ez_model *m;
    char text[1 << 16];
    size_t n;
};

static inline EZ_PRINTF(2, 3) void tf_say(struct tf_story *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    s->n += (size_t)vsnprintf(s->text + s->n, sizeof s->text - s->n, fmt, ap);
    va_end(ap);
    ck_assert_uint_lt(s->n, sizeof s->text);
}

static inline ez_err *tf_item(void *arg, const struct ez_item *it)
{
    struct tf_story *s = arg;
    const char *c = s->m->container.at[it->container].name;
    const char *n = it->name == EZ_NONE_IDX ? "" : s->m->name.at[it->name].text;
    unsigned long long ns = it->ns;
    switch (it->kind) {
    case EZ_I_CONTAINER:
        tf_say(s, "%llu new %s\n", ns, c);
        break;
    case EZ_I_NAME:
        tf_say(s, "%llu name %s\n", ns, n);
        break;
    case EZ_I_PUSH:
        tf_say(s, "%llu %s > %s%s\n", ns, c, n, it->recursive ? " again" : "");
        break;
    case EZ_I_POP:
        tf_say(s, "%llu %s < %s %llu self %llu%s\n", ns, c, n, (unsigned long long)it->spent_ns,
               (unsigned long long)it->self_ns,
               it->end == EZ_END_UNWOUND   ? " unwound"
               : it->end == EZ_END_UNKNOWN ? " forced"
                                           : "");
        s->n -= it->cut; /* in place of the newline */
        if (it->cut)
            tf_say(s, " cut\n");
        break;
    case EZ_I_EVENT:
        tf_say(s, "%llu %s ! %s %u\n", ns, c, n, it->narg);
        break;
    case EZ_I_VAR:
        tf_say(s, "%llu %s %s = %g\n", ns, c, n, it->value);
        break;
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        tf_say(s, "%llu %s %s %s %llu %s\n", ns, c, it->kind == EZ_I_LINK_START ? "->" : "<-", n,
               (unsigned long long)it->key,
               it->peer == EZ_NONE_IDX ? "?" : s->m->container.at[it->peer].name);
        break;
    case EZ_I_SAMPLE:
    case EZ_I_REQUEST:
        break;
    case EZ_I_CONTAINER_END:
        tf_say(s, "%llu end %s\n", ns, c);
        break;
    }
    return NULL;
}

/* The story of files; the caller frees. *sum may be NULL. */
static inline char *tf_tell(char *const *path, size_t n, struct ez_trace_sum *sum)
{
    struct ez_replay *r;
    struct tf_story *s = ez_alloc(sizeof *s);
    tf_ok(ez_replay_open(path, n, NULL, &r));
    s->m = ez_replay_model(r);
    tf_ok(ez_replay_run(r, tf_item, s, NULL));
    if (sum) {
        *sum = *ez_replay_sum(r);
        sum->damage = NULL;
    }
    ez_replay_close(r);
    char *text = ez_strdup(s->text);
    free(s);
    return text;
}

#endif

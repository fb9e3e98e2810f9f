/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_file.c - writes to the open trace: events, definitions, names of threads.
 *
 * A FAILED WRITE loses the trace: the file stays valid up to the last checkpoint, hdr->trace_open
 * becomes 0 so that no thread waits for room, and later records are discarded and counted as
 * untraced.
 *
 * Tests: tests/unit/record/check_drain.c, tests/unit/record/check_fxt.c */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/record/drain_priv.h"

/* ---- the file -------------------------------------------------------------------- */

ez_err *drain_file_close(struct ez_drain *d)
{
    ez_err *e = ez_fxt_out_finish(d->file.out);
    d->file.last_bytes = ez_fxt_out_stored(d->file.out);
    d->file.last_plain = ez_fxt_out_bytes(d->file.out);
    e = ez_err_first(e, ez_fxt_out_close(d->file.out));
    d->file.out = NULL;
    return e;
}

bool drain_wrote(struct ez_drain *d, ez_err *e)
{
    if (!e) {
        d->file.wrote = true;
        return true;
    }
    __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    d->file.lost = true;
    d->file.lost_errno = e->errnum;
    ez_err_free(e);
    ez_err_drop(drain_file_close(d));
    drain_notify(d);
    return false;
}

bool drain_define(struct ez_drain *d, enum ez_def kind, const uint64_t *arg, size_t narg,
                  const char *text, size_t len)
{
    if (!d->file.out)
        return false;
    return drain_wrote(
        d, ez_fxt_out_define(d->file.out,
                             &(struct ez_fxt_def){ kind, drain_tick(d), (uint64_t)d->cfg.pid, arg,
                                                   narg, text, len }));
}

void drain_define_clock_of(struct ez_drain *d, struct drain_sample s)
{
    uint64_t arg[] = { s.real_ns, s.mono_ns };
    if (d->file.out)
        drain_wrote(d, ez_fxt_out_define(d->file.out, &(struct ez_fxt_def){ EZ_DEF_CLOCK, s.tick,
                                                                            (uint64_t)d->cfg.pid,
                                                                            arg, 2, NULL, 0 }));
}

void drain_define_name(struct ez_drain *d, uint32_t tid, const char *name)
{
    uint64_t arg = tid;
    if (d->file.out)
        drain_define(d, EZ_DEF_THREAD, &arg, 1, name, strlen(name));
}

void drain_file_thread(struct ez_drain *d, struct drain_buffer *l)
{
    char path[64], comm[sizeof l->comm + 1];
    if (!drain_is_open(d) || !l->tid)
        return;
    snprintf(path, sizeof path, "/proc/%d/task/%u/comm", d->cfg.pid, l->tid);
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, comm, sizeof comm - 1);
    if (n <= 0)
        return;
    comm[n - (comm[n - 1] == '\n')] = 0;
    if (!strcmp(comm, l->comm))
        return;
    memcpy(l->comm, comm, sizeof l->comm);
    l->comm[sizeof l->comm - 1] = 0;
    drain_define_name(d, l->tid, l->comm);
    drain_memory_name(d, l->tid, l->comm);
}

/* If a name is written to the trace twice, no harm is done. */
void drain_file_name(struct ez_drain *d, uint32_t tid, const char *name)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        struct drain_buffer *l = &d->buffers.at[i];
        if (l->tid != tid)
            continue;
        if (!strcmp(l->comm, name))
            return;
        snprintf(l->comm, sizeof l->comm, "%s", name);
        break;
    }
    drain_define_name(d, tid, name);
    drain_memory_name(d, tid, name);
}

/* Copies up to `most` of the queued definitions to def[], and passes the meanings and items among
 * them to drain_code.c. Returns the number of copied definitions. */
static size_t drain_pop_defs(struct ez_drain *d, struct drain_def *def, size_t most)
{
    size_t n = drain_defs_pop(d, def, most);
    for (size_t i = 0; i < n; i++) {
        if (def[i].kind == EZ_DEF_MEANING || def[i].kind == EZ_DEF_ITEMS)
            drain_code_learn(d, &def[i]);
    }
    return n;
}

void drain_learn_defs(struct ez_drain *d)
{
    struct drain_def def[128];
    while (drain_pop_defs(d, def, EZ_ARRAY_LEN(def)))
        continue;
}

static bool drain_batch_def(struct ez_drain *d, struct ez_fxt_batch *b, const struct drain_def *f)
{
    return ez_fxt_batch_add(b, &(struct ez_fxt_def){ f->kind, drain_tick(d), (uint64_t)d->cfg.pid,
                                                     f->arg, f->narg, f->text, f->len });
}

void drain_define_probes(struct ez_drain *d)
{
    struct drain_def def[128];
    size_t n;
    while (d->file.out && (n = drain_pop_defs(d, def, EZ_ARRAY_LEN(def)))) {
        EZ_FREE struct ez_fxt_batch *b = ez_alloc(sizeof *b);
        for (size_t i = 0; d->file.out && i < n; i++)
            if (!drain_batch_def(d, b, &def[i]) && drain_wrote(d, ez_fxt_out_batch(d->file.out, b)))
                i--; /* repeat this definition, because the batch has room now */
        if (d->file.out)
            drain_wrote(d, ez_fxt_out_batch(d->file.out, b));
    }
}

size_t drain_file_append(struct ez_drain *d, const uint64_t *word, size_t n)
{
    if (d->file.out)
        drain_define_probes(d); /* a reader of the growing file must know each id before its
                                 * events */
    if (!d->file.out)
        return 0;
    uint64_t before = ez_fxt_out_bytes(d->file.out);
    ez_err *e = ez_fxt_out_events(d->file.out, word, n);
    size_t written = (ez_fxt_out_bytes(d->file.out) - before) / sizeof *word;
    drain_wrote(d, e);
    drain_remember(d, word, written);
    return written;
}

void drain_file_put(struct ez_drain *d, const uint64_t *word, size_t n)
{
    if (d->file.out)
        drain_wrote(d, ez_fxt_out_events(d->file.out, word, n));
}

void drain_file_checkpoint(struct ez_drain *d)
{
    if (d->file.out)
        drain_wrote(d, ez_fxt_out_checkpoint(d->file.out));
}

void drain_file_epoch(struct ez_drain *d, uint64_t tick)
{
    const struct ez_fxt_def epoch = { EZ_DEF_EPOCH, tick, (uint64_t)d->cfg.pid, NULL, 0, NULL, 0 };
    if (drain_wrote(d, ez_fxt_out_define(d->file.out, &epoch)))
        drain_file_checkpoint(d);
    d->file.wrote = false;
}

ez_err *drain_file_create(struct ez_drain *d, const char *path, bool keep)
{
    bool compress = __atomic_load_n(&d->file.compress, __ATOMIC_RELAXED);
    return ez_fxt_out_begin(&(struct ez_fxt_want){ path, d->cfg.pid, keep, compress },
                            &d->file.out);
}

void ez_drain_want_compress(struct ez_drain *d, bool on)
{
    __atomic_store_n(&d->file.compress, on, __ATOMIC_RELAXED);
}

void drain_file_found(struct ez_drain *d)
{
    d->file.lost = false;
    d->file.lost_errno = 0;
}

bool drain_is_unwound(const uint64_t *event)
{
    uint64_t code = event[2] >> 8;
    return code >= EZ_C_PROBE && code < EZ_C_MODULE && code & 1 && ez_fxt_words(event) == 4 &&
           event[3] == EZ_EXIT_UNWOUND;
}

void drain_write(struct ez_drain *d, struct drain_buffer *l, size_t n, size_t recs, size_t unwound)
{
    size_t written = drain_file_append(d, d->batch.word, n);
    if (written < n) {
        l->discarded += recs;
        recs = unwound = 0;
        for (size_t i = 0; i < written; i += ez_fxt_words(d->batch.word + i)) {
            bool left = drain_is_unwound(d->batch.word + i);
            recs += !left && d->batch.word[i + 2] >> 8 >= EZ_C_PROBE;
            unwound += left;
        }
        l->discarded -= recs;
    }
    l->recorded += recs;
    l->unwound += unwound;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_file.h - writes to the open trace. */
#ifndef EZ_DRAIN_FILE_H
#define EZ_DRAIN_FILE_H

#include "engine/record/drain_clock.h"
#include "engine/record/fxt_out.h"

struct drain_buffer;

struct drain_file {
    bool compress;          /* the next trace is compressed; atomic */
    struct ez_fxt_out *out; /* NULL: no file is open */
    bool wrote;             /* something was written since the last epoch */
    bool lost;
    int lost_errno;
    uint64_t last_bytes, last_plain; /* sizes of the last closed trace */
};

/* keep: an existing file is not replaced; a free name is used instead (struct ez_fxt_want). */
ez_err *drain_file_create(struct ez_drain *d, const char *path, bool keep) EZ_WUR;
void drain_file_found(struct ez_drain *d); /* Resets `lost`: a new trace begins. */
ez_err *drain_file_close(struct ez_drain *d) EZ_WUR;
/* Handles the result of a write: an error loses the trace. Frees `e`. Returns false if the trace is
 * lost. */
bool drain_wrote(struct ez_drain *d, ez_err *e);
/* Appends n words of whole events. Returns the number of words written: less than n only if no file
 * is open or a write failed. */
size_t drain_file_append(struct ez_drain *d, const uint64_t *word, size_t n);
void drain_file_put(struct ez_drain *d, const uint64_t *word, size_t n); /* Writes whole events. */
void drain_file_checkpoint(struct ez_drain *d);
/* Writes an epoch and a checkpoint. */
void drain_file_epoch(struct ez_drain *d, uint64_t tick);
/* Writes the first n words of the batch, which are events of buffer l, and adds them to the counts
 * of l. */
void drain_write(struct ez_drain *d, struct drain_buffer *l, size_t n, size_t recs, size_t unwound);
/* Returns true if the event is an exit that is not a return. */
bool drain_is_unwound(const uint64_t *event);

bool drain_define(struct ez_drain *d, enum ez_def kind, const uint64_t *arg, size_t narg,
                  const char *text, size_t len);
void drain_define_clock_of(struct ez_drain *d, struct drain_sample s);
void drain_define_name(struct ez_drain *d, uint32_t tid, const char *name);
/* If a trace is open, writes the name of the buffer's owner, unless the trace has the name. */
void drain_file_thread(struct ez_drain *d, struct drain_buffer *l);
/* Writes a thread's name, unless the trace has this name already (drain_buffer.comm). */
void drain_file_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_define_probes(struct ez_drain *d); /* Writes the queued definitions. */
/* Passes new definitions to drain_code.c. Call this if no trace is open. */
void drain_learn_defs(struct ez_drain *d);

#endif

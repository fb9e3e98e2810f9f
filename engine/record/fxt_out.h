/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_out.h - writes a FxT file that is valid after every checkpoint.
 *
 * The drain thread writes traces with this unit, and engine/jobs/series.c the values of a job. Only
 * this unit writes with libfxt. libfxt calls exit() on errors, so no error may occur inside libfxt.
 *
 * DEFINITION EVENTS have the code EZ_C_DEF + kind. Arguments are u64. Text is packed 8 bytes an
 * argument, NUL-padded, at most 240 arguments. If a text is longer, events of kind "text" contain
 * its beginning, and precede the definition.
 *  +0 clock      realtime_ns, monotonic_ns at this event's tick
 *  +1 probe      id, flags (EZ_ROW_*), address, text "function\0library"
 *  +2 thread     tid, text name
 *  +3 process    pid, text "program\0host"
 *  +4 epoch      (none). No later event in the file has a smaller tick
 *  +5 accounting hits, recorded, filtered, untraced, dropped, unhooked, torn, unwound (number of
 *                exits that are not returns), number of waits, waited_ns, lost switches,
 *                overwritten. Older files have fewer arguments
 *  +6 schema     version (1), ticks per second (0: unknown, use the clock events)
 *  +7 meaning    code, action (enum ez_action), level (0 program, 1 process, 2 thread; +
 *                EZ_LEVEL_DOUBLE), text "name\0group\0words" (words.h): the meaning of events of
 *                `code` for the container, of that level, in which they happen. Arguments of such
 *                events: VAR: the value (i64, or a double with EZ_LEVEL_DOUBLE); LINK: key, then
 *                tid of the other end (0 or absent: unknown); HOLD: key, amount (u64); RELEASE: key
 *  +8 job        rank, ranks of the job (0: unknown), text: the launcher's name of the job ("":
 *                none). Only in the trace of a process that has a rank
 *  +9 count      id, entries, exits: numbers of hits since the trace was opened, of a probe that is
 *                counted and not recorded. Written at the end of the trace
 * +10 module     ID, text "name\0description": a module, whose events have the codes
 *                EZ_C_MODULE + (ID << 16) + n
 * +11 symbol     address, text: the name of a code address that occurs in events
 * +12 items      code, text: the words of a probe's events of `code` (items.h)
 * +13 adds       table, number, enum ez_adds (| enum ez_addup_of << 8: type of the values), begin,
 *                text "function\0value\0key\0TYPE" (TYPE of the key: items.h): an aggregate. begin:
 *                ns since 1970 at which the process's tables began. Files with the same pid, host
 *                and begin are of one process. Values of a latency are ticks
 * +14 added      table, full (number of hits that found no free row), key, hits, sum, least, most,
 *                text (of a text key): the aggregate's result for a key since the aggregate was
 *                planted. A later event with the same table and key replaces an earlier one
 * +15 buckets    table, key, then pairs: bucket (index in `bucket` of addup.h), hits
 * +16 throttle   address, 1: calls of the function at the address are only counted from a tick on
 *                (0: they are recorded again), that tick, text "function\0library"
 * +17 text       text: the beginning of the next definition's text. The texts of several such
 *                events are joined in order. At most 1920 bytes, a multiple of 8
 * +18 source     address, first line, last line (0: unknown), text: the source file and the lines
 *                of the function at the address, which is that of a probe. Written when the trace
 *                is closed, for probes that were hit
 * The tick of a definition is the time at which it was written, except that of a clock and of an
 * epoch. Its tid is the target's pid.
 *
 * EVENTS OF A PROBE (code EZ_C_PROBE + 2 * id, + 1 for the exit) have no argument, unless items are
 * defined for the code. An exit that is not a return (an exception, longjmp) has one argument,
 * EZ_EXIT_UNWOUND. In an exit, a word of bits precedes the words of items (EZ_DATA_TAIL: the call
 * ended by a jump to another function, and its items are unknown; EZ_DATA_BAD + i: item i could not
 * be read). In an entry, the word of bits follows the words of items, and is present only if a bit
 * is set.
 *
 * EVENTS OF A THREAD (code EZ_C_THREAD + ...; tid: the thread, tick: the time):
 *  +0 wait       (none). The thread begins to wait for room in its ring
 *  +1 wait end   (none)
 *  +2 gap        number of the thread's lost events (0: recording was paused). All open calls of
 *                the thread end here; how they ended is unknown
 *  +3 gap end    (none). All later events are recorded again
 *  +4 switch out 1: preempted, 0: went to sleep
 *  +5 switch in  (none)
 *  +6 signal     number of the signal that the thread gets
 *
 * VALUES OF A JOB (code EZ_C_VALUE + number of a variable, in a separate file:
 * engine/jobs/series.h) have one argument, a double. The meaning event of the code describes the
 * variable. */
#ifndef EZ_FXT_OUT_H
#define EZ_FXT_OUT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ring_abi.h"

enum ez_def {
    EZ_DEF_CLOCK,
    EZ_DEF_PROBE,
    EZ_DEF_THREAD,
    EZ_DEF_PROCESS,
    EZ_DEF_EPOCH,
    EZ_DEF_ACCOUNTING,
    EZ_DEF_SCHEMA,
    EZ_DEF_MEANING,
    EZ_DEF_JOB,
    EZ_DEF_COUNT,
    EZ_DEF_MODULE,
    EZ_DEF_SYMBOL,
    EZ_DEF_ITEMS,
    EZ_DEF_ADDS,
    EZ_DEF_ADDED,
    EZ_DEF_BUCKETS,
    EZ_DEF_THROTTLE,
    EZ_DEF_TEXT,
    EZ_DEF_SOURCE
};

enum ez_action {
    EZ_A_PUSH, /* enter state `name` */
    EZ_A_POP,  /* leave the innermost state */
    EZ_A_SET,  /* replace the innermost state */
    EZ_A_EVENT,
    EZ_A_VAR_SET,
    EZ_A_VAR_ADD,
    EZ_A_VAR_SUB,
    EZ_A_LINK_START,
    EZ_A_LINK_END,
    EZ_A_HOLD,    /* the variable grows by an amount, which is stored under a key */
    EZ_A_RELEASE, /* the variable shrinks by the amount that is stored under the key */
    /* values of the thread's counters; the event's words are these values, with their names in
     * `words` */
    EZ_A_SAMPLE,
    /* the event's subject is a function, and its name is the function's: */
    EZ_A_CALL,   /* the thread calls the function */
    EZ_A_RETURN, /* the thread returns from it */
    EZ_A_UNWIND, /* an exception leaves it */
    EZ_A_NAME,   /* names the subject; nothing happens in the thread */
    EZ_A_COUNT
};

#define EZ_LEVEL_DOUBLE 0x100

struct ez_fxt_out;

/* Returns the number of words of an event in the file's format. */
static inline size_t ez_fxt_words(const uint64_t *event)
{
    return 2 + (event[2] & 0xff);
}

/* ez_fxt_out_begin() creates the file (mode 0644). It replaces an existing file unless `keep` is
 * set; a file to replace must be empty or an FxT trace, otherwise EZ_E_ARG. The file gets its name
 * only after its header is complete. It is locked (flock) while it is open. EZ_E_STATE: another
 * process writes the file to replace. */
struct ez_fxt_want {
    const char *path;
    int traced_pid;
    bool keep;     /* replace no file: if NAME.fxt exists, the new file is NAME.2.fxt, and so on */
    bool compress; /* use zstd frames (zst.h) around the bytes of the plain file */
};
ez_err *ez_fxt_out_begin(const struct ez_fxt_want *w, struct ez_fxt_out **out) EZ_WUR;
/* Create a plain file: ez_fxt_out_open() replaces an existing file, ez_fxt_out_create() does
 * not. */
ez_err *ez_fxt_out_open(const char *path, int traced_pid, struct ez_fxt_out **out) EZ_WUR;
ez_err *ez_fxt_out_create(const char *path, int traced_pid, struct ez_fxt_out **out) EZ_WUR;
/* Returns NULL if ez_fxt_out_open() could create the file. Leaves no file. */
ez_err *ez_fxt_out_possible(const char *path) EZ_WUR;
const char *ez_fxt_out_path(const struct ez_fxt_out *f);
/* Append n words of whole events, and one definition. EZ_E_SYS if the disk is full: the file stays
 * valid up to the last checkpoint. */
ez_err *ez_fxt_out_events(struct ez_fxt_out *f, const uint64_t *word, size_t n) EZ_WUR;
struct ez_fxt_def {
    enum ez_def kind;
    uint64_t tick, tid;
    const uint64_t *arg; /* at most 16 words */
    size_t narg;
    const char *text;
    size_t textlen; /* in bytes */
};
ez_err *ez_fxt_out_define(struct ez_fxt_out *f, const struct ez_fxt_def *def) EZ_WUR;
/* Definitions gathered for one write. If ez_fxt_batch_add() returns false, the batch is full, and
 * the definition was not added: write the batch first. */
#define EZ_FXT_TEXT 24576 /* limit of a definition's text in bytes; longer text is cut */
struct ez_fxt_batch {
    uint64_t word[4096];
    size_t n;
};
bool ez_fxt_batch_add(struct ez_fxt_batch *b, const struct ez_fxt_def *def) EZ_WUR;
/* Writes the definitions of the batch, and empties it. */
ez_err *ez_fxt_out_batch(struct ez_fxt_out *f, struct ez_fxt_batch *b) EZ_WUR;
/* Writes the size of the events block, which makes everything appended so far valid. */
ez_err *ez_fxt_out_checkpoint(struct ez_fxt_out *f) EZ_WUR;
/* Writes a checkpoint, the stop time and, of a compressed file, the last zstd frames. Nothing can
 * be appended after this. */
ez_err *ez_fxt_out_finish(struct ez_fxt_out *f) EZ_WUR;
/* Finishes the file if necessary, closes it, and frees f, also on errors. */
ez_err *ez_fxt_out_close(struct ez_fxt_out *f) EZ_WUR;
uint64_t ez_fxt_out_bytes(const struct ez_fxt_out *f);  /* Returns the size of the plain file. */
uint64_t ez_fxt_out_stored(const struct ez_fxt_out *f); /* Returns the size of the file on disk. */
#define FXT_INFOS 1                                     /* type of the first block of every trace */
/* Returns true if the file begins like a FxT trace, plain or compressed by eztsh. Sets *compressed
 * if the file begins as a zstd file, whatever its content is. */
bool ez_fxt_is_trace(int fd, bool *compressed);
/* Locks the existing trace `place` (named `path` in errors) while *lock is open; *lock is -1 if
 * there is no trace to lock. EZ_E_STATE if another process writes or replaces that trace. */
ez_err *ez_fxt_lock_old(const char *path, const char *place, int *lock) EZ_WUR;

#endif

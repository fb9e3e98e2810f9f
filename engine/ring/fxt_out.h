/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_out.h - write a FxT file that is valid after every checkpoint.
 *
 * Only the drain thread uses this. All use of libfxt for writing is here;
 * no code path may reach the library's exit().
 *
 * DEFINITION EVENTS (code EZ_C_DEF + kind, arguments are u64; text is packed 8
 * bytes an argument, NUL-padded, at most 240 arguments; the begin of a longer text
 * stands in events of kind text before it):
 *   +0 clock     realtime_ns, monotonic_ns at this event's tick
 *   +1 probe     id, flags (EZ_ROW_*), address, text "function\0library"
 *   +2 thread    tid, text name
 *   +3 process   pid, text "program\0host"
 *   +4 epoch     (none): no later event in the file has a smaller tick
 *   +5 accounting    hits, recorded, filtered, untraced, dropped, unhooked, torn, unwound
 *                (exits marked so), waits (how many), waited_ns, switches lost (not told);
 *                older files end before
 *   +6 schema    version (1), ticks per second (0 = unknown, use the clock events)
 *   +7 meaning   code, action (enum ez_action), level (0 program, 1 process, 2 thread),
 *                text "name\0group\0words" (words.h): says what events of `code` mean for the container (of
 *                that level) in which they happened. Arguments of such events: VAR: the value
 *                (i64; a double if EZ_LEVEL_DOUBLE is added to the level); LINK: key, then tid of the other end (0 or absent = unknown); HOLD: key, amount (u64); RELEASE:
 *                key
 *   +8 job       rank, ranks of the job (0 = unknown), text: the launcher's name of the
 *                job ("" = none); only in the trace of a process that has a rank
 *  +12 items     code, text: what the words of a probe's events of `code` are (items.h)
 *  +11 symbol    address, text: the name of code at an address that events carry
 *  +10 module   ID, text "name\0description": events of code EZ_C_MODULE + (ID << 16) + n are its
 *   +9 count     id, entries, exits of a probe that is counted and not recorded, since the
 *                trace was opened; written at the trace's end
 *  +13 adds      table, number, enum ez_adds (| enum ez_addup_of << 8: type of the values), begin, text
 *                "function\0value\0key\0TYPE" (TYPE of the key: items.h): an aggregate; begin: in ns
 *                since 1970, when this process's tables began: with pid and host it tells files of one
 *                process from others'. A latency's values are ticks
 *  +14 added     table, full (hits that found no room), key, hits, sum, least, most, text (of a key
 *                that is one): what an aggregate found for a key since it was planted. A later
 *                event of the same table and key replaces an earlier one
 *  +15 buckets   table, key, then pairs: bucket (index in `bucket` of addup.h), hits
 *  +16 throttle  address, 1 = calls of the function there are only counted from a tick on (0 = recorded
 *                again), that tick, text "function\0library"
 *  +17 text      text: the text of the next definition begins with it (all of them, in their order). It has 1920 bytes at
 *                most, and a multiple of 8
 * Tick of a definition = time stamp counter when it was written; tid = the
 * target's pid.
 *
 * EVENTS OF A PROBE (code EZ_C_PROBE + 2 * id, + 1 for the exit) have no argument, but for those
 * whose items are defined. An exit that is no return (an exception, longjmp) has one,
 * EZ_EXIT_UNWOUND. The words of items come behind a word of bits in an exit (EZ_DATA_TAIL: the call
 * ended by a jump to another function, and there are no words; EZ_DATA_BAD + i: item i could not be
 * read), and before one, if any bit is set, in an entry.
 * EVENTS OF A THREAD (code EZ_C_THREAD + ...; tid = the thread, tick = when):
 *   +0 wait        (none): the thread begins to wait for room in its ring
 *   +1 wait end    (none)
 *   +2 gap         how many of the thread's events are lost; the tick is the first lost
 *                  event's. All its open calls end here; how they ended is unknown
 *   +3 gap end     (none): from here on all is recorded again
 *   +4 switch out  1 = preempted, 0 = went to sleep
 *   +5 switch in   (none)
 * VALUES OF A JOB (code EZ_C_VALUE + number of a variable, in a file of their own: engine/jobs/series.h): a double,
 * as the code's meaning says. */
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
    EZ_DEF_TEXT
};

enum ez_action {
    EZ_A_PUSH, /* enter state `name`                                              */
    EZ_A_POP,  /* leave the innermost state                                       */
    EZ_A_SET,  /* replace the innermost state                                     */
    EZ_A_EVENT,
    EZ_A_VAR_SET,
    EZ_A_VAR_ADD,
    EZ_A_VAR_SUB,
    EZ_A_LINK_START,
    EZ_A_LINK_END,
    EZ_A_HOLD,    /* the variable grows by an amount that the key stands for        */
    EZ_A_RELEASE, /* and shrinks by what the key stood for                          */
    EZ_A_SAMPLE,  /* counters of the thread so far, as the words are named          */
    EZ_A_COUNT
};

#define EZ_LEVEL_DOUBLE 0x100

struct ez_fxt_out;

static inline size_t ez_fxt_words(const uint64_t *event) /* as it stands in the file */
{
    return 2 + (event[2] & 0xff);
}

/* Create the file (0644), replacing an existing one unless `keep` is set; it must be a regular file, else EZ_E_ARG. The
 * name appears only once the header is whole. The file is locked (flock) as long as it is open:
 * EZ_E_STATE when another process writes it. */
struct ez_fxt_want {
    const char *path;
    int traced_pid;
    bool keep;     /* replace nothing: if NAME.fxt exists, the file becomes NAME.2.fxt, and so on */
    bool compress; /* zstd frames (zst.h); the bytes in them are those of the plain file     */
};
ez_err *ez_fxt_out_begin(const struct ez_fxt_want *w, struct ez_fxt_out **out) EZ_WUR;
/* The same for a plain file that replaces an existing one, and for one that does not. */
ez_err *ez_fxt_out_open(const char *path, int traced_pid, struct ez_fxt_out **out) EZ_WUR;
ez_err *ez_fxt_out_create(const char *path, int traced_pid, struct ez_fxt_out **out) EZ_WUR;
/* NULL if the file could be opened. Creates nothing. */
ez_err *ez_fxt_out_possible(const char *path) EZ_WUR;
const char *ez_fxt_out_path(const struct ez_fxt_out *f);
/* Append n words of whole events / one definition. EZ_E_SYS on a full disk: the file stays
 * valid up to the last checkpoint. */
ez_err *ez_fxt_out_events(struct ez_fxt_out *f, const uint64_t *word, size_t n) EZ_WUR;
struct ez_fxt_def {
    enum ez_def kind;
    uint64_t tick, tid;
    const uint64_t *arg; /* narg words, 16 at most                                      */
    size_t narg;
    const char *text;
    size_t textlen; /* bytes                                                       */
};
ez_err *ez_fxt_out_define(struct ez_fxt_out *f, const struct ez_fxt_def *def) EZ_WUR;
/* Definitions gathered for one write. ez_fxt_batch_add: false = full, write the batch first. */
#define EZ_FXT_TEXT 24576 /* bytes of a definition's text, at most: more is cut          */
struct ez_fxt_batch {
    uint64_t word[4096];
    size_t n;
};
bool ez_fxt_batch_add(struct ez_fxt_batch *b, const struct ez_fxt_def *def) EZ_WUR;
ez_err *ez_fxt_out_batch(struct ez_fxt_out *f, struct ez_fxt_batch *b) EZ_WUR; /* empties it */
/* Patch the events block's size: all that was appended so far is valid from now on. */
ez_err *ez_fxt_out_checkpoint(struct ez_fxt_out *f) EZ_WUR;
/* Checkpoint, stop time, the last frames: nothing can be appended any more. */
ez_err *ez_fxt_out_finish(struct ez_fxt_out *f) EZ_WUR;
/* The same if it was not done yet; close, free (always frees). */
ez_err *ez_fxt_out_close(struct ez_fxt_out *f) EZ_WUR;
uint64_t ez_fxt_out_bytes(const struct ez_fxt_out *f);  /* of the plain file             */
uint64_t ez_fxt_out_stored(const struct ez_fxt_out *f); /* of the file as it is          */
#define FXT_INFOS 1                                     /* the type of every trace's first block */
/* Does the file begin as every FxT trace does, plain or as we compress it? *compressed = it begins
 * as a zstd file, whatever is in it. */
bool ez_fxt_is_trace(int fd, bool *compressed);
/* Locks the existing trace as long as *lock is open. A writer of that trace, or one that is just
 * replacing it, has this lock: EZ_E_STATE. */
ez_err *ez_fxt_lock_old(const char *path, const char *place, int *lock) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - the inside of `struct ez_target`, for the engine's files only.
 *
 * Ownership is a tree: target > { threads, modules, objects, runtime, sites, probes }.
 * A *module* is an object mapped in the live process; an *object* is a file's
 * symbols and outlives processes. The headers of the parts say which code works on them. */
#ifndef EZ_TARGET_H
#define EZ_TARGET_H

#include "engine/inferior/inferior.h"
#include "engine/sym/names.h"
#include "engine/probe/probe.h"
#include "engine/patch/runtime.h"
#include "engine/patch/site.h"
#include "engine/ring/trace.h"

struct ez_target {
    struct ez_target *next_target;      /* reports.c */
    EZ_VEC(struct ez_late_report) late; /* of this target, met while another waited */
    const struct ez_arch *arch;
    const struct ez_inferior_ops *ops;
    struct ez_settings set;
    struct { /* busy.c */
        ez_busy_fn *fn;
        void *arg;
        pthread_t owner;
        unsigned depth; /* of scopes                                                      */
        bool told, quit;
        const char *what;
        uint64_t done, total;
        double next; /* when to tell again, ez_now_exact()                             */
    } busy;
    bool int_heard;   /* a SIGINT pending for the program has ended our work: drop that signal */
    bool plant_later; /* planting pending probes was given up: try again before resuming */
    char *program;
    struct ez_object *prog_obj;

    enum ez_state state;
    pid_t pid, current;
    bool attached, child, seized;
    int pidfd, memfd; /* memfd: /proc/PID/mem                                  */
    bool pokes;       /* memfd cannot write text: write word by word (mem.c)   */
    int sigfd, eventfd;
    EZ_VEC(struct ez_thread *) thread;
    EZ_VEC(pid_t) stray;     /* could not be let go: each is at its next stop          */
    struct {                 /* follow.c */
        pid_t child;         /* that will be followed, 0 = none                        */
        bool shares, stands; /* child lives in the parent's memory; is stopped, ready  */
        EZ_VEC(pid_t) early; /* stopped children whose fork was not reported yet       */
    } fork;
    EZ_VEC(struct ez_module *) module, gone; /* gone: unloaded, and may come again (gone.c) */
    EZ_VEC(struct ez_file_entry) object;     /* files read so far                  */
    struct {
        bool known; /* `slot` fits the modules that are loaded now          */
        EZ_VEC(struct ez_ifunc_slot) slot;
    } ifunc;
    uint64_t temp_bp; /* address of a temporary breakpoint, 0 = none           */
    uint8_t temp_bp_byte[4];
    int temp_bp_fd; /* of the hardware breakpoint; -1 = a trap instruction is written */
    struct ez_guard temp_bp_guard;
    uint64_t syscall_at; /* a system call instruction in the target            */
    struct {             /* `tid` has no seccomp filter as long as pt_resumes() is still `when` */
        pid_t tid;
        unsigned long when;
    } free_of_filters;
    EZ_VEC(struct ez_range) mine; /* what `mmap` mapped for the user */
    bool want_main;               /* `start`: stop at main once the libraries are there     */
    bool first_solib;             /* the first consistent state was seen                    */

    struct ez_runtime rt;
    EZ_VEC(struct ez_site) site;
    EZ_VEC(struct ez_island_page) island_page;
    EZ_VEC(struct ez_cs) cs;     /* rseq areas that threads had when last read       */
    struct ez_maps *island_maps; /* mappings when last read, for free pages; NULL = read */
    uint32_t *site_hash;         /* func -> index + 1, open addressing                 */
    size_t site_hash_size;
    const struct ez_row *old_rows; /* while probes are adopted, else NULL                */
    uint32_t nold_rows;
    bool exact_sites;     /* some sites are not at a function's first byte: they may overlap */
    unsigned strategies;  /* that the sites use: EZ_BY()                                    */
    uint8_t punned[1024]; /* a bit per hash of addresses: sites there may rely on bytes behind */
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    unsigned rules_made;
    int next_number;

    bool holding; /* a transaction is open                                     */
    struct ez_cover cover;
    EZ_VEC(struct ez_thread_place) window; /* of each thread when text was changed last */

    bool trace_wanted; /* `trace FILE` given before there was a process        */
    char *trace_path;
    struct ez_drain_stat last_stat; /* of the process that ended               */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest of the process that ended       */
    uint64_t last_events_end;                 /* the number after them                      */

    EZ_VEC(struct ez_event) queue;
    size_t queue_head;
};

#endif

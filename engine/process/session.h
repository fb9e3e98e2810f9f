/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - begin and end, forks and execs of a process.
 *
 *   life.c     run, attach, kill                   process.c  begin and end of a process
 *   exec.c     preparation of a new image          follow.c   the child of a fork
 *   wait.c     reports while a process runs        syswatch.c libraries seen by system calls
 *   names.c    names of code, for events           inspect.c  threads, frames, registers
 *   inherit.c  jumps in forked children            offer.c    children held for another shell
 *   children.c lists of children                   detach.c   a process goes on alone
 *   target.c   allocation of a session             session.c  create, destroy, events, callbacks
 *   core_open.c a core file as the target
 */
#ifndef EZ_SESSION_H
#define EZ_SESSION_H

#include "engine/target.h"

/* target.c. ez_target_free() also frees fork.hand (offer.c), and clears the state of a process that
 * could not be released. */
ez_err *ez_target_new(const struct ez_inferior_ops *ops, struct ez_target **out) EZ_WUR;
void ez_target_free(struct ez_target *t);

/* Interface of process.c: */
/* Begins a process as ez_inferior_begin() does, and resets the counts of trace and probes. */
void ez_process_new(struct ez_target *t, pid_t pid, bool attached, bool child);
void ez_process_forget(struct ez_target *t); /* Frees all state of the process. */
/* Handles the end of the process: frees its state, posts the event, reports unmatched rules. value:
 * the exit status, or the signal. */
void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value);
/* Returns true if eztsh's own code caused the thread's signal, and the thread can continue without
 * the signal (rescue.c). */
bool ez_rescue(struct ez_target *t, struct ez_thread *th);

/* inspect.c: ez_frame_select() selects the frame whose registers commands use. number 0: the
 * innermost frame of the current thread. regs NULL: the thread's own registers. The selection ends
 * when a thread runs, or when another thread is selected. */
void ez_frame_select(struct ez_target *t, unsigned number, const struct ez_regs *regs, bool exact);
unsigned ez_frame_selected(const struct ez_target *t);
/* Like ez_frame_select(), for a frame with inlined functions. inside: how many of them enclose the
 * selected level. */
void ez_frame_select_in(struct ez_target *t, unsigned number, const struct ez_regs *regs,
                        bool exact, unsigned inside);
/* Returns `inside` of the selected frame; 0 without a selection. */
unsigned ez_frame_inside(const struct ez_target *t);
/* Returns true if the frame's registers are the thread's own. */
bool ez_frame_own(const struct ez_target *t);
/* Sets whether the current thread, until it runs, counts as inside the inlined functions that begin
 * at its pc. `is` true: the thread stopped at a breakpoint, or was stepped. `is` false: the thread
 * counts as before the calls of these functions, as in gdb. */
void ez_frame_enter(struct ez_target *t, bool is);
/* Returns true if ez_frame_enter() was called with `is` true for the current thread at its present
 * pc and stack pointer. */
bool ez_frame_entered(struct ez_target *t);
/* Returns the thread's registers. If the thread waits in the runtime at a `do stop`, these are the
 * program's registers at the probed function. */
ez_err *ez_thread_own_regs(struct ez_target *t, struct ez_thread *th,
                           const struct ez_regs **r) EZ_WUR;
/* Sets *r to the registers of the selected frame. *exact: true if the pc is the frame's next
 * instruction, false if it is a return address. */
ez_err *ez_frame_regs(struct ez_target *t, const struct ez_regs **r, bool *exact) EZ_WUR;

/* Removes from the stopped process the probes, and all of eztsh's code and data that no thread can
 * reach any more (detach.c). Lets the process run up to `moments` times for some ms, so that
 * threads leave eztsh's code. The process may end during these runs (state EZ_NONE). */
ez_err *ez_clear_out(struct ez_target *t, unsigned moments) EZ_WUR;
/* Like ez_remote_call(), with the further arguments and results of struct ez_call_more
 * (engine/inferior/inferior.h). */
ez_err *ez_remote_call_more(struct ez_target *t, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result) EZ_WUR;

/* Interface of wait.c: */
/* Handles a report of the kernel and the requests of the drain thread. *some = true if there were
 * any. */
ez_err *ez_wait_poll(struct ez_target *t, bool *some) EZ_WUR;
/* Handles an exec of thread `tid`; the other threads of the process are gone. */
/* Handles th->sig as `handle` says: stops the target, or posts an event, or drops the signal. */
ez_err *ez_signal_handle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
ez_err *ez_exec_seen(struct ez_target *t, pid_t tid) EZ_WUR;

/* children.c: the lists of child processes in struct ez_session. ez_fork_knows returns true for a
 * child that is to be followed, that runs to its exec (list `offer`), or that stopped before its
 * fork was reported (list `early`). ez_fork_early, ez_fork_over and ez_fork_spurned remove a child
 * from the list `early`, `ended` or `spurned`, and return false if the child is not in the list.
 * ez_offer_index returns the child's index in the list `offer`, or -1; ez_offer_forget removes the
 * entry. ez_fork_drop releases all children. */
bool ez_fork_knows(const struct ez_target *t, pid_t pid);
bool ez_fork_early(struct ez_target *t, pid_t pid);
bool ez_fork_over(struct ez_target *t, pid_t pid);
bool ez_fork_spurned(struct ez_target *t, pid_t pid);
int ez_offer_index(const struct ez_target *t, pid_t child);
void ez_offer_forget(struct ez_target *t, int i);
void ez_fork_drop(struct ez_target *t);
/* ez_fork_to_exec resumes a child under ptrace, which shares its parent's memory until its exec.
 * ez_fork_let_go releases a child. sig: signal for the child, or 0. */
ez_err *ez_fork_to_exec(pid_t child, int sig) EZ_WUR;
ez_err *ez_fork_let_go(pid_t pid, int sig) EZ_WUR;

/* follow.c. ez_fork_seen handles a reported fork. ez_fork_report handles a wait status of a process
 * that is not a thread of the target. ez_follow_child switches to the child that is stopped and
 * ready (fork.stands). */
ez_err *ez_fork_seen(struct ez_target *t, pid_t child, enum ez_birth how) EZ_WUR;
ez_err *ez_fork_report(struct ez_target *t, pid_t pid, int status) EZ_WUR;
ez_err *ez_follow_child(struct ez_target *t) EZ_WUR;

/* inherit.c: eztsh's jumps in a forked child's text. ez_jumps_collect() collects them from t's
 * sites; ez_jumps_restore() replaces them in the child by the file's bytes. */
struct ez_jump {
    uint64_t at;
    size_t len;
    uint8_t file[16], ours[16];
};
struct ez_jumps {
    EZ_VEC(struct ez_jump) v;
    EZ_VEC(uint64_t) semaphore; /* addresses of counters that the parent's shell has incremented */
};
void ez_jumps_collect(struct ez_target *t, struct ez_jumps *j);
ez_err *ez_jumps_restore(struct ez_target *child, const struct ez_jumps *j) EZ_WUR;
void ez_jumps_free(struct ez_jumps *j);

/* offer.c. ez_offer_born handles the birth of `child`. `parent` is the process, or a child that
 * shares its memory; stopped = the child's first stop has happened. ez_offer_report handles a
 * report of wait() about a child that runs to its exec. ez_offer_end wakes the held children to
 * which no shell has attached. ez_offer_lend, ez_offer_back: see struct ez_inferior_ops. */
ez_err *ez_offer_born(struct ez_target *t, pid_t parent, pid_t child, enum ez_birth how,
                      bool stopped) EZ_WUR;
ez_err *ez_offer_report(struct ez_target *t, pid_t pid, int status) EZ_WUR;
void ez_offer_end(struct ez_target *t);
bool ez_offer_lend(struct ez_target *t, pid_t pid);
ez_err *ez_offer_back(struct ez_target *t, pid_t pid, int sig) EZ_WUR;

/* Gives names to the code addresses in events (names.c). */
void ez_name_code(struct ez_target *t);

/* Sets all settings to their initial values (settings.c). */
void ez_settings_begin(struct ez_settings *set);

/* Interface of syswatch.c: */
/* Handles a system call stop: after an mmap, reports new libraries, and plants pending probes. */
ez_err *ez_syswatch_stop(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* Interface of exec.c: */
/* Posts the accounting of the process or image that ended, if it had hits, and notes the state of
 * its trace (ez_trace_note_state()). */
void ez_notify_accounting(struct ez_target *t);
/* ez_image_execed handles an exec in the foreground, in which the process is stopped: the probes
 * become pending, and are planted in the new image. ez_image_replaced does the same for an exec in
 * the background, which is noticed only at the next stop. */
ez_err *ez_image_execed(struct ez_target *t) EZ_WUR;
ez_err *ez_image_replaced(struct ez_target *t) EZ_WUR;
/* Handles an exec of a program that the kernel forbids to trace (setuid): always returns an
 * error. */
ez_err *ez_image_lost(struct ez_target *t) EZ_WUR;
/* Opens the memory and reads the modules of a stopped process whose image is new to eztsh: after a
 * launch, an exec or an attach. */
ez_err *ez_image_fresh(struct ez_target *t) EZ_WUR;
/* For a process that is stopped at its first instruction: plants pending probes, and the stop at
 * main if stop_at_main is true, or arranges both for when the loader has loaded the libraries. */
ez_err *ez_image_launch(struct ez_target *t, bool stop_at_main) EZ_WUR;
/* Like ez_image_launch(), for a process that was attached to before its loader ran. */
ez_err *ez_image_early(struct ez_target *t) EZ_WUR;
/* Moves the process from the stop at the exec to a stop before its first instruction. */
ez_err *ez_exec_finish(struct ez_target *t) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.h - where a process begins and ends, forks and execs.
 *
 *   life.c     run, attach, detach, kill           process.c  begin and end of a process
 *   exec.c     what a fresh image needs            follow.c   the child of a fork
 *   wait.c     reports while a process runs        syswatch.c libraries seen by system calls
 *   names.c    of code, for events                      inspect.c  threads, frames, registers
 *   inherit.c  jumps in forked children      offer.c    children that are held for another shell */
#ifndef EZ_SESSION_H
#define EZ_SESSION_H

#include "engine/target.h"

/* process.c */
/* As ez_inferior_begin(); counts begin at 0. */
void ez_process_new(struct ez_target *t, pid_t pid, bool attached, bool child);
void ez_process_forget(struct ez_target *t); /* nothing of the process stays     */
void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value);
extern const struct ez_inferior_ops ez_session_ops;
/* rescue.c: did our code bring the signal upon the thread? Then it goes on without. */
bool ez_rescue(struct ez_target *t, struct ez_thread *th);

/* inspect.c: the frame whose registers commands see; 0 = where the current thread stands. A selection
 * ends when anything runs, or another thread is selected. */
void ez_frame_select(struct ez_target *t, unsigned number, const struct ez_regs *regs, bool exact);
unsigned ez_frame_selected(const struct ez_target *t);
/* The same for a function into which others are inlined, or that is inlined itself; inside: so many are open
 * in it. Registers NULL = the thread's own. */
void ez_frame_select_in(struct ez_target *t, unsigned number, const struct ez_regs *regs,
                        bool exact, unsigned inside);
/* Of the selected one: that number; 0 if none is. */
unsigned ez_frame_inside(const struct ez_target *t);
/* Are its registers the thread's own? */
bool ez_frame_own(const struct ez_target *t);
/* Where inlined functions begin the current thread stands before their calls, as with gdb; but a breakpoint that is
 * right there, or a step that came to the line or instruction, has entered them: until it goes on. */
void ez_frame_enter(struct ez_target *t, bool is);
bool ez_frame_entered(struct ez_target *t);
/* Its registers where it stands; at a probe's stop, those of the program. */
ez_err *ez_thread_own_regs(struct ez_target *t, struct ez_thread *th,
                           const struct ez_regs **r) EZ_WUR;
/* exact: pc is the instruction where the frame goes on; else it is behind a call. */
ez_err *ez_frame_regs(struct ez_target *t, const struct ez_regs **r, bool *exact) EZ_WUR;

/* life.c: takes all that is ours out of the stopped process, as far as its threads cannot reach it any more. They get
 * some moments to leave it, in which the process may end (state NONE). */
ez_err *ez_clear_out(struct ez_target *t, unsigned moments) EZ_WUR;
/* kernel.yama.ptrace_scope; 0 = there is no such rule */
int ez_yama_scope(void);
/* remote.c: as ez_remote_call(), with what else is passed and returned (engine/inferior/inferior.h). */
ez_err *ez_remote_call_more(struct ez_target *t, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result) EZ_WUR;

/* wait.c */
/* Take the reports of the kernel. *some = there was one. */
ez_err *ez_wait_poll(struct ez_target *t, bool *some) EZ_WUR;
/* Thread `tid` has exec'ed, the others are gone. */
ez_err *ez_exec_seen(struct ez_target *t, pid_t tid) EZ_WUR;

/* follow.c. ez_fork_seen: a fork was reported. ez_fork_report: a process that is no thread of the
 * target reported. ez_fork_drop: give up following. ez_follow_child: change over to the child that
 * is stopped and ready (fork.stands). */
ez_err *ez_fork_seen(struct ez_target *t, pid_t child, enum ez_birth how) EZ_WUR;
ez_err *ez_fork_report(struct ez_target *t, pid_t pid, int status) EZ_WUR;
bool ez_fork_knows(const struct ez_target *t, pid_t pid); /* to follow, or stopped too early */
void ez_fork_drop(struct ez_target *t);
ez_err *ez_follow_child(struct ez_target *t) EZ_WUR;

/* inherit.c: jumps of ours that a forked child's text has. They are collected where they were planted, and put
 * back to the file's bytes in the child, which need not be t's process. */
struct ez_jump {
    uint64_t at;
    size_t len;
    uint8_t file[16], ours[16];
};
struct ez_jumps {
    EZ_VEC(struct ez_jump) v;
};
void ez_jumps_collect(struct ez_target *t, struct ez_jumps *j);
ez_err *ez_jumps_restore(struct ez_target *child, const struct ez_jumps *j) EZ_WUR;
void ez_jumps_free(struct ez_jumps *j);

/* offer.c. ez_offer_born: `parent`, the process or one in its memory, has made `child`; stopped = it has stopped
 * for the first time already. ez_offer_report: a child that is awaited reports. ez_offer_knows: it is one.
 * ez_offer_drop: none is awaited any more. ez_offer_end: wakes the children that no shell has taken yet.
 * ez_offer_lend, ez_offer_back: struct ez_inferior_ops. */
ez_err *ez_offer_born(struct ez_target *t, pid_t parent, pid_t child, enum ez_birth how,
                      bool stopped) EZ_WUR;
ez_err *ez_offer_report(struct ez_target *t, pid_t pid, int status) EZ_WUR;
bool ez_offer_knows(const struct ez_target *t, pid_t pid);
void ez_offer_drop(struct ez_target *t);
void ez_offer_end(struct ez_target *t);
bool ez_offer_lend(struct ez_target *t, pid_t pid);
ez_err *ez_offer_back(struct ez_target *t, pid_t pid, int sig) EZ_WUR;
/* follow.c: let a child that lives in its parent's memory run to its exec; let go of one; is it on the list of
 * those that stopped before their fork was told of? Then it is taken off. */
ez_err *ez_fork_to_exec(pid_t child, int sig) EZ_WUR;
ez_err *ez_fork_let_go(pid_t pid, int sig) EZ_WUR;
bool ez_fork_early(struct ez_target *t, pid_t pid);

/* names.c: give names to the addresses in code that events carry. */
void ez_name_code(struct ez_target *t);

/* settings.c: all settings have their first values. */
void ez_settings_begin(struct ez_settings *set);

/* syswatch.c */
ez_err *ez_syswatch_stop(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* exec.c */
void ez_notify_accounting(struct ez_target *t); /* of the process or image that ended */
/* ez_image_execed: the process exec'ed in the foreground, and is stopped: the old image's probes
 * become pending. ez_image_replaced: the same, noticed after an exec in the background. */
ez_err *ez_image_execed(struct ez_target *t) EZ_WUR;
ez_err *ez_image_replaced(struct ez_target *t) EZ_WUR;
ez_err *ez_image_lost(struct ez_target *t) EZ_WUR; /* to a setuid program: always an error */
/* The process has just exec'ed, or was attached, and is stopped: open its memory, read its
 * modules. */
ez_err *ez_image_fresh(struct ez_target *t) EZ_WUR;
ez_err *ez_image_launch(struct ez_target *t, bool stop_at_main) EZ_WUR;
/* The same where the process was attached to before its loader had run. */
ez_err *ez_image_early(struct ez_target *t) EZ_WUR;
ez_err *ez_exec_finish(struct ez_target *t) EZ_WUR;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - what a function's name says about probes on it. */
#ifndef EZ_NAMES_H
#define EZ_NAMES_H

/* Functions whose exit must not be hooked: setjmp family, vfork, clone, *context,
 * _start, signal restorers, dlopen and friends that look at their return address.
 * NULL = fine, else the reason ("returns twice"). */
const char *ez_exit_denied(const char *name);
/* Is it a name that tells of a runtime which finds its way up the stack by comparing return
 * addresses with tables of its own? Then no function in its file may have an exit probe, and
 * the answer is the reason. NULL = the name tells nothing. */
const char *ez_walker_sign(const char *name);
/* Exit probes, on any function, need a hook on this one: why its bytes cannot be relied on;
 * NULL = the name is no such function's. */
const char *ez_hook_wanted(const char *name);
/* Functions that must carry no probe at all (the runtime's own needs, thread and
 * process start code before the thread pointer is valid). NULL = fine. */
const char *ez_probe_denied(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - restrictions on probes that follow from a function's name. */
#ifndef EZ_NAMES_H
#define EZ_NAMES_H

/* Returns why the exit of the function must not be hooked ("returns twice"), or NULL. Concerns the
 * setjmp family, vfork, clone, *context, _start, signal restorers, and dlopen and others that read
 * their return address. */
const char *ez_exit_denied(const char *name);
/* Returns the reason if the name belongs to a runtime that walks the stack by comparing return
 * addresses with its own tables, else NULL. Then no function in its file may have an exit probe. */
const char *ez_walker_sign(const char *name);
/* Returns why the function's bytes may change, if exit probes on any function need a hook on this
 * one, else NULL. */
const char *ez_hook_wanted(const char *name);
/* Returns why the function must not have any probe, or NULL. Concerns functions that the runtime
 * needs, and code that starts threads or the process before the thread pointer is valid. */
const char *ez_probe_denied(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - restrictions on probes that follow from a function's name. */
#ifndef EZ_NAMES_H
#define EZ_NAMES_H

/* Returns why the function must not have an exit probe ("it returns twice"), or NULL. */
const char *ez_exit_denied(const char *name);
/* Returns why no function of the file that defines the symbol may have an exit probe, or NULL. The
 * reason is a runtime that walks the stack by looking up return addresses in its own tables. */
const char *ez_walker_sign(const char *name);
/* Returns the reason, a few words, if the function is one that eztsh itself hooks for exit probes
 * (_Unwind_Find_FDE), else NULL. */
const char *ez_hook_wanted(const char *name);
/* Returns why the function must not have any probe, or NULL. Concerns functions whose first bytes
 * must stay: signal restorers, and a function to whose second byte goroutines return. */
const char *ez_probe_denied(const char *name);

#endif

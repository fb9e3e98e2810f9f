/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - confines the process: from now on it can only read open files, allocate memory, and
 * use its open sockets. Any other system call fails with EPERM.
 *
 * This is for a process that reads untrusted files with libraries (jail.c): damaged files cannot
 * affect anything outside the process. On a kernel without such filters, nothing is confined. A
 * library may open a file that another file names (libdw: the .dwo file of a unit). The confined
 * process cannot open it, but it can provide a descriptor from the shell, which the library then
 * gets for any name.
 *
 * Tests: tests/unit/engine/check_foreign.c, tests/procs/security.sh, split.sh */
#ifndef EZ_CONFINE_H
#define EZ_CONFINE_H

#include "engine/base/base.h"

void ez_confine(void);
/* Makes each later open() in this process return a copy of fd. With -1, the initial state, open()
 * fails with EPERM. */
void ez_confine_serve(int fd);

#endif

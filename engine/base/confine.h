/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - from here on the process can only read what is open, take memory, and talk on its sockets: any other
 * system call fails with EPERM. For a process that reads files of strangers by libraries (jail.c): what a damaged file
 * makes it do stays in there. Where the kernel has no such filters, nothing happens.
 *
 * Such a library may open a file by a name that stands in another one (libdw: the .dwo file of a unit). The process
 * cannot; but it can serve a descriptor that it got from the shell: then the library gets that, whatever the name is.
 * Tests: tests/unit/engine/check_foreign.c, tests/procs/security.sh, split.sh */
#ifndef EZ_CONFINE_H
#define EZ_CONFINE_H

#include "engine/base/base.h"

void ez_confine(void);
/* From now on, whoever opens a file gets a copy of fd; -1, as at first: EPERM. */
void ez_confine_serve(int fd);

#endif

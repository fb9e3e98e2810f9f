/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.h - a seccomp filter for a process that reads untrusted files with libraries (jail.c).
 *
 * After ez_confine() the calling process can only read and write open files, allocate memory, read
 * clocks and use its open sockets. Other system calls fail, most of them with EPERM. So a damaged
 * file cannot make the process open or change anything else. If the kernel has no seccomp filters,
 * system calls are not restricted.
 *
 * libdw opens files that another file names: the .dwo file of a unit. The confined process cannot
 * open them. Instead the shell sends it a descriptor, and ez_confine_serve() makes libdw's open()
 * return a copy of the descriptor, whatever the name is.
 *
 * Tests: tests/unit/base/check_foreign.c, tests/procs/security.sh, tests/procs/split.sh */
#ifndef EZ_CONFINE_H
#define EZ_CONFINE_H

#include "engine/base/base.h"

void ez_confine(void);
/* Makes each later open() in this process return a copy of fd. With -1, the initial state, open()
 * fails with EPERM. */
void ez_confine_serve(int fd);

#endif

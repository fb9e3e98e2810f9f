/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.h - what host.cc has for check_module.c. */
#ifndef TESTS_MODULES_HOST_H
#define TESTS_MODULES_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

void host_throws(int how); /* throws `how`, if its last digit is not 0 */
/* Calls f(how): 0 = it came back; else what was caught; -1 = an object was not destroyed. */
int host_catch(void (*f)(int), int how);

#ifdef __cplusplus
}
#endif

#endif

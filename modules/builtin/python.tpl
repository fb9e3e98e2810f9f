# SPDX-License-Identifier: MIT
# Functions of Python programs. Nearly all of the module is in the header: the interpreter calls it.
BEGIN_MODULE
NAME python
DESC "functions of Python programs: calls, by CPython 3.9 and later"
LANGUAGE C
ID 55

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "python_probes.h"
END_INCLUDE

unsigned long PyThread_start_new_thread(void (*function)(void *), void *arg)
BEGIN
    IF (python_thread_starts())
        EVENT("Python thread created")
    END_IF
END

# Python 3.13 and later
int PyThread_start_joinable_thread(void (*function)(void *), void *arg, uint64_t *id, uint64_t *handle)
BEGIN
    IF (python_thread_starts())
        EVENT("Python thread created")
    END_IF
END
END_MODULE

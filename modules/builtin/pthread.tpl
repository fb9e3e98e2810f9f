# SPDX-License-Identifier: MIT
# Functions for which a state is enough. All other functions are in the headers.
BEGIN_MODULE
NAME pthread
DESC "locks, conditions, barriers, semaphores: waiting and holding"
LANGUAGE C
ID 52

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "pthread_threads.h"
END_INCLUDE

int pthread_join(pthread_t thread, void **result)
BEGIN
    IF (PT_PROGRAM)
        RECORD_STATE("Waiting for a thread")
    END_IF
END

int thrd_join(thrd_t thread, int *result)
BEGIN
    RECORD_STATE("Waiting for a thread")
END

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
BEGIN
    RECORD_STATE("Waiting for a thread")
END

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
BEGIN
    RECORD_STATE("Waiting for a thread")
END
END_MODULE

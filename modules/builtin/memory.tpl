# SPDX-License-Identifier: MIT
# Calls of these functions by the allocator, inside malloc, are not recorded: the blocks of malloc are counted.
BEGIN_MODULE
NAME memory
DESC "memory in use: allocated, freed, mapped"
LANGUAGE C
ID 50

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "memory_probes.h"
END_INCLUDE

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
BEGIN
    CALL_FUNC
    IF (!memory_inside && RESULT != (void *)-1)
        ADD_VAR("Memory mapped", MEMORY_PAGE * ((n + MEMORY_PAGE - 1) / MEMORY_PAGE))
        EVENT("mmap")
    END_IF
END

int munmap(void *at, size_t n)
BEGIN
    CALL_FUNC
    IF (!memory_inside && RESULT == 0)
        SUB_VAR("Memory mapped", MEMORY_PAGE * ((n + MEMORY_PAGE - 1) / MEMORY_PAGE))
        EVENT("munmap")
    END_IF
END

void *mremap(void *old, size_t n, size_t to, int flags, void *where)
BEGIN
    CALL_FUNC
    IF (!memory_inside && RESULT != (void *)-1)
        ADD_VAR("Memory mapped", MEMORY_PAGE * ((double)((to + MEMORY_PAGE - 1) / MEMORY_PAGE) - (double)((n + MEMORY_PAGE - 1) / MEMORY_PAGE)))
        EVENT("mremap")
    END_IF
END
END_MODULE

# SPDX-License-Identifier: MIT
# Functions for which a state is enough (libgomp's taskyield does nothing). All other functions are in the headers.
BEGIN_MODULE
NAME openmp
DESC "OpenMP: parallel regions, their threads and imbalance, tasks, waiting (GNU and LLVM)"
LANGUAGE C
ID 54

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "openmp_gnu.h"
#define OPENMP_GNU_LIBRARY "libomp.so.5"
#define OPENMP_GNU(name) llvm_##name
#include "openmp_gnu.h"
#include "openmp_llvm.h"
END_INCLUDE

int __kmpc_omp_taskyield(void *loc, int thread, int part)
BEGIN
    RECORD_STATE("Yielding to tasks")
END
END_MODULE

# SPDX-License-Identifier: MIT
# All functions are in the headers, because only at run time it is known which library's handles and statuses are in use.
BEGIN_MODULE
NAME mpi
DESC "MPI: messages, collectives, waiting"
LANGUAGE C
ID 53

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "mpi_probes.h"
END_INCLUDE

int MPI_Abort(uintptr_t comm, int code)
BEGIN
    EVENT("MPI_Abort")
END
END_MODULE

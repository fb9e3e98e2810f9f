# SPDX-License-Identifier: MIT
# Functions for which a state is enough. All other functions are in the header.
BEGIN_MODULE
NAME io
DESC "files and sockets: reading, writing, waiting; bytes"
LANGUAGE C
ID 51

BEGIN_CFLAGS
-D_GNU_SOURCE -Wall -Wextra
END_CFLAGS

BEGIN_INCLUDE
#include "io_probes.h"
END_INCLUDE

int fsync(int fd)
BEGIN
    RECORD_STATE("Synchronizing")
END

int fdatasync(int fd)
BEGIN
    RECORD_STATE("Synchronizing")
END
END_MODULE

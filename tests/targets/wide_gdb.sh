#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wide_gdb.sh - gdb, as env.sh found it ($EZT_GDB), with wide_gdb.c. Installed as tests/targets/wide/gdb in the build.
exec 9<"$(dirname "$0")/wide_gdb.so" # LD_PRELOAD takes no path with spaces; the library closes it
LD_PRELOAD=/proc/self/fd/9 exec "$EZT_GDB" "$@"

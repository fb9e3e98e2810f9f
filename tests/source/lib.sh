# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh - for the scripts of tests/source that apply specifications, behind tests/procs/lib.sh: where the sources and
# eztsh-instrument are, whether C and C++ can be instrumented, and a cache of fragments of their own.
here=$(cd "$top_srcdir/tests/source" && pwd)
program=$(cd "$top_builddir" && pwd)/eztsh-instrument
have() { command -v "$1" >/dev/null 2>&1; }
libclang=false
grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h" && libclang=true
# can FILE: can it be compiled and instrumented here? Its compiler is in $cc.
can() {
    case $1 in
    *.c) cc=gcc ;;
    *.cc) cc=g++ ;;
    *) cc=gfortran ;;
    esac
    have $cc || { skip "$1: no $cc"; return 1; }
    case $1 in *.c | *.cc) $libclang || { skip "$1: eztsh was built without libclang"; return 1; } ;; esac
}
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
mkdir cache

# SPDX-License-Identifier: GPL-3.0-or-later
# env.sh - where all test scripts begin: which eztsh is tested, a folder for the script, and how
# results are printed: one line "ok - NAME", "not ok - NAME" or "skip - NAME" each, `finish` last.
#
# No script depends on where the tree lies (a path may hold spaces, other users may not enter
# it), on who runs it, or on how busy the machine is: it waits for what it needs, and a deadline
# is ten times what a machine with nothing else to do takes at its worst.
set -u
[ -e /proc/self/maps ] || { echo "skip - $(basename "$0" .sh): /proc is not mounted"; exit 77; }
whole() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
top_srcdir=$(whole "${top_srcdir:-$PWD}")
top_builddir=$(whole "${top_builddir:-$PWD}")
eztsh=$(whole "${EZTSH:-$top_builddir/eztsh}")
targets=$top_builddir/tests/targets
work=$(mktemp -d) || exit 99
readonly work # it is removed at the end, by that name
HOME=$work; export HOME
LC_ALL=C; export LC_ALL
unset XDG_STATE_HOME XDG_CACHE_HOME EZ_FAULT EZ_FAULT_COUNT EZTRACE_TRACE_DIR DEBUGINFOD_URLS
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID SLURM_JOB_ID # the tests may run in a job themselves
failed=0
limit=600 # seconds; for one session
# gdb before 14 cannot write the registers of processors with AMX (tests/targets/wide_gdb.c).
if [ -z "${EZT_GDB-}" ] && grep -qsw amx_tile /proc/cpuinfo && EZT_GDB=$(command -v gdb); then
    export EZT_GDB
    PATH=$top_builddir/tests/targets/wide:$PATH
fi
: "${EZT_LONG:=}" # not empty: all cases, also those that `make check` leaves to `make stress`
trap 'cd /; rm -rf "$work"' EXIT # a script may set its own
trap 'exit 99' HUP INT PIPE TERM
cd "$work" || exit 99

pass() { echo "ok - $1"; }
skip() { echo "skip - $1"; }
fail() { # NAME [FILE...]
    failed=1
    echo "not ok - $1"
    shift
    for f in "$@"; do
        [ -f "$f" ] || continue
        echo "  --- $f"
        tail -n 30 "$f" | cut -c 1-300 | sed 's/^/  /'
    done
}
finish() { exit $failed; }
# Numbers of processes are used anew, within a minute on a busy machine: what was waited for long ago may be another test's by now.
ours() { # PID: begun here, or in our folder
    local parent
    parent=$(sed -n 's/^.*) . \([0-9]*\) .*/\1/p' "/proc/$1/stat" 2>/dev/null)
    [ "$parent" = $$ ] && return
    case $(readlink "/proc/$1/cwd" 2>/dev/null) in "$work" | "$work"/*) return 0 ;; esac
    return 1
}
kill_ours() { # PID...
    for p; do
        ours "$p" || continue
        kill -CONT "$p"
        kill -KILL "$p"
    done 2>/dev/null
}
native() { # PROG ARG...: without eztsh; n.out, n.err, its status in n.rc
    timeout -k 5 $limit "$@" >n.out 2>n.err </dev/null
    echo $? >n.rc
}

# until_ok SECONDS CMD...: try CMD until it succeeds, on a busy machine ten times as long.
until_ok() { # no process but sleep and those of CMD: what polls takes the processor from what it waits for
    local now rest end # CMD may wait in turn
    read -r now rest </proc/uptime
    end=$((${now%.*} + 10 * $1))
    shift
    until "$@"; do
        read -r now rest </proc/uptime
        [ "${now%.*}" -le "$end" ] || return 1
        sleep 0.02
    done
}

# mpi_here: Open MPI runs as root, with more ranks than processors; who waits lets others run.
mpi_here() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy
    export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_vader_single_copy_mechanism
}
# mpi_sleeps: makes yield.c, for programs or to be preloaded: a rank that waits sleeps. With more ranks than processors they
# starve each other, and on a busy machine jobs of Open MPI took three times as long.
mpi_sleeps() { printf '#include <unistd.h>\nint sched_yield(void) { return usleep(100); }\n' >yield.c; }

# other_user PROG...: may we act as another user? Then $as runs a command as that one, and
# $theirs is a folder of that user, with copies of eztsh and of these programs, since the user may
# be unable to enter ours. $theirs/user runs eztsh as that user. If not, $why_not says why.
other=65534
other_user() {
    become="setpriv --reuid=$other --regid=$other --clear-groups"
    theirs=$work/theirs
    why_not="needs root, and setpriv"
    [ "$(id -u)" = 0 ] && $become true 2>/dev/null || return 1
    why_not="another user cannot enter $work"
    chmod 755 "$work" && mkdir -p "$theirs" && chmod 755 "$theirs" || return 1
    install -m 755 "$eztsh" "$theirs/eztsh" || return 1
    for prog; do install -m 755 "$targets/$prog" "$theirs/$prog" || return 1; done
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$become" "$theirs/eztsh" >"$theirs/user"
    chmod 755 "$theirs/user" && chown "$other" "$theirs" || return 1
    $become test -x "$theirs/eztsh" && as=$become
}

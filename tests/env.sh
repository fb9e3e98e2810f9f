# SPDX-License-Identifier: GPL-3.0-or-later
# env.sh - where all test scripts begin: what is tested, a folder of its own, and how a
# result is told: one line "ok - NAME", "not ok - NAME" or "skip - NAME" each, `finish` last.
set -u
whole() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
top_srcdir=$(whole "${top_srcdir:-$PWD}")
top_builddir=$(whole "${top_builddir:-$PWD}")
eztsh=$(whole "${EZTSH:-$top_builddir/eztsh}")
targets=$top_builddir/tests/targets
work=$(mktemp -d) || exit 99
HOME=$work; export HOME
LC_ALL=C; export LC_ALL
unset EZ_FAULT EZ_FAULT_COUNT EZTRACE_TRACE_DIR DEBUGINFOD_URLS
failed=0
trap 'cd /; rm -rf "$work"' EXIT # a script may have one of its own
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

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_man.sh - the manual's command chapter is the command table.
# With -u: write the chapter into the manual instead (`make man`).
set -eu
eztsh=${EZTSH:-./eztsh}
man=${srcdir:-.}/doc/eztsh.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$eztsh" --dump-man >"$work/chapter"
awk -v f="$work/chapter" '
    /^\.SH COMMANDS/ { while ((getline line <f) > 0) print line; skip = 1; next }
    /^\.SH / { skip = 0 }
    !skip' "$man" >"$work/man"
if [ "${1-}" = -u ]; then
    cp "$work/man" "$man"
elif ! diff -u "$man" "$work/man"; then
    echo "doc/eztsh.1 is not what the command table says: run \"make man\"" >&2
    exit 1
fi

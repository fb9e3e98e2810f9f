#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_man.sh - the manuals' command chapters are the command table, doc/eztsh.1's and doc/commands.texi.
# With -u: write the chapters into the manuals instead (`make man`).
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
"$eztsh" --dump-texinfo >"$work/commands.texi"
texi=${srcdir:-.}/doc/commands.texi
if [ "${1-}" = -u ]; then
    cp "$work/commands.texi" "$texi"
    cp "$work/man" "$man"
elif ! diff -u "$man" "$work/man"; then
    echo "doc/eztsh.1 is not what the command table says: run \"make man\"" >&2
    exit 1
elif ! diff -u "$texi" "$work/commands.texi"; then
    echo "doc/commands.texi is not what the command table says: run \"make man\"" >&2
    exit 1
elif command -v makeinfo >/dev/null; then
    makeinfo --error-limit=5 --no-split -I "${srcdir:-.}/doc" -o "$work/eztsh.info" "${srcdir:-.}/doc/eztsh.texi"
    grep -q 'Command: info probes' "$work/eztsh.info"
    ! makeinfo --html --no-split -I "${srcdir:-.}/doc" -o "$work/eztsh.html" "${srcdir:-.}/doc/eztsh.texi" 2>&1 |
        grep -q .
fi

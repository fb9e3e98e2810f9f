#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_man.sh - the manuals' command chapters are the command table, doc/eztsh.1's and doc/commands.texi; the pages of
# the other programs have what their --help prints.
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

# The page of a program that stands beside eztsh, with its --help in it.
for program in eztsh-modc eztsh-instrument; do
    page=${srcdir:-.}/doc/$program.1
    {
        printf '.SH OPTIONS\n.nf\n'
        "$(dirname "$eztsh")/$program" --help | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\\&&/"
        echo .fi
    } >"$work/options"
    awk -v f="$work/options" '
        /^\.SH OPTIONS/ { while ((getline line <f) > 0) print line; skip = 1; next }
        /^\.SH / { skip = 0 }
        !skip' "$page" >"$work/page"
    if [ "${1-}" = -u ]; then
        cp "$work/page" "$page"
    elif ! diff -u "$page" "$work/page"; then
        echo "doc/$program.1 is not what $program --help says: run \"make man\"" >&2
        exit 1
    fi
done
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

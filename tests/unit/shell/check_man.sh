#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_man.sh - the manuals that a build has made are whole, with a chapter of the command table; the pages of the
# other programs have what their --help prints.
# With -u: write that into these pages instead (`make man`).
set -eu
eztsh=${EZTSH:-./eztsh}
src=${srcdir:-.}/doc
doc=${top_builddir:-.}/doc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The page of a program that stands beside eztsh, with its --help in it.
for program in eztsh-modc eztsh-instrument; do
    page=$src/$program.1
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
[ "${1-}" != -u ] || exit 0

# chapter FILE SECTION: that chapter of a page
chapter() { awk -v title="$2" '/^\.SH / { inside = $2 == title } inside' "$1"; }

"$eztsh" --dump-man >"$work/commands"
chapter "$doc/eztsh.1" COMMANDS | diff -u "$work/commands" -
for title in $(sed -n 's/^\.SH \([A-Z]*\).*/\1/p' "$src/eztsh.1.in"); do
    [ "$title" = COMMANDS ] || {
        chapter "$src/eztsh.1.in" "$title" >"$work/written"
        chapter "$doc/eztsh.1" "$title" | diff -u "$work/written" -
    }
done
"$eztsh" --dump-texinfo | diff -u "$doc/commands.texi" -
for word in "info probes" "set trace-auto" probe x; do
    grep -q "^\.B $(echo "$word" | sed 's/-/\\\\-/g')\( \|\$\)" "$doc/eztsh.1"
    grep -q "^@deffn Command {$word}" "$doc/commands.texi"
done
if command -v makeinfo >/dev/null; then
    makeinfo --error-limit=5 --no-split -I "$doc" -I "$src" -o "$work/eztsh.info" "$src/eztsh.texi"
    grep -q 'Command: info probes' "$work/eztsh.info"
    ! makeinfo --html --no-split -I "$doc" -I "$src" -o "$work/eztsh.html" "$src/eztsh.texi" 2>&1 | grep -q .
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_tree.sh - what must be true of the files of the tree, so that the suite says the same on every
# machine and a release is whole.
. "${top_srcdir:-.}/tests/env.sh"
cd "$top_srcdir" || exit 99
folders="shell cmds engine arch modules tests examples doc packaging"

# Python looks for a module in the script's own folder first: every script beside types.py gets that
# one for the standard types, wherever the interpreter has not loaded its own before.
shadows() { # FOLDER...: Python files with a name of the standard library's
    find "$@" -name '*.py' | python3 -c '
import os, sys
for path in sys.stdin.read().split("\n"):
    if os.path.splitext(os.path.basename(path))[0] in sys.stdlib_module_names:
        print(path)'
}
if ! python3 -c 'import sys; sys.stdlib_module_names' 2>/dev/null; then
    skip "names of Python files: no python3 of 3.10 or later"
else
    touch "$work/types.py"
    found=$(shadows $folders "$work")
    if [ "$found" = "$work/types.py" ]; then
        pass "no Python file hides a module of the standard library"
    else
        fail "no Python file hides a module of the standard library: $found"
    fi
fi

# The shell of Debian's /bin/sh.
if ! command -v dash >/dev/null; then
    skip "scripts are POSIX: no dash"
else
    bad=$(grep -rlE --include='*.sh' '^#!/bin/sh' $folders | while read -r script; do
        dash -n "$script" 2>&1
    done)
    if [ -z "$bad" ]; then pass "scripts of /bin/sh are read by dash"; else fail "scripts of /bin/sh: $bad"; fi
fi

# doc/RELEASING.md lists the files that name the version.
version=$(sed -n 's/^AC_INIT(\[eztsh\], \[\([^]]*\)\].*/\1/p' configure.ac)
other=
names() { grep -qF -- "$2" "$1" || other="$other $1"; }
names NEWS "eztsh $version, "
names doc/eztsh.1.in "\"eztsh $version\""
names doc/JSON.md "\"version\": \"$version\""
names packaging/debian/changelog "eztsh ($version-"
names packaging/eztsh.spec "Version:        $version"
names packaging/spack/package.py "eztsh-$version.tar.gz"
if [ -n "$version" ] && [ -z "$other" ]; then
    pass "all files name version $version"
else
    fail "version $version is not in$other"
fi

# Each file is listed for `make dist`, copied by its hook, or made from others.
mkdir "$work/dist"
make -s -C "$top_builddir" --no-print-directory dist-tests distdir="$work/dist"
make -s -C "$top_builddir" --no-print-directory \
    --eval='ez-listed: ; @printf "%s\n" $(patsubst $(srcdir)/%,%,$(DISTFILES))' ez-listed >"$work/by-name"
(cd "$work/dist" && find tests -type f) | LC_ALL=C sort -u - "$work/by-name" >"$work/listed"
find $folders -type f ! -name '*~' ! -name '*.o' ! -name '*.pyc' ! -name '*.orig' ! -name '*.rej' \
    ! -path 'doc/eztsh.info' ! -path 'doc/eztsh.html' | LC_ALL=C sort >"$work/there"
missing=$(LC_ALL=C comm -13 "$work/listed" "$work/there" | tr '\n' ' ')
if [ "$top_srcdir" = "$top_builddir" ]; then
    skip "files of the tarball: the tree is built in its own folder"
elif [ "$(wc -l <"$work/listed")" -lt 1000 ]; then
    fail "files of the tarball are listed" "$work/listed"
elif [ -z "$missing" ]; then
    pass "every file is in the tarball"
else
    fail "files that are not in the tarball: $missing"
fi
finish

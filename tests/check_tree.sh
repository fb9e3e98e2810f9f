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

# Each product file names its tests in the comment at its head, or in that of NAME.h beside it: "Tests: PATH,
# PATH". A file that no test can notice says "No test: REASON" there.
untested() { # FOLDER...: files NAME.c for which no test is named, and named tests that are not there
    find "$@" -name '*.[ch]' -exec awk '
        function there(file, line, status) {
            status = (getline line <file)
            close(file)
            return status > 0
        }
        FNR == 1 {
            head = 1
            listing = 0
            unit = substr(FILENAME, 1, length(FILENAME) - 2)
            if (FILENAME ~ /c$/) file[unit]
        }
        !/^(\/\*| \*)/ { head = 0 }
        !head { next }
        /No test: [A-Za-z]/ { named[unit] }
        sub(/.*Tests:/, "") { listing = 1 }
        / \*$/ { listing = 0 }
        listing {
            n = split($0, word, /[ ,;()]+/)
            for (i = 1; i <= n; i++) {
                sub(/\.$/, "", word[i])
                if (word[i] !~ /^tests\/|\.(c|h|sh|ezt|py)$/) continue
                if (!there(word[i])) print FILENAME ": " word[i] " is not there"
                else if (word[i] ~ /^tests\//) named[unit]
            }
        }
        END { for (unit in file) if (!(unit in named)) print unit ".c: no test is named" }' {} + | LC_ALL=C sort
}
mkdir "$work/named"
echo '/* a.c - names a test. Tests: tests/check_tree.sh */' >"$work/named/a.c"
echo 'int b; /* Tests: tests/check_tree.sh, but not at the head */' >"$work/named/b.c"
printf '/* c.c - of two tests, one is there.\n * Tests: tests/check_tree.sh,\n * gone.c */\n' >"$work/named/c.c"
echo '/* d.c - its header names the test. */' >"$work/named/d.c"
echo '/* d.h - Tests: tests/check_tree.sh */' >"$work/named/d.h"
echo '/* e.c - No test: it is an example. */' >"$work/named/e.c"
found=$(untested "$work/named" | sed "s|^$work/named/||" | tr '\n' ';')
without=$(untested shell cmds engine arch modules)
if [ "$found" != "b.c: no test is named;c.c: gone.c is not there;" ]; then
    fail "files for which no test is named are found: $found"
elif [ -z "$without" ]; then
    pass "a test is named for each product file"
else
    fail "a test is named for each product file: $without"
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

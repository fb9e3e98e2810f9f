#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_modc.sh - eztsh-modc: what it writes, what it leaves alone, and what names of all kinds do.
: "${top_srcdir:=.}" "${top_builddir:=.}"
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
modc=$top_builddir/eztsh-modc
scripts=$top_srcdir/tests/unit/modules/scripts
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
verdict() { # NAME, after a test
    if [ $? -eq 0 ]; then echo "ok - $1"; else
        echo "not ok - $1"
        cat said 2>/dev/null
        bad=1
    fi
}
script() { # LINES...: of the module m
    printf '%s\n' 'BEGIN_MODULE' 'NAME m' 'ID 20' "$@" 'END_MODULE' >m.tpl
}
says() { # EXPECTED: in what was said
    grep -qF -e "$1" said || { echo "missing: $1"; return 1; }
}

"$modc" "$scripts/slides.tpl" >said 2>&1 && [ "$(ls)" = "$(printf 'example_lib.so\nsaid')" ] &&
    says "example_lib: 1 function, 2 events, ID 42: $work/example_lib.so"
verdict "a module is written to the current folder"
rm -f ./*

"$modc" -n "$scripts/all.tpl" >said 2>&1 && [ "$(ls)" = said ]
verdict "-n writes nothing"

"$modc" -keep-c "$scripts/slides.tpl" >said 2>&1 && cmp example_lib.c "$scripts/slides.c"
verdict "-keep-c leaves the C"
rm -f example_lib.so
sh -c "${CC:-cc} -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 $("$modc" -cflags) example_lib.c -o example_lib.so" >said 2>&1 &&
    [ -s example_lib.so ]
verdict "the C compiles as its first lines say"
rm -f ./*

dir=$(printf -- '-o $(touch pwned);"'"'"' %%n\n@x') file=$(printf -- '@a;`touch pwned` *\n'"'"'.tpl')
mkdir -- "$dir" && cp "$scripts/fig6.tpl" "./$file" &&
    "$modc" -keep-c -o "$dir" -- "$file" >said 2>&1 && [ -s "./$dir/foo.so" ] && [ -s "./$dir/foo.c" ] &&
    [ "$(ls -A "./$dir")" = "$(printf 'foo.c\nfoo.so')" ] && [ -z "$(find . -name pwned)" ]
verdict "names of folders and scripts reach no shell"
rm -rf "./$dir" "./$file"

script 'int f(int a)' 'BEGIN' '	SET_VAR("x", a + nothing_there)' '    EVENT("y")' 'CALL_FUNC' \
    'IF (RESULT > absent(a))' 'EVENT("z")' 'END_IF' 'END' 'FILE *g(void)'
! "$modc" m.tpl >said 2>&1 && says "m.tpl:6:19: 'nothing_there' undeclared" &&
    says "m.tpl:9:14: implicit declaration of function 'absent'" && says "m.tpl:13:1: unknown type name 'FILE'" &&
    says "$(printf '    \tSET_VAR("x", a + nothing_there)\n    \t                 ^')" && [ ! -e m.so ] &&
    [ -z "$(find . -name '.m-*')" ]
verdict "errors of the C compiler have places of the script"

script 'int f(int a)' 'BEGIN' 'CALL_FUNC' 'END'
! EZT_INCLUDE=/nowhere "$modc" m.tpl >said 2>&1 &&
    says '/nowhere/ezt_probe.h: No such file or directory. EZT_INCLUDE names the folder of ezt_probe.h.'
verdict "a folder without the header is said to be none"
printf '#!/bin/sh\nkill -9 $$\n' >killed && chmod +x killed
! EZT_CC=./killed "$modc" m.tpl >said 2>&1 && says 'eztsh-modc: Signal 9 ended the C compiler.' && [ ! -e m.so ]
verdict "a compiler that is killed makes no module"
rm killed

script 'BEGIN_INCLUDE' 'int fine;' '#include "not-there.h"' 'END_INCLUDE' 'int f(int a)'
! "$modc" m.tpl >said 2>&1 && says 'm.tpl:6:10: not-there.h: No such file or directory'
verdict "so have those in BEGIN_INCLUDE"

mkdir sub && echo 'int shared_value;' >sub/own.h && script 'BEGIN_INCLUDE' '#include "own.h"' 'END_INCLUDE' \
    'int f(int a)' 'BEGIN' 'SET_VAR("x", shared_value)' 'END' && mv m.tpl sub && "$modc" sub/m.tpl >said 2>&1
verdict "a header beside the script is found"

script 'BEGIN_LDFLAGS' '-lnot-there-at-all' 'END_LDFLAGS' 'int f(int a)'
rm -f m.so
! "$modc" m.tpl >said 2>&1 && says 'not-there-at-all' && says 'eztsh-modc: m.tpl: the C compiler failed' && [ ! -e m.so ]
verdict "what the linker says is told"

script 'BEGIN_CFLAGS' "-DTEXT='\"a b\$(touch pwned)\"'" 'END_CFLAGS' 'int f(int a)' 'BEGIN' 'SET_VAR("x", sizeof TEXT)' 'END'
"$modc" m.tpl >said 2>&1 && [ ! -e pwned ]
verdict "options reach no shell"

script 'int f(int a)'
echo kept >m.so && ! EZT_CC=/nowhere/cc "$modc" m.tpl >said 2>&1 && says 'Cannot run the C compiler /nowhere/cc' &&
    says 'EZT_CC' && [ "$(cat m.so)" = kept ]
verdict "without a compiler the old module stays"
rm -f m.so && mkdir m.so
! "$modc" m.tpl >said 2>&1 && [ -d m.so ] && [ -z "$(find . -name '.m-*')" ]
verdict "a folder of that name stays"
rmdir m.so

! "$modc" nothing.tpl >said 2>&1 && says 'nothing.tpl: No such file' && ! "$modc" . >said 2>&1 && says 'not a regular file' &&
    ! "$modc" m.tpl -o nowhere >said 2>&1 && says 'nowhere: No such file'
verdict "files that are not there"

"$modc" >said 2>&1
[ $? -eq 2 ] && says Usage: && "$modc" -help | grep -q Usage: && "$modc" -version | grep -q eztsh
verdict "usage"

mkdir -p moved/bin moved/include/eztsh && cp "$modc" moved/bin/ && cp "$top_srcdir/modules/ezt_probe.h" moved/include/eztsh/ &&
    [ "$(moved/bin/eztsh-modc -cflags)" = "-I$work/moved/include/eztsh" ] && moved/bin/eztsh-modc m.tpl >said 2>&1
verdict "where it is installed, the header is found beside it"

if command -v clang >/dev/null; then
    EZT_CC=clang "$modc" "$scripts/all.tpl" >said 2>&1
    verdict "clang compiles it, too"
else
    echo "skip - clang: it is not here"
fi
exit $bad

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# analyze.sh - runs clang's static analyser on the product's C files (`make analyze`), as many at a time as there are
# processors. Prints what it finds, and "analyze: N findings in M files". The status is 1 if there are findings or
# files that clang cannot read, and 77 if clang is missing.
#
#   analyze.sh FLAG... -- FILE...   the compiler's flags, and files relative to $top_srcdir
#   RT_FLAGS                        the flags of engine/rt, which has its own
#   ANALYZE=shallow                 follows fewer calls and paths: a minute on two processors, not seven
#   CLANG                           in place of clang
clang=${CLANG:-clang}
if [ "$1" = -one ]; then
    file=$2
    shift 2
    case $file in
    engine/rt/*) set -- $RT_FLAGS ;;
    engine/base/* | shell/opt.c) ;; # they define what analyze.h describes
    *) set -- -include "$top_srcdir/tests/analyze.h" "$@" ;;
    esac
    mode=deep
    [ "$ANALYZE" != shallow ] || mode=shallow,max-nodes=30000
    found=$("$clang" --analyze --analyzer-output text $left_out -Xclang -analyzer-config -Xclang "mode=$mode" \
        "$@" -w "$top_srcdir/$file" 2>&1) ||
        found="$found
$file: error: clang failed"
    [ -z "$found" ] || printf '%s\n' "$found"
    exit 0
fi

if ! command -v "$clang" >/dev/null; then
    echo "analyze: skipped, $clang is not here"
    exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# All checkers run that clang runs by default, but for these, which not every version has:
# unix.Malloc and unix.Stream do not follow the attribute "cleanup" (EZ_FREE) and report leaks where there are none;
#     unix.Malloc also takes two results of ez_alloc() for the same memory. `make check-sanitizers` finds such faults.
# unix.StdCLibraryFunctions knows POSIX only: it forbids getcwd(NULL, 0), and lets dirfd() fail for an open folder.
left_out=
"$clang" -cc1 -analyzer-checker-help >"$work/checkers"
for checker in unix.Malloc unix.Stream unix.StdCLibraryFunctions; do
    ! grep -qE "^ *$checker( |\$)" "$work/checkers" ||
        left_out="$left_out -Xclang -analyzer-disable-checker=$checker"
done
export left_out

files=no
for arg; do # the flags remain, and the files go to a list
    shift
    if [ $files = yes ]; then
        echo "$arg" >>"$work/files"
    elif [ "$arg" = -- ]; then
        files=yes
    else
        set -- "$@" "$arg"
    fi
done
xargs -P "$(nproc)" -I '{}' sh "$0" -one '{}' "$@" <"$work/files" >"$work/found"
cat "$work/found"
found=$(grep -E ': (warning|error): ' "$work/found" | sort -u | wc -l)
echo "analyze: $found findings in $(wc -l <"$work/files") files"
[ "$found" = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh - build the fuzzers with clang, libFuzzer and the sanitizers, and run them.
# `make fuzz` calls this script in the build directory with the names of the fuzzers; settings
# come in FUZZ_* (tests/fuzz/local.mk). Objects and corpora: fuzz-clang/.
: "${FUZZ_CLANG:=clang}" "${FUZZ_SECONDS:=60}"
out=fuzz-clang
san=-fsanitize=address,undefined,fuzzer
mkdir -p $out || exit 1

echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }' > $out/try.c
if ! $FUZZ_CLANG $san $out/try.c -o $out/try > $out/try.log 2>&1; then
    echo "skip - no $FUZZ_CLANG with libFuzzer here (clang and its compiler-rt are needed)"
    exit 0
fi

flags="-std=gnu11 -O1 -g -pthread -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fsanitize=address,undefined,fuzzer-no-link -w"

# compile SOURCE OBJECT, unless it is there and newer
export FUZZ_CLANG top_srcdir flags out
compile='
src=$top_srcdir/$1
[ -e "$src" ] || src=$1 # made by the build
obj=$out/$(echo "$1" | tr / -).o
[ "$obj" -nt "$src" ] && [ -z "$FUZZ_REBUILD" ] && exit 0
echo "  CLANG $1"
exec $FUZZ_CLANG -DHAVE_CONFIG_H -D_GNU_SOURCE -I. "-I$top_srcdir" "-I$top_srcdir/arch/$FUZZ_ARCH" \
    "-DEZ_LIBEXECDIR=\"/nowhere\"" "-DEZ_BINDIR=\"/nowhere\"" "-DEZ_EXAMPLEDIR=\"/nowhere\"" "-DEZ_INCLUDEDIR=\"/nowhere\"" "-DEZ_MODULEDIR=\"/nowhere\"" $flags -c "$src" -o "$obj"'
all=$FUZZ_SOURCES
for f; do all="$all $f.c"; done
# A header changed: everything again.
for d in arch cmds engine modules shell tests; do
    [ -n "$(find "$top_srcdir/$d" -name '*.h' -newer $out/built 2>&1)" ] && export FUZZ_REBUILD=1
done
printf '%s\n' $all | xargs -n 1 -P "$(nproc)" sh -c "$compile" sh || exit 1
touch $out/built

objects=
for f in $FUZZ_SOURCES; do objects="$objects $out/$(echo "$f" | tr / -).o"; done

status=0
for f; do
    name=${f##*/}
    # shellcheck disable=SC2086
    $FUZZ_CLANG -pthread $san "$out/$(echo "$f" | tr / -).c.o" $objects $FUZZ_LIBS -o "$out/$name" ||
        exit 1
    mkdir -p "$out/corpus/$name"
    EZT_FUZZ_SEEDS=$out/corpus/$name "./$f" || exit 1
    if "$out/$name" -max_total_time="$FUZZ_SECONDS" -timeout=30 -max_len=8192 -print_final_stats=1 \
        -artifact_prefix="$out/$name-" "$out/corpus/$name" > "$out/$name.log" 2>&1; then
        echo "ok - $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
    else
        echo "not ok - $name"
        grep -vE '^#[0-9]+.*(NEW|REDUCE|pulse)' "$out/$name.log" | tail -60
        status=1
    fi
done
exit $status

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# names.sh - control characters and direction marks in names never reach the terminal
# (fault 61).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need objcopy python3
esc=$(printf '\033') bidi=$(printf '\342\200\256') bell=$(printf '\007')
raw="${esc}[31mred${bidi}xyz${bell}"
dir="$work/dir$raw"
mkdir "$dir"
if objcopy --redefine-sym "twice=tw$raw" --redefine-sym "area=ar$raw" \
    "$targets/p_app" "$dir/p$raw" 2>objcopy.out; then
    cp "$targets/libp.so" "$dir"
    batch -ex 'info functions red' -ex 'probe -r red' -ex "run 20 comm=$raw >t.out" -ex 'info probes' \
        -ex 'info trace' -ex 'info sharedlibrary' -ex 'events 20' -ex 'attach nonsense' -ex "probe no$raw" \
        -ex "nonsense$raw" -ex "source $dir/none" -ex "file $dir/none" "$dir/p$raw"
    cp log log1
    batch -ex "start 20 comm=$raw >t.out" -ex 'info threads' -ex 'info proc' -ex 'info mappings' \
        -ex 'info symbol $pc' -ex "disassemble main" -ex kill "$dir/p$raw"
    cat log >>log1
    for f in ./*.fxt "$dir"/*.fxt; do
        [ -f "$f" ] || continue
        "$eztsh" -nx -batch -ex "stats $f" >>log1 2>&1
    done
    cat >raw.py <<'END'
import sys, unicodedata
t = open("log1", "rb").read().decode("utf-8", "surrogateescape")
bad = [l for l in t.split("\n") if any(
    c != "\t" and (unicodedata.category(c) == "Cc" or unicodedata.bidirectional(c) in
    ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI")) for c in l)]
print("\n".join(map(ascii, bad)))
sys.exit(bool(bad))
END
    check "61 symbols, comm and path: nothing raw in what is printed" python3 raw.py
    check "61 symbols: they are shown, escaped" has log1 'tw.+red'
    check "61 symbols: they can be probed" has log1 '^Planted 2 of 2|^Trace .*: [1-9][0-9]* hits'
else
    skip "61: objcopy cannot rename to such names"
fi
finish

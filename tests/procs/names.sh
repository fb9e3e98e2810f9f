#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# names.sh - control characters and direction marks in names never reach the terminal, nor does
# what is no UTF-8 (fault 61).
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

# ---- names that are not UTF-8 -------------------------------------------------------------------
# Of the program, of a function, and of threads whose names the kernel cut within a character. What
# is written stays UTF-8, JSON stays JSON, and columns stand below each other.
prog=$(printf 'utf\344\270')
cp "$targets/p_names" "$prog"
rm -f stop ./*.fxt
shell_start --args "./$prog"
say 'set args stop >t.out'
say start
say 'probe good_name'
say 'probe -r ^odd'
say 'continue &'
all_there() { say 'stats -once -by thread,function' && [ "$(grep -c ' good_name ' log)" -ge 4 ]; }
check "names that are no UTF-8: all have calls" until_ok 20 all_there
say 'echo TABLE\n'
say 'stats -once -by thread,function'
say 'echo END\n'
say 'info threads'
say 'info probes'
touch stop
say wait
say 'echo TABLE\n'
say 'stats -by thread,function'
say 'echo END\n'
say 'echo JSON\n'
say 'stats -by thread,function -json'
say 'echo END\n'
say 'convert -t chrome -o names.json'
say 'convert -t csv -o names.csv'
say 'report -o names.html'
shell_end
cat >names.py <<'END'
import glob, json, re, sys, unicodedata
def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
def parts(word): # what stands between the lines WORD and END
    return [re.sub(r"^@\d+@\n", "", p, flags=re.M) for p in re.findall(rf"^{word}\n(.*?)^END$", log, re.M | re.S)]
def strings(x):
    return [x] if isinstance(x, str) else [s for y in (x.values() if isinstance(x, dict) else x) for s in strings(y)] \
        if isinstance(x, (dict, list)) else []
log = open("log", "rb").read().decode()
tables = parts("TABLE")
assert len(tables) == 2, log
for table in tables:
    head, *rows = table.strip("\n").split("\n")
    at = head.index("Function")
    named = [r for r in rows if re.search(r" (good_name|odd\S*name) ", r)]
    assert len(named) == 8, table
    for r in named:
        before = re.search(r"(good_name|odd\S*name) ", r).start()
        assert width(r[:before]) == at, (r, at)
        assert width(r) == width(named[0]), (r, named[0])
    for name in (r"12345678901234\344 ", r"\377\376 ", "t\xe4tig\\303 ", "\u4e16\u754c ", r"odd\344\270name"):
        assert name in table, (name, table)
want = ("12345678901234\ufffd", "\ufffd\ufffd", "t\xe4tig\ufffd", "\u4e16\u754c", "odd\ufffd\ufffdname", "utf\ufffd\ufffd")
def has_all(what, x):
    found = strings(x)
    for name in want:
        assert any(name in s for s in found), (what, name)
has_all("stats", json.loads(parts("JSON")[0]))
has_all("chrome", json.load(open("names.json", encoding="utf-8")))
if len(sys.argv) == 1:
    page = open("names.html", encoding="utf-8").read()
    for name in want:
        assert json.dumps(name)[1:-1] in page, name
open("names.csv", encoding="utf-8").read()
END
check "names that are no UTF-8: tables, JSON, and the page" python3 names.py $(left_out && echo no page)
check "names that are no UTF-8: the program ends right" same "$(cat t.out)" right

# ---- names that share more than an event has room for -----------------------------------------------------
long=$(printf '%2500s' '' | tr ' ' n)
{
    echo 'volatile int kept;'
    for last in a b; do echo "__attribute__((noipa)) void $long$last(void) { kept++; kept += 2; }"; done
    echo "int main(void) { ${long}a(); ${long}a(); ${long}b(); return 0; }"
} >long.c
if compiled 'long names' "${CC:-cc}" -g -O1 long.c; then
    rm -f ./*.fxt
    for compress in off on; do
        batch -ex "set trace-compress $compress" -ex "trace start long-$compress.fxt" -ex "probe -r ^nnn" -ex run -ex 'stats -json' ./prog
        cat >look.py <<'END'
import json, sys
log, long = open("log").read(), "n" * 2500
rows = {r["function"]: r["calls"] for r in json.loads(log[log.rindex('{\n  "schema"'):])["rows"] if not r["pause"]}
assert rows == {long + "a": 2, long + "b": 1}, {k[-3:]: v for k, v in rows.items()}
END
        grep -q 'without zstd' log || check "long names, compress $compress: a row each, whole" python3 look.py
    done
    batch -ex "trace export copy.fxt long-off.fxt" -ex 'convert copy.fxt -t csv -o long.csv'
    check 'long names: in a copy, and in other formats' same "$(grep -o 'n\{2500\}[ab]' long.csv | sort | uniq -c | tr -s ' ' | tr -d n | tr '\n' ',')" ' 2 a, 1 b,'
fi
# ---- a function with a copy of its own, which is inlined wherever it is called ------------------------------
cat >inl.c <<'END'
#include <stdio.h>
double relax(double a) { return a * 0.5 + 1; }
int main(void) { double s = 0; for (int i = 0; i < 100; i++) s += relax(i); printf("%g\n", s); }
END
if compiled 'inlined with a copy' gcc -g -O2 inl.c; then
    batch -ex 'probe relax' -ex 'probe main' -ex 'run >t.out' ./prog
    check 'inlined: said when it is planted, with the places' \
        has log '^Note: relax is also inlined, into main, where its calls are not counted\.$'
    check 'inlined: of main nothing is said' same "$(grep -c 'is also inlined' log)" 1
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ctf.sh - convert -t ctf, as babeltrace2 reads it: names, fields, times, packets; and what may be at the name of the
# output. formats.sh compares calls and times with all other formats.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need babeltrace2
"$eztsh" -nx -batch -ex 'set trace-switches off' -ex 'probe area' -ex 'run 3 >t.out' "$targets/p_app" >log 2>&1
"$eztsh" -nx convert p_app-*.fxt -t ctf -o plain.ctf >log 2>&1
if has log 'built without libbabeltrace2'; then
    skip "ctf: eztsh was built without libbabeltrace2"
    exit 77
fi
rm -f ./*.fxt

# ---- names and fields ------------------------------------------------------------------------------------------
cat >odd.cc <<'END'
#include <cstdio>
#include <stdexcept>
struct pair { int n; double d; unsigned char c; const char *s; };
template <typename T> [[gnu::noipa]] T twice(T x) { return x + x; }
[[gnu::noipa]] bool operator==(const pair &a, const pair &b) { return a.n == b.n; }
[[gnu::noipa]] int look(const pair *p, const char *text, long long big, bool yes)
{
    if (!yes)
        throw std::runtime_error(text);
    return (int)big + p->n;
}
int main()
{
    pair p = { -7, 2.5, 200, "s" };
    int sum = twice(1) + (p == p) + look(&p, "a \"b\"\n\\ \xc3\xa9 \x01", -5000000000, true);
    try {
        sum += look(&p, "", 0, false);
    } catch (const std::runtime_error &) {
    }
    printf("%d\n", sum);
}
END
$CXX -g -O1 -o odd odd.cc || exit 99
"$eztsh" -nx -batch -ex 'set trace-switches off' -ex 'trace odd.fxt' -ex start -ex 'probe -r twice<int>' \
    -ex 'probe -r ^operator==' -ex 'probe look collect p->n, p->d, p->c, p, text, big, yes return $ret' -ex continue odd >log 2>&1
check 'a trace is converted' "$eztsh" -nx convert odd.fxt -t ctf -o odd.ctf
babeltrace2 --clock-cycles --no-delta odd.ctf >events 2>why
check 'babeltrace2 reads it without a warning' [ ! -s why ]
check 'only the files of the format' same "$(ls odd.ctf | xargs)" 'metadata stream'
check 'the thread is named first' has events '^\[0+\] eztsh:thread: \{ vpid = [0-9]+, vtid = [0-9]+ \}, \{ name = "odd [0-9]+", process = "odd [0-9]+", host = "'
check 'a template' has events '\] odd:int twice<int>\(int\)_entry: '
check 'an operator' has events '\] odd:operator==\(pair const&, pair const&\)_exit: '
check 'numbers as numbers' has events '_entry: .*\{ p__n = -7, p__d = 2\.5, p__c = [^,]*, p = 0x[0-9A-F]+, '
check 'texts whole' has events 'text = "a \\"b\\"\\\\012\\\\ é '
check 'large numbers, and booleans' has events 'big = -5000000000, yes = '
check 'results' has events 'look.*_exit: .*\{ _ret = 705032697 \}$|look.*_exit: .*\{ _ret = -?[0-9]+ \}$'
check 'a call that an exception left' has events 'look.*_exit: .*\{ end = "unwound"'
check 'times are those of events' same "$(awk '/odd:look.*_entry/ { print $1; exit }' events | tr -d '[]' | sed 's/^0*//')" \
    "$("$eztsh" -nx replay -json odd.fxt | python3 -c 'import json, sys
print(next(r["ns"] for r in json.load(sys.stdin)["rows"] if r["kind"] in ("entry", "call") and r["function"].startswith("look")))')"

# ---- modules -----------------------------------------------------------------------------------------------------
"$eztsh" -nx record -m memory -o memory.fxt "$targets/p_memory" 1 10 2 >log 2>&1
check 'a trace of a module is converted' "$eztsh" -nx convert memory.fxt -t ctf -o memory.ctf
babeltrace2 memory.ctf >events 2>why
check 'variables have values' has events '\] \(.*\) memory:Memory used.*: .* \{ value = [0-9]'

# ---- packets: their times say what is in them, so a reader finds a window without reading all ------------------------
cat >many.c <<'END'
__attribute__((noipa)) static void step(void) { __asm__ volatile(""); }
int main(void)
{
    for (int i = 0; i < 100000; i++)
        step();
    return 0;
}
END
$CC -O1 -o many many.c || exit 99
"$eztsh" -nx record --budget 0 -F step -o many.fxt ./many >log 2>&1
check 'many events are converted' "$eztsh" -nx convert many.fxt -t ctf -o many.ctf
check 'each call is there' same "$(babeltrace2 many.ctf | grep -c 'many:step_e')" 200000
check 'in packets' test "$(python3 - <<'END'
import struct
d, at, last, n = open("many.ctf/stream", "rb").read(), 0, 0, 0
while at < len(d):
    assert struct.unpack_from("<I", d, at)[0] == 0xC1FC1FC1
    size, used, begin, end = struct.unpack_from("<4Q", d, at + 4 + 16 + 16)
    assert used <= size and last <= begin <= end
    at, last, n = at + size // 8, end, n + 1
print(n)
END
)" -ge 4

# ---- the output ----------------------------------------------------------------------------------------------------
check 'an older output is replaced' "$eztsh" -nx convert odd.fxt -t ctf -o many.ctf
check 'it is the new one' same "$(babeltrace2 many.ctf | grep -c 'many:step_')" 0
mkdir mine && echo precious >mine/file
"$eztsh" -nx convert odd.fxt -t ctf -o mine >log 2>&1
check 'a folder with other files stays' same "$? $(cat mine/file)" '1 precious'
check 'and is named' has log '^mine exists and is not a CTF trace\.'
"$eztsh" -nx convert odd.fxt -t ctf -o nowhere/x.ctf >log 2>&1
check 'a folder that is not there' has log '^Cannot write nowhere/x\.ctf: No such file or directory\.'
BABELTRACE_PLUGIN_PATH=$work LIBBABELTRACE2_DISABLE_PYTHON_PLUGINS=1 "$eztsh" -nx convert many.fxt -t ctf -o again.ctf >log 2>&1
check 'the plugins of the system are found in any case' test -s again.ctf/metadata
(trap "" XFSZ; ulimit -f 512; exec "$eztsh" -nx convert many.fxt -t ctf -o full.ctf) >log 2>&1
check 'a file that may not grow: an error' has log '^full\.ctf: libbabeltrace2 cannot write CTF: '
check 'what may help' has log 'The file system may be full\.$'
check 'and nothing is left' same "$(ls -d full.ctf* 2>/dev/null)" ''
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compress.sh - `set trace-compress on`: the trace is smaller, all commands read it as they read the
# plain one, zstd and `trace export` give that, and neither SIGKILL of the shell (fault 49) nor a full
# disk (fault 57) costs an event that was recorded.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need fxt_print zstd

# told FILE: how many events `stats` reads in it
told() { "$eztsh" -nx -batch -ex "stats $1" 2>&1 | sed -n 's/^\([0-9]*\) events in.*/\1/p'; }

if ! grep -qs '^#define HAVE_ZSTD 1' "$top_builddir/config.h"; then
    batch -ex 'set trace-compress on'
    check "built without libzstd: refused" same $rc 1
    check "built without libzstd: said in one line" \
        has log '^Traces stay uncompressed: eztsh was built without libzstd\. Install libzstd-dev \(Debian\) or libzstd-devel \(Fedora\) and build eztsh again\.$'
    batch -ex 'probe -r .' -ex 'run 100' "$targets/p_app"
    zstd -q p_app-*.fxt -o packed.fxt
    batch -ex 'stats packed.fxt'
    check "built without libzstd: a compressed trace is not read" same $rc 1
    check "built without libzstd: it is said what is missing" \
        has log '^packed.fxt: The file is compressed, and eztsh was built without libzstd\. Install libzstd-dev \(Debian\) or libzstd-devel \(Fedora\) and build eztsh again, or decompress the file with "zstd -d"\.$'
    finish
fi

# ---- one run, plain and compressed ----------------------------------------------------------------------
mkdir plain packed
batch -ex 'set trace-compress on' -ex 'trace packed/t.fxt' -ex 'probe -r .' \
    -ex 'run 60000 exit=9 >t.out' -ex 'info trace' -ex 'trace export plain/t.fxt' "$targets/p_app"
check "a compressed trace: nothing is lost" has log '^Trace packed/t.fxt: ([0-9]+) hits = \1 recorded'
check "a compressed trace: info trace has both sizes" \
    has log '^Trace packed/t.fxt: stopped, [0-9]+ events, [0-9.]+ (bytes|KiB) \(plain: [0-9.]+ MiB\)\.'
n=$(sed -n 's/^Trace packed.*: \([0-9]*\) hits.*/\1/p' log)
check "a compressed trace: 5 bytes an event at most" [ "$(wc -c <packed/t.fxt)" -le $((5 * n)) ]
check "the plain file: told" has log '^plain/t.fxt: [0-9.]+ MiB, plain FxT\.'
zstd -qdc packed/t.fxt >dc.fxt 2>dc.err
check "the plain file: zstd gives the same" cmp dc.fxt plain/t.fxt
check "the plain file: FxT's own reader takes it" trace_valid plain/t.fxt
check "the plain file: all events are in it" same "$(told plain/t.fxt)" "$n"
check "the plain file: fxt_print sees the same" \
    same "$(fxt_print -d -f plain/t.fxt 2>/dev/null | grep -cE '	 *1[0-9a-f]{6}\(')" "$n"

# alike WORDS...: a command says the same of both files, and writes the same
alike() {
    for d in plain packed; do
        (cd $d && "$eztsh" -nx -batch -ex "$*" >../$d.said 2>&1 </dev/null) || fail "$*: $d" $d.said
    done
    check "alike: $*" cmp plain.said packed.said
}
alike 'stats t.fxt -sort self'
alike 'stats t.fxt -from 1ms -to 3ms'
alike 'events 100 t.fxt'
alike 'timeline t.fxt'
alike 'info histogram twice t.fxt'
alike 'trace repair t.fxt'
for fmt in csv chrome folded speedscope callgrind html paje; do
    alike "convert t.fxt -t $fmt -o out.$fmt"
    for f in plain/out.$fmt*; do
        check "alike: ${f#plain/}" cmp "$f" "packed/${f#plain/}"
    done
done
cp plain/t.fxt packed/other.fxt # one of each kind
cp plain/t.fxt plain/other.fxt
alike 'stats t.fxt other.fxt'
zstd -q plain/t.fxt -o whole.fxt
check "what zstd made of a plain trace is read too" same "$(told whole.fxt)" "$n"

# ---- while it is written; and the shell is killed ---------------------------------------------------------
at_least() { say 'info trace' && [ "$(sed -n 's/.* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 1)" -ge "$1" ]; }
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say 'set trace-compress on'
say 'trace live.fxt'
say 'probe beat'
say 'continue &'
check "while it is written: events arrive" until_ok 20 at_least 20000
say 'stats'
check "while it is written: it is read" \
    [ "$(sed -n 's/^\([0-9]*\) events in.*/\1/p' log | tail -n 1)" -ge 20000 ]
say 'trace export early.fxt'
say 'interrupt' # the trace would grow by 10 M events in each second that the next checks take
check "while it is written: the plain file of it so far" trace_valid early.fxt
check "while it is written: it ends with a whole event" [ "$(told early.fxt)" -ge 20000 ]
say 'continue &'
check "49 a compressed trace: events arrive" until_ok 40 at_least 400000
shell_kill
left=$(told live.fxt)
check "49 a compressed trace: what was recorded is there" [ "$left" -ge 400000 ]
# A kill in the middle of a write leaves the last frame cut: then zstd says just that, after all before it.
only_cut() { [ "$1" -eq 0 ] && [ ! -s dc.err ] || { grep -q 'premature end' dc.err && same "$(grep -c . dc.err)" 1; }; }
zstd -qdc live.fxt >dc.fxt 2>dc.err
check "49 a compressed trace: zstd finds nothing amiss but a cut end" only_cut $?
check "49 a compressed trace: zstd gives all of it" same "$(told dc.fxt)" "$left"
batch -ex 'trace repair live.fxt'
check "49 a compressed trace: it is mended" has log '^live.fxt: [0-9]+ records[;,] '
check "49 a compressed trace: then it is small" [ "$(wc -c <live.fxt)" -le $((5 * left)) ]
batch -ex 'trace export mended.fxt live.fxt'
check "49 a compressed trace: then FxT's own reader takes its plain file" trace_valid mended.fxt
check "49 a compressed trace: then it has the same events" same "$(told live.fxt)" "$left"
batch -ex 'trace repair live.fxt'
check "49 a compressed trace: once is enough" has log '^live.fxt: nothing to repair'
batch -p "$pid" -ex detach
touch stop
reap "$pid"
check "49 a compressed trace: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- a file that was cut ------------------------------------------------------------------------------------
head -c $(($(wc -c <packed/t.fxt) * 2 / 3)) packed/t.fxt >cut.fxt
batch -ex 'stats cut.fxt'
check "a file that was cut: said in one line" \
    same "$(grep -cE 'cut\.fxt: the last [0-9]+ bytes are not a complete zstd frame, and are left out' log)" 1
check "a file that was cut: the rest is read" [ "$(told cut.fxt)" -ge $((n / 3)) ]

# ---- no room ------------------------------------------------------------------------------------------------
native=$("$targets/p_app" 600000 exit=9)
full() { # NAME FILE: after a run whose trace found no room
    check "57 $1: same output" same "$(cat t.out)" "$native"
    check "57 $1: told" has log '^Trace lost: The trace ended early: .*; the target runs on, its events are counted'
    check "57 $1: the ledger adds up and shows the loss" awk '
        / hits = / { h = $1; r = $4; f = $7; u = $10; d = $13 + 0 }
        END { exit !(h > 2000000 && r > 1000 && u > 1000 && h == r + f + u + d) }' log
    recorded=$(sed -n 's/^[0-9]* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 1)
    check "57 $1: what is counted as recorded is in the file" same "$(told "$2")" "$recorded"
    zstd -qdc "$2" >dc.fxt 2>dc.err
    check "57 $1: zstd gives all of it" same "$(cat dc.err)$(told dc.fxt)" "$recorded"
}
cat >full.ezt <<'EOT'
set trace-compress on
trace full.fxt
probe -r .
run 600000 exit=9 >t.out
info trace
EOT
(ulimit -S -f 8192 && "$eztsh" -nx -batch -x full.ezt "$targets/p_app") >log 2>&1 </dev/null
full "a compressed trace, soft limit of 4 MiB" full.fxt
mkdir disk
if mount -t tmpfs -o size=3m none disk 2>/dev/null; then
    mounted=$work/disk
    sed -i 's|^trace .*|trace disk/full.fxt|' full.ezt
    batch -x full.ezt "$targets/p_app"
    full "a compressed trace, full disk" disk/full.fxt
    umount disk && mounted=
else
    skip "57 a compressed trace, full disk: no file system can be mounted"
fi
finish

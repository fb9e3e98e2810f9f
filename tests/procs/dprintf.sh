#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dprintf.sh - `dprintf LOCATION,"FORMAT",EXPR,...`: what C's printf would print, each line once, in the order of
# time, while the trace has the values too; wrong formats are refused when they are set.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_data

# ---- values ----------------------------------------------------------------------------------------
cat >script.ezt <<'END'
dprintf work , "<%d|%5ld|%-4u|%x|%X|%o|%c|%.2f|%e|%g|%s|%8.2s|%p|100%%>\n",n,n,n,n+10,n+10,n+8,65+n,d,d,d,s,s,r
dprintf jumped_to,"plain\tline\n"
condition 2 n == 1
run 1 3 >t.out 2>claims
END
batch -x script.ezt "$prog"
cp log printed
check 'all conversions' has printed '^<0\|    0\|0   \|a\|A\|10\|A\|0\.00\|0\.000000e\+00\|0\|zero\|      ze\|(0x[0-9a-f]+|\(nil\))\|100%>$'
check 'of the next call' has printed '^<1\|    1\|1   \|b\|B\|11\|B\|0\.25\|2\.500000e-01\|0\.25\|one\|      on\|'
check 'a line without values, and a condition' same "$(grep -c '^plain	line$' printed)" 1
batch -ex "events $(echo ./*.fxt) 100"
check 'the trace has the values' has log 'event work  n=1 n#2=1 .* s="one" '
batch -ex 'dprintf deep,"a"' -ex 'passcount 2 1' -ex 'run 1 3 >t.out 2>claims' "$prog"
check 'what has no newline stays one line' has log '^aa$'
batch -ex 'dprintf work,"%s.\n",$arg1' -ex 'dprintf jumped_to,"%d %lx\n",$arg0,$arg0' -ex 'run 1 2 >t.out 2>claims' "$prog"
check 'without types' has log '^one\.$'
check 'integers without types' has log '^1 1$'
batch -ex 'set max-string 2' -ex 'dprintf work,"%s.\n",s' -ex 'run 1 1 >t.out 2>claims' "$prog"
check 'a text is cut' has log '^ze\.$'
batch -ex 'dprintf work,"%d %s.\n",r->key,s' -ex 'run 1 6 >t.out 2>claims' "$prog"
check 'what cannot be read' has log '^<fault> '

# ---- each once, in order ---------------------------------------------------------------------------
batch -ex 'set pagination off' -ex 'dprintf work,"%ld %d\n",$thread,n' -ex 'run 8 5000 >t.out 2>claims' -ex 'info probes' "$prog"
grep -E '^[0-9]+ [0-9]+$' log >lines
check 'threads: each call is a line' same "$(wc -l <lines)" 40000
check 'threads: none twice' same "$(sort -u lines | wc -l)" 40000
cat >order.py <<'END'
last = {}
for line in open("lines"):
    t, n = map(int, line.split())
    assert n == last.get(t, -1) + 1, line
    last[t] = n
END
check 'threads: each in its order' python3 order.py
batch -ex "events $(ls -t ./*.fxt | head -n 1) 10000000"
sed -n 's/^ *\([0-9.]*\) ms .*event work  $thread=\([0-9]*\) n=\([0-9]*\)$/\1 \2 \3/p' log >traced
cat >order.py <<'END'
# of one nanosecond, hits of several processors have no order
from itertools import groupby
lines = [l.strip() for l in open("lines")]
at = 0
for when, hits in groupby((l.split(" ", 1) for l in open("traced")), lambda h: h[0]):
    hits = sorted(h[1].strip() for h in hits)
    assert hits == sorted(lines[at:at + len(hits)]), (at, when, hits)
    at += len(hits)
assert at == len(lines), (at, len(lines))
END
check 'threads: all in the order of the trace' python3 order.py

# ---- while it is looked at -------------------------------------------------------------------------
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say 'dprintf beat,"beat\n"'
say 'passcount 50 1'
say 'continue &'
beats() { [ "$(grep -c '^beat$' log)" = 50 ]; }
check 'background: lines come by themselves' until_ok 20 beats
see_own_end
check 'background: the program is right' same "$trc" 0
batch -ex 'dprintf work,"n=%d\n",n' -ex 'probe entry -count work if n == 3 do stop' -ex 'run 1 9 >t.out 2>claims' \
    -ex 'echo stopped\n' -ex 'info probes' "$prog"
check 'stop: lines come before it' same "$(sed -n '/^n=/p; /hit probe/q' log | tail -n 1)" 'n=3'
check 'stop: and none behind' same "$(sed '1,/hit probe/d' log | grep -c '^n=')" 0
check 'info probes tells it' has log '^1  *entry  *print '
check 'info probes tells the format' grep -qF 'Probe 1 prints "n=%d\n",n' log

# ---- wrong ones ------------------------------------------------------------------------------------
wrong() { # ARGUMENTS MESSAGE
    batch -ex "dprintf work$1" -ex 'info probes' "$prog"
    check "wrong: $1" has log "$2"
    check "wrong: $1 leaves no probe" has log '^No probes\.'
}
wrong '' '^Format string required'
wrong ',n' '^Format string required'
wrong ',"%d' "non-terminated"
wrong ',"%d"' 'an argument is missing'
wrong ',"%d",n,n' 'there are more arguments than conversions'
wrong ',"%q",n' '"%q" is not a conversion'
wrong ',"%*d",n,n' '"%\*" is not a conversion'
wrong ',"%n",n' '"%n" is not a conversion'
wrong ',"%s",n' '"%s" needs a string, but n has type int'
wrong ',"%f",n' '"%f" needs a floating point number, but n has type int'
wrong ',"%d",d' '"%d" needs an integer, but d has type double'
wrong ',"%d",s' '"%d" needs an integer, but s has type const char \*'
wrong ',"%d",sizeof(n)' '"%d" needs an int, but sizeof\(n\) has 8 bytes'
wrong ',"%99999999999d",n' 'is too large'
wrong ',"%d" n' 'Invalid argument syntax'
wrong ',"%d",nosuch' 'No symbol "nosuch" in current context'

# ---- lines without end ------------------------------------------------------------------------------
rm -f stop ./*.fxt
target "$targets/p_loop" stop
some='[ "$(cat p_loop-*.fxt | wc -c)" -gt 20000 ]'
printf '%s\n' 'dprintf pulse,"pulse %d\n",1' 'continue &' "shell until $some; do sleep 0.02; done" detach 'echo over\n' |
    timeout -k 5 $limit "$eztsh" -nx -p "$pid" >log 2>&1
rc=$?
check 'without end, in the background: lines come' has log '^pulse 1$'
check 'without end, in the background: the next command is heard' has log '^over$'
check 'without end, in the background: the shell ends' same "$rc" 0
touch stop
reap "$pid"
check 'without end, in the background: the program ends well' same "$trc" 0

# ---- a program that writes to the same file --------------------------------------------------------
batch -ex 'dprintf libc.so.6:write,"it writes %d bytes\n",$arg2' \
    -ex 'run -c "i=0; while [ \$i -lt 20000 ]; do echo program line; i=\$((i + 1)); done"' /bin/sh
check 'one file: the lines are there' [ "$(grep -c '^it writes 13 bytes$' log)" = 20000 ]
check 'one file: and the program'\''s' [ "$(grep -c '^program line$' log)" = 20000 ]
check 'one file: each whole' same "$(grep -E 'it writes|program line' log | grep -vcE '^(it writes [0-9]+ bytes|program line|Starting program: .*)$')" 0
finish

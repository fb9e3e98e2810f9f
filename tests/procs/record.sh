#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.sh - `eztsh record`: one line from a program to its trace. The program's output, status and signals are its
# own; the trace has exactly the calls that the program made.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
need strip

# calls_of FILE: the sum of the column Calls of `stats`, without rows like [slept]
calls_of() {
    "$eztsh" -nx stats "$1" -json |
        python3 -c 'import json, sys
print(sum(r["calls"] for r in json.load(sys.stdin)["rows"] if r["function"][0] != "["))'
}
calls_in() { "$eztsh" -nx stats "$1" -json | python3 -c 'import json, sys
print(sum(r["calls"] for r in json.load(sys.stdin)["rows"] if r["function"] == sys.argv[1]))' "$2"; }
recorded() { # ARG...: stdout in t.out, stderr in log, status in $rc
    rm -f ./*.fxt
    timeout -k 5 $limit "$eztsh" -nx record "$@" >t.out 2>log </dev/null
    rc=$?
}
said() { sed -nE 's/^Recorded (a part of )?([0-9]+) calls? of .*/\2/p' log; }

# ---- all functions -------------------------------------------------------------------------------
"$targets/p_app" 7 exit=3 >n.out
recorded "$targets/p_app" 7 exit=3
check 'status: the program'"'"'s' same "$rc" 3
check 'standard output: the program'"'"'s alone' cmp n.out t.out
check 'the trace is named' has log "^Recorded [0-9]+ calls of [0-9]+ functions in $work/p_app-[0-9]+\\.fxt\\.\$"
check 'so is what to type next' has log "^\"eztsh stats $work/p_app-[0-9]+\\.fxt\" shows the times of each function"
check 'nothing else is printed' same "$(wc -l <log)" 2
check 'the calls are those of the trace' same "$(said)" "$(calls_of "$work"/p_app-*.fxt)"
check 'each call of a function' same "$(calls_in "$work"/p_app-*.fxt area)" 7
next=$(sed -n 's/^"\(eztsh stats [^"]*\)".*/\1/p' log)
eztsh() { "$eztsh" -nx "$@"; }
check 'what to type next works' eval "$next"

# A program that executes another one has a trace for each.
recorded sh -c "exec '$targets/p_app' 7"
check 'exec: both traces' has log "^Recorded [0-9]+ calls of [0-9]+ functions in $work/sh-[0-9]+\\.fxt, $work/p_app-[0-9]+\\.fxt\\.\$"
check 'exec: the calls of both' same "$(said)" "$(($(calls_of "$work"/sh-*.fxt) + $(calls_of "$work"/p_app-*.fxt)))"
check 'exec: both are named' has log "^\"eztsh stats $work/sh-[0-9]+\\.fxt $work/p_app-[0-9]+\\.fxt\" shows"

# ---- options and words ---------------------------------------------------------------------------
recorded -F '^twice$' -F '^area$' --budget 0 -o 'a b.fxt' "$targets/p_app" 5
check '-F, -o: the file' test -s 'a b.fxt'
check '-F: these functions' same "$(said) $(calls_in 'a b.fxt' twice) $(calls_in 'a b.fxt' area)" '10 5 5'
check '-o: no other trace' same "$(ls ./*.fxt)" './a b.fxt'
check 'the name is quoted' has log "eztsh stats 'a b\\.fxt'"
echo precious >kept.fxt
timeout -k 5 $limit "$eztsh" -nx record -o kept.fxt "$targets/p_app" 5 >t.out 2>log </dev/null
check '-o: a file that is no trace stays' same "$? $(cat kept.fxt) $(cat t.out)" '1 precious '
rm kept.fxt
cat >words.c <<'END'
#include <stdio.h>
__attribute__((noipa)) static void show(const char *word) { printf("<%s>\n", word); }
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        show(argv[i]);
    return 0;
}
END
$CC -O1 -o words words.c || exit 99
set -- -o x -- --help '' 'a b' "it's" '#c' '$HOME' 'x;y' '*' '"' 'back\slash' '-F' 'two
lines'
./words "$@" >n.out
recorded -F show ./words "$@"
check 'arguments reach the program unchanged' cmp n.out t.out
check 'one call for each' same "$(said)" $#
# The functions of the startup files, such as frame_dummy, are not the program's.
timeout -k 5 $limit "$eztsh" -nx -batch -ex 'record -o all.fxt ./words a b' -ex 'info probes -all' >log 2>&1
check 'all functions: those of the program' same "$(awk '$2 == "both" { print $7 }' log | sort | xargs)" 'main show'
check 'all functions: their calls' has log '^Recorded 3 calls of 2 functions in all\.fxt\.$'
timeout -k 5 $limit "$eztsh" -nx -batch -ex 'record -F ^frame_dummy$ -F ^_init$ -o all.fxt ./words a' \
    -ex 'info probes -all' >log 2>&1
check '-F: those of the startup files, too' same "$(awk '$2 == "both" { print $7, $6 }' log | sort | xargs)" \
    '_init 1 frame_dummy 1'
recorded -F show -- ./words a
check '-- ends the options' same "$(cat t.out) $(said)" '<a> 1'
timeout -k 5 $limit "$eztsh" -nx record --help >t.out 2>&1 </dev/null
check '--help' has t.out '^Usage: record \[-F REGEX\]\.\.\. '
mkdir there && cp words there/record
recorded -F show ./there/record a
check 'a program called record' same "$(cat t.out) $(said)" '<a> 1'
PATH=$work/there:$PATH timeout -k 5 $limit "$eztsh" -nx record -F show record a >t.out 2>log </dev/null
check 'found on PATH, behind the word' same "$(cat t.out) $(said)" '<a> 1'
echo 'in a pipe' >in.txt
"$eztsh" -nx record cat <in.txt 2>log | cat >t.out
check 'standard input is the program'"'"'s, too' same "$(cat t.out)" 'in a pipe'

# ---- errors --------------------------------------------------------------------------------------
recorded ./nosuch
check 'no such program' same "$rc $(cat log)" '1 ./nosuch: No such file or directory.'
recorded -F nosuch ./words a
check 'no such function' same "$rc $(cat t.out)" '1 '
check 'no such function: an error' has log '^No function matches "nosuch"\.'
recorded -F main ./words
check 'a call' same "$rc $(said)" '0 1'
recorded -F show ./words
check 'no call' same "$rc $(cat log)" '1 No call was recorded. Probed functions, none of which the program called: 1.'
EZTRACE_TRACE_DIR=$work/nowhere
recorded -F main ./words
check 'no place for the trace: the program runs' same "$rc $(cat t.out)" '1 '
check 'no place for the trace: an error' has log '^Trace lost: .*nowhere'
EZTRACE_TRACE_DIR=$work

# ---- signals -------------------------------------------------------------------------------------
recorded "$targets/p_app" 2 raise=11
check 'killed by a signal: the status' same "$rc" 139
check 'killed by a signal: a line' has log '^Program terminated with signal SIGSEGV, Segmentation fault\.$'
check 'killed by a signal: the trace' same "$(calls_in "$work"/p_app-*.fxt area)" 2
# The trace has each signal, in the thread that got it, inside the call in which it came.
cat >heard.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t heard;
__attribute__((noipa)) static void hear(int sig) { heard += sig == SIGUSR1; }
__attribute__((noipa)) static void ring(int sig) { raise(sig); }
__attribute__((noipa)) static void *worker(void *arg)
{
    ring(SIGUSR2);
    printf("%d\n", gettid());
    return arg;
}
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, hear);
    signal(SIGUSR2, hear);
    for (int i = 0; i < 3; i++)
        ring(SIGUSR1);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    printf("%d\n", heard);
    fflush(stdout);
    ring(SIGABRT);
}
END
$CC -O1 -pthread -o heard heard.c || exit 99
recorded ./heard
check 'signals: the program gets them' same "$rc $(tail -n 1 t.out)" '134 3'
"$eztsh" -nx replay -json heard-*.fxt >replay.json
cat >heard.py <<'END'
import json
rows, around, got = json.load(open("replay.json"))["rows"], {}, []
for r in rows:
    stack = around.setdefault(r["tid"], [])
    if r["kind"] == "entry":
        stack.append(r["function"])
    elif r["kind"] == "exit":
        stack.pop()
    elif r["kind"] == "event":
        got.append((r["function"], r["library"], [f for f in stack if f[0] != "["][-1], r["tid"]))
main = rows[0]["tid"]
worker = int(open("t.out").readline())
assert got == [("SIGUSR1", "signal", "ring", main)] * 3 + [("SIGUSR2", "signal", "ring", worker),
                                                           ("SIGABRT", "signal", "ring", main)], got
END
check 'signals: each is in the trace' python3 heard.py
"$eztsh" -nx replay heard-*.fxt >replay.txt
check 'signals: replay prints them as strace does' same \
    "$(sed -nE 's/.*\] \| *--- (.*) ---$/\1/p' replay.txt | xargs)" 'SIGUSR1 SIGUSR1 SIGUSR1 SIGUSR2 SIGABRT'
batch -return-child-result -ex 'handle SIGUSR1 nostop noprint nopass' -ex 'record -o heard.fxt ./heard'
check 'signals: the program does not get it' has log '^0$'
check 'signals: so the trace does not have it' same "$(calls_in heard.fxt SIGUSR1) $(calls_in heard.fxt SIGABRT)" '0 1'
batch -ex 'trace given.fxt' -ex 'probe ring' -ex 'handle SIGUSR1 stop print pass' -ex 'run >t.out' \
    -ex 'handle SIGUSR1 nostop noprint' -ex 'handle SIGUSR2 nostop noprint' -ex 'signal SIGUSR2' ./heard
check 'signals: a signal of the user comes in place of another' same "$(tail -n 1 t.out)" 2
check 'signals: the trace has the signal of the user, not the other' same \
    "$(calls_in given.fxt SIGUSR1) $(calls_in given.fxt SIGUSR2)" '2 2'
batch -ex 'trace none.fxt' -ex 'probe ring' -ex 'handle SIGUSR1 stop print pass' -ex 'run >t.out' -ex 'signal 0' \
    -ex 'handle SIGUSR1 nopass' -ex continue -ex 'handle SIGUSR1 nostop pass' -ex continue ./heard
check 'signals: the user takes one away, and handle another' same "$(tail -n 1 t.out)" 1
check 'signals: the trace has only the one that the program got' same \
    "$(calls_in none.fxt SIGUSR1) $(calls_in none.fxt SIGUSR2) $(calls_in none.fxt SIGABRT)" '1 1 1'
batch -ex 'trace dies.fxt' -ex 'probe ring' -ex 'handle SIGUSR1 stop print pass' -ex 'run >t.out' -ex kill ./heard
check 'signals: the program is killed at its stop' same "$(calls_in dies.fxt SIGUSR1)" 1
batch -ex 'trace ends.fxt' -ex 'probe ring' -ex 'handle SIGUSR1 stop print pass' -ex 'run >t.out' -ex 'trace stop' \
    -ex 'stats ends.fxt' -ex 'signal 0' -ex kill ./heard
check 'signals: the trace ends at the stop' same "$(calls_in ends.fxt SIGUSR1)" 1
# The shell gets the signal, as from a terminal without job control or from `timeout`: the program ends of it.
cat >beats.c <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((noipa)) static void beat(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
    beat();
    close(creat(argv[argc - 1], 0600));
    for (;;)
        beat(), usleep(1000);
}
END
$CC -O1 -o beats beats.c || exit 99
for sig in INT:130 TERM:143; do
    rm -f ./*.fxt called
    # (a shell lets what it puts in the background ignore SIGINT)
    env --default-signal=INT timeout -k 5 $limit "$eztsh" -nx record -F beat -o "$sig.fxt" ./beats called \
        >t.out 2>log </dev/null &
    shell=$!
    children="$children $shell"
    until_ok 20 test -e called
    tracer=$(pgrep -P "$shell" | head -n 1)
    kill -"${sig%:*}" "$tracer"
    reap "$shell"
    check "SIG${sig%:*}: the program ends, with this status" same "$trc" "${sig#*:}"
    check "SIG${sig%:*}: the trace has the calls until then" test "$(said)" -gt 0
    check "SIG${sig%:*}: it is whole" "$eztsh" -nx stats "$sig.fxt"
done

# ---- the budget ----------------------------------------------------------------------------------
# Two seconds of a processor are many rounds of the budget, however busy the machine is.
cat >hot.c <<'END'
#include <stdio.h>
#include <time.h>
__attribute__((noipa)) static void hot(unsigned *n) { ++*n; }
int main(void)
{
    unsigned n = 0;
    while (clock() < 2 * CLOCKS_PER_SEC)
        for (int i = 0; i < 10000; i++)
            hot(&n);
    printf("%u\n", n);
    return 0;
}
END
$CC -O1 -o hot hot.c || exit 99
recorded -budget 1 -F hot ./hot
check 'budget: a part' has log "^Recorded a part of $(cat t.out) calls of 1 function in "
check 'budget: an account' has log ' hits = [0-9]+ recorded \+ [1-9][0-9]* filtered \+ 0 untraced \+ 0 dropped'
check 'budget: its reason' has log '^The budget of 1 % of the processor time left out the filtered hits: "-budget 0" records all\.$'

# ---- programs without names ----------------------------------------------------------------------
cat >plain.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noipa)) static int step(int n) { return n + getpagesize(); }
int getpagesize(void);
int main(int argc, char **argv)
{
    volatile int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += step(i) + atoi(argv[1]) + (int)strlen(argv[1]);
    return sum == 0;
}
END
sed -i '1i #define _DEFAULT_SOURCE\n#include <unistd.h>' plain.c
$CC -O1 -fno-builtin -o plain plain.c && strip plain || exit 99
recorded ./plain 3
file=$(echo "$work"/plain-*.fxt)
check 'stripped: functions of libraries by name' same "$(calls_in "$file" getpagesize)" 5
check 'stripped: its own by address' same "$("$eztsh" -nx stats "$file" -json | python3 -c 'import json, sys
print(max(r["calls"] for r in json.load(sys.stdin)["rows"] if r["function"].startswith("fde_")))')" 5
check 'stripped: each call once' same "$(said)" "$(calls_of "$file")"
recorded -F 'getpagesize' ./plain 3
check 'stripped: -F names no function of a library' has log '^No function matches "getpagesize"'
recorded -F '*:^getpagesize$' ./plain 3
check 'stripped: unless it says so' same "$(said)" 5
recorded ls /
check 'ls: an answer' has log '^Recorded [0-9]{2,} calls of [0-9]{2,} functions in '
file=$(echo "$work"/ls-*.fxt)
check 'ls: with names' test "$(calls_in "$file" opendir)" -ge 1
check 'ls: each call once' same "$(said)" "$(calls_of "$file")"

# ---- arguments: those of functions with debug information and of the C library, the others without ----------------
cat >known.c <<'END'
#include <stdlib.h>
int unknown(int n);
__attribute__((noipa)) static int twice(int n) { return 2 * n; }
__attribute__((noipa)) static void nothing(const char *text) { (void)text; }
int main(int argc, char **argv)
{
    nothing(argv[1]);
    return twice(unknown(atoi(argv[1]))) != 14;
}
END
echo 'int unknown(int n) { return n + 4; }' >unknown.c
$CC -O1 -c -o unknown.o unknown.c && $CC -O0 -g -fno-builtin -o known known.c unknown.o || exit 99
recorded -A -F '^(twice|nothing|unknown)$' -F 'libc.so.6:^(atoi|getpid)$' ./known 3
"$eztsh" -nx replay "$work"/known-*.fxt 2>&1 | sed 's/.*| *//' | grep '(' >replay.out
check '-A: arguments and results that are known' same "$(cat replay.out)" 'nothing(text="3");
atoi(s="3") = 3;
unknown();
twice(n=7) = 14;'
batch -ex 'probe -A twice collect argc' -ex 'probe entry -A twice' -ex 'probe -r -A ^twice$' -ex 'save probes saved.ezt' known
check '-A: as "collect" and "return"' same "$(grep -v argc saved.ezt | grep -o 'collect.*')" 'collect $args?
collect $args? return $ret?'

# ---- modules -------------------------------------------------------------------------------------
recorded -m memory "$targets/p_memory" 1 10 2
check '-m: calls of its functions' has log '^Recorded [0-9]+ calls of [0-9]+ functions in '
check '-m: its events' has log '^The trace has [1-9][0-9]* events\.$'
"$eztsh" -nx stats "$work"/p_memory-*.fxt >stats.out 2>&1
check '-m: its data' has stats.out '^Memory used '
recorded -m memory -F '^main$' "$targets/p_memory" 1 10 2
check '-m and -F' has log '^Recorded 1 call of 1 function and, by modules, [0-9]+ calls of [0-9]+ functions in '
finish

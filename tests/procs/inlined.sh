#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# inlined.sh - frames of inlined functions: what frame, up, down, print, info locals, info args, info frame, list and
# finish say in each of them is what gdb says: at breakpoints on lines of inlined functions, before their calls, in a
# signal's handler and in its callers, at each instruction of one; in C and C++, with probes and without.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc gdb

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL

line() { grep -n "$1" "$source" | head -n 1 | cut -d : -f 1; } # PATTERN: its number

# What is said of frames, lines and values, without folders and addresses. What gdb tells twice of one name (of the
# second it knows no place) is told once.
spoken() { # LOG
    sed -E "s|[^ (]*/t_inl|t_inl|g; s/0x[0-9a-f]+/ADDR/g; s/\\$[0-9]+ = /value = /; s/^ rip = / pc = /; s/saved rip/saved pc/
        s/(reakpoint) [0-9]+,/\1 N,/; s/^( inlined into frame [0-9]+),.*/\1/" "$1" |
        grep -E '^(#[0-9]+ +)?(ADDR in )?[a-z_:<>()A-Z ]+ \(.*\) at t_inl|signal handler|^(ADDR.)?[0-9]+	|^[a-z]+ = |^[A-Z].* at t_inl|^ pc = .*t_inl|^ inlined into|^No (locals|arg)' |
        grep -vE '^(Temporary b|B)reakpoint [0-9]+ at |^Run till exit' |
        awk '!/^[a-z]+ = / { split("", had); print; next } $1 == "value" || !had[$1]++'
}
both() { # TITLE SCRIPT LEAST: the script's answers are gdb's, so many lines at least
    {
        gdb_quiet
        printf '%s\n' 'handle SIGUSR1 nostop noprint'
        cat "$2"
    } >theirs.gdb
    timeout -k 5 $limit gdb -nx -q -batch -x theirs.gdb --args ./prog go >theirs.log 2>&1 </dev/null
    spoken theirs.log >theirs
    for plant in echo "probe $functions"; do
        { printf '%s\n' 'handle SIGUSR1 nostop noprint' "$plant"; cat "$2"; } >ours.ezt
        timeout -k 5 $limit "$eztsh" -nx -batch -x ours.ezt --args ./prog go >log 2>&1 </dev/null
        spoken log >ours
        check "$1, ${plant%% *}: says what gdb says" diff theirs ours
        check "$1, ${plant%% *}: $3 lines at least" [ "$(wc -l <ours)" -ge "$3" ]
        rm -f ./*.fxt
    done
}
look() { # FRAME...: all that can be asked in each
    for n; do printf '%s\n' "frame $n" 'info locals' 'info args' 'info frame' list; done
}

batch -ex 'tbreak main' -ex run "$targets/p_types"
if has log 'Cannot insert hardware|no hardware breakpoints'; then
    skip "inlined: no breakpoints of the processor"
    exit 0
fi

# ---- C ----------------------------------------------------------------------------------------------------
source=$sources/t_inlined.c functions='down compare raise'
{
    echo "break $(line middle)"
    echo run
    look 0 1 2
    printf '%s\n' 'frame 0' 'print why' 'print twice' 'print p->y' up 'print kept' 'print inner' 'print n' 'bt 3' up \
        'print local' 'print sig' down 'print inner' 'frame 1' 'print n + kept'
} >within
{
    echo "break $(line 'raise(SIGUSR1)')"
    echo run
    look 0 1 2 3 4 5 6
    printf '%s\n' 'frame 1' 'print left' up 'print here' 'print n' 'up 2' 'print here' 'down 3' 'print left' 'up 5' \
        'print kept' 'bt 7' 'down 9' 'print here'
} >callers
{
    printf '%s\n' "tbreak $(line 'before leaf')" run 'bt 3' "tbreak $(line 'behind leaf')" continue 'bt 3' \
        'info locals' "tbreak $(line 'in the handler')" finish 'bt 2'
} >lines
{
    printf '%s\n' "break $(line 'middle')" run finish 'bt 3' finish 'bt 2'
} >out
{
    printf '%s\n' "break $(line 'middle')" run up finish 'bt 2'
} >out_of_the_next
{
    printf '%s\n' "break $(line 'raise(SIGUSR1)')" run 'frame 1' finish 'bt 3'
} >out_of_a_caller
{
    printf '%s\n' 'tbreak main' run 'tbreak *on_signal' continue 'bt 2'
    for i in $(seq 24); do printf '%s\n' stepi 'bt 2'; done
} >each_instruction
{
    printf '%s\n' 'tbreak begins if n == 2' run 'bt 2' 'info args' 'info locals' 'print n' list "tbreak $(line 'first line') if n == 2" \
        continue 'bt 2' 'info locals' 'print n' finish
} >before
for by in 'gcc -O2' 'clang -O2' 'gcc -O1 -gdwarf-4'; do
    compiled "inlined: $by" $by -g "$source" || continue
    for script in within callers lines out out_of_the_next out_of_a_caller before each_instruction; do both "$by, $script" $script 5; done
done

# ---- a header in another folder ---------------------------------------------------------------------------
mkdir -p part/head elsewhere
cat >part/head/h.h <<'EOC'
static volatile int sink;
static inline __attribute__((always_inline)) void inner(int n)
{
    sink = n;
    sink = n + 1;
}
static inline __attribute__((always_inline)) void outer(int n)
{
    sink = n;
    inner(n + 1); /* here */
    sink = n;
}
EOC
printf '%s\n' '#include "h.h"' 'int main(int argc, char **argv)' '{' '    outer(argc); /* and here */' '}' >part/a.c
if (cd part && gcc -g -O2 -Ihead a.c -o a); then
    (cd elsewhere && "$eztsh" -nx -batch -ex 'break h.h:5' -ex run -ex 'bt -1' -ex up -ex up -ex list ../part/a) >log 2>&1
    check "a header: its line is found" has log '^10	    inner\(n \+ 1\); /\* here'
    check "and that of the unit" has log '^4	    outer\(argc\); /\* and here'
    check "one name of the folder for both" same "$(sed -n 's|^#1 .* at \(.*\)/head/h.h:10|\1|p' log | head -n 1)" \
        "$(sed -n 's|^#2 .* at \(.*\)/a.c:4|\1|p' log | head -n 1)"
fi

# ---- for programs -----------------------------------------------------------------------------------------
source=$sources/t_inlined.c
if compiled "inlined: tables" gcc -O2 -g "$source"; then
    batch -ex "break $(line middle)" -ex 'handle SIGUSR1 nostop noprint' -ex run -ex 'bt -json' -ex up -ex 'info frame -json' \
        --args ./prog go
    check "bt -json tells which are inlined" has log '"function": "around".*"inlined": true'
    check "and which are not" has log '"function": "on_signal".*"inlined": false'
    check "info frame -json tells into which" has log '"inlined_into": 2'
    check "names of an inner function are unknown outside" same \
        "$("$eztsh" -nx -batch -ex "break $(line middle)" -ex 'handle SIGUSR1 nostop noprint' -ex run -ex up -ex 'print twice' \
            --args ./prog go 2>&1 | tail -n 1)" 'No symbol "twice" in current context.'
    batch -ex "break $(line middle)" -ex 'handle SIGUSR1 nostop noprint' -ex run -ex up -ex 'set var kept = 77' -ex 'print kept' \
        -ex 'frame 0' -ex 'probe down' -ex frame --args ./prog go
    check "a variable of the frame that is selected is set" has log ' = 77$'
fi

# ---- C++ --------------------------------------------------------------------------------------------------
source=$sources/t_inlined.cc functions='geo::shape::measure geo::entry'
{
    printf '%s\n' "break $(line 'sides += got')" run 'bt 9'
    look 0 1 2 3 4 5
    printf '%s\n' 'frame 0' 'print base' 'print p.y' 'print *this' 'print sides' 'print got' up 'print level' \
        'print p->x' 'frame 4' 'print x' 'print p' 'print s' up 'print here' 'print s' 'frame 0' finish 'bt 2'
} >members
for by in 'g++ -O2' 'clang++ -O2'; do
    compiled "inlined: $by" $by -g "$source" && both "$by" members 20
done
# A function that has code of its own, and is inlined, too: a breakpoint on it says where it does not stop.
cat >also.c <<'END'
volatile int v;
int both(int n)
{
    v += n;
    return v;
}
int user(int n)
{
    return both(n) + 1;
}
int main(void)
{
    return user(2) == 99;
}
END
for cc in gcc clang; do
    compiled "also inlined, $cc" $cc -g -O2 also.c || continue
    batch -ex 'break both' -ex 'tbreak user' -ex run -ex 'break also.c:4' -ex 'break *both' -ex 'break main' ./prog
    check "$cc: break: it is inlined, too" has log \
        '^Note: both is also inlined, into (user, main|main, user), where the breakpoint does not stop\. "break also.c:4" stops there, too\.$'
    check "$cc: break: of lines and addresses nothing is said" same "$(grep -c '^Note: both' log)" 1
done
# probe -inline: the calls that the program counts, at each instance that is kept; the others are refused.
cat >sites.c <<'END'
#include <stdio.h>
static unsigned calls;
volatile unsigned sink;
__attribute__((noinline)) static void outside(unsigned n) { sink += n; }
static inline __attribute__((always_inline)) void counted(unsigned n)
{
    __asm__ volatile("" ::: "memory"); /* nothing of the callers moves over the entry */
    outside(n);
    for (unsigned i = 0; i < n; i++)
        outside(i);
    __asm__ volatile("" ::: "memory");
}
static inline __attribute__((always_inline)) void tiny(void)
{
    __asm__ volatile("nop" ::: "memory");
}
__attribute__((noinline)) void one(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        calls++;
        sink++;
        counted(i);
    }
}
__attribute__((noinline)) void two(unsigned n)
{
    tiny();
    if (n % 2) {
        calls++;
        sink--;
        counted(n);
    }
    tiny();
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 7 + argc; i++) {
        one((unsigned)i);
        two((unsigned)i);
    }
    fprintf(stderr, "calls %u\n", calls);
    return 0;
}
END
counts() { awk -v f="$1" '$2 == "entry" && $7 == f { print $6 }' log | sort -n | xargs; }
for cc in gcc clang; do
    for o in -O1 -O2 -O3; do
        compiled "-inline, $cc $o" $cc -g $o sites.c || continue
        batch -ex 'probe -count -inline counted' -ex 'probe -inline tiny' -ex 'run >/dev/null' -ex 'info probes' -ex 'save probes saved' ./prog
        # At -O3, and clang always, some instances are copied: these are refused.
        all=$([ "$cc $o" = 'gcc -O3' ] || [ $cc = clang ] || echo 4 28)
        check "$cc $o: -inline: the calls of each caller" same "$(counts counted)" "${all:-$(counts counted | grep -xE '4|28|4 28')}"
        check "$cc $o: -inline: small ones are refused" has log '^The calls of the [0-9] inlined instances? cannot be counted: (smaller than 16 bytes, and without a call|they can be entered in several ways)\.$'
        check "$cc $o: -inline: as saved" same "$(sort saved)" 'probe -inline -count counted'
        batch -ex 'probe -count -inline-all tiny' -ex 'probe -inline-all counted collect $args?, calls' -ex 'run >/dev/null' -ex 'info probes' ./prog
        check "$cc $o: -inline-all: small ones, too, and a note" has log '^Note: [0-9] of [0-9] inlined instances may be counted wrong:'
        [ $cc = gcc ] && check "$cc $o: -inline-all: their calls" same "$(counts tiny)" '8 8'
        "$eztsh" -nx -batch -ex "stats $(ls ./*.fxt) -json" >stats.json 2>&1
        [ "$all" ] && check "$cc $o: -inline-all: in the trace" same "$(python3 -c '
import json
print([r["calls"] for r in json.load(open("stats.json"))["rows"] if r["function"] == "counted"])')" '[32]'
        rm -f ./*.fxt
    done
done
# Instances that the compiler copied: a loop is peeled, unrolled, or unrolled whole with a way out. The entry leads to
# all copies, and is passed once for several calls. The loop of "rolled" is not copied.
cat >copied.c <<'END'
volatile unsigned sink;
__attribute__((noinline)) static void outside(unsigned n) { sink += n; }
static inline __attribute__((always_inline)) void copied(unsigned n)
{
    __asm__ volatile("" ::: "memory");
    outside(n);
    outside(n + 1);
    __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) void unrolled(unsigned n)
{
    unsigned i = 0;
    do {
        sink++;
        copied(i);
    } while (++i < n);
}
__attribute__((noinline)) void unrolled_whole(unsigned n)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < 4; i++) {
        sink++;
        copied(i + n);
        if (sink == 77)
            break;
    }
}
__attribute__((noinline)) void rolled(unsigned n)
{
#pragma GCC unroll 1
    for (unsigned i = 0; i < 3; i++) {
        sink++;
        copied(i + n);
    }
}
int main(void)
{
    for (unsigned i = 1; i < 11; i++) {
        unrolled(i);
        unrolled_whole(i);
        rolled(i);
    }
    return 0;
}
END
if compiled "-inline, copied" gcc -g -O2 -funroll-all-loops copied.c; then
    batch -ex 'probe -count -inline copied' -ex run -ex 'info probes' ./prog
    check "-inline: copied instances are refused, another one is counted" same "$(counts copied)" 30
fi
# Two instances that begin at one place: both are counted, one is recorded.
cat >nested.c <<'END'
#include <stdio.h>
volatile unsigned sink;
__attribute__((noinline)) static void outside(unsigned n) { sink += n; }
static inline __attribute__((always_inline)) void inner(unsigned n) { __asm__ volatile("":::"memory"); outside(n); outside(n+1); }
static inline __attribute__((always_inline)) void outer(unsigned n) { inner(n); outside(n); __asm__ volatile("":::"memory"); }
__attribute__((noinline)) void user(unsigned n) { sink++; outer(n); sink--; }
int main(void) { for (unsigned i = 0; i < 9; i++) user(i); return 0; }
END
if compiled "-inline, nested" gcc -g -O2 nested.c; then
    batch -ex 'probe -inline inner' -ex 'probe -inline outer' -ex 'probe -count -inline outer' -ex run -ex 'info probes' ./prog
    check "-inline, nested: counted" same "$(counts inner) $(counts outer)" '9 0 9'
    check "-inline, nested: the second is not recorded" has log \
        '^Probe 2 refused: cannot probe outer: an inlined instance of inner begins at the same place, 0x[0-9a-f]+, and only one can be recorded\.$'
fi
# A loop of the instance that begins before its entry, and one whose instructions moved before the entry.
cat >moved.c <<'END'
volatile int sink, rounds;
static inline __attribute__((always_inline)) int moved(int n) { return n * n % 7 * (n + 3) / 5; }
__attribute__((noinline)) int user(int n, int k)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += moved(k);
        sink = s;
    }
    return s;
}
int main(int argc, char **argv) { (void)argv; return user(10 * argc, argc) == -1; }
END
if compiled "-inline, moved" gcc -g -O2 moved.c; then
    batch -ex 'probe -count -inline moved' -ex run -ex 'info probes' -ex 'probe exit -inline moved' -ex 'probe -r -inline moved' -ex 'probe -inline nosuch' ./prog
    check "-inline: code that moved is refused, or counted as often as it runs" same "$(counts moved)" "$(counts moved | grep -x 10)"
    check "-inline: no exit" has log '^An inlined instance is a place in the code: it has no exit\.$'
    check "-inline: not with -r" has log '^-inline is not possible with -r and -stap\.$'
    check "-inline: no such function" has log '^Probe [0-9]+ \(-inline nosuch\) pending: No inlined instance of "nosuch" in the program\.$'
fi
finish

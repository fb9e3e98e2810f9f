#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bt.sh - backtrace and its kin: the calls that are open are those that gdb shows, in C and C++, optimized,
# stripped, static, inlined; through recursion, a signal's handler, PLTs; without probes, and through exits that
# slots and return thunks follow; at each instruction of a stub; from a file whose tables are damaged.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 readelf gcc

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL

theirs() { # PROG COMMAND...: gdb's answer
    prog=$1
    shift
    {
        gdb_quiet
        printf '%s\n' 'handle SIGUSR1 nostop noprint'
        printf '%s\n' "$@"
    } >theirs.gdb
    timeout -k 5 $limit gdb -nx -q -batch -x theirs.gdb "$prog" >theirs 2>&1 </dev/null
}
ours() { # PROG COMMAND...
    prog=$1
    shift
    {
        printf '%s\n' 'set disable-randomization on' 'handle SIGUSR1 nostop noprint' \
            'handle SIGSEGV stop print'
        printf '%s\n' "$@"
    } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx -batch -x ours.ezt "$prog" >ours 2>&1 </dev/null
}
# Frames of the program's own functions: name, arguments, line.
frames() { # FILE
    sed -n 's/^#[0-9]* *//p' "$1" | sed 's/^0x[0-9a-f]* in //' | grep -E 't_frames|t_inlined|^<signal' |
        sed 's| at [^ ]*/| at |; s/0x7f[0-9a-f]*/STACK/g'
}
# Those of the program: of libraries gdb shows functions that are inlined, too.
addresses() { sed -n 's/^#[1-9][0-9]* *\(0x[0-9a-f]*\) in .*/\1/p' "$1" | grep -v '^0x00007'; }
names() { sed 's/ (.* at / at /'; }
begins() { # SHORTER LONGER: has LONGER all lines of SHORTER first?
    [ -s "$1" ] && head -n "$(wc -l <"$1")" "$2" | cmp -s "$1" -
}

none='echo' slots='set exit-mode slots' auto='set exit-mode auto'
have_gdb=true
command -v gdb >/dev/null || { have_gdb=false; echo "skip - bt: comparisons, no gdb"; }

compare() { # TITLE FUNCTIONS HOW LEAST: at the stop of ./prog
    title=$1 functions=$2 how=$3 least=$4
    $have_gdb && theirs ./prog run backtrace
    for mode in "$none" "$slots" "$auto"; do
        plant=echo
        [ "$mode" != echo ] && plant="probe $functions"
        ours ./prog "$mode" "$plant" run 'info probes' backtrace
        if [ "$mode" != echo ]; then
            check "$title, $mode: probes stand" has ours 'both +record +armed'
        fi
        check "$title, $mode: it ends at main" lacks ours 'Backtrace stopped'
        $have_gdb || continue
        case $how in
        addresses)
            addresses ours | uniq >a
            addresses theirs | uniq >b
            ;;
        names)
            frames ours | names >a
            frames theirs | names >b
            ;;
        *)
            frames ours >a
            frames theirs >b
            ;;
        esac
        check "$title, $mode: frames are gdb's" begins a b
        [ "$how" = addresses ] || check "$title, $mode: all of them" cmp a b
        check "$title, $mode: $least frames at least" [ "$(wc -l <a)" -ge "$least" ]
    done
}

build() { compiled "bt: $*" "$@" -pthread; } # COMPILER OPTION...
c=$sources/t_frames.c cc=$sources/t_frames.cc
build gcc -g -O0 "$c" && compare 'C -O0' 'down compare on_signal qsort raise' all 9
build clang -g -O0 "$c" && compare 'C by clang -O0' 'down compare on_signal qsort raise' all 9
build gcc -g -O2 -fomit-frame-pointer "$c" && compare 'C -O2' 'down compare qsort' names 9
build g++ -g -O0 "$cc" && compare 'C++ -O0' 'outer::shape::measure over' all 4
build gcc -g -O2 -static "$c" && compare 'static' 'down compare' addresses 7
inlined=$sources/t_inlined # clang tells of a register that is not kept: its value differs
build gcc -g -O2 "$inlined.c" && compare 'inlined' 'down compare on_signal qsort raise' all 11
build gcc -g -O2 -gdwarf-4 "$inlined.c" && compare 'inlined, DWARF 4' 'down compare on_signal qsort raise' all 11
build clang -g -O2 "$inlined.c" && compare 'inlined by clang' 'down compare on_signal qsort raise' names 11
build g++ -g -O2 "$inlined.cc" && compare 'inlined, C++' 'geo::shape::measure geo::entry' all 8
build g++ -g -O2 -flto "$inlined.cc" && compare 'inlined, C++ of all units at once' 'geo::shape::measure geo::entry' all 8
build clang++ -g -O2 "$inlined.cc" && compare 'inlined, C++ by clang' 'geo::shape::measure geo::entry' all 8
build gcc -O2 -fomit-frame-pointer -s "$c" && compare 'stripped' 'qsort raise' addresses 4

# ---- frames that are selected -----------------------------------------------------------------------------
if build gcc -g -O0 "$c"; then
    ours ./prog 'set exit-mode slots' 'probe down' run 'up 5' 'print n' 'frame 6' 'print n' 'print p.y' \
        'info args' 'info locals' down 'info frame' 'bt 2' 'bt -1' 'frame 0' 'bt 2 -full' down
    check "print looks at the selected frame" has ours '^\$[0-9]+ = [0-3]$'
    check "info args" has ours '^name = 0x[0-9a-f]+ "text"$'
    check "info args: structs are whole" has ours '^p = \{x = 1, y = 2\}$'
    check "info locals" has ours '^local = [0-3]0$'
    check "info frame" has ours '^ called by frame at 0x'
    check "there is nothing below frame 0" has ours "you cannot go down"
    check "bt N says that there are more" has ours '^\(More stack frames follow'
    check "bt -1 is main" has ours '^#[0-9]+ +0x[0-9a-f]+ in main \(argc=1, argv=0x'
    check "bt -full" has ours '^        twice = 20$'
    rm -f *.fxt

    # info frame: gdb's but for the frame's base, on which it guesses
    saved() { sed -nE 's/0x[0-9a-f]+/ADDR/g; s/^ (rip = .*saved rip) .*/\1/; s|[^ (]*/t_fr|t_fr|; /^ rip =|^ source|^  r[a-z0-9]+ at/p; s/.*(Previous frame.s sp).*/\1/p' "$1"; }
    ours ./prog 'handle SIGUSR1 nostop noprint' "break down" run 'info frame' 'up 2' 'info frame' 'up 2' 'info frame'
    check "info frame: the language and what is saved" has ours '^  rbp at 0x[0-9a-f]+, rip at 0x[0-9a-f]+$'
    if $have_gdb; then
        theirs ./prog "break down" run 'info frame' 'up 2' 'info frame' 'up 2' 'info frame'
        saved ours >ours.saved
        saved theirs >theirs.saved
        check "info frame is gdb's" diff theirs.saved ours.saved
        check "info frame: three of them" same "$(grep -c '^  r' ours.saved)" 3
    fi
    ours ./prog run 'frame 99'
    check "a frame that is not there" has ours '^No frame at level 99'

    # -ex goes on behind an error
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'handle SIGUSR1 nostop' -ex 'handle SIGSEGV stop' -ex run \
        -ex 'up 3' -ex 'up 99' -ex up -ex 'up 2' -ex frame -ex 'frame 2' -ex 'frame 99' -ex frame \
        -ex 'bt 1' -ex 'info frame' -ex 'info locals' -ex frame ./prog >ours 2>&1 </dev/null
    last=$(sed -n 's/^#\([0-9]*\) .* in main (.*/\1/p' ours | head -n 1)
    check "at the outermost frame up says so" same "$(grep -c "^Initial frame selected; you cannot go up" ours)" 2
    check "what fails or lists leaves the frame" same \
        "$(sed -n 's/^#\([0-9]*\) .*/\1/p' ours | tr '\n' ' ')" "3 $last $last 2 2 0 2 "

    # ---- threads ---------------------------------------------------------------------------------------
    ours ./prog "$slots" 'probe work' 'run more' 'thread apply all bt' 'info threads'
    check "thread apply all: three threads" same "$(grep -c '^Thread [0-9] (LWP' ours)" 3
    check "and two of them wait" same "$(grep -c 'in waits (arg=' ours)" 2
    rm -f *.fxt
fi

# ---- at each instruction of a stub ------------------------------------------------------------------------
if build gcc -g -O2 -Wl,-z,now "$c"; then
    for mode in "$slots" "$auto"; do
        for what in 'probe -count work' 'probe work collect n return $ret'; do
            {
                printf '%s\n' 'handle SIGUSR1 nostop noprint' start "$mode" "$what"
                for i in $(seq 70); do printf '%s\n' stepi 'echo at\n' bt; done
            } >ours.ezt
            timeout -k 5 $limit "$eztsh" -nx -batch -x ours.ezt ./prog >ours 2>&1 </dev/null
            sed -n 's/^#\([0-9]\) .*\(main\|work\) (.*/\1 \2/p; s/^#\([0-9]\).*signal.*/\1 signal/p' ours |
                sort | uniq -c >said
            check "$mode, $what: work was seen" has said '0 work'
            check "$mode, $what: main is its caller" same \
                "$(awk '/0 work/ { print $1 }' said)" "$(awk '/1 main/ { print $1 }' said)"
            check "$mode, $what: nothing is unknown" lacks ours '\?\?|Backtrace stopped'
            rm -f *.fxt
        done
    done
fi

# ---- a damaged file ------------------------------------------------------------------------------------------
if build gcc -g -O0 "$c"; then
    for seed in 1 2 3 4 5 6; do
        cp prog damaged
        python3 - "$seed" "$(readelf -SW damaged | sed 's/\[ */[/' | awk '$2 == ".eh_frame" { print $5, $6 }')" <<'PY'
import random, sys
random.seed(int(sys.argv[1]))
at, n = (int(x, 16) for x in sys.argv[2].split())
with open('damaged', 'r+b') as f:
    for _ in range(20 * int(sys.argv[1])):
        f.seek(at + random.randrange(n))
        f.write(bytes([random.randrange(256)]))
PY
        ours ./damaged run bt 'echo alive\n'
        check "damaged tables $seed: the shell lives" has ours '^alive'
        check "damaged tables $seed: the innermost frame is shown" has ours '^#0 .*stop_here \('
    done
fi

# A preloaded library goes on to the function that it hides by a tail call, with another argument. The caller's debug
# information is about the call of the first one.
cat >preloaded.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
int work(int n)
{
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "work");
    return real(n + 1000);
}
END
cat >hidden.c <<'END'
__attribute__((noinline)) int leaf(void) { __asm__ volatile("" ::: "memory"); return 1; }
int work(int n)
{
    int r = leaf();
    __asm__ volatile("" ::: "memory");
    return r + leaf();
}
END
cat >calls.c <<'END'
int work(int n);
int main(void)
{
    int r = work(42);
    __asm__ volatile("" ::: "memory");
    return r;
}
END
if ${CC:-gcc} -g -O2 -shared -fPIC -o libpreloaded.so preloaded.c -ldl 2>made &&
    ${CC:-gcc} -g -O2 -shared -fPIC -o libhidden.so hidden.c 2>made &&
    ${CC:-gcc} -g -O2 -o calls calls.c -Wl,--no-as-needed ./libpreloaded.so ./libhidden.so 2>made; then
    batch -ex 'set breakpoint pending on' -ex 'break leaf' -ex run -ex up -ex bt -ex 'print n' ./calls
    check 'an interposed function: not the first call.s argument' lacks log 'n@entry=42|^\$1 = 42$'
    check 'an interposed function: its frame is there' has log '^#1 .* work \(n=(1042|<optimized out>)'
else
    fail 'an interposed function: it does not compile' made
fi
finish

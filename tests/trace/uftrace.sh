#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# uftrace.sh - replay prints the calls of a program with the names and the nesting that `uftrace replay` prints.
# Each thread is compared alone: how threads interleave differs from run to run. If EZT_UFTRACE_TESTS names the folder
# tests/ of uftrace's source, uftrace's own programs s-*.c in it are compared, too.
. "${top_srcdir:-.}/tests/procs/lib.sh"
command -v uftrace >/dev/null || { skip "uftrace: it is not installed"; finish; }

cat >nest.c <<'END'
#define OUT __attribute__((noinline))
OUT int leaf(int x) { __asm__ volatile(""); return x + 1; }
OUT int mid(int x) { __asm__ volatile(""); return leaf(x) + leaf(x + 1); }
OUT int rec(int n) { __asm__ volatile(""); return n ? rec(n - 1) + leaf(n) : 0; }
OUT int even(int n);
OUT int odd(int n) { __asm__ volatile(""); return n ? even(n - 1) + 1 : 0; }
OUT int even(int n) { __asm__ volatile(""); return n ? odd(n - 1) + 1 : 1; }
int main(void) { mid(3); rec(9); leaf(1); even(12); return mid(rec(2)) < 0; }
END
cat >threads.c <<'END'
#include <pthread.h>
#define OUT __attribute__((noinline))
OUT int leaf(int x) { __asm__ volatile(""); return x + 1; }
OUT int mid(int x) { __asm__ volatile(""); return leaf(x) + leaf(x + 1); }
OUT int rec(int n) { __asm__ volatile(""); return n ? rec(n - 1) + leaf(n) : 0; }
OUT void *first(void *a) { for (int i = 0; i < 200; i++) mid(i); return a; }
OUT void *second(void *a) { for (int i = 0; i < 50; i++) rec(i % 7); return a; }
int main(void)
{
    pthread_t a, b;
    mid(0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return rec(1) < 0;
}
END
cat >names.cc <<'END'
#define OUT __attribute__((noinline))
namespace ns {
template <class T> struct wrap {
    T v;
    OUT wrap(T x) : v(x) { __asm__ volatile(""); }
    OUT ~wrap() { __asm__ volatile(""); }
    OUT T get(int k) const { __asm__ volatile(""); return v + k; }
    OUT wrap operator+(const wrap &o) const { __asm__ volatile(""); return wrap(v + o.v); }
    OUT T operator[](int k) { __asm__ volatile(""); return get(k); }
};
OUT int operator<<(const wrap<int> &a, int b) { __asm__ volatile(""); return a.v + b; }
}
OUT int over(int x) { __asm__ volatile(""); return x; }
OUT int over(double x) { __asm__ volatile(""); return over((int)x); }
OUT int thrower(int n) { __asm__ volatile(""); if (!n) throw 5; return thrower(n - 1) + 1; }
int main()
{
    ns::wrap<int> a(3), b(4);
    ns::wrap<int> c = a + b;
    int r = c.get(2) + (a << 3) + b[1] + over(1) + over(2.);
    try { thrower(3); } catch (int) { r++; }
    return r < 0;
}
END

# LISTING: "THREAD DEPTH NAME (" or ")" for each entry and exit, each thread's lines together. THREAD is the thread's
# outermost function. Without blanks before the name, without comments and durations. Calls of libraries and pauses are
# left out, and the program's start and end. (A call in which the thread paused would have two lines.)
calls() {
    awk -v functions="$1" '
        BEGIN { n = split(functions, f, " "); for (i = 1; i <= n; i++) known[f[i]] }
        !/\| / { next }
        {
            who = $0; sub(/^[^[]*\[ */, "", who); sub(/\].*/, "", who)
            rest = $0; sub(/^[^|]*\| /, "", rest)
            match(rest, /^ */); depth = RLENGTH / 2
            rest = substr(rest, RLENGTH + 1)
            if (rest ~ /^\/\*/ || rest ~ /^\[/) next
            if (rest ~ /^}/) { name = rest; sub(/.*\/\* /, "", name); sub(/( \*\/|: ).*/, "", name); sub(/ \*\/$/, "", name); what = ")" }
            else { name = rest; sub(/\(\)( {|;).*/, "", name); what = rest ~ /;/ ? "()" : "(" }
            if (!(name in known)) next
            if (!(who in first)) first[who] = name "#" ++threads # two threads may begin with the same function
            print first[who], depth, name, what
        }' | sort -s -k 1,1V | awk '
        # uftrace prints a call in two lines, too, if another thread ran meanwhile
        held != "" && $0 == held " )" { print held " ()"; held = ""; next }
        held != "" { print held " ("; held = "" }
        $NF == "(" { held = substr($0, 1, length($0) - 2); next }
        { print }
        END { if (held != "") print held " (" }' | sed 's/#[0-9]*//'
}
agrees() { # TITLE SOURCE FUNCTIONS [FEWEST]
    case $2 in *.cc) compiler=$CXX ;; *) compiler=$CC ;; esac
    $compiler $flags -pg -g -pthread -o prog "$2" $libs >log 2>&1 || { skip "$1: it is not compiled with -pg"; return; }
    rm -rf data ./*.fxt
    uftrace record $libcalls --no-event -d data ./prog >log 2>&1 # its status is the program's
    if ! uftrace replay --no-libcall --no-event -d data >theirs.out 2>log; then
        skip "$1: uftrace cannot record: $(tail -n 1 log)"
        return
    elif grep -q '^uftrace stopped tracing with remaining functions' theirs.out; then
        skip "$1: uftrace does not know how calls ended" # by a longjmp or pthread_exit
        return
    fi
    batch -ex 'probe -r .' -ex run -ex 'replay -no-pauses' ./prog
    cp log ours.out
    calls "$3" <theirs.out >want
    calls "$3" <ours.out >got
    check "$1: uftrace printed calls" test "$(wc -l <want)" -ge "${4:-21}"
    check "$1: names and nesting of $(wc -l <got) lines are uftrace's" cmp want got
    diff want got | head -n 20
}
flags=-O1 libs='' libcalls=--no-libcall
agrees 'recursion' nest.c 'main leaf mid rec even odd'
agrees 'threads' threads.c 'main leaf mid rec first second'
agrees 'C++' names.cc 'main ns::wrap::wrap ns::wrap::~wrap ns::wrap::get ns::wrap::operator+ ns::wrap::operator[] ns::operator<< over thrower'

# ---- uftrace's own programs ------------------------------------------------------------------------
own() { # SOURCE
    name=${1##*/}
    if grep -qE 'fork|exec|spawn|daemon' "$1"; then
        skip "$name: uftrace prints the calls of several processes"
    elif ! $CC -O0 -g -c -o own.o "$1" >log 2>&1; then
        skip "$name: it is not compiled alone"
    else
        agrees "$name" "$1" "$(nm --defined-only own.o | sed -nE 's/.* [tT] //p' | xargs)" 1
    fi
}
# uftrace finds a longjmp by the call of the library's function.
flags=-O0 libs='-lm -ldl' libcalls=''
[ -z "${EZT_UFTRACE_TESTS-}" ] || for source in "$EZT_UFTRACE_TESTS"/s-*.c "$EZT_UFTRACE_TESTS"/s-*.cc; do
    [ ! -e "$source" ] || own "$source"
done
finish

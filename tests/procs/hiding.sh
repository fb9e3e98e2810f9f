#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hiding.sh - while the target stands in a library, as after nearly every attach, the library's private names do not
# hide the program's, nor what other libraries export. gdb is the witness.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc g++

# The library waits in wait.c; its other files have the program's names for themselves.
cat >wait.c <<'EOT'
#include <unistd.h>
static int own = 41;
typedef struct { char c[3]; } shape;
shape a_shape;
int copied = 8;
int waits(int fd) { char c; own++; return (int)read(fd, &c, 1) + own; }
EOT
cat >private.c <<'EOT'
enum order { first, leaf, last };
static int exchange(int x) { return x - 1; }
static int table[3] = { 9, 9, 9 };
typedef struct { char c[5]; } node;
static int alone = 17;
static double untold_var = 2.5;
static int untold(int x) { return -x; }
int use(int i) { volatile enum order o = leaf; volatile node n = { { 0 } }; return exchange(table[i % 3] + o) + n.c[0] + alone + (int)untold_var + untold(i); }
EOT
cat >other.c <<'EOT'
int middle(int x) { return x * 100; }
int use2(int x) { return middle(x); }
EOT
cat >private2.c <<'EOT'
static int middle(int x) { return -x; }
int use3(int x) { return middle(x); }
EOT
cat >bare.c <<'EOT'
int untold_var = 5;
int untold(int x) { return x + 1; }
EOT
cat >app.c <<'EOT'
#include <stdlib.h>
extern int copied;
int waits(int fd), use(int), use2(int), use3(int), untold(int);
__attribute__((noinline)) int leaf(int x) { return 2 * x; }
static __attribute__((noinline)) int exchange(int x) { __asm__ volatile(""); return x + 1; }
int node = 77, shape = 3, own = 5;
static int table[4] = { 1, 2, 3, 4 };
int main(int argc, char **argv)
{
    copied = 88;
    int r = waits(0);
    r += leaf(argc) + exchange(r) + table[r & 3] + node + use(r) + use2(r) + use3(r) + untold(r) + shape + own;
    return r & 1;
}
EOT
sed 's/^static.*exchange(int x)/namespace ns { __attribute__((noinline)) int exchange(int x)/; s/return x + 1; }/return x + 1; } }/
     s/exchange(r)/ns::exchange(r)/; s/^extern int copied/extern "C" int copied/; s/^int waits/extern "C" int waits/' app.c >app2.cc
gcc -g -O0 -shared -fPIC wait.c private.c private2.c -o libwait.so
gcc -g -O0 -shared -fPIC other.c -o libother.so
gcc -c bare.c && gcc -g -O0 -fno-pie -no-pie app.c bare.o ./libwait.so ./libother.so -o app
g++ -g -O0 app2.cc bare.o ./libwait.so ./libother.so -o app2

mkfifo never
start() { # PROGRAM
    "./$1" <never >t.out 2>&1 3>&- &
    pid=$!
    children="$children $pid"
    exec 4>never
    until_ok 10 asleep_in "$pid" 0
}
ask() { # PROGRAM COMMAND...
    start "$1"
    shift
    for c; do printf '%s\n' "$c"; done >script.ezt
    gdb_quiet | cat - script.ezt >script.gdb
    batch -p "$pid" -x script.ezt
    [ -z "${gdb-}" ] || gdb -nx -batch -p "$pid" -x script.gdb >gdb.out 2>gdb.err </dev/null
    exec 4>&-
    reap "$pid"
}
answers() { grep -E '^(\$[0-9]+ =|type =|No |[0-9]+$)' "$1" | sed 's/0x[0-9a-f]*/ADDR/g'; }
command -v gdb >/dev/null && gdb=gdb
ask app 'frame function waits' 'print own' 'print sizeof(shape)' 'print (int)leaf(3)' 'print exchange(3)' 'print node' 'print table' 'print sizeof(node)' \
    'print table[1]' 'print alone' 'print last' 'print middle(2)' 'print copied' 'print fd' 'whatis leaf' \
    'print *&node' 'print sizeof(table)'
answers log >got
cat >want <<'EOT'
$1 = 42
$2 = 3
$3 = 6
$4 = 4
$5 = 77
$6 = {1, 2, 3, 4}
$7 = 4
$8 = 2
$9 = 17
$10 = last
$11 = 200
$12 = 88
$13 = 0
type = int (int)
$14 = 77
$15 = 16
EOT
check "print: the frame's own, the program's, what is exported, what is private" cmp want got
if [ -n "${gdb-}" ]; then
    answers gdb.out >want
    check "... as gdb" cmp want got
else
    skip "... as gdb: no gdb"
fi
ask app 'print *(int *)&untold_var' 'break leaf' 'info breakpoints' 'probe exchange' 'probe leaf' 'info line leaf' 'info scope leaf' 'x/i leaf' 'disassemble exchange' \
    'display leaf' 'info symbol leaf' 'continue &'
check "a variable of which no debug information tells: the program's" has log '^\$1 = 5$'
check "break: the program's" has log '^Breakpoint 1 at .*app.c, line 4'
check "probe: the program's alone" same "$(grep -c '^Probe .*app.c' log) $(grep -c '^Probe' log)" "2 2"
check "x: the program's" has log '<leaf>:'
if [ -x app2 ]; then
    ask app2 'probe exchange' 'info probes' 'print ns::exchange(3)' 'print leaf(3)'
    check "probe: of a name whose last part the program has, what a library exports alone" \
        same "$(grep -c '^[0-9].*armed.*exchange' log) $(grep -c '^[0-9].*libwait' log)" "1 0"
    check "print, C++" has log '^\$1 = 4$' && check "..." has log '^\$2 = 6$'
fi

# What the program only declares has its type from there, and its place from a library without debug information. So have
# static members of classes, and names behind a typedef of their class. What is defined nowhere is said to be.
cat >bare_lib.cc <<'EOT'
extern "C" { int libvar = 42, libarr[4] = { 1, 2, 3, 4 }; struct pair { int x, y; } libpair = { 5, 6 }; }
struct K { static const int declared; static long word; };
const int K::declared = 7; long K::word = -9;
EOT
cat >declares.cc <<'EOT'
#include <string>
struct pair { int x, y; };
extern "C" { extern int libvar, libarr[4]; extern struct pair libpair; }
struct K { static const int declared; static long word; static const int inited = 5; int a = 1; template <class T> struct In { static const T k; }; };
template <class T> const T K::In<T>::k = 12;
typedef K KK; using W = std::wstring;
int main()
{
    std::string text = "abc"; K k; KK kk; W w; K::In<int> in;
    return (int)text.find('z') + K::declared + (int)K::word + k.inited + libvar + libarr[1] + libpair.x + in.k + kk.a + (int)w.size() == 0; // HERE
}
EOT
sed 's/.*/echo \\n>> &\\n\n&/' >questions <<'EOT'
print libvar
print libvar + 1
print libarr
print libpair
print libpair.y
print &libvar
whatis libpair
ptype libpair
print sizeof(libarr)
print K::declared
print k.declared
print k
print K::word
print KK::word
print KK::declared
print sizeof(KK::word)
whatis KK::word
print libvar = 8
print libvar
EOT
declared() { # TITLE OPTION...
    title=$1
    shift
    g++ -fPIC -shared bare_lib.cc -o libbare.so && compiled "$title" "$@" -fPIC declares.cc ./libbare.so -Wl,-z,nocopyreloc || return
    [ -n "${gdb-}" ] || { skip "$title: no gdb"; return; }
    asked_both ./prog "declares.cc:$(sed -n '/HERE/=' declares.cc)"
    check "$title: what is declared is what it is to gdb" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
}
need python3
declared 'g++' g++ -g -mcmodel=large
declared 'g++, DWARF 4' g++ -gdwarf-4 -mcmodel=large
printf 'echo \\n>> %s\\n\nprint %s\n' std::string::npos std::string::npos text.npos text.npos W::npos W::npos in.k in.k 'K::In<int>::k' 'K::In<int>::k' >questions
declared 'npos, g++ with DWARF 4' g++ -gdwarf-4 -mcmodel=large
cat >missing.cc <<'EOT'
extern int nothere;
int main() { volatile int z = 0; return z ? nothere : 0; }
EOT
compiled 'missing' g++ -g -O1 missing.cc -Wl,--unresolved-symbols=ignore-all || finish
batch -ex 'break main' -ex 'run >printed' -ex 'print nothere' -ex 'whatis nothere' ./prog
check 'what is defined nowhere is said to be' has log '^Missing ELF symbol "nothere"\.$'
check 'its type is known' has log '^type = int$'
finish

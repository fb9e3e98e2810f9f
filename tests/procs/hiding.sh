#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hiding.sh - while the target stands in a library, as after nearly every attach, the library's private names do not
# hide the program's, nor what other libraries export. gdb is the witness.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc g++
need_libdw

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
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# print.sh - print and its kin: the same expressions at the same stop give what gdb gives, in C, C++ and
# Fortran at -O0, -O1 and -O2 (print_*.exprs: a command a line); and what gdb has no part in.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

sources=$(cd "$top_srcdir" && pwd)/tests/targets
tests=$(cd "$top_srcdir" && pwd)/tests/procs
LC_ALL=C.UTF-8
export LC_ALL

marked() { sed 's/^/echo >> /; s/$/\\n/' "$1" | paste -d '\n' - "$1"; } # each with an echo of itself
ask() { # PROG EXPRS
    { echo 'set disable-randomization on'; echo run; marked "$2"; } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx "$1" <ours.ezt >ours 2>&1
    {
        gdb_quiet
        printf '%s\n' 'unset env LINES' 'unset env COLUMNS' 'set language c' run
        [ "${2##*/}" = print_cc.exprs ] && echo 'set language c++'
        [ "${2##*/}" = print_f90.exprs ] && echo 'set language fortran'
        marked "$2"
    } >theirs.gdb
    timeout -k 5 $limit gdb -nx -q "$1" <theirs.gdb >theirs 2>&1
}

try() { # NAME EXPRS LEAST COMPILER OPTION...
    title=$1 exprs=$2 least=$3
    shift 3
    compiled "$title" "$@" -g || return
    if ! command -v gdb >/dev/null; then
        echo "skip - $title: no gdb"
        return
    fi
    ask ./prog "$tests/$exprs"
    python3 "$tests/print.py" ours theirs >said 2>&1
    check "$title: answers are gdb's" lacks said '^differs|belong|Traceback'
    n=$(sed -n 's/^\([0-9]*\) of .*/\1/p' said)
    check "$title: $n answers were compared" [ "${n:-0}" -ge "$least" ]
    grep -A 2 '^differs' said
}

for o in 0 1 2; do
    for cc in gcc clang; do
        try "C by $cc -O$o" print_c.exprs 170 $cc -std=gnu11 -O$o "$sources/t_print.c"
    done
    for cc in g++ clang++; do
        try "C++ by $cc -O$o" print_cc.exprs 30 $cc -O$o "$sources/t_print.cc"
    done
    try "Fortran by gfortran -O$o" print_f90.exprs 18 gfortran -fno-inline -fno-ipa-cp -fno-ipa-sra -O$o "$sources/t_print.f90"
done

# ---- what is eztsh's own ------------------------------------------------------------------------------
gcc -w -g -O0 -o prog "$sources/t_print.c" >cc.out 2>&1 || { fail 'it does not compile' cc.out; finish; }
own() { # COMMAND...: at the stop
    { echo run; printf '%s\n' "$@"; } >own.ezt
    timeout -k 5 $limit "$eztsh" -nx ./prog <own.ezt >log 2>&1
}
own 'printf "%d %s %c %5.2f %lx %% [%-4d] %5s\n", counter, ptext, ch, db, ul, 7, "ab"' 'output/x arr' 'echo \n' \
    'set $v = first.at' 'print $v.y + 1' 'print &$v' 'set counter = 1' 'print counter++' 'x/s text' 'x/2dw arr' \
    'x/2dw &arr[10]' 'print $_exitcode' 'print/i 1' 'print/3 1' 'print/w 1' 'print work(1, 0, 2)' 'print (counter = 3) + 1' \
    'print $99' 'printf "%d"' 'printf "%d", 1, 2' 'printf "%s", 1234' 'print nul' 'print $argc' 'print $arg0' 'printf "%q", 1' 'printf "%.2lf %.1Lf \q %hhd\n", db, db, 263' 'print' 'print $eax = 5' \
    'print $al' 'print $rax & 0xff' 'p first.lo = 6' 'p first.hi' 'set var pts[1].x = 99' 'print pts' 'p $xmm0.v2_double = 1' 'p 0x1ffffffffffffffff' \
    'p sizeof *unknown' 'p unknown + 1' 'p unknown == 0' 'output (short)-70000' 'echo \n'
check 'a cast wraps as in C (gdb 16 says 4464)' has log '^-4464$'
check 'printf' has log '^42 hello "w"$'
check 'printf: formats' has log '^ a  0.33 ffffffffffffffff % \[7   \]    ab$'
check 'output/x' has log '^\{0x1 <repeats 11 times>, 0x2\}$'
check 'a convenience variable holds a struct' has log '^\$1 = 5$'
check 'it has no address' has log '^Attempt to take address of value not located in memory\.$'
check '++ counts' has log '^\$[0-9]+ = 42$'
check 'x/s takes an expression' has log '<text>:	"hello \\"w\\"\\n"$'
check 'x/dw takes an expression' has log '<arr\+40>:	1	2$'
check 'print/i' has log '^Format letter "i" is meaningless in "print" command\.$'
check 'print/3' has log '^Item count other than 1 is meaningless in "print" command\.$'
check 'print/w' has log '^Size letters are meaningless in "print" command\.$'
check 'functions are called: this one traps' has log '^The injected call received signal 5 at 0x[0-9a-f]+ \(to call the user.s function\)\. The call was abandoned'
check 'assignments are expressions' has log '^\$[0-9]+ = 4$'
check 'the history has an end' has log '^History has not yet reached \$99\.$'
check 'printf: too few' has log '^Wrong number of arguments for specified format-string$'
check 'printf: unknown letter' has log '^"%q" is not a conversion'
check 'printf: no text' has log '^Cannot access memory at address 0x4d2$'
check 'printf: one parser with dprintf' has log '^0\.33 0\.3 q 7$'
check 'numbers of more than 64 bits are refused' has log '^Numeric constant too large\.$'
check 'the size of an incomplete type is not known' same "$(grep -c '^The size of struct nowhere is not known' log)" 2
check 'a null text' has log '^\$[0-9]+ = 0x0$'
check '$arg0 is known at entries' has log '^\$arg0 is known only at a function.s first instruction\.$'
check 'registers are assigned to' has log '^\$[0-9]+ = 5$'
check 'bit-fields are assigned to' has log '^\$[0-9]+ = 6$'
check 'the bits beside them stay' has log '^\$[0-9]+ = 31$'
check 'members of elements are assigned to' has log '= \{\{x = 1, y = 2\}, \{x = 99, y = 4\}, \{x = 3, y = 4\}\}$'
check 'vector registers are not' has log '^Left operand of assignment is not an lvalue\.$'

# At a function's first instruction parameters are where the convention has them, at -O0 too.
"$eztsh" -nx -batch -ex start -ex 'print argc' -ex 'print *argv' -ex 'print $arg0' -ex 'print argv[argc]' ./prog >log 2>&1
check 'parameters at the entry' has log '^\$1 = 1$'
check 'and what they point to' has log '^\$2 = 0x[0-9a-f]+ ".*/prog"$'
check 'by position' has log '^\$3 = 1$'
check 'as an index' has log '^\$4 = 0x0$'

# Without a process: what the file has.
for sh in "$eztsh" gdb; do
    command -v "${sh##*/}" >/dev/null || [ "$sh" = "$eztsh" ] || continue
    "$sh" -nx -batch -ex 'print counter' -ex 'print first.name' -ex 'print many[7]' -ex 'print *&db' -ex 'print arr' ./prog >"file.${sh##*/}" 2>&1
done
check 'without a process' has file.eztsh '^\$1 = 42$'
[ ! -e file.gdb ] || check 'without a process: as gdb says' cmp file.eztsh file.gdb

# Without debug information.
gcc -w -O0 -o plain "$sources/t_print.c"
"$eztsh" -nx -batch -ex start -ex 'print counter' -ex 'print (int)counter' -ex 'print sizeof(int)' -ex 'print nosuch' \
    -ex 'print *(int *)&counter' -ex 'probe main collect counter' ./plain 2>&1 | grep -v 'at main\|Starting\|Temporary\|^$\|main ()' >ours
check 'without debug information: the error' has ours "^'counter' has unknown type; cast it to its declared type$"
check 'without debug information: in a probe, too' has ours "^'counter' has unknown type\\. The address is known: use \\*\\(int \\*\\)0x[0-9a-f]+\\.$"
check 'without debug information: a cast' has ours '^\$1 = 42$'
check 'without debug information: the address' has ours '^\$3 = 42$'
check 'without debug information: no such name' has ours '^No symbol "nosuch" in current context\.$'
# ---- a struct of which some members are optimized out ----------------------------------------------------
cat >parts.c <<'END'
struct inner { int a, b; };
struct parts { long x, y; struct inner in; int row[4]; unsigned low : 3, high : 5; };
static volatile long sink;
__attribute__((noinline)) static void point(void) { sink = sink + 1; }
__attribute__((noinline)) static long work(long n)
{
    struct parts p;
    p.x = n + 1;
    p.y = n * 3;
    p.in.a = (int)n;
    p.in.b = (int)n + 9;
    p.row[0] = 4;
    p.row[1] = (int)n;
    p.row[2] = 4;
    p.row[3] = 5;
    p.low = 2;
    sink = p.x + p.in.a;
    point(); /* here */
    sink = p.y;
    return p.in.b + p.row[2];
}
int main(int argc, char **argv) { return work(argc) == 0; }
END
line_of() { grep -n "$1" "$2" | sed 's/:.*//'; }
here() { # SHELL COMMAND...: its answers at the line "here" of parts.c
    who=$1
    shift
    n=$#
    while [ $n -gt 0 ]; do set -- "$@" -ex "$1"; shift; n=$((n - 1)); done
    "$who" -nx -batch -ex "tbreak parts.c:$(line_of here parts.c)" -ex run -ex 'echo ----\n' "$@" ./prog 2>&1 </dev/null |
        sed '1,/^----/d; /^Trace /d; /^\[/d'
}
as_gdb() { # TITLE COMMAND...: what eztsh answers there is in `ours`, and is what gdb answers
    title=$1
    shift
    here "$eztsh" "$@" >ours
    command -v gdb >/dev/null || return 0
    here gdb "$@" >theirs
    check "$title: as gdb says" cmp ours theirs
    diff ours theirs
}
for by in 'gcc -O1' 'clang -O1' 'clang -O2'; do
    compiled "parts: $by" $by -g parts.c || continue
    as_gdb "parts, $by" 'info locals' 'print p' 'print/x p' 'print p.x' 'print p.in' 'print p.in.b' 'print p.row' \
        'print p.row[2]' 'print p.low' 'print p.high' 'print sizeof p'
    check "parts, $by: a member that is gone" has ours '^p = \{.*<optimized out>'
    check "parts, $by: and one that is there" has ours '^p = \{.*a = 1'
done
if compiled 'parts: gcc -O1' gcc -O1 -g parts.c; then # gdb 13 ends at these with an internal error
    batch -ex "break $(line_of 'here' parts.c)" -ex run -ex 'print p.y + 1' -ex 'print p.high + 1' -ex 'print p.row[3] + 1' \
        -ex 'set var $q = p' -ex 'print $q' -ex 'print $q.y' -ex 'print $q.high' -ex 'print $q.high + 1' ./prog
    check "parts: a member in an expression" has log '^\$1 = 4$'
    check "parts: members that are gone have no value" same "$(grep -c '^value has been optimized out$' log)" 3
    check "parts: a copy knows which are gone" has log '^\$2 = \{x = 2, .*row = \{4, 1, .*high = <optimized out>\}$'
    check "parts: its members" same "$(sed -n 's/^\$[34] = //p' log | xargs)" '3 <optimized out>'
fi

cat >parts.c <<'END'
struct inner { int a, b; };
struct gone { struct inner in; int row[3]; char name[8]; char all[4]; long z; };
struct big { long x, y; int z; char buf[8000]; };
struct reals { double d, e; long z; float f; };
struct bits { unsigned a : 3, b : 5; int c : 9; };
static volatile long sink;
static volatile double real;
struct gone other = { { 1, 2 }, { 3, 4, 5 }, "abcdefg", "xyz", 55 };
__attribute__((noinline)) static void point(void) { sink = sink + 1; }
__attribute__((noinline)) static long work(long n, double d)
{
    struct gone g;
    struct big b;
    struct reals r;
    struct bits t;
    g.in.a = (int)n; g.in.b = (int)n + 2;
    g.row[0] = (int)n; g.row[1] = 4; g.row[2] = (int)n + 9;
    g.name[0] = 'a'; g.name[1] = (char)n; g.name[2] = 'c';
    g.z = n * 5;
    b.x = n + 1; b.y = n * 3; b.z = (int)n; b.buf[5] = 'x';
    r.d = d * 2; r.e = d + 1; r.z = n; r.f = (float)d;
    t.a = n & 7; t.b = 9; t.c = -3;
    unsigned long third = (unsigned long)(n - 100) / 3;
    short h = (short)(n - 94);
    int rest = h % 3;
    sink = g.z + b.x + rest;
    real = r.d;
    point(); /* here */
    sink = g.z + b.y + (long)third;
    real = r.e;
    return (long)r.e + b.z;
}
int main(int argc, char **argv) { return work(argc, argc) == 0; }
END
for by in 'gcc -O1' 'gcc -O2'; do
    compiled "parts: more, $by" $by -g parts.c || continue
    as_gdb "parts, $by: more" 'print g.in' 'print g.row' 'print g.name[1]' 'print b.x' 'print b.z' 'print b.buf[5]' 'print t' \
        'print t.b' 'print t.c' 'print third' 'print h' 'print rest'
    check "parts, $by: bit-fields" has ours '= \{a = 1, b = 9, c = -3\}$'
    check "parts, $by: a quotient of unsigned numbers" has ours '= 6148914691236517172$'
done
if compiled 'parts: clang -O1' clang -O1 -g parts.c; then
    batch -ex "tbreak $(line_of 'here' parts.c)" -ex run -ex 'print g' -ex 'print $_strlen(g.name)' \
        -ex 'printf "%s\n", g.name' -ex 'set var other = g' -ex 'print other' -ex 'print b.buf[5]' -ex 'print b.buf' \
        -ex 'print r' ./prog
    check "parts: an array of which some is gone" has log "row = \{1, 4, 10\}, name = \{97 'a', 1 '.001', 99 'c', <optimized out>"
    # clang 19 stores one, and tells of a word of 16 bytes, which gdb does not read either
    check "parts: members in vector registers" \
        has log '= \{d = 2, e = 2, z = 1, f = <optimized out>\}$|its location expression reads more than 8 bytes at once'
    check "parts: such a text has no value, and is not assigned" same "$(grep -c '^value has been optimized out$' log)" 3
    check "parts: what was to be assigned to stays" has log '^\$2 = \{.*name = "abcdefg", .*z = 55\}$'
    check "parts: a large struct in pieces" lacks log '0xeeee'
fi

# ---- functions of the shell's own ------------------------------------------------------------------
cat >functions.ezt <<'END'
start
output $_streq(argv[0], "no") * 100 + $_streq("a", "a") * 10 + $_streq("a", "ab")
echo \n
output $_strlen("four") + $_strlen(argv[0]) - $_strlen(argv[0])
echo \n
output $_regex("hello world", "w.r") * 10 + $_regex("hello", "^e")
echo \n
output $_memeq(argv[0], argv[0], 4) * 10 + $_memeq(argv[0], argv[0] + 1, 4)
echo \n
output $_isvoid($nothing) * 10 + $_isvoid(argv)
echo \n
probe -count work
probe -count called
continue
print $_probe(1).hits
print $_probe($bpnum).entries + $_probe(1).exits
print $_probe(1)
print $_json("info probes -json", "rows[function=work].number") * 10 + $_json("info probes -json", "rows[1].number")
print $_json("info probes -json", "rows[location~all].function")
print $_json("info probes -json", "rows") + $_isvoid($_json("info probes -json", "rows[7].number"))
print $_json("show -json", "rows[name=confirm].value")
print $_mtime("functions.ezt") > 0 && !$_mtime("no such file")
END
batch -x functions.ezt --args "$targets/p_filter" 2 50
check 'functions: of texts and memory' same "$(sed -n '/^[0-9][0-9]*$/p' log | head -n 5 | xargs)" '10 4 10 10 10'
worked=$(sed -n 's/^work //p' log)
check 'functions: $_probe(N)' same "$(sed -n 's/^\$1 = //p' log)" "$worked"
check 'functions: in an expression' same "$(sed -n 's/^\$2 = //p' log)" $((worked + $(sed -n 's/^a //p' log) + $(sed -n 's/^b //p' log)))
check 'functions: as a struct' has log '^\$3 = \{hits = [0-9]+, entries = [0-9]+, exits = [0-9]+, filtered = 0, armed = '
check 'functions: $_json, rows by member and by number' has log '^\$4 = 12$'
check 'functions: $_json, a row that contains a text' has log '^\$5 = "called"$'
check 'functions: $_json, how many rows, and what is missing' has log '^\$6 = 3$'
check 'functions: $_json of settings' has log '^\$7 = "(on|off)"$'
check 'functions: $_mtime' has log '^\$8 = 1$'
for wrong in '$_json("kill", "")' '$_json("info probes -json", "rows[")' '$_json("info probes", "rows")' '$_mtime(1)' '$_streq("a")' '$_none(1)' '$_strlen(8)' '$_memeq(1, 2, 3)' '$_memeq(1, 2, -1)' '$_probe(9)' '$_regex("a", "(")' 'f(1)'; do
    batch -ex "print $wrong" "$targets/p_filter"
    check "functions: $wrong is an error of one line" same "$(wc -l <log)" 1
done
finish

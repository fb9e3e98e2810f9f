#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scopes.sh - which variable, type or function a name means: that of the innermost scope of C++ around the code. The
# program itself says what is right in the conditions of probes, gdb in `print`.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need g++

cat >scopes.cc <<'END'
#include <cstdio>
int limit = 100, only = 1;
enum { tone = 7 };
struct shape { int a[10]; };
typedef short word;
namespace net {
int limit = 2;
struct shape { char c; };
typedef long word;
enum class col { red, green };
enum old { tone = 3 };
col colour = col::green;
old sound = tone;
int sum(int k) { return k + limit; }
int check(int k) { return k > limit && k < only + 8; }
namespace deep { int check(int k) { return k > limit + 1; } int late(int k); }
inline namespace v2 { int inside = 5; int check2(int k) { return k > inside; } }
namespace { int hidden = 6; }
int check3(int k) { return k > hidden; }
}
namespace db {
int limit = 50;
struct base { static int cap; typedef char word; enum { grade = 4 }; int own = 3; };
auto graded = base::grade;
int base::cap = 9;
struct store : base { static int limit; int n; int full(int k); int low(int k) { return k < cap + grade; } };
int store::limit = 4;
int store::full(int k) { return k > limit + own; }
int check(int k) { return k > limit; }
}
int check_global(int k) { return k > limit; }
using db::base;
int by_directive(int k) { using namespace net::v2; return k > inside; }
int by_name(int k) { using db::check; return check(k); }
namespace alias = net::deep;
int net::deep::late(int k) { static int limit = 8; return k > limit; }
template <class T> struct box { typedef T word; static int made; T v; int more(int k) { return k + made + (int)sizeof(word); } };
template <class T> int box<T>::made = sizeof(T);
static int shadow(int shape) { return shape + (int)sizeof(shape); }
int main()
{
    db::store s; s.n = 1;
    box<int> bi = { 1 }; box<double> bd = { 2 };
    int net_check = 0, deep_check = 0, check2 = 0, check3 = 0, full = 0, low = 0, db_check = 0, global = 0, late = 0, used = 0;
    for (int k = 0; k < 60; k++) {
        net_check += net::check(k), deep_check += net::deep::check(k), check2 += net::check2(k), check3 += net::check3(k);
        full += s.full(k), low += s.low(k), db_check += db::check(k), global += check_global(k), late += net::deep::late(k);
        used += by_directive(k);
        db_check += by_name(k);
    }
    printf("net::check %d\nnet::deep::check %d\nnet::v2::check2 %d\nnet::check3 %d\n", net_check, deep_check, check2, check3);
    printf("db::store::full %d\ndb::store::low %d\ndb::check %d\ncheck_global %d\n", full, low, db_check, global);
    printf("net::deep::late %d\nby_directive %d\n", late, used);
    printf("%d %d %d %d\n", bi.more(1), bd.more(1), shadow(1), net::sum(1));
}
END

# ---- conditions: as often as the program says ----------------------------------------------------------
conditions() {
    cat <<'END'
net::check k > limit && k < only + 8
net::deep::check k > limit + 1
net::v2::check2 k > inside
net::check3 k > hidden
db::store::full k > limit + own
db::store::low k < cap + grade
db::check k > limit
check_global k > limit
net::deep::late k > limit
by_directive k > inside
END
}
agree() { # each function's count is that of the program
    grep -v '^[0-9]' claims >expected
    while read -r f n; do
        same "$(grep "^$f " counted)" "$f $n" || return 1
    done <expected
}
try() { # COMPILER OPTION...
    title="$*"
    command -v "$1" >/dev/null || { echo "skip - $title: no $1"; return; }
    "$@" -g -w -o prog scopes.cc >cc.out 2>&1 || { fail "$title: it does not compile" cc.out; return; }
    conditions | sed 's/^\([^ ]*\) \(.*\)/probe \1 if \2/' >ask.ezt
    batch -x ask.ezt -ex 'run >claims' -ex 'info probes -json' ./prog
    python3 - >counted <<'END'
import json
text = open("log").read()
for row in json.loads(text[text.index('{"schema"'):])["rows"]:
    print(row["location"], row["calls"])
END
    check "$title: conditions hold as often as in the program" agree

    command -v gdb >/dev/null || { echo "skip - $title: no gdb"; return; }
    places='main net::check net::deep::check net::v2::check2 net::check3 db::store::full db::store::low db::check check_global
        net::deep::late by_directive by_name box<int>::more box<double>::more shadow net::sum'
    { echo 'set disable-randomization on'; asks; } >ours.ezt
    { gdb_quiet; printf '%s\n' 'unset env LINES' 'unset env COLUMNS'; asks; } >theirs.gdb
    timeout -k 5 $limit "$eztsh" -nx ./prog <ours.ezt >ours 2>&1
    timeout -k 5 $limit gdb -nx -q ./prog <theirs.gdb >theirs 2>&1
    python3 "$top_srcdir/tests/procs/print.py" ours theirs >said 2>&1
    check "$title: names mean what they mean to gdb" lacks said '^differs|belong|Traceback'
    grep -A 2 '^differs' said
    n=$(sed -n 's/^\([0-9]*\) of .*/\1/p' said)
    check "$title: $n answers were compared" [ "${n:-0}" -ge 400 ]
}
asks() { # the same questions at the first call of each of these functions, in the order in which they are called
    for at in $places; do echo "tbreak $at"; done
    echo 'run >/dev/null'
    for at in $places; do
        for what in 'p limit' 'p &limit' 'p net::limit' 'p db::store::limit' 'p store::limit' 'p deep::check' 'p cap' 'p base::cap' \
            'p hidden' 'p sizeof(word)' 'p sizeof(shape)' 'p sizeof(struct shape)' 'p (word)70000' 'whatis (word)1' \
            'p tone' 'p col::green' 'p net::col::green' 'p (net::col)1' 'p grade' 'p base::grade' 'p only' 'p alias::check' 'p made' \
            'p check' 'p late' 'p k' 'p this' 'p own'; do
            printf 'echo \\n>> %s: %s\\n\n%s\n' "$at" "$what" "$what"
        done
        printf 'echo \\n>> -\\n\ncontinue\n'
    done
}
need python3
try g++ -O0
try g++ -O0 -gdwarf-4
try clang++ -O0

# ---- C: nested functions, which gcc has --------------------------------------------------------------
cat >nested.c <<'EOF'
int counter = 111;
int host(int k)
{
    int counter = k;
    static int kept = 4;
    int guest(int z)
    {
        return counter + z + kept; /* STOP */
    }
    return guest(3);
}
int main(void)
{
    return host(5) == 0;
}
EOF
if gcc -g -O0 -w -o nested nested.c >cc.out 2>&1; then
    batch -ex "break nested.c:$(sed -n '/STOP/=' nested.c)" -ex run -ex 'p z' -ex 'p counter' -ex 'p kept' -ex up -ex 'p counter' ./nested
    sed -n 's/^\$[0-9]* = //p' log >got
    printf '%s\n' 3 5 4 5 >want
    check 'variables of the function around hide what is outside' cmp got want
else
    skip 'nested functions: this compiler has none'
fi

# ---- the functions around: their variables, by the static link, with recursion, from outer frames ------------
cat >around.c <<'EOF'
int counter = 111;
int host(int k)
{
    int counter = k;
    static int kept = 4;
    int arr[2] = { k, 8 }, vla[k];
    vla[0] = 3;
    int guest(int z)
    {
        int inner(int q)
        {
            return q + counter + z + vla[0]; /* INNER */
        }
        arr[0]++;
        return counter + z + kept + arr[1] + inner(1); /* GUEST */
    }
    if (k > 5)
        return host(k - 1) + guest(k);
    return guest(3);
}
int main(void)
{
    return host(7) == 0;
}
EOF
cat >around.f90 <<'EOF'
module m
  implicit none
  integer :: counter = 1
contains
  recursive subroutine outer(k)
    integer, intent(in) :: k
    integer :: counter, arr(3), hidden
    character(len=5) :: word
    integer, allocatable :: some(:)
    counter = k; arr = (/k, k+1, k+2/); word = 'hello'; hidden = 9
    allocate(some(2)); some = (/k, 2/)
    if (k > 5) call outer(k - 1)
    call inner(7)
    print *, counter
  contains
    subroutine inner(z)
      integer, intent(in) :: z
      integer :: mine
      mine = z + counter + arr(2) + some(1)
      call deeper(mine)
      print *, mine, word ! GUEST
    end subroutine
    subroutine deeper(q)
      integer, intent(in) :: q
      print *, q, counter, arr, hidden, some ! INNER
    end subroutine
  end subroutine
end module
program p
  use m
  call outer(7)
end program
EOF
around() { # TITLE SOURCE PLACE COMMAND... : the lines of `asked` there
    title=$1 source=$2 place=$3
    shift 3
    compiled "$title" "$@" "$source" || return
    while read -r ask; do
        case $ask in up | down) printf 'echo \\n>> -\\n\n%s\n' "$ask" ;; *) printf 'echo \\n>> %s\\n\n%s\n' "$ask" "$ask" ;; esac
    done <asked >questions
    asked_both ./prog "$source:$(sed -n "/$place/=" "$source")"
    check "$title: at $place, $(grep -c '>> [^-]' questions) answers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
}
if [ -x nested ] && command -v gdb >/dev/null; then
    printf '%s\n' 'print counter' 'print arr' 'print k' 'print z' 'print arr[1] + counter' 'whatis arr' 'print vla[0]' 'print kept' \
        'set var counter = 77' 'print counter' up 'print counter' 'print k' up 'print counter' 'print k' down 'print counter' >asked
    for level in 0 1 g; do
        around "C -O$level" around.c GUEST gcc -g -O$level -fno-inline
        around "C -O$level" around.c INNER gcc -g -O$level -fno-inline
    done
fi
if command -v gfortran >/dev/null && command -v gdb >/dev/null; then
    printf '%s\n' 'print counter' 'print arr' 'print arr(2)' 'print word' 'print some' 'print some(2)' 'print hidden' 'print k' 'whatis arr' \
        'print arr(1:2)' 'print word(2:3)' 'set var counter = 78' 'print counter' up 'print counter' 'print k' 'print word' up 'print counter' 'print k' >asked
    for level in 0 1 g; do
        around "Fortran -O$level" around.f90 GUEST gfortran -g -O$level -fno-inline
        around "Fortran -O$level" around.f90 INNER gfortran -g -O$level -fno-inline
    done
else
    skip 'variables of procedures around: no gfortran or no gdb'
fi
if [ -x nested ] && compiled 'around' gcc -g -O0 around.c; then
    batch -ex 'break guest' -ex 'probe inner' -ex 'run >printed' ./prog
    check 'a function inside another one is found by its name' has log '^Breakpoint 1, guest '
    check 'probes find it, too' has log '^Probe 2 at .*around\.c, line 1[01]'
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# names.sh - names that code declares in a routine which has the same names for something else: the routine keeps its own, and
# code has what it declares, on source code and on the program that was built without it.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc
both() { # FILE COMPILER...: what the program prints, and what the code prints, in source.* and binary.*
    file=$1
    shift
    rm -f probed plain ./*.lines
    check "$file, $*: it is instrumented" "$program" -spec x.spec -- "$@" -w -g -O0 "$file" -o probed
    check "$file, $*: ... without a word" [ ! -s check.out ]
    check "$file, $*: it is built plainly" "$@" -w -g -O0 "$file" -o plain
    ./plain >plain.out 2>/dev/null </dev/null
    ./probed >source.out 2>source.lines </dev/null
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'run >binary.out 2>binary.lines </dev/null' ./plain >log 2>&1 </dev/null
    check "$file, $*: the source's program does the same" cmp plain.out source.out
    check "$file, $*: the binary does the same" cmp plain.out binary.out
    check "$file, $*: the same lines" cmp source.lines binary.lines
}

cat >own.c <<'EOT'
#include <stdio.h>
static int level = 42;
struct s { int level; };
int f(int n)
{
    struct s s = { n };
    level++;
    if (n > 5)
        return s.level + level;
    int count = 7, i;
    for (i = 0; i < 2; i++)
        count++;
    { int k = 2; level += k; }
    return n + level + count;
}
void g(void)
{
    int count = 3;
    level += count;
}
int main(void)
{
    int r = f(1) + f(6);
    g();
    printf("%d %d\n", r, level);
    return 0;
}
EOT
cp own.c own.cc
cat >x.spec <<'EOT'
file="*" line=1 code="#include <stdio.h>\n#define SHOW(x) fprintf(stderr, #x \" %d\\n\", x)"
decl routine!="main" code="static int level; int count = 1; int k = 5;"
entry routine!="main" code="level += 5; count++;\nSHOW(level);"
exit routine!="main" code="level += 100; count += 10; SHOW(level); fprintf(stderr, \"%d %d level\\n\", count, k);"
EOT
if $libclang; then
    both own.c gcc
    check "own.c: the code's own values" same "$(tr '\n' ';' <binary.lines)" \
        'level 5;level 105;12 5 level;level 110;level 210;12 5 level;level 5;level 105;12 5 level;'
    if have g++; then
        both own.cc g++
        both own.cc g++ -std=c++98
    fi
    # what the code declares as the program's own is the program's
    cat >x.spec <<'EOT'
file="*" line=1 code="#include <stdio.h>"
decl routine="g" code="extern int level; int twice = 2 * level;"
exit routine="g" code="fprintf(stderr, \"%d %d\\n\", level, twice);"
EOT
    both own.c gcc
    check "own.c: extern" same "$(cat binary.lines)" '49 92'
    # a parameter's name is refused both ways
    cat >x.spec <<'EOT'
file="*" line=1 code="#include <stdio.h>"
decl routine="f" code="int n = 3;"
exit routine="f" code="fprintf(stderr, \"%d\\n\", n);"
EOT
    check "own.c: a parameter's name: it is compiled as it is" "$program" -spec x.spec -- gcc -w -g own.c -o probed
    check "own.c: ... the compiler says why" same "$(grep -c 'x\.spec:2:.*rror: \|own\.c:.*rror: ' check.out)" 1
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' ./plain >log 2>&1 </dev/null
    check "own.c: ... and on the binary" has log "^x\\.spec:2:[0-9]+: error: redefinition of 'n'"
else
    skip "names: C and C++: eztsh was built without libclang"
fi
if have gfortran; then
    cat >own.f90 <<'EOT'
module store
  integer :: counter = 5
contains
subroutine bump(k)
  integer, intent(in) :: k
  common /blk/ ca, cb(3)
  integer :: ca, cb, total
  total = k
  counter = counter + total
  ca = ca + 1
contains
  subroutine inner
    counter = counter + 1
  end subroutine
end subroutine bump
end module
subroutine outside(n)
  use store
  integer :: n
  counter = counter + n
end subroutine
program p
  use store
  call bump(1)
  call outside(10)
  print *, counter
end program
EOT
    sed 's/^/      /' own.f90 >own.f
    cat >x.spec <<'EOT'
decl routine!="p" code="integer :: counter, total\ninteger(8), dimension(2) :: CA"
entry routine!="p" code="counter = 3; Total = 4; ca(2) = 5; write(0,*) 'counter', counter, total, ca(2)"
exit routine!="p" code="write(0,*) 'counter', counter, total, ca(2)"
EOT
    for file in own.f90 own.f; do
        both $file gfortran
        check "$file: the code's own values" same "$(grep -c 'counter  *3  *4  *5$' binary.lines)" 4
    done
    printf '%s\n' 'decl routine="outside" code="integer(8) :: ca\ncommon /blk/ ca"' \
        'entry routine="outside" code="write(0,*) ca"' >x.spec
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load x.spec' -ex 'run' ./plain >log 2>&1 </dev/null
    check "own.f90: a COMMON block in code is no other one on the binary" has log 'left alone: .* is in a COMMON block of the code'
else
    skip "names: no gfortran"
fi
finish

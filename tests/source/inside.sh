#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# inside.sh - code inside of routines, by one specification on the source code of programs and on the programs built
# without it: around calls, before throws, in handlers. The same lines, as often. (Their order is another where calls are
# arguments of calls: doc/HOWTO_SPEC.md.)
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc

# Calls by pointers are none there: that of f is left out.
cat >c.spec <<'EOT'
file="*" line=1 code="#include <stdio.h>"
decl code="int inside = 0;"
entry call!~="printf|^[A-Z]|operator|std::|exit|^f$|::f$" code="inside++; fprintf(stderr, \"> @CALLEE@ in @ROUTINE@:@LINE@\\n\");"
exit call!~="printf|^[A-Z]|operator|std::|exit|^f$|::f$" code="fprintf(stderr, \"< @CALLEE@ in @ROUTINE@:@LINE@\\n\");"
throw code="inside++; fprintf(stderr, \"throw in @ROUTINE@:@LINE@\\n\");"
catch code="inside++; fprintf(stderr, \"catch in @ROUTINE@\\n\");"
exit code="fprintf(stderr, \"@ROUTINE@ had %d\\n\", inside);"
EOT
cat >f.spec <<'EOT'
decl code="integer :: inside"
entry code="inside = 0"
entry call="#" code="inside = inside + 1; write(0, *) '> @CALLEE@ in @ROUTINE@', @LINE@"
exit call="#" code="write(0, *) '< @CALLEE@ in @ROUTINE@', @LINE@"
exit code="write(0, *) '@ROUTINE@ had', inside"
EOT
lines() { grep -E '^(<|>|throw|catch)|had| [<>] ' "$1" | sort; }
both() { # FILE SPEC COMPILER...: their lines in source.lines, binary.lines
    file=$1 spec=$2
    shift 2
    rm -f probed plain
    check "$file: it is instrumented" "$program" -spec "$spec" -- "$@" -w -g -O0 -falign-functions=16 "$file" -o probed
    check "$file: it is built plainly" "$@" -w -g -O0 -falign-functions=16 "$file" -o plain
    ./probed >source.out 2>source.err </dev/null
    timeout -k 5 $limit "$eztsh" -nx -batch -ex "spec load '$spec'" -ex 'run >binary.out 2>binary.err </dev/null' \
        -ex 'info spec' ./plain >log 2>&1 </dev/null
    check "$file: the program does the same" cmp source.out binary.out
    lines source.err >source.lines
    lines binary.err >binary.lines
    check "$file: the same lines, as often" cmp source.lines binary.lines
    check "$file: there are some" [ "$(wc -l <binary.lines)" -ge "$least" ]
}

if $libclang; then
    cat >calls.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>
static int local(int n)
{
    return n + 2;
}
int rec(int n)
{
    return n ? local(n) + rec(n - 1) : 0;
}
static int by_pointer(int (*f)(int), int n)
{
    return f(n);
}
double half(double x)
{
    return x / 2;
}
int main(int argc, char **argv)
{
    double d = 3;
    for (int i = 0; i < 3; i++)
        d += half(d) + local(i) * half(i);
    char *p = malloc(10);
    free(p);
    printf("%g %d %d\n", d, rec(4), by_pointer(local, 1));
    switch (argc) {
    case 1:
        local(2);
        break;
    default:
        local(3);
    }
    return atoi("0");
}
EOT
    least=60
    both calls.c c.spec gcc -std=gnu99
    have g++ && cat >throws.cc <<'EOT'
#include <cstdio>
#include <stdexcept>
namespace ns {
int leaf(int n)
{
    return n + 1;
}
static int twice(int n)
{
    return leaf(leaf(n));
}
void fails(int n)
{
    if (n % 3 == 0)
        throw std::runtime_error("x");
}
}
int middle(int n)
{
    try {
        ns::fails(n);
    } catch (const std::logic_error &) {
        return 1;
    } catch (...) {
        if (n == 3)
            throw;
        return 2;
    }
    return 3;
}
int main()
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        try {
            sum += middle(i) + ns::twice(i);
        } catch (std::exception &) {
            sum++;
        }
    }
    std::printf("%d\n", sum);
    return 0;
}
EOT
    if have g++; then
        least=100
        both throws.cc c.spec g++ -std=c++17
        check "throws.cc: throws and handlers" same "$(grep -c '^throw' binary.lines) $(grep -c '^catch' binary.lines)" "5 5"
        check "throws.cc: where an exception leaves the call, too" \
            same "$(grep -c '^> ns::fails' binary.lines) $(grep -c '^< ns::fails' binary.lines)" "10 10"
        check "throws.cc: they are counted by clause" has log '^c\.spec:5 +2 +5  throw'
        g++ -w -g -O2 throws.cc -o plain
        timeout -k 5 $limit "$eztsh" -nx -batch -ex 'spec load c.spec' -ex 'run >binary.out 2>binary.err </dev/null' \
            -ex 'info spec' ./plain >log 2>&1 </dev/null
        check "throws.cc, optimised: throws in .cold code" same \
            "$(grep -c '^throw' binary.err) $(grep -c '^catch' binary.err)" "5 5"
        check "throws.cc, optimised: what was inlined is said" has log 'was inlined: its copies are no calls'
    fi
else
    skip "inside: C and C++: eztsh was built without libclang"
fi
if have gfortran; then
    cat >calls.f90 <<'EOT'
module work
contains
subroutine add(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  x = x + n
end subroutine
end module
subroutine outer(k)
  integer :: k
  k = k + 1
end subroutine
program p
  use work
  real(8) :: x = 0
  integer :: i, k = 0
  do i = 1, 5
    call add(i, x)
    if (i > 2) call outer(k)
  end do
  if (x /= 15 .or. k /= 3) call abort()
end program
EOT
    sed -i 's/call="#"/call!~="gfortran|abort"/' f.spec
    least=20
    both calls.f90 f.spec gfortran
else
    skip "inside: no gfortran"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shapes.sh - arrays whose bounds only the running program knows, and Fortran's order of dimensions, bounds and operators.
# What the program itself computes is right; gdb judges C's arrays.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc python3

# ---- C: arrays of a variable length ----------------------------------------------------------------------
cat >vla.c <<'END'
#include <stdio.h>
static int f(int n, int m, int grid[n][m])
{
    int v[n];
    double w[m][n];
    for (int i = 0; i < n; i++)
        v[i] = i * i;
    for (int i = 0; i < n * m; i++)
        w[i / n][i % n] = i / 2.0;
    printf("%d %g %d\n", v[n - 1], w[1][1], grid[1][2]); /* HERE */
    return n;
}
int main(void)
{
    int g[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    return f(2, 3, g) == 0;
}
END
line=$(sed -n '/HERE/=' vla.c)
for cc in gcc clang; do
    command -v $cc >/dev/null && command -v gdb >/dev/null || { echo "skip - $cc: no $cc, or no gdb"; continue; }
    $cc -g -O0 -o vla vla.c || { fail "$cc: it does not compile"; continue; }
    for what in 'p v' 'p sizeof(v)' 'p v[1]' 'p *v@2' 'p w' 'p w[1][1]' 'p sizeof(w)' 'p sizeof(w[0])' 'p &v' 'p n * m'; do
        printf 'echo \\n>> %s\\n\n%s\n' "$what" "$what"
    done >questions
    asked_both ./vla "vla.c:$line"
    check "$cc: arrays of a variable length are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 2 '^differs' said
    batch -ex "break vla.c:$line" -ex 'run >/dev/null' -ex 'p grid[1]' -ex 'p grid[1][2]' ./vla
    if [ $cc = gcc ]; then
        check "$cc: a parameter of such arrays" has log '^\$1 = \{4, 5, 6\}$'
        check "$cc: an element of it" has log '^\$2 = 6$'
    else # it does not tell the bounds
        check "$cc: a parameter of such arrays is refused" has log '^Cannot perform pointer math on incomplete types'
    fi
done

# ---- Fortran ------------------------------------------------------------------------------------------------
need gfortran
cat >shapes.f90 <<'END'
module m
  implicit none
  type :: point
    integer :: id
    real(8) :: x
  end type
  integer :: grid(2,3)
  integer, allocatable :: dyn(:), none(:)
contains
  subroutine sub(text, shaped, sized, every, p, n)
    character(len=*), intent(in) :: text
    integer, intent(in) :: n
    integer, intent(in) :: shaped(:,:), every(:), sized(n,2)
    type(point), intent(in) :: p
    integer :: low(-1:1), local(n)
    low = (/7,8,9/)
    local = 5
    local(n) = 6
    print *, text, shaped(2,1), sized(1,2), every(2), p%id, low(-1), local(n) ! HERE
  end subroutine
end module
program t
  use m
  type(point) :: p
  grid = reshape((/1,2,3,4,5,6/), (/2,3/))
  allocate(dyn(-1:2))
  dyn = (/10,20,30,40/)
  p%id = 3
  p%x = 1.5d0
  call sub('hello', grid, grid(1:2,1:2), dyn(-1:2:2), p, 2)
end program
END
gfortran -g -O0 -o shapes shapes.f90 || { fail 'Fortran: it does not compile'; finish; }
answer() { # EXPRESSION ANSWER: compare what is printed for it
    printf 'p %s\necho \\n\n' "$1" >>ask.ezt
    printf '%s\t%s\n' "$1" "$2" >>wanted
}
echo "break shapes.f90:$(sed -n '/HERE/=' shapes.f90)" >ask.ezt
echo 'run >/dev/null' >>ask.ezt
answer text "'hello'"
answer 'sizeof(text)' 5
answer shaped '((1, 2) (3, 4) (5, 6))'
answer 'shaped(2,1)' 2
answer 'shaped(1,3)' 5
answer sized '((1, 2) (3, 4))'
answer 'sized(1,2)' 3
answer every '(10, 30)'
answer 'every(2)' 30
answer low '(7, 8, 9)'
answer 'low(-1)' 7
answer 'low(1) + low(0)' 17
answer local '(5, 6)'
answer grid '((1, 2) (3, 4) (5, 6))'
answer 'grid(2,3)' 6
answer 'grid[3][2]' 6
answer dyn '(10, 20, 30, 40)'
answer 'dyn(-1)' 10
answer 'p%id' 3
answer 'p%x * 2' 3
answer 'n /= 2' .FALSE.
answer 'n /= 3' .TRUE.
answer n 2
timeout -k 5 $limit "$eztsh" -nx ./shapes <ask.ezt >log 2>&1
sed -n 's/^\$[0-9]* = //p' log >got
cut -f 2 wanted >want
check 'Fortran: bounds, order and operators of the language' cmp got want
paste wanted got | awk -F '\t' '$2 != $3 { print "differs: " $0 }'
batch -ex "break shapes.f90:$(sed -n '/HERE/=' shapes.f90)" -ex 'run >/dev/null' -ex 'p none' -ex 'p none(1)' ./shapes
check 'Fortran: what is not allocated has no elements' has log '^\$1 = <not allocated>$'
check 'Fortran: none of them is shown' has log '^no such vector element \(vector not allocated\)$'

# ---- arrays of any rank -------------------------------------------------------------------------------------
command -v gdb >/dev/null && command -v python3 >/dev/null || { skip 'assumed rank: no gdb or no python3'; finish; }
cat >rank.f90 <<'EOF'
program p
  implicit none
  integer :: v(4) = (/1,2,3,4/), a2(2,3) = reshape((/1,2,3,4,5,6/), (/2,3/)), i = 7
  call assumed(v); call assumed(a2); call assumed(a2(:,2:3)); call assumed(v(1:4:2)); call assumed(i)
contains
  subroutine assumed(x)
    integer, intent(in) :: x(..)
    print *, rank(x), size(x) ! STOP
  end subroutine
end program
EOF
# gdb 13 has all dimensions but the last in types as ":".
for ask in 'whatis x' 'print x' 'print rank(x)' 'print size(x)' 'print shape(x)' 'print ubound(x)' 'print x(1)' 'print x(2)' 'print x(2,2)' 'print x(1:2)' 'print x(:,1)' 'info args' \
    - 'print x' 'print rank(x)' 'print size(x)' 'print shape(x)' 'print lbound(x)' 'print ubound(x)' 'print x(2,2)' 'print x(:,1)' 'info args' \
    - 'print x' 'print shape(x)' 'print x(2,2)' 'print x(:,2)' \
    - 'print x' 'whatis x' 'print shape(x)' 'print x(2)' \
    - 'print x' 'whatis x' 'print rank(x)' 'print shape(x)' 'info args'; do
    printf 'echo \\n>> %s\\n\n%s\n' "$ask" "$(echo "$ask" | sed 's/^-$/continue/')"
done >questions
for way in '-g -O0' '-g -O1'; do
    compiled "assumed rank, $way" gfortran $way rank.f90 || continue
    asked_both ./prog "rank.f90:$(sed -n '/STOP/=' rank.f90)"
    check "$way: $(grep -c '>> [^-]' questions) answers about arrays of any rank are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 4 '^differs' said
done
finish

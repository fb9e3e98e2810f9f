#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fortran.sh - expressions and values of Fortran: what gdb answers, what the language says where gdb 13 errs, and the same
# expressions in conditions and data of probes. agree.sh asks many more of them.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gfortran python3
cat >values.f90 <<'EOF'
module store
  implicit none
  type :: point
    integer :: id
    real(8) :: x
    logical :: set
  end type
  type :: holder
    type(point) :: p
    integer, allocatable :: v(:), w(:,:)
    real, pointer :: q(:) => null()
    type(point), pointer :: at => null()
    character(len=4) :: c(2)
  end type
  integer :: grid(2,3), cube(2,2,3), counter = 3, same(2,20) = 4
  integer(8) :: large = 5000000000_8
  integer(2) :: small = -3
  real(16) :: quad = 1.25q0
  complex(8) :: z = (1.5d0, -2.5d0)
  integer, parameter :: most = 42
  logical :: yes = .true., no = .false., flags(3) = (/.true.,.false.,.true./)
  character(len=5) :: word = 'hello'
  character(len=20) :: blank = ' '
  character(len=2000000) :: long
  type(point), target :: at = point(1, 2.5d0, .true.), pts(3)
  integer, pointer :: to => null(), strided(:) => null()
  integer, target :: many(10) = (/1,2,3,4,5,6,7,8,9,10/), mixed(13) = (/7,7,7,7,7,7,7,7,7,7,7,7,1/)
  integer :: zeros(40) = 0, big(300) = 7
  type(holder) :: hold
  integer :: calls = 0
contains
  subroutine sub(i, r, every, shaped, text, matrix, n, flag, names, open)
    integer, intent(in) :: i, n
    real(4), intent(in) :: r
    integer, intent(in) :: shaped(:,:)
    integer, intent(inout) :: every(:)
    character(len=*), intent(in) :: text
    real(8), intent(in) :: matrix(-1:1,0:2)
    logical, intent(in) :: flag
    character(len=4), intent(in) :: names(3)
    integer, intent(in) :: open(0:n-1,*)
    integer :: local, low(-1:1)
    low = (/7,8,9/)
    local = i * 2
    print *, local, every(1), shaped(1,1), text, matrix(0,0), r, n, flag, low, names, open(0,1) ! STOP
  end subroutine
  function twice(k) result(res)
    integer, intent(in) :: k
    integer :: res
    calls = calls + 1
    res = 2*k
  end function
end module
program main
  use store
  implicit none
  integer :: i
  real(8) :: m(3,3)
  character(len=4) :: names(3) = (/'one ', 'two ', 'tri '/)
  m = reshape((/(i * 0.5d0, i = 1, 9)/), (/3,3/))
  grid = reshape((/1,2,3,4,5,6/), (/2,3/))
  cube = reshape((/(i, i=1,12)/), (/2,2,3/))
  pts = point(2, 1d0, .false.)
  pts(2)%id = 7
  strided => many(2:9:3)
  allocate(hold%v(4))
  hold%v = (/4,3,2,1/)
  hold%at => pts(2)
  hold%p = at
  hold%c = (/'abcd','efgh'/)
  i = twice(3)
  call sub(21, 1.5, many(1:10:2), grid, 'a text', m, 3, .true., names, many)
end program
EOF
gfortran -g -O0 -o values values.f90 || { fail 'it does not compile'; finish; }
line=$(sed -n '/STOP/=' values.f90)

# ---- gdb's answers -----------------------------------------------------------------------------------
cat >asked <<'EOF'
p I
p LOCAL + i
p grid
p cube
p same
p zeros
p mixed
p big
p flags
p z
p quad
p word
p blank
p at
p pts
p hold%p
p hold%v
p hold%w
p hold%v(2)
p hold%at%x
p hold%c(2)
p PTS(2)%ID
p to
p strided
p every(2:4)
p every(5:1:-1)
p every(::2)
p grid(2,:)
p grid(1:2,2:3)
p cube(1,:,2)
p shaped(2,:)
p word(2:3)
p text(3:)
p low(-1:0)
p low(5)
p open(1,2)
whatis open
p most + 1
p most
p grid(3)
p grid(1:5,1)
p yes .and. no
p .not. yes .or. no
p i .ge. 21 .and. r < 1.6
p yes .neqv. no
p i /= 21
p i ** 2
p 2.0 ** 0.5
p 2 ** 3 ** 2
p r * 2
p 7 / 2
p 1.5d0 + 1.e2
p 'it''s'
p word == 'hello'
p 'abc' < 'abd'
p abs(-3) + abs(small)
p abs(-1.5)
p mod(-7, 3)
p modulo(-7, 3)
p modulo(-7.5, 2.0)
p floor(-2.5)
p ceiling(2.2)
p cmplx(1, 2)
p (1.5, 2.5)
p size(grid)
p size(grid, 2)
p size(every)
p lbound(matrix)
p ubound(matrix, 1)
p shape(cube)
p rank(cube)
p kind(z)
p kind(yes)
p associated(to)
p associated(strided)
p associated(hold%at)
p allocated(hold%v)
p allocated(hold%w)
p loc(counter)
p sizeof(integer*8)
p (real*8) i / 2
p (integer) 2.7
p twice(4)
p twice(i) + 1
p/x grid
p/x word
p/d flags
p i@2
p every(2) = 33
p many
p yes = .false.
p yes
p grid(1,2) = 9
p grid
whatis grid
whatis matrix
whatis hold%w
whatis every
whatis word
whatis text
whatis at
whatis &grid
whatis i == 1
whatis i + 1
whatis r * 2
whatis 'text'
whatis twice
whatis every(1:2)
ptype at
ptype &at
ptype point
ptype integer
ptype real*8
ptype double precision
info locals
output at
EOF
while IFS= read -r what; do printf 'echo \\n>> %s\\n\n%s\n' "$(echo "$what" | tr -d '\\')" "$what"; done <asked >questions
if command -v gdb >/dev/null; then
    asked_both ./values "values.f90:$line"
    grep -A 2 '^differs' said
    check "gdb's answers" lacks said '^differs|belong|Traceback'
    n=$(sed -n 's/^\([0-9]*\) of .*/\1/p' said)
    check "$n answers were compared" [ "${n:-0}" -ge 100 ]
else
    echo "skip - gdb's answers: no gdb"
fi

# ---- the language's, where gdb 13 errs or refuses ------------------------------------------------------
: >wanted
printf '%s\n' "break values.f90:$line" 'run >/dev/null' >ask.ezt
answer() { # EXPRESSION ANSWER
    printf 'p %s\n' "$1" >>ask.ezt
    printf '%s\t%s\n' "$1" "$2" >>wanted
}
answer '-2 ** 2' -4
answer '.not. 1 == 2' .TRUE.
answer '.true. .eqv. i == 21' .TRUE.
answer "word == 'hello  '" .TRUE.
answer "text == 'a text'" .TRUE.
answer '1_8 + 1' 2
answer '1.eq.1.and.i.eq.21' .TRUE.
answer '(-1) ** (-1)' -1
answer "blank = 'ab'" "'ab', ' ' <repeats 18 times>"
answer "\"it's\"" "'it\\'s'"
answer '&at%x == loc(at%x)' .TRUE.
answer 'rank(text)' 0
answer 'calls = 0' 0
answer 'twice(3) == 6 .and. abs(twice(-4)) == 8' .TRUE.
answer 'modulo(-7, twice(2)) + mod(twice(5), 4)' 3
answer 'cmplx(twice(1))' '(2,0)'
answer 'many(twice(2))' 4
answer 'calls' 6
answer "word(1) == 'h'" .TRUE.
answer "hold%c(2) == 'efgh' .and. names(3)(1:2) == 'tr'" .TRUE.
answer '*hold%at' '( id = 7, x = 1, set = .FALSE. )'
answer 'hold%w' '<not allocated>'
answer 'z = cmplx(3, 4)' '(3,4)'
answer 'z' '(3,4)'
answer '$g = grid' '((1, 2) (3, 4) (5, 6))'
answer '$g(1,2) + $g(2,3)' 9
answer "word(2:3) = 'XYZ'" "'XY'"
answer 'word' "'hXYlo'"
answer 'hold%q' '<not associated>'
answer 'sizeof(every)' 20
timeout -k 5 $limit "$eztsh" -nx ./values <ask.ezt >log 2>&1
sed -n 's/^\$[0-9]* = //p' log >got
cut -f 2 wanted >want
check 'what the language says' cmp got want
paste wanted got | awk -F '\t' '$2 != $3 { print "differs: " $0 }'

batch -ex 'p store::grid' -ex 'p store::YES .and. .true.' -ex 'whatis store::at' -ex 'info scope store::sub' ./values
check 'before the program runs' has log '^\$1 = \(\(0, 0\) \(0, 0\) \(0, 0\)\)$'
check 'names have no case there' has log '^\$2 = \.TRUE\.$'
check 'nor do types have tags' has log '^type = Type point$'
check 'types of parameters' has log '^Symbol matrix is .* type real\(kind=8\) \(-1:1,0:2\)\.$'

# ---- arguments and results of each kind, where gdb 13 passes other bytes --------------------------------
cat >kinds.f90 <<'EOF'
module kinds
  type :: point
    integer :: id = 1
    real(8) :: x = 2.5d0
  end type
  complex(16) :: z = (1.25_16, -2.5_16)
  complex(8) :: d = (1.5d0, 2.5d0)
  complex(4) :: s = (3.5, 4.5)
  real(16) :: q = 1.25_16
  integer(16) :: wide_int = 7
  type(point) :: at
contains
  complex(16) function wide(x)
    complex(16), intent(in) :: x
    wide = 2 * x
  end function
  complex(8) function middle(x)
    complex(8), intent(in) :: x
    middle = 2 * x
  end function
  complex(4) function short(x)
    complex(4), value :: x
    short = 2 * x
  end function
  real(16) function quad(x)
    real(16), intent(in) :: x
    quad = 2 * x
  end function
  integer function id(p)
    type(point), intent(in) :: p
    id = p%id
  end function
  integer function any(p)
    class(point), intent(in) :: p
    any = p%id
  end function
end module
program main
  use kinds
  z = wide(z)
  d = middle(d)
  s = short(s)
  q = quad(q)
  print *, z, d, s, q, id(at), any(at) ! STOP
end program
EOF
gfortran -g -O0 -o kinds kinds.f90 || fail 'kinds.f90 does not compile'
: >wanted
printf '%s\n' "break kinds.f90:$(sed -n '/STOP/=' kinds.f90)" 'run >/dev/null' >ask.ezt
answer z '(2.5,-5)'
answer 'z * 2' '(5,-10)'
answer 'wide(z)' '(5,-10)'
answer 'wide((1,2))' '(2,4)'
answer 'wide(d)' '(6,10)'
answer 'middle(d)' '(6,10)'
answer 'middle(s)' '(14,18)'
answer 'middle(3)' '(6,0)'
answer 'short(d)' '(6,10)'
answer 'short(2)' '(4,0)'
answer 'quad(q)' 5
answer 'quad(1.5)' 3
answer 'id(at)' 1
answer 'z = s' '(7,9)'
answer 'z' '(7,9)'
answer 's = z' '(7,9)'
answer 'd = 5' '(5,0)'
printf '%s\n' 'p id(3)' 'p any(at)' 'p modulo(wide_int, 2)' >>ask.ezt
timeout -k 5 $limit "$eztsh" -nx ./kinds <ask.ezt >log 2>&1
sed -n 's/^\$[0-9]* = //p' log >got
cut -f 2 wanted >want
check 'kinds of complex numbers' cmp got want
paste wanted got | awk -F '\t' '$2 != $3 { print "differs: " $0 }'
check 'a number is no derived type' has log '^An argument of type int cannot be passed as Type point\.$'
check 'modulo has limits' has log '^MODULO needs integers of at most 8 bytes\.$'
check 'a derived type is no class' has log '^An argument of type Type point cannot be passed as Type __class_'
batch -ex 'break wide' -ex 'run >/dev/null' -ex finish ./kinds
check 'finish writes them as Fortran does' has log '^Value returned is \$1 = \(2\.5,-5\)$'
batch -ex 'probe kinds::wide collect x' ./kinds
check 'a probe does not collect what its readers do not know' has log '^Collecting a value of type complex\(kind=16\) is not possible in a probe\.$'

# ---- variables of the procedure around an internal one ---------------------------------------------------
cat >host.f90 <<'EOF'
module store
  integer :: counter = 111
contains
  subroutine host(k)
    integer, intent(in) :: k
    integer :: counter
    counter = k
    call guest()
  contains
    subroutine guest()
      print *, counter + k ! STOP
    end subroutine
  end subroutine
end module
program main
  use store
  call host(5)
end program
EOF
gfortran -g -O0 -o host host.f90 || fail 'host.f90 does not compile'
batch -ex "break host.f90:$(sed -n '/STOP/=' host.f90)" -ex 'run >/dev/null' -ex 'p counter' -ex 'p k' -ex 'p store::counter' -ex up -ex 'p counter' ./host
sed -n 's/^\$[0-9]* = //p' log >got
printf '%s\n' 5 5 111 5 >want
check 'variables of the procedure around hide what is outside, its parameters, too' cmp got want
batch -ex "probe host.f90:$(sed -n '/STOP/=' host.f90) collect counter" ./host
check 'a probe does not record another' has log '^The location of "counter" is not known\.$'
printf '%s\n' 'entry routine~="guest" code="write (0, *) counter"' >host.spec
batch -ex 'spec load host.spec' ./host
check 'code does not name another' has log 'guest is left alone: counter has no place of its own'

# ---- conditions of breakpoints -------------------------------------------------------------------------
batch -ex "break values.f90:$line if grid(2,3) == 6 .and. .not. no .and. mod(i, 4) == 1 .and. text == 'a text'" \
    -ex "break values.f90:$line if twice(3) == 6" -ex 'break store::twice if k ** 2 == 10' -ex 'run >/dev/null' -ex 'p i' ./values
check 'a breakpoint has such a condition' has log '^\$1 = 21$'
check 'it calls nothing' has log '^This command calls no functions of the program'

# ---- conditions and data of probes -----------------------------------------------------------------------
record() { # PROBE...: what the probe records of its calls
    "$eztsh" -nx -batch -ex "$1" -ex 'run >/dev/null' -ex wait -ex events ./values >log 2>&1
}
record 'probe store::sub if i == 21 .and. .not. r > 2.0 collect i**2, matrix(0,1), at%x, pts(2)%id, grid(2,n), modulo(-i, 4), abs(small), counter /= 3, i + large, floor(r)'
check 'a condition holds' has log 'entry store::sub'
check 'data' has log 'i\*\*2=441 +matrix\(0,1\)=2.5 +at%x=2.5 +pts\(2\)%id=7 +grid\(2,n\)=6 +modulo\(-i,4\)=3 +abs\(small\)=3 +counter/=3=false +i\+large=5000000021 +floor\(r\)=1'
record 'probe store::sub if i ** 2 < 441 .or. .false. .neqv. .false.'
check 'a condition does not hold' lacks log 'entry store::sub'
record 'probe store::twice collect grid(k,1), grid(k-2,k), grid(k-3,k)'
check 'an element behind the end is none' has log 'grid\(k,1\)=<fault> +grid\(k-2,k\)=5 +grid\(k-3,k\)=<fault>'
replies 'what a probe cannot compute' ./values <<'END'
probe store::sub collect every(1) => Elements of an array whose bounds the running program knows are not possible in a probe.
probe store::sub collect hold%v(2) => Elements of an array whose bounds the running program knows are not possible in a probe.
probe store::sub if text == 'a' => Comparisons of texts are not possible in a probe.
probe store::sub collect i**n => Powers with an exponent that is no constant from 0 to 64 are not possible in a probe.
probe store::sub collect r**2 => Powers of anything but integers are not possible in a probe.
probe store::sub collect (((i**63)**63)**63)**63 => The expression cannot run in a probe: it is too long (operation 6738).
probe store::sub collect ((((i**63)**63)**63)**63)**63 => The expression is too long.
probe store::sub collect many(many(many(many(many(many(many(many(many(many(i)))))))))) => The expression is too long.
probe store::sub if modulo(quad, 2.0) > 1 => mod and modulo of anything but integers are not possible in a probe.
probe store::sub collect cmplx(1,2) => Complex numbers are not possible in a probe.
probe store::sub collect grid(:,1) => Sections of arrays are not possible in a probe.
probe store::sub collect size(every) => Bounds that the running program knows are not possible in a probe.
probe store::sub collect shape(grid) => Results that are arrays are not possible in a probe.
probe store::sub collect every => The bounds of every are known only while the program is stopped. "print" shows it at a breakpoint.
probe store::sub collect text => The bounds of text are known only while the program is stopped. "print" shows it at a breakpoint.
probe store::sub collect hold%v => The bounds of hold%v are known only while the program is stopped. "print" shows it at a breakpoint.
probe store::sub if allocated(hold%v) => Whether an array is allocated is known only while the program is stopped.
probe store::sub collect grid(3,1) => no such vector element
probe store::sub collect grid(1) => Wrong number of subscripts
probe store::sub collect zeros => zeros has more than 24 members. Name the members that you want.
info probes => No probes.
END
replies 'what is wrong' ./values "values.f90:$line" <<'END'
p 0 ** (-i) => Attempt to raise 0 to negative power.
p (-2.0) ** 0.5 => A negative number cannot be raised to a power that is not an integer.
p word ** 2 => Argument to arithmetic operation not a number or boolean.
p grid + 1 => Argument to arithmetic operation not a number or boolean.
p yes < no => Logical values cannot be compared by <, <=, > or >=.
p modulo(5, 2.0) => non-matching types for parameters to MODULO ()
p mod(5.0, 2) => non-matching types for parameters to MOD ()
p mod(z, z) => mod needs numbers.
p abs(z) => ABS of type complex(kind=8) not supported
p ceiling(2) => argument to CEILING must be of type float
p floor(i) => argument to FLOOR must be of type float
p floor(quad) => floor needs a number of at most 8 bytes.
p floor(r, 3) => floor needs a kind of integers: 1, 2, 4 or 8.
p cmplx(1, 2, 3) => cmplx needs a kind of complex numbers: 4 or 8.
p cmplx(z, 2) => cmplx needs numbers.
p size(i) => SIZE can only be applied to arrays
p lbound(word) => LBOUND can only be applied to arrays
p shape(hold%w) => SHAPE can only be used on allocated/associated arrays
p size(grid, 3) => DIM argument to SIZE must be between 1 and 2
p ubound(open, 2) => UBOUND is not known for a dimension whose end is not known.
p size() => size does not take this number of arguments.
p size(1:2) => size does not take a range as an argument.
p kind(at) => argument to kind must be an intrinsic type
p kind(to) => $1 = 4
p allocated(i) => ALLOCATED can only be applied to arrays
p associated(hold%v) => ASSOCIATED can only be applied to pointers
p at(1:2) => Only arrays and strings have sections.
p grid(1.5, 1) => A subscript must be an integer.
p every(1.5:2) => A subscript must be an integer.
p every(0:1) => array subscript out of bounds
p grid(1:2, 9) => array subscript out of bounds
p every(5:1) => incorrect stride and boundary combination
p every(1:5:0) => stride must not be 0
p open(0:2, :) => The end of the array is not known: write the last index after ":".
p open(0:2, 1:9999999) => The section has more than 1048576 bytes.
p long == word => The string is longer than 1048576 characters.
p abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(i))))))))))) => The expression is too long.
END

# ---- what functions take by the address of its first element, and texts of deferred length ----------------------
cat >passing.f90 <<'EOF'
module m
  implicit none
  character(len=:), allocatable :: one
contains
  integer function total(a, n) result(r)
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    r = sum(a)
  end function
  integer function four(a) result(r)
    integer, intent(in) :: a(4)
    r = sum(a)
  end function
  integer function length(t) result(r)
    character(len=*), intent(in) :: t
    r = len(t)
  end function
  integer function lengths(t, k, u) result(r)
    character(len=*), intent(in) :: t, u
    integer, intent(in) :: k
    r = len(t) * 100 + len(u) * 10 + k
  end function
  integer function open(a) result(r)
    integer, intent(in) :: a(:)
    r = sum(a)
  end function
end module
program p
  use m
  implicit none
  integer :: v(4) = (/1,2,3,4/), w(5) = (/1,2,3,4,5/), a2(2,3) = reshape((/1,2,3,4,5,6/), (/2,3/)), i = 3
  character(len=3) :: c(2) = (/'abc','def'/)
  one = 'single'
  print *, total(v, 4), four(v), length('abc'), lengths('ab', 3, 'c'), open(v), a2, w, i, c, one ! STOP
end program
EOF
while read -r ask; do
    printf 'echo \\n>> %s\\n\n%s\n' "$ask" "$ask"
done >questions <<'EOF'
print total(v, 4)
print total(v, 3)
print total(w, i)
print total(w(2:3), 2)
print total(v(2), 2)
print total(a2, 6)
print four(v)
print four(w)
print length('abcde', 5)
print length(c(1), 3)
print lengths('ab', 3, 'cde', 2, 3)
print *one
whatis *one
whatis one
print one(2:3)
print one(2)
print one(1:6)
print one(3:)
print one(7:8)
EOF
if command -v gdb >/dev/null; then
    for way in '-g -O0' '-gdwarf-4 -O0' '-g -O1'; do
        compiled "passing, $way" gfortran $way passing.f90 || continue
        asked_both ./prog "passing.f90:$(sed -n '/STOP/=' passing.f90)"
        check "$way: $(grep -c '>>' questions) answers about calls and texts are gdb's" lacks said '^differs|belong|Traceback'
        grep -A 4 '^differs' said
    done
fi
compiled 'passing' gfortran -g -O0 passing.f90 || finish
batch -ex "break passing.f90:$(sed -n '/STOP/=' passing.f90)" -ex 'run >printed' -ex 'print total(w(1:5:2), 3)' -ex 'print open(v)' ./prog
check 'a section is passed as its elements, side by side' has log '^\$1 = 9$'
check 'what takes a descriptor is refused' has log '^Cannot call the procedure: eztsh cannot make the descriptor that a parameter of type .* needs\.$'
objcopy -N __m_MOD_length prog nosymbol
batch -ex "break passing.f90:$(sed -n '/STOP/=' passing.f90)" -ex 'run >printed' -ex "print length('abc')" ./nosymbol
check 'a procedure whose symbol was removed is not called' has log \
    "^The function's parameters are not known: it has no symbol, or its debug information was not read in time or is damaged\\.\$"
finish

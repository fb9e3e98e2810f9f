! SPDX-License-Identifier: GPL-3.0-or-later
! t_print.f90 - Fortran's variables, and a stop (a load from nowhere) in a subroutine (print.sh).
module store
  implicit none
  integer :: counter = 5
  real(8) :: ratio = 0.25d0
  logical :: flag = .true.
  integer(8) :: big = -123456789012_8
  type point
    integer :: x
    real(8) :: y
  end type
  type(point) :: spot
  integer :: row(4)
  complex(8) :: z
contains
  subroutine work(n, x, p)
    integer, intent(inout) :: n
    real(8), intent(in) :: x
    type(point), intent(in) :: p
    integer, volatile, pointer :: nowhere
    integer, volatile :: own
    own = n + 1
    spot%x = own
    nullify(nowhere)
    n = n + nowhere + own + int(x) + p%x
  end subroutine
end module
program p
  use store
  integer :: k
  k = 3
  spot = point(4, 0.5d0)
  row = (/ 1, 2, 2, 9 /)
  z = (1.0d0, -2.0d0)
  call work(k, 1.5d0, point(8, 2.5d0))
  print *, k
end program

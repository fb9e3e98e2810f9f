! SPDX-License-Identifier: GPL-3.0-or-later
! t_types.f90 - subroutines and functions with Fortran's kinds of parameters (t_types.c).
module things
  implicit none
  integer :: counter = 5
  type point
    integer :: x
    real(8) :: y
  end type
contains
  integer function scalars(n, x, r, yes, v)
    integer, intent(inout) :: n
    real(8), intent(in) :: x
    real(4), intent(in) :: r
    logical, intent(in) :: yes
    integer, value :: v
    n = n + 1
    if (yes) n = n + int(x) + int(r)
    scalars = n + v
  end function
  real(8) function points(p)
    type(point), intent(in) :: p
    points = p%x + p%y
  end function
  subroutine arrays(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: b(:)
    a(1) = b(1) + n
  end subroutine
  complex(8) function complexes(z)
    complex(8), intent(in) :: z
    complexes = z * 2
  end function
  subroutine texts(s, n)
    character(len=*), intent(in) :: s
    integer, intent(in) :: n
    counter = counter + len(s) + n
  end subroutine
end module
program p
  use things
  integer :: k
  real(8) :: q(3), r(2), d
  complex(8) :: z
  k = 3
  r = 1.25d0
  q = 0
  k = k + scalars(k, 1.5d0, 2.5, .true., 7)
  d = points(point(4, 0.5d0))
  call arrays(3, q, r)
  z = complexes((1.0d0, -2.0d0))
  call texts('hello', 2)
  if (k + counter + int(d) + int(q(1)) + int(real(z)) < 0) stop 1
end program

! SPDX-License-Identifier: GPL-3.0-or-later
! agree.f90 - values of each kind that Fortran has; see agree.c.
module store
  implicit none
  type :: point
    integer :: id
    real(8) :: x, y
    logical :: set
  end type
  type, extends(point) :: named
    character(len=8) :: name
    integer :: list(3)
  end type
  integer, parameter :: most = 12
  integer :: grid(2,3), counter = 3
  integer(8) :: large = 5000000000_8
  integer(2) :: small = -3
  integer(1) :: tiny = 100
  real(4) :: single = 1.5
  real(8) :: pi = 3.14159265358979d0
  complex(8) :: z = (1.5d0, -2.5d0)
  logical :: yes = .true., no = .false.
  character(len=5) :: word = 'hello'
  type(point) :: at = point(1, 2.5d0, -1d-30, .true.)
  real(8), allocatable :: dyn(:), none(:,:)
  integer, pointer :: to => null()
  integer, target :: aim = 9
contains
  subroutine scalars(i, l, r, d, c, flag, text, p)
    integer, intent(in) :: i
    integer(8), value :: l
    real(4), intent(in) :: r
    real(8), value :: d
    complex(4), intent(in) :: c
    logical, intent(in) :: flag
    character(len=*), intent(in) :: text
    type(named), intent(inout) :: p
    integer :: local, sum
    real(8) :: half
    local = i * 2
    half = d / 2 + r
    sum = local + int(l)
    print *, local, half, sum, c, flag, text, p%id ! STOP
    p%id = sum
  end subroutine
  subroutine arrays(shaped, sized, every, matrix, n, names)
    integer, intent(in) :: n
    integer, intent(in) :: shaped(:,:), every(:), sized(n,2)
    real(8), intent(in) :: matrix(-1:1,0:2)
    character(len=4), intent(in) :: names(3)
    integer :: low(-1:1), auto(n)
    low = (/7,8,9/)
    auto = 5
    auto(n) = 6
    print *, shaped(2,1), sized(1,2), every(2), matrix(0,1), low(-1), auto(n), names(2) ! STOP
  end subroutine
  recursive function fact(n) result(r)
    integer, intent(in) :: n
    integer :: r
    if (n <= 1) then
      r = 1
      print *, n, r ! STOP
    else
      r = n * fact(n - 1)
    end if
  end function
end module
program main
  use store
  implicit none
  type(named) :: who
  integer :: flat(6), i, product
  real(8) :: m(3,3)
  character(len=4) :: names(3) = (/'one ', 'two ', 'tri '/)
  integer :: common_i
  real(4) :: common_r
  common /shared/ common_i, common_r
  i = 17
  common_i = 31
  common_r = 0.5
  who = named(4, 0.5d0, 0.25d0, .false., 'somebody', (/1,2,3/))
  flat = (/(i * i, i = 1, 6)/)
  m = reshape((/(i * 0.5d0, i = 1, 9)/), (/3,3/))
  grid = reshape(flat, (/2,3/))
  allocate(dyn(-1:2))
  dyn = (/1d0, 2d0, 3d0, 4d0/)
  to => aim
  call scalars(21, 7_8, 1.5, 2.5d0, (1.0, 2.0), .true., 'a text', who)
  call arrays(grid, flat, flat(1:5:2), m, 3, names)
  product = fact(4)
  print *, product, common_i, common_r, aim, i ! STOP
end program

module m
  implicit none
  type :: t
    integer :: n = 1
  contains
    procedure :: get => t_get
  end type t
  interface gen
    module procedure gi, gr
  end interface gen
  abstract interface
    subroutine cb(i)
      integer, intent(in) :: i
    end subroutine cb
  end interface
contains
  function t_get(self) result(r)
    class(t), intent(in) :: self
    integer :: r
    r = self%n
  end function t_get
  integer function gi(i)
    integer, intent(in) :: i
    gi = i
  end function
  real function gr(x)
    real, intent(in) :: x
    gr = x
  end function
end module m
program p
  use m
  type(t) :: v
  if (v%get() + gen(2) + int(gen(3.0)) /= 6) stop 1
end program p

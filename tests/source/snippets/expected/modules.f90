
# 1 "modules.f90"
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
integer :: ez_level
# 20 "modules.f90"
call enter_f(ez_level, 'm::t_get', 20)
# 20 "modules.f90"
    r = self%n
call leave_f(ez_level, 21)
# 21 "modules.f90"
  end function t_get
  integer function gi(i)
    integer, intent(in) :: i
integer :: ez_level
# 24 "modules.f90"
call enter_f(ez_level, 'm::gi', 24)
# 24 "modules.f90"
    gi = i
call leave_f(ez_level, 25)
# 25 "modules.f90"
  end function
  real function gr(x)
    real, intent(in) :: x
integer :: ez_level
# 28 "modules.f90"
call enter_f(ez_level, 'm::gr', 28)
# 28 "modules.f90"
    gr = x
call leave_f(ez_level, 29)
# 29 "modules.f90"
  end function
end module m
program p
  use m
  type(t) :: v
integer :: ez_level
# 34 "modules.f90"
call start_f()
# 34 "modules.f90"
call enter_f(ez_level, 'p', 34)
# 34 "modules.f90"
  if (v%get() + gen(2) + int(gen(3.0)) /= 6) then
# 34 "modules.f90"
call stop_f(34)
# 34 "modules.f90"
stop 1
# 34 "modules.f90"
end if
# 34 "modules.f90"
                                                   
call leave_f(ez_level, 35)
# 35 "modules.f90"
end program p

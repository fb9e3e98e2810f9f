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
# 12 "snippets.spec"
integer :: ez_level
# 20 "modules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm::t_get', 17)
# 20 "modules.f90"
    r = self%n
# 15 "snippets.spec"
call leave_f(ez_level, 21)
# 21 "modules.f90"
  end function t_get
  integer function gi(i)
    integer, intent(in) :: i
# 12 "snippets.spec"
integer :: ez_level
# 24 "modules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm::gi', 22)
# 24 "modules.f90"
    gi = i
# 15 "snippets.spec"
call leave_f(ez_level, 25)
# 25 "modules.f90"
  end function
  real function gr(x)
    real, intent(in) :: x
# 12 "snippets.spec"
integer :: ez_level
# 28 "modules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm::gr', 26)
# 28 "modules.f90"
    gr = x
# 15 "snippets.spec"
call leave_f(ez_level, 29)
# 29 "modules.f90"
  end function
end module m
program p
  use m
  type(t) :: v
# 12 "snippets.spec"
integer :: ez_level
# 34 "modules.f90"
# 13 "snippets.spec"
call start_f()
# 34 "modules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 31)
# 34 "modules.f90"
  if (v%get() + gen(2) + int(gen(3.0)) /= 6) then
# 16 "snippets.spec"
call stop_f(34)
# 34 "modules.f90"
# 34 "modules.f90"
stop 1
# 34 "modules.f90"
end if
# 34 "modules.f90"
                                                   
# 15 "snippets.spec"
call leave_f(ez_level, 35)
# 35 "modules.f90"
end program p

# 1 "submodules.f90"
module m
  interface
    module subroutine sep(i)
      integer, intent(inout) :: i
    end subroutine sep
    module function sf(i) result(r)
      integer, intent(in) :: i
      integer :: r
    end function sf
  end interface
end module m
submodule (m) sm
contains
  module procedure sep
# 12 "snippets.spec"
integer :: ez_level
# 15 "submodules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm.sm::sep', 14)
# 15 "submodules.f90"
    i = i + 1
# 15 "snippets.spec"
call leave_f(ez_level, 16)
# 16 "submodules.f90"
  end procedure sep
  module function sf(i) result(r)
    integer, intent(in) :: i
    integer :: r
# 12 "snippets.spec"
integer :: ez_level
# 20 "submodules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm.sm::sf', 17)
# 20 "submodules.f90"
    r = i * 2
# 15 "snippets.spec"
call leave_f(ez_level, 21)
# 21 "submodules.f90"
  end function sf
end submodule sm
program p
  use m
  integer :: i = 1
# 12 "snippets.spec"
integer :: ez_level
# 26 "submodules.f90"
# 13 "snippets.spec"
call start_f()
# 26 "submodules.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 23)
# 26 "submodules.f90"
  call sep(i)
  if (sf(i) /= 4) then
# 16 "snippets.spec"
call stop_f(27)
# 27 "submodules.f90"
# 27 "submodules.f90"
stop 1
# 27 "submodules.f90"
end if
# 27 "submodules.f90"
                        
# 15 "snippets.spec"
call leave_f(ez_level, 28)
# 28 "submodules.f90"
end program p

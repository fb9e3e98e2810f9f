# 1 "pure_and_elemental.f90"
module m
contains
  pure integer function one(i)
    integer, intent(in) :: i
    one = i
  end function
  elemental real function two(x)
    real, intent(in) :: x
    two = x * 2
  end function
  impure elemental real function three(x)
    real, intent(in) :: x
# 12 "snippets.spec"
integer :: ez_level
# 13 "pure_and_elemental.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'm::three', 11)
# 13 "pure_and_elemental.f90"
    three = x * 3
# 15 "snippets.spec"
call leave_f(ez_level, 14)
# 14 "pure_and_elemental.f90"
  end function
end module m
program p
  use m
# 12 "snippets.spec"
integer :: ez_level
# 18 "pure_and_elemental.f90"
# 13 "snippets.spec"
call start_f()
# 18 "pure_and_elemental.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 16)
# 18 "pure_and_elemental.f90"
  if (one(1) /= 1 .or. two(1.0) /= 2.0 .or. three(1.0) /= 3.0) then
# 16 "snippets.spec"
call stop_f(18)
# 18 "pure_and_elemental.f90"
# 18 "pure_and_elemental.f90"
stop 1
# 18 "pure_and_elemental.f90"
end if
# 18 "pure_and_elemental.f90"
                                                                     
# 15 "snippets.spec"
call leave_f(ez_level, 19)
# 19 "pure_and_elemental.f90"
end program p

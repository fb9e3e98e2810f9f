
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
integer :: ez_level
# 13 "pure_and_elemental.f90"
call enter_f(ez_level, 'm::three', 13)
# 13 "pure_and_elemental.f90"
    three = x * 3
call leave_f(ez_level, 14)
# 14 "pure_and_elemental.f90"
  end function
end module m
program p
  use m
integer :: ez_level
# 18 "pure_and_elemental.f90"
call start_f()
# 18 "pure_and_elemental.f90"
call enter_f(ez_level, 'p', 18)
# 18 "pure_and_elemental.f90"
  if (one(1) /= 1 .or. two(1.0) /= 2.0 .or. three(1.0) /= 3.0) then
# 18 "pure_and_elemental.f90"
call stop_f(18)
# 18 "pure_and_elemental.f90"
stop 1
# 18 "pure_and_elemental.f90"
end if
# 18 "pure_and_elemental.f90"
                                                                     
call leave_f(ez_level, 19)
# 19 "pure_and_elemental.f90"
end program p

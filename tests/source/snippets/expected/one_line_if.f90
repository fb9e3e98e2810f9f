
# 1 "one_line_if.f90"
program p
  implicit none
integer :: ez_level
# 3 "one_line_if.f90"
call start_f()
# 3 "one_line_if.f90"
call enter_f(ez_level, 'p', 3)
# 3 "one_line_if.f90"
  if (twice(1) + twice(5) /= 12) then
# 3 "one_line_if.f90"
call stop_f(3)
# 3 "one_line_if.f90"
stop 1
# 3 "one_line_if.f90"
end if
# 3 "one_line_if.f90"
                                       
call leave_f(ez_level, 4)
# 4 "one_line_if.f90"
contains
  integer function twice(i)
    integer, intent(in) :: i
integer :: ez_level
# 7 "one_line_if.f90"
call enter_f(ez_level, 'p::twice', 7)
# 7 "one_line_if.f90"
    twice = 2 * i
    if (i > 3) then
# 8 "one_line_if.f90"
call leave_f(ez_level, 8)
# 8 "one_line_if.f90"
return 
# 8 "one_line_if.f90"
end if
# 8 "one_line_if.f90"
                      ! big ones
    if (i < &
        0) &
      then
# 11 "one_line_if.f90"
call leave_f(ez_level, 11)
# 11 "one_line_if.f90"
return
# 11 "one_line_if.f90"
end if
# 11 "one_line_if.f90"
            
    twice = twice
call leave_f(ez_level, 13)
# 13 "one_line_if.f90"
  end function twice
end program p

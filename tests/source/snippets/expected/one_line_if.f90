# 1 "one_line_if.f90"
program p
  implicit none
# 12 "snippets.spec"
integer :: ez_level
# 3 "one_line_if.f90"
# 13 "snippets.spec"
call start_f()
# 3 "one_line_if.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "one_line_if.f90"
  if (twice(1) + twice(5) /= 12) then
# 16 "snippets.spec"
call stop_f(3)
# 3 "one_line_if.f90"
# 3 "one_line_if.f90"
stop 1
# 3 "one_line_if.f90"
end if
# 3 "one_line_if.f90"
                                       
# 15 "snippets.spec"
call leave_f(ez_level, 14)
# 4 "one_line_if.f90"
contains
  integer function twice(i)
    integer, intent(in) :: i
# 12 "snippets.spec"
integer :: ez_level
# 7 "one_line_if.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p::twice', 5)
# 7 "one_line_if.f90"
    twice = 2 * i
    if (i > 3) then
# 15 "snippets.spec"
call leave_f(ez_level, 8)
# 8 "one_line_if.f90"
# 8 "one_line_if.f90"
return 
# 8 "one_line_if.f90"
end if
# 8 "one_line_if.f90"
                      ! big ones
    if (i < &
        0) &
      then
# 15 "snippets.spec"
call leave_f(ez_level, 11)
# 11 "one_line_if.f90"
# 11 "one_line_if.f90"
return
# 11 "one_line_if.f90"
end if
# 11 "one_line_if.f90"
            
    twice = twice
# 15 "snippets.spec"
call leave_f(ez_level, 13)
# 13 "one_line_if.f90"
  end function twice
end program p

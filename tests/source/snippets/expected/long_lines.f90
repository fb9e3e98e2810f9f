# 1 "long_lines.f90"
subroutine a_subroutine_with_a_name_that_is_long_enough_to_pass_what_a_(i)
  integer, intent(inout) :: i
# 12 "snippets.spec"
integer :: ez_level
# 3 "long_lines.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'a_subroutine_with_a_name_that_is_long_enough_to_pass_what_a_', 1)
# 3 "long_lines.f90"
  if (i > 1) then
# 15 "snippets.spec"
call leave_f(ez_level, 3)
# 3 "long_lines.f90"
# 3 "long_lines.f90"
return
# 3 "long_lines.f90"
end if
# 3 "long_lines.f90"
                   
  i = 2
# 15 "snippets.spec"
call leave_f(ez_level, 5)
# 5 "long_lines.f90"
end subroutine
program p
  integer :: i = 1
# 12 "snippets.spec"
integer :: ez_level
# 8 "long_lines.f90"
# 13 "snippets.spec"
call start_f()
# 8 "long_lines.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 6)
# 8 "long_lines.f90"
  call a_subroutine_with_a_name_that_is_long_enough_to_pass_what_a_(i)
  if (i /= 2) then
# 16 "snippets.spec"
call stop_f(9)
# 9 "long_lines.f90"
# 9 "long_lines.f90"
stop 1
# 9 "long_lines.f90"
end if
# 9 "long_lines.f90"
                    
# 15 "snippets.spec"
call leave_f(ez_level, 10)
# 10 "long_lines.f90"
end program p

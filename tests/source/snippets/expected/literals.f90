# 1 "literals.f90"
program p
  character(len=40) :: s
# 12 "snippets.spec"
integer :: ez_level
# 3 "literals.f90"
# 13 "snippets.spec"
call start_f()
# 3 "literals.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "literals.f90"
  s = "it's; ! no comment &
    & return"
  if (s(1:4) /= "it's") then
# 16 "snippets.spec"
call stop_f(5)
# 5 "literals.f90"
# 5 "literals.f90"
stop 'not "it''s"; return'
# 5 "literals.f90"
end if
# 5 "literals.f90"
                                                  
  s = 'end'
# 15 "snippets.spec"
call leave_f(ez_level, 7)
# 7 "literals.f90"
end program p

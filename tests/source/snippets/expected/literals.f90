
# 1 "literals.f90"
program p
  character(len=40) :: s
integer :: ez_level
# 3 "literals.f90"
call start_f()
# 3 "literals.f90"
call enter_f(ez_level, 'p', 3)
# 3 "literals.f90"
  s = "it's; ! no comment &
    & return"
  if (s(1:4) /= "it's") then
# 5 "literals.f90"
call stop_f(5)
# 5 "literals.f90"
stop 'not "it''s"; return'
# 5 "literals.f90"
end if
# 5 "literals.f90"
                                                  
  s = 'end'
call leave_f(ez_level, 7)
# 7 "literals.f90"
end program p


# 1 "no_program_statement.f90"
integer :: i
integer :: ez_level
# 2 "no_program_statement.f90"
call start_f()
# 2 "no_program_statement.f90"
call enter_f(ez_level, 'main', 2)
# 2 "no_program_statement.f90"
i = 3
if (i /= 3) then
# 3 "no_program_statement.f90"
call stop_f(3)
# 3 "no_program_statement.f90"
stop 1
# 3 "no_program_statement.f90"
end if
# 3 "no_program_statement.f90"
                  
call leave_f(ez_level, 4)
# 4 "no_program_statement.f90"
end

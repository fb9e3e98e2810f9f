# 1 "no_program_statement.f90"
integer :: i
# 12 "snippets.spec"
integer :: ez_level
# 2 "no_program_statement.f90"
# 13 "snippets.spec"
call start_f()
# 2 "no_program_statement.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'main', 1)
# 2 "no_program_statement.f90"
i = 3
if (i /= 3) then
# 16 "snippets.spec"
call stop_f(3)
# 3 "no_program_statement.f90"
# 3 "no_program_statement.f90"
stop 1
# 3 "no_program_statement.f90"
end if
# 3 "no_program_statement.f90"
                  
# 15 "snippets.spec"
call leave_f(ez_level, 4)
# 4 "no_program_statement.f90"
end


# 1 "several_statements.f90"
subroutine s(i); integer, intent(inout) :: i; 
# 1 "several_statements.f90"
integer :: ez_level
# 1 "several_statements.f90"
call enter_f(ez_level, 's', 1)
# 1 "several_statements.f90"
                                              i = i + 1; if (i > 5) then
# 1 "several_statements.f90"
call leave_f(ez_level, 1)
# 1 "several_statements.f90"
return
# 1 "several_statements.f90"
end if
# 1 "several_statements.f90"
                                                                            i = i + 1; 
# 1 "several_statements.f90"
call leave_f(ez_level, 1)
# 1 "several_statements.f90"
                                                                                       end subroutine
program p; integer :: i = 1; 
# 2 "several_statements.f90"
integer :: ez_level
# 2 "several_statements.f90"
call start_f()
# 2 "several_statements.f90"
call enter_f(ez_level, 'p', 2)
# 2 "several_statements.f90"

# 2 "several_statements.f90"
call call_f(2)
# 2 "several_statements.f90"
                             call s(i); 
# 2 "several_statements.f90"
call call_f(2)
# 2 "several_statements.f90"
                                        call s(i); 
# 2 "several_statements.f90"
call call_f(2)
# 2 "several_statements.f90"
                                                   call s(i); if (i /= 6) then
# 2 "several_statements.f90"
call stop_f(2)
# 2 "several_statements.f90"
stop 1
# 2 "several_statements.f90"
end if
# 2 "several_statements.f90"
                                                                                  
# 2 "several_statements.f90"
call leave_f(ez_level, 2)
# 2 "several_statements.f90"
                                                                                  end program

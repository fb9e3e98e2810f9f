# 1 "several_statements.f90"
subroutine s(i); integer, intent(inout) :: i; 
# 12 "snippets.spec"
integer :: ez_level
# 1 "several_statements.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 's', 1)
# 1 "several_statements.f90"
                                              i = i + 1; if (i > 5) then
# 15 "snippets.spec"
call leave_f(ez_level, 1)
# 1 "several_statements.f90"
# 1 "several_statements.f90"
return
# 1 "several_statements.f90"
end if
# 1 "several_statements.f90"
                                                                            i = i + 1; 
# 15 "snippets.spec"
call leave_f(ez_level, 1)
# 1 "several_statements.f90"
                                                                                       end subroutine
program p; integer :: i = 1; 
# 12 "snippets.spec"
integer :: ez_level
# 2 "several_statements.f90"
# 13 "snippets.spec"
call start_f()
# 2 "several_statements.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 2)
# 2 "several_statements.f90"
# 17 "snippets.spec"
call call_f(2)
# 2 "several_statements.f90"
                             call s(i); 
# 17 "snippets.spec"
call call_f(2)
# 2 "several_statements.f90"
                                        call s(i); 
# 17 "snippets.spec"
call call_f(2)
# 2 "several_statements.f90"
                                                   call s(i); if (i /= 6) then
# 16 "snippets.spec"
call stop_f(2)
# 2 "several_statements.f90"
# 2 "several_statements.f90"
stop 1
# 2 "several_statements.f90"
end if
# 2 "several_statements.f90"
                                                                                  
# 15 "snippets.spec"
call leave_f(ez_level, 2)
# 2 "several_statements.f90"
                                                                                  end program

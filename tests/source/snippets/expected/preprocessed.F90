# 1 "preprocessed.F90"
# 1 "preprocessed.F90"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "preprocessed.F90"


subroutine s(i)
  integer, intent(inout) :: i




# 12 "snippets.spec"
integer :: ez_level
# 9 "preprocessed.F90"
# 14 "snippets.spec"
call enter_f(ez_level, 's', 3)
# 9 "preprocessed.F90"
  if (i == 9) then
# 15 "snippets.spec"
call leave_f(ez_level, 9)
# 9 "preprocessed.F90"
# 9 "preprocessed.F90"
return
# 9 "preprocessed.F90"
end if
# 9 "preprocessed.F90"
                    

  i = ((i) * 2)
# 15 "snippets.spec"
call leave_f(ez_level, 12)
# 12 "preprocessed.F90"
end subroutine s
program p
  integer :: i = 9
# 12 "snippets.spec"
integer :: ez_level
# 15 "preprocessed.F90"
# 13 "snippets.spec"
call start_f()
# 15 "preprocessed.F90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 13)
# 17 "snippets.spec"
call call_f(15)
# 15 "preprocessed.F90"
  call s(i)
  if (i /= 9) then
# 16 "snippets.spec"
call stop_f(16)
# 16 "preprocessed.F90"
# 16 "preprocessed.F90"
stop 1
# 16 "preprocessed.F90"
end if
# 16 "preprocessed.F90"
                    
# 17 "snippets.spec"
call call_f(17)
# 17 "preprocessed.F90"
  call s(i)
  i = 4; 
# 17 "snippets.spec"
call call_f(18)
# 18 "preprocessed.F90"
         call s(i)
  if (i /= 8) then
# 16 "snippets.spec"
call stop_f(19)
# 19 "preprocessed.F90"
# 19 "preprocessed.F90"
stop 19
# 19 "preprocessed.F90"
end if
# 19 "preprocessed.F90"
                     
# 15 "snippets.spec"
call leave_f(ez_level, 20)
# 20 "preprocessed.F90"
end program p

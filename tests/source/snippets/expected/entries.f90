# 1 "entries.f90"
subroutine first(i)
  integer, intent(inout) :: i
# 12 "snippets.spec"
integer :: ez_level
# 3 "entries.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'first', 1)
# 3 "entries.f90"
  i = i + 1
goto 99999
# 4 "entries.f90"
  entry other(i)
# 14 "snippets.spec"
call enter_f(ez_level, 'other', 4)
# 4 "entries.f90"
# 4 "entries.f90"
99999 continue
# 4 "entries.f90"
                
  i = i + 10
# 15 "snippets.spec"
call leave_f(ez_level, 6)
# 6 "entries.f90"
end subroutine first
program p
  integer :: i = 0
# 12 "snippets.spec"
integer :: ez_level
# 9 "entries.f90"
# 13 "snippets.spec"
call start_f()
# 9 "entries.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 7)
# 9 "entries.f90"
  call first(i)
  call other(i)
  if (i /= 21) then
# 16 "snippets.spec"
call stop_f(11)
# 11 "entries.f90"
# 11 "entries.f90"
stop 1
# 11 "entries.f90"
end if
# 11 "entries.f90"
                     
# 15 "snippets.spec"
call leave_f(ez_level, 12)
# 12 "entries.f90"
end program p

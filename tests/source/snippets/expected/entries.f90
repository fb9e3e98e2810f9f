
# 1 "entries.f90"
subroutine first(i)
  integer, intent(inout) :: i
integer :: ez_level
# 3 "entries.f90"
call enter_f(ez_level, 'first', 3)
# 3 "entries.f90"
  i = i + 1
goto 99999
# 4 "entries.f90"
  entry other(i)
# 4 "entries.f90"
call enter_f(ez_level, 'other', 4)
# 4 "entries.f90"
99999 continue
# 4 "entries.f90"
                
  i = i + 10
call leave_f(ez_level, 6)
# 6 "entries.f90"
end subroutine first
program p
  integer :: i = 0
integer :: ez_level
# 9 "entries.f90"
call start_f()
# 9 "entries.f90"
call enter_f(ez_level, 'p', 9)
# 9 "entries.f90"
  call first(i)
  call other(i)
  if (i /= 21) then
# 11 "entries.f90"
call stop_f(11)
# 11 "entries.f90"
stop 1
# 11 "entries.f90"
end if
# 11 "entries.f90"
                     
call leave_f(ez_level, 12)
# 12 "entries.f90"
end program p

# 1 "names_like_keywords.f90"
program p
  implicit none
  integer :: if, end, return, stop, call, do, program
# 12 "snippets.spec"
integer :: ez_level
# 4 "names_like_keywords.f90"
# 13 "snippets.spec"
call start_f()
# 4 "names_like_keywords.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 4 "names_like_keywords.f90"
  if = 1; end = 2; return = 3
  stop = 4
  call = 5
  do = 6
  program = if + end + return + stop + call + do
  if (program /= 21) then
# 16 "snippets.spec"
call stop_f(9)
# 9 "names_like_keywords.f90"
# 9 "names_like_keywords.f90"
error stop
# 9 "names_like_keywords.f90"
end if
# 9 "names_like_keywords.f90"
                               
# 15 "snippets.spec"
call leave_f(ez_level, 10)
# 10 "names_like_keywords.f90"
end program p

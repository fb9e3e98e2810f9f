# 1 "statement_function.f90"
program p
  real :: sf, x, a(3)
  sf(x) = x * 2.0
# 12 "snippets.spec"
integer :: ez_level
# 4 "statement_function.f90"
# 13 "snippets.spec"
call start_f()
# 4 "statement_function.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 4 "statement_function.f90"
  a(1) = sf(3.0)
  if (a(1) /= 6.0) then
# 16 "snippets.spec"
call stop_f(5)
# 5 "statement_function.f90"
# 5 "statement_function.f90"
stop 1
# 5 "statement_function.f90"
end if
# 5 "statement_function.f90"
                         
# 15 "snippets.spec"
call leave_f(ez_level, 6)
# 6 "statement_function.f90"
end program p

# 1 "directives.f90"
program p
  integer :: i, s
# 12 "snippets.spec"
integer :: ez_level
# 3 "directives.f90"
# 13 "snippets.spec"
call start_f()
# 3 "directives.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "directives.f90"
  s = 0
  call sum(s)
  if (s /= 10) then
# 16 "snippets.spec"
call stop_f(5)
# 5 "directives.f90"
# 5 "directives.f90"
stop 1
# 5 "directives.f90"
end if
# 5 "directives.f90"
                     
# 15 "snippets.spec"
call leave_f(ez_level, 16)
# 6 "directives.f90"
contains
  subroutine sum(s)
    integer, intent(inout) :: s
    integer :: i
# 12 "snippets.spec"
integer :: ez_level
# 10 "directives.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p::sum', 7)
# 18 "snippets.spec"
call loop_f(11)
# 10 "directives.f90"
    !$omp parallel do reduction(+:s)
    do i = 1, 4
      s = s + i
    end do
    !$omp end parallel do
# 19 "snippets.spec"
call done_f(13)
# 14 "directives.f90"
                         
# 15 "snippets.spec"
call leave_f(ez_level, 15)
# 15 "directives.f90"
  end subroutine sum
end program p

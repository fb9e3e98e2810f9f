
# 1 "directives.f90"
program p
  integer :: i, s
integer :: ez_level
# 3 "directives.f90"
call start_f()
# 3 "directives.f90"
call enter_f(ez_level, 'p', 3)
# 3 "directives.f90"
  s = 0
  call sum(s)
  if (s /= 10) then
# 5 "directives.f90"
call stop_f(5)
# 5 "directives.f90"
stop 1
# 5 "directives.f90"
end if
# 5 "directives.f90"
                     
call leave_f(ez_level, 6)
# 6 "directives.f90"
contains
  subroutine sum(s)
    integer, intent(inout) :: s
    integer :: i
integer :: ez_level
# 10 "directives.f90"
call enter_f(ez_level, 'p::sum', 11)
# 10 "directives.f90"
call loop_f(11)
# 10 "directives.f90"
    !$omp parallel do reduction(+:s)
    do i = 1, 4
      s = s + i
    end do
    !$omp end parallel do
# 14 "directives.f90"
call done_f(13)
# 14 "directives.f90"
                         
call leave_f(ez_level, 15)
# 15 "directives.f90"
  end subroutine sum
end program p

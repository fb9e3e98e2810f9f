# 1 "directives_loops.f90"
program p
  integer :: i, j, n(3, 3), m
# 12 "snippets.spec"
integer :: ez_level
# 3 "directives_loops.f90"
# 13 "snippets.spec"
call start_f()
# 3 "directives_loops.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "directives_loops.f90"
  m = 0
# 18 "snippets.spec"
call loop_f(6)
# 4 "directives_loops.f90"
  !$omp parallel do collapse(2) &
  !$omp private(i)
  do i = 1, 3
    do j = 1, 3
      n(i, j) = i * j
    end do
  end do
  !$omp end parallel do
# 19 "snippets.spec"
call done_f(10)
# 11 "directives_loops.f90"
                       
# 18 "snippets.spec"
call loop_f(12)
# 12 "directives_loops.f90"
  do concurrent (i = 1:3)
    do j = 1, 3
      n(i, j) = n(i, j) + 1
      call t(n(i, j))
    end do
  end do
# 19 "snippets.spec"
call done_f(17)
# 17 "directives_loops.f90"
        
  !$omp parallel num_threads(1)
# 18 "snippets.spec"
call loop_f(19)
# 19 "directives_loops.f90"
  do i = 1, 3
    m = m + 1
  end do
# 19 "snippets.spec"
call done_f(21)
# 21 "directives_loops.f90"
        
  !$omp end parallel
  !$omp parallel num_threads(1)
# 17 "snippets.spec"
call call_f(24)
# 24 "directives_loops.f90"
  call s(m)
# 17 "snippets.spec"
call call_f(25)
# 25 "directives_loops.f90"
  call s(m)
  !$omp end parallel
  !$omp parallel num_threads(1)
# 18 "snippets.spec"
call loop_f(29)
# 28 "directives_loops.f90"
  !$omp do
  do 99 i = 1, 3
# 18 "snippets.spec"
call loop_f(30)
# 30 "directives_loops.f90"
  do 10 j = 1, 2
    !$omp atomic
    m = m + 1
10  continue
# 19 "snippets.spec"
call done_f(33)
# 33 "directives_loops.f90"
# 33 "directives_loops.f90"
99    continue
# 33 "directives_loops.f90"
            
  !$omp end do
# 19 "snippets.spec"
call done_f(33)
# 34 "directives_loops.f90"
              
  !$omp end parallel
  call u(m)
  if (sum(n) /= 54 .or. m /= 17) then
# 16 "snippets.spec"
call stop_f(37)
# 37 "directives_loops.f90"
# 37 "directives_loops.f90"
stop 1
# 37 "directives_loops.f90"
end if
# 37 "directives_loops.f90"
                                       
# 15 "snippets.spec"
call leave_f(ez_level, 49)
# 38 "directives_loops.f90"
contains
  subroutine s(k)
    integer, intent(inout) :: k
# 12 "snippets.spec"
integer :: ez_level
# 41 "directives_loops.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p::s', 39)
# 41 "directives_loops.f90"
    !$omp critical
    k = k + 1
    !$omp end critical
# 15 "snippets.spec"
call leave_f(ez_level, 44)
# 44 "directives_loops.f90"
  end subroutine
  pure subroutine t(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end program
subroutine u(m)
  integer, intent(inout) :: m
  integer :: i, k(3)
# 12 "snippets.spec"
integer :: ez_level
# 53 "directives_loops.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'u', 50)
# 53 "directives_loops.f90"
  k = 1
# 18 "snippets.spec"
call loop_f(54)
# 54 "directives_loops.f90"
  do concurrent (i = 1:3)
    call s(k(i))
  end do
# 19 "snippets.spec"
call done_f(56)
# 56 "directives_loops.f90"
        
# 17 "snippets.spec"
call call_f(57)
# 57 "directives_loops.f90"
  call s(m)
  m = m + sum(k) - 1
# 15 "snippets.spec"
call leave_f(ez_level, 64)
# 59 "directives_loops.f90"
contains
  pure subroutine s(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end subroutine

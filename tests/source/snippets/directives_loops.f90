program p
  integer :: i, j, n(3, 3), m
  m = 0
  !$omp parallel do collapse(2) &
  !$omp private(i)
  do i = 1, 3
    do j = 1, 3
      n(i, j) = i * j
    end do
  end do
  !$omp end parallel do
  do concurrent (i = 1:3)
    do j = 1, 3
      n(i, j) = n(i, j) + 1
      call t(n(i, j))
    end do
  end do
  !$omp parallel num_threads(1)
  do i = 1, 3
    m = m + 1
  end do
  !$omp end parallel
  !$omp parallel num_threads(1)
  call s(m)
  call s(m)
  !$omp end parallel
  !$omp parallel num_threads(1)
  !$omp do
  do 10 i = 1, 3
  do 10 j = 1, 2
    !$omp atomic
    m = m + 1
10  continue
  !$omp end do
  !$omp end parallel
  call u(m)
  if (sum(n) /= 54 .or. m /= 17) stop 1
contains
  subroutine s(k)
    integer, intent(inout) :: k
    !$omp critical
    k = k + 1
    !$omp end critical
  end subroutine
  pure subroutine t(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end program
subroutine u(m)
  integer, intent(inout) :: m
  integer :: i, k(3)
  k = 1
  do concurrent (i = 1:3)
    call s(k(i))
  end do
  call s(m)
  m = m + sum(k) - 1
contains
  pure subroutine s(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end subroutine

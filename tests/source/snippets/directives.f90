program p
  integer :: i, s
  s = 0
  call sum(s)
  if (s /= 10) stop 1
contains
  subroutine sum(s)
    integer, intent(inout) :: s
    integer :: i
    !$omp parallel do reduction(+:s)
    do i = 1, 4
      s = s + i
    end do
    !$omp end parallel do
  end subroutine sum
end program p

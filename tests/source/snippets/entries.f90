subroutine first(i)
  integer, intent(inout) :: i
  i = i + 1
  entry other(i)
  i = i + 10
end subroutine first
program p
  integer :: i = 0
  call first(i)
  call other(i)
  if (i /= 21) stop 1
end program p

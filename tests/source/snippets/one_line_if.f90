program p
  implicit none
  if (twice(1) + twice(5) /= 12) stop 1
contains
  integer function twice(i)
    integer, intent(in) :: i
    twice = 2 * i
    if (i > 3) return ! big ones
    if (i < &
        0) &
      return
    twice = twice
  end function twice
end program p

program p
  integer :: i, n
  n = 0
  outer: do i = 1, 3
    block
      integer :: q
      q = i
      n = n + q
    end block
    if (n > 5) exit outer
  end do outer
  associate (m => n)
    if (m /= 6) stop 1
  end associate
  select case (n)
  case (6); n = 0
  case default; stop 2
  end select
end program p

program p
  integer :: i, j, n, doi
  n = 0
  doi = 1
  outer: do i = 1, 3
    do j = 1, 3; n = n + 1; if (j == 2) cycle outer; end do; n = 100
  end do outer
  do while (n < 8)
    n = n + 1
    if (n == 7) exit
  end do
  one: do
    do
      do
        exit one
      end do
    end do
  end do one
  do concurrent (i = 1:2)
    doi = 2
  end do
  if (early(3) + n + doi /= 12) stop 1
contains
  integer function early(k)
    integer, intent(in) :: k
    integer :: i, j
    do i = 1, k
      do j = 1, k
        if (i * j == 6) return
        early = i + j
        if (i == 2 .and. j == 1) goto 10
      end do
    end do
10  continue
  end function early
end program p

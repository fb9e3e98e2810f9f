module m
  implicit none
  integer :: counter = 1
contains
  recursive subroutine outer(k)
    integer, intent(in) :: k
    integer :: counter, arr(3), hidden
    character(len=5) :: word
    integer, allocatable :: some(:)
    counter = k; arr = (/k, k+1, k+2/); word = 'hello'; hidden = 9
    allocate(some(2)); some = (/k, 2/)
    if (k > 5) call outer(k - 1)
    call inner(7)
    print *, counter
  contains
    subroutine inner(z)
      integer, intent(in) :: z
      integer :: mine
      mine = z + counter + arr(2) + some(1)
      call deeper(mine)
      print *, mine, word ! GUEST
    end subroutine
    subroutine deeper(q)
      integer, intent(in) :: q
      print *, q, counter, arr, hidden, some ! INNER
    end subroutine
  end subroutine
end module
program p
  use m
  call outer(7)
end program

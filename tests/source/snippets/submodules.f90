module m
  interface
    module subroutine sep(i)
      integer, intent(inout) :: i
    end subroutine sep
    module function sf(i) result(r)
      integer, intent(in) :: i
      integer :: r
    end function sf
  end interface
end module m
submodule (m) sm
contains
  module procedure sep
    i = i + 1
  end procedure sep
  module function sf(i) result(r)
    integer, intent(in) :: i
    integer :: r
    r = i * 2
  end function sf
end submodule sm
program p
  use m
  integer :: i = 1
  call sep(i)
  if (sf(i) /= 4) stop 1
end program p

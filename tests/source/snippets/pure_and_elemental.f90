module m
contains
  pure integer function one(i)
    integer, intent(in) :: i
    one = i
  end function
  elemental real function two(x)
    real, intent(in) :: x
    two = x * 2
  end function
  impure elemental real function three(x)
    real, intent(in) :: x
    three = x * 3
  end function
end module m
program p
  use m
  if (one(1) /= 1 .or. two(1.0) /= 2.0 .or. three(1.0) /= 3.0) stop 1
end program p

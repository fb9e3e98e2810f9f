subroutine a_subroutine_with_a_name_that_is_long_enough_to_pass_what_a_(i)
  integer, intent(inout) :: i
  if (i > 1) return
  i = 2
end subroutine
program p
  integer :: i = 1
  call a_subroutine_with_a_name_that_is_long_enough_to_pass_what_a_(i)
  if (i /= 2) stop 1
end program p

program p
  implicit none
  integer :: if, end, return, stop, call, do, program
  if = 1; end = 2; return = 3
  stop = 4
  call = 5
  do = 6
  program = if + end + return + stop + call + do
  if (program /= 21) error stop
end program p

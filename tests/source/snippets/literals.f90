program p
  character(len=40) :: s
  s = "it's; ! no comment &
    & return"
  if (s(1:4) /= "it's") stop 'not "it''s"; return'
  s = 'end'
end program p

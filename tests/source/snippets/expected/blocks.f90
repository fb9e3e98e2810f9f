# 1 "blocks.f90"
program p
  integer :: i, n
# 12 "snippets.spec"
integer :: ez_level
# 3 "blocks.f90"
# 13 "snippets.spec"
call start_f()
# 3 "blocks.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "blocks.f90"
  n = 0
# 18 "snippets.spec"
call loop_f(4)
# 4 "blocks.f90"
  outer: do i = 1, 3
    block
      integer :: q
      q = i
      n = n + q
    end block
    if (n > 5) exit outer
  end do outer
# 19 "snippets.spec"
call done_f(11)
# 11 "blocks.f90"
              
  associate (m => n)
    if (m /= 6) then
# 16 "snippets.spec"
call stop_f(13)
# 13 "blocks.f90"
# 13 "blocks.f90"
stop 1
# 13 "blocks.f90"
end if
# 13 "blocks.f90"
                      
  end associate
  select case (n)
  case (6); n = 0
  case default; 
# 16 "snippets.spec"
call stop_f(17)
# 17 "blocks.f90"
                stop 2
  end select
# 15 "snippets.spec"
call leave_f(ez_level, 19)
# 19 "blocks.f90"
end program p

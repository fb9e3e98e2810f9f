# 1 "do_loops.f90"
program p
  integer :: i, j, n, doi
# 12 "snippets.spec"
integer :: ez_level
# 3 "do_loops.f90"
# 13 "snippets.spec"
call start_f()
# 3 "do_loops.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p', 1)
# 3 "do_loops.f90"
  n = 0
  doi = 1
# 18 "snippets.spec"
call loop_f(5)
# 5 "do_loops.f90"
  outer: do i = 1, 3
# 18 "snippets.spec"
call loop_f(6)
# 6 "do_loops.f90"
    do j = 1, 3; n = n + 1; if (j == 2) then
# 19 "snippets.spec"
call done_f(6)
# 6 "do_loops.f90"
# 6 "do_loops.f90"
cycle outer
# 6 "do_loops.f90"
end if
# 6 "do_loops.f90"
                                                     end do
# 19 "snippets.spec"
call done_f(6)
# 6 "do_loops.f90"
                                                             n = 100
  end do outer
# 19 "snippets.spec"
call done_f(7)
# 7 "do_loops.f90"
              
# 18 "snippets.spec"
call loop_f(8)
# 8 "do_loops.f90"
  do while (n < 8)
    n = n + 1
    if (n == 7) exit
  end do
# 19 "snippets.spec"
call done_f(11)
# 11 "do_loops.f90"
        
# 18 "snippets.spec"
call loop_f(12)
# 12 "do_loops.f90"
  one: do
# 18 "snippets.spec"
call loop_f(13)
# 13 "do_loops.f90"
    do
# 18 "snippets.spec"
call loop_f(14)
# 14 "do_loops.f90"
      do
# 19 "snippets.spec"
call done_f(15)
# 15 "do_loops.f90"
# 19 "snippets.spec"
call done_f(15)
# 15 "do_loops.f90"
        exit one
      end do
# 19 "snippets.spec"
call done_f(16)
# 16 "do_loops.f90"
            
    end do
# 19 "snippets.spec"
call done_f(17)
# 17 "do_loops.f90"
          
  end do one
# 19 "snippets.spec"
call done_f(18)
# 18 "do_loops.f90"
            
# 18 "snippets.spec"
call loop_f(19)
# 19 "do_loops.f90"
  do concurrent (i = 1:2)
    doi = 2
  end do
# 19 "snippets.spec"
call done_f(21)
# 21 "do_loops.f90"
        
  if (early(3) + n + doi /= 12) then
# 16 "snippets.spec"
call stop_f(22)
# 22 "do_loops.f90"
# 22 "do_loops.f90"
stop 1
# 22 "do_loops.f90"
end if
# 22 "do_loops.f90"
                                      
# 15 "snippets.spec"
call leave_f(ez_level, 36)
# 23 "do_loops.f90"
contains
  integer function early(k)
    integer, intent(in) :: k
    integer :: i, j
# 12 "snippets.spec"
integer :: ez_level
# 27 "do_loops.f90"
# 14 "snippets.spec"
call enter_f(ez_level, 'p::early', 24)
# 18 "snippets.spec"
call loop_f(27)
# 27 "do_loops.f90"
    do i = 1, k
# 18 "snippets.spec"
call loop_f(28)
# 28 "do_loops.f90"
      do j = 1, k
        if (i * j == 6) then
# 19 "snippets.spec"
call done_f(29)
# 29 "do_loops.f90"
# 19 "snippets.spec"
call done_f(29)
# 29 "do_loops.f90"
# 15 "snippets.spec"
call leave_f(ez_level, 29)
# 29 "do_loops.f90"
# 29 "do_loops.f90"
return
# 29 "do_loops.f90"
end if
# 29 "do_loops.f90"
                              
        early = i + j
        if (i == 2 .and. j == 1) then
# 19 "snippets.spec"
call done_f(31)
# 31 "do_loops.f90"
# 19 "snippets.spec"
call done_f(31)
# 31 "do_loops.f90"
# 31 "do_loops.f90"
goto 10
# 31 "do_loops.f90"
end if
# 31 "do_loops.f90"
                                        
      end do
# 19 "snippets.spec"
call done_f(32)
# 32 "do_loops.f90"
            
    end do
# 19 "snippets.spec"
call done_f(33)
# 33 "do_loops.f90"
          
10  continue
# 15 "snippets.spec"
call leave_f(ez_level, 35)
# 35 "do_loops.f90"
  end function early
end program p


# 1 "fixed_tabs.f"
	program p
	integer i
c	a comment
      integer :: ez_level
# 4 "fixed_tabs.f"
      call start_f()
# 4 "fixed_tabs.f"
      call enter_f(ez_level, 'p', 4)
# 4 "fixed_tabs.f"
	i = 1
	if (i
	1  .ne. 1) then
# 6 "fixed_tabs.f"
      call stop_f(6)
# 6 "fixed_tabs.f"
      stop 1
# 6 "fixed_tabs.f"
      end if
# 6 "fixed_tabs.f"
                  
      call call_f(7)
# 7 "fixed_tabs.f"
	call s(i)
	if (i .ne. 2) then
# 8 "fixed_tabs.f"
      call stop_f(8)
# 8 "fixed_tabs.f"
      stop 2
# 8 "fixed_tabs.f"
      end if
# 8 "fixed_tabs.f"
                     
      call leave_f(ez_level, 9)
# 9 "fixed_tabs.f"
	end
	subroutine s(i)
	integer i
      integer :: ez_level
# 12 "fixed_tabs.f"
      call enter_f(ez_level, 's', 12)
# 12 "fixed_tabs.f"
10	i = i + 1
	if (i .lt. 2) goto 10
      call leave_f(ez_level, 14)
# 14 "fixed_tabs.f"
	end

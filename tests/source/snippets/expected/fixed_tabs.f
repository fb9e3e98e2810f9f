# 1 "fixed_tabs.f"
	program p
	integer i
c	a comment
# 12 "snippets.spec"
      integer :: ez_level
# 4 "fixed_tabs.f"
# 13 "snippets.spec"
      call start_f()
# 4 "fixed_tabs.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 1)
# 4 "fixed_tabs.f"
	i = 1
	if (i
	1  .ne. 1) then
# 16 "snippets.spec"
      call stop_f(6)
# 6 "fixed_tabs.f"
# 6 "fixed_tabs.f"
      stop 1
# 6 "fixed_tabs.f"
      end if
# 6 "fixed_tabs.f"
                  
# 17 "snippets.spec"
      call call_f(7)
# 7 "fixed_tabs.f"
	call s(i)
	if (i .ne. 2) then
# 16 "snippets.spec"
      call stop_f(8)
# 8 "fixed_tabs.f"
# 8 "fixed_tabs.f"
      stop 2
# 8 "fixed_tabs.f"
      end if
# 8 "fixed_tabs.f"
                     
# 15 "snippets.spec"
      call leave_f(ez_level, 9)
# 9 "fixed_tabs.f"
	end
	subroutine s(i)
	integer i
# 12 "snippets.spec"
      integer :: ez_level
# 12 "fixed_tabs.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 's', 10)
# 12 "fixed_tabs.f"
10	i = i + 1
	if (i .lt. 2) goto 10
# 15 "snippets.spec"
      call leave_f(ez_level, 14)
# 14 "fixed_tabs.f"
	end

	program p
	integer i
c	a comment
	i = 1
	if (i
	1  .ne. 1) stop 1
	call s(i)
	if (i .ne. 2) stop 2
	end
	subroutine s(i)
	integer i
10	i = i + 1
	if (i .lt. 2) goto 10
	end

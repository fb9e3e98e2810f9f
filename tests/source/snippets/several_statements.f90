subroutine s(i); integer, intent(inout) :: i; i = i + 1; if (i > 5) return; i = i + 1; end subroutine
program p; integer :: i = 1; call s(i); call s(i); call s(i); if (i /= 6) stop 1; end program

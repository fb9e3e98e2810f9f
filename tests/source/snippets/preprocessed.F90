#define TWICE(x) ((x) * 2)
#define LEAVE return
subroutine s(i)
  integer, intent(inout) :: i
#ifdef NOT_DEFINED
  integer :: nothing
  if (i == 1) LEAVE
#else
  if (i == __LINE__) LEAVE
#endif
  i = TWICE(i)
end subroutine s
program p
  integer :: i = 9
  call s(i)
  if (i /= 9) stop 1
  call s(i)
  i = 4; call s(i)
  if (i /= 8) stop __LINE__
end program p

integer :: i
i = 3
if (i /= 3) stop 1
end

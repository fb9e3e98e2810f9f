program p
  real :: sf, x, a(3)
  sf(x) = x * 2.0
  a(1) = sf(3.0)
  if (a(1) /= 6.0) stop 1
end program p

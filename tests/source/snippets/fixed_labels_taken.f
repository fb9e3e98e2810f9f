      PROGRAM P
      N = 0
      CALL S(N)
      IF (N .NE. 12) STOP 1
      END
      SUBROUTINE S(N)
      DO 1 I = 1, 2
      DO 1 J = 1, 2
    1 N = N + 1
    2 N = N + 1
    3 N = N + 1
    4 N = N + 1
    5 N = N + 1
    6 N = N + 1
    7 N = N + 1
    8 N = N + 1
    9 N = N + 1
      END

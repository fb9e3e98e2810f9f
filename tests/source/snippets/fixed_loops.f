      PROGRAM P
      INTEGER I, J, N
      N = 0
      DO 10 I = 1, 3
      DO 10 J = 1, 3
      IF (I .EQ. J) GO TO 10
      N = N + 1
   10 CONTINUE
      DO 20 I = 1, 3
   20 N = N + I
      DO 30, I = 1, 5
      IF (I .EQ. 3) GO TO 40
   30 N = N + 1
   40 IF (N .NE. 14) STOP 1
      END

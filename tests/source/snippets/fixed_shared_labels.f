      PROGRAM P
      INTEGER I, J, K, N
      N = 0
      DO 10 I = 1, 3
   10 CALL S(N)
      DO 20 I = 1, 2
      DO 20 J = 1, 2
C     THE INNERMOST ONE ENDS THERE
      D O 2 0 K = 1, 2
      IF (K .EQ. J) GO TO 20
      N = N + 1
   20 CONTINUE
      DO 30 I = 1, 3
   30 IF (I .EQ. 2) CALL S(N)
      CALL T(N)
      IF (N .NE. 25) STOP 1
      END
      SUBROUTINE S(N)
      INTEGER N
      DO 10 I = 1, 2
      IF (I .EQ. 1) GO TO 10
      N = N + 1
   10 CONTINUE
      END
      SUBROUTINE T(N)
      INTEGER N
      DO 10 I = 1, 3
      DO 10 J = 1, 3
      IF (J .EQ. 1) GO TO 10
      IF (I .EQ. 3) RETURN
      IF (J .EQ. 3) GO TO 20
      N = N + 1
   10 CALL S(N)
   20 N = N + 10
      DO 30, WHILE (N .LT. 25)
   30 N = N + 1
      END

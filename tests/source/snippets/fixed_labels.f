      SUBROUTINE S(I)
      INTEGER I
      IF (I - 1) 10, 20, 30
   10 I = 10
      GO TO 99
   20 I = 20
      RETURN
   30 I = 30
   99 RETURN
      END
      SUBROUTINE T(I)
      INTEGER I
      IF (I .EQ. 1) GO TO 90
      I = 5
   90 END
      PROGRAM P
      INTEGER I, J, K
      I = 0
      J = 1
      K = 2
      CALL S(I)
      CALL S(J)
      CALL S(K)
      IF (I + J + K .NE. 60) STOP 1
      I = 1
      CALL T(I)
      CALL T(J)
      IF (I + J .NE. 6) STOP 2
      END

      PROGRAM P
C     A COMMENT: RETURN
      INTEGER I, TWICE
      I = 1
      CALL S(I, *20, *30)
      STOP 1
   20 CONTINUE
      IF (TWICE(I) .NE. 8) STOP 2
      GO TO 40
   30 STOP 3
   40 CONTINUE
      END
      SUBROUTINE S(I, *, *)
      INTEGER I
      I = I + 3
      IF (I .GT. 3) RETURN 1
      IF (I .EQ.
     1    2)
     2  RETURN 2
      RETURN
      END
      INTEGER FUNCTION TWICE(I)
      INTEGER I
      GO TO 10
    5 TWICE = 0
   10 TWICE = I + I
      END

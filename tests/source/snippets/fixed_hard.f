      SUBROUTINE S(A, N)
      IMPLICIT REAL (A-H, O-Z)
      DIMENSION A(N)
      SF(X) = X * 2
      DO 10 I = 1, N
      A(I) = SF(A(I))
   10 CONTINUE
      END
      BLOCK DATA
      COMMON /C/ K
      DATA K /7/
      END
      PROGRAM P
      COMMON /C/ K
      REAL B(2)
      CHARACTER*20 T
      DATA B /1., 2./
      CALL S(B, 2)
      T = 'a literal that goes on behind column seventy-two and is contin
     &ued'
      IF (B(2) .NE. 4. .OR. K .NE. 7) STOP 1
      END

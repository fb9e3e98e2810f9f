# 1 "fixed_hard.f"
      SUBROUTINE S(A, N)
      IMPLICIT REAL (A-H, O-Z)
      DIMENSION A(N)
      SF(X) = X * 2
# 12 "snippets.spec"
      integer :: ez_level
# 5 "fixed_hard.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 's', 1)
# 18 "snippets.spec"
      call loop_f(5)
# 5 "fixed_hard.f"
      DO 10 I = 1, N
      A(I) = SF(A(I))
   10 CONTINUE
# 19 "snippets.spec"
      call done_f(7)
# 7 "fixed_hard.f"
              
# 15 "snippets.spec"
      call leave_f(ez_level, 8)
# 8 "fixed_hard.f"
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
# 12 "snippets.spec"
      integer :: ez_level
# 18 "fixed_hard.f"
# 13 "snippets.spec"
      call start_f()
# 18 "fixed_hard.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 13)
# 17 "snippets.spec"
      call call_f(18)
# 18 "fixed_hard.f"
      CALL S(B, 2)
      T = 'a literal that goes on behind column seventy-two and is contin
     &ued'
      IF (B(2) .NE. 4. .OR. K .NE. 7) then
# 16 "snippets.spec"
      call stop_f(21)
# 21 "fixed_hard.f"
# 21 "fixed_hard.f"
      STOP 1
# 21 "fixed_hard.f"
      end if
# 21 "fixed_hard.f"
                                            
# 15 "snippets.spec"
      call leave_f(ez_level, 22)
# 22 "fixed_hard.f"
      END

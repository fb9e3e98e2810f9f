# 1 "fixed.f"
      PROGRAM P
C     A COMMENT: RETURN
      INTEGER I, TWICE
# 12 "snippets.spec"
      integer :: ez_level
# 4 "fixed.f"
# 13 "snippets.spec"
      call start_f()
# 4 "fixed.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 1)
# 4 "fixed.f"
      I = 1
# 17 "snippets.spec"
      call call_f(5)
# 5 "fixed.f"
      CALL S(I, *20, *30)
# 16 "snippets.spec"
      call stop_f(6)
# 6 "fixed.f"
      STOP 1
   20 CONTINUE
      IF (TWICE(I) .NE. 8) then
# 16 "snippets.spec"
      call stop_f(8)
# 8 "fixed.f"
# 8 "fixed.f"
      STOP 2
# 8 "fixed.f"
      end if
# 8 "fixed.f"
                                 
      GO TO 40
30    continue
# 16 "snippets.spec"
      call stop_f(10)
# 10 "fixed.f"
      STOP 3
   40 CONTINUE
# 15 "snippets.spec"
      call leave_f(ez_level, 12)
# 12 "fixed.f"
      END
      SUBROUTINE S(I, *, *)
      INTEGER I
# 12 "snippets.spec"
      integer :: ez_level
# 15 "fixed.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 's', 13)
# 15 "fixed.f"
      I = I + 3
      IF (I .GT. 3) then
# 15 "snippets.spec"
      call leave_f(ez_level, 16)
# 16 "fixed.f"
# 16 "fixed.f"
      RETURN 1
# 16 "fixed.f"
      end if
# 16 "fixed.f"
                            
      IF (I .EQ.
     1    2)
     2  then
# 15 "snippets.spec"
      call leave_f(ez_level, 19)
# 19 "fixed.f"
# 19 "fixed.f"
      RETURN 2
# 19 "fixed.f"
      end if
# 19 "fixed.f"
                
# 15 "snippets.spec"
      call leave_f(ez_level, 20)
# 20 "fixed.f"
      RETURN
      END
      INTEGER FUNCTION TWICE(I)
      INTEGER I
# 12 "snippets.spec"
      integer :: ez_level
# 24 "fixed.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'twice', 22)
# 24 "fixed.f"
      GO TO 10
    5 TWICE = 0
   10 TWICE = I + I
# 15 "snippets.spec"
      call leave_f(ez_level, 27)
# 27 "fixed.f"
      END


# 1 "fixed_labels.f"
      SUBROUTINE S(I)
      INTEGER I
      integer :: ez_level
# 3 "fixed_labels.f"
      call enter_f(ez_level, 's', 3)
# 3 "fixed_labels.f"
      IF (I - 1) 10, 20, 30
   10 I = 10
      GO TO 99
   20 I = 20
      call leave_f(ez_level, 7)
# 7 "fixed_labels.f"
      RETURN
   30 I = 30
99    continue
# 9 "fixed_labels.f"
      call leave_f(ez_level, 9)
# 9 "fixed_labels.f"
      RETURN
      call leave_f(ez_level, 10)
# 10 "fixed_labels.f"
      END
      SUBROUTINE T(I)
      INTEGER I
      integer :: ez_level
# 13 "fixed_labels.f"
      call enter_f(ez_level, 't', 13)
# 13 "fixed_labels.f"
      IF (I .EQ. 1) GO TO 90
      I = 5
90    continue
# 15 "fixed_labels.f"
      call leave_f(ez_level, 15)
# 15 "fixed_labels.f"
      END
      PROGRAM P
      INTEGER I, J, K
      integer :: ez_level
# 18 "fixed_labels.f"
      call start_f()
# 18 "fixed_labels.f"
      call enter_f(ez_level, 'p', 18)
# 18 "fixed_labels.f"
      I = 0
      J = 1
      K = 2
      call call_f(21)
# 21 "fixed_labels.f"
      CALL S(I)
      call call_f(22)
# 22 "fixed_labels.f"
      CALL S(J)
      call call_f(23)
# 23 "fixed_labels.f"
      CALL S(K)
      IF (I + J + K .NE. 60) then
# 24 "fixed_labels.f"
      call stop_f(24)
# 24 "fixed_labels.f"
      STOP 1
# 24 "fixed_labels.f"
      end if
# 24 "fixed_labels.f"
                                   
      I = 1
      CALL T(I)
      CALL T(J)
      IF (I + J .NE. 6) then
# 28 "fixed_labels.f"
      call stop_f(28)
# 28 "fixed_labels.f"
      STOP 2
# 28 "fixed_labels.f"
      end if
# 28 "fixed_labels.f"
                              
      call leave_f(ez_level, 29)
# 29 "fixed_labels.f"
      END

# 1 "fixed_labels.f"
      SUBROUTINE S(I)
      INTEGER I
# 12 "snippets.spec"
      integer :: ez_level
# 3 "fixed_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 's', 1)
# 3 "fixed_labels.f"
      IF (I - 1) 10, 20, 30
   10 I = 10
      GO TO 99
   20 I = 20
# 15 "snippets.spec"
      call leave_f(ez_level, 7)
# 7 "fixed_labels.f"
      RETURN
   30 I = 30
99    continue
# 15 "snippets.spec"
      call leave_f(ez_level, 9)
# 9 "fixed_labels.f"
      RETURN
# 15 "snippets.spec"
      call leave_f(ez_level, 10)
# 10 "fixed_labels.f"
      END
      SUBROUTINE T(I)
      INTEGER I
# 12 "snippets.spec"
      integer :: ez_level
# 13 "fixed_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 't', 11)
# 13 "fixed_labels.f"
      IF (I .EQ. 1) GO TO 90
      I = 5
90    continue
# 15 "snippets.spec"
      call leave_f(ez_level, 15)
# 15 "fixed_labels.f"
      END
      PROGRAM P
      INTEGER I, J, K
# 12 "snippets.spec"
      integer :: ez_level
# 18 "fixed_labels.f"
# 13 "snippets.spec"
      call start_f()
# 18 "fixed_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 16)
# 18 "fixed_labels.f"
      I = 0
      J = 1
      K = 2
# 17 "snippets.spec"
      call call_f(21)
# 21 "fixed_labels.f"
      CALL S(I)
# 17 "snippets.spec"
      call call_f(22)
# 22 "fixed_labels.f"
      CALL S(J)
# 17 "snippets.spec"
      call call_f(23)
# 23 "fixed_labels.f"
      CALL S(K)
      IF (I + J + K .NE. 60) then
# 16 "snippets.spec"
      call stop_f(24)
# 24 "fixed_labels.f"
# 24 "fixed_labels.f"
      STOP 1
# 24 "fixed_labels.f"
      end if
# 24 "fixed_labels.f"
                                   
      I = 1
      CALL T(I)
      CALL T(J)
      IF (I + J .NE. 6) then
# 16 "snippets.spec"
      call stop_f(28)
# 28 "fixed_labels.f"
# 28 "fixed_labels.f"
      STOP 2
# 28 "fixed_labels.f"
      end if
# 28 "fixed_labels.f"
                              
# 15 "snippets.spec"
      call leave_f(ez_level, 29)
# 29 "fixed_labels.f"
      END

# 1 "fixed_labels_taken.f"
      PROGRAM P
# 12 "snippets.spec"
      integer :: ez_level
# 2 "fixed_labels_taken.f"
# 13 "snippets.spec"
      call start_f()
# 2 "fixed_labels_taken.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 1)
# 2 "fixed_labels_taken.f"
      N = 0
# 17 "snippets.spec"
      call call_f(3)
# 3 "fixed_labels_taken.f"
      CALL S(N)
      IF (N .NE. 12) then
# 16 "snippets.spec"
      call stop_f(4)
# 4 "fixed_labels_taken.f"
# 4 "fixed_labels_taken.f"
      STOP 1
# 4 "fixed_labels_taken.f"
      end if
# 4 "fixed_labels_taken.f"
                           
# 15 "snippets.spec"
      call leave_f(ez_level, 5)
# 5 "fixed_labels_taken.f"
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

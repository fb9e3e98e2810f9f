# 1 "fixed_shared_labels.f"
      PROGRAM P
      INTEGER I, J, K, N
# 12 "snippets.spec"
      integer :: ez_level
# 3 "fixed_shared_labels.f"
# 13 "snippets.spec"
      call start_f()
# 3 "fixed_shared_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 1)
# 3 "fixed_shared_labels.f"
      N = 0
# 18 "snippets.spec"
      call loop_f(4)
# 4 "fixed_shared_labels.f"
      DO 99 I = 1, 3
10    continue
# 17 "snippets.spec"
      call call_f(5)
# 5 "fixed_shared_labels.f"
      CALL S(N)
# 5 "fixed_shared_labels.f"
99    continue
# 5 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(5)
# 5 "fixed_shared_labels.f"
               
# 18 "snippets.spec"
      call loop_f(6)
# 6 "fixed_shared_labels.f"
      DO 97 I = 1, 2
# 18 "snippets.spec"
      call loop_f(7)
# 7 "fixed_shared_labels.f"
      DO 98 J = 1, 2
C     THE INNERMOST ONE ENDS THERE
# 18 "snippets.spec"
      call loop_f(9)
# 9 "fixed_shared_labels.f"
      D O 2 0 K = 1, 2
      IF (K .EQ. J) GO TO 20
      N = N + 1
   20 CONTINUE
# 19 "snippets.spec"
      call done_f(12)
# 12 "fixed_shared_labels.f"
# 12 "fixed_shared_labels.f"
98    continue
# 19 "snippets.spec"
      call done_f(12)
# 12 "fixed_shared_labels.f"
# 12 "fixed_shared_labels.f"
97    continue
# 12 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(12)
# 12 "fixed_shared_labels.f"
              
# 18 "snippets.spec"
      call loop_f(13)
# 13 "fixed_shared_labels.f"
      DO 96 I = 1, 3
   30 IF (I .EQ. 2) then
# 17 "snippets.spec"
      call call_f(14)
# 14 "fixed_shared_labels.f"
# 14 "fixed_shared_labels.f"
      CALL S(N)
# 14 "fixed_shared_labels.f"
      end if
# 14 "fixed_shared_labels.f"
# 14 "fixed_shared_labels.f"
96    continue
# 14 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(14)
# 14 "fixed_shared_labels.f"
                             
      CALL T(N)
      IF (N .NE. 25) then
# 16 "snippets.spec"
      call stop_f(16)
# 16 "fixed_shared_labels.f"
# 16 "fixed_shared_labels.f"
      STOP 1
# 16 "fixed_shared_labels.f"
      end if
# 16 "fixed_shared_labels.f"
                           
# 15 "snippets.spec"
      call leave_f(ez_level, 17)
# 17 "fixed_shared_labels.f"
      END
      SUBROUTINE S(N)
      INTEGER N
# 12 "snippets.spec"
      integer :: ez_level
# 20 "fixed_shared_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 's', 18)
# 18 "snippets.spec"
      call loop_f(20)
# 20 "fixed_shared_labels.f"
      DO 10 I = 1, 2
      IF (I .EQ. 1) GO TO 10
      N = N + 1
   10 CONTINUE
# 19 "snippets.spec"
      call done_f(23)
# 23 "fixed_shared_labels.f"
              
# 15 "snippets.spec"
      call leave_f(ez_level, 24)
# 24 "fixed_shared_labels.f"
      END
      SUBROUTINE T(N)
      INTEGER N
# 12 "snippets.spec"
      integer :: ez_level
# 27 "fixed_shared_labels.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 't', 25)
# 18 "snippets.spec"
      call loop_f(27)
# 27 "fixed_shared_labels.f"
      DO 94 I = 1, 3
# 18 "snippets.spec"
      call loop_f(28)
# 28 "fixed_shared_labels.f"
      DO 95 J = 1, 3
      IF (J .EQ. 1) GO TO 10
      IF (I .EQ. 3) then
# 19 "snippets.spec"
      call done_f(30)
# 30 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(30)
# 30 "fixed_shared_labels.f"
# 15 "snippets.spec"
      call leave_f(ez_level, 30)
# 30 "fixed_shared_labels.f"
# 30 "fixed_shared_labels.f"
      RETURN
# 30 "fixed_shared_labels.f"
      end if
# 30 "fixed_shared_labels.f"
                          
      IF (J .EQ. 3) then
# 19 "snippets.spec"
      call done_f(31)
# 31 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(31)
# 31 "fixed_shared_labels.f"
# 31 "fixed_shared_labels.f"
      GO TO 20
# 31 "fixed_shared_labels.f"
      end if
# 31 "fixed_shared_labels.f"
                            
      N = N + 1
10    continue
# 17 "snippets.spec"
      call call_f(33)
# 33 "fixed_shared_labels.f"
      CALL S(N)
# 33 "fixed_shared_labels.f"
95    continue
# 19 "snippets.spec"
      call done_f(33)
# 33 "fixed_shared_labels.f"
# 33 "fixed_shared_labels.f"
94    continue
# 33 "fixed_shared_labels.f"
# 19 "snippets.spec"
      call done_f(33)
# 33 "fixed_shared_labels.f"
               
   20 N = N + 10
# 18 "snippets.spec"
      call loop_f(35)
# 35 "fixed_shared_labels.f"
      DO 30, WHILE (N .LT. 25)
   30 N = N + 1
# 19 "snippets.spec"
      call done_f(36)
# 36 "fixed_shared_labels.f"
               
# 15 "snippets.spec"
      call leave_f(ez_level, 37)
# 37 "fixed_shared_labels.f"
      END

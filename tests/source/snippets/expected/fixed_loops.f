# 1 "fixed_loops.f"
      PROGRAM P
      INTEGER I, J, N
# 12 "snippets.spec"
      integer :: ez_level
# 3 "fixed_loops.f"
# 13 "snippets.spec"
      call start_f()
# 3 "fixed_loops.f"
# 14 "snippets.spec"
      call enter_f(ez_level, 'p', 1)
# 3 "fixed_loops.f"
      N = 0
# 18 "snippets.spec"
      call loop_f(4)
# 4 "fixed_loops.f"
      DO 99 I = 1, 3
# 18 "snippets.spec"
      call loop_f(5)
# 5 "fixed_loops.f"
      DO 10 J = 1, 3
      IF (I .EQ. J) GO TO 10
      N = N + 1
   10 CONTINUE
# 19 "snippets.spec"
      call done_f(8)
# 8 "fixed_loops.f"
# 8 "fixed_loops.f"
99    continue
# 8 "fixed_loops.f"
# 19 "snippets.spec"
      call done_f(8)
# 8 "fixed_loops.f"
              
# 18 "snippets.spec"
      call loop_f(9)
# 9 "fixed_loops.f"
      DO 20 I = 1, 3
   20 N = N + I
# 19 "snippets.spec"
      call done_f(10)
# 10 "fixed_loops.f"
               
# 18 "snippets.spec"
      call loop_f(11)
# 11 "fixed_loops.f"
      DO 30, I = 1, 5
      IF (I .EQ. 3) then
# 19 "snippets.spec"
      call done_f(12)
# 12 "fixed_loops.f"
# 12 "fixed_loops.f"
      GO TO 40
# 12 "fixed_loops.f"
      end if
# 12 "fixed_loops.f"
                            
   30 N = N + 1
# 19 "snippets.spec"
      call done_f(13)
# 13 "fixed_loops.f"
               
   40 IF (N .NE. 14) then
# 16 "snippets.spec"
      call stop_f(14)
# 14 "fixed_loops.f"
# 14 "fixed_loops.f"
      STOP 1
# 14 "fixed_loops.f"
      end if
# 14 "fixed_loops.f"
                           
# 15 "snippets.spec"
      call leave_f(ez_level, 15)
# 15 "fixed_loops.f"
      END
